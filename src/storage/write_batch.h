// Changes that are applied together or not at all.
//
// FORMAT (of the bytes inside; RocksDB's own, so that handing a batch over costs nothing)
//
//   batch  := sequence (8 bytes, zero until it is written)  count (4 bytes, little-endian)  record*
//   record := 0x01 length key length value        a put
//           | 0x00 length key                     a delete
//           | 0x05 0x01 length key length value   a put into the history
//           | 0x04 0x01 length key                a delete there
//   length := a varint of at most 5 bytes
//
// INVARIANTS
//
//   (1) count is the number of records.
//   (2) Records take effect in their order, also after Append: the last one for a key wins.
//
// STAMPS are places in keys or values, of eight bytes, big-endian, that are filled in when the batch
// has its place among all others (commit_queue.h): what is not known before, because it has to rise
// in the order of commits.
//
// THREADS: a batch belongs to one thread at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/family.h"

namespace stator::storage {

enum class StampKind : std::uint8_t {
  kSequence,    // one after the other, each once
  kCommitTime,  // microseconds since 1970, one for the whole batch, higher than all before
};

// Where a stamp is that is filled in nowhere.
constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

class WriteBatch {
 public:
  // Where a record is. Good until the batch is cleared or moved into another one by Append.
  struct Row {
    std::size_t key_at = 0;
    std::uint32_t key_size = 0;
    std::uint32_t value_size = 0;  // the value is at the end of the record
    std::size_t value_at = 0;
    bool deleted = false;
  };

  struct Stamp {
    std::size_t at;
    StampKind kind;
  };

  WriteBatch();

  // A batch that was moved from is empty and may be used again.
  WriteBatch(WriteBatch&& other) noexcept;
  WriteBatch& operator=(WriteBatch&& other) noexcept;
  WriteBatch(const WriteBatch&) = default;
  WriteBatch& operator=(const WriteBatch&) = default;
  ~WriteBatch() = default;

  // REQUIRES: key and value are shorter than 4 GB.
  Row Put(std::string_view key, std::string_view value, Family family = Family::kMain);
  Row Delete(std::string_view key, Family family = Family::kMain);
  // The same with eight bytes of the key, from `stamp_at` on, to be filled in later.
  Row PutStamped(std::string_view key, std::size_t stamp_at, StampKind kind, std::string_view value,
                 Family family = Family::kMain);
  // The same with eight bytes of the value, from `stamp_at` on.
  Row PutStampedValue(std::string_view key, std::string_view value, std::size_t stamp_at,
                      StampKind kind);
  // Has the batch get a commit time without saying it: no later one gets a time up to it.
  void TakeTime() { stamps_.push_back({.at = kNowhere, .kind = StampKind::kCommitTime}); }

  [[nodiscard]] const std::vector<Stamp>& stamps() const { return stamps_; }
  void FillStamp(const Stamp& stamp, std::uint64_t number);

  // Views that are good until the batch changes.
  [[nodiscard]] std::string_view KeyOf(const Row& row) const {
    return std::string_view(bytes_).substr(row.key_at, row.key_size);
  }
  [[nodiscard]] std::string_view ValueOf(const Row& row) const {
    return std::string_view(bytes_).substr(row.value_at, row.value_size);
  }

  // Calls visit(row) for each record of the main family, in their order.
  template <class Visit>
  void VisitRows(const Visit& visit) const {
    std::size_t at = 0;
    for (Row row; NextRow(at, row);) {
      visit(row);
    }
  }

  // Adds the changes of `other` behind those already here; one copy of its bytes, as they are now.
  void Append(const WriteBatch& other);

  void Clear();
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }

  [[nodiscard]] bool empty() const { return count() == 0; }
  [[nodiscard]] std::uint32_t count() const;
  // What the batch takes in the log and, more or less, in memory.
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }

  // The whole batch as in FORMAT above. Taking it leaves an empty batch; bytes that were taken and
  // given back are where they were, if they are not few enough to be inside of a std::string.
  [[nodiscard]] const std::string& representation() const { return bytes_; }
  std::string TakeRepresentation();
  void GiveBackRepresentation(std::string bytes) { bytes_ = std::move(bytes); }

 private:
  void AddToCount(std::uint32_t records);
  // The next record of the main family, from `at` on, which moves behind it; zero is the beginning.
  // False at the end.
  bool NextRow(std::size_t& at, Row& row) const;

  std::string bytes_;
  std::vector<Stamp> stamps_;
};

}  // namespace stator::storage
