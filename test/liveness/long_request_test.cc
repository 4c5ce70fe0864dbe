// Others go on while long requests are under way: these are held in the server's executor for as
// long as a test likes, so no time is measured. What waits where it must not makes a test hang.

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/work.h"
#include "engine/engine.h"
#include "server/client.h"
#include "server/server.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "wire/handler.h"

namespace stator::server {
namespace {

// Holds every request that has left its io thread, until it is let go.
class HoldingHandler final : public wire::Handler {
 public:
  explicit HoldingHandler(Database& database) : handler_(database) {}

  void Handle(const wire::Request& request, Done done) override {
    if (!base::HasWorkShare()) {
      std::unique_lock lock(mutex_);
      ++held_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return open_; });
    }
    handler_.Handle(request, [this, done = std::move(done)](wire::Answer answer) mutable {
      {
        const std::lock_guard lock(mutex_);
        statuses_.push_back(answer.status);
      }
      done(std::move(answer));
    });
  }

  void AwaitHeld(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_ >= count; });
  }

  void Release() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

  [[nodiscard]] std::vector<int> statuses() {
    const std::lock_guard lock(mutex_);
    return statuses_;
  }

 private:
  wire::DatabaseHandler handler_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t held_ = 0;       // ever; protected by mutex_
  bool open_ = false;          // protected by mutex_
  std::vector<int> statuses_;  // of all answers; protected by mutex_
};

class LongRequest : public testing::Test {
 protected:
  explicit LongRequest(Limits limits = {}) {
    engine::EngineOptions options;
    options.store.in_memory = true;
    engine_ = engine::Engine::Open(options).value();
    EXPECT_TRUE(
        engine_->CreateTable({.table_name = "table",
                              .attribute_definitions = {{"pk", ScalarAttributeType::kString}},
                              .key_schema = {{"pk", KeyType::kHash}},
                              .billing_mode = BillingMode::kPayPerRequest}));
    for (int i = 0; i < 30; ++i) {
      EXPECT_TRUE(engine_->PutItem(
          {.table_name = "table",
           .item = {{"pk", "large" + std::to_string(i)}, {"t", std::string(300'000, 'a')}}}));
    }
    EXPECT_TRUE(engine_->PutItem({.table_name = "table", .item = {{"pk", "small"}}}));
    handler_ = std::make_unique<HoldingHandler>(*engine_);
    limits.check_interval = std::chrono::milliseconds(2);
    Result<std::unique_ptr<Server>> started = Server::Start({.port = 0,
                                                             .threads = 2,
                                                             .pool_threads = 2,
                                                             .limits = limits,
                                                             .clock = clock_,
                                                             .random = random_},
                                                            *handler_);
    CHECK_THAT(started.has_value(), started.error().message);
    server_ = *std::move(started);
  }

  ~LongRequest() override { handler_->Release(); }

  Client Connect() { return Client(server_->port()); }

  Client Send(std::string_view operation, std::string_view body) {
    Client client = Connect();
    EXPECT_TRUE(client.Send(Post(operation, body)));
    return client;
  }

  HttpAnswer Ask(std::string_view operation, std::string_view body) {
    return Send(operation, body).ReadAnswer();
  }

  int Look(std::string_view path) {
    Client client = Connect();
    client.Send("GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return client.ReadAnswer().status;
  }

  bool Await(std::string_view metric_line) {
    for (int attempt = 0; attempt < 4000; ++attempt) {
      Client client = Connect();
      client.Send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
      if (client.ReadAnswer().body.contains("\n" + std::string(metric_line) + "\n")) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }

  // What strangers ask for, on both io threads.
  void ExpectOthersGoOn() {
    std::vector<Client> strangers;
    for (int i = 0; i < 4; ++i) {
      strangers.push_back(Connect());
    }
    for (Client& stranger : strangers) {
      stranger.Send(Post("GetItem", R"({"TableName":"table","Key":{"pk":{"S":"small"}}})"));
      EXPECT_EQ(stranger.ReadAnswer().status, 200);
      stranger.Send(Post("PutItem", R"({"TableName":"table","Item":{"pk":{"S":"other"}}})"));
      EXPECT_EQ(stranger.ReadAnswer().status, 200);
    }
    EXPECT_EQ(Look("/healthz"), 200);
    EXPECT_EQ(Look("/readyz"), 200);
    EXPECT_EQ(Look("/metrics"), 200);
  }

  static std::string LongScan() {
    std::string filter = "contains(t,:v)";
    for (int i = 1; i < 149; ++i) {
      filter += " OR contains(t,:v)";
    }
    return R"({"TableName":"table","FilterExpression":")" + filter +
           R"(","ExpressionAttributeValues":{":v":{"S":"b"}}})";
  }

  static std::string ManyLarge() {
    std::string keys;
    for (int i = 0; i < 30; ++i) {
      keys += (i == 0 ? "" : ",") + (R"({"pk":{"S":"large)" + std::to_string(i)) + R"("}})";
    }
    return R"({"RequestItems":{"table":{"Keys":[)" + keys + "]}}}";
  }

  ManualClock clock_{TimePoint(std::chrono::seconds(1'794'700'800))};
  SeededRandom random_{1};
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<HoldingHandler> handler_;
  std::unique_ptr<Server> server_;
};

TEST_F(LongRequest, HoldsUpNobody) {
  std::vector<Client> scans;
  for (int i = 0; i < 4; ++i) {
    scans.push_back(Send("Scan", LongScan()));
  }
  std::vector<Client> writes;
  writes.push_back(Send("PutItem", R"({"TableName":"table","Item":{"pk":{"S":"w"},"t":{"S":")" +
                                       std::string(200'000, 'x') + R"("}}})"));
  handler_->AwaitHeld(2);
  EXPECT_TRUE(Await(R"(stator_executor_running{threads="pool"} 2)"));
  EXPECT_TRUE(Await(R"(stator_executor_waiting{threads="pool"} 3)"));
  ExpectOthersGoOn();
  // Tables have a thread of their own, where waiting for one makes the next wait, but nobody else.
  std::vector<Client> tables;
  for (const char* const name : {"one", "two"}) {
    tables.push_back(
        Send("CreateTable", R"({"TableName":"table-)" + std::string(name) +
                                R"(","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":)"
                                R"([{"AttributeName":"pk","AttributeType":"S"}],)"
                                R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})"));
  }
  handler_->AwaitHeld(3);
  ExpectOthersGoOn();
  handler_->Release();
  for (std::vector<Client>* const clients : {&scans, &writes, &tables}) {
    for (Client& client : *clients) {
      EXPECT_EQ(client.ReadAnswer().status, 200);
    }
  }
  EXPECT_TRUE(engine_->DescribeTable({.table_name = "table-two"}));
  EXPECT_TRUE(engine_->GetItem({.table_name = "table", .key = {{"pk", "w"}}}).value().item);
}

TEST_F(LongRequest, BadLargeBodiesAreRefusedWhereTheyAreRead) {
  handler_->Release();
  Client client = Connect();
  const std::string garbage(300'000, '[');
  client.Send(Post("PutItem", garbage));
  EXPECT_EQ(client.ReadAnswer().status, 400);
  client.Send(Post("PutItem", garbage, "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(client.ReadAnswer().status, 500);  // As the service answers what cannot be unpacked.
  client.Send(Post("PutItem", garbage, "Content-Encoding: sausage\r\n"));
  EXPECT_EQ(client.ReadAnswer().status, 415);
  client.Send(Post("GetItem", R"({"TableName":"table","Key":{"pk":{"S":"small"}}})"));
  EXPECT_EQ(client.ReadAnswer().status, 200);
}

TEST_F(LongRequest, EndsWhenItsClientHangsUp) {
  {
    Client client = Send("Scan", LongScan());
    handler_->AwaitHeld(1);
  }  // Closes.
  clock_.Advance(std::chrono::seconds(2));
  EXPECT_TRUE(Await("stator_clients_hung_up_total 1"));
  handler_->Release();
  EXPECT_TRUE(Await(R"(stator_executor_running{threads="pool"} 0)"));
  // Once to be moved, once given up at its first row.
  EXPECT_EQ(handler_->statuses(), (std::vector<int>{503, 503}));
}

TEST_F(LongRequest, AStopIsHeardWhileAllOfThePoolIsHeld) {
  std::vector<Client> scans;
  for (int i = 0; i < 6; ++i) {
    scans.push_back(Send("Scan", LongScan()));
  }
  handler_->AwaitHeld(2);
  Client idle = Connect();
  std::thread stop([&] { server_->Stop(Duration::zero()); });
  EXPECT_TRUE(idle.IsClosedByServer());
  for (Client& scan : scans) {
    EXPECT_TRUE(scan.IsClosedByServer());
  }
  handler_->Release();
  stop.join();
  // Nothing was read for those who waited.
  for (const int status : handler_->statuses()) {
    EXPECT_EQ(status, 503);
  }
}

class LargeAnswers : public LongRequest {
 protected:
  LargeAnswers() : LongRequest(Limits{.memory_bytes = 12U << 20U}) { handler_->Release(); }
};

TEST_F(LargeAnswers, AreBoundedInTheirSum) {
  // 9 MB that nobody takes.
  Client slow = Send("BatchGetItem", ManyLarge());
  while (!slow.HasBytes()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(Ask("BatchGetItem", ManyLarge()).status, 503);
  EXPECT_TRUE(Await("stator_answers_refused_total 1"));
  ExpectOthersGoOn();
  // A write has happened, and its answer is given.
  EXPECT_EQ(Ask("PutItem",
                R"({"TableName":"table","ReturnValues":"ALL_OLD","Item":{"pk":{"S":"large0"}}})")
                .status,
            200);
  const HttpAnswer taken = slow.ReadAnswer();
  EXPECT_EQ(taken.status, 200);
  EXPECT_GT(taken.body.size(), 9'000'000U);
  EXPECT_TRUE(Await("stator_request_memory_bytes 0"));
  EXPECT_EQ(Ask("BatchGetItem", ManyLarge()).status, 200);
}

}  // namespace
}  // namespace stator::server
