#include "events_units.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/check.h"
#include "stator/api/forwarding_database.h"
#include "stator/home/open.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/event_item.h"
#include "stores/events/event_store_core.h"
#include "value/size.h"

namespace stator::events {
namespace {

constexpr int kTags = 1000;

std::uint64_t UnitsOf(const Item& item) {
  return (value::SizeOfItem(item) + 1023) / 1024;
}

// An item of the view is in an index, too, which has all of it.
bool IsIndexed(const Item& item) {
  return item.contains("gsi1pk") || item.contains("tagGroup");
}

class UnitCounter final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    units_ += UnitsOf(input.item);
    return ForwardingDatabase::PutItem(input);
  }
  // Of marks, which are small.
  Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input) override {
    ++units_;
    return ForwardingDatabase::UpdateItem(input);
  }
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) override {
    for (const auto& [table, requests] : input.request_items) {
      for (const WriteRequest& request : requests) {
        if (const auto* put = std::get_if<PutRequest>(&request)) {
          units_ += UnitsOf(put->item) * (IsIndexed(put->item) ? 2 : 1);
        }
      }
    }
    return ForwardingDatabase::BatchWriteItem(input);
  }

  [[nodiscard]] std::uint64_t units() const { return units_; }

 private:
  std::uint64_t units_ = 0;
};

NewEvent MakeEvent(int number) {
  return {.type = "Changed",
          .payload = std::string(200, 'x'),
          .tags = {"entity:" + std::to_string(number % kTags)}};
}

// What the original writes: a transaction, which counts twice, of an event and a row per tag, each
// with a copy in an index.
double SeedUnits(const EventStore& store, const Event& event) {
  const EventStoreCore& core = EventStoreCoreOf(store);
  std::uint64_t units = UnitsOf(EncodeEvent(core, event)) * 3;
  for (const std::string& tag : event.tags) {
    units += UnitsOf(EncodeTagRow(core, event, tag)) * 3;
  }
  return static_cast<double>(units);
}

double UnitsPerEvent(int per_append, bool view) {
  constexpr int kEvents = 20'480;  // chunks of the index are complete
  const auto database = stator::Open("memory:");
  CHECK(database.has_value());
  UnitCounter counter(**database);
  auto store = EventStore::Open(counter, {.seed_rows = view, .background = false});
  CHECK_THAT(store.has_value(), store.error().message);
  const std::uint64_t before = counter.units();
  for (int number = 0; number < kEvents;) {
    std::vector<NewEvent> events;
    for (int index = 0; index < per_append; ++index) {
      events.push_back(MakeEvent(number++));
    }
    const auto appended = store->Append(std::move(events));
    CHECK_THAT(appended.has_value(), appended.error().message);
  }
  CHECK(CatchUpView(*store).has_value());
  if (per_append == 1 && !view) {
    const auto event = store->ReadList({.limit = 1});
    CHECK(event.has_value() && event->size() == 1);
    std::printf("  %-52s %5.2f\n", "the original's layout", SeedUnits(*store, event->front()));
  }
  return static_cast<double>(counter.units() - before) / kEvents;
}

}  // namespace

void PrintWriteUnits() {
  std::printf("write units per event of 200 bytes with one of 1,000 tags\n");
  for (const bool view : {false, true}) {
    for (const int per_slot : {1, 32}) {
      const double units = UnitsPerEvent(per_slot, view);
      std::printf("  log and index, %2d to a slot%-25s %5.2f\n", per_slot,
                  view ? ", with the original's rows" : "", units);
    }
  }
}

}  // namespace stator::events
