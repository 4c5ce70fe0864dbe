#include "stator/api/forwarding_database.h"

namespace stator {

#define STATOR_OPERATION(Name, ...)                                         \
  Result<Name##Output> ForwardingDatabase::Name(const Name##Input& input) { \
    return next_->Name(input);                                              \
  }
#include "stator/api/operations.inc"

}  // namespace stator
