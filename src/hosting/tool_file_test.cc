#include "hosting/tool_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stator::hosting {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::optional<std::string> Environment(const std::string& name) {
  if (name == "PATH") {
    return "/usr/bin:/bin";
  }
  if (name == "HOME") {
    return "/users/ada";
  }
  if (name == "BREAK") {
    return "hidden\r\nX-Other: 1";
  }
  return name == "TOKEN" ? std::optional<std::string>("s3cret") : std::nullopt;
}

Result<ToolFile> Parse(const std::string& tools) {
  return ParseToolFile(R"({"tools": [)" + tools + "]}", "/usr/tools.json", Environment);
}

std::string ProblemOf(const std::string& tools) {
  const Result<ToolFile> file = Parse(tools);
  return file ? "none" : file.error().message;
}

TEST(ToolFileTest, ACommand) {
  const Result<ToolFile> file = Parse(R"({
    "name": "report", "title": "Report", "description": "Writes it",
    "inputSchema": {"type": "object", "required": ["year"]},
    "outputSchema": {"type": "object"},
    "command": ["sh", "-c", "true"], "workingDirectory": "bin",
    "environment": {"MODE": "fast", "KEY": "${TOKEN}"},
    "timeLimitSeconds": 1.5, "idempotent": true, "runningMax": 3, "outputBytesMax": 10})");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  const HostedTool& hosted = file->tools.front();
  EXPECT_EQ(hosted.tool.title, "Report");
  EXPECT_TRUE(hosted.tool.restartable);
  EXPECT_EQ(hosted.tool.task_support, mcp::TaskSupport::kOptional);
  EXPECT_EQ(hosted.tool.annotations->ToText(), R"({"idempotentHint":true})");
  EXPECT_EQ(hosted.time_limit, std::chrono::milliseconds(1500));
  EXPECT_EQ(hosted.running_max, 3U);
  EXPECT_EQ(hosted.output_bytes_max, 10U);
  const Command& command = std::get<Command>(hosted.target);
  EXPECT_EQ(command.program, "/usr/bin/sh");
  EXPECT_THAT(command.argv, ElementsAre("sh", "-c", "true"));
  EXPECT_THAT(command.directory, HasSubstr("/usr/bin"));
  EXPECT_THAT(command.environment,
              ElementsAre("MODE=fast", "KEY=s3cret", "PATH=/usr/bin:/bin", "HOME=/users/ada"));
}

TEST(ToolFileTest, RetriesAreForWhatMayRunAgain) {
  const std::string start = R"({"name": "x", "description": "d", "command": ["sh"], )";
  const Result<ToolFile> file = Parse(start + R"("idempotent": true, "retry": {"attempts": 3}})");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->tools.front().tool.retry->attempts_max, 3);
  EXPECT_THAT(ProblemOf(start + R"("retry": {"attempts": 3}})"), HasSubstr("idempotent"));
  EXPECT_THAT(ProblemOf(start + R"("idempotent": true, "retry": {"attemps": 3}})"),
              HasSubstr("attemps"));
  EXPECT_FALSE(Parse(start + R"("idempotent": true})")->tools.front().tool.retry);
}

TEST(ToolFileTest, AnEndpoint) {
  const Result<ToolFile> file = Parse(R"({"name": "search", "description": "Searches",
    "url": "https://example.com/search", "headers": {"Authorization": "Bearer ${TOKEN}"}})");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  const Endpoint& endpoint = std::get<Endpoint>(file->tools.front().target);
  EXPECT_EQ(endpoint.headers.front().second, "Bearer s3cret");
}

TEST(ToolFileTest, WhatIsWrongIsToldWithFileToolAndWhatToDo) {
  const std::string start = R"({"name": "x", "description": "d", )";
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {R"("command": ["no-such-program"]})", "no-such-program in PATH; install it"},
      {R"("command": ["./nothing"]})", "make the file executable"},
      {R"("command": "ls -l"})", "\"command\" must be a list of texts"},
      {R"("command": []})", "\"command\" must be a list of texts"},
      {R"("command": ["ls", "a\u0000b"]})", "\"command\" must be a list of texts"},
      {R"("command": ["ls"], "comand": 1})", "unknown key \"comand\"; there are name"},
      {R"("command": ["ls"], "url": "http://x"})", "either \"command\""},
      {R"("url": "http://x", "workingDirectory": "/"})", "unknown key \"workingDirectory\""},
      {R"("title": "t"})", "either \"command\""},
      {R"("url": "ftp://x"})", "must begin with http://"},
      {R"("url": "http://x", "headers": {"A b": "c"}})", "cannot be the name of a header"},
      {R"("url": "http://x", "headers": {"A": "${NONE}"}})", "no variable NONE"},
      {R"("url": "http://x", "headers": {"A": "${BREAK}"}})", "a line break"},
      {R"("command": ["ls"], "workingDirectory": "nowhere"})", "correct \"workingDirectory\""},
      {R"("command": ["ls"], "environment": {"A=B": "c"}})", "the name of a variable"},
      {R"("command": ["ls"], "environment": {"A": 1}})", "\"A\" in \"environment\" must be a text"},
      {R"("command": ["ls"], "timeLimitSeconds": 0})", "from 0.1 to 604800"},
      {R"("command": ["ls"], "idempotent": "yes"})", "true or false"},
      {R"("command": ["ls"], "taskSupport": "always"})", "optional, required or forbidden"},
      {R"("command": ["ls"], "inputSchema": {"type": "array"}})", R"("type": "object")"},
      {R"("command": ["ls"], "inputSchema": {"type": "object", "properties": {"a": {"type": "int"}}}})",
       "inputSchema.properties.a.type"},
      {R"("command": ["ls"], "outputSchema": {"type": "object", "required": "a"}})",
       "outputSchema.required must be"},
  };
  for (const auto& [rest, problem] : wrong) {
    EXPECT_THAT(ProblemOf(start + rest),
                AllOf(HasSubstr("/usr/tools.json: tool \"x\": "), HasSubstr(problem)));
    EXPECT_THAT(ProblemOf(start + rest), testing::Not(HasSubstr("hidden")));
  }
}

TEST(ToolFileTest, NamesAndTheFileItself) {
  const std::string tool = R"({"name": "x", "description": "d", "command": ["ls"]})";
  EXPECT_THAT(ProblemOf(tool + "," + tool), HasSubstr("another tool has this name"));
  EXPECT_THAT(ProblemOf(R"({"description": "d", "command": ["ls"]})"), HasSubstr("tool number 1"));
  EXPECT_THAT(ProblemOf(R"({"name": "a b", "description": "d"})"), HasSubstr("letters, digits"));
  EXPECT_THAT(ProblemOf(R"({"name": "x", "command": ["ls"]})"), HasSubstr("\"description\""));
  EXPECT_THAT(ProblemOf("1"), HasSubstr("must be an object"));
  const auto problem = [](const std::string& text) {
    return ParseToolFile(text, "f.json", Environment).error().message;
  };
  EXPECT_THAT(problem("{"), HasSubstr("f.json: this is no JSON object"));
  EXPECT_THAT(problem("{}"), HasSubstr("\"tools\" must be a list"));
  EXPECT_THAT(problem(R"({"tools": [], "tool": 1})"), HasSubstr("unknown key \"tool\""));
  EXPECT_THAT(ReadToolFile("/nowhere/f.json", Environment).error().message,
              HasSubstr("/nowhere/f.json"));
  EXPECT_THAT(ReadToolFile("/usr", Environment).error().message, HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace stator::hosting
