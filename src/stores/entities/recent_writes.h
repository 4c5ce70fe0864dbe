// What a program wrote lately, so that an eventually consistent answer that does not show it can be
// told from one that does.
//
// THREADS: every method may be called from many threads at once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>

#include "stator/base/clock.h"
#include "stator/base/mutex.h"

namespace stator::entities::detail {

class RecentWrites {
 public:
  RecentWrites(Duration kept, std::size_t count_max) : kept_(kept), count_max_(count_max) {}

  // The item got this revision, or was removed, at `now` of the clock's Elapsed.
  void Note(const std::string& key, std::optional<std::uint64_t> revision, Duration now);

  // Whether an answer with this revision, or without the item, is older than what was written.
  [[nodiscard]] bool IsStale(const std::string& key, std::optional<std::uint64_t> revision,
                             Duration now);

 private:
  struct Write {
    std::optional<std::uint64_t> revision;  // nothing: removed
    Duration until;
    std::uint64_t number;
  };

  void Forget(Duration now) STATOR_REQUIRES(mutex_);

  const Duration kept_;
  const std::size_t count_max_;
  Mutex mutex_;
  std::unordered_map<std::string, Write> writes_ STATOR_GUARDED_BY(mutex_);
  std::deque<std::pair<std::string, std::uint64_t>> order_ STATOR_GUARDED_BY(mutex_);
  std::uint64_t next_number_ STATOR_GUARDED_BY(mutex_) = 0;
};

}  // namespace stator::entities::detail
