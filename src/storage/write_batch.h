// Changes that are applied together or not at all.
//
// FORMAT (of the bytes inside; RocksDB's own, so that handing a batch over costs nothing)
//
//   batch  := sequence (8 bytes, zero until it is written)  count (4 bytes, little-endian)  record*
//   record := 0x01 length key length value     a put
//           | 0x00 length key                  a delete
//   length := a varint of at most 5 bytes
//
// INVARIANTS
//
//   (1) count is the number of records.
//   (2) Records take effect in their order, also after Append: the last one for a key wins.
//
// THREADS: a batch belongs to one thread at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stator::storage {

class WriteBatch {
 public:
  WriteBatch();

  // A batch that was moved from is empty and may be used again.
  WriteBatch(WriteBatch&& other) noexcept;
  WriteBatch& operator=(WriteBatch&& other) noexcept;
  WriteBatch(const WriteBatch&) = default;
  WriteBatch& operator=(const WriteBatch&) = default;
  ~WriteBatch() = default;

  // REQUIRES: key and value are shorter than 4 GB.
  void Put(std::string_view key, std::string_view value);
  void Delete(std::string_view key);

  // Adds the changes of `other` behind those already here; one copy of its bytes.
  void Append(const WriteBatch& other);

  void Clear();
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }

  [[nodiscard]] bool empty() const { return count() == 0; }
  [[nodiscard]] std::uint32_t count() const;
  // What the batch takes in the log and, more or less, in memory.
  [[nodiscard]] std::size_t bytes() const { return bytes_.size(); }

  // The whole batch as in FORMAT above. Taking it leaves an empty batch.
  [[nodiscard]] const std::string& representation() const { return bytes_; }
  std::string TakeRepresentation();

 private:
  void AddToCount(std::uint32_t records);

  std::string bytes_;
};

}  // namespace stator::storage
