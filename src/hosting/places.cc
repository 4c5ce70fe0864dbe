#include "hosting/places.h"

#include <utility>

namespace stator::hosting {
namespace {

std::size_t CountOf(const std::map<std::string, std::size_t>& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

void Decrement(std::map<std::string, std::size_t>& counts, const std::string& name) {
  if (const auto found = counts.find(name); found != counts.end() && --found->second == 0) {
    counts.erase(found);
  }
}

void Tell(const std::vector<std::shared_ptr<mcp::Signal>>& signals) {
  for (const std::shared_ptr<mcp::Signal>& signal : signals) {
    signal->Set();
  }
}

}  // namespace

Places::Place::Place(Places& places, std::string owner, std::string tool,
                     std::size_t tool_running_max)
    : places_(places),
      owner_(std::move(owner)),
      tool_(std::move(tool)),
      tool_running_max_(tool_running_max) {
  places_.Add(*this);
}

Places::Place::~Place() {
  places_.Remove(*this);
}

bool Places::Place::IsGranted() const {
  const MutexLock lock(places_.mutex_);
  return granted_;
}

bool Places::MayRunLocked(const Place& place) const {
  const std::size_t of_owner = CountOf(owners_, place.owner_);
  const std::size_t common = limits_.running - limits_.running / 4;
  return running_ < limits_.running && of_owner < limits_.owner_running &&
         (running_ < common || of_owner == 0) &&
         (place.tool_running_max_ == 0 || CountOf(tools_, place.tool_) < place.tool_running_max_);
}

std::vector<std::shared_ptr<mcp::Signal>> Places::GrantLocked() {
  std::vector<std::shared_ptr<mcp::Signal>> granted;
  for (auto at = waiting_.begin(); at != waiting_.end() && running_ < limits_.running;) {
    Place& place = **at;
    if (!MayRunLocked(place)) {
      ++at;
      continue;
    }
    place.granted_ = true;
    ++running_;
    ++owners_[place.owner_];
    ++tools_[place.tool_];
    granted.push_back(place.signal_);
    at = waiting_.erase(at);
  }
  return granted;
}

void Places::Add(Place& place) {
  std::vector<std::shared_ptr<mcp::Signal>> granted;
  {
    const MutexLock lock(mutex_);
    waiting_.push_back(&place);
    granted = GrantLocked();
  }
  Tell(granted);
}

void Places::Remove(Place& place) {
  std::vector<std::shared_ptr<mcp::Signal>> granted;
  {
    const MutexLock lock(mutex_);
    if (!place.granted_) {
      waiting_.remove(&place);
      return;
    }
    --running_;
    Decrement(owners_, place.owner_);
    Decrement(tools_, place.tool_);
    granted = GrantLocked();
  }
  Tell(granted);
}

}  // namespace stator::hosting
