#include "stator/stores/entities/detail/key_maker.h"

#include <utility>

#include "base/try.h"

namespace stator::entities::detail {

namespace {

Result<std::string> TextOf(const AttributeValue& value, const std::string& field,
                           std::size_t digits) {
  if (const auto* text = value.If<std::string>()) {
    return *text;
  }
  const auto* number = value.If<Number>();
  if (number == nullptr) {
    return Invalid("field " + field + " of a key is neither text nor number");
  }
  std::string text = number->ToString();
  if (digits == 0) {
    return text;
  }
  if (text.size() > digits || text.find_first_not_of("0123456789") != std::string::npos) {
    return Invalid("field " + field + " of a key is no number of at most " +
                   std::to_string(digits) + " digits");
  }
  text.insert(0, digits - text.size(), '0');
  return text;
}

}  // namespace

AttributeMaker::AttributeMaker(const KeyDescription& key)
    : attribute_(key.attribute), is_field_(key.is_field), alone_(!FieldAlone(key.text).empty()) {
  for (std::string_view text = key.text; !text.empty();) {
    TemplatePart part;
    if (!TakePart(text, part)) {
      break;
    }
    if (!part.field.empty() || parts_.empty()) {
      parts_.push_back({.text = std::string(part.text),
                        .field = std::string(part.field),
                        .digits = part.digits});
    } else {
      parts_.back().text = part.text;
    }
  }
  if (!parts_.empty()) {
    parts_.back().last = true;
  }
}

Result<std::optional<AttributeValue>> AttributeMaker::Make(const Item& fields) const {
  if (alone_) {
    const AttributeValue* value = fields.Find(parts_.front().field);
    return value == nullptr ? std::nullopt : std::optional(*value);
  }
  std::string text;
  for (const Part& part : parts_) {
    if (!part.field.empty()) {
      const AttributeValue* value = fields.Find(part.field);
      if (value == nullptr) {
        return std::nullopt;
      }
      const std::size_t begin = text.size();
      text += TRY(TextOf(*value, part.field, part.digits));
      const std::size_t end = text.size();
      text += part.text;
      // The first place where the text behind the field occurs has to be behind the field, or
      // other fields would make the same key.
      if (!part.last && text.find(part.text, begin) != end) {
        return Invalid("field " + part.field + " of a key holds \"" + part.text +
                       "\", which ends it");
      }
    } else {
      text += part.text;
    }
  }
  return AttributeValue(std::move(text));
}

KeyMaker::KeyMaker(const KeyDescription& partition_key,
                   const std::optional<KeyDescription>& sort_key) {
  makers_.emplace_back(partition_key);
  if (sort_key) {
    makers_.emplace_back(*sort_key);
  }
}

Result<Item> KeyMaker::Make(const Item& fields) const {
  Item key;
  for (const AttributeMaker& maker : makers_) {
    std::optional<AttributeValue> value = TRY(maker.Make(fields));
    if (!value) {
      return Invalid("a field that key attribute " + maker.attribute() + " is made of is missing");
    }
    key.Set(maker.attribute(), *std::move(value));
  }
  return key;
}

}  // namespace stator::entities::detail
