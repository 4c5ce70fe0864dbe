#include "transport/curl_transport.h"

#include <utility>
#include <vector>

#include "base/try.h"
#include "stator/base/mutex.h"
#include "transport/curl_exchange.h"

namespace stator::transport {

// Exchanges that are not under way, each with the connections that its handle has kept. The last one
// given back is the first one taken: its connection is the least likely to have been closed meanwhile.
class CurlTransport::Pool {
 public:
  explicit Pool(const CurlOptions& options) : options_(options) {}

  Result<std::unique_ptr<CurlExchange>> Take() {
    {
      const MutexLock lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<CurlExchange> exchange = std::move(idle_.back());
        idle_.pop_back();
        return exchange;
      }
    }
    return CurlExchange::Make(options_);
  }

  void GiveBack(std::unique_ptr<CurlExchange> exchange) {
    const MutexLock lock(mutex_);
    if (idle_.size() < options_.idle_handles_max) {
      idle_.push_back(std::move(exchange));
    }
  }

 private:
  const CurlOptions& options_;
  Mutex mutex_;
  std::vector<std::unique_ptr<CurlExchange>> idle_ STATOR_GUARDED_BY(mutex_);
};

CurlTransport::CurlTransport(CurlOptions options)
    : options_(std::move(options)), pool_(std::make_unique<Pool>(options_)) {}

CurlTransport::~CurlTransport() = default;

Result<HttpResponse> CurlTransport::Send(const HttpRequest& request) {
  TRY_VOID(CheckRequest(request));
  std::unique_ptr<CurlExchange> exchange = TRY(pool_->Take());
  exchange->Begin(request);
  Result<HttpResponse> response = exchange->Finish(Curl().easy_perform(exchange->handle()));
  pool_->GiveBack(std::move(exchange));
  return response;
}

}  // namespace stator::transport
