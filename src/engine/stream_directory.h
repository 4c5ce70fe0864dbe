// Which streams there are, by name and by table, so that a call on one stream reads one row. A copy
// in memory of what the rows say; the rows are the truth: an entry whose row is not there (yet, or
// any more) is passed over.
//
// THREADS: all methods from any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace stator::engine {

class StreamDirectory {
 public:
  void Add(std::uint32_t id, const std::string& arn, const std::string& table_name);
  void Remove(std::uint32_t id);

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
  };

  mutable std::mutex mutex_;
  // All protected by mutex_.
  std::map<std::uint32_t, Names> streams_;
  std::map<std::string, std::set<std::uint32_t>, std::less<>> by_arn_;
  std::map<std::string, std::set<std::uint32_t>, std::less<>> by_table_;
};

}  // namespace stator::engine
