// Writes the pieces of a row behind what a string already holds. The string is made longer than
// needed, a few times at most, and cut when the writer goes, so most pieces are written without
// asking it for room. Until then only size() says where the row ends.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/check.h"

namespace stator::value {

class RowWriter {
 public:
  explicit RowWriter(std::string& row)
      : row_(row), at_(row.data() + row.size()), end_(row.data() + row.size()) {}
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;
  ~RowWriter() { row_.resize(size()); }

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - row_.data()); }

  void Byte(char byte) {
    NeedRoom(1);
    *at_++ = byte;
  }

  // varint.h
  template <class Unsigned>
  void Varint(Unsigned value) {
    NeedRoom(kVarintBytesMax);
    while (value >= 0x80U) {
      *at_++ = static_cast<char>(static_cast<unsigned char>(value) | 0x80U);
      value >>= 7U;
    }
    *at_++ = static_cast<char>(value);
  }

  void Bytes(std::string_view bytes) {
    NeedRoom(bytes.size());
    if (!bytes.empty()) {
      std::memcpy(at_, bytes.data(), bytes.size());
    }
    at_ += bytes.size();
  }

  // Behind their length, as a varint.
  void SizedBytes(std::string_view bytes) {
    Varint<std::uint64_t>(bytes.size());
    Bytes(bytes);
  }

  // What `write` writes, behind its size in four bytes.
  template <class Write>
  void Sized(const Write& write) {
    const std::size_t size_at = size();
    Bytes(std::string_view("\0\0\0\0", sizeof(std::uint32_t)));
    write();
    const std::size_t bytes = size() - size_at - sizeof(std::uint32_t);
    CHECK(bytes <= UINT32_MAX);
    static_assert(std::endian::native == std::endian::little);
    const std::uint32_t swapped = std::byteswap(static_cast<std::uint32_t>(bytes));
    std::memcpy(row_.data() + size_at, &swapped, sizeof(swapped));
  }

 private:
  static constexpr std::size_t kVarintBytesMax = 19;  // of 128 bits

  void NeedRoom(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) [[unlikely]] {
      Grow(bytes);
    }
  }

  [[gnu::noinline]] void Grow(std::size_t bytes) {
    const std::size_t written = size();
    std::size_t room = std::max(row_.capacity(), written + bytes);
    if (room > row_.capacity()) {
      room = std::max(room, 2 * row_.capacity());
    }
    // The library's second argument may be the capacity instead of `room`.
    row_.resize_and_overwrite(room, [&](char*, std::size_t) { return room; });
    at_ = row_.data() + written;
    end_ = row_.data() + room;
  }

  std::string& row_;
  char* at_;
  char* end_;
};

}  // namespace stator::value
