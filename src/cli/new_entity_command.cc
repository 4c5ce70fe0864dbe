#include "cli/new_entity_command.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/shared_options.h"
#include "schema/scaffold.h"

namespace stator::cli {
namespace {

namespace fs = std::filesystem;

Result<void> WriteNew(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush()) {
    return Fail(ErrorCode::kIo, "cannot write " + file.string());
  }
  std::printf("%s\n", file.string().c_str());
  return {};
}

Result<int> Run(const NewEntityArguments& arguments) {
  schema::ScaffoldRequest request{.name = arguments.name,
                                  .partition_key = arguments.partition_key,
                                  .sort_key = arguments.sort_key,
                                  .ttl = arguments.ttl};
  for (const std::string& field : arguments.fields) {
    request.fields.push_back(TRY(schema::ParseScaffoldField(field)));
  }
  const std::map<std::string, std::string> scaffold = TRY(schema::MakeScaffold(request));
  const fs::path folder = arguments.folder;
  for (const auto& [name, text] : scaffold) {
    if (fs::exists(folder / name)) {
      return Fail(ErrorCode::kIo, (folder / name).string() + " exists already");
    }
  }
  for (const auto& [name, text] : scaffold) {
    TRY_VOID(WriteNew(folder / name, text));
  }
  return kSuccess;
}

}  // namespace

void AddNewEntity(CLI::App& app, NewEntityArguments& arguments) {
  CLI::App* command =
      app.add_subcommand("new-entity", "Write struct, traits, snapshot, fixture and test");
  command->footer(
      "Example:\n"
      "  stator new-entity user-profile --pk 'USER#{id}' --ttl ttl --field visits:integer\n\n"
      "The fields that the keys name are text, or integers when they are padded: '{year:04}'.");
  command->add_option("name", arguments.name, "Name of the entity and of its table")->required();
  command->add_option("--pk", arguments.partition_key, "Template of the partition key")->required();
  command->add_option("--sk", arguments.sort_key, "Template of the sort key");
  command->add_option("--ttl", arguments.ttl, "Attribute that says when an item expires");
  command
      ->add_option("--field", arguments.fields,
                   "NAME:TYPE of a further field: text, integer, number, boolean; with a question "
                   "mark behind it, optional. May be repeated")
      ->allow_extra_args(false);
  command->add_option("--folder", arguments.folder, "Where to write")->capture_default_str();
}

int RunNewEntity(const NewEntityArguments& arguments) {
  return ExitCodeOf(Run(arguments));
}

}  // namespace stator::cli
