// Seeded runs of a small world: two users, workers that get their messages twice, late or never, a
// bad network, invalidations and expiry in between, and other operations in the middle of each.
// What must hold whatever happens:
//
//   (1) An item of a job counts once, and its result is one that a worker handed in.
//   (2) A job that nobody took away is complete when all its messages have arrived, and ended once.
//   (3) What was invalidated, or belongs to a former session, is seen by nobody, and after a sweep
//       nothing of it is left. Nothing is in the table that nobody made, and all of it expires.
//   (4) Nobody reads what somebody else wrote, and a session has one owner at a time.

#include <cstdlib>
#include <deque>
#include <map>
#include <set>

#include "sessions/sessions_test.h"
#include "support/sanitized.h"

namespace stator::sessions {
namespace {

constexpr int kSteps = 60;

struct Message {
  std::string job;
  std::string item;
  std::string result;
  std::optional<Session> handle;  // of when it was sent; nothing: whoever comes attaches anew
  int deliveries = 1;
};

enum class Fate : std::uint8_t { kValid, kGone, kUnknown };

struct Job {
  std::string owner;
  Fate fate = Fate::kValid;
  std::map<std::string, std::set<std::string>> handed_in = {};  // item to results
  std::map<std::string, int> counted = {};                      // item to first completions
  int finished = 0;
};

constexpr support::FaultRates kBadNetwork{.lost_before = 0.03,
                                          .lost_after = 0.03,
                                          .late = 0.02,
                                          .throttled = 0.03,
                                          .conflict = 0.05,
                                          .unprocessed = 0.1};

class World {
 public:
  World(Database& database, std::uint64_t seed)
      : random_(seed),
        database_(&database),
        faulty_(database, kBadNetwork, seed),
        store_(*SessionStore::Open(faulty_, {.workflow = MediaWorkflow()},
                                   {.clock = &clock_, .random = &random_})),
        session_(random_.Uuid()) {}

  void Run() {
    for (int step = 0; step < kSteps && !testing::Test::HasFailure(); ++step) {
      if (Chance(30)) {
        // Somebody else in the middle of what comes next.
        static const std::vector<std::string> kOperations = {"UpdateItem", "TransactWriteItems",
                                                             "Query", "BatchGetItem", "PutItem"};
        faulty_.BeforeNext(kOperations[random_.Below(kOperations.size())], [this] {
          if (depth_ < 2 && !settling_) {
            Step();
          }
        });
      }
      Step();
    }
    settling_ = true;
    faulty_.SetRates({});
    faulty_.ApplyLate();
    Settle();
    if (testing::Test::HasFailure()) {
      for (const std::string& line : story_) {
        std::puts(line.c_str());
      }
    }
  }

 private:
  // For whoever has to find out what went wrong.
  template <class T>
  void Tell(const std::string& what, const Result<T>& result) {
    story_.push_back(std::string(static_cast<std::size_t>(depth_) * 2, ' ') + what + ": " +
                     (result ? "done" : std::string(NameOf(result.error().code))));
  }

  bool Chance(std::uint64_t percent) { return random_.Below(100) < percent; }

  std::string RandomUser() { return Chance(50) ? "ann" : "bob"; }

  void Step() {
    ++depth_;
    const std::uint64_t dice = random_.Below(100);
    if (dice < 15) {
      ClaimAs(RandomUser());
    } else if (dice < 30) {
      MakeJob();
    } else if (dice < 70) {
      Deliver();
    } else if (dice < 78) {
      Invalidate();
    } else if (dice < 93) {
      Read();
    } else if (dice < 96) {
      HealSomething();
    } else {
      LetTimePass();
    }
    --depth_;
  }

  void ClaimAs(const std::string& user) {
    Result<Session> session = store_.Claim(session_, user);
    Tell("claim as " + user, session);
    if (session) {
      sessions_.insert_or_assign(user, *std::move(session));
    }
  }

  // A copy: somebody may claim anew in the middle of what it is used for.
  std::optional<Session> AnySession() {
    const auto found = sessions_.find(RandomUser());
    return found == sessions_.end() ? std::nullopt : std::optional(found->second);
  }

  void MakeJob() {
    const std::optional<Session> session = AnySession();
    if (!session) {
      return;
    }
    const std::string user = session->owner().value_or("");
    const std::string id = store_.MakeRecordId("enhancement");
    const int count = 1 + static_cast<int>(random_.Below(4));
    // Entered before it is made: others may act in the middle.
    jobs_[id] = {.owner = user, .fate = Fate::kUnknown};
    const int losses = losses_;
    const auto made = session->PutNewWithItems(
        "enhancement", id, {{"status", "processing"}, {"secret", user}}, MakeItems(count),
        Chance(50) ? ItemsLayout::kMap : ItemsLayout::kChildren);
    Tell("make " + id + " as " + user, made);
    if (!made) {
      return;
    }
    if (losses == losses_) {
      jobs_[id].fate = Fate::kValid;
    }
    for (const NewItem& item : MakeItems(count)) {
      messages_.push_back({.job = id,
                           .item = item.id,
                           .result = "result " + std::to_string(random_.Below(1000)),
                           .handle = Chance(50) ? session : std::nullopt,
                           .deliveries = 1 + static_cast<int>(random_.Below(3))});
    }
  }

  void Deliver() {
    if (messages_.empty() || Chance(10)) {
      return;  // it is lost on its way; the queue sends it again
    }
    const std::size_t at = random_.Below(messages_.size());
    Message message = messages_[at];
    messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(at));
    if (!Handle(message) || --message.deliveries > 0) {
      messages_.push_back(std::move(message));
    }
  }

  // Whether the message was dealt with.
  bool Handle(const Message& message) {
    std::optional<Session> worker = message.handle;
    if (!worker) {
      Result<Session> attached = store_.AsWorker(session_);
      if (!attached) {
        Tell("attach", attached);
        return attached.error().code == ErrorCode::kNotFound;
      }
      worker = *std::move(attached);
    }
    Job& job = jobs_[message.job];
    const bool valid_before = job.fate == Fate::kValid;
    const int losses = losses_;
    job.handed_in[message.item].insert(message.result);
    const Result<Completion> done =
        worker->CompleteItem("enhancement", message.job, message.item, {{"by", message.result}});
    Tell("complete " + message.item + " of " + message.job, done);
    if (!done) {
      const ErrorCode kind = done.error().code;
      const bool gone =
          kind == ErrorCode::kStale || kind == ErrorCode::kNotFound || kind == ErrorCode::kNotOwner;
      EXPECT_FALSE(gone && valid_before && losses == losses_ && invalidating_ == 0)
          << "a job that nobody took away is gone: " << done.error().message;
      EXPECT_NE(kind, ErrorCode::kValidation) << done.error().message;
      EXPECT_NE(kind, ErrorCode::kIllegalTransition) << done.error().message;
      return gone;
    }
    job.counted[message.item] += done->already_done ? 0 : 1;
    job.finished += done->finished ? 1 : 0;
    EXPECT_LE(job.counted[message.item], 1) << "an item counted twice";
    EXPECT_LE(job.finished, 1) << "a job ended twice";
    return true;
  }

  // All jobs that there are; those of a session that is being made know nothing of it yet.
  void LoseJobs(Fate fate) {
    ++losses_;
    for (auto& [id, job] : jobs_) {
      if (job.fate == Fate::kValid || fate == Fate::kGone) {
        job.fate = fate;
      }
    }
  }

  void Invalidate() {
    const std::optional<Session> session = AnySession();
    if (!session) {
      return;
    }
    const std::set<std::string> before = Known();
    ++losses_;
    ++invalidating_;
    const Result<Invalidation> done =
        Chance(50) ? session->InvalidateFrom("enhancement") : session->InvalidateAfter("selection");
    --invalidating_;
    Tell("invalidate as " + session->owner().value_or(""), done);
    const bool fenced = done || done.error().code == ErrorCode::kIncomplete;
    const bool unknown = !done && done.error().code == ErrorCode::kAmbiguous;
    if (unknown) {
      faulty_.ApplyLate();  // so that it does not hit what is made later
    }
    ++losses_;
    for (auto& [id, job] : jobs_) {
      // One that was made while this was under way may belong to either side.
      if (fenced && before.contains(id) && settled_.contains(id)) {
        job.fate = Fate::kGone;
      } else if ((fenced || unknown) && job.fate == Fate::kValid) {
        job.fate = Fate::kUnknown;
      }
    }
    Remember();
  }

  std::set<std::string> Known() const {
    std::set<std::string> ids;
    for (const auto& [id, job] : jobs_) {
      ids.insert(id);
    }
    return ids;
  }

  // Jobs whose making is over, one way or the other.
  void Remember() {
    if (depth_ == 1) {
      settled_ = Known();
    }
  }

  void Read() {
    Remember();
    int readers = 0;
    const std::map<std::string, Session> everybody = sessions_;
    for (const auto& [user, session] : everybody) {
      const Result<Summary> summary = session.Load();
      if (!summary) {
        continue;
      }
      ++readers;
      for (const Record& record : summary->records) {
        EXPECT_EQ(TextIn(record.value, "secret"), user) << "somebody else's record";
        const auto job = jobs_.find(record.id);
        ASSERT_NE(job, jobs_.end()) << "nobody made " << record.id;
        EXPECT_NE(job->second.fate, Fate::kGone) << "a record that was taken away";
      }
    }
    if (depth_ == 1) {
      EXPECT_LE(readers, 1) << "two owners at a time";
    }
  }

  void HealSomething() {
    const std::optional<Session> session = AnySession();
    if (session && !jobs_.empty()) {
      auto job = jobs_.begin();
      std::advance(job, static_cast<std::ptrdiff_t>(random_.Below(jobs_.size())));
      const Result<Completion> healed = session->Heal("enhancement", job->first);
      job->second.finished += healed && healed->finished ? 1 : 0;
    }
  }

  void LetTimePass() {
    if (Chance(40)) {
      clock_.Advance(25h);
      LoseJobs(Fate::kGone);
      story_.push_back("a day passes");
      return;
    }
    if (depth_ > 1) {
      return;  // hours in the middle of a renewal would end what it is about to renew
    }
    // Whoever is there comes back in time, on a good day.
    faulty_.SetRates({});
    clock_.Advance(9h);
    story_.push_back("hours pass");
    const std::map<std::string, Session> everybody = sessions_;
    for (const auto& [user, session] : everybody) {
      static_cast<void>(session.KeepAlive());
    }
    faulty_.SetRates(kBadNetwork);
  }

  // The network is well again, and all messages arrive.
  void Settle() {
    depth_ = 1;
    Read();
    for (int round = 0; round < 1000 && !messages_.empty(); ++round) {
      Message message = std::move(messages_.front());
      messages_.pop_front();
      if (!Handle(message) || --message.deliveries > 0) {
        messages_.push_back(std::move(message));
      }
    }
    EXPECT_TRUE(messages_.empty());
    std::string owner;
    for (const std::string user : {"ann", "bob"}) {
      if (Result<Session> session = store_.Claim(session_, user)) {
        EXPECT_EQ(owner, "") << "two owners at a time";
        owner = user;
        CheckJobs(*session);
        CheckTable(*session);
      }
    }
    EXPECT_NE(owner, "");
  }

  void CheckJobs(const Session& session) {
    for (auto& [id, job] : jobs_) {
      if (Result<Completion> healed = session.Heal("enhancement", id)) {
        job.finished += healed->finished ? 1 : 0;
      }
      const Result<Record> record = session.Get("enhancement", id);
      EXPECT_FALSE(job.fate == Fate::kValid && !record) << "a job got lost";
      EXPECT_FALSE(job.fate == Fate::kGone && record) << "a zombie";
      if (!record) {
        continue;
      }
      const std::vector<ItemState> items = Must(session.Items("enhancement", id));
      if (job.fate == Fate::kValid) {
        EXPECT_EQ(record->state, "complete") << id;
        EXPECT_LE(job.finished, 1);
        EXPECT_EQ(record->progress->done, items.size());
      }
      for (const ItemState& item : items) {
        const bool known = job.handed_in[item.id].contains(TextIn(item.result, "by"));
        EXPECT_EQ(item.done, known) << item.id;
      }
    }
  }

  // What is in the table once everything old has been swept.
  void CheckTable(const Session& session) {
    Must(session.Sweep());
    const Summary summary = Must(session.Load());
    for (const Record& record : summary.records) {
      EXPECT_EQ(jobs_.count(record.id), 1) << "nobody made " << record.id;
    }
    QueryInput input{.table_name = "sessions",
                     .key_condition_expression = "PK = :p",
                     .expression_attribute_values = Map{{":p", "SESSION#" + session_}}};
    const auto output = database_->Query(input);
    ASSERT_TRUE(output) << output.error().message;
    for (const Item& item : output->items.value_or(std::vector<Item>())) {
      EXPECT_TRUE(item.contains("expiresAt")) << TextIn(item, "SK");
      if (TextIn(item, "SK") != "META") {
        EXPECT_EQ(NumberIn(item, "epoch"), session.EpochOf("enhancement")) << TextIn(item, "SK");
        EXPECT_TRUE(item.contains("type")) << TextIn(item, "SK");
      }
    }
  }

  ManualClock clock_{TimePoint(std::chrono::seconds(kStart))};
  SeededRandom random_;
  Database* database_;
  support::FaultyDatabase faulty_;
  SessionStore store_;
  std::string session_;
  std::map<std::string, Session> sessions_;
  std::map<std::string, Job> jobs_;
  std::set<std::string> settled_;
  std::deque<Message> messages_;
  std::vector<std::string> story_;
  int losses_ = 0;  // how often jobs may have been taken away
  int depth_ = 0;
  int invalidating_ = 0;  // how many are under way, one in the middle of the other
  bool settling_ = false;
};

int Runs() {
  if (std::getenv("STATOR_TEST_FULL") != nullptr) {
    return 10'000;
  }
  return support::kIsSanitized ? 40 : 500;
}

class SessionsPropertyTest : public SessionsTest {};

TEST_F(SessionsPropertyTest, HoldsInEveryWorld) {
  for (int seed = 1; seed <= Runs() && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World(db(), static_cast<std::uint64_t>(seed)).Run();
  }
}

}  // namespace
}  // namespace stator::sessions
