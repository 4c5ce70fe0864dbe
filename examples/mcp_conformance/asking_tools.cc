// Tools that ask the client, at once or in a task.

#include <utility>

#include "examples/mcp_conformance/fixtures.h"

namespace conformance {

using namespace std::chrono_literals;
using stator::Result;
using stator::mcp::ErrorResult;
using stator::mcp::FormQuestion;
using stator::mcp::Json;
using stator::mcp::JsonArray;
using stator::mcp::JsonObject;
using stator::mcp::McpServer;
using stator::mcp::Question;
using stator::mcp::QuestionKind;
using stator::mcp::RootsQuestion;
using stator::mcp::SamplingQuestion;
using stator::mcp::TaskSupport;
using stator::mcp::TextResult;
using stator::mcp::Tool;
using stator::mcp::ToolCall;
using stator::mcp::ToolResult;
using stator::mcp::ToolRoutine;

Json Form(const char* name, const char* type) {
  return JsonObject{{"type", "object"},
                    {"properties", JsonObject{{name, JsonObject{{"type", type}}}}},
                    {"required", JsonArray{name}}};
}

namespace {

Json Sampling(const std::string& text, int tokens) {
  return JsonObject{{"messages", JsonArray{JsonObject{
                                     {"role", "user"},
                                     {"content", JsonObject{{"type", "text"}, {"text", text}}}}}},
                    {"maxTokens", tokens}};
}

std::string ContentOf(const Json& answer, const char* name) {
  const Json* const content = answer.Find("content");
  return content == nullptr ? "" : content->TextOf(name).value_or("");
}

// A tool that asks all of the questions and shows the answers behind a word.
Tool Asks(std::string name, std::vector<Question> questions, std::string word) {
  return {.name = std::move(name),
          .description = "Asks",
          .run = [questions, word](ToolCall& call) -> ToolRoutine {
            // The lambda lives as long as the tool, which outlives the call.
            const std::string greeting = word;
            const auto answers = co_await call.AskAll(questions);
            if (!answers) {
              co_return ErrorResult(answers.error().message);
            }
            std::string text = greeting;
            for (const Json& answer : *answers) {
              text += " " + answer.ToText();
            }
            co_return TextResult(text);
          }};
}

ToolRoutine Greet(ToolCall& call) {
  const Result<Json> answer =
      co_await call.Ask(FormQuestion("What is your name?", Form("name", "string"), "user_name"));
  co_return answer ? TextResult("Hello, " + ContentOf(*answer, "name") + "!")
                   : ErrorResult(answer.error().message);
}

ToolRoutine TwoRounds(ToolCall& call) {
  const Result<Json> name =
      co_await call.Ask(FormQuestion("Your name?", Form("name", "string"), "step1"));
  const Result<Json> color =
      co_await call.Ask(FormQuestion("Your color?", Form("color", "string"), "step2"));
  co_return name&& color
      ? TextResult(ContentOf(*name, "name") + " likes " + ContentOf(*color, "color"))
      : ErrorResult("not answered");
}

// Asks in a way that the client offers.
ToolRoutine AskAsOffered(ToolCall& call) {
  Question question = RootsQuestion("roots");
  if (call.CanAsk(QuestionKind::kSampling)) {
    question = SamplingQuestion(Sampling("Who are you?", 100), "sampling");
  } else if (call.CanAsk(QuestionKind::kForm)) {
    question = FormQuestion("Who are you?", Form("name", "string"), "form");
  }
  const Result<Json> answer = co_await call.Ask(std::move(question));
  co_return answer ? TextResult(answer->ToText()) : ErrorResult(answer.error().message);
}

ToolRoutine Sample(ToolCall& call) {
  const Result<Json> answer = co_await call.Ask(
      SamplingQuestion(Sampling(call.arguments().TextOf("prompt").value_or("Hello"), 100)));
  co_return answer ? TextResult("LLM response: " + ContentOf(*answer, "text"))
                   : ErrorResult(answer.error().message);
}

// A plain function that waits, as simple tools do.
Tool Elicits(std::string name, const char* schema) {
  return {.name = std::move(name),
          .description = "Asks the user",
          .run = [form = *Json::Parse(schema)](ToolCall& call) -> ToolResult {
            const std::string message =
                call.arguments().TextOf("message").value_or("Please answer");
            const Result<Json> answer = call.Elicit(message, form);
            return answer ? TextResult("User response: " + answer->ToText())
                          : ErrorResult(answer.error().message);
          }};
}

ToolRoutine Compute(ToolCall& call) {
  const Json* const seconds = call.arguments().Find("seconds");
  const double asked = seconds == nullptr ? 1 : seconds->ToDouble().value_or(1);
  const bool passed =
      co_await call.Pause(std::chrono::milliseconds(static_cast<std::int64_t>(asked * 1000)));
  co_return passed ? TextResult("computed") : ErrorResult("cancelled");
}

Tool AsTask(Tool tool, TaskSupport support) {
  tool.task_support = support;
  return tool;
}

}  // namespace

void AddAskingTools(McpServer& server) {
  const std::string prefix = "test_input_required_result_";
  const Question confirm = FormQuestion("Go on?", Form("ok", "boolean"), "confirm");
  const Question capital =
      SamplingQuestion(Sampling("What is the capital of France?", 100), "capital_question");
  const Question name = FormQuestion("What is your name?", Form("name", "string"), "user_name");
  const Question greeting = SamplingQuestion(Sampling("Write a greeting", 50), "greeting");
  const Question roots = RootsQuestion("client_roots");
  server.AddTool({.name = prefix + "elicitation", .description = "Asks", .run = Greet});
  server.AddTool(Asks(prefix + "sampling", {capital}, "sampled"));
  server.AddTool(Asks(prefix + "list_roots", {roots}, "roots"));
  server.AddTool(Asks(prefix + "request_state", {confirm}, "state-ok"));
  server.AddTool(Asks(prefix + "tampered_state", {confirm}, "state-ok"));
  server.AddTool(Asks(prefix + "multiple_inputs", {name, greeting, roots}, "all"));
  server.AddTool({.name = prefix + "multi_round", .description = "Asks", .run = TwoRounds});
  server.AddTool({.name = prefix + "capabilities", .description = "Asks", .run = AskAsOffered});
  server.AddTool(Asks("test_streaming_elicitation", {name}, "asked"));
  Tool missing{.name = "test_missing_capability", .description = "Needs a model", .run = Sample};
  missing.needs = {QuestionKind::kSampling};
  server.AddTool(missing);
  server.AddTool({.name = "test_sampling", .description = "Asks a model", .run = Sample});
  server.AddTool(Elicits("test_elicitation", R"({"type": "object", "properties": {
      "username": {"type": "string"}, "email": {"type": "string"}},
      "required": ["username", "email"]})"));
  server.AddTool(Elicits("test_elicitation_sep1034_defaults", R"({"type": "object", "properties": {
      "name": {"type": "string", "default": "John Doe"}, "age": {"type": "integer", "default": 30},
      "score": {"type": "number", "default": 95.5},
      "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
      "verified": {"type": "boolean", "default": true}}})"));
  server.AddTool(Elicits("test_elicitation_sep1330_enums", R"({"type": "object", "properties": {
      "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
      "titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First"},
          {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}]},
      "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
          "enumNames": ["Option One", "Option Two", "Option Three"]},
      "untitledMulti": {"type": "array",
          "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
      "titledMulti": {"type": "array", "items": {"anyOf": [{"const": "value1", "title": "First"},
          {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}]}}}})"));
}

void AddTaskTools(McpServer& server) {
  server.AddTool({.name = "greet", .description = "Greets", .run = [](ToolCall& call) {
                    return TextResult("Hello, " + call.arguments().TextOf("name").value_or("") +
                                      "!");
                  }});
  server.AddTool(AsTask({.name = "slow_compute", .description = "Takes its time", .run = Compute},
                        TaskSupport::kOptional));
  server.AddTool(AsTask({.name = "failing_job",
                         .description = "Fails after a second",
                         .run = [](ToolCall& call) -> ToolRoutine {
                           co_await call.Pause(1s);
                           co_return ErrorResult("the job failed");
                         }},
                        TaskSupport::kRequired));
  server.AddTool(
      AsTask({.name = "protocol_error_job",
              .description = "Ends with an error of the protocol",
              .run = [](ToolCall&) { return stator::mcp::Fault(-32603, "the job broke"); }},
             TaskSupport::kOptional));
  server.AddTool(AsTask(
      Asks("confirm_delete", {FormQuestion("Delete it?", Form("confirm", "boolean"))}, "answered"),
      TaskSupport::kOptional));
  server.AddTool(AsTask(Asks("multi_input",
                             {FormQuestion("First?", Form("first", "string")),
                              FormQuestion("Second?", Form("second", "string"))},
                             "answered"),
                        TaskSupport::kOptional));
  Tool with_task =
      AsTask({.name = "test_tool_with_task", .description = "Asks, then works", .run = Greet},
             TaskSupport::kRequired);
  with_task.ask_first = [](const Json&) {
    return std::vector<Question>{
        FormQuestion("What is your name?", Form("name", "string"), "user_name")};
  };
  server.AddTool(with_task);
}

}  // namespace conformance
