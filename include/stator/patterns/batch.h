// Many items at once, of several tables, without a limit on their number: cheaper and faster than
// one by one, and neither atomic nor conditional.
//
//   const BatchWriteOutcome outcome = BatchWriter(database).Write({
//       {.table = kOrders, .writes = {PutRequest{order}, DeleteRequest{old_key}}},
//   });
//   if (!outcome.complete()) { Report(outcome.remaining, outcome.error); }
//
//   const BatchReadOutcome read = BatchReader(database).Read(kOrders, keys);
//   read.items[2]                                      // what keys[2] asked for, if there is one
//
// Requests are cut into what one call may carry (25 writes, 100 keys, 16 MB), several are under way
// at a time, and what the database left unprocessed is sent again with full jitter. A call that
// made progress gives all of its time anew, so a throttled table is written slowly rather than not
// at all. What is left in the end is in the outcome; there is no state in which items can get
// lost.
//
// A write that got no answer is sent again, too: putting and removing twice leaves the same, unless
// somebody else wrote in between. Items with a revision are therefore refused (allow_versioned).
//
// THREADS: every method may be called from many threads at once.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "stator/api/batch_write_item.h"
#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/expression.h"
#include "stator/patterns/retry.h"
#include "stator/patterns/table_layout.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

// Two writes to one item: DynamoDB refuses them in one call, and in two calls their order is
// chance.
enum class Duplicates : std::uint8_t { kRefuse, kLastWins };

struct BatchProgress {
  std::size_t done = 0;
  std::size_t total = 0;
  std::size_t sent_again = 0;  // how often a request came back unprocessed
};

struct BatchOptions {
  Duplicates duplicates = Duplicates::kRefuse;
  // Calls under way at the same time. With 1 everything happens on the calling thread.
  int parallelism = 4;
  // Writes or keys of one call at most; 0: as many as DynamoDB admits.
  std::size_t requests_per_call = 0;
  // Of calls that process nothing, before a part is given up. A throttled table takes its time, so
  // this has more of it than other requests.
  RetryOptions retry = {.budget = std::chrono::seconds(10),
                        .wait_first = std::chrono::milliseconds(50),
                        .wait_max = std::chrono::milliseconds(5000)};
  // Nothing is sent when this much time has passed.
  std::optional<Duration> deadline = std::nullopt;
  std::stop_token stop = {};
  // Called after every call, by one thread at a time.
  std::function<void(const BatchProgress&)> on_progress = {};
  // Writes to tables whose items carry revisions, past all locks.
  bool allow_versioned = false;
};

struct TableWrites {
  TableLayout table;
  std::vector<WriteRequest> writes;
};

struct [[nodiscard]] BatchWriteOutcome {
  std::size_t written = 0;
  std::size_t sent_again = 0;
  // Not written as far as anybody knows. Can be handed to Write again.
  std::vector<TableWrites> remaining = {};
  // Why something remains: the first reason.
  std::optional<Error> error = std::nullopt;

  [[nodiscard]] bool complete() const { return !error && remaining.empty(); }
};

class BatchWriter {
 public:
  // `database` must outlive this object.
  explicit BatchWriter(Database& database, BatchOptions options = {}, Environment environment = {});

  // Refuses, before anything is sent, items without a key and what `duplicates` does not allow.
  BatchWriteOutcome Write(std::vector<TableWrites> tables) const;

 private:
  Database* database_;
  BatchOptions options_;
  Environment environment_;
};

struct BatchReadOptions {
  bool consistent_read = true;
  bool include_expired = false;
  // Which attributes; all of them when empty. Keys and expiry are read in any case.
  std::vector<std::string> attributes = {};
};

struct [[nodiscard]] BatchReadOutcome {
  // One per key, in the order of the keys; nothing where there is no item, or an expired one.
  std::vector<std::optional<Item>> items = {};
  std::size_t sent_again = 0;
  // Keys that were not read; their items above mean nothing.
  std::vector<Item> remaining = {};
  std::optional<Error> error = std::nullopt;

  [[nodiscard]] bool complete() const { return !error && remaining.empty(); }
};

class BatchReader {
 public:
  explicit BatchReader(Database& database, BatchOptions options = {}, Environment environment = {});

  // A key that occurs twice is read once and answered twice.
  BatchReadOutcome Read(const TableLayout& table, const std::vector<Item>& keys,
                        const BatchReadOptions& read = {}) const;

 private:
  Database* database_;
  BatchOptions options_;
  Environment environment_;
};

}  // namespace stator::patterns
