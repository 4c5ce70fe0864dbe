#include "stator/stores/events/detail/event_shapes.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "value/plain_json.h"

namespace stator::events::detail {
namespace {

// Whether the way to JSON and back gives the same.
bool IsPlain(const AttributeValue& value) {
  if (const List* list = value.If<List>()) {
    return std::all_of(list->begin(), list->end(), IsPlain);
  }
  if (const Map* map = value.If<Map>()) {
    return std::all_of(map->begin(), map->end(),
                       [](const auto& entry) { return IsPlain(entry.second); });
  }
  switch (value.type()) {
    case AttributeValue::Type::kBinary:
    case AttributeValue::Type::kStringSet:
    case AttributeValue::Type::kNumberSet:
    case AttributeValue::Type::kBinarySet:
      return false;
    default:
      return true;
  }
}

// Takes the version out of the payload.
Result<std::uint64_t> TakeVersion(const Event& event, Item& payload) {
  const AttributeValue* value = payload.Find(kVersionName);
  if (value == nullptr) {
    return 1;
  }
  const Number* number = value->If<Number>();
  const Result<std::int64_t> version =
      number == nullptr ? Result<std::int64_t>(0) : number->ToInt64();
  if (!version || *version < 1) {
    return std::unexpected(
        AboutEvent(event, {.code = ErrorCode::kValidation, .message = "_version is no version"}));
  }
  payload.Erase(kVersionName);
  return static_cast<std::uint64_t>(*version);
}

}  // namespace

Result<std::string> ItemToJson(const Item& item) {
  const auto plain = [](const auto& entry) { return IsPlain(entry.second); };
  if (const auto bad = std::find_if_not(item.begin(), item.end(), plain); bad != item.end()) {
    return Invalid(bad->first + ": JSON has neither sets nor bytes; use a vector or text");
  }
  return value::ToPlainJson(item);
}

Result<Item> ItemFromJson(std::string_view text) {
  AttributeValue value = TRY(value::ValueFromPlainJson(text));
  Map* map = value.If<Map>();
  if (map == nullptr) {
    return Invalid("this is no JSON object");
  }
  return std::move(*map);
}

Error AboutEvent(const Event& event, Error error) {
  error.message = "event " + event.id + ", " + event.type + ": " + error.message;
  return error;
}

void EventShapes::Add(std::string_view type, std::uint16_t version) {
  shapes_[std::string(type)].version = version;
  names_[std::string(type)] = type;
}

void EventShapes::AddStep(std::string_view type, std::uint16_t from, UpcastStep step) {
  shapes_[std::string(type)].steps[from] = std::move(step);
}

void EventShapes::AddFormer(std::string_view type, std::string former) {
  names_[former] = type;
  shapes_[std::string(type)].former.push_back(std::move(former));
}

std::vector<std::string> EventShapes::TypesOf(std::string_view type) const {
  std::vector<std::string> types{std::string(type)};
  const std::vector<std::string>& former = shapes_.find(type)->second.former;
  types.insert(types.end(), former.begin(), former.end());
  return types;
}

std::string_view EventShapes::NameOf(std::string_view type) const {
  const auto name = names_.find(type);
  return name == names_.end() ? std::string_view() : std::string_view(name->second);
}

Result<std::string> EventShapes::Write(std::string_view type, Item payload) const {
  if (const std::uint16_t version = shapes_.find(type)->second.version; version > 1) {
    payload.Set(std::string(kVersionName), version);
  }
  Result<std::string> json = ItemToJson(payload);
  if (!json) {
    return Invalid(std::string(type) + "." + json.error().message);
  }
  return json;
}

Result<std::optional<ShapedPayload>> EventShapes::Read(const Event& event) const {
  const auto name = names_.find(event.type);
  if (name == names_.end()) {
    return std::nullopt;
  }
  if (event.erased) {
    return std::unexpected(
        AboutEvent(event, {.code = ErrorCode::kExpired, .message = "what it said was erased"}));
  }
  const Shape& shape = shapes_.find(name->second)->second;
  Result<Item> parsed = ItemFromJson(event.payload);
  if (!parsed) {
    return std::unexpected(AboutEvent(event, std::move(parsed).error()));
  }
  Item payload = *std::move(parsed);
  std::uint64_t version = TRY(TakeVersion(event, payload));
  if (version > shape.version) {
    return std::unexpected(
        AboutEvent(event, {.code = ErrorCode::kFutureVersion,
                           .message = "a newer program wrote version " + std::to_string(version) +
                                      "; this one knows " + std::to_string(shape.version)}));
  }
  for (; version < shape.version; ++version) {
    const auto step = shape.steps.find(static_cast<std::uint16_t>(version));
    if (step == shape.steps.end()) {
      return std::unexpected(AboutEvent(
          event, {.code = ErrorCode::kMissingMigration,
                  .message = "there is no step from version " + std::to_string(version)}));
    }
    if (Result<void> done = step->second(payload); !done) {
      return std::unexpected(AboutEvent(event, std::move(done).error()));
    }
  }
  return ShapedPayload{.type = name->second, .payload = std::move(payload)};
}

}  // namespace stator::events::detail
