// For tests of the patterns on every home: two tables, a clock and chance that the test holds in
// its hands, and a network that can be broken.

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "homes/home.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/retry.h"
#include "stator/patterns/table_layout.h"
#include "stator/patterns/transaction_error.h"
#include "stator/patterns/versioning.h"
#include "stator/patterns/write_error.h"
#include "support/faulty_database.h"
#include "support/printing.h"

namespace stator::patterns {

using std::chrono_literals::operator""h;
using std::chrono_literals::operator""min;
using std::chrono_literals::operator""s;
using support::Fault;

// 2026-11-15T00:00:00Z
inline constexpr std::int64_t kNow = 1'794'700'800;

// Keys pk; the second layout is the same table with an expiry.
inline const TableLayout kThings{.table_name = "things", .key_attributes = {"pk"}};
inline const TableLayout kExpiringThings{
    .table_name = "things", .key_attributes = {"pk"}, .expiry_attribute = "expires_at"};
// Keys pk and sk.
inline const TableLayout kParts{.table_name = "parts", .key_attributes = {"pk", "sk"}};
inline const TableLayout kExpiringParts{
    .table_name = "parts", .key_attributes = {"pk", "sk"}, .expiry_attribute = "expires_at"};

inline std::string TextOf(const Error& error) {
  return std::string(NameOf(error.code)) + ": " + error.message;
}

// As many attempts as that, a millisecond apart.
inline RetryOptions Attempts(int count) {
  using std::chrono::milliseconds;
  return {.budget = milliseconds(count - 1),
          .wait_first = milliseconds(1),
          .wait_max = milliseconds(1)};
}

// Without the bookkeeping, under the names that it has by default.
inline Item Content(const VersionedItem& item) {
  return Versioning(kThings).ContentOf(item.item);
}

template <class Result>
testing::AssertionResult Succeeds(const Result& result) {
  if (result) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << TextOf(result.error());
}

template <class T>
testing::AssertionResult FailsWith(const Result<T>& result, ErrorCode code) {
  if (result) {
    return testing::AssertionFailure() << "it succeeded";
  }
  if (result.error().code == code) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << TextOf(result.error());
}

template <class T>
T Must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << TextOf(result.error());
    return T();
  }
  return *std::move(result);
}

class PatternsTest : public testing::Test {
 protected:
  PatternsTest();

  // Without faults; for setting up, for the other writer, for looking at what there is.
  [[nodiscard]] Database& db() { return home_->database(); }
  [[nodiscard]] homes::TestDatabase& home() { return *home_; }
  // What the patterns under test talk to.
  [[nodiscard]] support::FaultyDatabase& faulty() { return *faulty_; }
  [[nodiscard]] Environment environment() { return {.clock = &clock_, .random = &random_}; }

  void Put(const TableLayout& table, const Item& item);
  [[nodiscard]] std::optional<Item> Get(const TableLayout& table, const Item& key);
  void Remove(const TableLayout& table, const Item& key);
  // All items, by whatever road; for looking only.
  [[nodiscard]] std::vector<Item> All(const TableLayout& table);

  ManualClock clock_{TimePoint(std::chrono::seconds(kNow))};
  SeededRandom random_{7};

 private:
  std::unique_ptr<homes::TestDatabase> home_;
  std::unique_ptr<support::FaultyDatabase> faulty_;
};

}  // namespace stator::patterns
