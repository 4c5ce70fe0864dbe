#include "cli/events_options.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <unistd.h>
#include <utility>

#include "stator/stores/events/options_text.h"

namespace stator::cli {
namespace {

constexpr const char* kFileVariable = "STATOR_EVENTS_OPTIONS";

std::map<std::string, std::string> Environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (const std::size_t equals = text.find('='); equals != std::string::npos) {
      variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return variables;
}

void Take(Result<events::EventStoreOptions> chosen, const std::string& from,
          events::EventStoreOptions& options) {
  if (!chosen) {
    throw CLI::ValidationError(from, chosen.error().message);
  }
  options = *std::move(chosen);
}

void ApplyEnvironment(events::EventStoreOptions& options) {
  Take(events::ApplyVariables(Environment(), options, "STATOR_EVENTS_", {kFileVariable}),
       "environment", options);
}

void ReadFile(const std::string& path, events::EventStoreOptions& options) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) {
    throw CLI::ValidationError("options", "cannot read " + path);
  }
  Take(events::ParseOptions(text), path, options);
  ApplyEnvironment(options);
}

}  // namespace

void AddStoreOptions(CLI::App& command, events::EventStoreOptions& options) {
  // Not by CLI11's own names of variables: it would read the file for all other commands as well, and
  // so forget what the flags of this one said.
  command.preparse_callback([&options](std::size_t) {
    if (const char* path = std::getenv(kFileVariable); path != nullptr) {
      ReadFile(path, options);
    } else {
      ApplyEnvironment(options);
    }
  });
  command.add_option_function<std::string>(
      "--options", [&options](const std::string& path) { ReadFile(path, options); },
      "A file of options of the store, as JSON; or by STATOR_EVENTS_OPTIONS");
}

}  // namespace stator::cli
