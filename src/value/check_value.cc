#include "value/check_value.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <simdjson.h>

#include "value/placeholders.h"
#include "value/refusals.h"

namespace stator::value {
namespace {

constexpr std::uint64_t kNotAscii = 0x8080808080808080;

std::uint64_t WordAt(const char* text) {
  std::uint64_t word = 0;
  std::memcpy(&word, text, sizeof(word));
  return word;
}

// Names, and most values: simdjson has one loop for all lengths, in which a short text is a copy
// of 64 bytes.
bool IsShortAscii(std::string_view text) {
  constexpr std::size_t kShort = 64;
  if (text.size() > kShort) {
    return false;
  }
  std::uint64_t bits = 0;
  if (text.size() < sizeof(bits)) {
    for (const char character : text) {
      bits |= static_cast<unsigned char>(character);
    }
    return (bits & kNotAscii) == 0;
  }
  // The last word may overlap the one before it.
  for (std::size_t at = 0; at + sizeof(bits) < text.size(); at += sizeof(bits)) {
    bits |= WordAt(text.data() + at);
  }
  return ((bits | WordAt(text.data() + text.size() - sizeof(bits))) & kNotAscii) == 0;
}

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
  if (!name.empty() && IsShortAscii(name)) {
    return std::nullopt;
  }
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
    const auto* text = value.If<std::string>();  // what most values are
    if ((text != nullptr && IsUtf8(*text)) || value.Is<Number>()) {
      continue;
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
  return IsShortAscii(text) || simdjson::validate_utf8(text.data(), text.size());
}

Result<void> CheckValue(const AttributeValue& value) {
  return ToResult(value.Visit(Check{}));
}

Result<void> CheckItem(const Item& item) {
  if (item.stored() != nullptr) {
    return {};
  }
  return ToResult(CheckEntries(item, kLevelOfAttributes));
}

Result<void> CheckPlaceholder(const AttributeValue& value, Words words) {
  return ToResult(value.Visit(Check{LevelOfPlaceholders(words)}));
}

}  // namespace stator::value
