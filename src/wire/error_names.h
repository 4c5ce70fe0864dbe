// What each ErrorCode is called on the wire: the type with its prefix, the HTTP status and the
// spelling of the message's key. AWS's front end and DynamoDB proper differ in all three.

#pragma once

#include <string>
#include <string_view>

#include "api/operations.h"
#include "stator/base/result.h"
#include "wire/exchange.h"

namespace stator::wire {

// The type of an error is its prefix and its name: "com.amazon.coral.validate#ValidationException".
struct ErrorName {
  std::string_view prefix;
  std::string_view name;
  int status = 400;
  std::string_view message_key = "message";
};

// Nearly always the same for all operations; the backups' have names of their own.
ErrorName NameOnWire(ErrorCode code, const api::Operation* operation = nullptr);

// {"__type":...,"message":...} and, for the errors that carry something, the item that failed the
// condition or the reasons of a canceled transaction. An empty message is left out, as AWS does it
// for UnknownOperationException and some SerializationExceptions; the message of a failure of the
// server is replaced by one that tells nothing.
std::string ErrorBody(const Error& error, const api::Operation* operation = nullptr);

// A whole answer of that error; `operation` is null when none was reached.
Answer AnswerFor(const Error& error, const api::Operation* operation = nullptr);

}  // namespace stator::wire
