// A store whose database loses answers, delays, throttles and fails, at random: what was reported
// as done is done, an outcome never changes, one worker's word counts, and nothing is left behind
// that nobody finds.

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "support/faulty_database.h"
#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

using std::chrono::seconds;

constexpr support::FaultRates kBadNetwork{
    .lost_before = 0.06, .lost_after = 0.06, .late = 0.04, .throttled = 0.06, .unavailable = 0.04};

class BadNetwork : public TasksTest {
 protected:
  void SetUp() override { Open(BackendKind::kTable); }

  // One run: a few tasks, two workers, many calls, then a look at what is there.
  void Run(std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    owner_ = "owner " + std::to_string(seed);
    group_ = "group " + std::to_string(seed);
    support::FaultyDatabase database(home_->database(), kBadNetwork, seed);
    SeededRandom random(seed);
    const patterns::Environment environment{.clock = &clock_, .random = &random};
    DatabaseBackend backend(database, {.table = std::string(kTable)}, environment);
    TaskStore store = TaskStore::Open(backend, {}, environment).value();
    tasks_.clear();
    for (int call = 0; call < 60; ++call) {
      Call(store, random);
      clock_.Advance(std::chrono::milliseconds(random.Below(2000)));
      CheckOutcomes();
    }
    database.ApplyLate();
    CheckOutcomes();
    CheckNothingIsLost();
  }

  void Call(TaskStore& store, Random& random) {
    const std::string worker = random.Below(2) == 0 ? "one" : "two";
    if (tasks_.empty() || random.Below(10) == 0) {
      const auto created = store.Create(
          {.id = owner_},
          {.method = "m",
           .restartable = true,
           .lease = LeaseRequest{.worker = worker, .group = group_, .length = seconds(5)}});
      if (created) {
        tasks_[created->task.id] = {};
      }
      return;
    }
    auto entry = tasks_.begin();
    std::advance(entry, static_cast<std::ptrdiff_t>(random.Below(tasks_.size())));
    auto& [id, known] = *entry;
    switch (random.Below(6)) {
      case 0:
        static_cast<void>(store.Claim(owner_, id, worker, group_, seconds(5)));
        return;
      case 1:
        static_cast<void>(store.Renew(owner_, id, worker, seconds(5)));
        return;
      case 2: {
        const std::string name = "v" + std::to_string(++last_variable_);
        if (store.SetVariables(owner_, id, {{name, 1}})) {
          known.variables.push_back(name);
        }
        return;
      }
      case 3:
        if (store.Complete(
                owner_, id,
                {.status = TaskStatus::kCompleted, .result = Json(worker), .worker = worker})) {
          EXPECT_FALSE(known.result) << "two completions were taken";
          known.result = worker;
        }
        return;
      case 4:
        static_cast<void>(store.Release(owner_, id, worker));
        return;
      default:
        static_cast<void>(store.SetMessage(owner_, id, "busy"));
    }
  }

  // Through a network that is well.
  void CheckOutcomes() {
    for (auto& [id, known] : tasks_) {
      const auto record = store_->Get(owner_, id);
      ASSERT_TRUE(record) << record.error().message;
      EXPECT_EQ(record->result.has_value(), IsTerminal(record->task.status));
      if (known.result) {
        EXPECT_EQ(record->result, Json(*known.result)) << "what was reported is not there";
      }
      if (known.seen) {
        EXPECT_EQ(record->result, known.seen) << "an outcome changed";
      }
      known.seen = record->result;
      for (const std::string& name : known.variables) {
        EXPECT_NE(record->variables.Find(name), nullptr) << name << " got lost";
      }
    }
  }

  // Every task that has not ended is found when its lease has lapsed, and can be finished; then
  // nothing is found any more.
  void CheckNothingIsLost() {
    clock_.Advance(seconds(60));
    for (int rounds = 0; rounds < 3; ++rounds) {
      const std::vector<RecordKey> lapsed = store_->ListLapsed(group_, 100).value();
      for (const RecordKey& key : lapsed) {
        if (store_->Claim(key.owner, key.task, "last", group_, seconds(5))) {
          EXPECT_TRUE(store_->Complete(key.owner, key.task,
                                       {.status = TaskStatus::kFailed, .worker = "last"}));
        }
      }
    }
    EXPECT_TRUE(store_->ListLapsed(group_, 100)->empty());
    const TaskPage page = store_->List(owner_).value();
    for (const Task& task : page.tasks) {
      EXPECT_TRUE(IsTerminal(task.status)) << "nobody would have found " << task.id;
    }
  }

  struct Known {
    std::vector<std::string> variables;
    std::optional<std::string> result;  // that was reported as stored
    std::optional<Json> seen;           // that was read
  };

  std::string owner_;
  std::string group_;
  std::map<std::string, Known> tasks_;
  int last_variable_ = 0;
};

TEST_F(BadNetwork, LosesNothingThatWasReportedAndLeavesNothingUnfound) {
  const std::uint64_t runs = std::getenv("STATOR_TEST_FULL") != nullptr ? 500 : 10;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    Run(seed);
  }
}

}  // namespace
}  // namespace stator::tasks
