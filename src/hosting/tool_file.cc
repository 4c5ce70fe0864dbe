#include "hosting/tool_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>
#include <utility>

#include "base/try.h"
#include "hosting/members.h"
#include "mcp/json_schema.h"

namespace stator::hosting {
namespace {

namespace fs = std::filesystem;
using mcp::TaskSupport;
using tasks::Json;
using tasks::JsonArray;
using tasks::JsonObject;

constexpr std::size_t kFileBytesMax = 4 << 20;
constexpr std::size_t kNameMax = 128;
constexpr double kShortestLimit = 0.1;
constexpr double kLongestLimit = 7 * 86'400.0;
constexpr std::int64_t kOutputMost = 16 << 20;
constexpr std::int64_t kRunningMost = 10'000;
constexpr std::int64_t kAttemptsMost = 1'000;

// What the tools of one file have in common.
struct FileContext {
  fs::path folder;
  const client::Environment& environment;
};

bool IsToolName(std::string_view name) {
  return !name.empty() && name.size() <= kNameMax && std::ranges::all_of(name, [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' ||
           letter == '-' || letter == '.';
  });
}

bool IsProgram(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

// As execvp finds it, once and for all.
Result<std::string> FindProgram(const std::string& name, const fs::path& directory,
                                const client::Environment& environment) {
  if (name.contains('/')) {
    const fs::path path = directory / name;
    if (IsProgram(path)) {
      return path.string();
    }
    return Invalid("there is no program " + path.string() +
                   "; correct the first text of \"command\", or make the file executable");
  }
  std::istringstream folders(environment("PATH").value_or("/usr/local/bin:/usr/bin:/bin"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (const fs::path path = fs::path(folder) / name; !folder.empty() && IsProgram(path)) {
      return fs::absolute(path).string();
    }
  }
  return Invalid("there is no program " + name +
                 " in PATH; install it, or give its path as the first text of \"command\"");
}

std::string ReadSchema(Members& members, std::string_view name, std::optional<Json>& schema) {
  const JsonObject* const object = members.Object(name);
  if (object == nullptr) {
    return "";
  }
  schema = *object;
  const Json* const type = object->Find("type");
  if (type == nullptr || *type != Json("object")) {
    return "\"" + std::string(name) + "\" must have \"type\": \"object\"";
  }
  return mcp::ProblemWithSchema(*schema, std::string(name));
}

// Puts variables of the environment into `text`; what is wrong is noted.
void Expand(std::string& text, std::string_view where, Secrets& secrets,
            const client::Environment& environment, Members& members) {
  Result<std::string> expanded = secrets.Expand(text, environment);
  if (!expanded) {
    members.Note(std::string(where) + ": " + expanded.error().message);
  } else if (expanded->find_first_of(std::string_view("\0\r\n", 3)) != std::string::npos) {
    members.Note(std::string(where) + ": the value has a line break or a NUL");
  } else {
    text = *std::move(expanded);
  }
}

Command ReadCommand(Members& members, const FileContext& context, Secrets& secrets) {
  Command command{.program = {}, .argv = members.Texts("command")};
  fs::path directory = context.folder / members.Text("workingDirectory").value_or("");
  std::error_code ignored;
  if (!fs::is_directory(directory, ignored)) {
    members.Note("there is no folder " + directory.string() + "; correct \"workingDirectory\"");
  }
  command.directory = directory.string();
  auto variables = members.TextMembers("environment");
  for (auto& [name, value] : variables) {
    if (name.empty() || name.contains('=')) {
      members.Note("\"" + name + "\" cannot be the name of a variable");
    }
    Expand(value, "\"" + name + "\" in \"environment\"", secrets, context.environment, members);
    command.environment.push_back(name + "=" + value);
  }
  for (const std::string name : {"PATH", "HOME"}) {
    const auto has_name = [&](const auto& variable) { return variable.first == name; };
    const std::optional<std::string> value = context.environment(name);
    if (value && std::ranges::none_of(variables, has_name)) {
      command.environment.push_back(name + "=" + *value);
    }
  }
  if (!command.argv.empty()) {
    Result<std::string> program = FindProgram(command.argv.front(), directory, context.environment);
    if (program) {
      command.program = *std::move(program);
    } else {
      members.Note(program.error().message);
    }
  }
  return command;
}

bool IsHeaderName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").contains(letter);
  });
}

Endpoint ReadEndpoint(Members& members, const FileContext& context, Secrets& secrets) {
  Endpoint endpoint{.url = members.Text("url").value_or("")};
  Expand(endpoint.url, "\"url\"", secrets, context.environment, members);
  if (!endpoint.url.starts_with("http://") && !endpoint.url.starts_with("https://")) {
    members.Note("\"url\" must begin with http:// or https://");
  }
  endpoint.headers = members.TextMembers("headers");
  for (auto& [name, value] : endpoint.headers) {
    if (!IsHeaderName(name)) {
      members.Note("\"" + name + "\" cannot be the name of a header");
    }
    Expand(value, "\"" + name + "\" in \"headers\"", secrets, context.environment, members);
  }
  return endpoint;
}

// Optional unless the file says something else: then calls that take long are durable where the
// client knows tasks, and everybody else can call, too.
TaskSupport ReadTaskSupport(Members& members) {
  const std::string text = members.Text("taskSupport").value_or("optional");
  if (text == "forbidden") {
    return TaskSupport::kForbidden;
  }
  if (text != "optional" && text != "required") {
    members.Note("\"taskSupport\" must be optional, required or forbidden");
  }
  return text == "required" ? TaskSupport::kRequired : TaskSupport::kOptional;
}

void ReadDescription(Members& members, mcp::Tool& tool) {
  if (!IsToolName(tool.name)) {
    members.Note("\"name\" must have 1 to 128 letters, digits, _, - or .");
  }
  tool.title = members.Text("title");
  tool.description = members.Text("description").value_or("");
  if (tool.description.empty()) {
    members.Note("\"description\" is missing; a model reads it to know when to call the tool");
  }
  std::optional<Json> input;
  members.Note(ReadSchema(members, "inputSchema", input));
  members.Note(ReadSchema(members, "outputSchema", tool.output_schema));
  tool.input_schema = input.value_or(JsonObject{{"type", "object"}});
  if (const JsonObject* const annotations = members.Object("annotations")) {
    tool.annotations = *annotations;
  }
  tool.scopes = members.Texts("scopes");
  tool.task_support = ReadTaskSupport(members);
  tool.restartable = members.Flag("idempotent").value_or(false);
  if (tool.restartable) {
    JsonObject annotations = tool.annotations ? *tool.annotations->If<JsonObject>() : JsonObject();
    annotations.Set("idempotentHint", true);
    tool.annotations = std::move(annotations);
  }
}

Duration SecondsOf(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

mcp::RetryPolicy ReadRetry(Members& members) {
  mcp::RetryPolicy policy;
  const JsonObject* const given = members.Object("retry");
  if (given == nullptr) {
    return policy;
  }
  Members retry(*given);
  if (const auto attempts = retry.Whole("attempts", 1, kAttemptsMost)) {
    policy.attempts_max = *attempts;
  }
  if (const auto seconds = retry.Number("firstPauseSeconds", 0, kLongestLimit)) {
    policy.first_pause = SecondsOf(*seconds);
  }
  if (const auto seconds = retry.Number("longestPauseSeconds", 0, kLongestLimit)) {
    policy.longest_pause = SecondsOf(*seconds);
  }
  if (const std::string problem = retry.Problem(); !problem.empty()) {
    members.Note("\"retry\": " + problem);
  }
  return policy;
}

// What is wrong goes to `problem`.
HostedTool ReadTool(const JsonObject& object, const FileContext& context, std::string& problem) {
  Members members(object);
  HostedTool hosted;
  hosted.tool.name = members.Text("name").value_or("");
  ReadDescription(members, hosted.tool);
  const bool for_workers = members.Flag("worker").value_or(false);
  if (members.Has("command") + members.Has("url") + for_workers != 1) {
    members.Note("give either \"command\", a list of texts, or \"url\", or \"worker\": true");
  }
  if (for_workers) {
    hosted.tool.for_workers = ReadRetry(members);
    hosted.tool.task_support = TaskSupport::kRequired;
  } else if (members.Has("url")) {
    hosted.target = ReadEndpoint(members, context, hosted.secrets);
  } else {
    hosted.target = ReadCommand(members, context, hosted.secrets);
  }
  if (!for_workers && members.Has("retry")) {
    hosted.tool.retry = ReadRetry(members);
    if (!hosted.tool.restartable) {
      members.Note("\"retry\" is for tools with \"idempotent\": true");
    }
  }
  if (const auto limit = members.Number("timeLimitSeconds", kShortestLimit, kLongestLimit)) {
    hosted.time_limit = SecondsOf(*limit);
  }
  if (const auto most = members.Whole("outputBytesMax", 1, kOutputMost)) {
    hosted.output_bytes_max = static_cast<std::size_t>(*most);
  }
  if (const auto most = members.Whole("runningMax", 1, kRunningMost)) {
    hosted.running_max = static_cast<std::size_t>(*most);
  }
  problem = members.Problem();
  return hosted;
}

std::string NameOf(const Json& tool, std::size_t position) {
  const std::optional<std::string> name = tool.TextOf("name");
  return name ? "tool \"" + *name + "\"" : "tool number " + std::to_string(position + 1);
}

}  // namespace

Result<ToolFile> ParseToolFile(std::string_view text, const std::string& path,
                               const client::Environment& environment) {
  const Result<Json> document = Json::Parse(text);
  if (!document || !document->Is<JsonObject>()) {
    return Invalid(path + ": this is no JSON object" +
                   (document ? "" : ": " + document.error().message));
  }
  const FileContext context{.folder = fs::absolute(path).parent_path(), .environment = environment};
  ToolFile file;
  Members members(*document->If<JsonObject>());
  file.name = members.Text("name");
  file.instructions = members.Text("instructions");
  const Json* const listed = document->Find("tools");
  if (listed == nullptr || !listed->Is<JsonArray>()) {
    members.Note("\"tools\" must be a list of objects");
  }
  members.Know("tools");
  if (const std::string problem = members.Problem(); !problem.empty()) {
    return Invalid(path + ": " + problem);
  }
  std::set<std::string> names;
  for (const Json& entry : *listed->If<JsonArray>()) {
    const std::string who = path + ": " + NameOf(entry, file.tools.size());
    if (!entry.Is<JsonObject>()) {
      return Invalid(who + " must be an object");
    }
    std::string problem;
    file.tools.push_back(ReadTool(*entry.If<JsonObject>(), context, problem));
    if (problem.empty() && !names.insert(file.tools.back().tool.name).second) {
      problem = "another tool has this name; rename one of them";
    }
    if (!problem.empty()) {
      return Invalid(who + ": " + problem);
    }
  }
  return file;
}

Result<ToolFile> ReadToolFile(const std::string& path, const client::Environment& environment) {
  std::error_code ignored;
  std::ifstream input(path, std::ios::binary);
  if (!input || fs::is_directory(path, ignored)) {
    return Fail(ErrorCode::kNotFound, "the file " + path + " cannot be read");
  }
  std::string text(kFileBytesMax + 1, '\0');
  input.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(input.gcount()));
  if (text.size() > kFileBytesMax) {
    return Invalid(path + ": the file is larger than 4 MB");
  }
  return ParseToolFile(text, path, environment);
}

}  // namespace stator::hosting
