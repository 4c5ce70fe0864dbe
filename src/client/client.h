// Database over HTTP: any endpoint that speaks DynamoDB's protocol. Each operation is one message
// (wire/messages.h) sent by a RequestSender.
//
// THREADS: every method may be called from many threads at once; each call in flight has a
// connection of its own, which later calls use again.
// ERRORS: those of the endpoint, with its words; kUnavailable, kTimeout, kIo when it cannot be
// reached; kAmbiguous for a write whose answer was lost (client/repetition.h).

#pragma once

#include <memory>
#include <string_view>

#include "api/operations.h"
#include "client/request_sender.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/client/options.h"

namespace stator::client {

class Client final : public Database {
 public:
  explicit Client(RequestSender::Parts parts);

#define STATOR_OPERATION(Name, ...) Result<Name##Output> Name(const Name##Input& input) override;
#include "stator/api/operations.inc"

 private:
  // Sends what the operation of that input is called with.
  template <class Input>
  Result<typename api::OperationOf<Input>::Output> Call(const Input& input);
  template <class Input>
  Result<typename api::OperationOf<Input>::Output> Send(const Input& input);
  [[nodiscard]] Error Refined(Error error, const UpdateTableInput& input);

  Random& random_;
  RequestSender sender_;
};

// A client of the endpoint that `location` names (client/endpoints.h), with the credentials of the
// usual chain unless the options have some. Nothing is sent before the first call.
// Fails with kValidation for a location or an environment that makes no sense.
Result<std::unique_ptr<Database>> Connect(std::string_view location, const ClientOptions& options,
                                          Clock& clock, Random& random);

}  // namespace stator::client
