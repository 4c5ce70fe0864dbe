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
    PutVarint(value);
  }

  void Bytes(std::string_view bytes) {
    NeedRoom(bytes.size());
    PutBytes(bytes);
  }

  // Behind their length, as a varint.
  void SizedBytes(std::string_view bytes) {
    NeedRoom(kVarintBytesMax + bytes.size());
    PutSized(bytes);
  }
  // The same behind a byte.
  void TaggedBytes(char tag, std::string_view bytes) {
    NeedRoom(1 + kVarintBytesMax + bytes.size());
    *at_++ = tag;
    PutSized(bytes);
  }

  // What is written from here on stands behind its size in four bytes. Returns where that is, which
  // EndSized is to be given.
  [[nodiscard]] std::size_t BeginSized() {
    const std::size_t size_at = size();
    NeedRoom(sizeof(std::uint32_t));
    at_ += sizeof(std::uint32_t);
    return size_at;
  }
  void EndSized(std::size_t size_at) {
    const std::size_t bytes = size() - size_at - sizeof(std::uint32_t);
    CHECK(bytes <= UINT32_MAX);
    static_assert(std::endian::native == std::endian::little);
    const std::uint32_t swapped = std::byteswap(static_cast<std::uint32_t>(bytes));
    std::memcpy(row_.data() + size_at, &swapped, sizeof(swapped));
  }

 private:
  static constexpr std::size_t kVarintBytesMax = 19;  // of 128 bits

  // REQUIRES: there is room.
  template <class Unsigned>
  void PutVarint(Unsigned value) {
    while (value >= 0x80U) {
      *at_++ = static_cast<char>(static_cast<unsigned char>(value) | 0x80U);
      value >>= 7U;
    }
    *at_++ = static_cast<char>(value);
  }
  // Most pieces are short: two halves that may overlap are written without asking anybody.
  void PutBytes(std::string_view bytes) {
    const std::size_t size = bytes.size();
    if (size > 16) {
      std::memcpy(at_, bytes.data(), size);
    } else if (size >= 8) {
      PutHalves<8>(bytes);
    } else if (size >= 4) {
      PutHalves<4>(bytes);
    } else if (size > 0) {
      at_[0] = bytes[0];
      at_[size / 2] = bytes[size / 2];
      at_[size - 1] = bytes[size - 1];
    }
    at_ += size;
  }
  template <std::size_t kHalf>
  void PutHalves(std::string_view bytes) {
    std::memcpy(at_, bytes.data(), kHalf);
    std::memcpy(at_ + bytes.size() - kHalf, bytes.data() + bytes.size() - kHalf, kHalf);
  }
  void PutSized(std::string_view bytes) {
    PutVarint<std::uint64_t>(bytes.size());
    PutBytes(bytes);
  }

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
