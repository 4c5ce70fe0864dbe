#include "transport/connection_pool.h"

#include <utility>

#include "base/probe.h"
#include "base/try.h"

namespace stator::transport {

template <class Condition>
std::unique_ptr<CurlConnection> ConnectionPool::Find(const Condition& condition) {
  const MutexLock lock(mutex_);
  for (auto place = idle_.end(); place != idle_.begin();) {
    --place;
    if (condition(**place)) {
      std::unique_ptr<CurlConnection> found = std::move(*place);
      idle_.erase(place);
      return found;
    }
  }
  return nullptr;
}

template <class Condition>
std::unique_ptr<CurlConnection> ConnectionPool::FindGood(const Condition& condition) {
  while (std::unique_ptr<CurlConnection> found = Find([&condition](const CurlConnection& kept) {
           return kept.is_connected() && condition(kept.route());
         })) {
    if (found->IsGood()) {
      return found;
    }
    PROBE("a kept connection is no longer good");
    found->Disconnect();
    GiveBack(std::move(found));
  }
  return nullptr;
}

Result<std::unique_ptr<CurlConnection>> ConnectionPool::Take(const HttpRequest& request) {
  std::unique_ptr<CurlConnection> kept = FindGood([&request](const Route& route) {
    return route.url == request.url && route.use_proxy == request.use_proxy;
  });
  if (kept != nullptr) {
    return kept;
  }
  Route route = TRY(RouteOf(request));
  kept = FindGood([&route](const Route& other) { return route.HasConnectionOf(other); });
  if (kept != nullptr) {
    kept->set_route(std::move(route));
    return kept;
  }
  std::unique_ptr<CurlConnection> made =
      Find([](const CurlConnection& spare) { return !spare.is_connected(); });
  if (made == nullptr) {
    made = std::make_unique<CurlConnection>(options_);
  }
  if (Result<void> connected = made->Connect(request, std::move(route)); !connected) {
    GiveBack(std::move(made));
    return std::unexpected(std::move(connected).error());
  }
  return made;
}

void ConnectionPool::GiveBack(std::unique_ptr<CurlConnection> connection) {
  connection->NoteUse(SystemClock().Elapsed());
  std::unique_ptr<CurlConnection> superfluous;  // is closed when the mutex is free
  const MutexLock lock(mutex_);
  idle_.push_back(std::move(connection));
  if (idle_.size() > options_.idle_handles_max) {
    superfluous = std::move(idle_.front());
    idle_.erase(idle_.begin());
  }
}

}  // namespace stator::transport
