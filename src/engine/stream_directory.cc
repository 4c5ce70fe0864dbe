#include "engine/stream_directory.h"

#include <algorithm>

namespace stator::engine {
namespace {

using IdsByName = std::map<std::string, std::set<std::uint32_t>, std::less<>>;

void RemoveFrom(IdsByName& ids, const std::string& name, std::uint32_t id) {
  const auto found = ids.find(name);
  if (found != ids.end() && found->second.erase(id) > 0 && found->second.empty()) {
    ids.erase(found);
  }
}

}  // namespace

void StreamDirectory::Add(std::uint32_t id, const std::string& arn, const std::string& table_name,
                          TimePoint due) {
  const MutexLock lock(mutex_);
  streams_[id] = {.arn = arn, .table_name = table_name, .due = due};
  by_arn_[arn].insert(id);
  by_table_[table_name].insert(id);
  by_due_.emplace(due, id);
}

void StreamDirectory::SetDue(std::uint32_t id, TimePoint due) {
  const MutexLock lock(mutex_);
  const auto found = streams_.find(id);
  if (found == streams_.end()) {
    return;
  }
  by_due_.erase({found->second.due, id});
  by_due_.emplace(due, id);
  found->second.due = due;
}

std::vector<std::uint32_t> StreamDirectory::Due(TimePoint now) const {
  const MutexLock lock(mutex_);
  std::vector<std::uint32_t> ids;
  for (auto at = by_due_.begin(); at != by_due_.end() && at->first <= now; ++at) {
    ids.push_back(at->second);
  }
  std::ranges::sort(ids);
  return ids;
}

void StreamDirectory::Remove(std::uint32_t id) {
  const MutexLock lock(mutex_);
  const auto found = streams_.find(id);
  if (found == streams_.end()) {
    return;
  }
  RemoveFrom(by_arn_, found->second.arn, id);
  RemoveFrom(by_table_, found->second.table_name, id);
  by_due_.erase({found->second.due, id});
  streams_.erase(found);
}

std::vector<std::uint32_t> StreamDirectory::Find(std::string_view arn) const {
  const MutexLock lock(mutex_);
  const auto found = by_arn_.find(arn);
  if (found == by_arn_.end()) {
    return {};
  }
  return {found->second.rbegin(), found->second.rend()};
}

std::vector<std::uint32_t> StreamDirectory::List(std::optional<std::uint32_t> after,
                                                 const std::optional<std::string>& table_name,
                                                 std::size_t limit) const {
  const MutexLock lock(mutex_);
  std::vector<std::uint32_t> ids;
  if (!table_name) {
    auto at = after ? streams_.upper_bound(*after) : streams_.begin();
    for (; at != streams_.end() && ids.size() < limit; ++at) {
      ids.push_back(at->first);
    }
    return ids;
  }
  const auto found = by_table_.find(*table_name);
  if (found != by_table_.end()) {
    const std::set<std::uint32_t>& of_table = found->second;
    auto at = after ? of_table.upper_bound(*after) : of_table.begin();
    for (; at != of_table.end() && ids.size() < limit; ++at) {
      ids.push_back(*at);
    }
  }
  return ids;
}

}  // namespace stator::engine
