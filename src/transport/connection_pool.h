// Connections that are kept while nobody uses them. The last one given back is the first one taken: it
// is the least likely to have been closed meanwhile. For the folder itself.
//
// THREADS: may be used from many threads.

#pragma once

#include <memory>
#include <vector>

#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "transport/curl_connection.h"
#include "transport/http.h"

namespace stator::transport {

class ConnectionPool {
 public:
  // `options` must outlive it.
  explicit ConnectionPool(const CurlOptions& options) : options_(options) {}

  // A connection on which the request can be sent: a kept one that is still good, or a new one, for which
  // it waits. The errors say that nothing was sent.
  // REQUIRES: LoadCurl has succeeded.
  Result<std::unique_ptr<CurlConnection>> Take(const HttpRequest& request);

  // It is kept if it is still connected; if not, its handle is, for another connection.
  void GiveBack(std::unique_ptr<CurlConnection> connection);

 private:
  // The last one given back of those for which the condition holds; null when there is none.
  template <class Condition>
  std::unique_ptr<CurlConnection> Find(const Condition& condition);
  // The same of those that are connected; only if it is good.
  template <class Condition>
  std::unique_ptr<CurlConnection> FindGood(const Condition& condition);

  const CurlOptions& options_;
  Mutex mutex_;
  std::vector<std::unique_ptr<CurlConnection>> idle_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::transport
