// Projections that are kept up to date: catching up, checkpoints, restarts, rebuilds, faults.

#include <thread>

#include "events/events_test.h"
#include "events/foreign_events.h"
#include "stator/api/forwarding_database.h"
#include "stator/stores/events/checkpoint_store.h"
#include "stator/stores/events/projection_runner.h"

namespace stator::events {
namespace {

// The payloads in order, with bars between them.
class Transcript final : public Projection {
 public:
  Result<void> Apply(const Event& event) override {
    if (event.payload == "poison") {
      return Fail(ErrorCode::kSerialization, "cannot read it");
    }
    text += event.payload + "|";
    return {};
  }
  [[nodiscard]] std::unique_ptr<Projection> Clone() const override {
    return std::make_unique<Transcript>(*this);
  }
  [[nodiscard]] Result<std::string> Save() const override { return text; }
  Result<void> Load(std::string_view bytes) override {
    text = bytes;
    return {};
  }
  std::string text;
};

class RunnerTest : public EventsTest {
 protected:
  static Projector MakeProjector(EventQuery query = {}, std::string version = "1") {
    return {
        .name = "transcript", .version = std::move(version), .query = std::move(query), .make = [] {
          return std::make_unique<Transcript>();
        }};
  }

  std::unique_ptr<ProjectionRunner> Run(EventStore& store, const RunnerOptions& options = {},
                                        const Projector& projector = MakeProjector()) {
    checkpoints_.push_back(std::make_unique<CheckpointStore>(store));
    auto runner = ProjectionRunner::Open(store, *checkpoints_.back(), projector, options);
    EXPECT_TRUE(runner.has_value()) << runner.error().message;
    return runner ? *std::move(runner) : nullptr;
  }

  static std::string TextOf(const ProjectionRunner& runner) {
    std::string text = "FAILED";
    static_cast<void>(runner.Read([&](const Projection& state, bool /*is_safe*/) {
      text = static_cast<const Transcript&>(state).text;
    }));
    return text;
  }

  void AppendNumbers(EventStore& store, int from, int to) {
    for (int number = from; number < to; ++number) {
      const auto appended =
          store.Append({Fact(number % 2 == 0 ? "Even" : "Odd", {"n:1"}, std::to_string(number))});
      ASSERT_TRUE(appended.has_value()) << appended.error().message;
    }
  }

  std::vector<std::unique_ptr<CheckpointStore>> checkpoints_;
};

TEST_F(RunnerTest, CatchesUpInBatches) {
  AppendNumbers(*store_, 0, 7);
  std::vector<std::uint64_t> progress;
  auto runner =
      Run(*store_,
          {.batch = 3, .on_progress = [&](std::uint64_t events) { progress.push_back(events); }});
  EXPECT_EQ(TextOf(*runner), "FAILED");  // nothing is served before it has caught up
  EXPECT_EQ(*runner->CatchUp(), 7U);
  EXPECT_EQ(TextOf(*runner), "0|1|2|3|4|5|6|");
  EXPECT_EQ(progress, (std::vector<std::uint64_t>{3, 6, 7}));
  EXPECT_TRUE(runner->state().caught_up);
  EXPECT_TRUE(runner->state().is_safe);
  EXPECT_EQ(*runner->CountLag(), 0U);
  AppendNumbers(*store_, 7, 9);
  EXPECT_EQ(*runner->CountLag(), 2U);
  EXPECT_EQ(*runner->CatchUp(), 2U);
  EXPECT_EQ(TextOf(*runner), "0|1|2|3|4|5|6|7|8|");
}

TEST_F(RunnerTest, GoesOnWithoutAPoisonousEventIfThatIsWanted) {
  const auto append = [this](const std::string& payload) { Append({Fact("A", {}, payload)}); };
  for (const char* payload : {"1", "2", "poison", "3", "poison", "poison", "poison", "4"}) {
    append(payload);
  }
  EXPECT_FALSE(Run(*store_)->CatchUp().has_value());
  std::vector<std::uint64_t> left_out;
  const auto note = [&](const Cursor& event, const Error& /*why*/) {
    left_out.push_back(event.position);
  };
  // Batches that are all poison, too.
  auto runner = Run(*store_, {.batch = 2, .on_poison = OnPoison::kPark, .on_left_out = note});
  const auto caught_up = runner->CatchUp();
  ASSERT_TRUE(caught_up.has_value()) << caught_up.error().message;
  EXPECT_EQ(TextOf(*runner), "1|2|3|4|");
  EXPECT_EQ(left_out, (std::vector<std::uint64_t>{3, 5, 6, 7}));
  CheckpointStore states(*store_);
  const auto parked = states.ListParked("transcript", "1");
  ASSERT_EQ(parked->size(), 4U);
  EXPECT_EQ(parked->front().position, 3U);
  EXPECT_TRUE(parked->front().reason.contains("cannot read it")) << parked->front().reason;
  EXPECT_TRUE(states.ListParked("transcript", "")->empty());
  ASSERT_TRUE(states.DropParked("transcript", "1", 3).has_value());
  EXPECT_EQ(states.DropParked("transcript", "1", 3).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(runner->Save().has_value());
  append("5");
  auto skipping = Run(*store_, {.on_poison = OnPoison::kSkip});
  ASSERT_TRUE(skipping->CatchUp().has_value());
  EXPECT_EQ(TextOf(*skipping), "1|2|3|4|5|");
  const auto rebuilt = skipping->Rebuild();
  ASSERT_TRUE(rebuilt.has_value()) << rebuilt.error().message;
  EXPECT_EQ(TextOf(*skipping), "1|2|3|4|5|");
}

TEST_F(RunnerTest, IsRebuiltBesideTheOneThatIsServed) {
  AppendNumbers(*store_, 0, 4);
  auto runner = Run(*store_, {.batch = 2});
  auto other = Run(*store_);
  ASSERT_TRUE(runner->CatchUp().has_value());
  ASSERT_TRUE(runner->Save().has_value());
  // A state that a fault of the program has made wrong.
  CheckpointStore states(*store_);
  Checkpoint wrong = **states.Find("transcript", "1");
  wrong.state = "wrong|";
  ASSERT_TRUE(states.Save(wrong).has_value());
  other = Run(*store_);
  ASSERT_TRUE(other->CatchUp().has_value());
  EXPECT_EQ(TextOf(*other), "wrong|");
  auto rebuilt = Run(*store_, {.batch = 2});
  ASSERT_TRUE(rebuilt->CatchUp().has_value());
  EXPECT_EQ(TextOf(*rebuilt), "wrong|");
  ASSERT_TRUE(states.Park("transcript", "1", {.position = 2, .event_id = "x", .reason = "old"}));
  const auto done = rebuilt->RebuildBeside();
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_EQ(TextOf(*rebuilt), "0|1|2|3|");
  EXPECT_EQ((*states.Find("transcript", "1"))->state, "0|1|2|3|");
  EXPECT_TRUE(states.ListParked("transcript", "1")->empty());
  // Whoever has the old state does not bring it back, but takes the new one.
  AppendNumbers(*store_, 4, 6);
  ASSERT_TRUE(other->CatchUp().has_value());
  EXPECT_EQ(TextOf(*other), "wrong|4|5|");
  ASSERT_TRUE(other->Save().has_value());
  EXPECT_EQ(other->state().events, 4U);
  EXPECT_EQ((*states.Find("transcript", "1"))->state, "0|1|2|3|");
  ASSERT_TRUE(other->CatchUp().has_value());
  EXPECT_EQ(TextOf(*other), "0|1|2|3|4|5|");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(rebuilt->RebuildBeside(stop.get_token()).error().code, ErrorCode::kTimeout);
}

TEST_F(RunnerTest, ARebuildBesideThatFailsLeavesWhatIsThere) {
  AppendNumbers(*store_, 0, 2);
  auto runner = Run(*store_);
  ASSERT_TRUE(runner->CatchUp().has_value());
  ASSERT_TRUE(runner->Save().has_value());
  Append({Fact("A", {}, "poison")});
  EXPECT_EQ(runner->RebuildBeside().error().code, ErrorCode::kSerialization);
  EXPECT_EQ(TextOf(*runner), "0|1|");
  CheckpointStore states(*store_);
  EXPECT_EQ((*states.Find("transcript", "1"))->state, "0|1|");
}

TEST_F(RunnerTest, ARebuildBesideLeavesOutWhatIsPoisonStill) {
  for (const char* payload : {"1", "poison", "2", "poison", "3"}) {
    Append({Fact("A", {}, payload)});
  }
  auto runner = Run(*store_, {.batch = 3, .on_poison = OnPoison::kPark});
  ASSERT_TRUE(runner->RebuildBeside().has_value());
  EXPECT_EQ(TextOf(*runner), "1|2|3|");
  CheckpointStore states(*store_);
  EXPECT_EQ(states.ListParked("transcript", "1")->size(), 2U);
  EXPECT_EQ((*states.Find("transcript", "1"))->events, 3U);
}

TEST_F(RunnerTest, TheStateAsOfAnEventCanBeHad) {
  AppendNumbers(*store_, 0, 9);
  auto runner = Run(*store_);
  CheckpointStore states(*store_);
  const std::vector<Event> events = Read();
  const auto as_of = [&](std::size_t index) {
    const auto state = ProjectAsOf(*store_, states, MakeProjector(), events[index].sortable_id);
    return state ? static_cast<const Transcript&>(**state).text : state.error().message;
  };
  EXPECT_EQ(as_of(2), "0|1|2|");
  ASSERT_TRUE(runner->CatchUp().has_value());
  ASSERT_TRUE(runner->Save().has_value());
  // Before the checkpoint, at it, and behind it.
  EXPECT_EQ(as_of(2), "0|1|2|");
  EXPECT_EQ(as_of(8), "0|1|2|3|4|5|6|7|8|");
  AppendNumbers(*store_, 9, 11);
  const auto now = ProjectAsOf(*store_, states, MakeProjector(), SortableId::Max());
  EXPECT_EQ(static_cast<const Transcript&>(**now).text, "0|1|2|3|4|5|6|7|8|9|10|");
}

TEST_F(RunnerTest, FollowsAQuery) {
  AppendNumbers(*store_, 0, 6);
  const EventQuery odd{{.types = {"Odd"}, .tags = {"n:1"}}};
  auto runner = Run(*store_, {.batch = 2}, MakeProjector(odd));
  ASSERT_TRUE(runner->CatchUp().has_value());
  EXPECT_EQ(TextOf(*runner), "1|3|5|");
}

TEST_F(RunnerTest, GoesOnWhereItWasSaved) {
  AppendNumbers(*store_, 0, 5);
  {
    auto runner = Run(*store_);
    ASSERT_TRUE(runner->CatchUp().has_value());
    ASSERT_TRUE(runner->Save().has_value());
    AppendNumbers(*store_, 5, 7);
    ASSERT_TRUE(runner->CatchUp().has_value());
    // Dies before it saves again.
  }
  auto runner = Run(*store_);
  EXPECT_EQ(runner->state().events, 5U);
  EXPECT_EQ(*runner->CatchUp(), 2U);
  EXPECT_EQ(TextOf(*runner), "0|1|2|3|4|5|6|");
  EXPECT_EQ(runner->state().events, 7U);
  // Nothing new: the same state, and nothing to save.
  ASSERT_TRUE(runner->Save().has_value());
  auto again = Run(*store_);
  EXPECT_EQ(*again->CatchUp(), 0U);
  EXPECT_EQ(TextOf(*again), TextOf(*runner));
  ASSERT_TRUE(again->Save().has_value());
  EXPECT_EQ((*checkpoints_[0]->Find("transcript", "1"))->token.revision, 2U);
}

TEST_F(RunnerTest, SavesAfterSoManyEvents) {
  AppendNumbers(*store_, 0, 10);
  auto runner = Run(*store_, {.batch = 2, .save_every_events = 4});
  ASSERT_TRUE(runner->CatchUp().has_value());
  EXPECT_EQ((*checkpoints_[0]->Find("transcript", "1"))->events, 8U);
}

TEST_F(RunnerTest, AnotherVersionBeginsAnew) {
  AppendNumbers(*store_, 0, 3);
  auto old_runner = Run(*store_);
  ASSERT_TRUE(old_runner->CatchUp().has_value());
  ASSERT_TRUE(old_runner->Save().has_value());
  auto runner = Run(*store_, {}, MakeProjector({}, "2"));
  EXPECT_EQ(runner->state().events, 0U);
  EXPECT_EQ(*runner->CatchUp(), 3U);
}

// Events of another system, which can be late.
class ForeignRunnerTest : public RunnerTest {
 protected:
  void SetUp() override {
    RunnerTest::SetUp();
    foreign_ = Open(home_->database(), {.service_id = "s", .read_only = true});
  }

  void PutAt(TimePoint time, const std::string& payload) {
    PutForeign(home_->database(),
               {.place = SortableId::At(time), .type = "A", .tags = {"n:1"}, .payload = payload});
  }

  std::unique_ptr<EventStore> foreign_;
};

TEST_F(ForeignRunnerTest, YoungEventsAreServedAndNotSaved) {
  for (int number = 0; number < 3; ++number) {
    PutAt(clock_.Now() + std::chrono::milliseconds(number), std::to_string(number));
  }
  clock_.Advance(std::chrono::seconds(30));
  for (int number = 3; number < 5; ++number) {
    PutAt(clock_.Now() + std::chrono::milliseconds(number), std::to_string(number));
  }
  auto runner = Run(*foreign_, {.batch = 2});
  ASSERT_TRUE(runner->CatchUp().has_value());
  EXPECT_EQ(TextOf(*runner), "0|1|2|3|4|");
  EXPECT_EQ(runner->state().events, 3U);
  EXPECT_EQ(runner->state().served_events, 5U);
  EXPECT_FALSE(runner->state().is_safe);
  ASSERT_TRUE(runner->Save().has_value());
  EXPECT_EQ((*checkpoints_[0]->Find("transcript", "1"))->state, "0|1|2|");
  clock_.Advance(std::chrono::seconds(30));
  ASSERT_TRUE(runner->CatchUp().has_value());
  EXPECT_TRUE(runner->state().is_safe);
  EXPECT_EQ(runner->state().events, 5U);
}

TEST_F(ForeignRunnerTest, ALateEventTakesItsPlace) {
  PutAt(clock_.Now(), "second");
  auto runner = Run(*foreign_);
  ASSERT_TRUE(runner->CatchUp().has_value());
  EXPECT_EQ(TextOf(*runner), "second|");
  PutAt(clock_.Now() - std::chrono::seconds(5), "first");
  ASSERT_TRUE(runner->CatchUp().has_value());
  EXPECT_EQ(TextOf(*runner), "first|second|");
}

TEST_F(ForeignRunnerTest, TheWindowGrowsWithWhatComesLate) {
  auto runner = Run(*foreign_, {.safe_window = std::chrono::seconds(5),
                                .late_window_max = std::chrono::seconds(30)});
  ASSERT_TRUE(runner->CatchUp().has_value());
  PutAt(clock_.Now(), "1");
  // Seen ten seconds late, so those of the next ten seconds may be late as well.
  clock_.Advance(std::chrono::seconds(10));
  ASSERT_TRUE(runner->CatchUp().has_value());
  EXPECT_FALSE(runner->state().is_safe);
  clock_.Advance(std::chrono::seconds(10));
  ASSERT_TRUE(runner->CatchUp().has_value());
  EXPECT_TRUE(runner->state().is_safe);
}

TEST_F(RunnerTest, AFaultSticksUntilARebuild) {
  AppendNumbers(*store_, 0, 2);
  Append({Fact("A", {}, "poison")});
  auto runner = Run(*store_);
  const auto caught_up = runner->CatchUp();
  ASSERT_FALSE(caught_up.has_value());
  EXPECT_EQ(caught_up.error().code, ErrorCode::kSerialization);
  EXPECT_TRUE(runner->state().fault.has_value());
  EXPECT_EQ(TextOf(*runner), "FAILED");
  EXPECT_FALSE(runner->CatchUp().has_value());
  EXPECT_FALSE(runner->Rebuild().has_value());  // the event is still there
}

TEST_F(RunnerTest, RebuildsUnderATombstoneThatOthersRespect) {
  AppendNumbers(*store_, 0, 4);
  auto runner = Run(*store_);
  ASSERT_TRUE(runner->CatchUp().has_value());
  ASSERT_TRUE(runner->Save().has_value());
  auto peer = Run(*store_);
  ASSERT_TRUE(peer->CatchUp().has_value());
  // Somebody finds out that the state is wrong.
  const auto found = checkpoints_[0]->Find("transcript", "1");
  ASSERT_TRUE(checkpoints_[0]->Invalidate("transcript", "1", (*found)->token).has_value());
  AppendNumbers(*store_, 4, 5);
  ASSERT_TRUE(peer->CatchUp().has_value());
  ASSERT_TRUE(peer->Save().has_value());
  EXPECT_TRUE(peer->state().must_be_rebuilt);
  EXPECT_EQ(TextOf(*peer), "FAILED");
  // Whoever starts now does not take the state either.
  EXPECT_TRUE(Run(*store_)->state().must_be_rebuilt);
  ASSERT_TRUE(runner->Rebuild().has_value());
  EXPECT_EQ(TextOf(*runner), "0|1|2|3|4|");
  const auto rebuilt = checkpoints_[0]->Find("transcript", "1");
  EXPECT_EQ((*rebuilt)->token.generation, 1U);
  EXPECT_FALSE((*rebuilt)->token.tombstoned);
  ASSERT_TRUE(peer->Rebuild().has_value());
  EXPECT_EQ(TextOf(*peer), "0|1|2|3|4|");
}

TEST_F(RunnerTest, OfTwoRunnersTheOneThatIsBehindDoesNotOverwrite) {
  AppendNumbers(*store_, 0, 2);
  auto first = Run(*store_);
  auto second = Run(*store_);
  ASSERT_TRUE(second->CatchUp().has_value());
  AppendNumbers(*store_, 2, 5);
  ASSERT_TRUE(first->CatchUp().has_value());
  ASSERT_TRUE(first->Save().has_value());
  ASSERT_TRUE(second->Save().has_value());
  EXPECT_EQ((*checkpoints_[0]->Find("transcript", "1"))->events, 5U);
  ASSERT_TRUE(second->CatchUp().has_value());
  AppendNumbers(*store_, 5, 6);
  ASSERT_TRUE(second->CatchUp().has_value());
  ASSERT_TRUE(second->Save().has_value());
  EXPECT_EQ((*checkpoints_[0]->Find("transcript", "1"))->state, "0|1|2|3|4|5|");
}

TEST_F(RunnerTest, FollowsUntilItIsToldToStop) {
  auto runner = Run(*store_);
  std::stop_source stop;
  std::jthread follower([&] { EXPECT_TRUE(runner->Follow(stop.get_token()).has_value()); });
  AppendNumbers(*store_, 0, 5);
  const auto last = store_->FindLastId();
  EXPECT_TRUE(runner->AwaitEvent(**last).has_value());
  stop.request_stop();
  follower.join();
  EXPECT_EQ(TextOf(*runner), "0|1|2|3|4|");
  EXPECT_EQ((*checkpoints_[0]->Find("transcript", "1"))->events, 5U);
}

TEST_F(RunnerTest, WaitsInVainForAnEventThatIsNotThere) {
  AppendNumbers(*store_, 0, 1);
  auto runner = Run(*store_);
  const auto awaited = runner->AwaitEvent(SortableId::Max());
  ASSERT_FALSE(awaited.has_value());
  EXPECT_EQ(awaited.error().code, ErrorCode::kTimeout);
}

// Counts the items that queries return.
class CountingDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<QueryOutput> Query(const QueryInput& input) override {
    auto output = ForwardingDatabase::Query(input);
    items += output && output->items ? static_cast<int>(output->items->size()) : 0;
    return output;
  }
  int items = 0;
};

TEST_F(RunnerTest, CatchingUpReadsEachEventOnce) {
  AppendNumbers(*store_, 0, 40);
  CountingDatabase database(home_->database());
  auto store = Open(database);
  auto runner = Run(*store, {.batch = 4});
  database.items = 0;
  ASSERT_EQ(*runner->CatchUp(), 40U);
  // And the first of the batch behind, and where the batch before ended, once per batch.
  EXPECT_LE(database.items, 40 + 3 * 11);
}

}  // namespace
}  // namespace stator::events
