// Deciding on what happened: reads, lets the caller decide, appends under the condition that
// nothing that was read has been joined by anything, and begins again when something has.
//
//   const EventQuery course = EventQuery::Tagged("course:c1");
//   const Result<Appended> subscribed = Decide(store, {course}, [](const Seen& seen) -> Decision {
//     if (seen[0].size() >= 10) { return Fail(ErrorCode::kRefused, "the course is full"); }
//     return std::vector<NewEvent>{{.type = "Subscribed", .tags = {"course:c1", "student:s7"}}};
//   });
//
// Each query gets a condition of its own, with what was read of it. So decisions about several tags
// work in stores without a global head, too, if each query is about one of them.
//
// COST: the first round reads all that the queries match; a further one only what is new.

#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/append.h"
#include "stator/stores/events/event.h"
#include "stator/stores/events/event_query.h"
#include "stator/stores/events/event_store.h"

namespace stator::events {

// What matches each of the queries, in order.
using Seen = std::vector<std::vector<Event>>;

// What is to be appended, perhaps nothing; or why not, which ends it with that error.
using Decision = Result<std::vector<NewEvent>>;

struct DecideOptions {
  // What else must hold. When it does not, deciding again cannot help, and that is the answer.
  std::vector<AppendCondition> more_conditions = {};
  std::stop_token stop = {};
};

// `decide` may be called several times and must have no effects of its own. Nothing to append is a
// success without events. Fails with what `decide` fails with, with kTransactionConflict when
// others kept being faster for as long as the store's `retry` allows, and as Append does.
Result<Appended> Decide(EventStore& store, const std::vector<EventQuery>& queries,
                        const std::function<Decision(const Seen&)>& decide,
                        const DecideOptions& options = {});

}  // namespace stator::events
