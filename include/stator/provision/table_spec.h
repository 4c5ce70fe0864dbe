// What a table should be, as plain data: the one description from which tables are made and checked
// (ensure_table.h), templates and calls are written (templates.h) and policies are derived
// (policy.h).
//
//   const TableSpec accounts{.name = "accounts",
//                            .keys = {{"pk", KeyType::kHash}},
//                            .attributes = {{"pk", ScalarAttributeType::kString}},
//                            .ttl_attribute = "ttl"};
//
// The defaults are those of data that matter: paid per request, recoverable to any second of the
// last 35 days, protected from deletion.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/api/create_table.h"
#include "stator/api/table_types.h"
#include "stator/base/result.h"

namespace stator::provision {

struct PointInTimeRecovery {
  bool enabled = true;
  int days = 35;  // 1 to 35

  friend bool operator==(const PointInTimeRecovery&, const PointInTimeRecovery&) = default;
};

// With a key of the customer's account rather than one that AWS owns.
struct Encryption {
  std::string kms_key_id = {};  // empty: the account's key for DynamoDB

  friend bool operator==(const Encryption&, const Encryption&) = default;
};

struct TableSpec {
  std::string name;
  std::vector<KeySchemaElement> keys;           // the partition key, then perhaps a sort key
  std::vector<AttributeDefinition> attributes;  // those of keys and indexes, no others
  std::vector<GlobalSecondaryIndex> global_indexes = {};
  std::vector<LocalSecondaryIndex> local_indexes = {};
  std::optional<ProvisionedThroughput> throughput = std::nullopt;  // nothing: paid per request
  std::optional<std::string> ttl_attribute = std::nullopt;
  PointInTimeRecovery recovery = {};
  bool deletion_protection = true;
  std::optional<StreamViewType> stream = std::nullopt;
  std::optional<Encryption> encryption = std::nullopt;
  std::vector<Tag> tags = {};
};

// Adds the definition of an attribute unless it is there. For building a TableSpec index by index.
void DefineAttribute(TableSpec& spec, std::string_view name, ScalarAttributeType type);

// What DynamoDB would refuse only when the table is made, or not at all: keys and indexes without
// attribute definitions, definitions that nothing uses, an impossible recovery period, two indexes
// of one name. Fails with kValidation.
Result<void> CheckSpec(const TableSpec& spec);

// The request that makes the table. TTL and recovery need requests of their own.
CreateTableInput MakeCreateTableInput(const TableSpec& spec);

}  // namespace stator::provision
