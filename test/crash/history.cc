#include "history.h"

#include <algorithm>
#include <utility>

namespace stator::crash {
namespace {

std::string Told(const History& history) {
  return "writer " + history.writer + " (" + std::to_string(history.acknowledged()) + " of " +
         std::to_string(history.attempts.size()) + " operations acknowledged)";
}

// The one among `prefixes` that is at least `least` and nearest to it.
std::optional<std::size_t> NotBelow(const std::vector<std::size_t>& prefixes, std::size_t least) {
  const auto found = std::lower_bound(prefixes.begin(), prefixes.end(), least);
  return found == prefixes.end() ? std::nullopt : std::optional(*found);
}

// How many attempts had ended when the tick came.
std::size_t EndedBefore(const History& history, std::uint64_t tick) {
  std::size_t ended = 0;
  for (const Attempt& attempt : history.attempts) {
    ended += attempt.acknowledged && attempt.ended < tick ? 1 : 0;
  }
  return ended;
}

struct Possible {
  const History* history;
  std::vector<std::size_t> prefixes;
  std::size_t chosen = 0;  // the smallest that is not yet excluded
};

}  // namespace

std::size_t History::acknowledged() const {
  return static_cast<std::size_t>(
      std::count_if(attempts.begin(), attempts.end(),
                    [](const Attempt& attempt) { return attempt.acknowledged; }));
}

Result<void> Work(Database& database, Writer& writer, std::size_t operations, Ticks& ticks,
                  History& history) {
  for (std::size_t at = 0; at < operations; ++at) {
    Attempt& attempt = history.attempts.emplace_back(Attempt{.operation = writer.Next()});
    attempt.begun = ++ticks;
    const Result<void> done = Execute(database, attempt.operation);
    attempt.ended = ++ticks;
    attempt.acknowledged = done.has_value();
    if (!done) {
      return done.error().code == ErrorCode::kIo ? Result<void>() : done;
    }
  }
  return {};
}

std::vector<std::size_t> PrefixesThatGive(const History& history, const Items& found) {
  std::vector<std::size_t> prefixes;
  Items state;
  if (Matches(state, found)) {
    prefixes.push_back(0);
  }
  for (std::size_t at = 0; at < history.attempts.size(); ++at) {
    Apply(history.attempts[at].operation, state);
    if (Matches(state, found)) {
      prefixes.push_back(at + 1);
    }
  }
  return prefixes;
}

std::optional<std::string> ProblemWithDurable(const std::vector<History>& histories,
                                              const Items& found) {
  std::map<std::string, Items> parts = ByWriter(found);
  for (const History& history : histories) {
    const std::vector<std::size_t> prefixes = PrefixesThatGive(history, parts[history.writer]);
    if (prefixes.empty()) {
      return Told(history) + ": the database is in none of its states";
    }
    if (!NotBelow(prefixes, history.acknowledged())) {
      return Told(history) + ": only " + std::to_string(prefixes.back()) + " are left";
    }
  }
  return std::nullopt;
}

std::optional<std::string> ProblemWithPrefix(const std::vector<History>& histories,
                                             const Items& found) {
  std::map<std::string, Items> parts = ByWriter(found);
  std::vector<Possible> all;
  for (const History& history : histories) {
    Possible possible{.history = &history,
                      .prefixes = PrefixesThatGive(history, parts[history.writer])};
    if (possible.prefixes.empty()) {
      return Told(history) + ": the database is in none of its states";
    }
    possible.chosen = possible.prefixes.front();
    all.push_back(std::move(possible));
  }
  // Each round raises what has to be raised because of what the others have; it ends, because
  // nothing is ever lowered.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Possible& later : all) {
      if (later.chosen == 0) {
        continue;
      }
      const std::uint64_t begun = later.history->attempts[later.chosen - 1].begun;
      for (Possible& earlier : all) {
        const std::size_t least = EndedBefore(*earlier.history, begun);
        if (earlier.chosen >= least) {
          continue;
        }
        const std::optional<std::size_t> raised = NotBelow(earlier.prefixes, least);
        if (!raised) {
          return Told(*earlier.history) + ": " + std::to_string(earlier.prefixes.back()) +
                 " are left, but a later operation of " + Told(*later.history) + " is there";
        }
        earlier.chosen = *raised;
        changed = true;
      }
    }
  }
  return std::nullopt;
}

}  // namespace stator::crash
