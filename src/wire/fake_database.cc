// For tests: what fake_database.h declares.

#include "wire/fake_database.h"

namespace stator::wire {

// Its tables have no policies of their own: who may do what is asked of the caller's alone.
FakeDatabase::FakeDatabase() {
  Script<GetResourcePolicyOutput>(
      Result<GetResourcePolicyOutput>(Fail(ErrorCode::kPolicyNotFound, "there is none")));
}
FakeDatabase::~FakeDatabase() = default;

#define STATOR_OPERATION(Name, ...)                                   \
  Result<Name##Output> FakeDatabase::Name(const Name##Input& input) { \
    std::get<std::optional<Name##Input>>(inputs_) = input;            \
    return std::get<Result<Name##Output>>(outputs_);                  \
  }
#include "stator/api/operations.inc"

Answer FakeServer::Send(std::string_view target, std::string_view body, const Caller& caller) {
  std::string padded(body);
  padded.append(kBodyPaddingBytes, ' ');
  std::optional<Answer> answer;
  handler_.Handle(
      {.target = target, .body = std::string_view(padded).substr(0, body.size()), .caller = caller},
      [&answer](Answer given) { answer = std::move(given); });
  return answer.value_or(Answer{.status = 0});
}

std::string FakeServer::Ask(std::string_view operation, std::string_view body) {
  return Send("DynamoDB_20120810." + std::string(operation), body).body;
}

std::string FakeServer::AskStreams(std::string_view operation, std::string_view body) {
  return Send("DynamoDBStreams_20120810." + std::string(operation), body).body;
}

std::string ValidationBody(std::string_view message) {
  return R"({"__type":"com.amazon.coral.validate#ValidationException","message":")" +
         std::string(message) + "\"}";
}

std::string SerializationBody(std::string_view message) {
  return R"({"__type":"com.amazon.coral.service#SerializationException","Message":")" +
         std::string(message) + "\"}";
}

}  // namespace stator::wire
