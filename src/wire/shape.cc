#include "wire/shape.h"

#include "value/placeholders.h"

namespace stator::wire {

void MemberReader::Placeholders(std::string_view name, std::optional<Map>& field) {
  if (!Matches(name)) {
    return;
  }
  JsonObject entries;
  if (json_.get(entries) != simdjson::SUCCESS) {
    (void)MapFrom(json_, false, Codec<Map>::JavaType(), decoding_);
    return;
  }
  Result<Map> values = value::PlaceholdersFromJson(json_, decoding_.words());
  if (values) {
    field = *std::move(values);
    return;
  }
  const MemberPath path = MemberPath::Member(path_, name);
  if (values.error().code == ErrorCode::kSerialization) {
    decoding_.Refuse(path, std::move(values).error());
    return;
  }
  // The keys are needed, because the service looks at them first; so is what it says of each value.
  field.emplace();
  for (const auto [key, element] : entries) {
    if (element.is_null()) {
      field->Set(std::string(key), AttributeValue());
      continue;
    }
    Result<AttributeValue> single = value::PlaceholderFromJson(element, decoding_.words());
    if (!single && decoding_.words() == value::Words::kOlder) {
      single.error().message =
          "ExpressionAttributeValues contains invalid value: " + single.error().message +
          " for key " + std::string(key);
    }
    if (!single) {
      decoding_.RefuseValue(path, element, single.error());
    }
    field->Set(std::string(key), single ? *std::move(single) : AttributeValue());
  }
  decoding_.Refuse(path, std::move(values).error());
}

void MemberReader::Unsupported(std::string_view name) {
  if (Matches(name)) {
    decoding_.Refuse(MemberPath::Member(path_, name),
                     {.code = ErrorCode::kValidation,
                      .message = "One or more parameter values were invalid: " + std::string(name) +
                                 " is not supported by Stator"});
  }
}

}  // namespace stator::wire
