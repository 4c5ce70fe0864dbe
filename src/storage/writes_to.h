// A batch on its way into RocksDB, for the caches in front of it: they show nothing of its keys and let
// nothing in until it is there, and know then what was written.
//
//   WritesTo closed(rows, runs, batch);  // until it goes out of scope
//   if (write the batch to RocksDB) { closed.SetWritten(); }

#pragma once

#include <cstddef>
#include <vector>

#include "storage/row_cache.h"
#include "storage/run_cache.h"
#include "storage/write_batch.h"

namespace stator::storage {

// REQUIRES: the batch is the same at the end and when it was written.
class WritesTo {
 public:
  WritesTo(RowCache& rows, RunCache& runs, const WriteBatch& batch);
  WritesTo(RowCache& rows, RunCache& runs, WriteBatch&& batch) = delete;  // it must stay
  WritesTo(const WritesTo&) = delete;
  WritesTo& operator=(const WritesTo&) = delete;
  ~WritesTo();

  // The batch is in RocksDB.
  void SetWritten() { is_written_ = true; }

 private:
  // What a key closes.
  struct Closed {
    RowCache::Closing row;
    std::size_t region;
  };

  void Reopen(const Closed& closed, const WriteBatch::Row& row);

  RowCache& rows_;
  RunCache& runs_;
  const WriteBatch& batch_;
  std::vector<Closed> closed_;  // in the order of the batch; empty when nothing is cached at all
  bool is_written_ = false;
};

}  // namespace stator::storage
