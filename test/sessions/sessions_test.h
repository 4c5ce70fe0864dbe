// For tests: a session store on the home of the suite, behind a network that can be broken, under a
// clock that only the test moves. It begins in the year 2100, so no home's own clock ever finds
// anything expired.

#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "homes/home.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/stores/sessions/media/records.h"
#include "stator/stores/sessions/media/workflow.h"
#include "stator/stores/sessions/session_store.h"
#include "stator/stores/sessions/session_table.h"
#include "support/faulty_database.h"
#include "support/printing.h"

namespace stator::sessions {

using std::chrono_literals::operator""h;
using std::chrono_literals::operator""min;
using std::chrono_literals::operator""s;
using support::Fault;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

inline constexpr std::int64_t kStart = 4'102'444'800;  // 2100-01-01T00:00:00Z
inline constexpr std::int64_t kDay = 24 * 3600;
inline constexpr const char* kSessionId = "0f8fad5b-d9cb-469f-a165-70867728950e";
inline constexpr const char* kOtherId = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

MATCHER_P(FailsWith, kind, "") {
  if (arg.has_value()) {
    *result_listener << "which succeeded";
    return false;
  }
  *result_listener << "which says " << NameOf(arg.error().code) << ": " << arg.error().message;
  return arg.error().code == kind;
}

template <class T>
T Must(Result<T> result) {
  if (!result) {
    const std::optional<Error>& cause = FactsOf(result.error()).cause;
    ADD_FAILURE() << NameOf(result.error().code) << ": " << result.error().message
                  << (cause ? " (" + cause->message + ")" : "");
    throw std::runtime_error("a step of the test failed");
  }
  return *std::move(result);
}
inline void Must(const Result<void>& result) {
  ASSERT_TRUE(result) << NameOf(result.error().code) << ": " << result.error().message;
}

class SessionsTest : public testing::Test {
 protected:
  void SetUp() override {
    home_ = homes::ThisHome().make();
    faulty_ = std::make_unique<support::FaultyDatabase>(home_->database());
    const Result<bool> made = CreateSessionTable(home_->database(), "sessions");
    ASSERT_TRUE(made) << made.error().message;
    home_->Settle();
    UseOptions({});
  }

  void UseOptions(SessionStoreOptions options) { UseWorkflow(MediaWorkflow(), std::move(options)); }
  void UseWorkflow(const Workflow& workflow, SessionStoreOptions options = {}) {
    options.workflow = workflow;
    store_ = Must(SessionStore::Open(*faulty_, std::move(options), environment_));
  }
  // Another process, on a database without faults unless one is given.
  SessionStore OtherStore(Database* database = nullptr) {
    return Must(SessionStore::Open(database == nullptr ? db() : *database,
                                   {.workflow = MediaWorkflow()}, environment_));
  }

  // Without faults; for other writers, and for looking at what there is.
  [[nodiscard]] Database& db() { return home_->database(); }
  [[nodiscard]] support::FaultyDatabase& faulty() { return *faulty_; }

  Session Claim(const std::string& owner = "ann", const std::string& session = kSessionId) {
    return Must(store_->Claim(session, owner));
  }
  Session Worker(const std::string& session = kSessionId) {
    return Must(store_->AsWorker(session));
  }

  static Item Key(const std::string& sort_key, const std::string& session = kSessionId) {
    return {{"PK", "SESSION#" + session}, {"SK", sort_key}};
  }
  std::optional<Item> Raw(const std::string& sort_key, const std::string& session = kSessionId) {
    const auto output = db().GetItem(
        {.table_name = "sessions", .key = Key(sort_key, session), .consistent_read = true});
    EXPECT_TRUE(output) << output.error().message;
    return output ? output->item : std::nullopt;
  }
  void PutRaw(Item item, const std::string& sort_key, const std::string& session = kSessionId) {
    for (const auto& [name, value] : Key(sort_key, session)) {
      item.Set(name, value);
    }
    const auto output = db().PutItem({.table_name = "sessions", .item = std::move(item)});
    ASSERT_TRUE(output) << output.error().message;
  }
  // The sort keys of all items of all sessions.
  std::vector<std::string> Keys() {
    std::vector<std::string> keys;
    ScanInput input{.table_name = "sessions", .consistent_read = true};
    do {
      const auto output = db().Scan(input);
      EXPECT_TRUE(output) << output.error().message;
      for (const Item& item : output->items.value_or(std::vector<Item>())) {
        keys.push_back(*item.at("SK").If<std::string>());
      }
      input.exclusive_start_key = output->last_evaluated_key;
    } while (input.exclusive_start_key);
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  [[nodiscard]] std::int64_t Now() const { return EpochSeconds(clock_.Now()); }

  ManualClock clock_{TimePoint(std::chrono::seconds(kStart))};
  SeededRandom random_{20261116};
  patterns::Environment environment_{.clock = &clock_, .random = &random_};
  std::unique_ptr<homes::TestDatabase> home_;
  std::unique_ptr<support::FaultyDatabase> faulty_;
  std::optional<SessionStore> store_;
};

inline std::int64_t NumberIn(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  return value == nullptr ? -1 : value->If<Number>()->ToInt64().value_or(-1);
}
inline std::string TextIn(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  return value == nullptr ? "" : *value->If<std::string>();
}

inline std::vector<std::string> IdsOf(const std::vector<Record>& records) {
  std::vector<std::string> ids;
  for (const Record& record : records) {
    ids.push_back(record.id);
  }
  return ids;
}

inline std::vector<NewItem> MakeItems(int count) {
  std::vector<NewItem> items;
  for (int number = 0; number < count; ++number) {
    const std::string name = "photo-" + std::to_string(number) + ".jpg";
    items.push_back({.id = "uploads/" + name,
                     .input = {{"filename", name}, {"phase", "pending"}, {"imagenEdits", 0}}});
  }
  return items;
}

}  // namespace stator::sessions
