// For tests: an event store on the home of the suite, under a clock that only sleeps move.

#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "homes/home.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/patterns/environment.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/maintenance.h"

namespace stator::events {

inline NewEvent Fact(std::string type, std::vector<std::string> tags, std::string payload = "{}") {
  return {.type = std::move(type), .payload = std::move(payload), .tags = std::move(tags)};
}

inline AppendOptions When(EventQuery query, std::optional<SortableId> after = std::nullopt) {
  return {.condition = AppendCondition{std::move(query), after}};
}

inline std::vector<std::string> PayloadsOf(const std::vector<Event>& events) {
  std::vector<std::string> payloads;
  for (const Event& event : events) {
    payloads.push_back(event.payload);
  }
  return payloads;
}

using Texts = std::vector<std::string>;

// The lines of an export, with its end.
inline Texts Export(EventStore& store) {
  Texts lines;
  const auto exported = ExportEvents(store, [&](const std::string& line) -> Result<void> {
    lines.push_back(line);
    return {};
  });
  EXPECT_TRUE(exported.has_value()) << exported.error().message;
  return lines;
}

inline Result<ImportReport> Import(EventStore& store, const Texts& lines) {
  auto line = lines.begin();
  return ImportEvents(store, [&](std::string& text) -> Result<bool> {
    if (line == lines.end()) {
      return false;
    }
    text = *line++;
    return true;
  });
}

// Without a thread of its own, and with chunks so small that the index is in use.
inline EventStoreOptions Quiet(EventStoreOptions options) {
  const int standard = EventStoreOptions().chunk_slots;
  options.background = false;
  options.chunk_slots = options.chunk_slots == standard ? 3 : options.chunk_slots;
  return options;
}

class EventsTest : public testing::Test {
 protected:
  void SetUp() override {
    home_ = homes::ThisHome().make();
    store_ = Open(home_->database());
  }

  std::unique_ptr<EventStore> Open(Database& database, EventStoreOptions options = {}) {
    auto store = EventStore::Open(database, Quiet(std::move(options)), environment_);
    EXPECT_TRUE(store.has_value()) << store.error().message;
    return store ? std::make_unique<EventStore>(*std::move(store)) : nullptr;
  }

  Appended Append(std::vector<NewEvent> events, const AppendOptions& options = {}) {
    const Result<Appended> appended = store_->Append(std::move(events), options);
    EXPECT_TRUE(appended.has_value()) << appended.error().message;
    return appended.value_or(Appended{});
  }

  std::vector<Event> Read(const ReadOptions& options = {}) { return ReadFrom(*store_, options); }

  static std::vector<Event> ReadFrom(EventStore& store, const ReadOptions& options = {}) {
    const auto events = store.ReadList(options);
    EXPECT_TRUE(events.has_value()) << events.error().message;
    return events.value_or(std::vector<Event>());
  }

  ManualClock clock_{TimePoint(std::chrono::seconds{1'794'744'000})};
  SeededRandom random_{7};
  patterns::Environment environment_{.clock = &clock_, .random = &random_};
  std::unique_ptr<homes::TestDatabase> home_;
  std::unique_ptr<EventStore> store_;
};

}  // namespace stator::events
