// What a table was, for tools: the versions of an item, and how two moments differ. HistoryReader reads
// a directory beside a process that uses it or not; Engine::VersionsOf reads in the process itself.
//
// THREADS: a HistoryReader sees the store as it was when it was opened.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/table.h"
#include "stator/base/result.h"
#include "storage/store.h"

namespace stator::engine {

struct ItemVersion {
  std::optional<std::uint64_t> since;  // the commit time; nothing: from before what is remembered
  std::optional<Item> item;            // nothing: there was none
};

// A part of the versions of an item.
struct VersionsAsked {
  std::string table_name;
  Item key;  // the attributes of the table's key
  // Those from before the version that began then; nothing: from what is.
  std::optional<std::uint64_t> before = std::nullopt;
  std::size_t versions_max = std::numeric_limits<std::size_t>::max();
  // Of stored items; the version that goes beyond is the last.
  std::size_t bytes_max = std::numeric_limits<std::size_t>::max();
};

struct VersionsPage {
  std::vector<ItemVersion> versions;  // newest first; the first of the first page is what is
  bool has_more = false;              // behind the last, whose `since` leads there
};

// Reads them from a store. REQUIRES: the table keeps history.
Result<VersionsPage> ReadVersions(const storage::Store& store, const Table& table,
                                  const VersionsAsked& asked);

// What an item was and what it became; one of them may be nothing.
struct ItemDifference {
  std::optional<Item> before;
  std::optional<Item> after;
};

class HistoryReader {
 public:
  // Fails when there is no such table, or it keeps no history.
  static Result<HistoryReader> Open(const std::string& path, const std::string& table_name);

  [[nodiscard]] const Table& table() const { return table_; }

  // In the order of time; the last is what is. `key` has the attributes of the table's key.
  Result<std::vector<ItemVersion>> VersionsOf(const Item& key) const;

  // Calls `visit` for each item that differs, in the order of keys. TimePoint::max(): what is.
  using Visitor = std::function<Result<void>(const ItemDifference&)>;
  Result<void> Compare(TimePoint from, TimePoint to, const Visitor& visit) const;

 private:
  HistoryReader(std::unique_ptr<storage::Store> store, Table table);

  std::unique_ptr<storage::Store> store_;
  Table table_;
};

}  // namespace stator::engine
