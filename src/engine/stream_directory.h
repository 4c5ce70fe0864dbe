// Which streams there are, by name and by table, so that a call on one stream reads one row, and when
// something of them has to be removed, so that nobody has to look before. A copy in memory of what
// the rows say; the rows are the truth: an entry whose row is not there (yet, or any more) is passed
// over.
//
// THREADS: all methods from any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/mutex.h"

namespace stator::engine {

class StreamDirectory {
 public:
  // Nothing of it has to be removed before `due`.
  void Add(std::uint32_t id, const std::string& arn, const std::string& table_name, TimePoint due);
  void Remove(std::uint32_t id);

  void SetDue(std::uint32_t id, TimePoint due);
  // The streams of which something may have to be removed by now, in the order of their ids.
  [[nodiscard]] std::vector<std::uint32_t> Due(TimePoint now) const;

  // The streams of that name, the newest first: a table that is made again within a millisecond
  // has a stream of the same name.
  [[nodiscard]] std::vector<std::uint32_t> Find(std::string_view arn) const;

  // The ids behind `after` in their order, which is that of their making; of all tables or of one.
  [[nodiscard]] std::vector<std::uint32_t> List(std::optional<std::uint32_t> after,
                                                const std::optional<std::string>& table_name,
                                                std::size_t limit) const;

 private:
  struct Names {
    std::string arn;
    std::string table_name;
    TimePoint due;
  };

  mutable Mutex mutex_;
  std::map<std::uint32_t, Names> streams_ STATOR_GUARDED_BY(mutex_);
  std::map<std::string, std::set<std::uint32_t>, std::less<>> by_arn_ STATOR_GUARDED_BY(mutex_);
  std::map<std::string, std::set<std::uint32_t>, std::less<>> by_table_ STATOR_GUARDED_BY(mutex_);
  std::set<std::pair<TimePoint, std::uint32_t>> by_due_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::engine
