#include "event_server/event_service.h"

#include <utility>

#include "base/try.h"
#include "stator/stores/events/append.h"

namespace stator::event_server {
namespace {

using events::AppendCondition;
using events::Cursor;
using events::EventStore;
using events::EventStream;
using events::SortableId;

}  // namespace

Result<SortableId> IdUpTo(EventStore& store, std::uint64_t position) {
  if (position == 0) {
    return SortableId();
  }
  if (const std::optional<SortableId> id = TRY(store.FindIdAt(position))) {
    return *id;
  }
  // Beyond the end.
  return TRY(store.FindLastId()).value_or(SortableId());
}

Result<std::optional<EventStream>> OpenRead(EventStore& store, const ReadRequest& request) {
  if (request.limit == 0) {
    return std::nullopt;
  }
  events::ReadOptions read{
      .query = request.query, .limit = request.limit, .backwards = request.backwards};
  if (request.from && request.backwards) {
    read.until = TRY(IdUpTo(store, *request.from));
  } else if (request.from && *request.from > 1) {
    read.since = Cursor(TRY(IdUpTo(store, *request.from - 1)));
  }
  return TRY(store.Read(read));
}

Result<AppendAnswer> AppendFor(EventStore& store, AppendRequest request) {
  events::AppendOptions options{.append_id = std::move(request.append_id)};
  if (request.has_condition) {
    options.condition = AppendCondition{std::move(request.fail_if_match)};
    if (request.after && *request.after > 0) {
      options.condition->after = TRY(IdUpTo(store, *request.after));
    }
  }
  const Result<events::Appended> appended = store.Append(std::move(request.events), options);
  if (appended) {
    return AppendAnswer{.position = appended->events.back().position,
                        .repeated = appended->repeated};
  }
  if (events::FindConflict(appended.error()) == nullptr) {
    return std::unexpected(appended.error());
  }
  return AppendAnswer{.refused = appended.error().message};
}

}  // namespace stator::event_server
