// What transport/http_exchanges.h promises, on real sockets.

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <semaphore>
#include <string>
#include <vector>

#include "client/scripted_server.h"
#include "transport/http_exchanges.h"

namespace stator::client {
namespace {

using transport::HttpExchanges;
using transport::HttpResponse;

std::future<Result<HttpResponse>> Start(HttpExchanges& exchanges, const std::string& url,
                                        std::uint64_t* number = nullptr) {
  std::promise<Result<HttpResponse>> promise;
  std::future<Result<HttpResponse>> future = promise.get_future();
  const std::uint64_t started =
      exchanges.Start({.url = url}, "body of " + url,
                      [promise = std::move(promise)](Result<HttpResponse> response) mutable {
                        promise.set_value(std::move(response));
                      });
  if (number != nullptr) {
    *number = started;
  }
  return future;
}

TEST(HttpExchanges, ManyAtOnceAndEachHasItsAnswer) {
  // Nobody is answered before all have asked, so they are under way at once.
  constexpr int kCount = 20;
  std::counting_semaphore<kCount> asked(0);
  std::atomic<int> waiting = 0;
  ScriptedServer server([&](const ReceivedRequest& request) {
    if (++waiting == kCount) {
      asked.release(kCount);
    }
    asked.acquire();
    return Answer(200, request.path + " " + request.body);
  });
  HttpExchanges exchanges;
  std::vector<std::future<Result<HttpResponse>>> futures;
  for (int number = 0; number < kCount; ++number) {
    futures.push_back(Start(exchanges, server.url() + "/" + std::to_string(number)));
  }
  for (int number = 0; number < kCount; ++number) {
    const Result<HttpResponse> response = futures[static_cast<std::size_t>(number)].get();
    ASSERT_TRUE(response) << response.error().message;
    const std::string path = "/" + std::to_string(number);
    EXPECT_EQ(response->body, path + " body of " + server.url() + path);
  }
}

TEST(HttpExchanges, FailuresAreThoseOfTheTransport) {
  ScriptedServer server([](const ReceivedRequest&) { return HangUp(); });
  HttpExchanges exchanges;
  EXPECT_EQ(Start(exchanges, server.url()).get().error().code, ErrorCode::kIo);
  EXPECT_EQ(Start(exchanges, "http://127.0.0.1:1/").get().error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(Start(exchanges, "gopher://x/").get().error().code, ErrorCode::kValidation);
}

TEST(HttpExchanges, WhatIsCancelledOrLeftIsBrokenOff) {
  std::counting_semaphore<2> arrived(0);
  std::binary_semaphore release(0);
  ScriptedServer server([&](const ReceivedRequest&) {
    arrived.release();
    release.acquire();
    release.release();
    return Answer(200, "late");
  });
  std::future<Result<HttpResponse>> cancelled;
  std::future<Result<HttpResponse>> left;
  {
    HttpExchanges exchanges;
    std::uint64_t number = 0;
    cancelled = Start(exchanges, server.url(), &number);
    left = Start(exchanges, server.url());
    arrived.acquire();
    arrived.acquire();
    exchanges.Cancel(number);
  }
  release.release();
  EXPECT_THROW(cancelled.get(), std::future_error);  // Nobody was told.
  EXPECT_THROW(left.get(), std::future_error);
}

}  // namespace
}  // namespace stator::client
