// ForwardingDatabase: a Database in front of another one. It passes every call on; what derives
// from it overrides the calls that it wants to see, to count, to fail or to change.
//
//   class CountingDatabase final : public ForwardingDatabase {
//    public:
//     using ForwardingDatabase::ForwardingDatabase;
//     Result<GetItemOutput> GetItem(const GetItemInput& input) override {
//       ++reads;
//       return ForwardingDatabase::GetItem(input);
//     }
//     std::atomic<int> reads = 0;
//   };
//
// The Start... forms are not passed on but made of the plain calls, as in Database: whoever
// overrides PutItem sees every PutItem. The price is that they wait.
// THREADS: as the database behind it.

#pragma once

#include "stator/api/database.h"

namespace stator {

class ForwardingDatabase : public Database {
 public:
  // Does not own `next`, which must outlive this object.
  explicit ForwardingDatabase(Database& next) : next_(&next) {}

#define STATOR_OPERATION(Name, ...) Result<Name##Output> Name(const Name##Input& input) override;
#include "stator/api/operations.inc"

 protected:
  [[nodiscard]] Database& next() const { return *next_; }

 private:
  Database* next_;
};

}  // namespace stator
