// For tests: what a writer did before the lights went out, and which of its states the database may
// therefore be found in.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/database.h"
#include "workload.h"

namespace stator::crash {

// Counts beginnings and ends of operations over all writers, to tell which of two came first.
using Ticks = std::atomic<std::uint64_t>;

struct Attempt {
  Operation operation;
  std::uint64_t begun = 0;
  std::uint64_t ended = 0;
  bool acknowledged = false;  // all but the last are
};

struct History {
  std::string writer;
  std::vector<Attempt> attempts = {};

  [[nodiscard]] std::size_t acknowledged() const;
};

// Lets the writer work until it has done `operations`, or the disk fails, or the answer is wrong,
// which it returns.
Result<void> Work(Database& database, Writer& writer, std::size_t operations, Ticks& ticks,
                  History& history);

// How many attempts of the history lead from nothing to `found`; there may be several answers,
// because a writer can come back to a state.
std::vector<std::size_t> PrefixesThatGive(const History& history, const Items& found);

// What is wrong with `found` after a failure of a durable store: every acknowledged operation is
// there, and the last one wholly or not at all. Nothing when all is well.
std::optional<std::string> ProblemWithDurable(const std::vector<History>& histories,
                                              const Items& found);

// The same for a relaxed store after a power cut: a prefix in time is left, so an operation is
// there only if all that had ended before it began are.
std::optional<std::string> ProblemWithPrefix(const std::vector<History>& histories,
                                             const Items& found);

}  // namespace stator::crash
