// Tools that answer by themselves.

#include "examples/mcp_conformance/fixtures.h"
#include "stator/mcp/content.h"

namespace conformance {

using namespace std::chrono_literals;
using stator::mcp::ContentResult;
using stator::mcp::ErrorResult;
using stator::mcp::Json;
using stator::mcp::JsonArray;
using stator::mcp::JsonObject;
using stator::mcp::LogLevel;
using stator::mcp::McpServer;
using stator::mcp::TextResult;
using stator::mcp::ToolCall;
using stator::mcp::ToolRoutine;

namespace {

constexpr const char* kEmbedded = "test://embedded-resource";

ToolRoutine LogThrice(ToolCall& call) {
  for (const char* const text :
       {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
    call.Log(LogLevel::kInfo, text);
    co_await call.Pause(50ms);
  }
  co_return TextResult("logged");
}

ToolRoutine Report(ToolCall& call) {
  for (const double progress : {0, 50, 100}) {
    call.Progress(progress, 100, std::nullopt);
    co_await call.Pause(50ms);
  }
  co_return TextResult("done");
}

// A schema that uses what JSON Schema 2020-12 has.
Json LongSchema() {
  return *Json::Parse(R"({
    "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object",
                          "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
                   "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                   "phone": {"type": "string"}, "email": {"type": "string"}},
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]}, "else": {"required": ["email"]},
    "additionalProperties": false})");
}

}  // namespace

void AddPlainTools(McpServer& server) {
  // The suite calls the first tool of the list without arguments.
  server.AddTool({.name = "add",
                  .description = "Adds two numbers",
                  .input_schema = *Json::Parse(R"({"type": "object", "properties": {
                      "a": {"type": "number"}, "b": {"type": "number"}}})"),
                  .title = "Sum",
                  .output_schema = JsonObject{{"type", "number"}},
                  .annotations = JsonObject{{"readOnlyHint", true}},
                  .run = [](ToolCall& call) {
                    const Json* const a = call.arguments().Find("a");
                    const Json* const b = call.arguments().Find("b");
                    return stator::mcp::StructuredResult(
                        (a == nullptr ? 0 : a->ToDouble().value_or(0)) +
                        (b == nullptr ? 0 : b->ToDouble().value_or(0)));
                  }});
  server.AddTool({.name = "test_simple_text", .description = "A text", .run = [](ToolCall&) {
                    return TextResult("This is a simple text response for testing.");
                  }});
  server.AddTool({.name = "test_image_content", .description = "A picture", .run = [](ToolCall&) {
                    return ContentResult({stator::mcp::ImageBlock(Picture(), "image/png")});
                  }});
  server.AddTool({.name = "test_audio_content", .description = "A sound", .run = [](ToolCall&) {
                    return ContentResult({stator::mcp::AudioBlock(Sound(), "audio/wav")});
                  }});
  server.AddTool(
      {.name = "test_embedded_resource", .description = "A resource", .run = [](ToolCall&) {
         return ContentResult({stator::mcp::ResourceBlock(
             kEmbedded, "text/plain", "This is an embedded resource content.")});
       }});
  server.AddTool(
      {.name = "test_multiple_content_types", .description = "All of them", .run = [](ToolCall&) {
         return ContentResult(
             {stator::mcp::TextBlock("Multiple content types test:"),
              stator::mcp::ImageBlock(Picture(), "image/png"),
              stator::mcp::ResourceBlock("test://mixed-content-resource", "application/json",
                                         R"({"test":"data","value":123})")});
       }});
  server.AddTool({.name = "test_error_handling", .description = "Fails", .run = [](ToolCall&) {
                    return ErrorResult("This tool intentionally returns an error for testing");
                  }});
  server.AddTool({.name = "test_tool_with_logging", .description = "Logs", .run = LogThrice});
  server.AddTool({.name = "test_logging_tool", .description = "Logs", .run = LogThrice});
  server.AddTool(
      {.name = "test_tool_with_progress", .description = "Reports progress", .run = Report});
  server.AddTool({.name = "json_schema_2020_12_tool",
                  .description = "Has a long schema",
                  .input_schema = LongSchema(),
                  .run = [](ToolCall& call) { return TextResult(call.arguments().ToText()); }});
  server.AddTool({.name = "test_x_mcp_header",
                  .description = "Repeats an argument in a header",
                  .input_schema = *Json::Parse(R"({"type": "object", "properties": {
                      "region": {"type": "string", "x-mcp-header": "Region"}}})"),
                  .run = [](ToolCall& call) { return TextResult(call.arguments().ToText()); }});
  server.AddTool({.name = "test_trigger_tool_change",
                  .description = "Changes the list of tools",
                  .run = [&server](ToolCall&) {
                    server.AddTool({.name = "test_added_tool",
                                    .description = "Was added",
                                    .run = [](ToolCall&) { return TextResult("added"); }});
                    return TextResult("changed");
                  }});
  server.AddTool({.name = "test_trigger_prompt_change",
                  .description = "Changes the list of prompts",
                  .run = [&server](ToolCall&) {
                    server.AddPrompt({.name = "test_added_prompt",
                                      .description = "Was added",
                                      .get = [](ToolCall&) -> stator::mcp::ToolResult {
                                        return JsonObject{{"messages", JsonArray()}};
                                      }});
                    return TextResult("changed");
                  }});
}

}  // namespace conformance
