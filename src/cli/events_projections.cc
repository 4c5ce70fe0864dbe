// The states of projectors and how far they are.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/events_actions.h"
#include "cli/print_line.h"
#include "stator/stores/events/checkpoint_store.h"
#include "stator/stores/events/listings.h"
#include "stator/stores/events/projection_status.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

// Whether the state of a version can be read, from the item or from its blob.
Result<void> CheckState(events::CheckpointStore& states, const events::CheckpointInfo& state) {
  const Result<std::optional<events::Checkpoint>> found =
      states.Find(state.projector, state.version);
  return found ? Result<void>() : std::unexpected(found.error());
}

// To standard output as it is.
Result<int> PrintState(events::CheckpointStore& states, const EventsArguments& arguments) {
  const std::optional<events::Checkpoint> checkpoint =
      TRY(states.Find(arguments.name, arguments.state_version));
  if (!checkpoint) {
    return Fail(ErrorCode::kResourceNotFound,
                "there is no state of " + arguments.name + ", version " + arguments.state_version);
  }
  const std::string& state = checkpoint->state;
  if (std::fwrite(state.data(), 1, state.size(), stdout) != state.size()) {
    return Fail(ErrorCode::kIo, "cannot write to standard output");
  }
  return kSuccess;
}

Result<int> PrintStates(events::EventStore& store, events::CheckpointStore& states,
                        const EventsArguments& arguments) {
  int code = kSuccess;
  for (const events::CheckpointInfo& state : TRY(states.List(arguments.name))) {
    const std::uint64_t behind = TRY(store.CountEvents(events::Cursor(state.last)));
    Item line{{"projector", state.projector},
              {"version", state.version},
              {"events", state.events},
              {"last", state.last.ToText()},
              {"behind", behind},
              {"bytes", state.state_bytes},
              {"storedBytes", state.stored_bytes},
              {"offloaded", state.offloaded},
              {"updatedAt", state.updated_at}};
    if (arguments.check_states) {
      const Result<void> readable = CheckState(states, state);
      line.Set("readable", readable.has_value());
      line.Set("problem", readable ? "" : readable.error().message);
      code = readable ? code : kFailure;
    }
    PrintLine(value::ToPlainJson(line));
  }
  return code;
}

void PrintRunner(const events::ProjectionProgress& row) {
  PrintLine(value::ToPlainJson(Item{{"version", row.status.version},
                                    {"instance", row.status.instance},
                                    {"phase", std::string(NameOf(row.status.phase))},
                                    {"events", row.status.events},
                                    {"remaining", row.remaining},
                                    {"caughtUp", row.caught_up},
                                    {"fresh", row.fresh},
                                    {"recordedAt", row.status.recorded_at},
                                    {"message", row.status.message}}));
}

// The position up to which a state has seen the log, and how many events are behind it.
struct Progress {
  std::uint64_t position;
  std::uint64_t behind;
};
Result<Progress> ProgressOf(events::EventStore& store, events::SortableId last) {
  const std::uint64_t behind = TRY(store.CountEvents(events::Cursor(last)));
  return Progress{.position = TRY(store.CountEvents()) - behind, .behind = behind};
}

// A projector may have states of several versions, and runners that have not saved one yet.
Result<void> PrintProjector(events::EventStore& store, const std::string& name, bool as_json) {
  events::StatusReader reader(store);
  const std::vector<events::ProjectionProgress> rows = TRY(reader.Read(name));
  const std::vector<events::CheckpointInfo> states = TRY(events::CheckpointStore(store).List(name));
  const auto runners = [&](const std::string& version) {
    return std::count_if(rows.begin(), rows.end(), [&](const events::ProjectionProgress& row) {
      return row.fresh && row.status.version == version;
    });
  };
  const auto print = [&](const std::string& version, const Progress& progress,
                         const std::string& saved_at) {
    if (as_json) {
      PrintLine(value::ToPlainJson(Item{{"projector", name},
                                        {"version", version},
                                        {"position", progress.position},
                                        {"behind", progress.behind},
                                        {"savedAt", saved_at},
                                        {"runners", static_cast<std::int64_t>(runners(version))}}));
      return;
    }
    std::printf("%10llu  %8llu behind  %lld running  %s %s\n",
                static_cast<unsigned long long>(progress.position),
                static_cast<unsigned long long>(progress.behind),
                static_cast<long long>(runners(version)), name.c_str(), version.c_str());
  };
  std::set<std::string> printed;
  for (const events::CheckpointInfo& state : states) {
    printed.insert(state.version);
    print(state.version, TRY(ProgressOf(store, state.last)), state.updated_at);
  }
  for (const events::ProjectionProgress& row : rows) {
    if (printed.insert(row.status.version).second) {
      print(row.status.version, TRY(ProgressOf(store, row.status.last_traversed)), "");
    }
  }
  return {};
}

}  // namespace

Result<int> ListProjectors(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  for (const std::string& name : TRY(events::ListProjectors(*opened.store))) {
    TRY_VOID(PrintProjector(*opened.store, name, arguments.json));
  }
  return kSuccess;
}

Result<int> ShowProjections(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  events::CheckpointStore states(*opened.store, opened.blobs.get());
  if (!arguments.state_version.empty()) {
    return PrintState(states, arguments);
  }
  if (arguments.sweep) {
    std::printf("%zu blobs removed\n", TRY(states.SweepBlobs(arguments.name)));
    return kSuccess;
  }
  const int code = TRY(PrintStates(*opened.store, states, arguments));
  events::StatusReader reader(*opened.store);
  const std::vector<events::ProjectionProgress> rows = TRY(reader.Read(arguments.name));
  if (rows.empty() && TRY(states.List(arguments.name)).empty()) {
    return Fail(ErrorCode::kNotFound, "there is no projector " + arguments.name);
  }
  for (const events::ProjectionProgress& row : rows) {
    PrintRunner(row);
  }
  return code;
}

}  // namespace stator::cli
