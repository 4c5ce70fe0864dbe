#include "transport/curl_transport.h"

#include <utility>

#include "base/serving_thread.h"
#include "base/try.h"
#include "transport/connection_pool.h"
#include "transport/curl_library.h"
#include "transport/exchange.h"
#include "transport/request_head.h"

namespace stator::transport {

CurlTransport::CurlTransport(CurlOptions options)
    : options_(std::move(options)), pool_(std::make_unique<ConnectionPool>(options_)) {}

CurlTransport::~CurlTransport() = default;

Result<HttpResponse> CurlTransport::Send(const HttpRequest& request) {
  base::MayWait();
  TRY_VOID(CheckRequest(request));
  TRY_VOID(LoadCurl());
  const Duration deadline = SystemClock().Elapsed() + request.timeout;
  std::unique_ptr<CurlConnection> connection = TRY(pool_->Take(request));
  Exchange exchange(*connection, request);
  Result<HttpResponse> response = exchange.Run(deadline);
  if (!exchange.keeps_connection()) {
    connection->Disconnect();
  }
  pool_->GiveBack(std::move(connection));
  return response;
}

}  // namespace stator::transport
