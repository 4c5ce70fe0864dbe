#include "event_server/messages.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/base64.h"
#include "base/try.h"
#include "stator/value/attribute_value.h"
#include "value/check_value.h"
#include "value/plain_json.h"
#include "wire/uri_text.h"

namespace stator::event_server {
namespace {

using events::EventQuery;
using events::NewEvent;
using events::QueryItem;

Result<AttributeValue> Parse(std::string_view text, std::string_view what) {
  Result<AttributeValue> value = value::ValueFromPlainJson(text);
  if (!value) {
    return Invalid(std::string(what) + " is no JSON: " + value.error().message);
  }
  return value;
}

// The object that a value is, with no other members than these.
Result<const Map*> ObjectOf(const AttributeValue& value, std::string_view what,
                            std::initializer_list<std::string_view> names) {
  const Map* map = value.If<Map>();
  if (map == nullptr) {
    return Invalid(std::string(what) + " is no object");
  }
  for (const auto& [name, member] : *map) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return Invalid(std::string(what) + " has an unknown member " + name);
    }
  }
  return map;
}

// Null for a member that is not there, or null.
const AttributeValue* FindMember(const Map& map, std::string_view name) {
  const AttributeValue* member = map.Find(name);
  return member == nullptr || member->type() == AttributeValue::Type::kNull ? nullptr : member;
}

Result<std::string> TextMember(const Map& map, std::string_view name) {
  const AttributeValue* member = FindMember(map, name);
  if (member == nullptr) {
    return std::string();
  }
  const auto* text = member->If<std::string>();
  if (text == nullptr) {
    return Invalid(std::string(name) + " is no text" +
                   (name == "data" ? "; send JSON as text, too" : ""));
  }
  return *text;
}

Result<std::vector<std::string>> TextsMember(const Map& map, std::string_view name) {
  std::vector<std::string> texts;
  const AttributeValue* member = FindMember(map, name);
  if (member == nullptr) {
    return texts;
  }
  const List* list = member->If<List>();
  if (list == nullptr) {
    return Invalid(std::string(name) + " is no array of texts");
  }
  for (const AttributeValue& value : *list) {
    const auto* text = value.If<std::string>();
    if (text == nullptr) {
      return Invalid(std::string(name) + " is no array of texts");
    }
    texts.push_back(*text);
  }
  return texts;
}

Result<std::optional<std::uint64_t>> CountMember(const Map& map, std::string_view name) {
  const AttributeValue* member = FindMember(map, name);
  if (member == nullptr) {
    return std::nullopt;
  }
  const Number* number = member->If<Number>();
  const Result<std::int64_t> count =
      number == nullptr ? Result<std::int64_t>(-1) : number->ToInt64();
  if (!count || *count < 0) {
    return Invalid(std::string(name) + " is no whole number from 0 on");
  }
  return static_cast<std::uint64_t>(*count);
}

Result<EventQuery> QueryOf(const AttributeValue* value, std::string_view what) {
  EventQuery query;
  if (value == nullptr) {
    return query;
  }
  const Map* map = TRY(ObjectOf(*value, what, {"items"}));
  const AttributeValue* items = FindMember(*map, "items");
  const List* list = items == nullptr ? nullptr : items->If<List>();
  if (items != nullptr && list == nullptr) {
    return Invalid(std::string(what) + ".items is no array");
  }
  for (const AttributeValue& item : list == nullptr ? List() : *list) {
    const Map* parts = TRY(ObjectOf(item, "an item of " + std::string(what), {"types", "tags"}));
    QueryItem& wanted = query.items.emplace_back();
    wanted.types = TRY(TextsMember(*parts, "types"));
    wanted.tags = TRY(TextsMember(*parts, "tags"));
  }
  TRY_VOID(CheckQuery(query));
  return query;
}

Result<ReadRequest> ReadOf(const AttributeValue* query, const AttributeValue* options) {
  ReadRequest request{.query = TRY(QueryOf(query, "query"))};
  if (options == nullptr) {
    return request;
  }
  const Map* map = TRY(ObjectOf(*options, "options", {"from", "backwards", "limit"}));
  request.from = TRY(CountMember(*map, "from"));
  request.limit = TRY(CountMember(*map, "limit"));
  if (const AttributeValue* backwards = FindMember(*map, "backwards")) {
    const bool* flag = backwards->If<bool>();
    if (flag == nullptr) {
      return Invalid("backwards is neither true nor false");
    }
    request.backwards = *flag;
  }
  return request;
}

Result<NewEvent> EventOf(const AttributeValue& value) {
  const Map* map = TRY(
      ObjectOf(value, "an event", {"type", "data", "dataBase64", "tags", "metadata", "subject"}));
  NewEvent event{.type = TRY(TextMember(*map, "type"))};
  event.payload = TRY(TextMember(*map, "data"));
  if (const std::string encoded = TRY(TextMember(*map, "dataBase64")); !encoded.empty()) {
    std::optional<std::string> bytes = base::DecodeBase64(encoded);
    if (!bytes || !event.payload.empty()) {
      return Invalid(bytes ? "an event has data or dataBase64" : "dataBase64 is not base64");
    }
    event.payload = *std::move(bytes);
  }
  event.tags = TRY(TextsMember(*map, "tags"));
  event.subject = TRY(TextMember(*map, "subject"));
  if (const AttributeValue* metadata = FindMember(*map, "metadata")) {
    const Map* parts =
        TRY(ObjectOf(*metadata, "metadata", {"causationId", "correlationId", "executedUser"}));
    event.metadata.causation_id = TRY(TextMember(*parts, "causationId"));
    event.metadata.correlation_id = TRY(TextMember(*parts, "correlationId"));
    event.metadata.executed_user = TRY(TextMember(*parts, "executedUser"));
  }
  return event;
}

std::string DecodeParameter(std::string_view text) {
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), '+', ' ');
  return wire::PercentDecoded(plain);
}

}  // namespace

Result<ReadRequest> ParseReadAddress(std::string_view query) {
  std::optional<AttributeValue> what;
  std::optional<AttributeValue> options;
  while (!query.empty()) {
    const std::string_view parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), parameter.size() + 1));
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string_view name = parameter.substr(0, equals);
    const std::string text =
        DecodeParameter(parameter.substr(std::min(equals + 1, parameter.size())));
    if (name == "query" && !what) {
      what = TRY(Parse(text, name));
    } else if (name == "options" && !options) {
      options = TRY(Parse(text, name));
    } else {
      return Invalid("the parameters are query and options, each once; there is " +
                     DecodeParameter(name));
    }
  }
  return ReadOf(what ? &*what : nullptr, options ? &*options : nullptr);
}

Result<ReadRequest> ParseReadBody(std::string_view body) {
  const AttributeValue value = TRY(Parse(body, "the body"));
  const Map* map = TRY(ObjectOf(value, "the body", {"query", "options"}));
  return ReadOf(FindMember(*map, "query"), FindMember(*map, "options"));
}

Result<AppendRequest> ParseAppendBody(std::string_view body) {
  const AttributeValue value = TRY(Parse(body, "the body"));
  const Map* map = TRY(ObjectOf(value, "the body", {"events", "condition", "appendId"}));
  AppendRequest request{.append_id = TRY(TextMember(*map, "appendId"))};
  const AttributeValue* events = FindMember(*map, "events");
  if (events != nullptr && events->If<List>() != nullptr) {
    for (const AttributeValue& event : *events->If<List>()) {
      request.events.push_back(TRY(EventOf(event)));
    }
  } else if (events != nullptr) {
    request.events.push_back(TRY(EventOf(*events)));
  }
  if (request.events.empty()) {
    return Invalid("events are missing: an event, or an array of them");
  }
  if (const AttributeValue* condition = FindMember(*map, "condition")) {
    const Map* parts = TRY(ObjectOf(*condition, "condition", {"failIfEventsMatch", "after"}));
    const AttributeValue* query = FindMember(*parts, "failIfEventsMatch");
    if (query == nullptr) {
      return Invalid("condition has no failIfEventsMatch");
    }
    request.has_condition = true;
    request.fail_if_match = TRY(QueryOf(query, "failIfEventsMatch"));
    request.after = TRY(CountMember(*parts, "after"));
  }
  return request;
}

void AppendEventJson(const events::Event& event, std::string& out) {
  List tags(event.tags.begin(), event.tags.end());
  Item item{{"id", event.id},
            {"position", event.position},
            {"recordedAt", event.recorded_at},
            {"tags", std::move(tags)},
            {"type", event.type}};
  if (value::IsUtf8(event.payload)) {
    item.Set("data", event.payload);
  } else {
    item.Set("dataBase64", base::EncodeBase64(event.payload));
  }
  if (event.metadata != events::EventMetadata()) {
    item.Set("metadata", Map{{"causationId", event.metadata.causation_id},
                             {"correlationId", event.metadata.correlation_id},
                             {"executedUser", event.metadata.executed_user}});
  }
  if (!event.subject.empty()) {
    item.Set("subject", event.subject);
  }
  if (event.erased) {
    item.Set("erased", true);
  }
  out += value::ToPlainJson(item);
}

}  // namespace stator::event_server
