// Transactions on a bad network: retries under one token, and what is told when there is none.

#include "stator/patterns/idempotency.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "patterns/patterns_test.h"
#include "stator/patterns/transaction.h"

namespace stator::patterns {
namespace {

const Item kCounter = {{"pk", "counter"}};

// Remembers the tokens that passed.
class TokenWatcher final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override {
    tokens.push_back(input.client_request_token.value_or(""));
    return ForwardingDatabase::TransactWriteItems(input);
  }
  std::vector<std::string> tokens;
};

class IdempotencyTest : public PatternsTest {
 protected:
  IdempotencyTest() : watcher_(faulty()) { Put(kThings, {{"pk", "counter"}, {"n", 0}}); }

  // Adds one, twice over if it were executed twice.
  [[nodiscard]] Transaction Count(Idempotency idempotency, TransactionOptions options = {}) {
    Transaction transaction(watcher_, std::move(idempotency), std::move(options), environment());
    transaction
        .Patch(
            {.table = kThings, .key = kCounter, .update = Update().Add("n", 1), .label = "count"})
        .Upsert({.table = kThings, .item = {{"pk", "other"}}});
    return transaction;
  }
  void ExpectCount(int n) { EXPECT_EQ(Get(kThings, kCounter)->at("n"), AttributeValue(n)); }

  TokenWatcher watcher_;
};

TEST_F(IdempotencyTest, HasToBeChosen) {
  static_assert(!std::is_default_constructible_v<Idempotency>);
  static_assert(!std::is_constructible_v<Transaction, Database&>);
}

TEST_F(IdempotencyTest, TokensHave36CharactersWhateverTheyAreMadeOf) {
  for (const std::string& operation : {std::string(), std::string("x"), std::string(9999, 'x')}) {
    const std::string token = Idempotency::Token(operation).token();
    EXPECT_EQ(token.size(), 36U);
    EXPECT_EQ(token, Idempotency::Token(operation).token());
  }
  EXPECT_NE(Idempotency::Token("a").token(), Idempotency::Token("b").token());
}

TEST_F(IdempotencyTest, ALostAnswerIsNotASecondExecution) {
  faulty().Script("TransactWriteItems", {Fault::kLostAfter, Fault::kLostAfter});
  EXPECT_EQ(Must(Count(Idempotency::Token("request 1")).Commit()).attempts, 3);
  ExpectCount(1);
  EXPECT_EQ(watcher_.tokens, std::vector(3, Idempotency::Token("request 1").token()));
}

TEST_F(IdempotencyTest, ALostRequestIsSentAgain) {
  faulty().Script("TransactWriteItems", {Fault::kLostBefore});
  EXPECT_TRUE(Succeeds(Count(Idempotency::Token("request 1")).Commit()));
  ExpectCount(1);
}

TEST_F(IdempotencyTest, TheSameOperationBuiltAgainIsTheSame) {
  EXPECT_TRUE(Succeeds(Count(Idempotency::Token("request 1")).Commit()));
  EXPECT_TRUE(Succeeds(Count(Idempotency::Token("request 1")).Commit()));
  ExpectCount(1);
  EXPECT_TRUE(Succeeds(Count(Idempotency::Token("request 2")).Commit()));
  ExpectCount(2);
}

TEST_F(IdempotencyTest, AnotherOperationUnderTheSameTokenIsAMismatch) {
  EXPECT_TRUE(Succeeds(Count(Idempotency::Token("request 1")).Commit()));
  Transaction other = Count(Idempotency::Token("request 1"));
  other.Upsert({.table = kThings, .item = {{"pk", "third"}}});
  EXPECT_TRUE(FailsWith(other.Commit(), ErrorCode::kIdempotentParameterMismatch));
}

TEST_F(IdempotencyTest, ContentCanBeTheName) {
  EXPECT_TRUE(Succeeds(Count(Idempotency::FromContent()).Commit()));
  EXPECT_TRUE(Succeeds(Count(Idempotency::FromContent()).Commit()));
  ExpectCount(1);
  Transaction other = Count(Idempotency::FromContent());
  other.Upsert({.table = kThings, .item = {{"pk", "third"}}});
  EXPECT_TRUE(Succeeds(other.Commit()));
  ExpectCount(2);
}

TEST_F(IdempotencyTest, EveryPartOfTheContentCounts) {
  const auto token_of = [&](auto&& add) {
    Transaction transaction(watcher_, Idempotency::FromContent(), {}, environment());
    add(transaction);
    (void)transaction.Commit();
    return watcher_.tokens.back();
  };
  const Update set = Update().Set("a", 1);
  const Condition exists = Attribute("pk").Exists();
  std::vector<std::string> tokens = {
      token_of([&](auto& t) { t.PatchOrInsert({kThings, kCounter, set}); }),
      token_of([&](auto& t) { t.PatchOrInsert({kThings, {{"pk", "x"}}, set}); }),
      token_of([&](auto& t) { t.PatchOrInsert({kThings, kCounter, Update().Set("b", 1)}); }),
      token_of([&](auto& t) { t.PatchOrInsert({kThings, kCounter, Update().Set("a", 2)}); }),
      token_of([&](auto& t) { t.PatchOrInsert({kThings, kCounter, Update().Add("a", 1)}); }),
      token_of([&](auto& t) { t.PatchOrInsert({kThings, kCounter, set, exists}); }),
      token_of([&](auto& t) { t.Upsert({kThings, kCounter}); }),
      token_of([&](auto& t) { t.Upsert({kParts, {{"pk", "x"}, {"sk", "y"}}}); }),
      token_of([&](auto& t) { t.Remove({kThings, {{"pk", "z"}}}); }),
      token_of([&](auto& t) { t.Require({kThings, {{"pk", "z"}}, !exists}); }),
  };
  std::sort(tokens.begin(), tokens.end());
  EXPECT_EQ(std::unique(tokens.begin(), tokens.end()), tokens.end());
}

TEST_F(IdempotencyTest, WithoutATokenALostAnswerIsAmbiguousAndNotRetried) {
  for (const Fault fault : {Fault::kLostAfter, Fault::kLostBefore}) {
    faulty().Script("TransactWriteItems", {fault});
    const Result<Committed> outcome = Count(Idempotency::None()).Commit();
    ASSERT_TRUE(FailsWith(outcome, ErrorCode::kAmbiguous));
  }
  ExpectCount(1);
  EXPECT_EQ(watcher_.tokens, (std::vector<std::string>{"", ""}));
}

TEST_F(IdempotencyTest, ASingleWriteWithoutATokenIsAmbiguousToo) {
  faulty().Script("UpdateItem", {Fault::kLostAfter});
  Transaction single(watcher_, Idempotency::None(), {}, environment());
  single.Patch({.table = kThings, .key = kCounter, .update = Update().Add("n", 1)});
  EXPECT_TRUE(FailsWith(single.Commit(), ErrorCode::kAmbiguous));
  ExpectCount(1);
}

TEST_F(IdempotencyTest, ConflictsAndThrottlingAreRetriedWithJitterUnderTheSameToken) {
  faulty().Script("TransactWriteItems", {Fault::kConflict, Fault::kThrottled, Fault::kConflict});
  EXPECT_EQ(Must(Count(Idempotency::Token("request 1")).Commit()).attempts, 4);
  ExpectCount(1);
  EXPECT_EQ(watcher_.tokens, std::vector(4, Idempotency::Token("request 1").token()));
  EXPECT_GT(clock_.Elapsed(), Duration::zero());
}

TEST_F(IdempotencyTest, ConflictsThatDoNotEndAreReportedAsSuch) {
  faulty().Script("TransactWriteItems", {Fault::kConflict, Fault::kConflict});
  const Result<Committed> outcome =
      Count(Idempotency::Token("request 1"), {.retry = Attempts(2)}).Commit();
  ASSERT_TRUE(FailsWith(outcome, ErrorCode::kTransactionConflict));
  EXPECT_TRUE(IsTransient(outcome.error().code));
  ExpectCount(0);
}

TEST_F(IdempotencyTest, AConflictAfterALostAnswerDoesNotSettleIt) {
  faulty().Script("TransactWriteItems", {Fault::kLostAfter, Fault::kConflict});
  EXPECT_TRUE(FailsWith(Count(Idempotency::Token("request 1"), {.retry = Attempts(2)}).Commit(),
                        ErrorCode::kAmbiguous));
  ExpectCount(1);
}

TEST_F(IdempotencyTest, NothingIsSentUnderATokenThatMayBeForgotten) {
  Transaction transaction = Count(Idempotency::Token("request 1"), {.retry = Attempts(1)});
  faulty().Script("TransactWriteItems", {Fault::kLostAfter});
  EXPECT_TRUE(FailsWith(transaction.Commit(), ErrorCode::kAmbiguous));
  clock_.Advance(9min);
  EXPECT_TRUE(Succeeds(transaction.Commit())) << "still known";
  clock_.Advance(1s);
  EXPECT_TRUE(FailsWith(transaction.Commit(), ErrorCode::kExpired));
  EXPECT_EQ(faulty().calls("TransactWriteItems"), 2U);
  ExpectCount(1);
}

TEST_F(IdempotencyTest, RetriesEndWithTheToken) {
  const TransactionOptions patient{.retry = {.budget = 24h, .wait_first = 1min, .wait_max = 1min}};
  faulty().Script("TransactWriteItems", std::vector<Fault>(1000, Fault::kThrottled));
  EXPECT_FALSE(Count(Idempotency::Token("request 1"), patient).Commit());
  EXPECT_LT(clock_.Elapsed(), 10min);
}

TEST_F(IdempotencyTest, StopsWhenAskedTo) {
  std::stop_source source;
  faulty().Script("TransactWriteItems", {Fault::kThrottled, Fault::kThrottled});
  faulty().BeforeNext("TransactWriteItems", [&] { source.request_stop(); });
  EXPECT_FALSE(Count(Idempotency::Token("request 1"), {.stop = source.get_token()}).Commit());
  EXPECT_EQ(faulty().calls("TransactWriteItems"), 1U);
}

// The clock of whoever builds a transaction again has moved meanwhile.

TEST_F(IdempotencyTest, AnotherTimeOfDayDoesNotMakeItAnotherTransaction) {
  for (const bool from_content : {false, true}) {
    const Item mark = {{"pk", from_content ? "content" : "token"}};
    const auto build = [&] {
      Transaction transaction =
          Count(from_content ? Idempotency::FromContent() : Idempotency::Token("order 17"));
      transaction.Insert({.table = kExpiringThings, .item = mark})
          .RequireAbsent({.table = kExpiringThings, .key = {{"pk", "nothing"}}});
      return transaction;
    };
    const std::int64_t before = *Get(kThings, kCounter)->at("n").If<Number>()->ToInt64();
    Transaction first = build();
    ASSERT_TRUE(first.Commit().has_value());
    clock_.Advance(std::chrono::minutes(3));
    Transaction second = build();
    const Result<Committed> repeated = second.Commit();
    ASSERT_TRUE(repeated.has_value()) << repeated.error().message;
    EXPECT_TRUE(repeated->repeated);
    ExpectCount(static_cast<int>(before) + 1);
  }
}

TEST_F(IdempotencyTest, AnotherTransactionUnderTheSameTokenIsStillAMistake) {
  Transaction first = Count(Idempotency::Token("order 17"));
  ASSERT_TRUE(first.Commit().has_value());
  Transaction second = Count(Idempotency::Token("order 17"));
  second.Upsert({.table = kThings, .item = {{"pk", "more"}}});
  const Result<Committed> outcome = second.Commit();
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kIdempotentParameterMismatch);
}

}  // namespace
}  // namespace stator::patterns
