// The framing of RocksDB's logs and lists of tables: a sequence of blocks, a block a sequence of
// fragments, and a write is one fragment or several. A rest of a block that is too short for a head
// is filled up.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"

namespace stator::storage {

inline constexpr std::size_t kLogBlockBytes = 32 << 10;
// Of a fragment: masked checksum u32, length u16, both little-endian; type.
inline constexpr std::size_t kLogHeadBytes = 7;

enum class FragmentType : std::uint8_t {
  kDamaged = 0,  // all that is none of the others
  kFull = 1,
  kFirst = 2,
  kMiddle = 3,
  kLast = 4,
};

// Follows a log that is being written, and knows where its last whole write ends. The bytes may
// come in pieces of any size.
class LogEnd {
 public:
  void Append(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t taken = std::min(Wanted(), bytes.size());
      CHECK(taken > 0);
      Take(bytes.substr(0, taken));
      bytes.remove_prefix(taken);
    }
  }

  [[nodiscard]] std::uint64_t value() const { return end_; }

 private:
  // How many of the next bytes belong together: to a fill, a head or a payload.
  [[nodiscard]] std::size_t Wanted() const {
    if (payload_left_ > 0) {
      return payload_left_;
    }
    const std::size_t rest = kLogBlockBytes - (at_ - head_bytes_) % kLogBlockBytes;
    return rest < kLogHeadBytes ? rest : kLogHeadBytes - head_bytes_;
  }

  void Take(std::string_view piece) {
    at_ += piece.size();
    if (payload_left_ > 0) {
      payload_left_ -= piece.size();
    } else if (kLogBlockBytes - (at_ - piece.size() - head_bytes_) % kLogBlockBytes <
               kLogHeadBytes) {
      return;  // a fill
    } else {
      std::ranges::copy(piece, head_.begin() + static_cast<std::ptrdiff_t>(head_bytes_));
      head_bytes_ += piece.size();
      if (head_bytes_ < kLogHeadBytes) {
        return;
      }
      head_bytes_ = 0;
      payload_left_ = static_cast<std::uint8_t>(head_[4]) +
                      (std::size_t{static_cast<std::uint8_t>(head_[5])} << 8U);
    }
    const auto type = static_cast<FragmentType>(head_[6]);
    if (payload_left_ == 0 && (type == FragmentType::kFull || type == FragmentType::kLast)) {
      end_ = at_;
    }
  }

  std::uint64_t at_ = 0;
  std::uint64_t end_ = 0;
  std::array<char, kLogHeadBytes> head_{};
  std::size_t head_bytes_ = 0;    // of head_, while it comes in pieces
  std::size_t payload_left_ = 0;  // of the fragment that head_ begins
};

}  // namespace stator::storage
