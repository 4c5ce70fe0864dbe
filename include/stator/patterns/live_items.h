// Reads that never show an expired item: the database is asked to leave them out, and what it
// returns is checked again, by the clock of the reader.
//
//   LiveItems items(database);
//   items.Get(kSessions, {{"PK", id}, {"SK", "META"}});
//   items.Query(kFilesOfSession, {.partition = id, .sort = Attribute("SK").BeginsWith("FILE#")});
//
// Query returns everything, page by page; a limit counts what is returned, not what is looked at.
//
// RETRIES: throttled and unanswered reads are repeated.
// THREADS: every method may be called from many threads at once.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/patterns/access_pattern.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/expression.h"
#include "stator/patterns/retry.h"
#include "stator/patterns/table_layout.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

struct LiveOptions {
  RetryOptions retry = {};
};

struct GetOptions {
  bool consistent_read = true;
  bool include_expired = false;
};

struct LiveQuery {
  AttributeValue partition;
  // On the sort key, e.g. Attribute("SK").BeginsWith("FILE#").
  Condition sort = {};
  Condition filter = {};
  // Which attributes; all of them when empty. Keys and expiry are read in any case.
  std::vector<std::string> attributes = {};
  // Of live items that pass the filter.
  std::optional<std::size_t> limit = std::nullopt;
  bool forward = true;
  std::optional<Item> start_after = std::nullopt;  // `next` of a page
  // Where the access pattern allows it: not on global indexes.
  bool consistent_read = true;
  bool include_expired = false;
};

struct LivePage {
  std::vector<Item> items = {};
  // Present when there may be more; where the next page begins.
  std::optional<Item> next = std::nullopt;
};

class LiveItems {
 public:
  // `database` must outlive this object.
  explicit LiveItems(Database& database, LiveOptions options = {}, Environment environment = {});

  [[nodiscard]] Result<std::optional<Item>> Get(const TableLayout& table, const Item& key,
                                                const GetOptions& options = {}) const;

  // All of them as of one moment, in the order of the keys; at most 100.
  [[nodiscard]] Result<std::vector<std::optional<Item>>> GetTogether(
      const TableLayout& table, const std::vector<Item>& keys,
      const GetOptions& options = {}) const;

  // Up to the limit, else to the end: as many calls as that takes.
  [[nodiscard]] Result<LivePage> Query(const AccessPattern& pattern, const LiveQuery& query) const;

  // What one call brings, for callers that page themselves: perhaps fewer than the limit, or none
  // although `next` says that there may be more.
  [[nodiscard]] Result<LivePage> QueryOnce(const AccessPattern& pattern,
                                           const LiveQuery& query) const;

  // One item at a time, for what does not fit into memory; ends when `take` returns false.
  [[nodiscard]] Result<void> ForEach(const AccessPattern& pattern, const LiveQuery& query,
                                     const std::function<bool(Item)>& take) const;

  // How many Query would return.
  [[nodiscard]] Result<std::size_t> Count(const AccessPattern& pattern, LiveQuery query) const;

 private:
  Database* database_;
  LiveOptions options_;
  Environment environment_;
};

}  // namespace stator::patterns
