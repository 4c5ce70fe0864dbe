// The parts of an HTTP request that its signature covers, as they stand on the wire. Views into
// whoever holds the text: the server's read buffer, the client's request.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/lower_case.h"

namespace stator::wire {

struct HttpField {
  std::string_view name;  // in any letter case
  std::string_view value;
};

struct HttpMessage {
  std::string_view method;
  std::string_view path;   // of the request line, up to the question mark
  std::string_view query;  // behind the question mark
  std::span<const HttpField> fields;
};

// Letter case as HTTP means it: of ASCII letters only.
using base::LowerCase;
bool EqualIgnoringCase(std::string_view text, std::string_view lower_case);

// The value of the first field of that name; empty when there is none.
std::string_view FindField(const HttpMessage& message, std::string_view lower_case_name);

}  // namespace stator::wire
