// For tests: a Database that remembers what it was asked and gives the answers that it was told to
// give, and a client that talks to it through the protocol.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "stator/api/database.h"
#include "wire/exchange.h"
#include "wire/handler.h"

namespace stator::wire {

class FakeDatabase : public Database {
 public:
  FakeDatabase();
  ~FakeDatabase() override;

  // The last input of that type; null when there was none.
  template <class Input>
  const Input* Last() const {
    const std::optional<Input>& input = std::get<std::optional<Input>>(inputs_);
    return input ? &*input : nullptr;
  }

  // What the operation with that output answers from now on.
  template <class Output>
  void Script(Result<Output> output) {
    std::get<Result<Output>>(outputs_) = std::move(output);
  }
  template <class Output>
  void Script(Output output) {
    Script<Output>(Result<Output>(std::move(output)));
  }

#define STATOR_OPERATION(Name, ...) Result<Name##Output> Name(const Name##Input& input) override;
#include "stator/api/operations.inc"

 private:
  struct Nothing {};
  // clang-format off
  std::tuple<Nothing
#define STATOR_OPERATION(Name, ...) , std::optional<Name##Input>
#include "stator/api/operations.inc"
             > inputs_;
  std::tuple<Nothing
#define STATOR_OPERATION(Name, ...) , Result<Name##Output>
#include "stator/api/operations.inc"
             > outputs_;
  // clang-format on
};

// Sends bodies to a fake and gives back what a client would see.
class FakeServer {
 public:
  FakeDatabase& database() { return database_; }

  Answer Send(std::string_view target, std::string_view body, const Caller& caller = {});

  // The body of the answer to DynamoDB_20120810.<operation>.
  std::string Ask(std::string_view operation, std::string_view body);
  std::string AskStreams(std::string_view operation, std::string_view body);

  // What the database was told by that request; null when the request did not come so far.
  template <class Input>
  const Input* Decode(std::string_view operation, std::string_view body) {
    const Answer answer = Send("DynamoDB_20120810." + std::string(operation), body);
    return answer.status == 200 ? database_.Last<Input>() : nullptr;
  }

 private:
  FakeDatabase database_;
  DatabaseHandler handler_{database_};
};

// {"__type":"com.amazon.coral.validate#ValidationException","message":"..."}
std::string ValidationBody(std::string_view message);

// {"__type":"com.amazon.coral.service#SerializationException","Message":"..."}
std::string SerializationBody(std::string_view message);

}  // namespace stator::wire
