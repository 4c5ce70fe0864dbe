// An MCP server with everything that the conformance suite asks for, in memory.
//
//   mcp_conformance [PORT]       prints its endpoint, serves until standard input is closed

#include <cstdio>
#include <cstdlib>

#include "examples/mcp_conformance/fixtures.h"
#include "stator/mcp/http.h"
#include "stator/stores/tasks/memory_backend.h"

int main(int count, char** values) {
  stator::tasks::MemoryBackend backend;
  auto store = stator::tasks::TaskStore::Open(
      backend, {.active_tasks_max = 10'000, .allow_anonymous = true});
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return 1;
  }
  stator::mcp::McpServer server(
      {.name = "stator-conformance", .logging = true, .lists_change = true}, *store);
  conformance::AddPlainTools(server);
  conformance::AddAskingTools(server);
  conformance::AddTaskTools(server);
  conformance::AddReadings(server);
  server.Start();
  const int port = count > 1 ? std::atoi(values[1]) : 0;
  const auto http =
      stator::mcp::HttpServer::Start(server, {.port = static_cast<std::uint16_t>(port)});
  if (!http) {
    std::fprintf(stderr, "%s\n", http.error().message.c_str());
    return 1;
  }
  std::printf("%s\n", (*http)->endpoint().c_str());
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  server.Stop();
  (*http)->Stop();
  return 0;
}
