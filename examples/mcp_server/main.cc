// An MCP server with a few useful tools, as a start for your own.
//
//   mcp_server [LOCATION]        stdio; LOCATION as stator::Open takes it, default ./mcp-data
//
// count_words and checksum read a file below the working directory; checksum takes its time for
// large files and runs as a task that a restarted server begins again. remind waits for a while and
// then asks the user whether the reminder was seen.

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "stator/home/open.h"
#include "stator/mcp/server.h"
#include "stator/mcp/stdio.h"
#include "stator/stores/tasks/database_backend.h"

namespace {

using stator::mcp::ErrorResult;
using stator::mcp::Json;
using stator::mcp::JsonArray;
using stator::mcp::JsonObject;
using stator::mcp::TaskSupport;
using stator::mcp::TextResult;
using stator::mcp::Tool;
using stator::mcp::ToolCall;
using stator::mcp::ToolResult;

Json PathSchema() {
  return JsonObject{{"type", "object"},
                    {"properties", JsonObject{{"path", JsonObject{{"type", "string"}}}}},
                    {"required", JsonArray{"path"}}};
}

// Clients are not trusted with the rest of the machine.
std::ifstream OpenBelowHere(const ToolCall& call) {
  const std::filesystem::path path = call.arguments().TextOf("path").value_or("");
  std::error_code error;
  const auto below =
      std::filesystem::weakly_canonical(path, error)
          .lexically_relative(std::filesystem::weakly_canonical(std::filesystem::current_path()));
  const bool outside = error || below.empty() || *below.begin() == "..";
  return outside ? std::ifstream() : std::ifstream(path, std::ios::binary);
}

ToolResult CountWords(ToolCall& call) {
  std::ifstream file = OpenBelowHere(call);
  if (!file.is_open()) {
    return ErrorResult("there is no such file below the working directory");
  }
  std::size_t words = 0;
  for (std::string word; file >> word;) {
    ++words;
  }
  return TextResult(std::to_string(words) + " words");
}

// FNV-1a of the file, megabyte by megabyte, so that it can be cancelled between them.
ToolResult Checksum(ToolCall& call) {
  std::ifstream file = OpenBelowHere(call);
  if (!file.is_open()) {
    return ErrorResult("there is no such file below the working directory");
  }
  std::uint64_t hash = 0xcbf29ce484222325;
  std::string block(1 << 20, '\0');
  for (double megabytes = 1; file.good(); ++megabytes) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    for (std::streamsize at = 0; at < file.gcount(); ++at) {
      hash =
          (hash ^ static_cast<unsigned char>(block[static_cast<std::size_t>(at)])) * 0x100000001b3;
    }
    call.Progress(megabytes, std::nullopt, std::nullopt);
    if (call.IsCancelled()) {
      return ErrorResult("cancelled");
    }
  }
  std::array<char, 17> text;
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return TextResult(text.data());
}

ToolResult Remind(ToolCall& call) {
  const Json* const minutes = call.arguments().Find("minutes");
  const double wait = minutes == nullptr ? 1 : minutes->ToDouble().value_or(1);
  if (!call.SleepFor(std::chrono::seconds(static_cast<std::int64_t>(wait * 60)))) {
    return ErrorResult("cancelled");
  }
  const std::string text = call.arguments().TextOf("text").value_or("Time is up.");
  const Json schema = JsonObject{
      {"type", "object"}, {"properties", JsonObject{{"seen", JsonObject{{"type", "boolean"}}}}}};
  const stator::Result<Json> answer = call.Elicit(text, schema);
  return answer ? TextResult("the reminder was answered: " + answer->TextOf("action").value_or(""))
                : ErrorResult(answer.error().message);
}

int Serve(const std::string& location) {
  const auto database = stator::Open(location);
  if (!database) {
    std::fprintf(stderr, "%s\n", database.error().message.c_str());
    return 1;
  }
  const auto table = stator::tasks::CreateTaskTable(**database, stator::tasks::kDefaultTaskTable,
                                                    stator::SystemClock());
  if (!table) {
    std::fprintf(stderr, "%s\n", table.error().message.c_str());
    return 1;
  }
  auto store = stator::tasks::TaskStore::Open(**database, {.allow_anonymous = true});
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return 1;
  }
  stator::mcp::McpServer server({.name = "stator-example"}, *store);
  server.AddTool({.name = "count_words",
                  .description = "Counts the words of a file",
                  .input_schema = PathSchema(),
                  .run = CountWords});
  server.AddTool({.name = "checksum",
                  .description = "Computes a checksum of a file; long files are better as a task",
                  .input_schema = PathSchema(),
                  .task_support = TaskSupport::kOptional,
                  .restartable = true,
                  .run = Checksum});
  server.AddTool({.name = "remind",
                  .description = "Waits for some minutes, then shows a text to the user",
                  .task_support = TaskSupport::kRequired,
                  .restartable = true,
                  .run = Remind});
  server.Start();
  const auto served = stator::mcp::ServeStdio(server, {});
  server.Stop();
  return served ? 0 : 1;
}

}  // namespace

int main(int count, char** values) {
  return Serve(count > 1 ? values[1] : "mcp-data");
}
