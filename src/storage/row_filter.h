// Which rows of the history may go when tables are compacted: RocksDB rewrites them anyway, so leaving
// some out costs no write of its own.
//
// A row that is removed so is gone for snapshots that are older, too: who makes a filter takes care
// that nobody reads what it removes.

#pragma once

#include <memory>
#include <string_view>

namespace stator::storage {

// For one compaction: asked for its rows in the order of their keys, on one thread.
class RowFilter {
 public:
  RowFilter() = default;
  RowFilter(const RowFilter&) = delete;
  RowFilter& operator=(const RowFilter&) = delete;
  virtual ~RowFilter() = default;

  virtual bool Removes(std::string_view key, std::size_t value_bytes) = 0;
};

// THREADS: asked from RocksDB's threads.
class RowFilterMaker {
 public:
  RowFilterMaker() = default;
  RowFilterMaker(const RowFilterMaker&) = delete;
  RowFilterMaker& operator=(const RowFilterMaker&) = delete;
  virtual ~RowFilterMaker() = default;

  // Null when nothing is to be removed.
  virtual std::unique_ptr<RowFilter> Make() = 0;
};

}  // namespace stator::storage
