// Resources and prompts.

#include "examples/mcp_conformance/fixtures.h"
#include "stator/mcp/content.h"

namespace conformance {

using stator::mcp::Json;
using stator::mcp::JsonArray;
using stator::mcp::JsonObject;
using stator::mcp::McpServer;
using stator::mcp::PromptMessage;
using stator::mcp::ResourceText;
using stator::mcp::TextBlock;
using stator::mcp::ToolCall;
using stator::mcp::ToolResult;
using stator::mcp::ToolRoutine;

std::string Picture() {
  constexpr unsigned char kBytes[] = {
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48,
      0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00,
      0x00, 0x1F, 0x15, 0xC4, 0x89, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x44, 0x41, 0x54, 0x78,
      0x9C, 0x63, 0x00, 0x01, 0x00, 0x00, 0x05, 0x00, 0x01, 0x0D, 0x0A, 0x2D, 0xB4, 0x00,
      0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};
  return {reinterpret_cast<const char*>(kBytes), sizeof kBytes};
}

std::string Sound() {
  constexpr char kBytes[] =
      "RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1F\0\0\x40\x1F\0\0\x01\0\x08\0data\0\0\0";
  return {kBytes, sizeof kBytes};
}

namespace {

ToolResult Messages(JsonArray messages) {
  return JsonObject{{"messages", std::move(messages)}};
}

std::string Argument(const ToolCall& call, const char* name) {
  return call.arguments().TextOf(name).value_or("");
}

ToolRoutine AskForContext(ToolCall& call) {
  const auto answer = co_await call.Ask(
      stator::mcp::FormQuestion("In which context?", Form("context", "string"), "user_context"));
  const std::string text = answer ? answer->ToText() : answer.error().message;
  co_return Messages({PromptMessage("user", TextBlock("Context: " + text))});
}

void AddPrompts(McpServer& server) {
  server.AddPrompt({.name = "test_simple_prompt", .description = "A text", .get = [](ToolCall&) {
                      return Messages({PromptMessage(
                          "user", TextBlock("This is a simple prompt for testing."))});
                    }});
  const auto complete = [](std::string_view value, const Json&) {
    return std::vector<std::string>{std::string(value) + "1", std::string(value) + "2"};
  };
  server.AddPrompt(
      {.name = "test_prompt_with_arguments",
       .description = "Two arguments",
       .arguments =
           {{.name = "arg1", .description = "The first", .required = true, .complete = complete},
            {.name = "arg2", .description = "The second", .required = true}},
       .get = [](ToolCall& call) {
         return Messages({PromptMessage(
             "user", TextBlock("Prompt with arguments: arg1='" + Argument(call, "arg1") +
                               "', arg2='" + Argument(call, "arg2") + "'"))});
       }});
  server.AddPrompt(
      {.name = "test_prompt_with_embedded_resource",
       .description = "A resource",
       .arguments = {{.name = "resourceUri", .description = "Its uri", .required = true}},
       .get = [](ToolCall& call) {
         return Messages(
             {PromptMessage("user", stator::mcp::ResourceBlock(Argument(call, "resourceUri"),
                                                               "text/plain", "Embedded content.")),
              PromptMessage("user", TextBlock("Please process the resource above."))});
       }});
  server.AddPrompt(
      {.name = "test_prompt_with_image", .description = "A picture", .get = [](ToolCall&) {
         return Messages({PromptMessage("user", stator::mcp::ImageBlock(Picture(), "image/png")),
                          PromptMessage("user", TextBlock("Please look at the picture above."))});
       }});
  server.AddPrompt(
      {.name = "test_input_required_result_prompt", .description = "Asks", .get = AskForContext});
}

}  // namespace

void AddReadings(McpServer& server) {
  AddPrompts(server);
  server.AddResource({.uri = "test://static-text",
                      .name = "static-text",
                      .description = "A text",
                      .mime_type = "text/plain",
                      .read = [](ToolCall& call) {
                        return ResourceText(call, "text/plain",
                                            "This is the content of the static text resource.");
                      }});
  server.AddResource({.uri = "test://static-binary",
                      .name = "static-binary",
                      .description = "A picture",
                      .mime_type = "image/png",
                      .read = [](ToolCall& call) {
                        return stator::mcp::ResourceBytes(call, "image/png", Picture());
                      }});
  server.AddResource(
      {.uri = "test://watched-resource",
       .name = "watched-resource",
       .description = "May change",
       .mime_type = "text/plain",
       .read = [](ToolCall& call) { return ResourceText(call, "text/plain", "Watched content"); }});
  server.AddResource(
      {.uri = "test://template/{id}/data",
       .name = "template",
       .description = "Data by id",
       .mime_type = "application/json",
       .read = [](ToolCall& call) {
         const std::string id = Argument(call, "id");
         return ResourceText(
             call, "application/json",
             Json(JsonObject{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}})
                 .ToText());
       }});
}

}  // namespace conformance
