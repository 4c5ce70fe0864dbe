// ObservedDatabase: tells a function of yours about every call to the database behind it, for logs
// and metrics.
//
//   ObservedDatabase observed(*database, [&](const ObservedCall& call) {
//     histogram(call.operation).Record(call.duration);
//     if (call.error != nullptr) { Log(call.operation, call.error->message); }
//   });
//
// How often a client had to send a request is ClientOptions::on_call's to tell.
// THREADS: as the database behind it; the function is called on the thread of the call, after it.

#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "stator/api/forwarding_database.h"
#include "stator/base/clock.h"

namespace stator {

// Good during the report only.
struct ObservedCall {
  std::string_view operation;  // "PutItem"
  Duration duration = {};
  const Error* error = nullptr;  // null on success
};

class ObservedDatabase final : public ForwardingDatabase {
 public:
  using Observer = std::function<void(const ObservedCall&)>;

  // `next` and `clock` must outlive this object.
  ObservedDatabase(Database& next, Observer observer, Clock& clock = SystemClock())
      : ForwardingDatabase(next), observer_(std::move(observer)), clock_(&clock) {}

#define STATOR_OPERATION(Name, ...) Result<Name##Output> Name(const Name##Input& input) override;
#include "stator/api/operations.inc"

 private:
  template <class Output>
  Result<Output> Report(std::string_view operation, Duration start, Result<Output> result);

  Observer observer_;
  Clock* clock_;
};

}  // namespace stator
