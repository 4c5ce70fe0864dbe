// What the conformance suite of the Model Context Protocol (@modelcontextprotocol/conformance)
// wants a server to have, by the names that it calls.

#pragma once

#include "stator/mcp/server.h"

namespace conformance {

// A form with one required property.
stator::mcp::Json Form(const char* name, const char* type);

void AddPlainTools(stator::mcp::McpServer& server);
void AddAskingTools(stator::mcp::McpServer& server);
void AddTaskTools(stator::mcp::McpServer& server);
void AddReadings(stator::mcp::McpServer& server);

// The smallest picture and sound that there are.
std::string Picture();
std::string Sound();

}  // namespace conformance
