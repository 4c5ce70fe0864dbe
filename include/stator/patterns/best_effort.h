// Writes that may fail without harm: an index row, a cache entry, a note for later. What makes the
// loss harmless has to be said, because "may fail" is true of every write and harmless only of few.
// Failures reach a hook and a counter, never the caller.
//
//   BestEffort best_effort(database, {.on_failure = [](const auto& failure) { Log(failure); }});
//   best_effort.Put(kRecent, row, "recently viewed");             // the row has an expiry
//   best_effort.Write(SelfHeals("the next login counts again"), "login count", [&] { ... });
//
// As a companion of a transaction: transaction.AfterCommit([&] { best_effort.Put(...); });
//
// THREADS: every method may be called from many threads at once.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/table_layout.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

// What repairs a lost write, in words; for those who read the code and the logs.
class SelfHeals {
 public:
  explicit SelfHeals(std::string how) : how_(std::move(how)) {}
  [[nodiscard]] const std::string& how() const { return how_; }

 private:
  std::string how_;
};

struct BestEffortFailure {
  std::string purpose;
  Error error;
};

struct BestEffortOptions {
  // Called on the thread that tried; must not block for long.
  std::function<void(const BestEffortFailure&)> on_failure = {};
};

struct BestEffortCounts {
  std::uint64_t written = 0;
  std::uint64_t failed = 0;
  std::uint64_t refused = 0;
};

class BestEffort {
 public:
  // `database` must outlive this object.
  explicit BestEffort(Database& database, BestEffortOptions options = {},
                      Environment environment = {});

  // Upserts an item that expires on its own. One that does not, or not in the future, is refused:
  // it would stay for ever if nobody came back to it. Whether it was written, for who cares.
  bool Put(const TableLayout& table, const Item& item, const std::string& purpose);

  // Any write that something else repairs.
  bool Write(const SelfHeals& because, const std::string& purpose,
             const std::function<Result<void>()>& write);

  [[nodiscard]] BestEffortCounts counts() const;

 private:
  void Report(const std::string& purpose, Error error, std::atomic<std::uint64_t>& counter);

  Database* database_;
  BestEffortOptions options_;
  Environment environment_;
  std::atomic<std::uint64_t> written_ = 0;
  std::atomic<std::uint64_t> failed_ = 0;
  std::atomic<std::uint64_t> refused_ = 0;
};

}  // namespace stator::patterns
