// How requests and servers end: answers from other threads, forgotten ones, graceful stops, ports
// and addresses that cannot be had, access logs, TLS.

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <unistd.h>

#include "base/digest.h"
#include "server/access_log.h"
#include "server/tls.h"
#include "test_server.h"
#include "tls_client.h"
#include "wire/sigv4.h"

namespace stator::server {
namespace {

using std::chrono::seconds;

TEST(Lifecycle, AnswersMayComeFromOtherThreads) {
  TestServer test;
  Client waiting = test.Connect();
  waiting.Send(Post("Later", "first"));
  test.handler.WaitForLater(1);
  EXPECT_TRUE(test.Serves());  // Nobody is held up meanwhile.
  test.handler.AnswerLater();
  EXPECT_EQ(waiting.ReadAnswer().body, "first");
}

TEST(Lifecycle, ManyAnswersAtOnceFindTheirConnections) {
  TestServer test;
  std::vector<Client> clients;
  for (int count = 0; count < 50; ++count) {
    clients.push_back(test.Connect());
    clients.back().Send(Post("Later", std::to_string(count)));
  }
  test.handler.WaitForLater(50);
  test.handler.AnswerLater();
  for (int count = 0; count < 50; ++count) {
    EXPECT_EQ(clients[static_cast<std::size_t>(count)].ReadAnswer().body, std::to_string(count));
  }
}

TEST(Lifecycle, ForgottenRequestsAreAnsweredWithAnError) {
  TestServer test;
  Client client = test.Connect();
  for (const char* wish : {"Forget", "Throw"}) {
    client.Send(Post(wish, "{}"));
    const auto answer = client.ReadAnswer();
    ASSERT_NE(answer.status, 0);
    EXPECT_EQ(answer.status, 500) << wish;
    EXPECT_NE(answer.body.find("InternalServerError"), std::string::npos);
  }
  EXPECT_EQ(test.Metric("stator_handler_exceptions_total"), 1);
  EXPECT_TRUE(test.Serves());
}

TEST(Lifecycle, StoppingLetsRequestsEnd) {
  TestServer test;
  Client busy = test.Connect();
  busy.Send(Post("Later", "begun"));
  test.handler.WaitForLater(1);
  Client idle = test.Connect();
  idle.Send(Post("Echo", "{}"));
  ASSERT_NE(idle.ReadAnswer().status, 0);
  Client slow = test.Connect();
  const std::string request = Post("Echo", "half", "Expect: 100-continue\r\n");
  slow.Send(request.substr(0, request.size() - 4));
  ASSERT_EQ(slow.ReadAnswer().status, 100);

  const std::jthread stopping([&] { test.server->Stop(seconds(10)); });
  EXPECT_TRUE(idle.IsClosedByServer());
  slow.Send("half");
  auto half = slow.ReadAnswer();
  ASSERT_NE(half.status, 0);
  EXPECT_EQ(half.body, "half");
  EXPECT_EQ(half.fields["connection"], "close");
  test.handler.AnswerLater();
  auto begun = busy.ReadAnswer();
  ASSERT_NE(begun.status, 0);
  EXPECT_EQ(begun.body, "begun");
  EXPECT_EQ(begun.fields["connection"], "close");
  EXPECT_TRUE(busy.IsClosedByServer());
  EXPECT_TRUE(slow.IsClosedByServer());
  slow.Reset();
  busy.Reset();
}

TEST(Lifecycle, StoppingDoesNotWaitForEver) {
  TestServer test;
  Client stuck = test.Connect();
  stuck.Send(Post("Later", "{}"));
  test.handler.WaitForLater(1);
  auto stopped = std::async(std::launch::async, [&] { test.server->Stop(seconds(10)); });
  while (stopped.wait_for(std::chrono::milliseconds(2)) != std::future_status::ready) {
    test.clock.Advance(seconds(1));
  }
  EXPECT_TRUE(stuck.IsClosedByServer());
  test.handler.AnswerLater();  // Too late, and harmless.
}

TEST(Lifecycle, AServerThatGoesTakesItsConnectionsAlong) {
  TestServer test;
  Client busy = test.Connect();
  busy.Send(Post("Later", "{}"));
  test.handler.WaitForLater(1);
  test.server.reset();
  EXPECT_TRUE(busy.IsClosedByServer());
  test.handler.AnswerLater();
}

TEST(Lifecycle, AddressesBeyondThisMachineNeedCredentials) {
  ObedientHandler handler;
  for (const char* host : {"0.0.0.0", "::", "192.0.2.1"}) {
    const auto started = Server::Start({.host = host, .port = 0}, handler);
    ASSERT_FALSE(started.has_value());
    EXPECT_EQ(started.error().code, ErrorCode::kValidation);
    EXPECT_TRUE(started.error().message.starts_with("refusing to listen on " + std::string(host)))
        << started.error().message;
  }
  const auto named = Server::Start({.host = "example.com", .port = 0}, handler);
  ASSERT_FALSE(named.has_value());
  EXPECT_EQ(named.error().code, ErrorCode::kValidation);
}

TEST(Lifecycle, LimitsOfNothingAreRefused) {
  ObedientHandler handler;
  const auto started = Server::Start({.port = 0, .limits = {.connections = 0}}, handler);
  ASSERT_FALSE(started.has_value());
  EXPECT_EQ(started.error().code, ErrorCode::kValidation);
  EXPECT_EQ(started.error().message, "the limit of connections must be more than 0");
  EXPECT_FALSE(Server::Start({.port = 0, .limits = {.head_time = {}}}, handler).has_value());
}

TEST(Lifecycle, ATakenPortIsTold) {
  TestServer test;
  ObedientHandler handler;
  const auto started = Server::Start({.port = test.server->port()}, handler);
  ASSERT_FALSE(started.has_value());
  EXPECT_EQ(started.error().code, ErrorCode::kResourceInUse);
  EXPECT_EQ(started.error().message,
            "cannot listen on " + test.server->endpoint() + ": Address already in use");
}

TEST(Lifecycle, LogsEveryRequestWhenAskedTo) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  {
    AccessLog log(ends[1]);
    TestServer test({.access_log = &log});
    Client client = test.Connect();
    client.Send(Post("Echo", "{}"));
    ASSERT_NE(client.ReadAnswer().status, 0);
    client.Send("nonsense\r\n\r\n");
    ASSERT_NE(client.ReadAnswer().status, 0);
  }
  std::array<char, 4096> text{};
  const ssize_t count = ::read(ends[0], text.data(), text.size());
  ASSERT_GT(count, 0);
  const std::string lines(text.data(), static_cast<std::size_t>(count));
  EXPECT_NE(lines.find(R"("operation":"Echo","status":200,)"), std::string::npos) << lines;
  EXPECT_NE(lines.find(R"("status":400,"error":"BadRequest")"), std::string::npos) << lines;
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Lifecycle, ChecksSignaturesOverTheWire) {
  auto credentials = std::make_shared<Credentials>();
  ASSERT_TRUE(
      credentials->Add("me", {.access_key_id = "AKID", .secret_access_key = "s"}, std::nullopt)
          .has_value());
  TestServer test({.host = "0.0.0.0", .credentials = credentials});
  Client client = test.Connect();
  client.Send(Post("Echo", "{}"));
  const auto refused = client.ReadAnswer();
  ASSERT_NE(refused.status, 0);
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("#MissingAuthenticationTokenException"), std::string::npos);

  const wire::Signer signer({.access_key_id = "AKID", .secret_access_key = "s"}, "r", "dynamodb");
  const std::vector<wire::HttpField> fields = {
      {.name = "Host", .value = "localhost"},
      {.name = "X-Amz-Target", .value = "DynamoDB_20120810.Echo"}};
  std::string lines;
  for (const auto& [name, value] :
       signer.Sign({.method = "POST", .path = "/", .query = "", .fields = fields},
                   wire::Hex(base::Sha256Of("{}")), test.clock.Now())) {
    lines += name + ": " + value + "\r\n";
  }
  client.Send(Post("Echo", "{}", lines));
  EXPECT_EQ(client.ReadAnswer().status, 200);
  client.Send(Post("Echo", "[]", lines));
  EXPECT_EQ(client.ReadAnswer().status, 400);
}

std::shared_ptr<const Credentials> OneKey(std::string id, std::string secret) {
  auto credentials = std::make_shared<Credentials>();
  EXPECT_TRUE(credentials->Add(
      "test", {.access_key_id = std::move(id), .secret_access_key = std::move(secret)},
      policy::Policy()));
  return credentials;
}

// A request that is signed with a key.
std::string SignedPost(const TestServer& test, const std::string& target, std::string id,
                       std::string secret) {
  const wire::Signer signer(
      {.access_key_id = std::move(id), .secret_access_key = std::move(secret)}, "r", "dynamodb");
  const std::string full_target = "DynamoDB_20120810." + target;
  const std::vector<wire::HttpField> fields = {{.name = "Host", .value = "localhost"},
                                               {.name = "X-Amz-Target", .value = full_target}};
  std::string lines;
  for (const auto& [name, value] :
       signer.Sign({.method = "POST", .path = "/", .query = "", .fields = fields},
                   wire::Hex(base::Sha256Of("{}")), test.clock.Now())) {
    lines += name + ": " + value + "\r\n";
  }
  return Post(target, "{}", lines);
}

TEST(Lifecycle, CredentialsCanBeChangedWhileItServes) {
  TestServer test({.threads = 1, .credentials = OneKey("AKID", "old")});
  Client client = test.Connect();
  const auto status_with = [&](const std::string& id, const std::string& secret) {
    client.Send(SignedPost(test, "Echo", id, secret));
    return client.ReadAnswer().status;
  };
  EXPECT_EQ(status_with("AKID", "old"), 200);
  test.server->SetCredentials(OneKey("AKID", "new"));
  EXPECT_EQ(status_with("AKID", "old"), 400) << "no key is kept behind its id";
  EXPECT_EQ(status_with("AKID", "new"), 200);
  test.server->SetCredentials(OneKey("OTHER", "new"));
  EXPECT_EQ(status_with("AKID", "new"), 400);
  EXPECT_EQ(status_with("OTHER", "new"), 200);
}

TEST(Lifecycle, RequestsUnderWayKeepTheCredentialsThatTheyCameWith) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  {
    AccessLog log(ends[1]);
    TestServer test(
        {.threads = 1, .credentials = OneKey("AKIDOFTHEOLDKEY", "old"), .access_log = &log});
    Client client = test.Connect();
    client.Send(SignedPost(test, "Later", "AKIDOFTHEOLDKEY", "old"));
    test.handler.WaitForLater(1);
    test.server->SetCredentials(OneKey("OTHER", "new"));
    Client other = test.Connect();
    other.Send(SignedPost(test, "Echo", "OTHER", "new"));
    EXPECT_EQ(other.ReadAnswer().status, 200);
    test.handler.AnswerLater();
    EXPECT_EQ(client.ReadAnswer().status, 200);
  }
  std::array<char, 4096> text{};
  const ssize_t count = ::read(ends[0], text.data(), text.size());
  ASSERT_GT(count, 0);
  // The log reads their names from the credentials that are no longer the server's.
  EXPECT_TRUE(std::string_view(text.data(), static_cast<std::size_t>(count))
                  .contains(R"("access_key_id":"AKIDOFTHEOLDKEY")"));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Lifecycle, CertificatesCanBeChangedWhileItServes) {
  SeededRandom random(1);
  const auto first = MakeDevelopmentIdentity(SystemClock().Now(), random);
  const auto second = MakeDevelopmentIdentity(SystemClock().Now(), random);
  ASSERT_TRUE(first.has_value() && second.has_value());
  TestServer test({.threads = 1, .tls = *first});
  TlsClient before(test.server->port(), first->certificate_pem);
  before.Send(Post("Echo", "{}"));
  EXPECT_TRUE(before.ReadUntil("{}").starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_FALSE(
      test.server->SetTlsIdentity({first->certificate_pem, second->private_key_pem}).has_value());
  ASSERT_TRUE(test.server->SetTlsIdentity(*second).has_value());
  // The connection that is open goes on; the next one meets the new certificate.
  before.Send(Post("Echo", "{}"));
  EXPECT_TRUE(before.ReadUntil("{}").starts_with("HTTP/1.1 200 OK\r\n"));
  TlsClient after(test.server->port(), second->certificate_pem);
  after.Send(Post("Echo", "{}"));
  EXPECT_TRUE(after.ReadUntil("{}").starts_with("HTTP/1.1 200 OK\r\n"));
  TestServer plain;
  EXPECT_FALSE(plain.server->SetTlsIdentity(*first).has_value());
}

TEST(Lifecycle, ServesOverTls) {
  SeededRandom random(1);
  const auto identity = MakeDevelopmentIdentity(SystemClock().Now(), random);
  ASSERT_TRUE(identity.has_value());
  TestServer test({.tls = *identity});
  EXPECT_TRUE(test.server->endpoint().starts_with("https://127.0.0.1:"));
  TlsClient client(test.server->port(), identity->certificate_pem);
  const std::string body(100'000, 'x');
  for (int count = 0; count < 3; ++count) {
    client.Send(Post("Echo", body));
    const std::string answer = client.ReadUntil(body);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  }
  const std::string request = Post("Echo", "{}", "Expect: 100-continue\r\n");
  client.Send(request.substr(0, request.size() - 2));
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.Send("{}");
  EXPECT_TRUE(client.ReadUntil("\r\n\r\n{}").starts_with("HTTP/1.1 200 OK\r\n"));
  client.Send(Post("Echo", "bye", "Connection: close\r\n"));
  EXPECT_TRUE(client.ReadUntil("bye").starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(client.IsClosedByServer());

  Client plain = test.Connect();
  plain.Send(Post("Echo", "{}"));
  EXPECT_TRUE(plain.IsClosedByServer());
  Client silent = test.Connect();
  EXPECT_TRUE(test.AdvanceUntilDropped(silent));
}

TEST(Lifecycle, RefusesCertificatesThatDoNotFit) {
  SeededRandom random(1);
  const auto one = MakeDevelopmentIdentity(SystemClock().Now(), random);
  const auto other = MakeDevelopmentIdentity(SystemClock().Now(), random);
  ASSERT_TRUE(one.has_value() && other.has_value());
  ObedientHandler handler;
  for (const TlsIdentity& wrong : {TlsIdentity{one->certificate_pem, other->private_key_pem},
                                   TlsIdentity{"nonsense", one->private_key_pem},
                                   TlsIdentity{one->certificate_pem, "nonsense"}}) {
    const auto started = Server::Start({.port = 0, .tls = wrong}, handler);
    ASSERT_FALSE(started.has_value());
    EXPECT_EQ(started.error().code, ErrorCode::kValidation);
  }
}

}  // namespace
}  // namespace stator::server
