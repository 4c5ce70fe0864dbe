#include "wire/http_message.h"

#include <algorithm>

namespace stator::wire {

bool EqualIgnoringCase(std::string_view text, std::string_view lower_case) {
  // Nearly always it is in lower case already.
  return text.size() == lower_case.size() &&
         (text == lower_case || std::ranges::equal(text, lower_case, {}, base::LowerCaseOf));
}

std::string_view FindField(const HttpMessage& message, std::string_view lower_case_name) {
  // Most names are told by their length.
  const auto found = std::ranges::find_if(message.fields, [&](const HttpField& field) {
    return field.name.size() == lower_case_name.size() &&
           EqualIgnoringCase(field.name, lower_case_name);
  });
  return found == message.fields.end() ? std::string_view() : found->value;
}

}  // namespace stator::wire
