// `stator sessions`: looking into the session store, invalidating steps, ending sessions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace stator::cli {

enum class SessionsAction : std::uint8_t { kList, kShow, kInvalidate, kExpire };

struct SessionsArguments {
  SessionsAction action = SessionsAction::kList;
  std::string data = "stator-data";  // as stator::Open takes it
  std::string table = "sessions";
  std::string workflow = {};  // a file; empty: the media workflow
  std::string blobs = {};     // a directory; empty: none
  std::string session = {};
  std::string from = {};  // steps; one of the two
  std::string after = {};
  std::size_t limit = 50;
  bool json = false;
};

void AddSessions(CLI::App& app, SessionsArguments& arguments);

// Returns the exit code of the program.
int RunSessions(const SessionsArguments& arguments);

}  // namespace stator::cli
