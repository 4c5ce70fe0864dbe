// What a table was, for tools: the versions of an item, and how two moments differ. Reads a directory
// beside a process that uses it or not.
//
// THREADS: sees the store as it was when it was opened.

#pragma once

#include <cstdint>
#include <functional>
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
