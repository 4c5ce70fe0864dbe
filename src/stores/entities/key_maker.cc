#include "stator/stores/entities/detail/key_maker.h"

#include <algorithm>
#include <utility>

#include "base/try.h"

namespace stator::entities::detail {

namespace {

Result<void> AppendText(const AttributeValue& value, const std::string& field, std::size_t digits,
                        std::string& out) {
  if (const auto* text = value.If<std::string>()) {
    out += *text;
    return {};
  }
  const auto* number = value.If<Number>();
  if (number == nullptr) {
    return Invalid("field " + field + " of a key is neither text nor number");
  }
  const std::string text = number->ToString();
  if (digits > 0) {
    if (text.size() > digits || text.find_first_not_of("0123456789") != std::string::npos) {
      return Invalid("field " + field + " of a key is no number of at most " +
                     std::to_string(digits) + " digits");
    }
    out.append(digits - text.size(), '0');
  }
  out += text;
  return {};
}

bool HasType(const AttributeValue& value, ScalarAttributeType type) {
  switch (type) {
    case ScalarAttributeType::kString:
      return value.Is<std::string>();
    case ScalarAttributeType::kNumber:
      return value.Is<Number>();
    case ScalarAttributeType::kBinary:
      return value.Is<Binary>();
  }
  return false;
}

bool FitsField(std::string_view text, std::size_t digits) {
  return digits == 0 ||
         (text.size() == digits && text.find_first_not_of("0123456789") == std::string_view::npos);
}

const AttributeValue* FindIn(const Item& fields, std::string_view name) {
  return fields.Find(name);
}

const AttributeValue* FindIn(std::span<const NamedField> fields, std::string_view name) {
  for (const NamedField& field : fields) {
    if (field.name == name) {
      return &field.value;
    }
  }
  return nullptr;
}

}  // namespace

AttributeMaker::AttributeMaker(const KeyDescription& key)
    : attribute_(key.attribute), type_(key.type), alone_(!FieldAlone(key.text).empty()) {
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

std::string_view AttributeMaker::lead() const {
  return !parts_.empty() && parts_.front().field.empty() ? std::string_view(parts_.front().text)
                                                         : std::string_view();
}

Result<AttributeMaker::Beginning> AttributeMaker::Begin(std::span<const NamedField> fields,
                                                        bool open) const {
  if (alone_) {
    return fields.empty() ? Beginning{} : Beginning{.value = fields.front().value, .whole = !open};
  }
  std::string text;
  std::size_t left = fields.size();
  bool whole = true;
  for (const Part& part : parts_) {
    const AttributeValue* value = part.field.empty() ? nullptr : FindIn(fields, part.field);
    if (!part.field.empty() && value == nullptr) {
      whole = false;
      break;
    }
    const std::size_t begin = text.size();
    if (value != nullptr) {
      TRY_VOID(AppendText(*value, part.field, part.digits, text));
      --left;
    }
    if (value != nullptr && left == 0 && open) {
      if (!value->Is<std::string>()) {
        return Invalid("field " + part.field + " is no text, so it has no beginning");
      }
      whole = false;
      break;
    }
    const std::size_t end = text.size();
    text += part.text;
    TRY_VOID(CheckEnd(part, text, begin, end));
  }
  return Beginning{.value = std::move(text), .whole = whole};
}

// The first place where the text behind a field occurs has to be behind the field, or other fields
// would make the same key.
Result<void> AttributeMaker::CheckEnd(const Part& part, std::string_view text, std::size_t begin,
                                      std::size_t end) {
  if (!part.field.empty() && !part.text.empty() && !part.last &&
      text.find(part.text, begin) != end) {
    return Invalid("field " + part.field + " of a key holds \"" + part.text + "\", which ends it");
  }
  return {};
}

template <class Fields>
Result<bool> AttributeMaker::MakeInto(const Fields& fields, AttributeValue& made) const {
  if (alone_) {
    const AttributeValue* value = FindIn(fields, parts_.front().field);
    if (value != nullptr) {
      made = *value;
    }
    return value != nullptr;
  }
  std::string text;
  for (const Part& part : parts_) {
    if (!part.field.empty()) {
      const AttributeValue* value = FindIn(fields, part.field);
      if (value == nullptr) {
        return false;
      }
      const std::size_t begin = text.size();
      TRY_VOID(AppendText(*value, part.field, part.digits, text));
      if (part.text.empty()) {
        continue;
      }
      const std::size_t end = text.size();
      text += part.text;
      TRY_VOID(CheckEnd(part, text, begin, end));
    } else {
      text += part.text;
    }
  }
  made = std::move(text);
  return true;
}

template <class Fields>
Result<std::optional<AttributeValue>> AttributeMaker::MakeOf(const Fields& fields) const {
  AttributeValue made;
  const bool complete = TRY(MakeInto(fields, made));
  return complete ? std::optional(std::move(made)) : std::nullopt;
}

Result<std::optional<AttributeValue>> AttributeMaker::Make(const Item& fields) const {
  return MakeOf(fields);
}
Result<std::optional<AttributeValue>> AttributeMaker::Make(
    std::span<const NamedField> fields) const {
  return MakeOf(fields);
}

bool AttributeMaker::Matches(const AttributeValue& value) const {
  if (alone_) {
    return HasType(value, type_);
  }
  const auto* const text = value.If<std::string>();
  if (text == nullptr) {
    return false;
  }
  std::string_view rest = *text;
  for (const Part& part : parts_) {
    if (part.field.empty()) {
      if (!rest.starts_with(part.text)) {
        return false;
      }
      rest.remove_prefix(part.text.size());
      continue;
    }
    // A field ends where the text behind it begins for the first time; the last one as late as it
    // can.
    if (part.last && !rest.ends_with(part.text)) {
      return false;
    }
    const std::size_t end = part.last ? rest.size() - part.text.size() : rest.find(part.text);
    if (end == std::string_view::npos || !FitsField(rest.substr(0, end), part.digits)) {
      return false;
    }
    rest.remove_prefix(end + part.text.size());
  }
  return rest.empty();
}

KeyMaker::KeyMaker(const KeyDescription& partition_key,
                   const std::optional<KeyDescription>& sort_key) {
  makers_.emplace_back(partition_key);
  if (sort_key) {
    makers_.emplace_back(*sort_key);
  }
}

template <class Fields>
Result<Item> KeyMaker::MakeOf(const Fields& fields) const {
  Result<Item> key(std::in_place);
  key->reserve(makers_.size());
  for (const AttributeMaker& maker : makers_) {
    Result<bool> made = maker.MakeInto(fields, (*key)[maker.attribute()]);
    if (made && !*made) {
      made = Invalid("a field that key attribute " + maker.attribute() + " is made of is missing");
    }
    if (!made) {
      key = std::unexpected(std::move(made).error());
      break;
    }
  }
  return key;
}

bool KeyMaker::Matches(const Item& item) const {
  return std::all_of(makers_.begin(), makers_.end(), [&](const AttributeMaker& maker) {
    const AttributeValue* const value = item.Find(maker.attribute());
    return value != nullptr && maker.Matches(*value);
  });
}

Result<Item> KeyMaker::Make(const Item& fields) const {
  return MakeOf(fields);
}
Result<Item> KeyMaker::Make(std::span<const NamedField> fields) const {
  return MakeOf(fields);
}

}  // namespace stator::entities::detail
