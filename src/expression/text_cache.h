// What was made of texts, kept by text: programs send the same few again and again.
//
// COST: a hit is one hash of the text, one shared lock and one reference count.
// THREADS: every method may be called from many threads.

#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/shared_mutex.h"

namespace stator::expression {

// Two generations of texts. New ones and those that were asked for again go to the young one; when
// it is full it becomes the old one, and what nobody asked for since is gone.
template <class Tree>
class TextCache {
 public:
  using Pointer = std::shared_ptr<const Tree>;

  explicit TextCache(std::size_t entries_max)
      : generation_max_(std::max<std::size_t>(1, entries_max / 2)) {}

  // Null when the text is not there.
  Pointer Find(std::string_view text) {
    {
      const ReaderLock lock(mutex_);
      if (const auto entry = young_.find(text); entry != young_.end()) {
        return entry->second;
      }
      if (!old_.contains(text)) {
        return nullptr;
      }
    }
    const WriterLock lock(mutex_);
    const auto entry = old_.find(text);
    if (entry == old_.end()) {
      return nullptr;
    }
    Pointer tree = entry->second;
    Insert(text, tree);
    return tree;
  }

  void Add(std::string_view text, Pointer tree) {
    const WriterLock lock(mutex_);
    Insert(text, std::move(tree));
  }

 private:
  // Lets a map of strings be searched by a view.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  using Texts = std::unordered_map<std::string, Pointer, TextHash, std::equal_to<>>;

  void Insert(std::string_view text, Pointer tree) STATOR_REQUIRES(mutex_) {
    if (young_.size() >= generation_max_) {
      old_ = std::exchange(young_, Texts());
    }
    young_.emplace(text, std::move(tree));
  }

  const std::size_t generation_max_;
  SharedMutex mutex_;
  Texts young_ STATOR_GUARDED_BY(mutex_);
  Texts old_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::expression
