// What the commands of `stator sessions` share, and those that have files of their own.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "cli/sessions_command.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/blobs/blob_store.h"
#include "stator/stores/sessions/session_error.h"
#include "stator/stores/sessions/session_store.h"

namespace stator::cli {

// The store and what it stands on, for one command.
struct OpenedSessions {
  std::unique_ptr<Database> database;
  std::unique_ptr<BlobStore> blobs;
  std::optional<sessions::SessionStore> store;
};
Result<OpenedSessions> OpenSessions(const SessionsArguments& arguments);

// Whoever types commands may see what the database said; a user of the session may not.
template <class T>
Result<T> Plain(Result<T> result) {
  if (!result) {
    Error& error = result.error();
    const sessions::SessionFacts& facts = sessions::FactsOf(error);
    for (const std::string& left : facts.remaining) {
      error.message += "\n  " + left;
    }
    if (facts.cause && !IsConfiguration(error.code)) {
      error.message += ": " + facts.cause->message;
    }
  }
  return result;
}

// A record in a line: "enhancement  enh-1  processing  rev 3  1 of 2  worker w1".
std::string LineOf(const sessions::Record& record);

struct WatchOptions {
  std::string session;
  Duration interval = std::chrono::seconds(1);
  bool json = false;
  std::stop_token stop = {};
  Clock* clock = &SystemClock();
};
// Prints everything that is in the session, then what changes; until it ends, which is no failure,
// or a stop is asked for.
Result<void> Watch(const sessions::SessionStore& store, const WatchOptions& options,
                   const std::function<void(const std::string&)>& print);

Result<int> WatchSessions(const SessionsArguments& arguments);
Result<int> SweepSessions(const SessionsArguments& arguments);
Result<int> HealSessions(const SessionsArguments& arguments);

}  // namespace stator::cli
