#include "wire/handler.h"

#include <exception>
#include <simdjson.h>
#include <utility>

#include "wire/body_parser.h"
#include "wire/error_names.h"
#include "wire/operations.h"

namespace stator::wire {
namespace {

std::optional<Answer> FaultOf(const Request& request, const Result<simdjson::dom::element>& body) {
  if (!body && !request.body.empty()) {
    return AnswerFor(body.error());
  }
  if (FindOperation(request.target) == nullptr) {
    return AnswerFor({.code = ErrorCode::kUnknownOperation, .message = ""});
  }
  return std::nullopt;
}

}  // namespace

void DatabaseHandler::Handle(const Request& request, Done done) {
  try {
    Dispatch(request, std::move(done));
  } catch (const std::exception&) {
    // Memory ran out, in all likelihood. `done` went down with the stack, which is an answer.
    return;
  }
}

std::optional<Answer> DatabaseHandler::FindFault(const Request& request) const {
  BodyParser& parser = BodyParser::OfThisThread();
  std::optional<Answer> fault = FaultOf(request, parser.Parse(request.body));
  parser.Finish();
  return fault;
}

// The order is the service's: text that is no JSON, then the operation, then what the JSON is.
void DatabaseHandler::Dispatch(const Request& request, Done done) {
  BodyParser& parser = BodyParser::OfThisThread();
  const Result<simdjson::dom::element> body = parser.Parse(request.body);
  if (std::optional<Answer> fault = FaultOf(request, body)) {
    done(*std::move(fault));
    return;
  }
  const Operation* operation = FindOperation(request.target);
  simdjson::dom::object object;
  if (!body || body->get(object) != simdjson::SUCCESS) {
    done(AnswerFor({.code = ErrorCode::kSerialization, .message = ""}, operation));
    return;
  }
  operation->run(database_, request.caller, object, std::move(done));
  parser.Finish();
}

}  // namespace stator::wire
