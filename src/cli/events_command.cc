#include "cli/events_command.h"

#include <CLI/CLI.hpp>

#include "cli/command_line.h"
#include "cli/events_actions.h"
#include "cli/events_options.h"
#include "cli/shared_options.h"
#include "cli/tables_command.h"

namespace stator::cli {
namespace {

Result<int> Run(const EventsArguments& arguments) {
  switch (arguments.action) {
    case EventsAction::kList:
      return ListEvents(arguments);
    case EventsAction::kShow:
      return ShowEvent(arguments);
    case EventsAction::kTail:
      return TailEvents(arguments);
    case EventsAction::kAppend:
      return AppendEvent(arguments);
    case EventsAction::kTags:
      return ListTags(arguments);
    case EventsAction::kProject:
      return ShowProjections(arguments);
    case EventsAction::kProjectors:
      return ListProjectors(arguments);
    case EventsAction::kErase:
      return EraseSubject(arguments);
    case EventsAction::kErasures:
      return ListErasures(arguments);
    case EventsAction::kRedact:
      return RedactEvent(arguments);
    case EventsAction::kRedactions:
      return ListRedactions(arguments);
    case EventsAction::kVerify:
      return VerifyStore(arguments);
    case EventsAction::kExport:
      return ExportStore(arguments);
    case EventsAction::kImport:
      return ImportStore(arguments);
    case EventsAction::kView:
      return LookAfterView(arguments);
    case EventsAction::kSweep:
      return SweepPayloads(arguments);
    case EventsAction::kSubscriptions:
      return LookAfterSubscriptions(arguments);
    case EventsAction::kServe:
      return ServeEvents(arguments);
    case EventsAction::kServices:
      break;
  }
  return ListServices(arguments);
}

CLI::App* AddAction(CLI::App& parent, EventsArguments& arguments, EventsAction action,
                    const std::string& name, const std::string& help) {
  CLI::App* command = parent.add_subcommand(name, help);
  AddStoreOptions(*command, arguments.store);
  AddData(*command, arguments.data);
  command->add_option("--service", arguments.store.service_id, "Whose events")
      ->capture_default_str();
  AddTableNames(*command, arguments.store);
  command->add_option("--blobs", arguments.blobs,
                      "Where large payloads and states are: a directory, "
                      "s3://BUCKET/PREFIX?region=…");
  command->callback([&arguments, action] { arguments.action = action; });
  return command;
}

void AddFilter(CLI::App& command, EventsArguments& arguments) {
  command.add_option("--type", arguments.types, "One of these types");
  command.add_option("--tag", arguments.tags, "All of these tags");
  command.add_option("--since", arguments.since, "Behind this sortable id");
}

void AddSubscriptions(CLI::App& events, EventsArguments& arguments) {
  CLI::App* parent = events.add_subcommand(
      "subscriptions", "Look after persistent subscriptions and what they have parked");
  parent->require_subcommand(1);
  const auto add = [&](SubscriptionsAction action, const char* name, const char* help) {
    CLI::App* command = AddAction(*parent, arguments, EventsAction::kSubscriptions, name, help);
    command->callback([&arguments, action] {
      arguments.action = EventsAction::kSubscriptions;
      arguments.subscriptions = action;
    });
    if (action != SubscriptionsAction::kList) {
      command->add_option("subscription", arguments.name, "Its name")->required();
    }
    return command;
  };
  CLI::App* list = add(SubscriptionsAction::kList, "ls", "List them and how far they are");
  CLI::App* show = add(SubscriptionsAction::kShow, "show", "Show one");
  CLI::App* create = add(SubscriptionsAction::kCreate, "create", "Make one");
  AddFilter(*create, arguments);
  create->add_flag("--from-now", arguments.from_now, "Not the events that are there")
      ->excludes("--since");
  create->add_option("--lease", arguments.lease_seconds, "Seconds that a consumer has for an event")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  create->add_option("--attempts", arguments.attempts_max, "After so many an event is parked")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  create
      ->add_option("--in-flight", arguments.in_flight_max, "So many events may be out; 1: in order")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  add(SubscriptionsAction::kRemove, "rm", "Remove one, with what is parked");
  CLI::App* parked = add(SubscriptionsAction::kParked, "parked", "List what nobody could work on");
  CLI::App* replay = add(SubscriptionsAction::kReplay, "replay", "Deal parked events out again");
  CLI::App* drop = add(SubscriptionsAction::kDrop, "drop", "Forget parked events");
  for (CLI::App* command : {replay, drop}) {
    CLI::Option* which = command->add_option("position", arguments.positions, "Which ones");
    command->add_flag("--all")->description("All of them")->excludes(which);
    command->callback(
        [&arguments, command, which,
         action = command == replay ? SubscriptionsAction::kReplay : SubscriptionsAction::kDrop] {
          if (which->count() == 0 && command->count("--all") == 0) {
            throw CLI::RequiredError("positions, or --all");
          }
          arguments.action = EventsAction::kSubscriptions;
          arguments.subscriptions = action;
        });
  }
  for (CLI::App* command : {list, show, parked}) {
    command->add_flag("--json", arguments.json, "As JSON");
  }
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
  append->add_option("--subject", arguments.subject,
                     "Whose the payload is, so that it can be erased");
  append->add_flag("--if-none", arguments.no_match, "Only if no event has all of these tags");
  CLI::App* tags = add(EventsAction::kTags, "tags", "List tags");
  tags->add_option("group", arguments.name, "Only tags of this group");
  CLI::App* project = add(EventsAction::kProject, "project", "Show the states of a projector");
  project->add_option("projector", arguments.name, "Name of the projector")->required();
  project->add_option("--state", arguments.state_version, "Print the state of this version");
  project->add_flag("--check", arguments.check_states, "Read every state");
  project->add_flag("--sweep", arguments.sweep, "Remove blobs that no state names, older than 1 h")
      ->needs("--blobs");
  CLI::App* projectors = add(EventsAction::kProjectors, "projectors",
                             "List the projectors, how far they are, and who runs them");
  CLI::App* erase = add(EventsAction::kErase, "erase",
                        "Delete the key of a subject: its payloads can never be read again");
  erase->add_option("subject", arguments.name, "Whose payloads")->required();
  erase->add_flag("--unknown", arguments.unknown, "Also if nothing is known of the subject");
  CLI::App* erasures =
      add(EventsAction::kErasures, "erasures", "List the subjects that were erased");
  CLI::App* redact =
      add(EventsAction::kRedact, "redact", "Take the payload of one event out of the log");
  redact->add_option("event", arguments.name, "Id of the event")->required();
  CLI::App* redactions =
      add(EventsAction::kRedactions, "redactions", "List the events that were redacted");
  for (CLI::App* command : {erase, redact}) {
    command->add_option("--by", arguments.by, "Who does it, for the record");
    command->add_option("--reason", arguments.reason, "Why, for the record");
  }
  add(EventsAction::kServices, "services", "List the services that have events in the tables");
  CLI::App* verify =
      add(EventsAction::kVerify, "verify", "Check that the log, its index and its view agree");
  add(EventsAction::kExport, "export", "Print all events, a line of JSON each");
  CLI::App* import = add(EventsAction::kImport, "import", "Append events from lines of JSON");
  import->add_option("file", arguments.name, "The file; - for standard input")->required();
  import->add_flag("--without-end", arguments.without_end,
                   "The lines are no export, and do not end as one");
  add(EventsAction::kSweep, "sweep",
      "Remove large payloads from the blob store that no event names, older than 1 h")
      ->get_option("--blobs")
      ->required();
  CLI::App* view = add(EventsAction::kView, "view",
                       "Write the rows of the original system that are missing, and say how far "
                       "index and view are");
  view->add_flag("--rebuild", arguments.rebuild, "Write all of them again");
  view->add_flag_function(
      "--on,!--off", [&](std::int64_t count) { arguments.store.seed_rows = count > 0; },
      "Whether they are written at all");
  for (CLI::App* command : {list, show, tail, append, tags, verify, view, projectors, erase,
                            erasures, redact, redactions}) {
    command->add_flag("--json", arguments.json, "As JSON");
  }
  AddSubscriptions(*parent, arguments);
  CLI::App* serve = add(EventsAction::kServe, "serve",
                        "Serve the store to programs of any language: GET /read, POST /append");
  serve->add_option("--host", arguments.host, "Address to listen on, of this machine")
      ->capture_default_str();
  serve->add_option("--port", arguments.port, "Port; 0 for any")->capture_default_str();
  serve->add_option("--grpc-port", arguments.grpc_port,
                    "Serve gRPC, too, to clients of UmaDB, on this port; 0 for any");
}

int RunEvents(const EventsArguments& arguments) {
  return ExitCodeOf(Run(arguments));
}

}  // namespace stator::cli
