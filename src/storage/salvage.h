// Reading what can be read of a damaged directory. Nothing in it is changed.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "storage/store.h"

namespace stator::storage {

struct Salvaged {
  std::unique_ptr<Store> store;     // for reading only
  std::vector<std::string> losses;  // what is known to be gone, each in a sentence
};

// Opens the directory as far as its list of tables and its log are whole. When the list is not, the
// files are copied to `scratch`, a directory that does not exist yet, and a list is made there of
// all tables that can be read; it may be removed when the store is closed. Real files only.
Result<Salvaged> OpenToSalvage(const StoreOptions& options, const std::string& scratch);

using RowVisitor = std::function<Result<void>(std::string_view key, std::string_view value)>;

// Calls `visit` with every row that can be read, in the order of keys, and returns how many gaps
// there are that cannot. Fails when `visit` does.
Result<std::uint64_t> VisitReadableRows(const Store& store, const RowVisitor& visit);

}  // namespace stator::storage
