// `stator events`: looking into an event store, appending by hand, checking, moving.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/stores/events/options.h"

namespace CLI {
class App;
}

namespace stator::cli {

enum class EventsAction : std::uint8_t {
  kList,
  kShow,
  kTail,
  kAppend,
  kTags,
  kProject,
  kProjectors,
  kErase,
  kErasures,
  kRedact,
  kRedactions,
  kVerify,
  kExport,
  kImport,
  kView,
  kSweep,
  kSubscriptions,
  kServe,
  kServices,
};

enum class SubscriptionsAction : std::uint8_t {
  kList,
  kShow,
  kCreate,
  kRemove,
  kParked,
  kReplay,
  kDrop,
};

struct EventsArguments {
  EventsAction action = EventsAction::kList;
  std::string data = "stator-data";  // as stator::Open takes it
  events::EventStoreOptions store = {};
  std::vector<std::string> types = {};
  std::vector<std::string> tags = {};
  std::string since = {};  // sortable ids; empty for none
  std::string until = {};
  std::uint64_t limit = 50;
  bool backwards = false;
  std::string name = {};     // of an event, a group, a projector, a file
  std::string payload = {};  // of an appended event
  std::string append_id = {};
  std::string subject = {};  // of an appended event
  std::string by = {};       // who erases or redacts, and why
  std::string reason = {};
  bool unknown = false;    // erase a subject of which nothing is known, too
  bool no_match = false;   // append only if no event has these tags
  std::string blobs = {};  // as stator::OpenBlobs takes it; empty: there is none
  std::string state_version = {};
  bool check_states = false;
  bool sweep = false;
  bool rebuild = false;      // the view
  bool without_end = false;  // lines that are no export
  bool json = false;
  SubscriptionsAction subscriptions = SubscriptionsAction::kList;
  std::vector<std::uint64_t> positions = {};  // of parked events; none: all of them
  bool from_now = false;
  double lease_seconds = 30;
  int attempts_max = 5;
  int in_flight_max = 500;
  std::string host = "127.0.0.1";
  std::uint16_t port = 3000;
  std::optional<std::uint16_t> grpc_port = std::nullopt;  // none: no gRPC
};

void AddEvents(CLI::App& app, EventsArguments& arguments);

// Returns the exit code of the program.
int RunEvents(const EventsArguments& arguments);

}  // namespace stator::cli
