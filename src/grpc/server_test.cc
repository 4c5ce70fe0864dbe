// The server from outside, by a client that can misbehave, under a clock that the test moves: what
// clients may take, who is closed when it is too much, and that slow ones wait for themselves alone.

#include "grpc/server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "grpc/message_reader.h"
#include "grpc/test_client.h"
#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"

namespace stator::grpc {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kPieceBytes = 100'000;

std::string Framed(std::string_view message) {
  std::string out;
  AppendFramed(message, out);
  return out;
}

// Counts what happens to calls.
struct Events {
  Mutex mutex;
  ConditionVariable changed;
  int asked STATOR_GUARDED_BY(mutex) = 0;
  int cancelled STATOR_GUARDED_BY(mutex) = 0;

  void AwaitCancelled(int count) {
    MutexLock lock(mutex);
    changed.Wait(lock, [&]() STATOR_REQUIRES(mutex) { return cancelled >= count; });
  }
  int CountAsked() {
    const MutexLock lock(mutex);
    return asked;
  }
};

class TestCall final : public Call {
 public:
  TestCall(std::string_view method, std::string request, Events& events)
      : method_(method), request_(std::move(request)), events_(&events) {}

  void Next(Give give) override {
    {
      const MutexLock lock(events_->mutex);
      ++events_->asked;
    }
    if (method_ == "/t/Echo") {
      give({.message = std::move(request_), .status = Status{}});
    } else if (method_ == "/t/Fail") {
      give({.status = Status{StatusCode::kNotFound, "100%"}});
    } else if (method_ == "/t/Elsewhere") {
      std::thread([give = std::move(give)]() mutable {
        give({.message = "there", .status = Status{}});
      }).detach();
    } else if (method_ == "/t/Count" && left_ > 0) {
      --left_;
      give({.message = std::string(kPieceBytes, 'x')});
    } else if (method_ == "/t/Count") {
      give({.status = Status{}});
    } else if (!has_begun_) {
      has_begun_ = true;
      give({});
    } else {
      waiting_ = std::move(give);
    }
  }
  void Cancel() override {
    const MutexLock lock(events_->mutex);
    ++events_->cancelled;
    events_->changed.NotifyAll();
  }
  void EndSoon() override {
    if (waiting_ && request_ != "stubborn") {
      waiting_({.status = Status{StatusCode::kUnavailable, "stopping"}});
    }
  }

 private:
  const std::string method_;
  std::string request_;
  Events* events_;
  int left_ = 100;
  bool has_begun_ = false;
  Give waiting_;
};

class TestHandler final : public Handler {
 public:
  [[nodiscard]] bool Has(std::string_view method) const override {
    return method.starts_with("/t/");
  }
  std::shared_ptr<Call> Begin(std::string_view method, std::string request) override {
    return std::make_shared<TestCall>(method, std::move(request), events);
  }

  Events events;
};

class GrpcServerTest : public testing::Test {
 protected:
  void Start(Limits limits = {}) {
    limits.check_interval = milliseconds(5);
    auto server = Server::Start({.limits = limits, .clock = clock_}, handler_);
    ASSERT_TRUE(server.has_value()) << server.error().message;
    server_ = *std::move(server);
  }
  std::uint16_t port() { return server_->port(); }

  ManualClock clock_{TimePoint(seconds{1'794'744'000})};
  TestHandler handler_;
  std::unique_ptr<Server> server_;
};

TEST_F(GrpcServerTest, AnswersCallsOfOneConnection) {
  Start();
  TestClient client(port());
  const auto first = client.Post("/t/Echo", Framed("hello"));
  const auto second = client.Post("/t/Fail", Framed(""));
  const auto third = client.Post("/t/Elsewhere", Framed(""));
  EXPECT_EQ(client.Await(first).body, Framed("hello"));
  EXPECT_EQ(client.Await(first).status(), "0");
  EXPECT_EQ(client.Await(first).headers.at("content-type"), "application/grpc");
  EXPECT_EQ(client.Await(second).status(), "5");
  EXPECT_EQ(client.Await(second).headers.at("grpc-message"), "100%25");
  EXPECT_EQ(client.Await(third).body, Framed("there"));
  EXPECT_EQ(client.Await(client.Post("/u/None", Framed(""))).status(), "12");
  const std::string large(3'000'000, 'y');
  EXPECT_EQ(client.Await(client.Post("/t/Echo", Framed(large))).body, Framed(large));
}

TEST_F(GrpcServerTest, StreamsUntilTheEnd) {
  Start();
  TestClient client(port());
  const TestClient::Answer& answer = client.Await(client.Post("/t/Count", Framed("")));
  EXPECT_EQ(answer.body.size(), 100 * (kPieceBytes + 5));
  EXPECT_EQ(answer.status(), "0");
  EXPECT_EQ(answer.closed, 0U);
}

TEST_F(GrpcServerTest, NothingIsAskedForThatNobodyTakes) {
  Start();
  TestClient client(port(), /*reads_on=*/false);
  const auto id = client.Post("/t/Count", Framed(""));
  ASSERT_TRUE(client.ReadUntil([&] { return client.answer(id).body.size() == 65'535; }));
  EXPECT_EQ(handler_.events.CountAsked(), 1);
  // Others on the same connection go on.
  EXPECT_EQ(client.Await(client.Post("/t/Echo", Framed("a"))).status(), "0");
  EXPECT_EQ(handler_.events.CountAsked(), 2);
}

TEST_F(GrpcServerTest, TheSlowestReaderIsCutOffWhenMemoryIsShort) {
  Start({.unsent_bytes = 2 * kPieceBytes});
  TestClient slow(port(), /*reads_on=*/false);
  const auto first = slow.Post("/t/Count", Framed(""));
  ASSERT_TRUE(slow.ReadUntil([&] { return slow.answer(first).body.size() == 65'535; }));
  clock_.Advance(seconds(1));
  TestClient other(port(), /*reads_on=*/false);
  std::vector<std::int32_t> more;
  for (int number = 0; number < 8; ++number) {
    more.push_back(other.Post("/t/Count", Framed("")));
    clock_.Advance(seconds(1));
  }
  EXPECT_EQ(slow.Await(first).closed, NGHTTP2_ENHANCE_YOUR_CALM);
  handler_.events.AwaitCancelled(1);
  TestClient fast(port());
  EXPECT_EQ(fast.Await(fast.Post("/t/Count", Framed(""))).status(), "0");
}

TEST_F(GrpcServerTest, RequestsHaveABoundInAll) {
  Start({.message_bytes = 100'000, .requests_bytes = 150'000});
  TestClient client(port());
  const auto held = client.Post("/t/Echo", Framed(std::string(100'000, 'x')).substr(0, 90'000),
                                /*ends=*/false);
  // Only what has come counts.
  while (client.Await(client.Post("/t/Echo", Framed(std::string(90'000, 'x')))).status() != "8") {
  }
  client.Reset(held);
  while (client.Await(client.Post("/t/Echo", Framed(std::string(90'000, 'x')))).status() != "0") {
  }
}

TEST_F(GrpcServerTest, ConnectionsMustAskInTime) {
  Start();
  TestClient silent(port());
  clock_.Advance(seconds(31));
  EXPECT_EQ(silent.AwaitEnd(), NGHTTP2_NO_ERROR);
  TestClient idle(port());
  EXPECT_EQ(idle.Await(idle.Post("/t/Echo", Framed(""))).status(), "0");
  clock_.Advance(std::chrono::minutes(6));
  EXPECT_EQ(idle.AwaitEnd(), NGHTTP2_NO_ERROR);
}

TEST_F(GrpcServerTest, RequestsMustComeInTimeAndAnswersMayTakeAny) {
  Start();
  TestClient client(port());
  const auto waiting = client.Post("/t/Wait", Framed(""));
  ASSERT_TRUE(client.ReadUntil([&] { return !client.answer(waiting).headers.empty(); }));
  const auto late = client.Post("/t/Echo", Framed("abc").substr(0, 6), /*ends=*/false);
  // The server has it when it answers what comes behind.
  EXPECT_EQ(client.Await(client.Post("/t/Echo", Framed(""))).status(), "0");
  clock_.Advance(seconds(31));
  EXPECT_EQ(client.Await(late).status(), "4");
  clock_.Advance(std::chrono::hours(1));
  EXPECT_EQ(client.Await(client.Post("/t/Echo", Framed(""))).status(), "0");
  EXPECT_FALSE(client.answer(waiting).closed.has_value());
}

TEST_F(GrpcServerTest, AnIdleConnectionMakesRoomForAnother) {
  Start({.connections = 2});
  TestClient first(port());
  EXPECT_EQ(first.Await(first.Post("/t/Echo", Framed(""))).status(), "0");
  clock_.Advance(seconds(1));
  TestClient second(port());
  const auto kept = second.Post("/t/Wait", Framed(""));
  ASSERT_TRUE(second.ReadUntil([&] { return !second.answer(kept).headers.empty(); }));
  TestClient third(port());
  const auto more = third.Post("/t/Wait", Framed(""));
  ASSERT_TRUE(third.ReadUntil([&] { return !third.answer(more).headers.empty(); }));
  first.AwaitEnd();
  // Those that are busy are not given up.
  TestClient fourth(port());
  fourth.AwaitEnd();
  EXPECT_EQ(second.Await(second.Post("/t/Echo", Framed(""))).status(), "0");
}

TEST_F(GrpcServerTest, WhoBreaksOffTooManyCallsIsClosed) {
  Start({.resets_at_once = 20, .resets_per_second = 1});
  TestClient client(port());
  for (int number = 0; number < 21; ++number) {
    client.Reset(client.Post("/t/Wait", Framed("")));
  }
  EXPECT_EQ(client.AwaitEnd(), NGHTTP2_ENHANCE_YOUR_CALM);
}

TEST_F(GrpcServerTest, AClientThatGoesFreesItsCalls) {
  Start();
  TestClient client(port());
  const auto first = client.Post("/t/Wait", Framed(""));
  const auto second = client.Post("/t/Wait", Framed(""));
  ASSERT_TRUE(client.ReadUntil([&] { return !client.answer(second).headers.empty(); }));
  client.Reset(first);
  handler_.events.AwaitCancelled(1);
  client.Close();
  handler_.events.AwaitCancelled(2);
}

TEST_F(GrpcServerTest, AStopEndsWhatWaits) {
  Start();
  TestClient client(port());
  const auto waiting = client.Post("/t/Wait", Framed(""));
  ASSERT_TRUE(client.ReadUntil([&] { return !client.answer(waiting).headers.empty(); }));
  EXPECT_EQ(client.Await(client.Post("/t/Echo", Framed(""))).status(), "0");
  std::jthread stopping([&] { server_->Stop(std::chrono::hours(1)); });
  EXPECT_EQ(client.Await(waiting).status(), "14");
  EXPECT_EQ(client.AwaitEnd(), NGHTTP2_NO_ERROR);
  client.Close();
}

TEST_F(GrpcServerTest, AStopWaitsForNobodyBeyondItsTime) {
  Start();
  TestClient client(port());
  const auto waiting = client.Post("/t/Wait", Framed("stubborn"));
  ASSERT_TRUE(client.ReadUntil([&] { return !client.answer(waiting).headers.empty(); }));
  server_->Stop(Duration::zero());
  handler_.events.AwaitCancelled(1);
  EXPECT_FALSE(client.Await(waiting).closed.has_value());
}

TEST_F(GrpcServerTest, RefusesOtherAddressesAndPortsThatAreTaken) {
  for (const char* host : {"0.0.0.0", "::", "192.0.2.1", "example.org", ""}) {
    const auto server = Server::Start({.host = host}, handler_);
    ASSERT_FALSE(server.has_value()) << host;
    EXPECT_EQ(server.error().code, ErrorCode::kValidation) << host;
  }
  Start();
  const auto second = Server::Start({.port = port()}, handler_);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, ErrorCode::kResourceInUse);
  EXPECT_FALSE(Server::Start({.limits = {.streams = 0}}, handler_).has_value());
}

}  // namespace
}  // namespace stator::grpc
