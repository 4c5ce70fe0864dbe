// The JSON of an event server: the shape that the public tests of dcb.events ask for, and a little
// more.
//
//   GET  /read?query=Q&options=O         [{"type","tags","data","position","id","recordedAt"}, ...]
//   POST /read    {"query":Q,"options":O}   the same, for queries that are too long for an address
//   POST /append  {"events":[E, ...],"condition":C,"appendId":"..."}
//                 {"durationInMicroseconds":n,"appendConditionFailed":false,"position":n,"repeated":b}
//   GET  /head                           {"position":n}
//
//   Q  {"items":[{"types":[...],"tags":[...]}, ...]}     no items: everything
//   O  {"from":position,"backwards":bool,"limit":n}      from is inclusive in both directions
//   E  {"type","data","tags":[...],"metadata":{"causationId","correlationId","executedUser"}}
//      and "subject", for data that can be erased; events that are read say "erased" when they were
//   C  {"failIfEventsMatch":Q,"after":position}
//
// Data are text, JSON by custom; what is not UTF-8 is in "dataBase64". A member that is none of these
// is an error, so that a typo is not a condition that never fails.

#pragma once

#include <string>
#include <string_view>

#include "event_server/event_service.h"
#include "stator/base/result.h"
#include "stator/stores/events/event.h"

namespace stator::event_server {

// All fail with kValidation; the message says which member is wrong.
Result<ReadRequest> ParseReadAddress(std::string_view query);  // what is behind the question mark
Result<ReadRequest> ParseReadBody(std::string_view body);
Result<AppendRequest> ParseAppendBody(std::string_view body);

void AppendEventJson(const events::Event& event, std::string& out);

}  // namespace stator::event_server
