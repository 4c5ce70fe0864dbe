// Requests of 2026-07-28: each stands alone, beside the older ones.

#include "mcp/mcp_test.h"

namespace stator::mcp {
namespace {

constexpr std::string_view kMeta = "io.modelcontextprotocol/";

// A client without memory: every request is an exchange of its own.
class ModernClient {
 public:
  ModernClient(McpServer& server, tasks::Owner owner, Json capabilities)
      : server_(server), owner_(std::move(owner)), capabilities_(std::move(capabilities)) {}

  std::shared_ptr<RecordingStream> Send(std::string_view method, JsonObject params) {
    params.Set("_meta", JsonObject{{std::string(kMeta) + "protocolVersion", "2026-07-28"},
                                   {std::string(kMeta) + "clientCapabilities", capabilities_}});
    const auto stream = std::make_shared<RecordingStream>();
    server_.Receive(
        server_.OpenExchange(owner_),
        JsonObject{
            {"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", std::move(params)}},
        stream);
    return stream;
  }
  Json Call(std::string_view method, JsonObject params) {
    const Json answer = Send(method, std::move(params))->Await([](const Json& sent) {
      return sent.Find("method") == nullptr;
    });
    const Json* const result = answer.Find("result");
    return result != nullptr ? *result : *answer.Find("error");
  }
  Json Await(const std::string& task, std::string_view status) {
    for (;;) {
      const Json got = Call("tasks/get", {{"taskId", task}});
      if (got.TextOf("status") == status || CodeOf(got) != 0) {
        return got;
      }
      SystemClock().SleepFor(std::chrono::milliseconds(5));
    }
  }

 private:
  McpServer& server_;
  const tasks::Owner owner_;
  const Json capabilities_;
};

Json Everything() {
  return JsonObject{{"elicitation", JsonObject()},
                    {"extensions", JsonObject{{std::string(kMeta) + "tasks", JsonObject()}}}};
}

Json Ada() {
  return JsonObject{{"action", "accept"}, {"content", JsonObject{{"name", "Ada"}}}};
}

class Modern : public McpTest {};

TEST_F(Modern, ATaskOfOneGenerationIsReadUnderTheOther) {
  const auto server = Serve();
  ModernClient modern(*server, {.id = "alice"}, Everything());
  TestClient legacy(*server, {.id = "alice"});
  const std::string task = legacy.Begin("fails");
  const Json shown = modern.Await(task, "completed");
  EXPECT_EQ(shown.Find("result")->TextOf("resultType"), "complete");
  EXPECT_EQ(*shown.Find("result")->Find("isError"), Json(true));
  EXPECT_EQ(legacy.Status(task), "failed");
  const Json handle =
      modern.Call("tools/call", {{"name", "slow"}, {"arguments", JsonObject{{"ms", 0}}}});
  EXPECT_EQ(handle.TextOf("resultType"), "task");
  EXPECT_EQ(TextOf(legacy.Result(*handle.TextOf("taskId"))), "done in attempt 1");
  ModernClient stranger(*server, {.id = "mallory"}, Everything());
  EXPECT_EQ(CodeOf(stranger.Call("tasks/get", {{"taskId", task}})), -32602);
}

TEST_F(Modern, AnUnfinishedCallIsContinuedByItsOwnerOnly) {
  const auto server = Serve({}, {.state_keys = {std::string(32, 'k')}});
  const auto other = Serve({}, {.state_keys = {std::string(32, 'n'), std::string(32, 'k')}});
  const JsonObject asks{{"elicitation", JsonObject()}};
  ModernClient alice(*server, {.id = "alice"}, asks);
  const Json asked = alice.Call("tools/call", {{"name", "asks"}});
  ASSERT_EQ(asked.TextOf("resultType"), "input_required");
  EXPECT_EQ(asked.Find("inputRequests")->Find("q0")->TextOf("method"), "elicitation/create");
  const JsonObject again{{"name", "asks"},
                         {"inputResponses", JsonObject{{"q0", Ada()}}},
                         {"requestState", *asked.Find("requestState")}};
  ModernClient elsewhere(*other, {.id = "alice"}, asks);
  EXPECT_EQ(TextOf(elsewhere.Call("tools/call", again)), "Hello, Ada");
  ModernClient mallory(*server, {.id = "mallory"}, asks);
  EXPECT_EQ(CodeOf(mallory.Call("tools/call", again)), -32602);
  JsonObject changed = again;
  changed.Set("name", "slow");
  EXPECT_EQ(CodeOf(alice.Call("tools/call", changed)), -32602);
}

TEST_F(Modern, AnswersReachATaskThatWaits) {
  const auto server = Serve();
  ModernClient client(*server, {.id = "alice"}, Everything());
  const std::string task = *client.Call("tools/call", {{"name", "asks"}}).TextOf("taskId");
  const Json waits = client.Await(task, "input_required");
  EXPECT_NE(waits.Find("inputRequests")->Find("q0"), nullptr);
  EXPECT_EQ(CodeOf(client.Call("tasks/update",
                               {{"taskId", task}, {"inputResponses", JsonObject{{"q0", 7}}}})),
            -32602);
  const auto listens = client.Send("subscriptions/listen",
                                   {{"notifications", JsonObject{{"taskIds", JsonArray{task}}}}});
  client.Call("tasks/update",
              {{"taskId", task}, {"inputResponses", JsonObject{{"q0", Ada()}, {"no", 1}}}});
  EXPECT_EQ(TextOf(*client.Await(task, "completed").Find("result")), "Hello, Ada");
  const Json told = listens->Await([](const Json& sent) {
    return sent.TextOf("method") == "notifications/tasks" &&
           sent.Find("params")->TextOf("status") == "completed";
  });
  EXPECT_EQ(told.Find("params")->TextOf("taskId"), task);
  EXPECT_EQ(listens->All().front().TextOf("method"), "notifications/subscriptions/acknowledged");
  server->Stop();
  EXPECT_NE(listens->All().back().Find("result"), nullptr);
}

TEST_F(Modern, WhatTheOtherGenerationHasIsNotFound) {
  const auto server = Serve();
  ModernClient client(*server, {.id = "alice"}, Everything());
  for (const std::string_view method : {"initialize", "ping", "tasks/list", "tasks/result"}) {
    EXPECT_EQ(CodeOf(client.Call(method, {})), -32601) << method;
  }
  TestClient legacy(*server, {.id = "alice"});
  for (const std::string_view method : {"server/discover", "tasks/update", "prompts/list"}) {
    EXPECT_EQ(CodeOf(legacy.Call(method, JsonObject())), -32601) << method;
  }
  ModernClient plain(*server, {.id = "alice"}, JsonObject());
  EXPECT_EQ(CodeOf(plain.Call("tasks/get", {{"taskId", "x"}})), -32021);
  EXPECT_EQ(CodeOf(plain.Call("tools/call", {{"name", "req"}})), -32021);
}

TEST_F(Modern, ListsHavePages) {
  const auto server = Serve({}, {.page_size = 2});
  TestClient client(*server, {.id = "alice"});
  std::vector<std::string> names;
  Json page = client.Call("tools/list", JsonObject());
  for (int rounds = 0; rounds < 5; ++rounds) {
    for (const Json& tool : *page.Find("tools")->If<JsonArray>()) {
      names.push_back(*tool.TextOf("name"));
    }
    const Json* const next = page.Find("nextCursor");
    if (next == nullptr) {
      break;
    }
    page = client.Call("tools/list", JsonObject{{"cursor", *next}});
  }
  EXPECT_THAT(names, testing::ElementsAre("asks", "fails", "plain", "req", "slow"));
  EXPECT_EQ(CodeOf(client.Call("tools/list", JsonObject{{"cursor", "made up"}})), -32602);
}

}  // namespace
}  // namespace stator::mcp
