// What other processes do is heard from the stream of the table. The clock of the server that listens
// stands still, so nothing else would make it look.

#include <atomic>

#include "mcp/mcp_test.h"
#include "stator/home/open.h"
#include "stator/stores/tasks/task_table.h"
#include "tasks/forwarding_backend.h"

namespace stator::mcp {
namespace {

using tasks::TaskStatus;

const Json kCanAsk = JsonObject{{"elicitation", JsonObject()}};  // NOLINT: fixed

class Push : public testing::Test {
 protected:
  Push() {
    EXPECT_TRUE(tasks::CreateTaskTable(*database_, "tasks", SystemClock()));
    EXPECT_TRUE(tasks::FollowTaskTable(*database_, "tasks", SystemClock()).value());
    EXPECT_FALSE(tasks::FollowTaskTable(*database_, "tasks", SystemClock()).value());
  }

  std::unique_ptr<McpServer> Serve(Clock& clock) {
    auto server = std::make_unique<McpServer>(McpServerOptions{.clock = &clock}, store_);
    for (Tool& tool : DemonstrationTools()) {
      server->AddTool(std::move(tool));
    }
    server->Start();
    return server;
  }

  const std::unique_ptr<Database> database_ = Open("memory:").value();
  tasks::TaskStore store_ = tasks::TaskStore::Open(*database_, {.table = "tasks"}).value();
  ManualClock still_{SystemClock().Now()};
};

TEST_F(Push, AResultOfAnotherProcessIsHeardOf) {
  const std::string task = store_.Create({.id = "alice"}, {.method = "tools/call"})->task.id;
  const auto server = Serve(still_);
  TestClient client(*server, {.id = "alice"});
  const std::int64_t waits = client.Send("tasks/result", JsonObject{{"taskId", task}});
  EXPECT_FALSE(client.IsAnswered(waits));
  ASSERT_TRUE(store_.Complete(
      "alice", task, {.status = TaskStatus::kCompleted, .result = TextResult("done").value()}));
  const Json answer = client.Answer(waits);
  EXPECT_EQ(TextOf(answer), "done") << answer.ToText();
}

TEST_F(Push, AnAnswerAtAnotherProcessIsHeardOf) {
  const auto server = Serve(still_);
  TestClient client(*server, {.id = "alice"}, kCanAsk);
  const std::string task = client.Begin("asks");
  while (client.Status(task) != "input_required") {
  }
  ASSERT_TRUE(store_.AnswerInput(
      "alice", task, "q0",
      JsonObject{{"action", "accept"}, {"content", JsonObject{{"name", "Ada"}}}}));
  EXPECT_EQ(TextOf(client.Result(task)), "Hello, Ada");
  EXPECT_EQ(store_.Get("alice", task)->task.status, TaskStatus::kCompleted);
}

TEST_F(Push, AServerThatIsFollowingStops) {
  const auto server = Serve(SystemClock());
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("slow", JsonObject{{"ms", 60'000}});
  client.Send("tasks/result", JsonObject{{"taskId", task}});
  server->Stop();
}

// A feed that names nothing, may have missed something, and opens when it is told to.
class LateFeed final : public tasks::ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;
  Result<std::unique_ptr<tasks::ChangeFeed>> Follow() override {
    is_asked = true;
    is_asked.notify_all();
    opens.wait(false);
    return std::make_unique<Feed>(*this);
  }

  std::atomic<bool> is_asked = false;
  std::atomic<bool> opens = false;
  std::atomic<bool> missed = false;

 private:
  class Feed final : public tasks::ChangeFeed {
   public:
    explicit Feed(LateFeed& late) : late_(late) {}
    Result<Changes> Poll() override {
      return Changes{.records = {}, .missed = late_.missed.exchange(false)};
    }

   private:
    LateFeed& late_;
  };
};

class PushFromLateFeed : public Push {
 protected:
  PushFromLateFeed() {
    server_.AddTool(std::move(DemonstrationTools().at(0)));
    server_.Start();
    feed_.is_asked.wait(false);
  }
  ~PushFromLateFeed() override { OpenFeed(); }

  void OpenFeed() {
    feed_.opens = true;
    feed_.opens.notify_all();
  }
  void EndElsewhere(const std::string& task) {
    ASSERT_TRUE(elsewhere_.Complete(
        "alice", task, {.status = TaskStatus::kCompleted, .result = TextResult("done").value()}));
  }

  tasks::MemoryBackend memory_;
  LateFeed feed_{memory_};
  tasks::TaskStore followed_ = tasks::TaskStore::Open(feed_).value();
  tasks::TaskStore elsewhere_ = tasks::TaskStore::Open(memory_).value();
  McpServer server_{McpServerOptions{.clock = &still_}, followed_};
  const std::string task_ = elsewhere_.Create({.id = "alice"}, {.method = "m"})->task.id;
};

TEST_F(PushFromLateFeed, WhatHappenedBeforeItWasOpenIsLookedAt) {
  TestClient client(server_, {.id = "alice"});
  const std::int64_t waits = client.Send("tasks/result", JsonObject{{"taskId", task_}});
  EndElsewhere(task_);
  OpenFeed();
  EXPECT_EQ(TextOf(client.Answer(waits)), "done");
}

TEST_F(PushFromLateFeed, SubscriptionsAreToldWhatHappenedBeforeItWasOpen) {
  const std::string prefix = "io.modelcontextprotocol/";
  const auto stream = std::make_shared<RecordingStream>();
  const Json meta =
      JsonObject{{prefix + "protocolVersion", "2026-07-28"},
                 {prefix + "clientCapabilities",
                  JsonObject{{"extensions", JsonObject{{prefix + "tasks", JsonObject()}}}}}};
  server_.Receive(
      server_.OpenExchange({.id = "alice"}),
      JsonObject{{"jsonrpc", "2.0"},
                 {"id", 1},
                 {"method", "subscriptions/listen"},
                 {"params", JsonObject{{"notifications", JsonObject{{"taskIds", JsonArray{task_}}}},
                                       {"_meta", meta}}}},
      stream);
  EndElsewhere(task_);
  OpenFeed();
  const Json told = stream->Await(
      [](const Json& sent) { return sent.TextOf("method") == "notifications/tasks"; });
  ASSERT_NE(told.Find("params"), nullptr);
  EXPECT_EQ(told.Find("params")->TextOf("status"), "completed");
}

TEST_F(PushFromLateFeed, WhatItMissedIsLookedAt) {
  OpenFeed();
  TestClient client(server_, {.id = "alice"});
  const std::int64_t waits = client.Send("tasks/result", JsonObject{{"taskId", task_}});
  EndElsewhere(task_);
  feed_.missed = true;
  EXPECT_EQ(TextOf(client.Answer(waits)), "done");
}

}  // namespace
}  // namespace stator::mcp
