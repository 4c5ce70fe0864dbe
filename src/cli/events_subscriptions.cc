// Persistent subscriptions and what they have parked.

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/events_actions.h"
#include "cli/print_line.h"
#include "stator/stores/events/subscription.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

using events::ParkedEvent;
using events::SubscriptionInfo;
using events::Subscriptions;

void Print(const SubscriptionInfo& info, bool as_json) {
  if (as_json) {
    PrintLine(value::ToPlainJson(Item{{"name", info.name},
                                      {"position", info.cursor ? info.cursor->position : 0},
                                      {"behind", info.behind},
                                      {"leased", info.leased},
                                      {"waiting", info.waiting},
                                      {"parked", info.parked}}));
    return;
  }
  std::printf(
      "%s: %llu behind, %llu leased, %llu waiting, %llu parked\n", info.name.c_str(),
      static_cast<unsigned long long>(info.behind), static_cast<unsigned long long>(info.leased),
      static_cast<unsigned long long>(info.waiting), static_cast<unsigned long long>(info.parked));
}

Result<int> List(Subscriptions& subscriptions, const EventsArguments& arguments) {
  for (const std::string& name : TRY(subscriptions.List())) {
    const Result<SubscriptionInfo> info = subscriptions.Describe(name);
    if (!info && info.error().code == ErrorCode::kNotFound) {
      continue;  // removed meanwhile, or never quite made
    }
    Print(TRY(Result<SubscriptionInfo>(info)), arguments.json);
  }
  return kSuccess;
}

Result<int> Create(events::EventStore& store, Subscriptions& subscriptions,
                   const EventsArguments& arguments) {
  events::SubscriptionOptions options{
      .lease = std::chrono::milliseconds(static_cast<std::int64_t>(arguments.lease_seconds * 1000)),
      .attempts_max = arguments.attempts_max,
      .in_flight_max = arguments.in_flight_max};
  if (!arguments.types.empty() || !arguments.tags.empty()) {
    options.query = events::EventQuery{{.types = arguments.types, .tags = arguments.tags}};
  }
  if (!arguments.since.empty()) {
    options.since = TRY(events::SortableId::Parse(arguments.since));
  } else if (arguments.from_now) {
    options.since = TRY(store.FindLastId());
  }
  TRY_VOID(subscriptions.Create(arguments.name, options));
  return kSuccess;
}

Result<int> ListParked(Subscriptions& subscriptions, const EventsArguments& arguments) {
  for (const ParkedEvent& event : TRY(subscriptions.ListParked(arguments.name))) {
    if (arguments.json) {
      PrintLine(value::ToPlainJson(Item{{"position", event.position},
                                        {"eventId", event.event_id},
                                        {"attempts", event.attempts},
                                        {"reason", event.reason},
                                        {"parkedAt", event.parked_at}}));
    } else {
      std::printf("%10llu  %s  %d times  %s\n", static_cast<unsigned long long>(event.position),
                  event.parked_at.c_str(), event.attempts, event.reason.c_str());
    }
  }
  return kSuccess;
}

// To all that are parked, or to those that were named.
Result<int> ForParked(Subscriptions& subscriptions, const EventsArguments& arguments) {
  std::vector<std::uint64_t> positions = arguments.positions;
  if (positions.empty()) {
    for (const ParkedEvent& event : TRY(subscriptions.ListParked(arguments.name))) {
      positions.push_back(event.position);
    }
  }
  for (const std::uint64_t position : positions) {
    TRY_VOID(arguments.subscriptions == SubscriptionsAction::kReplay
                 ? subscriptions.Replay(arguments.name, position)
                 : subscriptions.Drop(arguments.name, position));
  }
  std::printf("%zu events\n", positions.size());
  return kSuccess;
}

}  // namespace

Result<int> LookAfterSubscriptions(const EventsArguments& arguments) {
  OpenedEvents opened = TRY(OpenEvents(arguments));
  Subscriptions subscriptions(*opened.store);
  switch (arguments.subscriptions) {
    case SubscriptionsAction::kList:
      return List(subscriptions, arguments);
    case SubscriptionsAction::kShow:
      Print(TRY(subscriptions.Describe(arguments.name)), arguments.json);
      return kSuccess;
    case SubscriptionsAction::kCreate:
      return Create(*opened.store, subscriptions, arguments);
    case SubscriptionsAction::kRemove:
      if (!TRY(subscriptions.Remove(arguments.name))) {
        return Fail(ErrorCode::kNotFound, "there is no subscription " + arguments.name);
      }
      return kSuccess;
    case SubscriptionsAction::kParked:
      return ListParked(subscriptions, arguments);
    case SubscriptionsAction::kReplay:
    case SubscriptionsAction::kDrop:
      break;
  }
  return ForParked(subscriptions, arguments);
}

}  // namespace stator::cli
