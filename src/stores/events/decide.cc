#include "stator/stores/events/decide.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/try.h"
#include "stator/patterns/retry.h"

namespace stator::events {
namespace {

std::optional<SortableId> LastOf(const std::vector<Event>& events) {
  return events.empty() ? std::nullopt : std::optional(events.back().sortable_id);
}

// What is behind that which was seen before: nothing appears below it.
Result<void> ReadOn(EventStore& store, const std::vector<EventQuery>& queries, Seen& seen) {
  for (std::size_t index = 0; index < queries.size(); ++index) {
    ReadOptions read{.query = queries[index]};
    if (!seen[index].empty()) {
      read.since = seen[index].back().cursor();
    }
    EventStream stream = TRY(store.Read(read));
    while (std::optional<Event> event = TRY(stream.Next())) {
      seen[index].push_back(*std::move(event));
    }
  }
  return {};
}

std::vector<AppendCondition> MakeConditions(const std::vector<EventQuery>& queries,
                                            const Seen& seen) {
  std::vector<AppendCondition> conditions;
  for (std::size_t index = 0; index < queries.size(); ++index) {
    conditions.push_back({.fail_if_match = queries[index], .after = LastOf(seen[index])});
  }
  return conditions;
}

}  // namespace

Result<Appended> Decide(EventStore& store, const std::vector<EventQuery>& queries,
                        const std::function<Decision(const Seen&)>& decide,
                        const DecideOptions& options) {
  Seen seen(queries.size());
  patterns::Retry retry(store.options().retry, store.environment(), options.stop);
  while (true) {
    TRY_VOID(ReadOn(store, queries, seen));
    std::vector<NewEvent> events = TRY(decide(seen));
    if (events.empty()) {
      return Appended{};
    }
    AppendOptions append{.more_conditions = MakeConditions(queries, seen), .stop = options.stop};
    append.more_conditions.insert(append.more_conditions.end(), options.more_conditions.begin(),
                                  options.more_conditions.end());
    Result<Appended> appended = store.Append(std::move(events), append);
    if (appended) {
      return appended;
    }
    const AppendConflict* conflict = FindConflict(appended.error());
    if (conflict == nullptr) {
      return appended;
    }
    // One of the caller's own conditions does not change by reading.
    const Event match = TRY(store.ReadEvent(conflict->event_id));
    const bool is_new =
        std::any_of(append.more_conditions.begin(),
                    append.more_conditions.begin() + static_cast<std::ptrdiff_t>(queries.size()),
                    [&](const AppendCondition& condition) {
                      return condition.fail_if_match.Matches(match) &&
                             (!condition.after || match.sortable_id > *condition.after);
                    });
    if (!is_new) {
      return appended;
    }
    if (!retry.Wait()) {
      return Fail(ErrorCode::kTransactionConflict,
                  "others kept appending what the decision is about");
    }
  }
}

}  // namespace stator::events
