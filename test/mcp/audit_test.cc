// Who did what to which task, and the numbers that follow from it.

#include <atomic>
#include <mutex>

#include "mcp/mcp_test.h"
#include "mcp/work_desk.h"
#include "tasks/forwarding_backend.h"

namespace stator::mcp {
namespace {

using testing::ElementsAre;

class Audit : public McpTest {
 protected:
  McpServerOptions Options() {
    return {.audit = [this](const TaskNote& note) {
      const std::scoped_lock lock(mutex_);
      notes_.push_back(note);
    }};
  }
  // "created slow", "read tasks/get"… of the task, in their order.
  std::vector<std::string> Of(const std::string& task) {
    const std::scoped_lock lock(mutex_);
    std::vector<std::string> texts;
    for (const TaskNote& note : notes_) {
      if (note.task == task) {
        texts.push_back(std::string(NameOf(note.event)) + " " + note.detail);
      }
    }
    return texts;
  }
  TaskNote First(TaskEvent event) {
    const std::scoped_lock lock(mutex_);
    for (const TaskNote& note : notes_) {
      if (note.event == event) {
        return note;
      }
    }
    ADD_FAILURE() << "nothing was " << NameOf(event);
    return {};
  }

  std::mutex mutex_;
  std::vector<TaskNote> notes_;
};

TEST_F(Audit, SaysWhoDidWhat) {
  const auto server = Serve({}, Options());
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("slow", JsonObject{{"ms", 0}});
  client.Result(task);
  client.Status(task);
  client.Call("tasks/list", JsonObject());
  EXPECT_EQ(client.Status("of nobody"), "none");
  server->Stop();
  EXPECT_THAT(Of(task),
              ElementsAre("created slow", "completed ", "read tasks/result", "read tasks/get"));
  EXPECT_THAT(Of("of nobody"), testing::IsEmpty()) << "what was not shown was not read";
  EXPECT_EQ(First(TaskEvent::kCreated).owner, "alice");
  EXPECT_THAT(First(TaskEvent::kCreated).by, testing::StartsWith("client "));
  EXPECT_EQ(First(TaskEvent::kRead).by, First(TaskEvent::kCreated).by);
  EXPECT_THAT(First(TaskEvent::kCompleted).by, testing::StartsWith("server "));
  EXPECT_EQ(First(TaskEvent::kListed).owner, "alice");
}

TEST_F(Audit, HasAnswersAndCancellations) {
  const auto server = Serve({}, Options());
  TestClient client(*server, {.id = "alice"}, JsonObject{{"elicitation", JsonObject()}});
  const std::string task = client.Begin("asks");
  const std::int64_t waits = client.Send("tasks/result", JsonObject{{"taskId", task}});
  const Json question = client.Await("elicitation/create");
  client.Reply(*question.Find("id"), JsonObject{{"action", "decline"}});
  client.Answer(waits);
  const std::string other = client.Begin("asks");
  client.Call("tasks/cancel", JsonObject{{"taskId", other}});
  server->Stop();
  EXPECT_THAT(Of(task), testing::UnorderedElementsAre("created asks", "answered q0", "failed ",
                                                      "read tasks/result"));
  EXPECT_THAT(Of(other), ElementsAre("created asks", "cancelled "));
}

TEST_F(Audit, HasTasksOfLostProcesses) {
  const std::string task =
      store_
          ->Create({.id = "alice"},
                   {.method = "tools/call",
                    .tool_name = "req",
                    .lease =
                        tasks::LeaseRequest{
                            .worker = "gone", .group = "mcp", .length = -std::chrono::seconds(1)}})
          ->task.id;
  const auto server = Serve({}, Options());
  TestClient client(*server, {.id = "alice"});
  client.Result(task);
  EXPECT_THAT(Of(task).at(0), "taken_over attempt 2");
  EXPECT_THAT(Of(task).at(1), testing::StartsWith("failed the server that ran this task was lost"));
}

TEST_F(Audit, HasWorkers) {
  const auto server = Serve({{.name = "outside",
                              .description = "",
                              .task_support = TaskSupport::kRequired,
                              .restartable = true,
                              .for_workers = RetryPolicy{.first_pause = Duration::zero(),
                                                         .longest_pause = Duration::zero()}}},
                            Options());
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("outside");
  WorkDesk desk(server->core());
  const auto claim = [&] {
    WorkDesk::Answer answer;
    do {
      answer = desk.Take("claim", JsonObject{{"worker", "w"}, {"tools", JsonArray{"outside"}}});
    } while (answer.status == 204);
    return answer.body.TextOf("claim").value_or("");
  };
  ASSERT_EQ(desk.Take("fail", JsonObject{{"claim", claim()}, {"message", "not today"}}).status,
            200);
  ASSERT_EQ(desk.Take("complete", JsonObject{{"claim", claim()}, {"text", "done"}}).status, 200);
  EXPECT_THAT(Of(task), ElementsAre("created outside", "claimed attempt 1", "retried not today",
                                    "claimed attempt 2", "completed "));
  EXPECT_EQ(First(TaskEvent::kClaimed).by, "worker w");
}

TEST_F(Audit, IsCountedAndSoIsWhatThereIsNow) {
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"}, JsonObject{{"elicitation", JsonObject()}});
  client.Call("tools/call", JsonObject{{"name", "plain"}});
  const std::string task = client.Begin("asks");
  while (client.Status(task) != "input_required") {
  }
  client.Send("tasks/result", JsonObject{{"taskId", task}});
  client.Result(client.Begin("slow", JsonObject{{"ms", 0}}));
  // A request is forgotten a moment after it is answered.
  while (server->Statistics().waiters > 1) {
  }
  const ServerStatistics now = server->Statistics();
  EXPECT_EQ(now.Count(TaskEvent::kCreated), 2);
  EXPECT_EQ(now.Count(TaskEvent::kCompleted), 1);
  EXPECT_EQ(now.calls, 1);
  EXPECT_EQ(now.tasks, 1);
  EXPECT_EQ(now.parked, 1);
  EXPECT_EQ(now.waiters, 1);
  EXPECT_TRUE(now.store_answers);
  client.Call("tasks/cancel", JsonObject{{"taskId", task}});
}

// Finds no lost tasks when told so.
class StoreThatFails final : public tasks::ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;
  Result<std::vector<tasks::RecordKey>> ListLapsed(std::string_view group, std::int64_t now_ms,
                                                   std::size_t limit) override {
    if (fails) {
      return Fail(ErrorCode::kIo, "no disk");
    }
    return next().ListLapsed(group, now_ms, limit);
  }
  std::atomic<bool> fails = true;
};

TEST_F(Audit, AStoreThatFailsIsNoticedAndSoIsItsRecovery) {
  StoreThatFails backend(backend_);
  store_ = std::make_unique<tasks::TaskStore>(tasks::TaskStore::Open(backend).value());
  const auto server = Serve({}, {.lease = std::chrono::milliseconds(400)});
  while (server->Statistics().store_answers) {
  }
  backend.fails = false;
  while (!server->Statistics().store_answers) {
  }
}

}  // namespace
}  // namespace stator::mcp
