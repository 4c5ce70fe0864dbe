// Clients that are slow, greedy, silent or mad. Each is answered or dropped, the others are served,
// and memory stays bounded. Time is the test's: nothing here depends on how fast the machine is.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include "test_server.h"

namespace stator::server {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TEST(BadClients, WhoDribbleAHeadAreDropped) {
  TestServer test;
  Client slow = test.Connect();
  slow.Send("POST / HTTP/1.1\r\n");
  for (int second = 0; second < 9; ++second) {
    test.clock.Advance(seconds(1));
    ASSERT_TRUE(slow.Send("x"));
  }
  EXPECT_TRUE(test.Serves());
  EXPECT_FALSE(slow.IsClosedAlready());
  EXPECT_TRUE(test.AdvanceUntilDropped(slow));
  EXPECT_GE(test.Metric("stator_connections_timed_out_total"), 1);
  EXPECT_TRUE(test.Serves());
}

TEST(BadClients, WhoDribbleABodyAreDropped) {
  TestServer test;
  Client slow = test.Connect();
  const std::string request = Post("Echo", "0123456789", "Expect: 100-continue\r\n");
  slow.Send(request.substr(0, request.size() - 10));
  ASSERT_EQ(slow.ReadAnswer().status, 100);
  slow.Send("0123");
  test.clock.Advance(minutes(1) - seconds(1));
  EXPECT_TRUE(test.Serves());
  EXPECT_FALSE(slow.IsClosedAlready());
  test.clock.Advance(seconds(1));
  EXPECT_TRUE(slow.IsClosedByServer());
  EXPECT_TRUE(test.Serves());
}

TEST(BadClients, WhoAreIdleAreDroppedAfterAWhile) {
  TestServer test;
  Client idle = test.Connect();
  idle.Send(Post("Echo", "{}"));
  EXPECT_EQ(idle.ReadAnswer().status, 200);
  test.clock.Advance(minutes(1));
  idle.Send(Post("Echo", "{}"));
  EXPECT_EQ(idle.ReadAnswer().status, 200);
  test.clock.Advance(minutes(2) + seconds(1));
  EXPECT_TRUE(idle.IsClosedByServer());
}

TEST(BadClients, WhoNeverReadAreDropped) {
  TestServer test;
  Client deaf = test.Connect();
  // More than the system buffers for a connection.
  ASSERT_TRUE(deaf.Send(Post("Big", "50000000")));
  ASSERT_TRUE(test.WaitForMetric("stator_request_memory_bytes", 50'000'000));
  EXPECT_TRUE(test.Serves());
  // The time to take the answer begins when it has been made ready, in another thread.
  bool is_dropped = false;
  for (int minute = 0; minute < 10 && !is_dropped; ++minute) {
    test.clock.Advance(minutes(1) + seconds(1));
    is_dropped = test.WaitForMetric("stator_request_memory_bytes", 0);
  }
  ASSERT_TRUE(is_dropped);
  EXPECT_TRUE(test.Serves());
}

TEST(BadClients, WhoAskOnAndOnWithoutReadingAreHeldBack) {
  TestServer test;
  Client deaf = test.Connect();
  const std::string request = Post("Big", "100000");
  constexpr std::size_t kBytesMax = 64 << 20;  // far more than the system buffers
  std::size_t sent = 0;
  int refusals = 0;
  while (refusals < 50) {
    const std::size_t taken = deaf.SendNow(std::string_view(request).substr(sent % request.size()));
    sent += taken;
    ASSERT_LT(sent, kBytesMax) << "the server goes on reading";
    if (taken == 0) {
      ++refusals;
      ASSERT_TRUE(test.Serves());
    }
  }
  EXPECT_LE(test.Metric("stator_request_memory_bytes"), 1 << 20);
  test.clock.Advance(minutes(1) + seconds(1));
  ASSERT_TRUE(test.WaitForMetric("stator_connections", 1));
  EXPECT_EQ(test.Metric("stator_request_memory_bytes"), 0);
}

TEST(BadClients, WhoSendTooMuchAreTold) {
  TestServer test;
  Client large_head = test.Connect();
  large_head.Send("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(20'000, 'x'));
  EXPECT_EQ(large_head.ReadAnswer().status, 400);
  EXPECT_TRUE(large_head.IsClosedByServer());

  Client large_body = test.Connect();
  large_body.Send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16777217\r\n\r\n");
  EXPECT_EQ(large_body.ReadAnswer().status, 413);
  EXPECT_TRUE(large_body.IsClosedByServer());

  Client large_chunks = test.Connect();
  large_chunks.Send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1000001\r\n");
  EXPECT_EQ(large_chunks.ReadAnswer().status, 413);
  EXPECT_TRUE(test.Serves());
}

TEST(BadClients, WhoGoOnSendingAfterARefusalStillReadIt) {
  TestServer test;
  Client stubborn = test.Connect();
  stubborn.Send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 17000000\r\n\r\n");
  stubborn.Send(std::string(1'000'000, 'x'));  // Closing at once would destroy the answer.
  EXPECT_EQ(stubborn.ReadAnswer().status, 413);
}

TEST(BadClients, WhoTogetherHoldTooMuchMemoryAreRefused) {
  TestServer test({.limits = {.memory_bytes = 4 << 20}});
  std::vector<Client> greedy;
  const std::string beginning = Post("Echo", std::string(1'000'000, 'x')).substr(0, 900'000);
  for (int count = 0; count < 20; ++count) {
    greedy.push_back(test.Connect());
    greedy.back().Send(beginning);
  }
  // Those that are refused get an answer and go, the others wait for the rest of their body.
  int refused = 0;
  while (refused < 10) {
    ASSERT_TRUE(test.Serves());
    for (Client& client : greedy) {
      if (client.HasBytes()) {
        EXPECT_EQ(client.ReadAnswer().status, 503);
        client.Reset();
        ++refused;
      }
    }
  }
  EXPECT_LE(test.Metric("stator_request_memory_bytes"), 4 << 20);
  EXPECT_TRUE(test.Serves());
}

TEST(BadClients, WhoPromiseMuchAndSendLittleCostLittle) {
  TestServer test;
  std::vector<Client> braggarts;
  for (int count = 0; count < 100; ++count) {
    braggarts.push_back(test.Connect());
    braggarts.back().Send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16000000\r\n\r\nnothing much");
  }
  ASSERT_TRUE(test.WaitForMetric("stator_connections", 101));
  EXPECT_EQ(test.Metric("stator_request_memory_bytes"), 0);
  EXPECT_TRUE(test.Serves());
}

TEST(BadClients, WhoLeaveInTheMiddleAreForgotten) {
  TestServer test;
  for (int count = 0; count < 50; ++count) {
    Client half_head = test.Connect();
    half_head.Send("POST / HT");
    half_head.CloseSending();
    EXPECT_TRUE(half_head.IsClosedByServer());
    Client half_body = test.Connect();
    half_body.Send(Post("Echo", "{}").substr(0, 130));
    half_body.Reset();
    Client unread = test.Connect();
    unread.Send(Post("Big", "3000000"));
    unread.Reset();
    Client in_handler = test.Connect();
    in_handler.Send(Post("Thread", "{}"));
    in_handler.Reset();
  }
  ASSERT_TRUE(test.WaitForMetric("stator_connections", 1));
  EXPECT_EQ(test.Metric("stator_request_memory_bytes"), 0);
}

TEST(BadClients, WhoSpeakSomethingElseAreToldAtOnce) {
  TestServer test;
  for (const std::string_view greeting :
       {std::string_view("\x16\x03\x01\x02\x00\x01\x00", 7), std::string_view("\0\0\0\0", 4),
        std::string_view("{\"a\":1}")}) {
    Client stranger = test.Connect();
    stranger.Send(greeting);
    EXPECT_EQ(stranger.ReadAnswer().status, 400);
    EXPECT_TRUE(stranger.IsClosedByServer());
  }
  Client modern = test.Connect();
  modern.Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  EXPECT_EQ(modern.ReadAnswer().status, 505);
}

TEST(BadClients, WhoTakeAllConnectionsGiveWayToNewOnes) {
  TestServer test({.threads = 1, .limits = {.connections = 5}});
  std::vector<Client> idle;
  for (int count = 0; count < 5; ++count) {
    idle.push_back(test.Connect());
    idle.back().Send(Post("Echo", "{}"));
    ASSERT_EQ(idle.back().ReadAnswer().status, 200);
    test.clock.Advance(seconds(1));
  }
  Client newcomer = test.Connect();
  newcomer.Send(Post("Echo", "{}"));
  EXPECT_EQ(newcomer.ReadAnswer().status, 200);
  EXPECT_TRUE(idle.front().IsClosedByServer());  // The one that idled longest.
  idle.back().Send(Post("Echo", "{}"));
  EXPECT_EQ(idle.back().ReadAnswer().status, 200);
}

TEST(BadClients, WhoComeWhileAllAreBusyAreRefused) {
  TestServer test({.threads = 1, .limits = {.connections = 3}});
  std::vector<Client> busy;
  for (int count = 0; count < 3; ++count) {
    busy.push_back(test.Connect());
    busy.back().Send(Post("Later", "{}"));
  }
  test.handler.WaitForLater(3);
  Client newcomer = test.Connect();
  newcomer.Send(Post("Echo", "{}"));
  const HttpAnswer refusal = newcomer.ReadAnswer();
  EXPECT_EQ(refusal.status, 503);
  EXPECT_TRUE(refusal.body.contains("ServiceUnavailable")) << refusal.body;
  EXPECT_TRUE(newcomer.IsClosedByServer());
  test.handler.AnswerLater();
  for (Client& client : busy) {
    EXPECT_EQ(client.ReadAnswer().status, 200);
  }
  EXPECT_EQ(test.Metric("stator_connections_refused_total"), 1);
}

// Each way of taking connections without asking for anything, with all connections taken.
TEST(BadClients, WhoNeverFinishAskingDoNotKeepOthersOut) {
  const std::string body = Post("Echo", "never comes");
  for (const std::string& beginning :
       {std::string(), std::string("P"), std::string("POST / HTTP/1.1\r\nHost: localhost\r\nX: "),
        std::string("\r\n\r\n"), body.substr(0, body.size() - 3)}) {
    TestServer test({.threads = 1, .limits = {.connections = 5}});
    std::vector<Client> silent;
    for (int count = 0; count < 20; ++count) {
      silent.push_back(test.Connect());
      silent.back().Send(beginning);
      test.clock.Advance(std::chrono::milliseconds(1));
    }
    EXPECT_GE(test.Metric("stator_connections_accepted_total"), 21) << beginning;
    for (int count = 0; count < 10; ++count) {
      EXPECT_TRUE(test.Serves()) << beginning;  // Without waiting for anybody's time to be over.
    }
    EXPECT_EQ(test.Metric("stator_connections_refused_total"), 0);
    EXPECT_EQ(test.Metric("stator_connections_timed_out_total"), 0);
    EXPECT_GE(test.Metric("stator_connections_evicted_total"), 15);
  }
}

TEST(BadClients, WhoNeverFinishAskingDoNotDriveOutThoseWhoAskOften) {
  TestServer test({.threads = 1, .limits = {.connections = 3}});
  Client regular = test.Connect();
  std::vector<Client> silent;
  for (int count = 0; count < 10; ++count) {
    test.clock.Advance(std::chrono::milliseconds(1));
    regular.Send(Post("Echo", "{}"));
    ASSERT_EQ(regular.ReadAnswer().status, 200) << count;
    test.clock.Advance(std::chrono::milliseconds(1));
    silent.push_back(test.Connect());
    silent.back().Send("POST / HT");
    ASSERT_TRUE(test.Serves());
  }
}

TEST(BadClients, WhoTakeAllDescriptorsAreWaitedFor) {
  std::atomic<int> reports = 0;
  TestServer test({.threads = 1, .report_fault = [&](std::string_view sentence) {
                     EXPECT_TRUE(sentence.contains("ulimit -n")) << sentence;
                     ++reports;
                   }});
  ASSERT_TRUE(test.Serves());
  Client idle = test.Connect();  // What can be given up, when somebody needs it.
  idle.Send(Post("Later", "{}"));
  test.handler.WaitForLater(1);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int lowest_free = ::dup(0);
  ASSERT_GE(lowest_free, 0);
  ::close(lowest_free);
  // One is left for the client, none for the server.
  const rlimit none = {.rlim_cur = static_cast<rlim_t>(lowest_free) + 1,
                       .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  {
    Client waiting = test.Connect();
    waiting.Send(Post("Echo", "{}"));
    while (reports == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    test.handler.AnswerLater();
    EXPECT_EQ(idle.ReadAnswer().status, 200);
    // It idles now, and gives way.
    EXPECT_EQ(waiting.ReadAnswer().status, 200);
  }
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(reports, 1);
  EXPECT_GE(test.Metric("stator_accept_failures_total"), 1);
}

TEST(BadClients, AThousandAtOnceAreAllServed) {
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = files.rlim_max;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);
  constexpr std::size_t kClients = 1000;
  ASSERT_GT(files.rlim_cur, 2 * kClients + 100) << "raise the limit on open files";
  TestServer test;
  std::vector<Client> clients;
  clients.reserve(kClients);
  for (std::size_t count = 0; count < kClients; ++count) {
    clients.push_back(test.Connect());
  }
  for (Client& client : clients) {
    ASSERT_TRUE(client.Send(Post("Echo", "{}")));
  }
  for (Client& client : clients) {
    const auto answer = client.ReadAnswer();
    ASSERT_NE(answer.status, 0);
    EXPECT_EQ(answer.status, 200);
  }
  EXPECT_EQ(test.Metric("stator_connections"), kClients + 1);
}

}  // namespace
}  // namespace stator::server
