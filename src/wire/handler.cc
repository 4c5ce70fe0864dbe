#include "wire/handler.h"

#include <exception>
#include <simdjson.h>
#include <utility>

#include "wire/body_parser.h"
#include "wire/error_names.h"
#include "wire/operations.h"

namespace stator::wire {

void DatabaseHandler::Handle(const Request& request, Done done) {
  try {
    Dispatch(request, std::move(done));
  } catch (const std::exception&) {
    // Memory ran out, in all likelihood. `done` went down with the stack, which is an answer.
    return;
  }
}

// The order is the service's: text that is no JSON, then the operation, then what the JSON is.
void DatabaseHandler::Dispatch(const Request& request, Done done) {
  BodyParser& parser = BodyParser::OfThisThread();
  const Result<simdjson::dom::element> body = parser.Parse(request.body);
  if (!body && !request.body.empty()) {
    done(AnswerFor(body.error()));
    return;
  }
  const Operation* operation = FindOperation(request.target);
  if (operation == nullptr) {
    done(AnswerFor({.code = ErrorCode::kUnknownOperation, .message = ""}));
    return;
  }
  simdjson::dom::object object;
  if (!body || body->get(object) != simdjson::SUCCESS) {
    done(AnswerFor({.code = ErrorCode::kSerialization, .message = ""}, operation));
    return;
  }
  operation->run(database_, request.caller, object, std::move(done));
  parser.Finish();
}

}  // namespace stator::wire
