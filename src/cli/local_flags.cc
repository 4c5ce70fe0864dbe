#include "cli/local_flags.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace stator::cli {
namespace {

// DynamoDB Local puts a file into that directory, which may hold anything else; a directory of ours
// holds nothing else, so it becomes one inside.
constexpr std::string_view kPathFlag = "-dbPath";

constexpr std::string_view kLikeLocal = "--like-dynamodb-local";
constexpr std::string_view kSharedFlag = "-sharedDb";
constexpr std::string_view kSeparateTables = "--separate-tables";

struct LocalFlag {
  std::string_view theirs;
  std::string_view ours;  // empty: it is accepted and changes nothing
  // Who starts a server so expects that server's answers.
  bool is_like_local = false;
  // It says where the tables are, which are each caller's own unless kSharedFlag is there.
  bool is_home = false;
};

// Nothing is sent to anybody; there is nothing to optimise at start.
constexpr std::array kLocalFlags = {
    LocalFlag{"-inMemory", "--memory", true, true},
    LocalFlag{kPathFlag, "--data", false, true},
    LocalFlag{"-port", "--port"},
    LocalFlag{"-cors", "--cors"},
    LocalFlag{kSharedFlag, "", true},
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
  bool separate = false;
  const auto has = [&arguments](std::string_view argument) {
    return std::ranges::find(arguments, argument) != arguments.end();
  };
  bool is_like_local = has(kLikeLocal);
  const bool is_decided = has(kSharedFlag) || has(kSeparateTables);
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
    if (flag != nullptr && flag->is_like_local && !std::exchange(is_like_local, true)) {
      translated.emplace_back(kLikeLocal);
    }
    separate = separate || (flag != nullptr && flag->is_home && !is_decided);
    follows_path_flag = flag != nullptr && flag->theirs == kPathFlag;
  }
  if (separate) {
    translated.emplace_back(kSeparateTables);
  }
  return translated;
}

}  // namespace stator::cli
