// A database as one caller may use it: every call is asked for as if the caller had sent it, so that
// a store which works on it does nothing that its caller may not do.

#pragma once

#include "stator/api/forwarding_database.h"
#include "wire/exchange.h"

namespace stator::console {

// THREADS: as the database behind it.
class GuardedDatabase final : public ForwardingDatabase {
 public:
  // What is passed must outlive it.
  GuardedDatabase(Database& next, const wire::Caller& caller)
      : ForwardingDatabase(next), caller_(caller) {}

#define STATOR_OPERATION(Name, ...) Result<Name##Output> Name(const Name##Input& input) override;
#include "stator/api/operations.inc"

 private:
  const wire::Caller& caller_;
};

}  // namespace stator::console
