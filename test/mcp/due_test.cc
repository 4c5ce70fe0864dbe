// Calls that begin later, by a delay or a schedule, at servers whose clock the test moves.

#include <atomic>

#include "mcp/mcp_test.h"
#include "mcp/work_desk.h"

namespace stator::mcp {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class Due : public testing::Test {
 protected:
  std::unique_ptr<McpServer> Serve() {
    auto server = std::make_unique<McpServer>(
        McpServerOptions{.lease = seconds(40), .clock = &clock_}, store_);
    server->AddTool({.name = "count",
                     .description = "",
                     .input_schema = Json::Parse(R"({"type":"object","required":["n"]})").value(),
                     .task_support = TaskSupport::kOptional,
                     .run = [this](ToolCall& /*call*/) {
                       ++runs_;
                       return TextResult("counted");
                     }});
    server->AddTool({.name = "outside",
                     .description = "",
                     .task_support = TaskSupport::kRequired,
                     .restartable = true,
                     .for_workers = RetryPolicy{}});
    server->Start();
    return server;
  }
  static Json Call(TestClient& client, std::string_view tool, JsonObject meta,
                   Json arguments = JsonObject{{"n", 1}}) {
    return client.Call("tools/call", JsonObject{{"name", tool},
                                                {"arguments", std::move(arguments)},
                                                {"task", JsonObject()},
                                                {"_meta", std::move(meta)}});
  }
  static std::string IdOf(const Json& answer) {
    const Json* const task = answer.Find("task");
    EXPECT_NE(task, nullptr) << answer.ToText();
    return task == nullptr ? "" : task->TextOf("taskId").value_or("");
  }
  // The clock stands still otherwise, and housekeeping looks at it.
  void Pass(Duration time) {
    clock_.Advance(time);
    SystemClock().SleepFor(std::chrono::milliseconds(250));
  }

  ManualClock clock_{TimePoint(std::chrono::sys_days(std::chrono::year(2026) / 11 / 17))};
  tasks::MemoryBackend backend_;
  tasks::TaskStore store_ =
      tasks::TaskStore::Open(backend_, {.active_tasks_max = 1000}, {.clock = &clock_}).value();
  std::atomic<int> runs_ = 0;
};

TEST_F(Due, ADelayedCallRunsAtItsTime) {
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"});
  const std::string task = IdOf(Call(client, "count", {{"stator/delaySeconds", 600}}));
  Pass(minutes(9));
  EXPECT_EQ(client.Status(task), "working");
  EXPECT_EQ(runs_, 0);
  clock_.Advance(minutes(2));
  EXPECT_EQ(TextOf(client.Result(task)), "counted");
  EXPECT_EQ(runs_, 1);
}

TEST_F(Due, ADelayedTaskOutlivesItsServer) {
  std::string task;
  {
    const auto server = Serve();
    TestClient client(*server, {.id = "alice"});
    task = IdOf(Call(client, "count", {{"stator/delaySeconds", 60}}));
  }
  clock_.Advance(minutes(2));
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"});
  EXPECT_EQ(TextOf(client.Result(task)), "counted");
}

TEST_F(Due, ADelayedTaskForWorkersIsOfferedAtItsTime) {
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"});
  IdOf(Call(client, "outside", {{"stator/delaySeconds", 60}}));
  WorkDesk desk(server->core());
  const auto claim = [&] {
    return desk.Take("claim", JsonObject{{"worker", "w"}, {"tools", JsonArray{"outside"}}});
  };
  Pass(seconds(59));
  EXPECT_EQ(claim().status, 204);
  clock_.Advance(seconds(20));
  WorkDesk::Answer answer;
  do {
    answer = claim();
  } while (answer.status == 204);
  EXPECT_EQ(answer.body.Find("attempt")->ToInt64(), 1);
}

TEST_F(Due, AScheduleRunsOnceEachTimeAtManyServers) {
  const auto first = Serve();
  const auto second = Serve();
  TestClient client(*first, {.id = "alice"});
  const std::string schedule =
      IdOf(Call(client, "count", {{"stator/schedule", JsonObject{{"every", "1m"}}}}));
  constexpr int kTimes = 5;
  for (int time = 1; time <= kTimes; ++time) {
    clock_.Advance(minutes(1));
    for (int look = 0; look < 6000 && runs_ < time; ++look) {
      SystemClock().SleepFor(std::chrono::milliseconds(5));
    }
  }
  Pass(seconds(30));
  EXPECT_EQ(runs_, kTimes);
  EXPECT_EQ(client.Status(schedule), "working");
  std::set<std::string> due;
  const std::vector<tasks::Task> all = store_.List("alice")->tasks;
  for (const tasks::Task& task : all) {
    if (task.id != schedule) {
      EXPECT_EQ(task.meta->TextOf("stator/schedule"), schedule);
      EXPECT_TRUE(due.insert(task.meta->TextOf("stator/due").value_or("")).second);
    }
  }
  EXPECT_EQ(due.size(), kTimes);
  client.Call("tasks/cancel", JsonObject{{"taskId", schedule}});
  Pass(minutes(3));
  EXPECT_EQ(runs_, kTimes) << "a cancelled schedule makes none";
}

TEST_F(Due, WhatASchedulesToolCannotTakeFailsAndIsSeen) {
  const auto rules = tasks::Schedule::FromJson(JsonObject{{"every", "1m"}}).value();
  for (const std::string tool : {"count", "gone"}) {
    ASSERT_TRUE(store_.Create(
        {.id = tool},
        {.method = "tools/call",
         .tool_name = tool,
         .arguments = JsonObject(),
         .later = tasks::LaterRequest{.worker = "cli", .group = "mcp", .schedule = rules}}));
  }
  const auto server = Serve();
  clock_.Advance(minutes(1));
  for (const auto& [owner, why] : {std::pair("count", "Invalid arguments"), {"gone", "no tool"}}) {
    std::vector<tasks::Task> list;
    do {
      list = store_.List(owner)->tasks;
    } while (list.size() < 2 || list.front().status != tasks::TaskStatus::kFailed);
    EXPECT_THAT(*list.front().status_message, testing::HasSubstr(why));
  }
  EXPECT_EQ(runs_, 0);
}

TEST_F(Due, WrongOnesAreRefusedAndMakeNothing) {
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"});
  const std::vector<JsonObject> wrong = {
      {{"stator/delaySeconds", -1}},
      {{"stator/delaySeconds", "60"}},
      {{"stator/delaySeconds", 1e12}},
      {{"stator/schedule", JsonObject{{"every", "1 minute"}}}},
      {{"stator/schedule", "* * * * *"}},
      {{"stator/schedule", JsonObject{{"every", "1m"}}}, {"stator/delaySeconds", 1}},
  };
  for (const JsonObject& meta : wrong) {
    EXPECT_EQ(CodeOf(Call(client, "count", meta)), -32602) << Json(meta).ToText();
  }
  const Json plain =
      client.Call("tools/call", JsonObject{{"name", "count"},
                                           {"arguments", JsonObject{{"n", 1}}},
                                           {"_meta", JsonObject{{"stator/delaySeconds", 1}}}});
  EXPECT_EQ(CodeOf(plain), -32602) << "no task";
  EXPECT_TRUE(store_.List("alice")->tasks.empty());
  EXPECT_EQ(runs_, 0);
}

}  // namespace
}  // namespace stator::mcp
