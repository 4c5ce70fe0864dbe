#include "hosting/outcome.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "stator/mcp/content.h"
#include "value/check_value.h"

namespace stator::hosting {
namespace {

using mcp::ErrorResult;
using mcp::ToolResult;
using tasks::Json;

// Of an answer that says that something failed.
constexpr std::size_t kErrorBodyMax = 4096;

std::string Seconds(Duration duration) {
  return Json(std::chrono::duration<double>(duration).count()).ToText() + " seconds";
}

// Everything beyond ASCII goes when it is no UTF-8: who wrote it meant something else.
std::string Readable(std::string text) {
  if (!value::IsUtf8(text)) {
    std::ranges::replace_if(
        text, [](char byte) { return static_cast<unsigned char>(byte) >= 0x80U; }, '?');
  }
  return text;
}

ToolResult Failed(const HostedTool& tool, const std::string& what, const std::string& why) {
  const std::string reason = Told(tool, why);
  return ErrorResult(tool.tool.name + " " + what + (reason.empty() ? "" : ":\n" + reason));
}

// What a tool that succeeded gave: a value of its output schema, or text.
ToolResult Given(const HostedTool& tool, std::string output) {
  if (!value::IsUtf8(output)) {
    return Failed(tool, "gave something that is not UTF-8", "");
  }
  if (!tool.tool.output_schema) {
    if (output.ends_with('\n')) {
      output.pop_back();
    }
    return mcp::TextResult(output);
  }
  Result<Json> value = Json::Parse(output);
  if (!value) {
    return Failed(tool, "has an output schema and did not give JSON", value.error().message);
  }
  return mcp::StructuredResult(*std::move(value));
}

std::string TooMuch(const HostedTool& tool) {
  return "gave more than " + std::to_string(tool.output_bytes_max) + " bytes and was stopped";
}

std::string TooLong(const HostedTool& tool) {
  return "took longer than " + Seconds(tool.time_limit) + " and was stopped";
}

}  // namespace

std::string Told(const HostedTool& tool, std::string text) {
  return tool.secrets.Hide(Readable(std::move(text)));
}

ToolResult ResultOf(const HostedTool& tool, ChildOutcome outcome) {
  switch (outcome.end) {
    case ChildEnd::kNotStarted:
      return Failed(tool, "could not be started", outcome.errors);
    case ChildEnd::kTimedOut:
      return Failed(tool, TooLong(tool), outcome.errors);
    case ChildEnd::kTooMuchOutput:
      return Failed(tool, TooMuch(tool), outcome.errors);
    case ChildEnd::kSignalled:
      return Failed(tool, "was ended by signal " + std::to_string(outcome.code), outcome.errors);
    case ChildEnd::kExited:
      break;
  }
  if (outcome.code != 0) {
    return Failed(tool, "ended with exit code " + std::to_string(outcome.code), outcome.errors);
  }
  return Given(tool, std::move(outcome.output));
}

ToolResult ResultOf(const HostedTool& tool, Result<transport::HttpResponse> response) {
  if (!response) {
    return response.error().code == ErrorCode::kTimeout
               ? Failed(tool, TooLong(tool), "")
               : Failed(tool, "could not be asked", response.error().message);
  }
  if (response->status < 200 || response->status > 299) {
    response->body.resize(std::min(response->body.size(), kErrorBodyMax));
    return Failed(tool, "answered with status " + std::to_string(response->status), response->body);
  }
  return Given(tool, std::move(response->body));
}

}  // namespace stator::hosting
