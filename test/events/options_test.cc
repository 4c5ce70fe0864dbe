// Every option of the store changes what is sent: each is seen in the requests.

#include <algorithm>
#include <map>
#include <mutex>

#include "events/events_test.h"
#include "stator/api/forwarding_database.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

// The largest requests, and how they were asked.
class MeasuredDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    Note(input.table_name, input.consistent_read);
    return ForwardingDatabase::GetItem(input);
  }
  Result<QueryOutput> Query(const QueryInput& input) override {
    Note(input.table_name, input.consistent_read);
    {
      const std::scoped_lock lock(mutex);
      page = std::max(page, static_cast<std::size_t>(input.limit.value_or(0)));
    }
    return ForwardingDatabase::Query(input);
  }
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override {
    std::size_t count = 0;
    for (const auto& [table, request] : input.request_items) {
      count += request.keys.size();
      Note(table, request.consistent_read);
    }
    const std::scoped_lock lock(mutex);
    keys = std::max(keys, count);
    return ForwardingDatabase::BatchGetItem(input);
  }
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) override {
    std::size_t count = 0;
    for (const auto& [table, requests] : input.request_items) {
      count += requests.size();
    }
    const std::scoped_lock lock(mutex);
    writes = std::max(writes, count);
    return ForwardingDatabase::BatchWriteItem(input);
  }

  void Note(const std::string& table, bool consistent) {
    const std::scoped_lock lock(mutex);
    ++(consistent ? strong : weak)[table];
  }

  std::mutex mutex;  // protects all below
  std::size_t page = 0;
  std::size_t keys = 0;
  std::size_t writes = 0;
  std::map<std::string, int> strong;
  std::map<std::string, int> weak;
};

class OptionsTest : public EventsTest {
 protected:
  void SetUp() override {
    EventsTest::SetUp();
    measured_ = std::make_unique<MeasuredDatabase>(home_->database());
  }

  static std::vector<NewEvent> Many(int count) {
    std::vector<NewEvent> events;
    for (int number = 0; number < count; ++number) {
      events.push_back(Fact("A", {"x:1"}, std::to_string(number)));
    }
    return events;
  }

  std::unique_ptr<MeasuredDatabase> measured_;
};

TEST_F(OptionsTest, LimitsOfRequestsAreKept) {
  auto store = Open(*measured_, {.service_id = "limits",
                                 .chunk_slots = 10,
                                 .query_page_size = 7,
                                 .batch_get_items_max = 5,
                                 .batch_write_items_max = 3});
  for (int number = 0; number < 40; ++number) {
    ASSERT_TRUE(store->Append(Many(1)).has_value());
  }
  EXPECT_EQ(measured_->writes, 3U);
  EXPECT_EQ(ReadFrom(*store).size(), 40U);
  EXPECT_EQ(measured_->page, 7U);
  EXPECT_EQ(ReadFrom(*store, {.query = EventQuery::Tagged("x:1")}).size(), 40U);
  EXPECT_EQ(measured_->keys, 5U);
}

TEST_F(OptionsTest, WeakReadsAreForThoseWhoAskForThem) {
  for (const bool consistent : {true, false}) {
    auto store = Open(*measured_, {.use_consistent_reads = consistent});
    const Appended appended = *store->Append({Fact("A", {"x:1"})});
    measured_->strong.clear();
    measured_->weak.clear();
    EXPECT_TRUE(store->ReadEvent(appended.events[0].id).has_value());
    EXPECT_FALSE(ReadFrom(*store, {.query = EventQuery::Tagged("x:1")}).empty());
    EXPECT_EQ(measured_->weak.empty(), consistent);
    EXPECT_EQ(measured_->strong.empty(), !consistent);
    // A condition is never looked at with weak reads.
    measured_->weak.clear();
    EXPECT_FALSE(store->Append({Fact("A", {"x:1"})}, When(EventQuery::Tagged("x:1"))).has_value());
    EXPECT_TRUE(measured_->weak.empty());
  }
}

TEST_F(OptionsTest, TablesHaveTheNamesThatTheyAreGiven) {
  auto store = Open(home_->database(), {.events_table_name = "my-events",
                                        .tags_table_name = "my-tags",
                                        .projection_states_table_name = "my-states"});
  ASSERT_TRUE(store->Append({Fact("A", {"x:1"})}).has_value());
  for (const char* table : {"my-events", "my-tags", "my-states"}) {
    EXPECT_TRUE(home_->database().DescribeTable({.table_name = table}).has_value()) << table;
  }
  EXPECT_TRUE(Read().empty());
}

TEST_F(OptionsTest, TheTimeOfRetriesIsBounded) {
  support::FaultyDatabase faulty(home_->database());
  auto store = Open(faulty, {.retry = {.budget = std::chrono::milliseconds(2),
                                       .wait_first = std::chrono::milliseconds(1),
                                       .wait_max = std::chrono::milliseconds(1)}});
  const std::string id = store->Append({Fact("A", {"x:1"})})->events[0].id;
  faulty.SetRates({.throttled = 1.0});
  const std::size_t calls = faulty.calls("GetItem");
  const Duration before = clock_.Elapsed();
  EXPECT_EQ(store->ReadEvent(id).error().code, ErrorCode::kThrottled);
  EXPECT_EQ(faulty.calls("GetItem") - calls, 3U);
  EXPECT_EQ(clock_.Elapsed() - before, std::chrono::milliseconds(2));
}

TEST_F(OptionsTest, TagsAreHeldToTheRule) {
  auto strict = Open(home_->database(), {.tag_rule = TagRule::kStrict});
  EXPECT_EQ(strict->Append({Fact("A", {"email:a@b.c"})}).error().code, ErrorCode::kValidation);
  EXPECT_TRUE(store_->Append({Fact("A", {"email:a@b.c"})}).has_value());
}

TEST_F(OptionsTest, AnAnswerThatIsMerelyFullIsNoReasonToWait) {
  // 16 MB is what one answer of a batch holds; the rest comes back unprocessed.
  constexpr int kEvents = 45;
  for (int number = 0; number < kEvents; ++number) {
    ASSERT_TRUE(store_->Append({Fact("A", {"x:1"}, std::string(390'000, 'x'))}).has_value());
  }
  const Duration before = clock_.Elapsed();
  EXPECT_EQ(Read({.query = EventQuery::Tagged("x:1")}).size(), static_cast<std::size_t>(kEvents));
  EXPECT_LT(clock_.Elapsed() - before, std::chrono::milliseconds(20));
}

TEST_F(OptionsTest, HooksLearnOfEveryAppendSlotAndChunk) {
  std::vector<AppendMeasure> appends;
  std::vector<SlotMeasure> slots;
  std::vector<IndexMeasure> chunks;
  Texts lines;
  support::FaultyDatabase faulty(home_->database());
  EventStoreOptions options{.retry = {.budget = {}}};
  options.hooks = {.log = [&](std::string_view text) { lines.emplace_back(text); },
                   .on_append = [&](const AppendMeasure& append) { appends.push_back(append); },
                   .on_slot = [&](const SlotMeasure& slot) { slots.push_back(slot); },
                   .on_index = [&](const IndexMeasure& chunk) { chunks.push_back(chunk); }};
  auto store = Open(faulty, std::move(options));
  ASSERT_TRUE(store->Append({Fact("A", {"x:1"}), Fact("A", {"x:1"})}, {.append_id = "once"}));
  ASSERT_TRUE(store->Append({Fact("A", {"x:1"}), Fact("A", {"x:1"})}, {.append_id = "once"}));
  EXPECT_FALSE(store->Append({Fact("A", {})}, When(EventQuery::Tagged("x:1"))));
  ASSERT_EQ(appends.size(), 3U);
  EXPECT_EQ(appends[0].events, 2U);
  EXPECT_TRUE(!appends[0].error && !appends[0].repeated);
  EXPECT_TRUE(!appends[1].error && appends[1].repeated);
  EXPECT_EQ(appends[2].error, ErrorCode::kConditionFailed);
  ASSERT_EQ(slots.size(), 1U);
  EXPECT_EQ(slots[0].slot, 1U);
  EXPECT_EQ(slots[0].events, 2U);
  EXPECT_EQ(slots[0].outcome, SlotOutcome::kStored);
  EXPECT_GT(slots[0].bytes, 0U);

  // Another process was faster.
  faulty.BeforeNext("PutItem", [&] { Append({Fact("B", {})}); });
  ASSERT_TRUE(store->Append({Fact("A", {})}));
  ASSERT_EQ(slots.size(), 3U);
  EXPECT_EQ(slots[1].outcome, SlotOutcome::kLost);
  EXPECT_EQ(slots[2].outcome, SlotOutcome::kStored);
  ASSERT_EQ(chunks.size(), 1U) << "three slots";
  EXPECT_EQ(chunks[0].chunk, 1U);
  EXPECT_EQ(chunks[0].events, 4U);
  EXPECT_GT(chunks[0].rows, 0U);
  EXPECT_TRUE(lines.empty());

  // What nobody would learn of otherwise.
  faulty.Script("BatchWriteItem", {support::Fault::kUnavailable});
  for (int number = 0; number < 3; ++number) {
    ASSERT_TRUE(store->Append({Fact("A", {})}));
  }
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].starts_with("the index could not be written")) << lines[0];
  faulty.Script("PutItem", {support::Fault::kUnavailable});
  EXPECT_FALSE(store->Append({Fact("A", {})}));
  EXPECT_EQ(slots.back().outcome, SlotOutcome::kFailed);
  EXPECT_TRUE(lines.back().contains("could not be stored")) << lines.back();
}

}  // namespace
}  // namespace stator::events
