#include "console/guarded_database.h"

#include "base/try.h"
#include "wire/access.h"

namespace stator::console {
namespace {

template <class Input>
Result<void> Ask(const wire::Caller& caller, Database& database, const Input& input) {
  if (caller.authorizer == nullptr) {
    return {};
  }
  if constexpr (std::same_as<Input, BatchExecuteStatementInput>) {
    // Its statements are refused one by one, which no store relies on.
    BatchExecuteStatementInput left = input;
    const wire::RefusedStatements refused =
        TRY(wire::AccessCheck(caller, api::OperationOf<BatchExecuteStatementInput>::kOperation,
                              database)
                .TakeRefused(left));
    return refused.errors.empty() ? Result<void>()
                                  : std::unexpected(refused.errors.begin()->second);
  } else {
    return wire::AccessCheck(caller, api::OperationOf<Input>::kOperation, database).Check(input);
  }
}

}  // namespace

#define STATOR_OPERATION(Name, ...)                                      \
  Result<Name##Output> GuardedDatabase::Name(const Name##Input& input) { \
    TRY_VOID(Ask(caller_, next(), input));                               \
    return ForwardingDatabase::Name(input);                              \
  }
#include "stator/api/operations.inc"

}  // namespace stator::console
