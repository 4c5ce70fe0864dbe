// Tools of a file as clients of an MCP server see them.

#include "hosting/hosted_tools.h"

#include "hosting/process_state.h"
#include "mcp/mcp_test.h"

namespace stator::mcp {
namespace {

using testing::HasSubstr;

std::optional<std::string> Environment(const std::string& name) {
  if (name == "PATH") {
    return "/usr/bin:/bin";
  }
  return name == "TOKEN" ? std::optional<std::string>("s3cret-token") : std::nullopt;
}

class HostedToolsTest : public McpTest {
 protected:
  // A server with one tool per script, called t0, t1… `more` is for all of them.
  void Host(const std::vector<std::string>& scripts, const std::string& more = "") {
    JsonArray tools;
    for (const std::string& script : scripts) {
      JsonObject tool{{"name", "t" + std::to_string(tools.size())},
                      {"description", "d"},
                      {"command", JsonArray{"sh", "-c", script}},
                      {"environment", JsonObject{{"TOKEN", "${TOKEN}"}}}};
      const Json further = Json::Parse("{" + more + "}").value();
      for (const auto& [name, value] : *further.If<JsonObject>()) {
        tool.Set(name, value);
      }
      tools.push_back(std::move(tool));
    }
    auto file = hosting::ParseToolFile(FileOf(std::move(tools)), "/usr/t.json", Environment);
    ASSERT_TRUE(file.has_value()) << file.error().message;
    hosted_ = std::make_unique<hosting::HostedTools>(std::move(file->tools));
    server_ = Serve(hosted_->Tools());
    client_ = std::make_unique<TestClient>(*server_, tasks::Owner{.id = "ada"});
  }
  static std::string FileOf(JsonArray tools) {
    return Json(JsonObject{{"tools", std::move(tools)}}).ToText();
  }
  Json Call(std::string_view name, Json arguments = JsonObject()) {
    return client_->Call("tools/call",
                         JsonObject{{"name", name}, {"arguments", std::move(arguments)}});
  }
  // Waits for the status message that a program gave itself.
  std::string AwaitMessage(const std::string& task) {
    for (;;) {
      const Json got = client_->Call("tasks/get", JsonObject{{"taskId", task}});
      if (const auto message = got.TextOf("statusMessage"); message && !message->empty()) {
        return *message;
      }
      SystemClock().SleepFor(std::chrono::milliseconds(5));
    }
  }

  std::unique_ptr<hosting::HostedTools> hosted_;
  std::unique_ptr<McpServer> server_;
  std::unique_ptr<TestClient> client_;
};

TEST_F(HostedToolsTest, ArgumentsComeOnStandardInputAndTextGoesBack) {
  Host({"cat"});
  EXPECT_EQ(TextOf(Call("t0", JsonObject{{"a", "\u00e4 b"}})), "{\"a\":\"\u00e4 b\"}");
}

TEST_F(HostedToolsTest, JsonIsStructuredContentWhenThereIsASchema) {
  Host({"cat", "echo no", "echo '{}'"}, R"("outputSchema": {"type": "object", "required": ["a"]})");
  EXPECT_EQ(Call("t0", JsonObject{{"a", 1}}).Find("structuredContent")->ToText(), R"({"a":1})");
  EXPECT_THAT(TextOf(Call("t1")), HasSubstr("t1 has an output schema and did not give JSON"));
  EXPECT_THAT(Call("t2").TextOf("message").value_or(""), HasSubstr("structured content"));
}

TEST_F(HostedToolsTest, FailuresAreToldAndKeepSecrets) {
  Host({"echo \"no access with $TOKEN\" >&2; exit 7", "kill -KILL $$", "printf '\\377'",
        "echo ::progress 1 $TOKEN >&2; read line; sleep 600"});
  const Json failed = Call("t0");
  EXPECT_EQ(*failed.Find("isError"), Json(true));
  EXPECT_EQ(TextOf(failed), "t0 ended with exit code 7:\nno access with ***");
  EXPECT_EQ(TextOf(Call("t1")), "t1 was ended by signal 9");
  EXPECT_THAT(TextOf(Call("t2")), HasSubstr("not UTF-8"));
  EXPECT_EQ(AwaitMessage(client_->Begin("t3")), "***");
}

TEST_F(HostedToolsTest, TheTimeIsLimited) {
  Host({"sleep 600"}, R"("timeLimitSeconds": 0.5)");
  EXPECT_EQ(TextOf(Call("t0")), "t0 took longer than 0.5 seconds and was stopped");
}

TEST_F(HostedToolsTest, TheOutputIsLimited) {
  Host({"yes"}, R"("outputBytesMax": 100)");
  EXPECT_EQ(TextOf(Call("t0")), "t0 gave more than 100 bytes and was stopped");
}

TEST_F(HostedToolsTest, ATaskHasItsProgressAndItsResult) {
  Host({"echo ::progress 1/2 half >&2; cat"});
  const std::string task = client_->Begin("t0", JsonObject{{"a", 1}});
  EXPECT_EQ(TextOf(client_->Result(task)), R"({"a":1})");
}

TEST_F(HostedToolsTest, CancellingATaskKillsItsProgram) {
  Host({"echo ::progress 1 $$ >&2; sleep 600"});
  const std::string task = client_->Begin("t0");
  const std::string pid = AwaitMessage(task);
  client_->Call("tasks/cancel", JsonObject{{"taskId", task}});
  hosting::AwaitGone(std::stoi(pid));
}

TEST_F(HostedToolsTest, StoppingTheServerKillsThePrograms) {
  Host({"echo ::progress 1 $$ >&2; sleep 600"});
  const std::string pid = AwaitMessage(client_->Begin("t0"));
  server_->Stop();
  hosting::AwaitGone(std::stoi(pid));
}

TEST_F(HostedToolsTest, AStrangerIsAnsweredWhileAHundredProgramsRun) {
  Open({.active_tasks_max = 500});
  Host({"exec sleep 600", "echo quick"});
  for (int number = 0; number < 100; ++number) {
    client_->Begin("t0");
  }
  TestClient stranger(*server_, {.id = "stranger"});
  EXPECT_EQ(TextOf(stranger.Call("tools/call", JsonObject{{"name", "t1"}})), "quick");
  EXPECT_EQ(TextOf(stranger.Call("tools/call", JsonObject{{"name", "plain"}})), "plain");
  EXPECT_EQ(TextOf(Call("t1")), "quick");
}

TEST_F(HostedToolsTest, WhatWaitsForAPlaceCanBeCancelled) {
  Host({"echo ::progress 1 $$ >&2; sleep 600"}, R"("runningMax": 1)");
  const std::string first = client_->Begin("t0");
  const std::string pid = AwaitMessage(first);
  const std::string second = client_->Begin("t0");
  const std::string third = client_->Begin("t0");
  client_->Call("tasks/cancel", JsonObject{{"taskId", second}});
  client_->Call("tasks/cancel", JsonObject{{"taskId", first}});
  hosting::AwaitGone(std::stoi(pid));
  EXPECT_NE(AwaitMessage(third), pid);  // It runs now.
}

}  // namespace
}  // namespace stator::mcp
