// Payloads that are too large for an item: in the blob store, with their keys in the log.
//
// A payload is written before the slot that names it, in a folder that no other append has. So it is
// there when the event is, and whoever knows that the event never came to be may remove it. What
// nobody could remove, SweepPayloads finds (maintenance.h).

#pragma once

#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event.h"
#include "stores/events/event_store_core.h"

namespace stator::events {

struct OffloadedPayload {
  std::string key;
  std::string bytes;
};

// The folder of the service's payloads. No projector's states are below it (checkpoint_store.cc).
std::string PayloadFolderOf(const EventStoreCore& core);

// Takes the payload out of an event whose item would be too large, and leaves its key. Fails with
// kValidation when the event is too large even so, or there is no blob store.
Result<void> FitPayload(const EventStoreCore& core, std::size_t index, Event& event,
                        std::vector<OffloadedPayload>& payloads);

Result<void> WritePayloads(const EventStoreCore& core,
                           const std::vector<OffloadedPayload>& payloads);
void RemovePayloads(const EventStoreCore& core, const std::vector<OffloadedPayload>& payloads);

// Puts the payload of an event of the log into it: from the blob store, and opened if it is sealed.
Result<void> LoadPayload(EventStoreCore& core, Event& event);

}  // namespace stator::events
