// Tasks while they run: waiting, cancelling, asking, progress, lost processes, stores that fail.

#include <atomic>
#include <semaphore>
#include <stdexcept>
#include <thread>

#include "mcp/mcp_test.h"
#include "stator/stores/tasks/task_context.h"
#include "tasks/forwarding_backend.h"

namespace stator::mcp {
namespace {

using tasks::TaskStatus;
using testing::HasSubstr;

class Runs : public McpTest {
 protected:
  // Runs until it is told to end, and says what it saw.
  Tool Held() {
    return {.name = "held",
            .description = "",
            .task_support = TaskSupport::kOptional,
            .restartable = true,
            .run = [this](ToolCall& call) {
              started_.release();
              while (!released_ && call.SleepFor(std::chrono::milliseconds(20))) {
              }
              cancelled_ = cancelled_ || call.IsCancelled();
              return TextResult("attempt " + std::to_string(call.attempt()));
            }};
  }

  std::counting_semaphore<> started_{0};
  std::atomic<bool> released_ = false;
  std::atomic<bool> cancelled_ = false;
};

TEST_F(Runs, TheTaskIsStoredBeforeItIsAnswered) {
  const auto server = Serve({Held()});
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("held", JsonObject{{"x", 1}});
  const auto record = store_->Get("alice", task);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->tool_name, "held");
  EXPECT_EQ(record->arguments, Json(JsonObject{{"x", 1}}));
  EXPECT_TRUE(record->lease);
  EXPECT_TRUE(record->restartable);
  released_ = true;
}

TEST_F(Runs, ResultWaitsForTheEnd) {
  const auto server = Serve({Held()});
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("held");
  const std::int64_t waits = client.Send("tasks/result", JsonObject{{"taskId", task}});
  started_.acquire();
  EXPECT_FALSE(client.IsAnswered(waits));
  EXPECT_EQ(client.Status(task), "working");
  released_ = true;
  const Json result = client.Answer(waits);
  EXPECT_EQ(TextOf(result), "attempt 1");
  EXPECT_EQ(result.Find("_meta")->ToText(),
            R"({"io.modelcontextprotocol/related-task":{"taskId":")" + task + R"("}})");
  EXPECT_EQ(client.Status(task), "completed");
  const Json polled = client.Call("tasks/get", JsonObject{{"taskId", task}});
  EXPECT_EQ(polled.Find("_meta"), nullptr);
}

TEST_F(Runs, AResultOfAnotherProcessIsFound) {
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"});
  const std::string task = store_->Create({.id = "alice"}, {.method = "m"})->task.id;
  const std::int64_t waits = client.Send("tasks/result", JsonObject{{"taskId", task}});
  ASSERT_TRUE(store_->Complete(
      "alice", task, {.status = TaskStatus::kCompleted, .result = *TextResult("far away")}));
  EXPECT_EQ(TextOf(client.Answer(waits)), "far away");
}

TEST_F(Runs, CancelledReachesTheToolAndStaysCancelled) {
  const auto server = Serve({Held()});
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("held");
  started_.acquire();
  const std::int64_t waits = client.Send("tasks/result", JsonObject{{"taskId", task}});
  const Json answer = client.Call("tasks/cancel", JsonObject{{"taskId", task}});
  EXPECT_EQ(answer.TextOf("status"), "cancelled");
  const Json error = client.Answer(waits);
  EXPECT_EQ(CodeOf(error), -32603);
  EXPECT_EQ(error.TextOf("message"), "Task was cancelled");
  EXPECT_EQ(error.Find("data")->TextOf("status"), "cancelled");
  server->Stop();
  EXPECT_TRUE(cancelled_);
  EXPECT_EQ(store_->Get("alice", task)->task.status, TaskStatus::kCancelled);
}

TEST_F(Runs, TakingBackAResultRequestLeavesTheTaskAlone) {
  const auto server = Serve({Held()});
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("held");
  const std::int64_t waits = client.Send("tasks/result", JsonObject{{"taskId", task}});
  client.Notify("notifications/cancelled", JsonObject{{"requestId", waits}});
  EXPECT_EQ(client.Status(task), "working");
  released_ = true;
  EXPECT_EQ(TextOf(client.Result(task)), "attempt 1");
  EXPECT_FALSE(client.IsAnswered(waits));
}

TEST_F(Runs, ADirectCallThatIsTakenBackIsNotAnswered) {
  const auto server = Serve({Held()});
  TestClient client(*server, {.id = "alice"});
  const std::int64_t call = client.Send("tools/call", JsonObject{{"name", "held"}});
  started_.acquire();
  client.Notify("notifications/cancelled", JsonObject{{"requestId", call}});
  server->Stop();
  EXPECT_TRUE(cancelled_);
  EXPECT_FALSE(client.IsAnswered(call));
}

TEST_F(Runs, TransitionsAreNotified) {
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("fails");
  const Json notification = client.Await("notifications/tasks/status");
  EXPECT_EQ(notification.Find("params")->TextOf("taskId"), task);
  EXPECT_EQ(notification.Find("params")->TextOf("status"), "failed");
  EXPECT_EQ(notification.Find("params")->Find("_meta"), nullptr);
}

TEST_F(Runs, ProgressHasTheTokenOfTheCallAndBecomesTheMessage) {
  Tool reports{.name = "reports",
               .description = "",
               .task_support = TaskSupport::kOptional,
               .run = [this](ToolCall& call) {
                 call.Progress(1, 2, "half");
                 started_.release();
                 while (!released_ && call.SleepFor(std::chrono::milliseconds(20))) {
                 }
                 return TextResult("");
               }};
  const auto server = Serve({reports});
  TestClient client(*server, {.id = "alice"});
  const Json answer =
      client.Call("tools/call", JsonObject{{"name", "reports"},
                                           {"task", JsonObject()},
                                           {"_meta", JsonObject{{"progressToken", "token"}}}});
  started_.acquire();
  EXPECT_EQ(client.Await("notifications/progress").Find("params")->ToText(),
            R"({"progressToken":"token","progress":1,"total":2,"message":"half"})");
  const std::string task = *answer.Find("task")->TextOf("taskId");
  EXPECT_EQ(store_->Poll("alice", task)->status_message, "half");
  released_ = true;
}

TEST_F(Runs, ElicitationGoesThroughInputRequired) {
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"}, JsonObject{{"elicitation", JsonObject()}});
  const std::string task = client.Begin("asks");
  const std::int64_t waits = client.Send("tasks/result", JsonObject{{"taskId", task}});
  const Json question = client.Await("elicitation/create");
  EXPECT_EQ(client.Status(task), "input_required");
  EXPECT_EQ(question.Find("params")->TextOf("message"), "What is your name?");
  EXPECT_EQ(question.Find("params")->Find("_meta")->ToText(),
            R"({"io.modelcontextprotocol/related-task":{"taskId":")" + task + R"("}})");
  client.Reply(*question.Find("id"),
               JsonObject{{"action", "accept"}, {"content", JsonObject{{"name", "Ada"}}}});
  EXPECT_EQ(TextOf(client.Answer(waits)), "Hello, Ada");
}

TEST_F(Runs, AnotherServerMayPutTheQuestion) {
  const auto first = Serve();
  const auto second = Serve();
  TestClient asker(*first, {.id = "alice"}, JsonObject{{"elicitation", JsonObject()}});
  const std::string task = asker.Begin("asks");
  TestClient other(*second, {.id = "alice"},
                   JsonObject{{"elicitation", JsonObject{{"form", JsonObject()}}}});
  const std::int64_t waits = other.Send("tasks/result", JsonObject{{"taskId", task}});
  const Json question = other.Await("elicitation/create");
  other.Reply(*question.Find("id"), JsonObject{{"action", "decline"}});
  EXPECT_EQ(TextOf(other.Answer(waits)), "no name was given: decline");
}

TEST_F(Runs, AQuestionThatWasNotAnsweredIsPutAgain) {
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"}, JsonObject{{"elicitation", JsonObject()}});
  const std::string task = client.Begin("asks");
  const std::int64_t first = client.Send("tasks/result", JsonObject{{"taskId", task}});
  const Json question = client.Await("elicitation/create");
  server->CloseSession(client.session());
  EXPECT_FALSE(client.IsAnswered(first));
  TestClient later(*server, {.id = "alice"}, JsonObject{{"elicitation", JsonObject()}});
  const std::int64_t second = later.Send("tasks/result", JsonObject{{"taskId", task}});
  const Json again = later.Await("elicitation/create");
  EXPECT_EQ(again.Find("params")->ToText(), question.Find("params")->ToText());
  later.Reply(*again.Find("id"), JsonObject{{"action", "cancel"}});
  EXPECT_EQ(TextOf(later.Answer(second)), "no name was given: cancel");
}

TEST_F(Runs, TooManyWaitingRequestsAreRefused) {
  const auto server = Serve({Held()}, {.waiting_max = 1});
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("held");
  client.Send("tasks/result", JsonObject{{"taskId", task}});
  EXPECT_EQ(CodeOf(client.Result(task)), -32603);
  released_ = true;
}

TEST_F(Runs, AClientThatCannotAskIsNotAsked) {
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"});
  EXPECT_EQ(TextOf(client.Result(client.Begin("asks"))), "the client cannot ask its user");
  EXPECT_EQ(TextOf(client.Call("tools/call", JsonObject{{"name", "asks"}})),
            "the client cannot ask its user");
}

TEST_F(Runs, ErrorsOfToolsAreToldApart) {
  const auto tool = [](std::string name, auto run) {
    return Tool{.name = std::move(name),
                .description = "",
                .task_support = TaskSupport::kOptional,
                .run = run};
  };
  const auto server =
      Serve({tool("faults", [](ToolCall&) { return Fault(-32042, "not today"); }),
             tool("throws", [](ToolCall&) -> ToolResult { throw std::runtime_error("oops"); }),
             tool("huge", [](ToolCall&) { return TextResult(std::string(500'000, 'x')); }),
             tool("bytes", [](ToolCall&) { return TextResult("\xFF"); })});
  TestClient client(*server, {.id = "alice"});
  const std::string faults = client.Begin("faults");
  const Json error = client.Result(faults);
  EXPECT_EQ(CodeOf(error), -32042);
  EXPECT_EQ(error.TextOf("message"), "not today");
  EXPECT_EQ(client.Status(faults), "failed");
  EXPECT_EQ(CodeOf(client.Call("tools/call", JsonObject{{"name", "faults"}})), -32042);
  EXPECT_EQ(client.Result(client.Begin("throws")).TextOf("message"), "the tool failed: oops");
  const std::string huge = client.Begin("huge");
  const Json refused = client.Result(huge);
  EXPECT_EQ(refused.TextOf("message"), "the result of the tool cannot be kept");
  EXPECT_THAT(refused.Find("data")->TextOf("reason").value_or(""), HasSubstr("too large"));
  EXPECT_EQ(client.Status(huge), "failed");
  EXPECT_EQ(CodeOf(client.Result(client.Begin("bytes"))), -32603);
}

TEST_F(Runs, ARepeatedCallWithAKeyRunsOnce) {
  std::atomic<int> runs = 0;
  const auto server = Serve({{.name = "counts",
                              .description = "",
                              .task_support = TaskSupport::kOptional,
                              .run = [&](ToolCall&) {
                                ++runs;
                                return TextResult("");
                              }}});
  TestClient client(*server, {.id = "alice"});
  const JsonObject params{{"name", "counts"},
                          {"task", JsonObject()},
                          {"_meta", JsonObject{{"stator/idempotencyKey", "k"}}}};
  const Json first = client.Call("tools/call", params);
  const Json second = client.Call("tools/call", params);
  EXPECT_EQ(first.Find("task")->TextOf("taskId"), second.Find("task")->TextOf("taskId"));
  client.Result(*first.Find("task")->TextOf("taskId"));
  server->Stop();
  EXPECT_EQ(runs, 1);
}

TEST_F(Runs, VariablesAreShownUnderOneNameWhenToldSo) {
  const auto server = Serve({{.name = "sets",
                              .description = "",
                              .task_support = TaskSupport::kOptional,
                              .run =
                                  [](ToolCall& call) {
                                    static_cast<void>(call.task()->SetVariable("page", 3));
                                    return TextResult("");
                                  }}},
                            {.shows_variables = true});
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("sets");
  client.Result(task);
  EXPECT_EQ(client.Call("tasks/get", JsonObject{{"taskId", task}}).Find("_meta")->ToText(),
            R"({"stator/variables":{"page":3}})");
  const Json list = client.Call("tasks/list", JsonObject());
  EXPECT_EQ(list.Find("tasks")->If<JsonArray>()->front().Find("_meta"), nullptr);
  // By default nobody sees them.
  const auto discreet = Serve();
  TestClient other(*discreet, {.id = "alice"});
  EXPECT_EQ(other.Call("tasks/get", JsonObject{{"taskId", task}}).Find("_meta"), nullptr);
}

// What a process that was killed leaves behind.
tasks::CreateTaskInput Lost(std::string tool, bool restartable) {
  return {.method = "tools/call",
          .tool_name = std::move(tool),
          .arguments = Json(JsonObject{{"ms", 1}}),
          .restartable = restartable,
          .lease = tasks::LeaseRequest{
              .worker = "gone", .group = "mcp", .length = -std::chrono::seconds(1)}};
}

TEST_F(Runs, LostTasksThatMayBeRunAgainAreFinished) {
  const std::string task = store_->Create({.id = "alice"}, Lost("slow", true))->task.id;
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"});
  EXPECT_EQ(TextOf(client.Result(task)), "done in attempt 2");
}

TEST_F(Runs, OtherLostTasksFailAndSayWhy) {
  const std::string once = store_->Create({.id = "alice"}, Lost("req", false))->task.id;
  const std::string unknown = store_->Create({.id = "alice"}, Lost("forgotten", true))->task.id;
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"});
  for (const std::string& task : {once, unknown}) {
    const Json error = client.Result(task);
    EXPECT_EQ(CodeOf(error), -32603);
    EXPECT_THAT(error.TextOf("message").value_or(""), HasSubstr("was lost"));
    EXPECT_EQ(client.Status(task), "failed");
  }
}

TEST_F(Runs, ATaskThatIsLostAgainAndAgainFailsInTheEnd) {
  const std::string task = store_->Create({.id = "alice"}, Lost("slow", true))->task.id;
  for (int attempt = 2; attempt <= 5; ++attempt) {
    ASSERT_TRUE(store_->Claim("alice", task, "gone", "mcp", -std::chrono::seconds(1)));
  }
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"});
  EXPECT_EQ(CodeOf(client.Result(task)), -32603);
}

TEST_F(Runs, TasksOfOtherGroupsAndLiveProcessesAreLeftAlone) {
  tasks::CreateTaskInput other = Lost("slow", true);
  other.lease->group = "another";
  tasks::CreateTaskInput alive = Lost("slow", true);
  alive.lease->length = std::chrono::hours(1);
  const std::string first = store_->Create({.id = "alice"}, other)->task.id;
  const std::string second = store_->Create({.id = "alice"}, alive)->task.id;
  const std::string lost = store_->Create({.id = "alice"}, Lost("slow", true))->task.id;
  const auto server = Serve();
  TestClient client(*server, {.id = "alice"});
  client.Result(lost);
  EXPECT_EQ(store_->Get("alice", first)->version, 1);
  EXPECT_EQ(store_->Get("alice", second)->version, 1);
}

TEST_F(Runs, AStoppedServerLetsGoOfItsTasks) {
  auto server = Serve({Held()});
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("held");
  started_.acquire();
  server->Stop();
  EXPECT_EQ(store_->Get("alice", task)->task.status, TaskStatus::kWorking);
  released_ = true;
  const auto next = Serve({Held()});
  TestClient again(*next, {.id = "alice"});
  EXPECT_EQ(TextOf(again.Result(task)), "attempt 2");
}

// Counts heartbeats and writes of records.
class CountingBackend final : public tasks::ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;

  Result<void> MoveLease(const tasks::RecordKey& key, std::string_view worker,
                         std::int64_t until_ms) override {
    auto moved = next().MoveLease(key, worker, until_ms);
    beats += moved ? 1 : 0;
    return moved;
  }
  Result<std::uint64_t> PutIfVersion(const tasks::RecordKey& key, const tasks::StoredValue& value,
                                     std::uint64_t expected) override {
    ++writes;
    return next().PutIfVersion(key, value, expected);
  }

  std::atomic<int> beats = 0;
  std::atomic<int> writes = 0;
};

TEST_F(Runs, LeasesAreKeptWhileToolsRunWithoutTouchingTheRecord) {
  CountingBackend backend(backend_);
  store_ = std::make_unique<tasks::TaskStore>(tasks::TaskStore::Open(backend).value());
  const auto server = Serve({Held()}, {.lease = std::chrono::milliseconds(900)});
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("held");
  started_.acquire();
  while (backend.beats < 4) {
    SystemClock().SleepFor(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(backend.writes, 0);
  EXPECT_EQ(store_->Get("alice", task)->version, 1);
  released_ = true;
  EXPECT_EQ(TextOf(client.Result(task)), "attempt 1");
}

TEST_F(Runs, ManyClientsRunManyTasks) {
  Open({.active_tasks_max = 1000});
  const auto server = Serve();
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int number = 0; number < 8; ++number) {
    threads.emplace_back([&, number] {
      TestClient client(*server, {.id = "owner " + std::to_string(number)});
      for (int round = 0; round < 10; ++round) {
        const std::string task = client.Begin("slow", JsonObject{{"ms", 0}});
        right += TextOf(client.Result(task)) == "done in attempt 1" ? 1 : 0;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 80);
}

// A tool that fails so often, and then does not.
class Retries : public McpTest {
 protected:
  Tool Fails(int times) {
    return {.name = "flaky",
            .description = "",
            .task_support = TaskSupport::kOptional,
            .restartable = true,
            .retry = RetryPolicy{.attempts_max = 3,
                                 .first_pause = Duration::zero(),
                                 .longest_pause = Duration::zero()},
            .run = [this, times](ToolCall& call) -> ToolResult {
              return ++runs_ <= times ? ErrorResult("not today")
                                      : TextResult("attempt " + std::to_string(call.attempt()));
            }};
  }
  const McpServerOptions quick_{.lease = std::chrono::milliseconds(400)};
  std::atomic<int> runs_ = 0;
};

TEST_F(Retries, AFailedTaskIsTriedAgain) {
  const auto server = Serve({Fails(2)}, quick_);
  TestClient client(*server, {.id = "alice"});
  EXPECT_EQ(TextOf(client.Result(client.Begin("flaky"))), "attempt 3");
  EXPECT_EQ(server->Statistics().Count(TaskEvent::kRetried), 2);
  EXPECT_TRUE(store_->ListDead(10)->empty());
}

TEST_F(Retries, OneThatWasTriedOftenEnoughIsADeadLetter) {
  const auto server = Serve({Fails(100)}, quick_);
  TestClient client(*server, {.id = "alice"});
  const std::string task = client.Begin("flaky");
  EXPECT_EQ(TextOf(client.Result(task)), "not today");
  EXPECT_EQ(runs_, 3);
  const tasks::RecordKey key{.owner = "alice", .task = task};
  while (store_->ListDead(10)->empty()) {
  }
  EXPECT_EQ(store_->ListDead(10).value(), std::vector{key});
}

TEST_F(Retries, OneThatMayNotRunAgainAndPlainCallsFailAtOnce) {
  Tool once = Fails(100);
  once.restartable = false;
  const auto server = Serve({std::move(once)}, quick_);
  TestClient client(*server, {.id = "alice"});
  EXPECT_EQ(TextOf(client.Result(client.Begin("flaky"))), "not today");
  EXPECT_EQ(TextOf(client.Call("tools/call", JsonObject{{"name", "flaky"}})), "not today");
  EXPECT_EQ(runs_, 2);
}

TEST_F(Retries, AnotherServerTriesAgainWhatALostOneWanted) {
  std::string task;
  {
    Tool slowly = Fails(1);
    slowly.retry->first_pause = slowly.retry->longest_pause = std::chrono::milliseconds(600);
    const auto server = Serve({std::move(slowly)}, quick_);
    TestClient client(*server, {.id = "alice"});
    task = client.Begin("flaky");
    while (server->Statistics().Count(TaskEvent::kRetried) == 0) {
    }
  }
  const auto server = Serve({Fails(1)}, quick_);
  TestClient client(*server, {.id = "alice"});
  EXPECT_EQ(TextOf(client.Result(task)), "attempt 2");
}

}  // namespace
}  // namespace stator::mcp
