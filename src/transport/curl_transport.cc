#include "transport/curl_transport.h"

#include <utility>
#include <vector>

#include "base/try.h"
#include "stator/base/mutex.h"
#include "transport/curl_exchange.h"

namespace stator::transport {

// Handles that are not in use, each with the connections that it has kept. The last one given back
// is the first one taken: its connection is the least likely to have been closed meanwhile.
class CurlTransport::Pool {
 public:
  explicit Pool(std::size_t idle_max) : idle_max_(idle_max) {}

  Result<EasyHandle> Take() {
    {
      const MutexLock lock(mutex_);
      if (!idle_.empty()) {
        EasyHandle handle = std::move(idle_.back());
        idle_.pop_back();
        return handle;
      }
    }
    return MakeEasyHandle();
  }

  void GiveBack(EasyHandle handle) {
    const MutexLock lock(mutex_);
    if (idle_.size() < idle_max_) {
      idle_.push_back(std::move(handle));
    }
  }

 private:
  const std::size_t idle_max_;
  Mutex mutex_;
  std::vector<EasyHandle> idle_ STATOR_GUARDED_BY(mutex_);
};

CurlTransport::CurlTransport(CurlOptions options)
    : options_(std::move(options)), pool_(std::make_unique<Pool>(options_.idle_handles_max)) {}

CurlTransport::~CurlTransport() = default;

Result<HttpResponse> CurlTransport::Send(const HttpRequest& request) {
  TRY_VOID(CheckRequest(request));
  CurlExchange exchange(TRY(pool_->Take()), request, options_);
  Result<HttpResponse> response = exchange.Finish(Curl().easy_perform(exchange.handle()));
  pool_->GiveBack(exchange.TakeHandle());
  return response;
}

}  // namespace stator::transport
