// Workers that take tasks from the desk: one worker per task, leases that lapse, what is tried again.

#include "mcp/work_desk.h"

#include <atomic>
#include <set>
#include <thread>

#include "base/base64.h"
#include "mcp/mcp_test.h"

namespace stator::mcp {
namespace {

constexpr TimePoint kStart(std::chrono::seconds(1'800'000'000));

Tool WorkTool(std::string name, bool restartable) {
  return {.name = std::move(name),
          .description = "d",
          .task_support = TaskSupport::kRequired,
          .restartable = restartable,
          .for_workers = RetryPolicy{.attempts_max = 3}};
}

class WorkDeskTest : public testing::Test {
 protected:
  WorkDeskTest() : store_(Open()), server_({.clock = &clock_}, store_) {
    server_.AddTool(WorkTool("again", true));
    server_.AddTool(WorkTool("once", false));
    Tool typed = WorkTool("typed", true);
    typed.output_schema = JsonObject{{"type", "object"}, {"required", JsonArray{"n"}}};
    server_.AddTool(typed);
    server_.AddTool({.name = "plain", .description = "d", .run = [](ToolCall&) {
                       return TextResult("plain");
                     }});
    server_.Start();
    desk_ = std::make_unique<WorkDesk>(server_.core());
    ada_ = std::make_unique<TestClient>(server_, tasks::Owner{.id = "ada"});
  }

  tasks::TaskStore Open() {
    return tasks::TaskStore::Open(backend_, {.active_tasks_max = 1000},
                                  {.clock = &clock_, .random = &SystemRandom()})
        .value();
  }
  WorkDesk::Answer Claim(const std::string& tool, double lease = 10) {
    return desk_->Take(
        "claim", JsonObject{{"worker", "w"}, {"tools", JsonArray{tool}}, {"leaseSeconds", lease}});
  }
  WorkDesk::Answer Say(std::string_view what, const Json& claimed, JsonObject more = {}) {
    more.Set("claim", *claimed.Find("claim"));
    return desk_->Take(what, more);
  }
  void Pass(Duration time) { clock_.SleepFor(time); }

  ManualClock clock_{kStart};
  tasks::MemoryBackend backend_;
  tasks::TaskStore store_;
  McpServer server_;
  std::unique_ptr<WorkDesk> desk_;
  std::unique_ptr<TestClient> ada_;
};

TEST_F(WorkDeskTest, ATaskIsDoneByAWorker) {
  const std::string task = ada_->Begin("again", JsonObject{{"a", 1}});
  Pass(std::chrono::milliseconds(5));
  const WorkDesk::Answer claimed = Claim("again");
  ASSERT_EQ(claimed.status, 200);
  EXPECT_EQ(claimed.body.TextOf("taskId"), task);
  EXPECT_EQ(claimed.body.TextOf("owner"), "ada");
  EXPECT_EQ(claimed.body.Find("arguments")->ToText(), R"({"a":1})");
  EXPECT_EQ(claimed.body.Find("attempt")->ToInt64(), 1);
  EXPECT_EQ(Claim("again").status, 204);
  EXPECT_EQ(Say("heartbeat", claimed.body, {{"message", "half"}}).status, 200);
  EXPECT_EQ(store_.Poll("ada", task)->status_message, "half");
  EXPECT_EQ(Say("complete", claimed.body, {{"text", "done"}}).status, 200);
  EXPECT_EQ(TextOf(ada_->Result(task)), "done");
  // Its answer was lost: said again it is the same, and nothing else is any more.
  EXPECT_EQ(Say("complete", claimed.body, {{"text", "done"}}).status, 200);
  EXPECT_EQ(Say("complete", claimed.body, {{"text", "other"}}).status, 410);
  EXPECT_EQ(Say("fail", claimed.body, {{"message", "no"}}).status, 410);
  EXPECT_EQ(Say("heartbeat", claimed.body).status, 410);
  EXPECT_EQ(TextOf(ada_->Result(task)), "done");
}

TEST_F(WorkDeskTest, ATaskHasOneWorkerHoweverManyAsk) {
  constexpr int kTasks = 60;
  for (int number = 0; number < kTasks; ++number) {
    ada_->Begin("again");
  }
  Pass(std::chrono::milliseconds(5));
  std::mutex mutex;
  std::multiset<std::string> taken;
  const auto work = [&] {
    for (int empty = 0; empty < 20;) {
      const WorkDesk::Answer claimed = Claim("again");
      if (claimed.status != 200) {
        ++empty;
        continue;
      }
      EXPECT_EQ(Say("complete", claimed.body, {{"text", "x"}}).status, 200);
      const std::scoped_lock lock(mutex);
      taken.insert(*claimed.body.TextOf("taskId"));
    }
  };
  std::vector<std::thread> workers;
  for (int number = 0; number < 8; ++number) {
    workers.emplace_back(work);
  }
  for (std::thread& worker : workers) {
    worker.join();
  }
  EXPECT_EQ(taken.size(), kTasks);
  EXPECT_EQ(std::set(taken.begin(), taken.end()).size(), kTasks);
}

TEST_F(WorkDeskTest, ALostWorkersTaskIsTheNextOnesAndItsWordDoesNotCount) {
  const std::string task = ada_->Begin("again");
  Pass(std::chrono::milliseconds(5));
  const Json first = Claim("again", 10).body;
  Pass(std::chrono::seconds(9));
  EXPECT_EQ(Say("heartbeat", first).status, 200);
  Pass(std::chrono::seconds(9));
  EXPECT_EQ(Claim("again").status, 204);
  Pass(std::chrono::seconds(2));
  const WorkDesk::Answer second = Claim("again");
  ASSERT_EQ(second.status, 200);
  EXPECT_EQ(second.body.Find("attempt")->ToInt64(), 2);
  EXPECT_EQ(Say("heartbeat", first).status, 410);
  EXPECT_EQ(Say("complete", first, {{"text", "late"}}).status, 410);
  EXPECT_EQ(Say("complete", second.body, {{"text", "good"}}).status, 200);
  EXPECT_EQ(TextOf(ada_->Result(task)), "good");
}

TEST_F(WorkDeskTest, AFailureIsTriedAgainLaterAndNotWithoutEnd) {
  const std::string task = ada_->Begin("again");
  Pass(std::chrono::milliseconds(5));
  for (int attempt = 1; attempt <= 3; ++attempt) {
    const WorkDesk::Answer claimed = Claim("again");
    ASSERT_EQ(claimed.status, 200) << attempt;
    EXPECT_EQ(claimed.body.Find("attempt")->ToInt64(), attempt);
    const WorkDesk::Answer failed = Say("fail", claimed.body, {{"message", "no luck"}});
    EXPECT_EQ(failed.status, 200);
    EXPECT_EQ(failed.body.Find("retryInSeconds") != nullptr, attempt < 3);
    Pass(std::chrono::seconds(5));
  }
  EXPECT_EQ(ada_->Status(task), "failed");
  EXPECT_EQ(TextOf(ada_->Result(task)), "no luck");
  EXPECT_EQ(Claim("again").status, 204);
  const auto dead = store_.ListDead(10);
  ASSERT_TRUE(dead);
  ASSERT_EQ(dead->size(), 1);
  EXPECT_EQ(dead->front().task, task);
}

TEST_F(WorkDeskTest, WhatMayNotRunTwiceFailsWithItsWorker) {
  const std::string task = ada_->Begin("once");
  Pass(std::chrono::milliseconds(5));
  ASSERT_EQ(Claim("once", 1).status, 200);
  Pass(std::chrono::seconds(2));
  EXPECT_EQ(Claim("once").status, 204);
  EXPECT_EQ(ada_->Status(task), "failed");
  EXPECT_EQ(store_.ListDead(10)->size(), 1);
}

TEST_F(WorkDeskTest, AWorkerHearsThatItsTaskWasCancelled) {
  const std::string task = ada_->Begin("again");
  Pass(std::chrono::milliseconds(5));
  const Json claimed = Claim("again").body;
  ada_->Call("tasks/cancel", JsonObject{{"taskId", task}});
  EXPECT_EQ(Say("heartbeat", claimed).status, 410);
  EXPECT_EQ(Say("complete", claimed, {{"text", "late"}}).status, 410);
  EXPECT_EQ(Say("fail", claimed, {{"message", "late"}}).status, 410);
  EXPECT_EQ(ada_->Status(task), "cancelled");
}

TEST_F(WorkDeskTest, OwnersTakeTurns) {
  TestClient bob(server_, {.id = "bob"});
  for (int number = 0; number < 5; ++number) {
    ada_->Begin("again");
  }
  Pass(std::chrono::seconds(1));
  bob.Begin("again");
  Pass(std::chrono::milliseconds(5));
  EXPECT_EQ(Claim("again").body.TextOf("owner"), "ada");
  EXPECT_EQ(Claim("again").body.TextOf("owner"), "bob");
  EXPECT_EQ(Claim("again").body.TextOf("owner"), "ada");
}

TEST_F(WorkDeskTest, ResultsSatisfyTheSchema) {
  const std::string task = ada_->Begin("typed");
  Pass(std::chrono::milliseconds(5));
  const Json claimed = Claim("typed").body;
  EXPECT_EQ(Say("complete", claimed, {{"text", "x"}}).status, 400);
  EXPECT_EQ(Say("complete", claimed, {{"structured", JsonObject()}}).status, 400);
  EXPECT_EQ(Say("complete", claimed).status, 400);
  EXPECT_EQ(Say("complete", claimed, {{"structured", JsonObject{{"n", 1}}}}).status, 200);
  EXPECT_EQ(ada_->Result(task).Find("structuredContent")->ToText(), R"({"n":1})");
}

TEST_F(WorkDeskTest, ForgedAndWrongRequestsAreRefused) {
  const std::string task = ada_->Begin("again");
  Pass(std::chrono::milliseconds(5));
  ASSERT_EQ(Claim("again").status, 200);
  for (const std::string worker : {"w", "", "w/0"}) {
    const std::string claim =
        base::EncodeBase64(Json(JsonArray{"ada", task, worker, 1000}).ToText());
    for (const std::string_view what : {"heartbeat", "complete", "fail"}) {
      EXPECT_EQ(
          desk_->Take(what, JsonObject{{"claim", claim}, {"text", "x"}, {"message", "x"}}).status,
          410)
          << what << worker;
    }
  }
  for (const Json& claim : {Json("x"), Json(3), Json(base::EncodeBase64("[1,2,3,4]")),
                            Json(base::EncodeBase64(R"(["a","b","c",-1])"))}) {
    EXPECT_EQ(desk_->Take("complete", JsonObject{{"claim", claim}, {"text", "x"}}).status, 400);
  }
  EXPECT_EQ(desk_->Take("claim", JsonArray()).status, 400);
  EXPECT_EQ(Claim("plain").status, 400);
  EXPECT_EQ(Claim("nothing").status, 400);
  EXPECT_EQ(Claim("again", 0).status, 400);
  EXPECT_EQ(Claim("again", 1e9).status, 400);
  EXPECT_EQ(desk_->Take("claim", JsonObject{{"worker", ""}, {"tools", JsonArray{"again"}}}).status,
            400);
  EXPECT_EQ(ada_->Status(task), "working");
}

TEST_F(WorkDeskTest, OnlyTasksWaitForWorkers) {
  const Json answer = ada_->Call("tools/call", JsonObject{{"name", "again"}});
  EXPECT_EQ(CodeOf(answer), -32601);
}

}  // namespace
}  // namespace stator::mcp
