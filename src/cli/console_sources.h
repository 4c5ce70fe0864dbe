// What the console is told beside its database: workflows of sessions and recorded schemas of
// entities from files, and, where the engine is in this process, the versions of items.

#pragma once

#include <string>
#include <vector>

#include "console/sources.h"
#include "stator/api/database.h"
#include "stator/base/result.h"
#include "stator/stores/sessions/workflow.h"

namespace CLI {
class App;
}

namespace stator::cli {

struct ConsoleFiles {
  std::vector<std::string> workflows;
  std::string schemas;  // a folder, as `stator schema` keeps it
};

void AddConsoleFiles(CLI::App& command, ConsoleFiles& files);

// The file with a workflow as JSON; the media workflow for an empty name.
Result<sessions::Workflow> ReadWorkflow(const std::string& file);

// `database` must outlive it. Fails when a file cannot be read, or two workflows have one name.
Result<console::Sources> SourcesOf(const ConsoleFiles& files, Database& database);

}  // namespace stator::cli
