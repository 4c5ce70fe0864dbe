// IAM policies that allow what a program does and nothing else.
//
//   const Map policy = MakePolicy({{.table_arn = TableArn("accounts", "eu-central-1"),
//                                   .actions = {"GetItem", "PutItem"},
//                                   .queried_indexes = {"by_email"}}});
//   std::puts(CanonicalJson(policy).c_str());
//
// What a request needs (checked by test/provision/policy_test.cc against a server that has nothing
// but the policy): a transaction needs the actions of its parts, a batch its own action, a query
// the ARN of what it reads, which for an index is not that of the table.
//
// Making and checking tables is another program's business than using them, and has another policy:
//
//   MakePolicy({ProvisioningAccess(spec, TableArn(spec.name), EnsureMode::kApplySafe)});

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "stator/provision/ensure_table.h"
#include "stator/provision/table_spec.h"
#include "stator/value/attribute_value.h"

namespace stator::provision {

struct TableAccess {
  std::string table_arn;
  std::set<std::string> actions;  // on the table itself, without the prefix "dynamodb:"
  std::set<std::string> queried_indexes = {};
  bool reads_stream = false;
  // Where every partition belongs to somebody: the partition key that the caller may touch, with
  // policy variables, as "OWNER#${aws:PrincipalTag/owner}"; a '*' in it stands for any text. It
  // then holds for indexes as well, except for those that say what their own partitions look like.
  std::string leading_key = {};
  std::map<std::string, std::string> leading_keys_of_indexes = {};
};

// Objects of S3 beside the tables: read, written in parts or at once, listed and removed, below the
// prefix only.
struct BlobAccess {
  std::string bucket;
  std::string prefix = {};  // as in s3://BUCKET/PREFIX
};

struct PolicyInput {
  std::vector<TableAccess> tables = {};
  std::optional<BlobAccess> blobs = std::nullopt;
  // The customer's key that encrypts the tables and the blobs; used through DynamoDB and S3 alone.
  std::string kms_key_arn = {};
};

// What EnsureTable asks of a table that is to be like `spec`, and nothing of what is in it.
TableAccess ProvisioningAccess(const TableSpec& spec, std::string table_arn, EnsureMode mode);

// A policy document with one statement per table, and one more for its indexes and its stream;
// behind them those of the blobs and of the key.
Map MakePolicy(const PolicyInput& input);
Map MakePolicy(const std::vector<TableAccess>& accesses);

// "*" stands for any region or account.
std::string TableArn(std::string_view table, std::string_view region = "*",
                     std::string_view account = "*");

}  // namespace stator::provision
