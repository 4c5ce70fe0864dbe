// The log: which slots count, who fills holes, what follows from it, and that nothing else is read.

#include <thread>

#include "events/events_test.h"
#include "stator/api/forwarding_database.h"
#include "stator/patterns/requests.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/event_log.h"
#include "stores/events/event_store_core.h"
#include "stores/events/indexer.h"
#include "stores/events/log_items.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

using support::Fault;

class LogTest : public EventsTest {
 protected:
  // Puts a slot as another process may have, with one event.
  void PutSlot(std::uint64_t number, const SlotId& id, const SlotId& prev, std::uint64_t position,
               const std::string& payload) {
    EventStoreCore& core = EventStoreCoreOf(*store_);
    Slot slot{.number = number,
              .id = id,
              .prev = prev,
              .first_position = position,
              .first_tick = TicksAt(clock_.Now()) + position};
    std::vector<Event> events = {{.id = {},
                                  .sortable_id = {},
                                  .type = "Other",
                                  .payload = payload,
                                  .tags = {"x:1"},
                                  .recorded_at = "2026-01-01T00:00:00.0000000Z"}};
    const std::string bytes = EncodeAppend({}, events);
    const std::string body = std::string(1, kBodyVersion) + bytes;
    ASSERT_TRUE(DecodeAppends(body, slot).has_value());
    PlaceEvents(slot);
    slot.bytes = bytes.size();
    Item item = EncodeSlot(core.keys, core.genesis.stripes, slot);
    item.Set("b", Binary{body});
    ASSERT_TRUE(home_->database().PutItem({.table_name = "SekibanEvents", .item = item}));
  }

  void ExpectClean(std::uint64_t events, std::uint64_t void_slots) {
    auto fresh = Open(home_->database());
    const auto report = VerifyEvents(*fresh);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_TRUE(report->clean()) << report->problems.front();
    EXPECT_EQ(report->events, events);
    EXPECT_EQ(report->void_slots, void_slots);
  }

  const SlotId one_ = {1};
  const SlotId two_ = {2};
};

TEST_F(LogTest, ASlotThatNamesAnotherThanTheLastValidOneDoesNotCount) {
  Append({Fact("A", {"x:1"}, "mine")});
  PutSlot(2, one_, two_, 2, "void");
  EXPECT_EQ(PayloadsOf(Read()), (Texts{"mine"}));
  EXPECT_EQ(Append({Fact("A", {"x:1"}, "next")}).events[0].position, 2U);
  EXPECT_EQ(PayloadsOf(Read({.query = EventQuery::Tagged("x:1")})), (Texts{"mine", "next"}));
  ExpectClean(2, 1);
}

TEST_F(LogTest, AHoleIsFilledByWhoeverWritesNextAndWhatWasDecidedOnAnotherIsVoid) {
  PutSlot(2, two_, one_, 2, "void");
  EXPECT_TRUE(Read().empty());
  EXPECT_EQ(*store_->CountEvents(), 0U);
  Append({Fact("A", {"x:1"}, "first")});
  Append({Fact("A", {"x:1"}, "second")});
  EXPECT_EQ(PayloadsOf(Read()), (Texts{"first", "second"}));
  EXPECT_EQ(PayloadsOf(ReadFrom(*Open(home_->database()))), (Texts{"first", "second"}));
  ExpectClean(2, 1);
}

TEST_F(LogTest, SlotsThatArriveInTheWrongOrderCountWhenTheyFollowFromEachOther) {
  PutSlot(2, two_, one_, 2, "second");
  EXPECT_TRUE(Read().empty());
  PutSlot(1, one_, EventStoreCoreOf(*store_).genesis.id, 1, "first");
  EXPECT_EQ(PayloadsOf(Read()), (Texts{"first", "second"}));
  EXPECT_EQ(Append({Fact("A", {"x:1"}, "third")}).events[0].position, 3U);
  ExpectClean(3, 0);
}

TEST_F(LogTest, WhatNobodyKnewOfIsSettledBeforeAnythingElseIsDecided) {
  support::FaultyDatabase database(home_->database());
  auto store = Open(database);
  const EventQuery tag = EventQuery::Tagged("x:1");
  database.Script("PutItem", std::vector<Fault>(1000, Fault::kLostBefore));
  ASSERT_EQ(store->Append({Fact("A", {"x:1"}, "lost")}, When(tag)).error().code,
            ErrorCode::kAmbiguous);
  database.Script("PutItem", {});
  database.SetRates({});
  // The script is used up by trying.
  Result<Appended> again = Fail(ErrorCode::kAmbiguous, "");
  for (int attempt = 0; attempt < 100 && !again && FindConflict(again.error()) == nullptr;
       ++attempt) {
    again = store->Append({Fact("A", {"x:1"}, "again")}, When(tag));
  }
  // The first one was stored after all, so the second one is refused because of it.
  ASSERT_FALSE(again.has_value());
  EXPECT_NE(FindConflict(again.error()), nullptr) << again.error().message;
  EXPECT_EQ(PayloadsOf(Read()), (Texts{"lost"}));
}

TEST_F(LogTest, SeveralMayIndexAtOnceAndAgain) {
  for (int number = 0; number < 20; ++number) {
    Append({Fact("A", {"x:" + std::to_string(number % 3)}, std::to_string(number))});
  }
  const std::vector<Event> all = Read();
  // Everything again from the beginning, by four at once who know nothing of each other.
  ASSERT_TRUE(home_->database().DeleteItem(
      patterns::MakeDelete("SekibanEvents", EventStoreCoreOf(*store_).keys.Mark())));
  {
    std::vector<std::jthread> indexers;
    for (int indexer = 0; indexer < 4; ++indexer) {
      indexers.emplace_back([&] {
        auto store = EventStore::Open(home_->database(), Quiet({}), environment_);
        ASSERT_TRUE(store.has_value()) << store.error().message;
        EventStoreCoreOf(*store).indexer.IndexAll();
      });
    }
  }
  EXPECT_EQ(ReadFrom(*Open(home_->database())), all);
  EXPECT_EQ(Read(), all);
  ExpectClean(20, 0);
}

// Indexes that lag behind, and weak reads, may say anything.
class StrictDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<QueryOutput> Query(const QueryInput& input) override {
    if (armed && (input.index_name || !input.consistent_read)) {
      return Fail(ErrorCode::kInternal, "not a strong read");
    }
    return ForwardingDatabase::Query(input);
  }
  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    if (armed && !input.consistent_read) {
      return Fail(ErrorCode::kInternal, "not a strong read");
    }
    return ForwardingDatabase::GetItem(input);
  }
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override {
    for (const auto& [table, keys] : input.request_items) {
      if (armed && !keys.consistent_read) {
        return Fail(ErrorCode::kInternal, "not a strong read");
      }
    }
    return ForwardingDatabase::BatchGetItem(input);
  }
  Result<ScanOutput> Scan(const ScanInput& input) override {
    return armed ? Fail(ErrorCode::kInternal, "not a strong read")
                 : ForwardingDatabase::Scan(input);
  }
  bool armed = false;
};

TEST_F(LogTest, NothingDependsOnWeakReads) {
  StrictDatabase database(home_->database());
  auto store = Open(database);
  database.armed = true;
  SortableId last;
  for (int number = 0; number < 12; ++number) {
    AppendOptions options = When(EventQuery{{.types = {"A"}}, {.tags = {"y:1"}}});
    options.condition->after = last;
    options.append_id = "append " + std::to_string(number);
    const auto appended = store->Append({Fact("A", {"x:1", "y:1"})}, options);
    ASSERT_TRUE(appended.has_value()) << appended.error().message;
    last = appended->last();
    EXPECT_EQ(store->Append({Fact("A", {"x:1", "y:1"})}, options)->events, appended->events);
  }
  for (const EventQuery& query :
       {EventQuery::All(), EventQuery::Tagged("x:1"), EventQuery{{.types = {"A"}}}}) {
    EXPECT_EQ(ReadFrom(*store, {.query = query}).size(), 12U);
    EXPECT_EQ(ReadFrom(*store, {.query = query, .backwards = true}).size(), 12U);
  }
  EXPECT_EQ(store->ListTags()->size(), 2U);
  EXPECT_TRUE(VerifyEvents(*store)->clean());
}

}  // namespace
}  // namespace stator::events
