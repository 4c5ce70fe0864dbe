// The numbers of an MCP server as Prometheus reads them.

#pragma once

#include <string>

#include "stator/mcp/task_event.h"

namespace stator::cli {

std::string MetricsOf(const mcp::ServerStatistics& statistics);

}  // namespace stator::cli
