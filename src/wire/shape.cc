#include "wire/shape.h"

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
  Result<Map> values = value::MapFromJson(json_);
  if (values) {
    field = *std::move(values);
    return;
  }
  field.emplace();
  if (values.error().code == ErrorCode::kSerialization) {
    decoding_.Refuse(std::move(values).error());
    return;
  }
  // The service says which of them is wrong; look for it.
  for (const auto [key, element] : entries) {
    if (key.empty()) {
      decoding_.RefusePlaceholder(
          {.code = ErrorCode::kValidation,
           .message = "ExpressionAttributeValues contains invalid key: The expression attribute "
                      "map contains an empty key;"});
      return;
    }
    if (element.is_null()) {
      continue;
    }
    if (const Result<AttributeValue> single = value::AttributeValueFromJson(element); !single) {
      decoding_.RefusePlaceholder(Error{
          .code = ErrorCode::kValidation,
          .message = "ExpressionAttributeValues contains invalid value: " + single.error().message +
                     " for key " + std::string(key)});
      return;
    }
  }
  decoding_.RefusePlaceholder(std::move(values).error());
}

void MemberReader::Unsupported(std::string_view name) {
  if (Matches(name)) {
    decoding_.Refuse({.code = ErrorCode::kValidation,
                      .message = "One or more parameter values were invalid: " + std::string(name) +
                                 " is not supported by Stator"});
  }
}

}  // namespace stator::wire
