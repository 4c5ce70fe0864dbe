// A database that answers as Amazon's DynamoDB Local does where programs written against it depend
// on that (--like-dynamodb-local). Everything else is passed on.
//
//   - Attribute definitions that no key uses are passed over, where the service refuses them.
//   - A failed ConditionCheck of a transaction says "The conditional request failed.", with a full
//     stop.
//   - A Limit below 1, an attribute that is asked for twice, and one that a table defines twice are
//     refused in its words.
//
// THREADS: as the database behind it.

#pragma once

#include "stator/api/forwarding_database.h"

namespace stator::cli {

class LikeDynamoDbLocal final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<CreateTableOutput> CreateTable(const CreateTableInput& input) override;
  Result<GetItemOutput> GetItem(const GetItemInput& input) override;
  Result<ListTablesOutput> ListTables(const ListTablesInput& input) override;
  Result<QueryOutput> Query(const QueryInput& input) override;
  Result<ScanOutput> Scan(const ScanInput& input) override;
  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override;

// Whoever reads requests must not wait for those of others.
#define STATOR_ITEM_WRITE(Name, ...) \
  void Start##Name(const Name##Input& input, Completion<Name##Output> done) override;
#include "stator/api/operations.inc"
};

}  // namespace stator::cli
