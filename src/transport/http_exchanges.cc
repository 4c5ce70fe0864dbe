#include "transport/http_exchanges.h"

#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "stator/base/mutex.h"
#include "transport/curl_exchange.h"

namespace stator::transport {
namespace {

// libcurl is woken for everything that happens; this is only how long it may sleep.
constexpr int kLongestSleepMs = 60'000;

struct Order {
  std::uint64_t number = 0;
  HttpRequest request;
  std::string body;
  HttpExchanges::Done done;
  std::unique_ptr<CurlExchange> exchange = nullptr;
};

}  // namespace

struct HttpExchanges::State {
  explicit State(CurlOptions given) : options(std::move(given)), loaded(LoadCurl()) {
    if (loaded) {
      multi = MakeCurlMulti();
      thread = std::thread([this] { Work(); });
    }
  }

  void Work() {
    std::map<std::uint64_t, std::unique_ptr<Order>> running;
    while (TakeOrders(running)) {
      int count = 0;
      CHECK(Curl().multi_perform(multi.get(), &count) == CURLM_OK);
      int left = 0;
      while (const CURLMsg* const message = Curl().multi_info_read(multi.get(), &left)) {
        if (message->msg == CURLMSG_DONE) {
          End(running, message->easy_handle, message->data.result);
        }
      }
      (void)Curl().multi_poll(multi.get(), nullptr, 0, kLongestSleepMs, nullptr);
    }
    for (const auto& [number, order] : running) {
      Curl().multi_remove_handle(multi.get(), order->exchange->handle());
    }
  }

  std::uint64_t NextNumber() {
    const MutexLock lock(mutex);
    return ++last;
  }

  // False when it is over.
  bool TakeOrders(std::map<std::uint64_t, std::unique_ptr<Order>>& running) {
    std::vector<std::unique_ptr<Order>> started;
    std::vector<std::uint64_t> unwanted;
    {
      const MutexLock lock(mutex);
      if (stopping) {
        return false;
      }
      started.swap(orders);
      unwanted.swap(cancelled);
    }
    for (std::unique_ptr<Order>& order : started) {
      CURL* const handle = order->exchange->handle();
      CHECK(Curl().easy_setopt(handle, CURLOPT_PRIVATE, static_cast<void*>(order.get())) ==
            CURLE_OK);
      CHECK(Curl().multi_add_handle(multi.get(), handle) == CURLM_OK);
      const std::uint64_t number = order->number;
      running.emplace(number, std::move(order));
    }
    for (const std::uint64_t number : unwanted) {
      if (const auto found = running.find(number); found != running.end()) {
        Curl().multi_remove_handle(multi.get(), found->second->exchange->handle());
        running.erase(found);
      }
    }
    return true;
  }

  void End(std::map<std::uint64_t, std::unique_ptr<Order>>& running, CURL* handle, CURLcode code) {
    char* owner = nullptr;
    (void)Curl().easy_getinfo(handle, CURLINFO_PRIVATE, &owner);
    // libcurl keeps the pointer for us, as one to char.
    auto* const order = reinterpret_cast<Order*>(owner);  // NOLINT(*-reinterpret-cast)
    Curl().multi_remove_handle(multi.get(), handle);
    order->done(order->exchange->Finish(code));
    running.erase(order->number);
  }

  const CurlOptions options;
  const Result<void> loaded;  // without libcurl every exchange fails
  CurlMulti multi;
  Mutex mutex;
  std::vector<std::unique_ptr<Order>> orders STATOR_GUARDED_BY(mutex);
  std::vector<std::uint64_t> cancelled STATOR_GUARDED_BY(mutex);
  std::uint64_t last STATOR_GUARDED_BY(mutex) = 0;
  bool stopping STATOR_GUARDED_BY(mutex) = false;
  std::thread thread;  // begun and joined with the state
};

HttpExchanges::HttpExchanges(CurlOptions options)
    : state_(std::make_unique<State>(std::move(options))) {}

HttpExchanges::~HttpExchanges() {
  {
    const MutexLock lock(state_->mutex);
    state_->stopping = true;
  }
  if (state_->loaded) {
    Curl().multi_wakeup(state_->multi.get());
    state_->thread.join();
  }
}

std::uint64_t HttpExchanges::Start(HttpRequest request, std::string body, Done done) {
  auto order = std::make_unique<Order>(
      Order{.request = std::move(request), .body = std::move(body), .done = std::move(done)});
  order->request.body = order->body;
  Result<std::unique_ptr<CurlExchange>> made = CurlExchange::Make(state_->options, order->request);
  const std::uint64_t number = state_->NextNumber();
  if (!made) {
    order->done(std::unexpected(std::move(made).error()));
    return number;
  }
  order->number = number;
  order->exchange = *std::move(made);
  {
    const MutexLock lock(state_->mutex);
    state_->orders.push_back(std::move(order));
  }
  Curl().multi_wakeup(state_->multi.get());
  return number;
}

void HttpExchanges::Cancel(std::uint64_t exchange) {
  if (!state_->loaded) {
    return;
  }
  {
    const MutexLock lock(state_->mutex);
    state_->cancelled.push_back(exchange);
  }
  Curl().multi_wakeup(state_->multi.get());
}

}  // namespace stator::transport
