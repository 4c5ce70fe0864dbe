// Numbers and texts one behind the other, as the bodies of slots and the entries of blocks are.
//
// FORMAT (on disk): a number is 7 bits a byte, the lowest first, the highest bit saying that more
// follow; a text is its size and its bytes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::events {

inline void PutNumber(std::uint64_t number, std::string& out) {
  while (number >= 0x80U) {
    out.push_back(static_cast<char>((number & 0x7FU) | 0x80U));
    number >>= 7U;
  }
  out.push_back(static_cast<char>(number));
}

inline void PutText(std::string_view text, std::string& out) {
  PutNumber(text.size(), out);
  out += text;
}

// Fails with kCorruption at bytes that are no such thing. What it gives is good as long as the
// bytes.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool empty() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }

  Result<std::uint64_t> Number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && at_ < bytes_.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      number |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if ((byte & 0x80U) == 0) {
        return number;
      }
    }
    return Damaged();
  }

  Result<std::string_view> Bytes(std::size_t size) {
    if (size > bytes_.size() - at_) {
      return Damaged();
    }
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

  Result<std::string_view> Text() {
    const Result<std::uint64_t> size = Number();
    return size ? Bytes(*size) : Damaged();
  }

 private:
  static std::unexpected<Error> Damaged() {
    return Fail(ErrorCode::kCorruption, "events in the log do not decode");
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace stator::events
