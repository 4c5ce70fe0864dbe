// Options of a store from a file or the environment.
//
//   {"service_id": "school", "stream_events": true, "view_ttl": 86400}
//
// The names are those of EventStoreOptions; times are seconds, or fractions of them. A name that is
// none of these, and a value that is not of its kind, is kValidation. The pointer and the functions of
// EventStoreOptions cannot be set by text.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/options.h"

namespace stator::events {

// What the object says instead of what `base` says.
Result<EventStoreOptions> ParseOptions(std::string_view json, EventStoreOptions base = {});

// The same by variables of an environment: STATOR_EVENTS_SERVICE_ID=school. Those that do not begin
// with `prefix`, and those that `others` names, are not looked at.
Result<EventStoreOptions> ApplyVariables(const std::map<std::string, std::string>& variables,
                                         EventStoreOptions base = {},
                                         std::string_view prefix = "STATOR_EVENTS_",
                                         const std::vector<std::string>& others = {});

// Sorted.
std::vector<std::string> ListOptionNames();

}  // namespace stator::events
