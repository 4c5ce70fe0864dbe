// Places: how many calls of hosted tools are under way at once, so that nobody can fill the machine
// with processes and nobody is kept out by others.
//
// Calls wait in the order in which they came, except for those whose owner or tool has as many as
// it may have. The last quarter of all places is for owners that have none.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stator/base/mutex.h"
#include "stator/mcp/waits.h"

namespace stator::hosting {

struct PlaceLimits {
  std::size_t running = 512;
  std::size_t owner_running = 128;  // of one owner
};

class Places {
 public:
  // One call's wish, and its place once it is granted. Destroyed, it is given back.
  class Place {
   public:
    Place(Places& places, std::string owner, std::string tool, std::size_t tool_running_max);
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place();

    [[nodiscard]] bool IsGranted() const;
    // Is set when it was granted.
    [[nodiscard]] const std::shared_ptr<mcp::Signal>& signal() const { return signal_; }

   private:
    friend class Places;

    Places& places_;
    const std::string owner_;
    const std::string tool_;
    const std::size_t tool_running_max_;  // 0: no limit
    const std::shared_ptr<mcp::Signal> signal_ = std::make_shared<mcp::Signal>();
    bool granted_ = false;  // under the mutex of the places; clang cannot tell that these are they
  };

  explicit Places(const PlaceLimits& limits) : limits_(limits) {}
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  ~Places() = default;

 private:
  [[nodiscard]] bool MayRunLocked(const Place& place) const STATOR_REQUIRES(mutex_);
  // Gives what is free to those who wait for it, and names whom to tell.
  std::vector<std::shared_ptr<mcp::Signal>> GrantLocked() STATOR_REQUIRES(mutex_);
  void Add(Place& place);
  void Remove(Place& place);

  const PlaceLimits limits_;
  mutable Mutex mutex_;
  std::list<Place*> waiting_ STATOR_GUARDED_BY(mutex_);
  std::size_t running_ STATOR_GUARDED_BY(mutex_) = 0;
  std::map<std::string, std::size_t> owners_ STATOR_GUARDED_BY(mutex_);  // running calls
  std::map<std::string, std::size_t> tools_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::hosting
