#include "stores/events/item_fields.h"

namespace stator::events {
namespace {

std::unexpected<Error> Broken(std::string_view name) {
  return Fail(ErrorCode::kCorruption,
              "an item of the event store has no usable attribute " + std::string(name));
}

}  // namespace

Result<std::string> TextField(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  const std::string* text = value == nullptr ? nullptr : value->If<std::string>();
  if (text == nullptr) {
    return Broken(name);
  }
  return *text;
}

Result<SortableId> IdField(const Item& item, std::string_view name) {
  const Result<std::string> text = TextField(item, name);
  const Result<SortableId> id = text ? SortableId::Parse(*text) : std::unexpected(text.error());
  if (!id) {
    return Broken(name);
  }
  return *id;
}

Result<std::uint64_t> CountField(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  const Number* number = value == nullptr ? nullptr : value->If<Number>();
  const Result<std::int64_t> count =
      number == nullptr ? Result<std::int64_t>(Broken(name)) : number->ToInt64();
  if (!count || *count < 0) {
    return Broken(name);
  }
  return static_cast<std::uint64_t>(*count);
}

std::string TextOr(const Item& item, std::string_view name) {
  return TextField(item, name).value_or("");
}

std::uint64_t CountOr(const Item& item, std::string_view name) {
  return CountField(item, name).value_or(0);
}

bool FlagOr(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  const bool* flag = value == nullptr ? nullptr : value->If<bool>();
  return flag != nullptr && *flag;
}

}  // namespace stator::events
