#include "cli/local_flags.h"

#include <array>
#include <string_view>
#include <utility>

namespace stator::cli {
namespace {

// DynamoDB Local puts a file into that directory, which may hold anything else; a directory of ours
// holds nothing else, so it becomes one inside.
constexpr std::string_view kPathFlag = "-dbPath";

struct LocalFlag {
  std::string_view theirs;
  std::string_view ours;  // empty: it is accepted and changes nothing
};

// There is one shared name space of tables anyway; nothing is sent to anybody; there is nothing to
// optimise at start.
constexpr std::array kLocalFlags = {
    LocalFlag{"-inMemory", "--memory"},
    LocalFlag{kPathFlag, "--data"},
    LocalFlag{"-port", "--port"},
    LocalFlag{"-cors", "--cors"},
    LocalFlag{"-sharedDb", ""},
    LocalFlag{"-optimizeDbBeforeStartup", ""},
    LocalFlag{"-delayTransientStatuses", "--transient-states"},
    LocalFlag{"-disableTelemetry", ""},
};

const LocalFlag* FindFlag(std::string_view argument) {
  for (const LocalFlag& flag : kLocalFlags) {
    if (flag.theirs == argument) {
      return &flag;
    }
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> TranslateLocalFlags(std::vector<std::string> arguments) {
  std::vector<std::string> translated;
  if (!arguments.empty() && FindFlag(arguments.front()) != nullptr) {
    translated.emplace_back("serve");
  }
  bool follows_path_flag = false;
  for (std::string& argument : arguments) {
    const LocalFlag* flag = FindFlag(argument);
    if (flag == nullptr) {
      translated.push_back(std::move(argument));
      if (follows_path_flag) {
        translated.back() += "/stator-data";
      }
    } else if (!flag->ours.empty()) {
      translated.emplace_back(flag->ours);
    }
    follows_path_flag = flag != nullptr && flag->theirs == kPathFlag;
  }
  return translated;
}

}  // namespace stator::cli
