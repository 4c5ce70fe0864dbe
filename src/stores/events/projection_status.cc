#include "stator/stores/events/projection_status.h"

#include <algorithm>
#include <array>
#include <memory>
#include <tuple>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/requests.h"
#include "stores/events/event_item.h"
#include "stores/events/item_fields.h"
#include "stores/events/keys.h"
#include "stores/events/note_projector.h"
#include "stores/events/page_cursor.h"

namespace stator::events {
namespace {

using patterns::Attribute;

constexpr int kStatusVersion = 1;
constexpr std::array<std::string_view, 7> kPhaseNames = {
    "unknown", "starting", "catchingUp", "active", "caughtUp", "faulted", "stopped"};

Item Encode(const EventStore& store, const ProjectionStatus& status) {
  Item item =
      Keys(store.options().service_id).Status(status.projector, status.version, status.instance);
  item.Set("documentType", "projectionStatus");
  item.Set("serviceId", store.options().service_id);
  item.Set("projectorName", status.projector);
  item.Set("projectorVersion", status.version);
  item.Set("instance", status.instance);
  item.Set("sequence", status.sequence);
  item.Set("phase", std::string(NameOf(status.phase)));
  item.Set("appliedCount", status.events);
  item.Set("lastApplied", status.last_applied.ToText());
  item.Set("lastTraversed", status.last_traversed.ToText());
  const TimePoint now = store.environment().clock->Now();
  item.Set("statusVersion", kStatusVersion);
  item.Set("recordedAt", FormatTime(now));
  item.Set("recordedAtMicroseconds", now.time_since_epoch().count());
  item.Set("message", status.message);
  return item;
}

Result<ProjectionStatus> Decode(const Item& item) {
  if (CountOr(item, "statusVersion") > kStatusVersion) {
    return Invalid("a later version of the program wrote the status of a projection");
  }
  ProjectionStatus status{
      .projector = TRY(TextField(item, "projectorName")),
      .version = TRY(TextField(item, "projectorVersion")),
      .instance = TRY(TextField(item, "instance")),
      .sequence = TRY(CountField(item, "sequence")),
      .events = CountOr(item, "appliedCount"),
      .last_applied = TRY(IdField(item, "lastApplied")),
      .last_traversed = TRY(IdField(item, "lastTraversed")),
      .recorded_at = TextOr(item, "recordedAt"),
      .recorded_time =
          TimePoint(Duration(static_cast<Duration::rep>(CountOr(item, "recordedAtMicroseconds")))),
      .message = TextOr(item, "message")};
  const auto phase = std::find(kPhaseNames.begin(), kPhaseNames.end(), TextOr(item, "phase"));
  if (phase != kPhaseNames.end()) {
    status.phase = static_cast<ProjectionPhase>(phase - kPhaseNames.begin());
  }
  return status;
}

}  // namespace

std::string_view NameOf(ProjectionPhase phase) {
  return kPhaseNames[static_cast<std::size_t>(phase)];
}

Result<void> StatusRegistry::Write(const ProjectionStatus& status,
                                   std::uint64_t expected_sequence) {
  if (status.projector.empty() || status.version.empty() || status.instance.empty() ||
      status.sequence <= expected_sequence) {
    return Invalid("a status names projector, version and instance, and its sequence ascends");
  }
  const patterns::Condition condition = expected_sequence == 0
                                            ? Attribute("pk").NotExists()
                                            : Attribute("sequence") == expected_sequence;
  const auto put = store_->database().PutItem(patterns::MakePut(
      store_->options().projection_states_table_name, Encode(*store_, status), condition));
  if (put) {
    NoteProjector(*store_, status.projector);
    return {};
  }
  if (put.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(put.error());
  }
  auto detail = std::make_shared<StatusConflict>();
  if (const Item* current = patterns::FindItem(put.error())) {
    detail->current = TRY(Decode(*current));
  }
  return std::unexpected(Error{.code = ErrorCode::kConditionFailed,
                               .message = "another writer of the status was faster",
                               .detail = std::move(detail)});
}

Result<std::vector<ProjectionStatus>> StatusRegistry::List(
    const std::string& projector, const std::optional<std::string>& version) {
  const EventStoreOptions& options = store_->options();
  QueryInput query = MakeQuery({.table_name = options.projection_states_table_name,
                                .partition_attribute = "pk",
                                .partition = Keys(options.service_id).ProjectorPartition(projector),
                                .sort_attribute = "sk",
                                // '$' is the character behind '#'.
                                .bounds = {.lower = "STATUS#", .upper = "STATUS$"}});
  std::vector<ProjectionStatus> rows;
  do {
    QueryOutput output = TRY(store_->database().Query(query));
    for (const Item& item : output.items.value_or(std::vector<Item>())) {
      ProjectionStatus status = TRY(Decode(item));
      if (!version || status.version == *version) {
        rows.push_back(std::move(status));
      }
    }
    query.exclusive_start_key = std::move(output.last_evaluated_key);
  } while (query.exclusive_start_key);
  std::sort(rows.begin(), rows.end(), [](const auto& left, const auto& right) {
    return std::tie(left.version, left.instance) < std::tie(right.version, right.instance);
  });
  return rows;
}

}  // namespace stator::events
