#include "wire/http_message.h"

#include <algorithm>

namespace stator::wire {
namespace {

char LowerCaseOf(char character) {
  return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a')
                                              : character;
}

}  // namespace

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), LowerCaseOf);
  return lower;
}

bool EqualIgnoringCase(std::string_view text, std::string_view lower_case) {
  return std::ranges::equal(text, lower_case, {}, LowerCaseOf);
}

std::string_view FindField(const HttpMessage& message, std::string_view lower_case_name) {
  const auto found = std::ranges::find_if(message.fields, [&](const HttpField& field) {
    return EqualIgnoringCase(field.name, lower_case_name);
  });
  return found == message.fields.end() ? std::string_view() : found->value;
}

}  // namespace stator::wire
