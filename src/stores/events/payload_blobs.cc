#include "stores/events/payload_blobs.h"

#include <set>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "stator/blobs/blob_store.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/event_item.h"
#include "stores/events/log_items.h"
#include "stores/events/redaction.h"
#include "stores/events/subject_keys.h"
#include "value/size.h"

namespace stator::events {
namespace {

// More than the item of an event has, and than the row of one of its tags has, whose longest tag
// occurs in its keys.
std::size_t BoundOf(const Event& event) {
  constexpr std::size_t kNamesAndIds = 2048;
  std::size_t bytes = kNamesAndIds + event.payload.size() + event.subject.size() +
                      event.type.size() + event.metadata.causation_id.size() +
                      event.metadata.correlation_id.size() + event.metadata.executed_user.size();
  for (const std::string& tag : event.tags) {
    bytes += tag.size() + 8;
  }
  return bytes;
}

// What an item of the view can hold, an event must not exceed.
Result<void> CheckSize(const EventStoreCore& core, const Event& event, std::size_t index) {
  if (BoundOf(event) <= limits::kItemBytesMax) {
    return {};
  }
  const std::size_t bytes = value::SizeOfItem(EncodeEvent(core, event));
  if (bytes > limits::kItemBytesMax) {
    return Invalid("event " + std::to_string(index) + " would be stored with " +
                   std::to_string(bytes) + " bytes; " + std::to_string(limits::kItemBytesMax) +
                   " are allowed" +
                   (core.options.blobs == nullptr && event.payload.size() > bytes / 2
                        ? ", unless the store has a blob store for large payloads"
                        : ""));
  }
  return {};
}

}  // namespace

std::string PayloadFolderOf(const EventStoreCore& core) {
  return core.options.service_id + "/%events";
}

Result<void> FitPayload(const EventStoreCore& core, std::size_t index, Event& event,
                        std::vector<OffloadedPayload>& payloads) {
  if (core.options.blobs != nullptr && !event.payload.empty() &&
      BoundOf(event) > core.options.offload_threshold_bytes) {
    const std::string folder = PayloadFolderOf(core) + "/" + core.environment.random->Uuid();
    event.payload_key = MakeBlobKey(folder, event.payload);
    payloads.push_back({event.payload_key, std::exchange(event.payload, std::string())});
  }
  return CheckSize(core, event, index);
}

Result<void> WritePayloads(const EventStoreCore& core,
                           const std::vector<OffloadedPayload>& payloads) {
  for (const OffloadedPayload& payload : payloads) {
    TRY_VOID(core.options.blobs->Write(payload.key, payload.bytes));
  }
  return {};
}

void RemovePayloads(const EventStoreCore& core, const std::vector<OffloadedPayload>& payloads) {
  for (const OffloadedPayload& payload : payloads) {
    static_cast<void>(core.options.blobs->Remove(payload.key));
  }
}

Result<void> LoadPayload(EventStoreCore& core, Event& event) {
  core.redactions.Hide(event);
  if (event.payload_key.empty()) {
    return core.subjects.Open(event);
  }
  if (core.options.blobs == nullptr) {
    return Invalid("the payload of event " + event.id +
                   " is in a blob store, and the event store was opened without one");
  }
  Result<std::string> payload = core.options.blobs->Read(event.payload_key);
  if (!payload && TRY(core.redactions.Look(event.position))) {
    core.redactions.Hide(event);
    return {};
  }
  event.payload = TRY(std::move(payload));
  return core.subjects.Open(event);
}

Result<std::size_t> SweepPayloads(EventStore& store, Duration age) {
  EventStoreCore& core = EventStoreCoreOf(store);
  if (core.options.blobs == nullptr || core.is_foreign) {
    return Invalid("the event store was opened without a blob store, or has no log");
  }
  const TimePoint before = core.environment.clock->Now() - age;
  std::set<std::string> used;
  constexpr std::uint64_t kSlotsAtOnce = 32;
  for (std::uint64_t first = 1;; first += kSlotsAtOnce) {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t index = 0; index < kSlotsAtOnce; ++index) {
      numbers.push_back(first + index);
    }
    const std::vector<std::shared_ptr<Slot>> slots =
        TRY(ReadSlots(core, numbers, /*consistent=*/true, /*up_to_a_hole=*/true));
    for (const std::shared_ptr<Slot>& slot : slots) {
      for (const Event& event : slot->events) {
        used.insert(event.payload_key);
      }
    }
    if (slots.size() < numbers.size()) {
      break;
    }
  }
  return RemoveUnusedBlobs(*core.options.blobs, EncodeBlobFolder(PayloadFolderOf(core)), used,
                           before);
}

}  // namespace stator::events
