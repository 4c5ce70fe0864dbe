// For tests: an MCP server on a store in memory, and a client that is a list of messages.

#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "stator/mcp/demonstration_tools.h"
#include "stator/mcp/server.h"
#include "stator/stores/tasks/memory_backend.h"

namespace stator::mcp {

// Keeps what the server sends.
class RecordingStream final : public Stream {
 public:
  bool Send(const Json& message) override {
    const std::scoped_lock lock(mutex_);
    messages_.push_back(message);
    changed_.notify_all();
    return open_;
  }
  void Finish() override {}
  [[nodiscard]] bool IsOpen() const override {
    const std::scoped_lock lock(mutex_);
    return open_;
  }

  void Break() {
    const std::scoped_lock lock(mutex_);
    open_ = false;
  }

  // The first message that fits, now or within a while; null when none comes.
  template <class Condition>
  Json Await(const Condition& condition) {
    std::unique_lock lock(mutex_);
    Json found;
    changed_.wait_for(lock, std::chrono::seconds(30), [&] {
      for (const Json& message : messages_) {
        if (condition(message)) {
          found = message;
          return true;
        }
      }
      return false;
    });
    return found;
  }

  std::vector<Json> All() {
    const std::scoped_lock lock(mutex_);
    return messages_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Json> messages_;
  bool open_ = true;
};

// A conversation.
class TestClient {
 public:
  TestClient(McpServer& server, tasks::Owner owner, Json capabilities = JsonObject())
      : server_(server), session_(server.OpenSession(std::move(owner))) {
    server_.Attach(session_, stream_);
    Call("initialize",
         JsonObject{{"protocolVersion", "2025-11-25"}, {"capabilities", std::move(capabilities)}});
  }

  std::int64_t Send(std::string_view method, Json params) {
    const std::int64_t id = ++last_id_;
    server_.Receive(
        session_,
        JsonObject{
            {"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}},
        stream_);
    return id;
  }
  void Notify(std::string_view method, Json params) {
    server_.Receive(
        session_, JsonObject{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}},
        stream_);
  }
  void Reply(const Json& id, Json result) {
    server_.Receive(session_,
                    JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}},
                    stream_);
  }
  // The answer to a request: its result, or its error.
  Json Answer(std::int64_t id) {
    const Json message = stream_->Await([&](const Json& sent) {
      return sent.Find("method") == nullptr && sent.Find("id") != nullptr &&
             sent.Find("id")->ToInt64() == id;
    });
    const Json* const result = message.Find("result");
    const Json* const error = message.Find("error");
    return result != nullptr ? *result : error != nullptr ? *error : Json("no answer");
  }
  bool IsAnswered(std::int64_t id) {
    for (const Json& message : stream_->All()) {
      if (message.Find("method") == nullptr && message.Find("id")->ToInt64() == id) {
        return true;
      }
    }
    return false;
  }
  Json Call(std::string_view method, Json params) {
    return Answer(Send(method, std::move(params)));
  }

  // A request or notification of the server.
  Json Await(std::string_view method) {
    return stream_->Await([&](const Json& sent) { return sent.TextOf("method") == method; });
  }

  // Creates a task and gives its id.
  std::string Begin(std::string_view tool, Json arguments = JsonObject()) {
    const Json answer = Call(
        "tools/call",
        JsonObject{{"name", tool}, {"arguments", std::move(arguments)}, {"task", JsonObject()}});
    const Json* const task = answer.Find("task");
    EXPECT_NE(task, nullptr) << answer.ToText();
    return task == nullptr ? "" : task->TextOf("taskId").value_or("");
  }
  Json Result(const std::string& task) {
    return Call("tasks/result", JsonObject{{"taskId", task}});
  }
  std::string Status(const std::string& task) {
    return Call("tasks/get", JsonObject{{"taskId", task}}).TextOf("status").value_or("none");
  }

  RecordingStream& stream() { return *stream_; }
  const std::shared_ptr<Session>& session() { return session_; }

 private:
  McpServer& server_;
  const std::shared_ptr<Session> session_;
  const std::shared_ptr<RecordingStream> stream_ = std::make_shared<RecordingStream>();
  std::int64_t last_id_ = 0;
};

inline std::string TextOf(const Json& result) {
  const Json* const content = result.Find("content");
  const auto* const parts = content == nullptr ? nullptr : content->If<JsonArray>();
  return parts == nullptr || parts->empty() ? "no text in " + result.ToText()
                                            : parts->front().TextOf("text").value_or("");
}

inline std::int64_t CodeOf(const Json& error) {
  const Json* const code = error.Find("code");
  return code == nullptr ? 0 : code->ToInt64().value_or(0);
}

class McpTest : public testing::Test {
 protected:
  McpTest() { Open({}); }

  void Open(tasks::TaskStoreOptions options) {
    store_ = std::make_unique<tasks::TaskStore>(
        tasks::TaskStore::Open(backend_, std::move(options)).value());
  }

  // A server with the demonstration tools and others.
  std::unique_ptr<McpServer> Serve(std::vector<Tool> others = {}, McpServerOptions options = {}) {
    auto server = std::make_unique<McpServer>(std::move(options), *store_);
    for (Tool& tool : DemonstrationTools()) {
      server->AddTool(std::move(tool));
    }
    for (Tool& tool : others) {
      server->AddTool(std::move(tool));
    }
    server->Start();
    return server;
  }

  tasks::MemoryBackend backend_;
  std::unique_ptr<tasks::TaskStore> store_;
};

}  // namespace stator::mcp
