// The blocks that results and messages of prompts are made of.

#pragma once

#include <string_view>

#include "stator/mcp/routine.h"

namespace stator::mcp {

tasks::Json TextBlock(std::string_view text);
// `bytes` are encoded here.
tasks::Json ImageBlock(std::string_view bytes, std::string_view mime_type);
tasks::Json AudioBlock(std::string_view bytes, std::string_view mime_type);
tasks::Json ResourceBlock(std::string_view uri, std::string_view mime_type, std::string_view text);

ToolResult ContentResult(tasks::JsonArray blocks);
// A value that satisfies the output schema of the tool, and its text for clients that want one.
ToolResult StructuredResult(tasks::Json value);
// One message of a prompt: `role` is "user" or "assistant".
tasks::Json PromptMessage(std::string_view role, tasks::Json block);

}  // namespace stator::mcp
