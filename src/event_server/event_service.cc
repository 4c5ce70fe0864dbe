#include "event_server/event_service.h"

#include <utility>

#include "base/try.h"

namespace stator::event_server {
namespace {

using events::Cursor;
using events::Event;
using events::EventStore;
using events::EventStream;
using events::SortableId;

std::size_t SizeOf(const Event& event) {
  constexpr std::size_t kBytesOfTheRest = 64;
  std::size_t bytes = kBytesOfTheRest + event.type.size() + event.payload.size();
  for (const std::string& tag : event.tags) {
    bytes += tag.size() + 2;
  }
  return bytes;
}

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

Result<std::optional<EventStream>> OpenRead(EventStore& store, const ReadRequest& request,
                                            const std::optional<Cursor>& behind) {
  if (request.limit == 0) {
    return std::nullopt;
  }
  events::ReadOptions read{
      .query = request.query, .limit = request.limit, .backwards = request.backwards};
  if (behind && request.backwards) {
    read.until = TRY(IdUpTo(store, behind->position - 1));
  } else if (behind) {
    read.since = behind;
  } else if (request.from && request.backwards) {
    read.until = TRY(IdUpTo(store, *request.from));
  } else if (request.from && *request.from > 1) {
    read.since = Cursor(TRY(IdUpTo(store, *request.from - 1)));
  }
  return TRY(store.Read(read));
}

Result<void> Reading::Open() {
  ReadRequest request = request_;
  request.limit = left_;
  stream_ = TRY(OpenRead(*store_, request, last_));
  return {};
}

Result<std::vector<Event>> Reading::Next(std::size_t events_max, std::size_t bytes_max) {
  std::vector<Event> events;
  if (!stream_) {
    TRY_VOID(Open());
  }
  std::size_t bytes = 0;
  while (stream_ && events.size() < events_max && bytes < bytes_max) {
    std::optional<Event> event = TRY(stream_->Next());
    if (!event || (up_to_ && event->position > *up_to_ && !request_.backwards)) {
      stream_.reset();
      break;
    }
    if (up_to_ && event->position > *up_to_) {
      continue;
    }
    bytes += SizeOf(*event);
    last_ = event->cursor();
    if (left_) {
      --*left_;
    }
    events.push_back(*std::move(event));
  }
  if (is_complete()) {
    stream_.reset();
  }
  return events;
}

}  // namespace stator::event_server
