// `stator sessions`: looking into the session store, invalidating steps, looking after what was left
// behind, ending sessions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace stator::cli {

enum class SessionsAction : std::uint8_t {
  kList,
  kShow,
  kWatch,
  kInvalidate,
  kSweep,
  kHeal,
  kExpire,
};

struct SessionsArguments {
  SessionsAction action = SessionsAction::kList;
  std::string data = "stator-data";  // as stator::Open takes it
  std::string table = "sessions";
  std::string workflow = {};  // a file; empty: the media workflow
  std::string blobs = {};     // a directory; empty: none
  std::string session = {};   // empty: all living ones, where that is possible
  std::string from = {};      // steps; one of the two
  std::string after = {};
  std::size_t limit = 50;
  double interval = 1;  // of two looks, in seconds
  bool json = false;
};

void AddSessions(CLI::App& app, SessionsArguments& arguments);

// Returns the exit code of the program.
int RunSessions(const SessionsArguments& arguments);

}  // namespace stator::cli
