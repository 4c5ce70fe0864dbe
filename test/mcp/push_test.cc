// What other processes do is heard from the stream of the table. The clock of the server that listens
// stands still, so nothing else would make it look.

#include "mcp/mcp_test.h"
#include "stator/home/open.h"
#include "stator/stores/tasks/task_table.h"

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

}  // namespace
}  // namespace stator::mcp
