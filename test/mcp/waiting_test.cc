// Tools that wait, many of them, and those who do not wait meanwhile.

#include <atomic>
#include <map>
#include <mutex>
#include <semaphore>
#include <thread>

#include "mcp/mcp_test.h"
#include "tasks/forwarding_backend.h"

namespace stator::mcp {
namespace {

using tasks::TaskStatus;
using testing::HasSubstr;

const Json kSchema = JsonObject{{"type", "object"}};  // NOLINT: fixed

const Json kCanAsk = JsonObject{{"elicitation", JsonObject()},  // NOLINT: fixed
                                {"sampling", JsonObject()},
                                {"roots", JsonObject()}};

const Json kNameQuestion =
    JsonObject{// NOLINT: fixed
               {"message", "What is your name?"},
               {"requestedSchema",
                JsonObject{{"type", "object"},
                           {"properties", JsonObject{{"name", JsonObject{{"type", "string"}}}}},
                           {"required", JsonArray{"name"}}}}};

class Waiting : public McpTest {
 protected:
  Json Accept(std::string_view name) {
    return JsonObject{{"action", "accept"}, {"content", JsonObject{{"name", name}}}};
  }
  static Tool Blocking() {
    return {.name = "blocking",
            .description = "",
            .task_support = TaskSupport::kOptional,
            .run = [](ToolCall& call) {
              const Result<Json> answer = call.Elicit("?", kSchema);
              return TextResult(answer ? answer->ToText() : answer.error().message);
            }};
  }
  static Tool Pauses() {
    return {.name = "pauses",
            .description = "",
            .task_support = TaskSupport::kOptional,
            .run = [](ToolCall& call) -> ToolRoutine {
              const bool passed = co_await call.Pause(std::chrono::hours(1));
              co_return TextResult(passed ? "passed" : "cut short");
            }};
  }
};

TEST_F(Waiting, AStrangerIsAnsweredWhileAThousandTasksWaitForPeople) {
  Open({.active_tasks_max = 2000});
  const auto server = Serve();
  TestClient crowd(*server, {.id = "crowd"}, kCanAsk);
  std::vector<std::string> tasks;
  for (int number = 0; number < 1000; ++number) {
    tasks.push_back(crowd.Begin("asks"));
  }
  TestClient stranger(*server, {.id = "stranger"}, kCanAsk);
  EXPECT_EQ(TextOf(stranger.Call("tools/call", JsonObject{{"name", "plain"}})), "plain");
  EXPECT_EQ(TextOf(stranger.Result(stranger.Begin("slow", JsonObject{{"ms", 0}}))),
            "done in attempt 1");
  EXPECT_EQ(TextOf(crowd.Call("tools/call", JsonObject{{"name", "plain"}})), "plain");
  // And each of the thousand goes on when it is answered.
  for (const std::string& task : {tasks.front(), tasks.back()}) {
    const std::int64_t waits = crowd.Send("tasks/result", JsonObject{{"taskId", task}});
    const Json question = crowd.stream().Await([&](const Json& sent) {
      return sent.TextOf("method") == "elicitation/create" &&
             sent.Find("params")->ToText().contains(task);
    });
    crowd.Reply(*question.Find("id"), Accept("Ada"));
    EXPECT_EQ(TextOf(crowd.Answer(waits)), "Hello, Ada");
  }
}

TEST_F(Waiting, PlainFunctionsThatWaitDoNotCountEither) {
  const auto server = Serve({Blocking()}, {.workers = 2});
  TestClient client(*server, {.id = "alice"}, kCanAsk);
  std::vector<std::int64_t> calls;
  for (int number = 0; number < 10; ++number) {
    client.Begin("blocking");
    calls.push_back(client.Send("tools/call", JsonObject{{"name", "blocking"}}));
  }
  EXPECT_EQ(TextOf(client.Call("tools/call", JsonObject{{"name", "plain"}})), "plain");
  const Json question = client.Await("elicitation/create");
  client.Reply(*question.Find("id"), Accept("Ada"));
  const Json answer = client.stream().Await([](const Json& sent) {
    return sent.Find("result") != nullptr && sent.ToText().contains("Ada");
  });
  EXPECT_THAT(answer.ToText(), HasSubstr("accept"));
}

TEST_F(Waiting, BeyondTheThreadsForWaitingAQuestionFails) {
  const auto server =
      Serve({Blocking()}, {.workers = 2, .waiting_threads_max = 3, .owner_waiting_threads_max = 3});
  TestClient client(*server, {.id = "alice"}, kCanAsk);
  for (int number = 0; number < 4; ++number) {
    client.Send("tools/call", JsonObject{{"name", "blocking"}});
  }
  const Json refused = client.stream().Await(
      [](const Json& sent) { return sent.ToText().contains("too many calls wait"); });
  EXPECT_FALSE(refused.is_null());
  EXPECT_EQ(TextOf(client.Call("tools/call", JsonObject{{"name", "plain"}})), "plain");
}

TEST_F(Waiting, DirectRoutinesWaitOnTheStreamOfTheirRequest) {
  const auto server = Serve({}, {.workers = 1});
  TestClient client(*server, {.id = "alice"}, kCanAsk);
  const std::int64_t first = client.Send("tools/call", JsonObject{{"name", "asks"}});
  const Json question = client.Await("elicitation/create");
  EXPECT_EQ(TextOf(client.Call("tools/call", JsonObject{{"name", "plain"}})), "plain");
  client.Reply(*question.Find("id"), Accept("Ada"));
  EXPECT_EQ(TextOf(client.Answer(first)), "Hello, Ada");
}

TEST_F(Waiting, SeveralQuestionsAreOpenAtOnce) {
  const Tool both{.name = "both",
                  .description = "",
                  .task_support = TaskSupport::kOptional,
                  .run = [](ToolCall& call) -> ToolRoutine {
                    std::vector<Question> questions = {FormQuestion("name?", kSchema, "name"),
                                                       RootsQuestion()};
                    const auto answers = co_await call.AskAll(std::move(questions));
                    co_return TextResult(answers ? (*answers)[0].ToText() + (*answers)[1].ToText()
                                                 : answers.error().message);
                  }};
  const auto server = Serve({both});
  TestClient client(*server, {.id = "alice"}, kCanAsk);
  const std::string task = client.Begin("both");
  const std::int64_t waits = client.Send("tasks/result", JsonObject{{"taskId", task}});
  const Json roots = client.Await("roots/list");
  const Json form = client.Await("elicitation/create");
  const auto record = store_->Get("alice", task);
  ASSERT_EQ(record->inputs.size(), 2);
  EXPECT_EQ(record->inputs[0].id, "name");
  EXPECT_EQ(record->inputs[1].id, "q1");
  client.Reply(*roots.Find("id"), JsonObject{{"roots", JsonArray()}});
  EXPECT_EQ(client.Status(task), "input_required");
  client.Reply(*form.Find("id"), JsonObject{{"action", "decline"}});
  EXPECT_EQ(TextOf(client.Answer(waits)), R"({"action":"decline"}{"roots":[]})");
}

TEST_F(Waiting, AToolThatIsBegunAgainFindsItsAnswers) {
  tasks::CreateTaskInput lost{
      .method = "tools/call",
      .tool_name = "again",
      .arguments = Json(JsonObject()),
      .restartable = true,
      .inputs = {{.id = "q0",
                  .method = "elicitation/create",
                  .params = kNameQuestion,
                  .answer = Accept("Ada")}},
      .lease = tasks::LeaseRequest{
          .worker = "gone", .group = "mcp", .length = -std::chrono::seconds(1)}};
  const std::string task = store_->Create({.id = "alice"}, lost)->task.id;
  Tool again = DemonstrationTools()[2];
  again.name = "again";
  again.restartable = true;
  const auto server = Serve({again});
  TestClient client(*server, {.id = "alice"});
  EXPECT_EQ(TextOf(client.Result(task)), "Hello, Ada");
}

// Counts what is said about leases while tasks wait.
class LeaseCounter final : public tasks::ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;

  Result<void> TakeLease(const tasks::RecordKey& key, const tasks::StoredLease& lease,
                         std::int64_t now_ms) override {
    ++calls;
    return next().TakeLease(key, lease, now_ms);
  }
  Result<std::vector<bool>> MoveLeases(const std::vector<tasks::LeaseHolder>& leases,
                                       std::int64_t until_ms) override {
    calls += static_cast<int>(leases.size());
    ++beats;
    return next().MoveLeases(leases, until_ms);
  }

  std::atomic<int> calls = 0;
  std::atomic<int> beats = 0;
};

TEST_F(Waiting, ATaskThatWaitsNeedsNoHeartbeat) {
  LeaseCounter backend(backend_);
  store_ = std::make_unique<tasks::TaskStore>(tasks::TaskStore::Open(backend).value());
  const auto server = Serve({}, {.lease = std::chrono::milliseconds(300)});
  TestClient client(*server, {.id = "alice"}, kCanAsk);
  std::vector<std::string> tasks;
  for (int number = 0; number < 20; ++number) {
    tasks.push_back(client.Begin("asks"));
    while (client.Status(tasks.back()) != "input_required") {
    }
  }
  while (backend.beats < 1) {
  }
  backend.calls = 0;
  const int beats = backend.beats;
  while (backend.beats < beats + 10) {
    SystemClock().SleepFor(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(backend.calls, 0);
  // Longer than any lease, and still this process goes on with what it has.
  ASSERT_TRUE(store_->AnswerInput("alice", tasks[0], "q0", Accept("Ada")));
  EXPECT_EQ(TextOf(client.Result(tasks[0])), "Hello, Ada");
  EXPECT_TRUE(store_->ListLapsed("mcp", 10)->empty());
}

// What a process that was killed leaves of tasks that wait.
TEST_F(Waiting, TasksOfALostProcessAreAnsweredAtTheNext) {
  Open({.active_tasks_max = 2000, .answer_time = std::chrono::milliseconds(10)});
  std::vector<std::string> waiting;
  for (int number = 0; number < 300; ++number) {
    const std::string id =
        store_
            ->Create({.id = "alice"},
                     {.method = "tools/call",
                      .tool_name = "asks",
                      .arguments = Json(JsonObject()),
                      .restartable = true,
                      .lease =
                          tasks::LeaseRequest{
                              .worker = "gone", .group = "mcp", .length = std::chrono::hours(1)}})
            ->task.id;
    const auto asked = store_->RequestInput(
        "alice", id, {{.id = "q0", .method = "elicitation/create", .params = kNameQuestion}});
    ASSERT_TRUE(asked);
    waiting.push_back(id);
  }
  const auto server = Serve({}, {.lease = std::chrono::milliseconds(400)});
  TestClient client(*server, {.id = "alice"}, kCanAsk);
  for (const std::string& task : waiting) {
    EXPECT_EQ(client.Status(task), "input_required");
    ASSERT_TRUE(store_->AnswerInput("alice", task, "q0", Accept(task)));
  }
  for (const std::string& task : waiting) {
    EXPECT_EQ(TextOf(client.Result(task)), "Hello, " + task);
    EXPECT_EQ(client.Status(task), "completed");
  }
}

TEST_F(Waiting, AnAnswerToAToolThatMayNotRunAgainFailsItsTaskWhenItsProcessWasLost) {
  Open({.answer_time = std::chrono::milliseconds(10)});
  const std::string id =
      store_
          ->Create({.id = "alice"}, {.method = "tools/call",
                                     .tool_name = "req",
                                     .lease = tasks::LeaseRequest{.worker = "gone",
                                                                  .group = "mcp",
                                                                  .length = std::chrono::hours(1)}})
          ->task.id;
  ASSERT_TRUE(store_->RequestInput("alice", id, {{.id = "q", .method = "m", .params = 1}}));
  const auto server = Serve({}, {.lease = std::chrono::milliseconds(400)});
  TestClient client(*server, {.id = "alice"}, kCanAsk);
  ASSERT_TRUE(store_->AnswerInput("alice", id, "q", 1));
  EXPECT_THAT(client.Result(id).TextOf("message").value_or(""), HasSubstr("was lost"));
}

// Counts how often each task has ended.
class EndCounter final : public tasks::ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;

  Result<std::uint64_t> PutIfVersion(const tasks::RecordKey& key, const tasks::StoredValue& value,
                                     std::uint64_t expected) override {
    auto written = next().PutIfVersion(key, value, expected);
    if (written && !value.attributes.is_active) {
      const std::scoped_lock lock(mutex_);
      ++ends[key.task];
    }
    return written;
  }

  std::map<std::string, int> ends;

 private:
  std::mutex mutex_;
};

TEST_F(Waiting, TwoServersOnOneStoreDoEachTaskOnce) {
  EndCounter backend(backend_);
  store_ = std::make_unique<tasks::TaskStore>(
      tasks::TaskStore::Open(backend, {.active_tasks_max = 1000}).value());
  const auto first = Serve({}, {.lease = std::chrono::milliseconds(900)});
  const auto second = Serve({}, {.lease = std::chrono::milliseconds(900)});
  std::atomic<int> right = 0;
  std::vector<std::jthread> owners;
  for (int number = 0; number < 4; ++number) {
    owners.emplace_back([&, number] {
      const std::string owner = "owner" + std::to_string(number);
      TestClient here(number % 2 == 0 ? *first : *second, {.id = owner}, kCanAsk);
      TestClient there(number % 2 == 0 ? *second : *first, {.id = owner}, kCanAsk);
      std::vector<std::string> tasks;
      for (int round = 0; round < 25; ++round) {
        tasks.push_back(here.Begin("asks"));
      }
      for (const std::string& task : tasks) {
        while (there.Status(task) != "input_required") {
        }
        static_cast<void>(store_->AnswerInput(owner, task, "q0", Accept(task)));
      }
      for (const std::string& task : tasks) {
        right += TextOf(there.Result(task)) == "Hello, " + task ? 1 : 0;
      }
    });
  }
  owners.clear();
  EXPECT_EQ(right, 100);
  first->Stop();
  second->Stop();
  EXPECT_EQ(backend.ends.size(), 100);
  for (const auto& [task, count] : backend.ends) {
    EXPECT_EQ(count, 1) << task;
  }
}

TEST_F(Waiting, AServerThatStopsLeavesWhatWaitsToTheNext) {
  auto server = Serve();
  TestClient client(*server, {.id = "alice"}, kCanAsk);
  const std::string task = client.Begin("asks");
  while (client.Status(task) != "input_required") {
  }
  server->Stop();
  EXPECT_TRUE(store_->Get("alice", task)->IsParked());
  EXPECT_TRUE(store_->ListLapsed("mcp", 10, std::chrono::hours(1))->empty());
}

TEST_F(Waiting, AnAnswerThatAnotherProcessStoresIsFound) {
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"}, kCanAsk);
  const std::string task = client.Begin("asks");
  while (client.Status(task) != "input_required") {
  }
  ASSERT_TRUE(store_->AnswerInput("alice", task, "q0", Accept("Ada")));
  EXPECT_EQ(TextOf(client.Result(task)), "Hello, Ada");
}

TEST_F(Waiting, AQuestionThatNobodyAnswersTimesOut) {
  const auto server = Serve({Blocking()}, {.elicitation_time = std::chrono::milliseconds(100)});
  TestClient client(*server, {.id = "alice"}, kCanAsk);
  for (const std::string_view tool : {"asks", "blocking"}) {
    EXPECT_EQ(TextOf(client.Result(client.Begin(tool))), "nobody answered in time") << tool;
    EXPECT_EQ(TextOf(client.Call("tools/call", JsonObject{{"name", tool}})),
              "nobody answered in time")
        << tool;
  }
}

TEST_F(Waiting, CancellingWakesWhatWaits) {
  const auto server = Serve({Pauses(), Blocking()});
  TestClient client(*server, {.id = "alice"}, kCanAsk);
  const std::string task = client.Begin("pauses");
  const std::int64_t call = client.Send("tools/call", JsonObject{{"name", "blocking"}});
  client.Await("elicitation/create");
  EXPECT_EQ(client.Call("tasks/cancel", JsonObject{{"taskId", task}}).TextOf("status"),
            "cancelled");
  client.Notify("notifications/cancelled", JsonObject{{"requestId", call}});
  server->Stop();
  EXPECT_EQ(store_->Get("alice", task)->task.status, TaskStatus::kCancelled);
  EXPECT_FALSE(client.IsAnswered(call));
}

TEST_F(Waiting, AStoppedServerDestroysRoutinesAndLetsGoOfTheirTasks) {
  std::atomic<bool> destroyed = false;
  std::counting_semaphore<> began{0};
  struct Guard {
    std::atomic<bool>& destroyed;
    ~Guard() { destroyed = true; }
  };
  const auto run = [&](ToolCall& call) -> ToolRoutine {
    const Guard guard{destroyed};
    began.release();
    co_await call.Pause(std::chrono::hours(1));
    co_return TextResult("never");
  };
  const auto server = Serve({{.name = "forever",
                              .description = "",
                              .task_support = TaskSupport::kOptional,
                              .restartable = true,
                              .run = run}});
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("forever");
  began.acquire();
  server->Stop();
  EXPECT_TRUE(destroyed);
  EXPECT_EQ(store_->Get("alice", task)->task.status, TaskStatus::kWorking);
  EXPECT_FALSE(store_->ListLapsed("mcp", 10)->empty());
}

TEST_F(Waiting, WhatARoutineThrowsIsAnError) {
  const auto server =
      Serve({{.name = "throws", .description = "", .run = [](ToolCall& call) -> ToolRoutine {
                co_await call.Pause(Duration::zero());
                throw std::runtime_error("oops");
                co_return TextResult("");
              }}});
  TestClient client(*server, {.id = "alice"});
  EXPECT_EQ(client.Call("tools/call", JsonObject{{"name", "throws"}}).TextOf("message"),
            "the tool failed: oops");
}

}  // namespace
}  // namespace stator::mcp
