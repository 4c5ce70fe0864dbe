// All operations that the server knows, by the value of the X-Amz-Target header.

#pragma once

#include <simdjson.h>
#include <span>
#include <string_view>

#include "stator/api/database.h"
#include "wire/exchange.h"

namespace stator::wire {

struct Operation {
  std::string_view name;    // "PutItem"
  std::string_view target;  // "DynamoDB_20120810.PutItem"

  // Decodes the body, asks for permission, calls the database and answers. The document is used
  // before it returns, and before anything else can be parsed on this thread.
  void (*run)(const Operation& operation, Database& database, const Caller& caller,
              simdjson::dom::object body, Handler::Done done);
};

std::span<const Operation> AllOperations();

// Null when there is none for that target.
const Operation* FindOperation(std::string_view target);

}  // namespace stator::wire
