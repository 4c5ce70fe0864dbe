// Messages and their codes: what MCP 2025-11-25 says about requests that are right and wrong.

#include "mcp/mcp_test.h"

namespace stator::mcp {
namespace {

using testing::HasSubstr;

class Protocol : public McpTest {
 protected:
  const std::unique_ptr<McpServer> server_ = Serve();
  TestClient client_{*server_, {.id = "alice"}};

  Json Sent(std::string_view text) {
    const auto stream = std::make_shared<RecordingStream>();
    server_->ReceiveText(client_.session(), text, stream);
    return stream->All().empty() ? Json("nothing") : stream->All().front();
  }
};

TEST_F(Protocol, InitializeSaysWhatThereIs) {
  const Json answer = client_.Call(
      "initialize", JsonObject{{"protocolVersion", "2025-06-18"}, {"capabilities", JsonObject()}});
  EXPECT_EQ(answer.TextOf("protocolVersion"), "2025-06-18");
  EXPECT_EQ(answer.Find("capabilities")->ToText(),
            R"({"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}})");
  EXPECT_EQ(answer.Find("serverInfo")->TextOf("name"), "stator");
  const Json newer = client_.Call(
      "initialize", JsonObject{{"protocolVersion", "2099-01-01"}, {"capabilities", JsonObject()}});
  EXPECT_EQ(newer.TextOf("protocolVersion"), "2025-11-25");
  // It wants batches, which are refused.
  const Json older = client_.Call(
      "initialize", JsonObject{{"protocolVersion", "2025-03-26"}, {"capabilities", JsonObject()}});
  EXPECT_EQ(older.TextOf("protocolVersion"), "2025-11-25");
  EXPECT_EQ(CodeOf(client_.Call("initialize", JsonObject())), -32602);
}

TEST_F(Protocol, BrokenMessagesHaveTheirCodes) {
  const auto code = [&](std::string_view text) { return CodeOf(*Sent(text).Find("error")); };
  EXPECT_EQ(code("{"), -32700);
  EXPECT_EQ(code("[]"), -32600);
  EXPECT_EQ(code("1"), -32600);
  EXPECT_EQ(code(R"({"id":1,"method":"ping"})"), -32600);
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"), -32600);
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})"), -32600);
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1})"), -32600);
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1,"method":"dance"})"), -32601);
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1,"method":"tasks/dance"})"), -32601);
  EXPECT_EQ(Sent(R"({"jsonrpc":"2.0","method":"notifications/dance"})"), Json("nothing"));
  EXPECT_EQ(Sent(R"({"jsonrpc":"2.0","id":"x","method":"ping"})").ToText(),
            R"({"jsonrpc":"2.0","id":"x","result":{}})");
}

TEST_F(Protocol, ToolsAreListedOnOnePage) {
  const Json answer = client_.Call("tools/list", JsonObject());
  EXPECT_EQ(answer.Find("tools")->If<JsonArray>()->size(), 5);
  EXPECT_EQ(CodeOf(client_.Call("tools/list", JsonObject{{"cursor", "x"}})), -32602);
}

TEST_F(Protocol, CallsAreCheckedInOrder) {
  const auto code = [&](JsonObject params) {
    return CodeOf(client_.Call("tools/call", std::move(params)));
  };
  EXPECT_EQ(code({}), -32602);
  EXPECT_EQ(code({{"name", 1}}), -32602);
  EXPECT_EQ(code({{"name", "nothing"}}), -32602);
  EXPECT_EQ(code({{"name", "nothing"}, {"task", JsonObject()}}), -32602);
  EXPECT_EQ(code({{"name", "plain"}, {"task", JsonObject()}}), -32601);
  EXPECT_EQ(code({{"name", "req"}}), -32601);
  EXPECT_EQ(code({{"name", "plain"}, {"arguments", 1}}), -32602);
  EXPECT_EQ(code({{"name", "slow"}, {"task", 1}}), -32602);
  for (const Json& ttl : {Json(0), Json(-1), Json(1.5), Json("1")}) {
    EXPECT_EQ(code({{"name", "slow"}, {"task", JsonObject{{"ttl", ttl}}}}), -32602) << ttl.ToText();
  }
  EXPECT_TRUE(store_->List("alice")->tasks.empty());
  EXPECT_EQ(code({{"name", "plain"}, {"arguments", nullptr}}), 0);
}

TEST_F(Protocol, WrongArgumentsAreForTheModelToRead) {
  const JsonObject wrong{{"name", "slow"}, {"arguments", JsonObject{{"ms", "soon"}}}};
  const Json refused = client_.Call("tools/call", wrong);
  EXPECT_EQ(refused.Find("isError")->ToText(), "true");
  EXPECT_EQ(TextOf(refused), "Invalid arguments: arguments.ms must be an integer");
  // The creation of a task can only succeed or fail.
  JsonObject as_task = wrong;
  as_task.Set("task", JsonObject());
  const Json error = client_.Call("tools/call", as_task);
  EXPECT_EQ(CodeOf(error), -32602);
  EXPECT_EQ(error.TextOf("message"), "Invalid arguments: arguments.ms must be an integer");
  EXPECT_TRUE(store_->List("alice")->tasks.empty());
  // So it was for every call in older versions of the protocol.
  client_.Call("initialize", JsonObject{{"protocolVersion", "2025-06-18"}});
  EXPECT_EQ(CodeOf(client_.Call("tools/call", wrong)), -32602);
}

TEST_F(Protocol, ATtlThatIsWholeIsTakenHoweverItIsWritten) {
  const Json answer = client_.Call(
      "tools/call",
      JsonObject{{"name", "fails"}, {"task", JsonObject{{"ttl", tasks::JsonNumber{"60000.0"}}}}});
  EXPECT_EQ(answer.Find("task")->Find("ttl")->ToInt64(), 60000);
  const Json without = client_.Call(
      "tools/call", JsonObject{{"name", "fails"}, {"task", JsonObject{{"ttl", nullptr}}}});
  EXPECT_EQ(without.Find("task")->Find("ttl")->ToInt64(), 3'600'000);
}

TEST_F(Protocol, TaskMethodsWantATaskId) {
  for (const std::string_view method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    EXPECT_EQ(CodeOf(client_.Call(method, JsonObject())), -32602) << method;
    EXPECT_EQ(CodeOf(client_.Call(method, JsonObject{{"taskId", 1}})), -32602) << method;
    EXPECT_EQ(CodeOf(client_.Call(method, JsonObject{{"taskId", "unknown"}})), -32602) << method;
    EXPECT_EQ(CodeOf(client_.Call(method, JsonObject{{"taskId", ""}})), -32602) << method;
  }
  EXPECT_EQ(CodeOf(client_.Call("tasks/list", JsonObject{{"cursor", 1}})), -32602);
  EXPECT_EQ(CodeOf(client_.Call("tasks/list", JsonObject{{"cursor", "x"}})), -32602);
}

TEST_F(Protocol, PollsMayRepeatTheOptionsOfTheCall) {
  const std::string task = client_.Begin("fails");
  const JsonObject params{{"taskId", task},
                          {"task", JsonObject{{"ttl", 1}}},
                          {"_meta", JsonObject{{"progressToken", 7}}}};
  EXPECT_EQ(client_.Call("tasks/get", params).TextOf("taskId"), task);
  EXPECT_EQ(TextOf(client_.Call("tasks/result", params)), "this tool always fails");
}

TEST_F(Protocol, AnIdIsOpenOnce) {
  Tool waits{.name = "waits", .description = "", .run = [](ToolCall& call) {
               call.SleepFor(std::chrono::minutes(1));
               return TextResult("");
             }};
  const auto server = Serve({waits});
  TestClient client(*server, {.id = "alice"});
  const Json call = JsonObject{{"jsonrpc", "2.0"},
                               {"id", "same"},
                               {"method", "tools/call"},
                               {"params", JsonObject{{"name", "waits"}}}};
  const auto first = std::make_shared<RecordingStream>();
  const auto second = std::make_shared<RecordingStream>();
  server->Receive(client.session(), call, first);
  server->Receive(client.session(), call, second);
  EXPECT_EQ(CodeOf(*second->All().at(0).Find("error")), -32600);
  EXPECT_TRUE(first->All().empty());
}

TEST_F(Protocol, AnonymousClientsHaveNoTasksUnlessAllowed) {
  const auto server = Serve();
  TestClient anonymous(*server, tasks::ResolveOwner({}));
  const Json answer = anonymous.Call(
      "initialize", JsonObject{{"protocolVersion", "2025-11-25"}, {"capabilities", JsonObject()}});
  EXPECT_EQ(answer.Find("capabilities")->Find("tasks"), nullptr);
  EXPECT_EQ(CodeOf(anonymous.Call("tasks/list", JsonObject())), -32601);
  // Without the capability the client's wish is passed over.
  EXPECT_EQ(
      TextOf(anonymous.Call("tools/call", JsonObject{{"name", "plain"}, {"task", JsonObject()}})),
      "plain");
}

TEST_F(Protocol, OwnersDoNotSeeEachOther) {
  const std::string task = client_.Begin("fails");
  TestClient mallory(*server_, {.id = "mallory"});
  const Json foreign = mallory.Call("tasks/get", JsonObject{{"taskId", task}});
  EXPECT_EQ(CodeOf(foreign), -32602);
  EXPECT_EQ(foreign.TextOf("message"), "task not found: " + task);
  EXPECT_EQ(CodeOf(mallory.Result(task)), -32602);
  EXPECT_EQ(CodeOf(mallory.Call("tasks/cancel", JsonObject{{"taskId", task}})), -32602);
  EXPECT_TRUE(mallory.Call("tasks/list", JsonObject()).Find("tasks")->If<JsonArray>()->empty());
}

TEST_F(Protocol, TooManyTasksSayWhichLimit) {
  tasks::TaskStore store =
      tasks::TaskStore::Open(backend_, tasks::TaskStoreOptions{.active_tasks_max = 1}).value();
  McpServer server({}, store);
  server.AddTool(DemonstrationTools().front());
  server.Start();
  TestClient client(server, {.id = "bob"});
  client.Begin("slow", JsonObject{{"ms", 60000}});
  const Json refused =
      client.Call("tools/call", JsonObject{{"name", "slow"}, {"task", JsonObject()}});
  EXPECT_EQ(CodeOf(refused), -32603);
  EXPECT_EQ(refused.TextOf("message"), "resource exhausted");
  EXPECT_EQ(refused.Find("data")->ToText(),
            R"({"reason":"too many active tasks","limit":1,)"
            R"("hint":"Cancel or wait for existing tasks to expire"})");
}

}  // namespace
}  // namespace stator::mcp
