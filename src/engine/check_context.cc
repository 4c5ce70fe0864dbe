#include "engine/check_context.h"

#include <algorithm>

#include "base/hex.h"

namespace stator::engine {

const Index* CheckedTable::FindIndex(std::uint32_t id) const {
  const auto found = std::find_if(table.indexes.begin(), table.indexes.end(),
                                  [&](const Index& index) { return index.id == id; });
  return found == table.indexes.end() ? nullptr : &*found;
}

std::optional<bool> CheckContext::Find(std::string_view key, storage::PinnedValue& value) {
  const Result<bool> found = store.Get(key, value, &snapshot);
  if (!found) {
    Problem("a row cannot be read: " + base::HexOf(key) + ": " + found.error().message);
    return std::nullopt;
  }
  return *found;
}

CheckedTable* CheckContext::TableOfRow(std::uint32_t id, std::string_view what) {
  if (const auto found = tables.find(id); found != tables.end()) {
    return &found->second;
  }
  if (const auto found = dropped.find(id); found != dropped.end()) {
    ++found->second.rows;
    return nullptr;
  }
  Problem(std::string(what) + " is of no table, but of the id " + std::to_string(id));
  return nullptr;
}

}  // namespace stator::engine
