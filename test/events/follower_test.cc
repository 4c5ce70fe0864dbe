// Following: what is there, then what is appended, by the stream of the events table or by looking
// at the log. What happens "meanwhile" happens inside of a request of the follower, so nothing here
// depends on time.

#include <functional>
#include <set>

#include "events/events_test.h"
#include "events/foreign_events.h"
#include "stator/api/forwarding_database.h"
#include "stator/stores/events/checkpoint_store.h"
#include "stator/stores/events/event_follower.h"
#include "stator/stores/events/projection_runner.h"

namespace stator::events {
namespace {

// Counts what is read, and lets the test interfere with the stream.
class WatchedDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    ++queries;
    return ForwardingDatabase::GetItem(input);
  }
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input) override {
    ++records;
    if (on_records) {
      if (std::optional<Error> error = on_records(records)) {
        return std::unexpected(*std::move(error));
      }
    }
    return ForwardingDatabase::GetRecords(input);
  }

  int queries = 0;
  int records = 0;
  std::function<std::optional<Error>(int)> on_records;
};

class FollowerTest : public EventsTest {
 protected:
  void SetUp() override {
    EventsTest::SetUp();
    watched_ = std::make_unique<WatchedDatabase>(home_->database());
  }

  std::unique_ptr<EventFollower> Follow(EventStore& store, FollowOptions options = {}) {
    auto follower = EventFollower::Open(store, std::move(options));
    EXPECT_TRUE(follower.has_value()) << follower.error().message;
    return follower ? *std::move(follower) : nullptr;
  }

  static Texts Payloads(const Result<std::vector<Event>>& events) {
    EXPECT_TRUE(events.has_value()) << events.error().message;
    return events ? PayloadsOf(*events) : Texts{"FAILED"};
  }

  std::unique_ptr<WatchedDatabase> watched_;
  std::stop_source stop_;
};

TEST_F(FollowerTest, GivesWhatIsThereAndThenWhatIsNew) {
  Append({Fact("A", {"x:1"}, "1"), Fact("A", {"y:1"}, "2"), Fact("B", {"x:1"}, "3")});
  auto all = Follow(*store_, {.batch = 2});
  auto tagged = Follow(*store_, {.query = EventQuery::Tagged("x:1")});
  EXPECT_FALSE(all->uses_stream());
  EXPECT_EQ(Payloads(all->Next({})), (Texts{"1", "2"}));
  EXPECT_EQ(Payloads(all->Next({})), (Texts{"3"}));
  EXPECT_EQ(Payloads(tagged->Poll()), (Texts{"1", "3"}));
  EXPECT_EQ(Payloads(all->Poll()), (Texts{}));
  const Cursor seen = *all->cursor();
  Append({Fact("A", {"x:1"}, "4"), Fact("A", {"y:1"}, "5")});
  EXPECT_EQ(Payloads(all->Next({})), (Texts{"4", "5"}));
  EXPECT_EQ(Payloads(tagged->Next({})), (Texts{"4"}));
  EXPECT_EQ(Payloads(Follow(*store_, {.since = seen})->Next({})), (Texts{"4", "5"}));
  stop_.request_stop();
  EXPECT_EQ(Payloads(all->Next(stop_.get_token())), (Texts{}));
}

TEST_F(FollowerTest, AnIdleOneWithAStreamReadsNothingOfTheTable) {
  auto store = Open(*watched_, {.stream_events = true});
  ASSERT_TRUE(store->Append({Fact("A", {"x:1"}, "1")}).has_value());
  auto follower = Follow(*store);
  ASSERT_TRUE(follower->uses_stream());
  EXPECT_EQ(Payloads(follower->Next({})), (Texts{"1"}));
  // The record of that append, which a home may show late, ends a wait or two.
  std::set<int> queries_at;
  const int first = watched_->records + 20;
  watched_->on_records = [&](int number) -> std::optional<Error> {
    if (number > first && number <= first + 10) {
      queries_at.insert(watched_->queries);
    }
    if (number == first + 10) {
      Append({Fact("A", {"x:1"}, "2")});
    }
    return std::nullopt;
  };
  EXPECT_EQ(Payloads(follower->Next({})), (Texts{"2"}));
  EXPECT_EQ(queries_at.size(), 1U) << "the log was looked at while nothing was appended";
}

TEST_F(FollowerTest, EventsOfOtherServicesWakeNobody) {
  auto store = Open(*watched_, {.stream_events = true});
  auto other = Open(home_->database(), {.service_id = "other"});
  auto follower = Follow(*store);
  int queries = 0;
  const int first = watched_->records + 10;
  watched_->on_records = [&](int number) -> std::optional<Error> {
    if (number == first) {
      queries = watched_->queries;
      EXPECT_TRUE(other->Append({Fact("A", {"x:1"}, "1")}).has_value());
    }
    if (number == first + 10) {
      EXPECT_EQ(watched_->queries, queries);
      stop_.request_stop();
    }
    return std::nullopt;
  };
  EXPECT_EQ(Payloads(follower->Next(stop_.get_token())), (Texts{}));
}

TEST_F(FollowerTest, LargeAppendsAreAnnouncedByTheirSlot) {
  auto store = Open(*watched_, {.stream_events = true});
  auto follower = Follow(*store);
  const int first = watched_->records + 5;
  watched_->on_records = [&](int number) -> std::optional<Error> {
    if (number == first) {
      std::vector<NewEvent> events;
      for (int index = 0; index < 30; ++index) {
        events.push_back(Fact("A", {"x:1"}, std::to_string(index)));
      }
      EXPECT_TRUE(store->Append(std::move(events)).has_value());
    }
    return std::nullopt;
  };
  EXPECT_EQ(Payloads(follower->Next({})).size(), 30U);
}

TEST_F(FollowerTest, AStreamThatIsTooOldOrGoneDoesNoHarm) {
  auto store = Open(*watched_, {.stream_events = true});
  for (const ErrorCode code : {ErrorCode::kExpiredIterator, ErrorCode::kTrimmedData,
                               ErrorCode::kResourceNotFound, ErrorCode::kAccessDenied}) {
    watched_->on_records = nullptr;
    const auto since = store->FindLastId();
    FollowOptions options;
    if (*since) {
      options.since = Cursor(**since);
    }
    auto follower = Follow(*store, options);
    const int first = watched_->records + 1;
    watched_->on_records = [&](int number) -> std::optional<Error> {
      if (number != first) {
        return std::nullopt;
      }
      Append({Fact("A", {"x:1"}, std::string(NameOf(code)))});
      return Error{.code = code, .message = "told to"};
    };
    EXPECT_EQ(Payloads(follower->Next({})), (Texts{std::string(NameOf(code))}));
    const bool starts_again =
        code == ErrorCode::kExpiredIterator || code == ErrorCode::kTrimmedData;
    EXPECT_EQ(follower->uses_stream(), starts_again) << NameOf(code);
  }
}

TEST_F(FollowerTest, AStreamIsAddedToATableThatHasNone) {
  EXPECT_FALSE(Follow(*store_)->uses_stream());
  auto with = Open(home_->database(), {.stream_events = true});
  home_->Settle();
  EXPECT_TRUE(Follow(*with)->uses_stream());
  EXPECT_TRUE(Follow(*store_)->uses_stream());
  EXPECT_FALSE(Follow(*store_, {.use_stream = false})->uses_stream());
  EXPECT_TRUE(EventStore::Open(home_->database(), Quiet({.stream_events = true})).has_value());
}

TEST_F(FollowerTest, OfAnotherSystemLateEventsComeToo) {
  auto store = Open(home_->database(), {.service_id = "s", .read_only = true});
  const auto put = [this](Duration behind, const std::string& tag, const std::string& payload) {
    PutForeign(home_->database(), {.place = SortableId::At(clock_.Now() - behind),
                                   .type = "A",
                                   .tags = {tag},
                                   .payload = payload});
  };
  auto follower = Follow(*store);
  put(std::chrono::seconds(1), "x:1", "1");
  EXPECT_EQ(Payloads(follower->Poll()), (Texts{"1"}));
  put(std::chrono::seconds(5), "y:1", "earlier");
  EXPECT_EQ(Payloads(follower->Poll()), (Texts{"earlier"}));
  EXPECT_EQ(Payloads(follower->Poll()), (Texts{}));
  put(Duration::zero(), "x:1", "2");
  EXPECT_EQ(Payloads(follower->Poll()), (Texts{"2"}));
}

class Count final : public Projection {
 public:
  Result<void> Apply(const Event& /*event*/) override {
    ++events;
    return {};
  }
  [[nodiscard]] std::unique_ptr<Projection> Clone() const override {
    return std::make_unique<Count>(*this);
  }
  [[nodiscard]] Result<std::string> Save() const override { return std::to_string(events); }
  Result<void> Load(std::string_view bytes) override {
    events = std::stoi(std::string(bytes));
    return {};
  }
  int events = 0;
};

TEST_F(FollowerTest, ProjectionsFollowTheStream) {
  auto store = Open(*watched_, {.stream_events = true});
  CheckpointStore checkpoints(*store);
  auto runner = ProjectionRunner::Open(
      *store, checkpoints,
      {.name = "count", .version = "1", .make = [] { return std::make_unique<Count>(); }});
  ASSERT_TRUE(runner.has_value());
  int seen = 0;
  const int first = watched_->records + 5;
  watched_->on_records = [&](int number) -> std::optional<Error> {
    if (number == first || number == first + 10) {
      Append({Fact("A", {"x:1"})});
    }
    if (number >= first + 20) {
      static_cast<void>((*runner)->Read([&](const Projection& state, bool /*is_safe*/) {
        seen = static_cast<const Count&>(state).events;
      }));
      stop_.request_stop();
    }
    return std::nullopt;
  };
  ASSERT_TRUE((*runner)->Follow(stop_.get_token()).has_value());
  EXPECT_EQ(seen, 2);
  EXPECT_EQ((*checkpoints.Find("count", "1"))->events, 2U);
}

}  // namespace
}  // namespace stator::events
