#include "cli/events_command.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/shared_options.h"
#include "stator/blobs/open_blobs.h"
#include "stator/home/open.h"
#include "stator/stores/events/checkpoint_store.h"
#include "stator/stores/events/event_follower.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/maintenance.h"
#include "stator/stores/events/projection_status.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

using events::Cursor;
using events::Event;
using events::EventQuery;
using events::EventStore;
using events::SortableId;

void Print(const std::string& line) {
  std::printf("%s\n", line.c_str());
}

// The store and what it stands on, for one command.
struct Opened {
  std::unique_ptr<Database> database;
  std::unique_ptr<BlobStore> blobs;  // null when none are named
  std::unique_ptr<EventStore> store;
};

Result<Opened> OpenStore(const EventsArguments& arguments) {
  // Reading makes neither a database nor tables.
  const bool writes =
      arguments.action == EventsAction::kAppend || arguments.action == EventsAction::kImport;
  Opened opened;
  opened.database = TRY(Open(arguments.data, {.create_if_missing = writes}));
  events::EventStoreOptions options = arguments.store;
  options.auto_create_tables = writes;
  options.read_only = !writes;
  opened.store = TRY(EventStore::Open(*opened.database, std::move(options)));
  if (!arguments.blobs.empty()) {
    opened.blobs = TRY(OpenBlobs(arguments.blobs));
  }
  return opened;
}

void PrintEvent(const Event& event, bool as_json) {
  if (as_json) {
    Print(events::FormatEventLine(event));
    return;
  }
  std::string tags;
  for (const std::string& tag : event.tags) {
    tags += (tags.empty() ? "" : " ") + tag;
  }
  std::printf("%s  %6llu  %s  %s  [%s]\n", event.sortable_id.ToText().c_str(),
              static_cast<unsigned long long>(event.position), event.id.c_str(), event.type.c_str(),
              tags.c_str());
}

EventQuery QueryOf(const EventsArguments& arguments) {
  if (arguments.types.empty() && arguments.tags.empty()) {
    return EventQuery::All();
  }
  return EventQuery{{.types = arguments.types, .tags = arguments.tags}};
}

Result<events::ReadOptions> ReadOptionsOf(const EventsArguments& arguments) {
  events::ReadOptions options{
      .query = QueryOf(arguments), .limit = arguments.limit, .backwards = arguments.backwards};
  if (!arguments.since.empty()) {
    options.since = Cursor(TRY(SortableId::Parse(arguments.since)));
  }
  if (!arguments.until.empty()) {
    options.until = TRY(SortableId::Parse(arguments.until));
  }
  return options;
}

Result<int> List(const EventsArguments& arguments) {
  const Opened opened = TRY(OpenStore(arguments));
  const events::ReadOptions options = TRY(ReadOptionsOf(arguments));
  events::EventStream stream = TRY(opened.store->Read(options));
  while (const std::optional<Event> event = TRY(stream.Next())) {
    PrintEvent(*event, arguments.json);
  }
  return kSuccess;
}

Result<int> Show(const EventsArguments& arguments) {
  const Opened opened = TRY(OpenStore(arguments));
  const Event event = TRY(opened.store->ReadEvent(arguments.name));
  PrintEvent(event, arguments.json);
  if (!arguments.json) {
    Print("recorded     " + event.recorded_at);
    Print("causation    " + event.metadata.causation_id);
    Print("correlation  " + event.metadata.correlation_id);
    Print("user         " + event.metadata.executed_user);
    Print("payload      " + event.payload);
  }
  return kSuccess;
}

// Until the program is stopped.
Result<int> Tail(const EventsArguments& arguments) {
  const Opened opened = TRY(OpenStore(arguments));
  const events::ReadOptions read = TRY(ReadOptionsOf(arguments));
  events::FollowOptions options{
      .query = read.query, .since = read.since, .poll_interval = std::chrono::milliseconds(500)};
  if (!options.since) {
    if (const std::optional<SortableId> last = TRY(opened.store->FindLastId())) {
      options.since = Cursor(*last);
    }
  }
  const auto follower = TRY(events::EventFollower::Open(*opened.store, std::move(options)));
  while (true) {
    const std::vector<Event> events = TRY(follower->Next({}));
    for (const Event& event : events) {
      PrintEvent(event, arguments.json);
    }
    std::fflush(stdout);
  }
}

Result<int> Append(const EventsArguments& arguments) {
  const Opened opened = TRY(OpenStore(arguments));
  events::AppendOptions options{.append_id = arguments.append_id};
  if (arguments.no_match) {
    options.condition = events::AppendCondition{EventQuery{{.tags = arguments.tags}}};
  }
  const events::Appended appended = TRY(opened.store->Append(
      {{.type = arguments.name, .payload = arguments.payload, .tags = arguments.tags}}, options));
  PrintEvent(TRY(opened.store->ReadEvent(appended.events.front().id)), arguments.json);
  return kSuccess;
}

Result<int> Tags(const EventsArguments& arguments) {
  const Opened opened = TRY(OpenStore(arguments));
  const std::optional<std::string> group =
      arguments.name.empty() ? std::nullopt : std::optional(arguments.name);
  const std::vector<events::TagInfo> tags = TRY(opened.store->ListTags(group));
  for (const events::TagInfo& tag : tags) {
    if (arguments.json) {
      Print(value::ToPlainJson(Item{{"tag", tag.tag},
                                    {"group", tag.group},
                                    {"events", tag.events},
                                    {"first", tag.first.ToText()},
                                    {"last", tag.last.ToText()}}));
    } else {
      std::printf("%10llu  %s  %s\n", static_cast<unsigned long long>(tag.events),
                  tag.last.ToText().c_str(), tag.tag.c_str());
    }
  }
  return kSuccess;
}

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
    const std::uint64_t behind = TRY(store.CountEvents(Cursor(state.last)));
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
    Print(value::ToPlainJson(line));
  }
  return code;
}

Result<int> Project(const EventsArguments& arguments) {
  const Opened opened = TRY(OpenStore(arguments));
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
  for (const events::ProjectionProgress& row : rows) {
    Print(value::ToPlainJson(Item{{"version", row.status.version},
                                  {"instance", row.status.instance},
                                  {"phase", std::string(NameOf(row.status.phase))},
                                  {"events", row.status.events},
                                  {"remaining", row.remaining},
                                  {"caughtUp", row.caught_up},
                                  {"fresh", row.fresh},
                                  {"recordedAt", row.status.recorded_at},
                                  {"message", row.status.message}}));
  }
  return code;
}

Result<int> Verify(const EventsArguments& arguments) {
  const Opened opened = TRY(OpenStore(arguments));
  const events::VerifyReport report = TRY(events::VerifyEvents(*opened.store));
  if (arguments.json) {
    ::stator::List problems;
    for (const std::string& problem : report.problems) {
      problems.emplace_back(problem);
    }
    Print(value::ToPlainJson(Item{{"clean", report.clean()},
                                  {"events", report.events},
                                  {"tagRows", report.tag_rows},
                                  {"tags", report.tags},
                                  {"problemCount", report.problem_count},
                                  {"problems", std::move(problems)}}));
  } else {
    for (const std::string& problem : report.problems) {
      Print("problem: " + problem);
    }
    std::printf("%s: %llu events, %llu rows of %llu tags\n", report.clean() ? "clean" : "DAMAGED",
                static_cast<unsigned long long>(report.events),
                static_cast<unsigned long long>(report.tag_rows),
                static_cast<unsigned long long>(report.tags));
  }
  return report.clean() ? kSuccess : kFailure;
}

Result<int> Export(const EventsArguments& arguments) {
  const Opened opened = TRY(OpenStore(arguments));
  TRY_VOID(events::ExportEvents(*opened.store, [](const std::string& line) -> Result<void> {
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size() ||
        std::fputc('\n', stdout) == EOF) {
      return Fail(ErrorCode::kIo, "cannot write to standard output");
    }
    return {};
  }));
  return kSuccess;
}

Result<int> Import(const EventsArguments& arguments) {
  const Opened opened = TRY(OpenStore(arguments));
  std::ifstream file;
  if (arguments.name != "-") {
    file.open(arguments.name);
    if (!file) {
      return Fail(ErrorCode::kIo, "cannot open " + arguments.name);
    }
  }
  std::istream& lines = arguments.name == "-" ? std::cin : file;
  std::uint64_t appended = 0;
  std::uint64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty()) {
      continue;
    }
    const auto imported = events::ImportEventLine(*opened.store, line);
    if (!imported) {
      Error error = imported.error();
      error.message = "line " + std::to_string(number) + ": " + error.message;
      return std::unexpected(std::move(error));
    }
    appended += imported->repeated ? 0 : 1;
  }
  std::printf("%llu events appended, %llu lines\n", static_cast<unsigned long long>(appended),
              static_cast<unsigned long long>(number));
  return kSuccess;
}

Result<int> Run(const EventsArguments& arguments) {
  switch (arguments.action) {
    case EventsAction::kList:
      return List(arguments);
    case EventsAction::kShow:
      return Show(arguments);
    case EventsAction::kTail:
      return Tail(arguments);
    case EventsAction::kAppend:
      return Append(arguments);
    case EventsAction::kTags:
      return Tags(arguments);
    case EventsAction::kProject:
      return Project(arguments);
    case EventsAction::kVerify:
      return Verify(arguments);
    case EventsAction::kExport:
      return Export(arguments);
    case EventsAction::kImport:
      return Import(arguments);
    case EventsAction::kTables:
      break;
  }
  return RunEventsTables(arguments.tables);
}

CLI::App* AddAction(CLI::App& parent, EventsArguments& arguments, EventsAction action,
                    const std::string& name, const std::string& help) {
  CLI::App* command = parent.add_subcommand(name, help);
  AddData(*command, arguments.data);
  command->add_option("--service", arguments.store.service_id, "Whose events")
      ->capture_default_str();
  AddTableNames(*command, arguments.store);
  command->callback([&arguments, action] { arguments.action = action; });
  return command;
}

void AddFilter(CLI::App& command, EventsArguments& arguments) {
  command.add_option("--type", arguments.types, "One of these types");
  command.add_option("--tag", arguments.tags, "All of these tags");
  command.add_option("--since", arguments.since, "Behind this sortable id");
}

}  // namespace

void AddEvents(CLI::App& app, EventsArguments& arguments) {
  DefaultToEnvironment(arguments.data);
  CLI::App* parent = app.add_subcommand("events", "Look into an event store");
  parent->require_subcommand(1);
  parent->footer(
      "Examples:\n"
      "  stator events append CourseDefined --tag course:c1 --payload '{\"capacity\":10}'\n"
      "  stator events ls --tag course:c1 --json\n"
      "  stator events export --data ./data | stator events import - --data aws:eu-central-1");
  const auto add = [&](EventsAction action, const char* name, const char* help) {
    return AddAction(*parent, arguments, action, name, help);
  };
  CLI::App* list = add(EventsAction::kList, "ls", "List events");
  AddFilter(*list, arguments);
  list->add_option("--until", arguments.until, "Not behind this sortable id");
  list->add_option("--limit", arguments.limit, "At most so many")->capture_default_str();
  list->add_flag("--backwards", arguments.backwards, "The last ones first");
  CLI::App* show = add(EventsAction::kShow, "show", "Show one event");
  show->add_option("event", arguments.name, "Id of the event")->required();
  CLI::App* tail = add(EventsAction::kTail, "tail", "Print events as they are appended");
  AddFilter(*tail, arguments);
  CLI::App* append = add(EventsAction::kAppend, "append", "Append one event");
  append->add_option("type", arguments.name, "Type of the event")->required();
  append->add_option("--tag", arguments.tags, "What it is about; may be repeated");
  append->add_option("--payload", arguments.payload, "Its data");
  append->add_option("--append-id", arguments.append_id, "Repeating it appends nothing more");
  append->add_flag("--if-none", arguments.no_match, "Only if no event has all of these tags");
  CLI::App* tags = add(EventsAction::kTags, "tags", "List tags");
  tags->add_option("group", arguments.name, "Only tags of this group");
  CLI::App* project = add(EventsAction::kProject, "project", "Show the states of a projector");
  project->add_option("projector", arguments.name, "Name of the projector")->required();
  CLI::Option* blobs =
      project->add_option("--blobs", arguments.blobs,
                          "Where large states are: a directory, s3://BUCKET/PREFIX?region=…");
  project->add_option("--state", arguments.state_version, "Print the state of this version");
  project->add_flag("--check", arguments.check_states, "Read every state");
  project->add_flag("--sweep", arguments.sweep, "Remove blobs that no state names, older than 1 h")
      ->needs(blobs);
  CLI::App* verify =
      add(EventsAction::kVerify, "verify", "Check that events, rows and heads agree");
  add(EventsAction::kExport, "export", "Print all events, a line of JSON each");
  CLI::App* import = add(EventsAction::kImport, "import", "Append events from lines of JSON");
  import->add_option("file", arguments.name, "The file; - for standard input")->required();
  for (CLI::App* command : {list, show, tail, append, tags, verify}) {
    command->add_flag("--json", arguments.json, "As JSON");
  }
  AddEventsTables(*parent, arguments.tables)->callback([&arguments] {
    arguments.action = EventsAction::kTables;
  });
}

int RunEvents(const EventsArguments& arguments) {
  return ExitCodeOf(Run(arguments));
}

}  // namespace stator::cli
