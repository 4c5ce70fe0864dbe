#include "stator/api/database.h"

#include <utility>

namespace stator {

Database::~Database() = default;

#define STATOR_OPERATION(Name, ...)                                                  \
  Result<Name##Output> Database::Name(const Name##Input& /*input*/) {                \
    return Fail(ErrorCode::kUnknownOperation, #Name " is unknown to this database"); \
  }
#include "stator/api/operations.inc"

#define STATOR_ITEM_WRITE(Name, ...)                                                    \
  void Database::Start##Name(const Name##Input& input, Completion<Name##Output> done) { \
    done(Name(input));                                                                  \
  }
#include "stator/api/operations.inc"

}  // namespace stator
