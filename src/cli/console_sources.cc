#include "cli/console_sources.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "base/try.h"
#include "engine/engine.h"
#include "engine/history.h"
#include "engine/read_history.h"
#include "stator/schema/folder.h"
#include "stator/schema/snapshot.h"
#include "stator/stores/sessions/media/workflow.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

// Of one answer.
constexpr std::size_t kVersionsMax = 50;
constexpr std::size_t kBytesMax = 1024 * 1024;

Result<console::ItemVersions> VersionsOf(const engine::Engine& engine, const std::string& table,
                                         const Item& key, std::optional<TimePoint> before) {
  engine::VersionsAsked asked = {
      .table_name = table, .key = key, .versions_max = kVersionsMax, .bytes_max = kBytesMax};
  if (before) {
    asked.before = engine::CommitTimeOf(*before);
  }
  engine::VersionsPage page = TRY(engine.VersionsOf(asked));
  console::ItemVersions found = {.versions = {}, .has_more = page.has_more};
  for (engine::ItemVersion& version : page.versions) {
    found.versions.push_back({.since = version.since
                                           ? std::optional(engine::TimeOfCommit(*version.since))
                                           : std::nullopt,
                              .item = std::move(version.item)});
  }
  return found;
}

Result<std::vector<std::string>> ReadSchemas(const std::string& folder) {
  std::vector<std::string> schemas;
  if (folder.empty()) {
    return schemas;
  }
  for (const std::string& entity : TRY(schema::ListSnapshots(folder))) {
    std::string text =
        R"({"schema":)" +
        value::ToPlainJson(TRY(schema::ReadSnapshot(schema::SnapshotPath(folder, entity))));
    text += R"(,"history":[)";
    for (const int version : schema::ListVersions(folder, entity)) {
      text += text.ends_with('[') ? "" : ",";
      text += value::ToPlainJson(
          TRY(schema::ReadSnapshot(schema::HistoryPath(folder, entity, version))));
    }
    schemas.push_back(text + "]}");
  }
  return schemas;
}

}  // namespace

void AddConsoleFiles(CLI::App& command, ConsoleFiles& files) {
  command
      .add_option("--workflow", files.workflows,
                  "File with a workflow of sessions as JSON, for the console; may be repeated. "
                  "The media workflow is known")
      ->allow_extra_args(false);
  command.add_option("--schemas", files.schemas,
                     "Folder with recorded schemas of entities (stator schema), for the console");
}

Result<sessions::Workflow> ReadWorkflow(const std::string& file) {
  if (file.empty()) {
    return sessions::MediaWorkflow();
  }
  const std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) {
    return Fail(ErrorCode::kIo, "cannot read " + file);
  }
  return sessions::ParseWorkflow(text.str());
}

Result<console::Sources> SourcesOf(const ConsoleFiles& files, Database& database) {
  console::Sources sources;
  for (const std::string& file : files.workflows) {
    sessions::Workflow workflow = TRY(ReadWorkflow(file));
    const std::string& name = workflow.spec().name;
    if (std::ranges::any_of(sources.workflows, [&](const sessions::Workflow& other) {
          return other.spec().name == name;
        })) {
      return Invalid("two workflows are called '" + name + "'; " + file + " is the second");
    }
    sources.workflows.push_back(std::move(workflow));
  }
  const sessions::Workflow& media = sessions::MediaWorkflow();
  if (std::ranges::none_of(sources.workflows, [&](const sessions::Workflow& other) {
        return other.spec().name == media.spec().name;
      })) {
    sources.workflows.push_back(media);
  }
  sources.entities = TRY(ReadSchemas(files.schemas));
  if (const auto* const engine = dynamic_cast<const engine::Engine*>(&database)) {
    sources.item_versions = [engine](const std::string& table, const Item& key,
                                     std::optional<TimePoint> before) {
      return VersionsOf(*engine, table, key, before);
    };
  }
  return sources;
}

}  // namespace stator::cli
