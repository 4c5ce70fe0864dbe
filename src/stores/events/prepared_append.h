// An append, checked and encoded, before it has a place.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/append.h"
#include "stores/events/event_log.h"
#include "stores/events/event_store_core.h"
#include "stores/events/subject_keys.h"

namespace stator::events {

inline constexpr std::size_t kEventsPerAppendMax = 10'000;
inline constexpr std::size_t kBytesPerAppendMax = std::size_t{16} << 20U;
inline constexpr std::size_t kTagsPerEventMax = 1000;
inline constexpr std::size_t kTypeBytesMax = 256;

// Of what the events say. REQUIRES: the keys of their subjects are there.
std::string FingerprintOf(const std::vector<NewEvent>& events, const KeyBySubject& keys);

// Fills events and payloads of the ticket, sealed if they have a subject. Fails with kValidation for what cannot be appended,
// before anything is sent.
Result<void> PrepareAppend(const EventStoreCore& core, std::vector<NewEvent> events,
                           const KeyBySubject& keys, Ticket& ticket);

}  // namespace stator::events
