// Requests of every operation with damaged bodies, through the whole way from bytes to an answer.
// The first byte chooses the operation, the rest is the body. What must hold: an answer comes, it
// is well-formed JSON or empty, and what the database was told can be checked for constraints.

#include <cstddef>
#include <cstdint>
#include <simdjson.h>
#include <span>
#include <string>
#include <string_view>

#include "api/constraints.h"
#include "base/check.h"
#include "wire/fake_database.h"
#include "wire/operations.h"

namespace {

using stator::wire::Answer;
using stator::wire::Operation;

void CheckAnswer(const Answer& answer) {
  CHECK(answer.status == 200 || answer.status == 400);
  CHECK(answer.error.empty() == (answer.status == 200));
  if (answer.body.empty()) {
    return;
  }
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  CHECK_THAT(parser.parse(answer.body).get(object) == simdjson::SUCCESS, answer.body);
}

// Null when the request was another.
void CheckInput(const auto* input) {
  if (input != nullptr) {
    (void)stator::api::CheckConstraints(*input);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::span<const Operation> operations = stator::wire::AllOperations();
  const Operation& operation = operations[data[0] % operations.size()];
  const std::string body(reinterpret_cast<const char*>(data) + 1, size - 1);
  stator::wire::FakeServer server;
  CheckAnswer(server.Send(operation.target, body));
#define STATOR_OPERATION(Name, ...) CheckInput(server.database().Last<stator::Name##Input>());
#include "stator/api/operations.inc"
  return 0;
}
