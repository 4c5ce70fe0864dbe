#include "keyspace/ordered_bytes.h"

#include <array>
#include <cstddef>

#include "base/check.h"

namespace stator::keyspace {
namespace {

// The escape must sort below every byte that a string can go on with, so that a string that ends
// sorts before one that goes on; the terminator must sort below an escaped zero for the same
// reason.
constexpr char kEscape = '\x00';
constexpr char kTerminator = '\x01';
constexpr char kEscapedZero = '\xFF';
constexpr std::array<char, 2> kEnd = {kEscape, kTerminator};

}  // namespace

void AppendOrderedBytesPrefix(std::string_view bytes, std::string& key) {
  // Zero bytes are rare, so what lies between them is copied at once.
  while (true) {
    const std::size_t zero = bytes.find(kEscape);
    if (zero == std::string_view::npos) {
      key.append(bytes);
      return;
    }
    key.append(bytes.substr(0, zero + 1));
    key.push_back(kEscapedZero);
    bytes.remove_prefix(zero + 1);
  }
}

void AppendOrderedBytes(std::string_view bytes, std::string& key) {
  const std::size_t begin = key.size();
  AppendOrderedBytesPrefix(bytes, key);
  DCHECK(key.size() - begin >= bytes.size());
  key.push_back(kEscape);
  key.push_back(kTerminator);
}

bool TakeOrderedBytes(std::string_view& key, std::string& bytes) {
  while (true) {
    const std::size_t escape = key.find(kEscape);
    if (escape == std::string_view::npos || escape + 1 == key.size()) {
      return false;
    }
    bytes.append(key.substr(0, escape));
    const char escaped = key[escape + 1];
    key.remove_prefix(escape + 2);
    if (escaped == kTerminator) {
      return true;
    }
    if (escaped != kEscapedZero) {
      return false;
    }
    bytes.push_back('\0');
  }
}

bool TakeEqualOrderedBytes(std::string_view bytes, std::string_view& key) {
  const auto take = [&](std::string_view expected) {
    const bool there = key.starts_with(expected);
    key.remove_prefix(there ? expected.size() : 0);
    return there;
  };
  while (true) {
    const std::size_t zero = bytes.find(kEscape);
    if (zero == std::string_view::npos) {
      return take(bytes) && take({kEnd.data(), kEnd.size()});
    }
    if (!take(bytes.substr(0, zero + 1)) || !take({&kEscapedZero, 1})) {
      return false;
    }
    bytes.remove_prefix(zero + 1);
  }
}

}  // namespace stator::keyspace
