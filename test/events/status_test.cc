// The registry of projections: what runners write into it, what readers make of it.

#include <functional>

#include "events/events_test.h"
#include "stator/api/forwarding_database.h"
#include "stator/stores/events/checkpoint_store.h"
#include "stator/stores/events/listings.h"
#include "stator/stores/events/projection_runner.h"
#include "stator/stores/events/projection_status.h"

namespace stator::events {
namespace {

class Nothing final : public Projection {
 public:
  Result<void> Apply(const Event& event) override {
    if (event.payload == "poison") {
      return Fail(ErrorCode::kSerialization, "cannot read it");
    }
    return {};
  }
  [[nodiscard]] std::unique_ptr<Projection> Clone() const override {
    return std::make_unique<Nothing>(*this);
  }
  [[nodiscard]] Result<std::string> Save() const override { return ""; }
  Result<void> Load(std::string_view /*bytes*/) override { return {}; }
};

// Counts reads of heads and of the log.
class CountedDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override {
    ++reads;
    return ForwardingDatabase::BatchGetItem(input);
  }
  Result<QueryOutput> Query(const QueryInput& input) override {
    if (input.index_name) {
      ++reads;
    }
    return ForwardingDatabase::Query(input);
  }
  int reads = 0;
};

class StatusTest : public EventsTest {
 protected:
  static Projector MakeProjector(EventQuery query = {}) {
    return {.name = "p", .version = "1", .query = std::move(query), .make = [] {
              return std::make_unique<Nothing>();
            }};
  }

  // Follows until it has looked at everything once.
  Result<void> FollowOnce(const Projector& projector, RunnerOptions options = {}) {
    std::stop_source stop;
    options.on_progress = [&](std::uint64_t) { stop.request_stop(); };
    auto runner = ProjectionRunner::Open(*store_, *checkpoints_, projector, options);
    EXPECT_TRUE(runner.has_value());
    return (*runner)->Follow(stop.get_token());
  }

  ProjectionStatus Only() {
    const auto rows = StatusRegistry(*store_).List("p");
    EXPECT_TRUE(rows.has_value() && rows->size() == 1);
    return rows && !rows->empty() ? rows->front() : ProjectionStatus{};
  }

  void SetUp() override {
    EventsTest::SetUp();
    checkpoints_ = std::make_unique<CheckpointStore>(*store_);
  }

  std::unique_ptr<CheckpointStore> checkpoints_;
};

TEST_F(StatusTest, ARunnerTellsHowFarItLookedAndWhatItApplied) {
  const SortableId applied = Append({Fact("A", {"x:1"})}).last();
  const SortableId end = Append({Fact("A", {"y:1"}), Fact("A", {"y:1"})}).last();
  ASSERT_TRUE(FollowOnce(MakeProjector(EventQuery::Tagged("x:1")), {.instance = "h"}).has_value());
  const ProjectionStatus status = Only();
  EXPECT_EQ(status.instance, "h");
  EXPECT_EQ(status.phase, ProjectionPhase::kStopped);
  EXPECT_EQ(status.events, 1U);
  EXPECT_EQ(status.last_applied, applied);
  EXPECT_EQ(status.last_traversed, end);
  EXPECT_EQ(status.recorded_time, clock_.Now());
  const std::uint64_t sequence = status.sequence;
  // A second life of the same instance goes on counting.
  ASSERT_TRUE(FollowOnce(MakeProjector(EventQuery::Tagged("x:1")), {.instance = "h"}).has_value());
  EXPECT_GT(Only().sequence, sequence);
}

TEST_F(StatusTest, AFaultIsTold) {
  Append({Fact("A", {"x:1"}, "poison")});
  EXPECT_FALSE(FollowOnce(MakeProjector()).has_value());
  EXPECT_EQ(Only().phase, ProjectionPhase::kFaulted);
  EXPECT_NE(Only().message.find("cannot read it"), std::string::npos);
  EXPECT_FALSE((*StatusReader(*store_).Read("p"))[0].caught_up);
}

TEST_F(StatusTest, NothingIsWrittenByThoseWhoShallNot) {
  ASSERT_TRUE(FollowOnce(MakeProjector(), {.status_interval = Duration::zero()}).has_value());
  EXPECT_TRUE(StatusRegistry(*store_).List("p")->empty());
}

TEST_F(StatusTest, ReadersCountOncePerWindowAndPlace) {
  const SortableId first = Append({Fact("A", {"x:1"})}).last();
  const SortableId second = Append({Fact("A", {"x:1"})}).last();
  StatusRegistry registry(*store_);
  for (const auto& [instance, place] :
       {std::pair{"a", first}, {"b", first}, {"c", second}, {"d", second}}) {
    ASSERT_TRUE(registry
                    .Write({.projector = "p",
                            .version = "1",
                            .instance = instance,
                            .phase = ProjectionPhase::kActive,
                            .last_traversed = place},
                           0)
                    .has_value());
  }
  CountedDatabase counted(home_->database());
  auto store = Open(counted);
  StatusReader reader(*store);
  counted.reads = 0;
  const auto rows = reader.Read("p");
  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  ASSERT_EQ(rows->size(), 4U);
  const int reads = counted.reads;
  for (const ProjectionProgress& row : *rows) {
    EXPECT_EQ(row.total, 2U);
    EXPECT_EQ(row.remaining, row.status.last_traversed == first ? 1U : 0U);
    EXPECT_EQ(row.caught_up, row.remaining == 0);
  }
  // Within the window the denominator stays, whatever is appended.
  Append({Fact("A", {"x:1"})});
  EXPECT_EQ((*reader.Read("p"))[0].total, 2U);
  EXPECT_EQ(counted.reads, reads);
  clock_.Advance(std::chrono::seconds(5));
  EXPECT_EQ((*reader.Read("p"))[0].total, 3U);
  EXPECT_EQ((*reader.Read("p"))[2].remaining, 1U);
  clock_.Advance(std::chrono::minutes(2));
  EXPECT_FALSE((*reader.Read("p"))[0].fresh);
}

TEST_F(StatusTest, RowsOfALaterFormatAreRefused) {
  ASSERT_TRUE(FollowOnce(MakeProjector(), {.instance = "h"}).has_value());
  const auto found = home_->database().Scan({.table_name = "SekibanProjectionStates"});
  ASSERT_TRUE(found.has_value());
  for (Item item : *found->items) {
    item.Set("statusVersion", 2);
    ASSERT_TRUE(home_->database().PutItem({.table_name = "SekibanProjectionStates", .item = item}));
  }
  EXPECT_EQ(StatusRegistry(*store_).List("p").error().code, ErrorCode::kValidation);
}

TEST_F(StatusTest, ProjectorsAreListed) {
  EXPECT_TRUE(ListProjectors(*store_)->empty());
  CheckpointStore states(*store_);
  for (const char* version : {"1", "2"}) {
    ASSERT_TRUE(states.Save({.projector = "saved", .version = version, .cursor = Cursor()}));
  }
  StatusRegistry registry(*store_);
  ASSERT_TRUE(registry.Write({.projector = "running", .version = "1", .instance = "h"}, 0));
  EXPECT_EQ(*ListProjectors(*store_), (Texts{"running", "saved"}));
  auto other = Open(home_->database(), {.service_id = "other"});
  EXPECT_TRUE(ListProjectors(*other)->empty());
  // A name that is too long for a list is no reason not to save.
  const std::string longest(1'500, 'p');
  ASSERT_TRUE(states.Save({.projector = longest, .version = "1", .cursor = Cursor()}));
  EXPECT_EQ(ListProjectors(*store_)->size(), 2U);
}

}  // namespace
}  // namespace stator::events
