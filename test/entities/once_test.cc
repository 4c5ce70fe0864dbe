// Handlers of messages that are delivered again, at random, hours apart on the clock, while calls
// lose their answers, come late or are refused. Every effect of every message happens exactly once,
// also when the database has forgotten the tokens of transactions.
//
// Nothing repeats on its own here, so every fault reaches the handler. A thousand deliveries; 100,000
// with STATOR_TEST_FULL.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "entities/entities_test.h"
#include "stator/api/forwarding_database.h"

namespace stator::entities {

struct Till {
  std::string id;
  std::int64_t modified = 0;
  std::int64_t patched = 0;
  std::int64_t updated = 0;
  std::int64_t moved = 0;
  std::int64_t together = 0;

  friend bool operator==(const Till&, const Till&) = default;
};
BOOST_DESCRIBE_STRUCT(Till, (), (id, modified, patched, updated, moved, together))
template <>
struct EntityTraits<Till> {
  static constexpr std::string_view kName = "till";
  static constexpr KeyTemplate kPartitionKey = {"TILL#{id}"};
};

// An expiry and a creation time, so that the clock is in everything that is written.
struct Receipt {
  std::string message;
  std::string till = {};
  std::int64_t printed = 0;

  friend bool operator==(const Receipt&, const Receipt&) = default;
};
BOOST_DESCRIBE_STRUCT(Receipt, (), (message, till, printed))
template <>
struct EntityTraits<Receipt> {
  static constexpr std::string_view kName = "receipt";
  static constexpr KeyTemplate kPartitionKey = {"RECEIPT#{message}"};
  static constexpr std::string_view kExpiry = "expires_at";
  static constexpr std::chrono::seconds kLife = kForever;
  static constexpr bool kCreatedAt = true;
};

namespace {

using patterns::Idempotency;
using Tills = Repository<Till, kAllVerbs>;
using Receipts = Repository<Receipt, kAllVerbs>;

// Of a till, by one message: Modify, Patch, Update, and two transactions.
constexpr std::size_t kTokensOfMessage = 5;
// No time for repetitions.
constexpr patterns::RetryOptions kOnce = {.budget = Duration::zero()};

std::size_t Deliveries() {
  return std::getenv("STATOR_TEST_FULL") != nullptr ? 100'000 : 1'000;
}

// Forgets every second token, as a database does after ten minutes.
class ForgetfulDatabase final : public ForwardingDatabase {
 public:
  explicit ForgetfulDatabase(Database& next) : ForwardingDatabase(next) {}

  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override {
    TransactWriteItemsInput sent = input;
    if (++calls_ % 2 == 0) {
      sent.client_request_token.reset();
    }
    return ForwardingDatabase::TransactWriteItems(sent);
  }

 private:
  std::size_t calls_ = 0;
};

// What is going on at the same time.
struct Load {
  std::size_t tills;
  std::size_t in_flight;
  // The next messages come when those before them are done. Otherwise whenever there is room.
  bool in_waves;
};

class OnceTest : public EntitiesTest {
 protected:
  struct Message {
    std::size_t number = 0;
    int wanted = 0;  // successful deliveries
  };

  [[nodiscard]] std::size_t Draw(std::size_t below) {
    return static_cast<std::size_t>(random_.Below(below));
  }

  void DeliverAtRandom(const Load& load);

  // The handler: stops where it meets a failure, as a program does that answers 500.
  Result<void> Handle(const Tills& tills, const Receipts& receipts, Database& database,
                      std::size_t number) {
    const std::string id = "t" + std::to_string(number % tills_);
    const std::string message = "m" + std::to_string(number);
    const auto token = [&](const char* what) { return Idempotency::Token(message + what); };
    if (auto done = tills.Modify({id}, [](Till& till) { ++till.modified; },
                                 {.retry = kOnce, .idempotency = token("/modify")});
        !done) {
      return std::unexpected(done.error());
    }
    if (auto done = tills.Patch({id}, Add<&Till::patched>(1), {}, {.idempotency = token("/patch")});
        !done) {
      return std::unexpected(done.error());
    }
    if (auto done = receipts.Insert({.message = message, .till = id, .printed = 1},
                                    {.idempotency = token("/insert")});
        !done) {
      return std::unexpected(done.error());
    }
    auto seen = tills.ReadStrong({id});
    if (!seen || !*seen) {
      return Fail(ErrorCode::kUnavailable, "not read");
    }
    ++(*seen)->data.updated;
    if (auto done = tills.Update(**seen, {.idempotency = token("/update")}); !done) {
      return std::unexpected(done.error());
    }
    patterns::Transaction transaction(database, token("/transaction"), {.retry = kOnce},
                                      environment());
    static_cast<void>(tills.PatchIn(transaction, {id}, Add<&Till::moved>(1), {}, "till"));
    static_cast<void>(
        receipts.InsertIn(transaction, {.message = message + "'", .till = id}, "receipt"));
    if (auto done = transaction.Commit(); !done) {
      return std::unexpected(done.error());
    }
    auto again = tills.ReadStrong({id});
    if (!again || !*again) {
      return Fail(ErrorCode::kUnavailable, "not read");
    }
    ++(*again)->data.together;
    patterns::Transaction both(database, token("/both"), {.retry = kOnce}, environment());
    static_cast<void>(tills.UpdateIn(both, **again, "till"));
    static_cast<void>(receipts.PatchIn(both, {message}, Add<&Receipt::printed>(1), {}, "receipt"));
    if (auto done = both.Commit(); !done) {
      return std::unexpected(done.error());
    }
    return {};
  }

 private:
  std::size_t tills_ = 1;
};

void OnceTest::DeliverAtRandom(const Load& load) {
  tills_ = load.tills;
  ForgetfulDatabase forgetful(faulty());
  Open<Tills>();
  Open<Receipts>();
  const Tills tills = *Tills::Open(forgetful, {.retry = kOnce}, environment());
  const Receipts receipts = *Receipts::Open(forgetful, {.retry = kOnce}, environment());
  for (std::size_t n = 0; n < load.tills; ++n) {
    Must(Others<Tills>().Insert({.id = "t" + std::to_string(n)}));
  }
  faulty().SetRates({.lost_before = 0.04,
                     .lost_after = 0.08,
                     .late = 0.03,
                     .throttled = 0.02,
                     .unavailable = 0.04,
                     .conflict = 0.02});
  std::vector<Message> in_flight;
  std::size_t started = 0;
  std::size_t succeeded = 0;
  std::size_t delivered = 0;
  const std::size_t deliveries = Deliveries();
  for (; (delivered < deliveries || !in_flight.empty()) && delivered < 20 * deliveries;
       ++delivered) {
    while (in_flight.size() < load.in_flight && delivered < deliveries &&
           (!load.in_waves || started % load.in_flight != 0 || in_flight.empty())) {
      in_flight.push_back({.number = started++, .wanted = 1 + static_cast<int>(Draw(3))});
    }
    if (in_flight.empty()) {
      break;
    }
    const std::size_t place = Draw(in_flight.size());
    Message& message = in_flight[place];
    if (Handle(tills, receipts, forgetful, message.number)) {
      ++succeeded;
      if (--message.wanted == 0) {
        std::swap(message, in_flight.back());
        in_flight.pop_back();
      }
    }
    clock_.Advance(std::chrono::minutes(static_cast<std::int64_t>(Draw(600))));
  }
  ASSERT_TRUE(in_flight.empty()) << "messages that never got through";
  EXPECT_GT(succeeded, started) << "messages are delivered after their success, too";
  EXPECT_GT(delivered, succeeded) << "and after failures";
  faulty().ApplyLate();
  Till sum;
  for (std::size_t n = 0; n < load.tills; ++n) {
    const Till till = MustFind(Others<Tills>().ReadStrong({"t" + std::to_string(n)})).data;
    sum.modified += till.modified;
    sum.patched += till.patched;
    sum.updated += till.updated;
    sum.moved += till.moved;
    sum.together += till.together;
  }
  const auto all = static_cast<std::int64_t>(started);
  EXPECT_EQ(sum, (Till{.id = "",
                       .modified = all,
                       .patched = all,
                       .updated = all,
                       .moved = all,
                       .together = all}));
  for (std::size_t number = 0; number < started; ++number) {
    const std::string message = "m" + std::to_string(number);
    EXPECT_EQ(MustFind(Others<Receipts>().ReadStrong({message})).data.printed, 2) << message;
    EXPECT_TRUE(Must(Others<Receipts>().Exists({message + "'"}))) << message;
  }
}

// So many tills that a message is done long before its till has forgotten it.
TEST_F(OnceTest, EveryEffectOfAMessageHappensOnce) {
  DeliverAtRandom({.tills = 400, .in_flight = 60, .in_waves = false});
}

// So few that every item is full of tokens all the time, and lets one go with each new one. As many
// messages are on their way as it can remember, and not one more.
TEST_F(OnceTest, EveryEffectHappensOnceWhereItemsAreFullOfTokens) {
  constexpr std::size_t kTills = 4;
  constexpr std::size_t kOfTill = patterns::kTokensKept / kTokensOfMessage;
  static_assert(kOfTill >= 6);
  DeliverAtRandom({.tills = kTills, .in_flight = kTills * kOfTill, .in_waves = true});
  for (std::size_t n = 0; n < kTills; ++n) {
    const auto till = Get("till", {{"pk", "TILL#t" + std::to_string(n)}});
    ASSERT_TRUE(till);
    EXPECT_EQ(till->at("write_tokens").If<List>()->size(), patterns::kTokensKept);
  }
}

// The limit is what docs/entities.md says: 32 tokens of others may come between, and not one more.
TEST_F(OnceTest, ATokenIsRememberedUntilSoManyOthersWereUsed) {
  const Tills tills = Open<Tills>();
  Must(tills.Insert({.id = "t"}));
  const auto patch = [&](const std::string& token) {
    return Must(tills.Patch({"t"}, Add<&Till::patched>(1), {},
                            {.idempotency = Idempotency::Token(token)}))
        .data.patched;
  };
  constexpr auto kKept = static_cast<std::int64_t>(patterns::kTokensKept);
  EXPECT_EQ(patch("first"), 1);
  for (std::int64_t n = 1; n < kKept; ++n) {
    EXPECT_EQ(patch("other " + std::to_string(n)), n + 1);
    EXPECT_EQ(patch("first"), n + 1) << "remembered behind " << n << " others";
  }
  EXPECT_EQ(patch("the last straw"), kKept + 1);
  EXPECT_EQ(patch("other 1"), kKept + 1) << "the second is remembered";
  EXPECT_EQ(patch("first"), kKept + 2) << "the first is not: it counts as new";
}

TEST_F(OnceTest, AnItemThatIsFullOfTokensLetsTheOldestGo) {
  const Tills tills = Open<Tills>();
  Must(tills.Insert({.id = "t"}));
  const auto once = [](int n) { return Idempotency::Token("patch " + std::to_string(n)); };
  constexpr int kMany = 3 * static_cast<int>(patterns::kTokensKept);
  for (int n = 1; n <= kMany; ++n) {
    if (n % 2 == 0) {
      Must(tills.Patch({"t"}, Add<&Till::patched>(1), {}, {.idempotency = once(n)}));
    } else {
      patterns::Transaction transaction(faulty(), once(n), {}, environment());
      ASSERT_TRUE(Succeeds(tills.PatchIn(transaction, {"t"}, Add<&Till::patched>(1))));
      ASSERT_TRUE(Succeeds(transaction.Commit()));
    }
    const Item stored = *Get("till", {{"pk", "TILL#t"}});
    EXPECT_LE(stored.at("write_tokens").If<List>()->size(), patterns::kTokensKept);
  }
  EXPECT_EQ(Must(tills.Patch({"t"}, Add<&Till::patched>(1), {}, {.idempotency = once(kMany)}))
                .data.patched,
            kMany);
  EXPECT_TRUE(FailsWith(tills.Patch({"t"}, Add<&Till::patched>(1), Where<&Till::patched>() < 0,
                                    {.idempotency = Idempotency::Token("refused")}),
                        ErrorCode::kRefused));
}

TEST_F(OnceTest, WritesWithoutATokenLeaveNoneAndKeepThoseOfOthers) {
  const Tills tills = Open<Tills>();
  Must(tills.Insert({.id = "t"}));
  EXPECT_FALSE(Get("till", {{"pk", "TILL#t"}})->contains("write_tokens"));
  const auto once = Idempotency::Token("once");
  Must(tills.Modify({"t"}, [](Till& till) { ++till.modified; }, {.idempotency = once}));
  for (int n = 0; n < 10; ++n) {
    Must(tills.Modify({"t"}, [](Till& till) { ++till.updated; }));
    Must(tills.Patch({"t"}, Add<&Till::patched>(1)));
  }
  const auto repeated =
      Must(tills.Modify({"t"}, [](Till& till) { ++till.modified; }, {.idempotency = once}));
  EXPECT_EQ(repeated.data.modified, 1);
  EXPECT_EQ(repeated.data.patched, 10);
  EXPECT_EQ(repeated.extra(), Item());
  EXPECT_TRUE(FailsWith(
      tills.Patch({"t"}, Add<&Till::patched>(1), {}, {.idempotency = Idempotency::FromContent()}),
      ErrorCode::kValidation));
}

TEST_F(OnceTest, UniqueFieldsAndUpsertsAreDoneOnceToo) {
  const Users users = Open<Users>();
  const auto once = Idempotency::Token("sign up");
  const User ann = {.id = "u1", .email = "ann@example.org"};
  for (int repetition = 0; repetition < 3; ++repetition) {
    EXPECT_TRUE(Succeeds(users.Insert(ann, {.idempotency = once})));
    clock_.Advance(1h);
  }
  const auto rename = Idempotency::Token("rename");
  for (int repetition = 0; repetition < 3; ++repetition) {
    Must(users.Modify({"u1"}, [](User& user) { user.email += ".uk"; }, {.idempotency = rename}));
    clock_.Advance(1h);
  }
  EXPECT_EQ(MustFind(users.ReadStrong({"u1"})).data.email, "ann@example.org.uk");
  const Tills tills = Open<Tills>();
  const auto open = Idempotency::Token("open till");
  Must(tills.Upsert({.id = "t"}, {.idempotency = open}));
  Must(tills.Modify({"t"}, [](Till& till) { ++till.modified; }));
  EXPECT_EQ(Must(tills.Upsert({.id = "t"}, {.idempotency = open})).data.modified, 1)
      << "the repetition writes over nobody";
}

}  // namespace
}  // namespace stator::entities
