// The item keys of one request, so that one that comes twice is found. A request has at most a hundred:
// going through their hashes is less work than a tree of copies.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/key_table.h"

namespace stator::engine {

class SeenKeys {
 public:
  // False when it was added before.
  bool Add(std::string_view key) {
    const std::uint64_t hash = KeyTable::HashOf(key);
    const bool is_new = std::ranges::none_of(seen_, [&](const Seen& seen) {
      return seen.hash == hash && std::string_view(keys_).substr(seen.at, seen.size) == key;
    });
    if (is_new) {
      seen_.push_back({.hash = hash, .at = keys_.size(), .size = key.size()});
      keys_.append(key);
    }
    return is_new;
  }

 private:
  struct Seen {
    std::uint64_t hash;
    std::size_t at;  // in keys_
    std::size_t size;
  };

  std::vector<Seen> seen_;
  std::string keys_;  // one behind the other
};

}  // namespace stator::engine
