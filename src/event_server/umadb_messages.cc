#include "event_server/umadb_messages.h"

#include <utility>

#include "base/lower_case.h"
#include "base/try.h"
#include "event_server/protobuf.h"

namespace stator::event_server {
namespace {

using events::Event;
using events::EventQuery;
using events::NewEvent;
using events::QueryItem;

// The store's own; it checks them again.
constexpr std::size_t kEventsMax = 10'000;
constexpr std::size_t kTagsMax = 1000;
constexpr std::size_t kQueryPartsMax = 100;

Result<void> AddText(const Field& field, std::size_t most, std::string_view what,
                     std::vector<std::string>& texts) {
  if (texts.size() == most) {
    return Invalid("there are more than " + std::to_string(most) + " " + std::string(what));
  }
  texts.push_back(TRY(field.Text()));
  return {};
}

Result<QueryItem> ParseQueryItem(const Field& message) {
  QueryItem item;
  MessageFields fields(TRY(message.Bytes()));
  while (const std::optional<Field> field = TRY(fields.Next())) {
    if (field->number == 1) {
      TRY_VOID(AddText(*field, kQueryPartsMax, "types in an item of a query", item.types));
    } else if (field->number == 2) {
      TRY_VOID(AddText(*field, kQueryPartsMax, "tags in an item of a query", item.tags));
    }
  }
  return item;
}

// A message that comes in several parts is all of them.
Result<void> AddToQuery(const Field& message, EventQuery& query) {
  MessageFields fields(TRY(message.Bytes()));
  while (const std::optional<Field> field = TRY(fields.Next())) {
    if (field->number != 1) {
      continue;
    }
    if (query.items.size() == kQueryPartsMax) {
      return Invalid("a query has at most 100 items");
    }
    query.items.push_back(TRY(ParseQueryItem(*field)));
  }
  return CheckQuery(query);
}

Result<NewEvent> ParseEvent(const Field& message) {
  NewEvent event{.type = {}};
  MessageFields fields(TRY(message.Bytes()));
  while (const std::optional<Field> field = TRY(fields.Next())) {
    switch (field->number) {
      case 1:
        event.type = TRY(field->Text());
        break;
      case 2:
        TRY_VOID(AddText(*field, kTagsMax, "tags of an event", event.tags));
        break;
      case 3:
        event.payload = TRY(field->Bytes());
        break;
      case 4:
        event.id = base::LowerCase(TRY(field->Text()));
        break;
      default:
        break;
    }
  }
  return event;
}

Result<void> AddToCondition(const Field& message, AppendRequest& append) {
  append.has_condition = true;
  MessageFields fields(TRY(message.Bytes()));
  while (const std::optional<Field> field = TRY(fields.Next())) {
    if (field->number == 1) {
      TRY_VOID(AddToQuery(*field, append.fail_if_match));
    } else if (field->number == 2) {
      append.after = TRY(field->Varint());
    }
  }
  return {};
}

// Version 8, of which those are that the store makes, and those of claims.
bool IsOfStore(std::string_view uuid) {
  constexpr std::size_t kVersionAt = 14;
  return uuid.size() > kVersionAt && uuid[kVersionAt] == '8';
}

std::string EventBytes(const Event& event) {
  std::string bytes;
  AppendBytesField(1, event.type, bytes);
  for (const std::string& tag : event.tags) {
    AppendBytesField(2, tag, bytes);
  }
  AppendBytesField(3, event.payload, bytes);
  if (!IsOfStore(event.id)) {
    AppendBytesField(4, event.id, bytes);
  }
  return bytes;
}

}  // namespace

Result<UmadbRead> ParseUmadbRead(std::string_view message) {
  UmadbRead request;
  MessageFields fields(message);
  while (const std::optional<Field> field = TRY(fields.Next())) {
    switch (field->number) {
      case 1:
        TRY_VOID(AddToQuery(*field, request.read.query));
        break;
      case 2:
        request.read.from = TRY(field->Varint());
        break;
      case 3:
        request.read.backwards = TRY(field->Flag());
        break;
      case 4:
        request.read.limit = TRY(field->Varint32());
        break;
      case 5:
        request.subscribe = TRY(field->Flag());
        break;
      case 6:
        request.batch_size = TRY(field->Varint32());
        break;
      default:
        break;
    }
  }
  if (request.subscribe && request.read.backwards) {
    return Invalid("a subscription goes forwards only");
  }
  return request;
}

Result<UmadbAppend> ParseUmadbAppend(std::string_view message) {
  UmadbAppend request;
  MessageFields fields(message);
  while (const std::optional<Field> field = TRY(fields.Next())) {
    switch (field->number) {
      case 1:
        if (request.append.events.size() == kEventsMax) {
          return Invalid("an append has at most 10000 events");
        }
        request.append.events.push_back(TRY(ParseEvent(*field)));
        break;
      case 2:
        TRY_VOID(AddToCondition(*field, request.append));
        break;
      case 3:
        request.has_tracking = true;
        break;
      default:
        break;
    }
  }
  if (request.append.events.empty()) {
    return Invalid("an append has at least one event");
  }
  return request;
}

Result<std::string> ParseHealthCheck(std::string_view message) {
  std::string service;
  MessageFields fields(message);
  while (const std::optional<Field> field = TRY(fields.Next())) {
    if (field->number == 1) {
      service = TRY(field->Text());
    }
  }
  return service;
}

std::string MakeReadResponse(const std::vector<Event>& events, std::optional<std::uint64_t> head) {
  std::string response;
  std::string sequenced;
  for (const Event& event : events) {
    sequenced.clear();
    AppendVarintField(1, event.position, sequenced);
    AppendBytesField(2, EventBytes(event), sequenced);
    AppendBytesField(1, sequenced, response);
  }
  if (head) {
    AppendVarintField(2, *head, response);
  }
  return response;
}

std::string MakeAppendResponse(std::uint64_t position) {
  std::string response;
  AppendVarintField(1, position, response);
  return response;
}

std::string MakeHeadResponse(std::uint64_t position) {
  return position == 0 ? std::string() : MakeAppendResponse(position);
}

std::string MakeHealthResponse() {
  constexpr std::uint64_t kServing = 1;
  std::string response;
  AppendVarintField(1, kServing, response);
  return response;
}

grpc::Status MakeUmadbStatus(grpc::StatusCode code, UmadbError type, std::string_view message) {
  grpc::Status status{code, grpc::ShortMessage(message)};
  AppendBytesField(1, status.message, status.details);
  AppendVarintField(2, static_cast<std::uint64_t>(type), status.details);
  return status;
}

grpc::Status StatusOf(const Error& error) {
  using grpc::StatusCode;
  switch (error.code) {
    case ErrorCode::kSerialization:
      return MakeUmadbStatus(StatusCode::kInvalidArgument, UmadbError::kSerialization,
                             error.message);
    case ErrorCode::kValidation:
    case ErrorCode::kIdempotentParameterMismatch:
      return MakeUmadbStatus(StatusCode::kInvalidArgument, UmadbError::kInvalidArgument,
                             error.message);
    case ErrorCode::kTooLarge:
      return MakeUmadbStatus(StatusCode::kResourceExhausted, UmadbError::kInvalidArgument,
                             error.message);
    case ErrorCode::kCorruption:
      return MakeUmadbStatus(StatusCode::kDataLoss, UmadbError::kCorruption, error.message);
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimeout:
      return MakeUmadbStatus(StatusCode::kUnavailable, UmadbError::kIo, error.message);
    // It may have happened; who takes 14 for "did not" would append twice.
    case ErrorCode::kAmbiguous:
      return MakeUmadbStatus(StatusCode::kUnknown, UmadbError::kIo, error.message);
    case ErrorCode::kIo:
      return MakeUmadbStatus(StatusCode::kInternal, UmadbError::kIo, error.message);
    default:
      break;
  }
  return IsThrottled(error.code)
             ? MakeUmadbStatus(StatusCode::kUnavailable, UmadbError::kIo, error.message)
             : MakeUmadbStatus(StatusCode::kInternal, UmadbError::kInternal, error.message);
}

}  // namespace stator::event_server
