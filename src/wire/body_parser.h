// The JSON parser of a thread. Parsers keep their memory from one request to the next, which is
// most of what makes them fast.

#pragma once

#include <simdjson.h>
#include <string_view>

#include "stator/base/result.h"

namespace stator::wire {

// Parses `body`, behind which kBodyPaddingBytes (wire/exchange.h) can be read, and gives its root
// to `use` before anything else is parsed on this thread. Fails with kSerialization, without a
// message as the service does it, when `body` is not JSON.
class BodyParser {
 public:
  // The one of this thread.
  static BodyParser& OfThisThread();

  Result<simdjson::dom::element> Parse(std::string_view body);

  // To be called when the document is used up: gives memory back that an unusually large body took.
  void Finish();

 private:
  simdjson::dom::parser parser_;
};

}  // namespace stator::wire
