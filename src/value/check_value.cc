#include "value/check_value.h"

#include <optional>
#include <simdjson.h>

#include "value/placeholders.h"
#include "value/refusals.h"

namespace stator::value {
namespace {

// Why not, or nothing.
using Objection = std::optional<Error>;

Objection CheckText(std::string_view text) {
  if (!IsUtf8(text)) {
    return Refusal("One or more parameter values were invalid: Text must be valid UTF-8");
  }
  return std::nullopt;
}

Objection CheckEntries(const Map& map, std::size_t level);

struct Check {
  std::size_t level = kLevelOfAttributes;

  Objection operator()(Null) const { return std::nullopt; }
  Objection operator()(bool) const { return std::nullopt; }
  Objection operator()(const std::string& text) const { return CheckText(text); }
  Objection operator()(const Number& /*number*/) const { return std::nullopt; }
  Objection operator()(const Binary& /*binary*/) const { return std::nullopt; }

  template <class Member>
  Objection operator()(const AttributeSet<Member>& set) const {
    if (set.empty()) {
      return EmptySet(set);
    }
    for (const Member& member : set) {
      if (Objection objection = (*this)(member)) {
        return objection;
      }
    }
    return std::nullopt;
  }

  Objection operator()(const List& list) const {
    if (!MayHoldEntries(level)) {
      return TooDeep();
    }
    for (const AttributeValue& value : list) {
      if (Objection objection = value.Visit(Check{level + 1})) {
        return objection;
      }
    }
    return std::nullopt;
  }

  Objection operator()(const Map& map) const {
    if (!MayHoldEntries(level)) {
      return TooDeep();
    }
    return CheckEntries(map, level + 1);
  }
};

Objection CheckName(std::string_view name) {
  if (name.empty()) {
    return EmptyName();
  }
  if (name.size() > limits::kAttributeNameBytesMax) {
    return NameTooLong();
  }
  return CheckText(name);
}

Objection CheckEntries(const Map& map, std::size_t level) {
  for (const auto& [name, value] : map) {
    if (Objection objection = CheckName(name)) {
      return objection;
    }
    if (Objection objection = value.Visit(Check{level})) {
      return objection;
    }
  }
  return std::nullopt;
}

Result<void> ToResult(Objection objection) {
  if (objection) {
    return std::unexpected(*std::move(objection));
  }
  return {};
}

}  // namespace

bool IsUtf8(std::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size());
}

Result<void> CheckValue(const AttributeValue& value) {
  return ToResult(value.Visit(Check{}));
}

Result<void> CheckItem(const Item& item) {
  return ToResult(CheckEntries(item, kLevelOfAttributes));
}

Result<void> CheckPlaceholder(const AttributeValue& value, Words words) {
  return ToResult(value.Visit(Check{LevelOfPlaceholders(words)}));
}

}  // namespace stator::value
