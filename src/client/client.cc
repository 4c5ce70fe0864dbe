#include "client/client.h"

#include <string>
#include <type_traits>
#include <utility>

#include "value/check_value.h"
#include "wire/body_parser.h"
#include "wire/messages.h"

namespace stator::client {
namespace {

template <class Output>
Result<void> ReadAnswer(std::string_view body, Output& output) {
  output = {};
  if constexpr (std::is_empty_v<Output>) {
    return {};  // TagResource and UntagResource answer nothing.
  }
  wire::BodyParser& parser = wire::BodyParser::OfThisThread();
  const Result<simdjson::dom::element> json = parser.Parse(body);
  simdjson::dom::object object;
  if (!json || json->get(object) != simdjson::SUCCESS) {
    return Fail(ErrorCode::kSerialization, "it is not JSON");
  }
  wire::Decoding decoding;
  wire::Body<Output>::Read(object, decoding, output);
  parser.Finish();
  return decoding.FinishAnswer();
}

template <class Input>
constexpr auto TokenOf() {
  if constexpr (requires(Input input) { input.client_request_token; }) {
    return &Input::client_request_token;
  } else {
    return &Input::client_token;
  }
}

}  // namespace

Client::Client(RequestSender::Parts parts) : random_(*parts.random), sender_(std::move(parts)) {}

// With a token the endpoint recognises a repetition.
template <class Input>
Result<typename api::OperationOf<Input>::Output> Client::Call(const Input& input) {
  if constexpr (api::OperationOf<Input>::kOperation.repetition == Repetition::kTokened) {
    constexpr auto kToken = TokenOf<Input>();
    if (!(input.*kToken)) {
      Input with_token = input;
      with_token.*kToken = random_.Uuid();
      return Send(with_token);
    }
  }
  return Send(input);
}

template <class Input>
Result<typename api::OperationOf<Input>::Output> Client::Send(const Input& input) {
  std::string body;
  wire::Body<Input>::Append(input, body);
  // Everything else the endpoint checks; this it could not even read.
  if (!value::IsUtf8(body)) {
    return Invalid("One or more parameter values were invalid: Text must be valid UTF-8");
  }
  typename api::OperationOf<Input>::Output output{};
  client::Call call{.operation = &api::OperationOf<Input>::kOperation,
                    .body = body,
                    .repetition = RepetitionOf(input)};
  std::optional<TimePoint> read_as_of;
  if constexpr (requires { input.as_of; }) {
    call.as_of = input.as_of;
    call.read_as_of = &read_as_of;
  }
  Result<void> sent =
      sender_.Send(call, [&output](std::string& answer) { return ReadAnswer(answer, output); });
  if (!sent) {
    if constexpr (requires { Refined(sent.error(), input); }) {
      return std::unexpected(Refined(std::move(sent).error(), input));
    }
    return std::unexpected(std::move(sent).error());
  }
  if constexpr (requires { output.as_of; }) {
    output.as_of = read_as_of;
  }
  return output;
}

// The endpoint has one name for a table and for an index that it does not find. Without a word
// about single indexes it was the table; otherwise the table itself can tell.
Error Client::Refined(Error error, const UpdateTableInput& input) {
  if (error.code != ErrorCode::kTableNotFound || !input.global_secondary_index_updates) {
    return error;
  }
  const auto table = DescribeTable({.table_name = input.table_name});
  if (table || table.error().code != ErrorCode::kTableNotFound) {
    error.code = ErrorCode::kResourceNotFound;
  }
  return error;
}

#define STATOR_OPERATION(Name, ...)                             \
  Result<Name##Output> Client::Name(const Name##Input& input) { \
    return Call(input);                                         \
  }
#include "stator/api/operations.inc"

}  // namespace stator::client
