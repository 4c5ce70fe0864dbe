#include "stator/api/observed_database.h"

namespace stator {

template <class Output>
Result<Output> ObservedDatabase::Report(std::string_view operation, Duration start,
                                        Result<Output> result) {
  observer_({.operation = operation,
             .duration = clock_->Elapsed() - start,
             .error = result ? nullptr : &result.error()});
  return result;
}

#define STATOR_OPERATION(Name, ...)                                       \
  Result<Name##Output> ObservedDatabase::Name(const Name##Input& input) { \
    const Duration start = clock_->Elapsed();                             \
    return Report(#Name, start, ForwardingDatabase::Name(input));         \
  }
#include "stator/api/operations.inc"

}  // namespace stator
