// The class Database alone, for headers that take a database and call nothing: what its operations
// take and return is declared here and defined in the headers of the operations. Programs include
// stator/api/database.h, which has both.

#pragma once

#include <functional>

#include "stator/base/result.h"

namespace stator {

#define STATOR_OPERATION(Name, ...) \
  struct Name##Input;               \
  struct Name##Output;
#include "stator/api/operations.inc"

// Called exactly once, with the outcome.
template <class Output>
using Completion = std::move_only_function<void(Result<Output>)>;

class Database {
 public:
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  virtual ~Database();

  // A method for each operation:
  //
  //   virtual Result<GetItemOutput> GetItem(const GetItemInput& input);
  //
  // Whoever derives from Database overrides those that it has. The others fail with
  // kUnknownOperation, so that an operation more is no work for anybody.
#define STATOR_OPERATION(Name, ...) virtual Result<Name##Output> Name(const Name##Input& input);
#include "stator/api/operations.inc"

  // The writes of items have a second one, which does not wait for the disk:
  //
  //   virtual void StartPutItem(const PutItemInput& input, Completion<PutItemOutput> done);
  //
  // `done` is called when the write is durable, or has failed, perhaps before the call returns and
  // perhaps on another thread, where it must not block. `input` is read only during the call. A
  // home without such a path waits.
#define STATOR_ITEM_WRITE(Name, ...) \
  virtual void Start##Name(const Name##Input& input, Completion<Name##Output> done);
#include "stator/api/operations.inc"

 protected:
  Database() = default;
};

}  // namespace stator
