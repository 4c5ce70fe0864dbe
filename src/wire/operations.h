// How the server runs each operation, found by the value of the X-Amz-Target header.

#pragma once

#include <simdjson.h>
#include <span>
#include <string_view>

#include "api/operations.h"
#include "stator/api/database.h"
#include "wire/exchange.h"

namespace stator::wire {

struct Operation : api::Operation {
  // Decodes the body, asks for permission, calls the database and answers. The document is used
  // before it returns, and before anything else can be parsed on this thread.
  void (*run)(Database& database, const Caller& caller, simdjson::dom::object body,
              Handler::Done done);
};

std::span<const Operation> AllOperations();

// Null when there is none for that target.
const Operation* FindOperation(std::string_view target);

}  // namespace stator::wire
