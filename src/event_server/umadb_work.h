// What the calls of a UmadbService share.

#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

#include "base/executor.h"
#include "event_server/appends.h"
#include "event_server/event_hub.h"
#include "event_server/umadb_service.h"
#include "stator/stores/events/event_store.h"

namespace stator::event_server {

// How many there are of something that may not become too many. THREADS: any.
class Places {
 public:
  explicit Places(std::size_t most) : most_(most) {}

  // Whether there was one left.
  bool Take() {
    std::size_t taken = taken_.load();
    while (taken < most_) {
      if (taken_.compare_exchange_weak(taken, taken + 1)) {
        return true;
      }
    }
    return false;
  }
  void Return() { --taken_; }

 private:
  const std::size_t most_;
  std::atomic<std::size_t> taken_ = 0;
};

// One of them, as long as it lives.
class Place {
 public:
  Place() = default;
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() { Return(); }

  bool TakeFrom(Places& places) {
    if (places_ == nullptr && places.Take()) {
      places_ = &places;
    }
    return places_ != nullptr;
  }
  void Return() {
    if (Places* const places = std::exchange(places_, nullptr)) {
      places->Return();
    }
  }

 private:
  Places* places_ = nullptr;
};

struct UmadbWork {
  UmadbWork(events::EventStore& home, const UmadbOptions& chosen)
      : store(&home),
        options(chosen),
        subscriptions(chosen.subscriptions_max),
        open_reads(chosen.open_reads_max),
        appends(home),
        executor(chosen.threads),
        hub(home) {}

  [[nodiscard]] bool IsOverloaded() const {
    return executor.LoadOf(base::Threads::kPool).waiting + appends.under_way() >=
           options.waiting_max;
  }

  events::EventStore* const store;
  const UmadbOptions options;
  Places subscriptions;
  Places open_reads;
  Appends appends;
  base::Executor executor;
  EventHub hub;
};

}  // namespace stator::event_server
