// Opening an event store and looking at its events.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/events_actions.h"
#include "cli/print_line.h"
#include "stator/blobs/open_blobs.h"
#include "stator/home/open.h"
#include "stator/stores/events/event_follower.h"
#include "stator/stores/events/listings.h"
#include "stator/stores/events/maintenance.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

using events::Cursor;
using events::Event;
using events::EventQuery;
using events::SortableId;

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

// A misspelt service would have no events. One of another system is not listed, but has some.
Result<void> CheckService(events::EventStore& store) {
  const std::vector<std::string> services = TRY(events::ListServices(store));
  const std::string& wanted = store.options().service_id;
  if (services.empty() || std::find(services.begin(), services.end(), wanted) != services.end() ||
      TRY(store.FindLastId())) {
    return {};
  }
  std::string names;
  for (const std::string& name : services) {
    names += (names.empty() ? "" : ", ") + name;
  }
  return Fail(ErrorCode::kNotFound, "there is no service " + wanted + "; there are " + names);
}

}  // namespace

Result<OpenedEvents> OpenEvents(const EventsArguments& arguments) {
  // Reading makes neither a database nor tables.
  const bool makes = arguments.action == EventsAction::kAppend ||
                     arguments.action == EventsAction::kImport ||
                     arguments.action == EventsAction::kServe;
  const bool writes = makes || arguments.action == EventsAction::kView ||
                      arguments.action == EventsAction::kErase ||
                      arguments.action == EventsAction::kRedact ||
                      arguments.action == EventsAction::kSubscriptions;
  OpenedEvents opened;
  opened.database = TRY(Open(arguments.data, {.create_if_missing = makes}));
  events::EventStoreOptions options = arguments.store;
  options.auto_create_tables = makes;
  options.read_only = !writes;
  if (!arguments.blobs.empty()) {
    opened.blobs = TRY(OpenBlobs(arguments.blobs));
    options.blobs = opened.blobs.get();
  }
  const bool checks_service = (options.read_only || arguments.action == EventsAction::kErase ||
                               arguments.action == EventsAction::kRedact) &&
                              arguments.action != EventsAction::kServices;
  opened.store = TRY(events::EventStore::Open(*opened.database, std::move(options)));
  if (checks_service) {
    TRY_VOID(CheckService(*opened.store));
  }
  return opened;
}

void PrintEvent(const Event& event, bool as_json) {
  if (as_json) {
    PrintLine(events::FormatEventLine(event));
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

Result<int> ListEvents(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  const events::ReadOptions options = TRY(ReadOptionsOf(arguments));
  events::EventStream stream = TRY(opened.store->Read(options));
  while (const std::optional<Event> event = TRY(stream.Next())) {
    PrintEvent(*event, arguments.json);
  }
  return kSuccess;
}

Result<int> ShowEvent(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  const Event event = TRY(opened.store->ReadEvent(arguments.name));
  PrintEvent(event, arguments.json);
  if (!arguments.json) {
    PrintLine("recorded     " + event.recorded_at);
    PrintLine("causation    " + event.metadata.causation_id);
    PrintLine("correlation  " + event.metadata.correlation_id);
    PrintLine("user         " + event.metadata.executed_user);
    if (!event.subject.empty()) {
      PrintLine("subject      " + event.subject);
    }
    PrintLine(event.erased ? std::string("erased") : "payload      " + event.payload);
  }
  return kSuccess;
}

Result<int> TailEvents(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
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

Result<int> ListServices(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  for (const std::string& name : TRY(events::ListServices(*opened.store))) {
    PrintLine(name);
  }
  return kSuccess;
}

Result<int> ListTags(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  const std::optional<std::string> group =
      arguments.name.empty() ? std::nullopt : std::optional(arguments.name);
  const std::vector<events::TagInfo> tags = TRY(opened.store->ListTags(group));
  for (const events::TagInfo& tag : tags) {
    if (arguments.json) {
      PrintLine(value::ToPlainJson(Item{{"tag", tag.tag},
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

}  // namespace stator::cli
