// Tables for those who do not let programs make them: as requests to DynamoDB, as CloudFormation,
// as Terraform, for the AWS CDK. All but the last are JSON in the canonical form of
// stator/mapping/schema.h once CanonicalJson has written them, so a copy in a repository changes
// only when the table does.
//
//   std::puts(CanonicalJson(MakeCloudFormation(spec)).c_str());

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stator/mapping/schema.h"
#include "stator/provision/table_spec.h"
#include "stator/value/attribute_value.h"

namespace stator::provision {

// A request as the AWS CLI takes it: aws dynamodb OPERATION --cli-input-json INPUT.
struct ServiceCall {
  std::string operation;  // "CreateTable"
  Map input;
};

// CreateTable, then UpdateTimeToLive and UpdateContinuousBackups if they are needed. The table has
// to be active before the second.
std::vector<ServiceCall> MakeCalls(const TableSpec& spec);

// A template with one resource per table, by its logical id. Deleting the stack keeps the tables.
Map MakeCloudFormation(const std::map<std::string, TableSpec>& tables);
// The same for one table, whose logical id is that of LogicalId.
Map MakeCloudFormation(const TableSpec& spec);

// Terraform's JSON syntax (a file NAME.tf.json), one aws_dynamodb_table per entry of the map.
// Terraform refuses to destroy them.
Map MakeTerraform(const std::map<std::string, TableSpec>& tables);
Map MakeTerraform(const TableSpec& spec);

// A module in TypeScript whose addTables(scope) adds a CfnTable of the AWS CDK per table. Deleting
// the stack keeps them.
std::string MakeCdk(const std::vector<TableSpec>& tables);

// "user-profiles" becomes "UserProfilesTable": letters and digits, as CloudFormation wants it.
std::string LogicalId(std::string_view table);

// "user.profiles" becomes "user_profiles": what Terraform accepts as the name of a resource.
std::string ResourceName(std::string_view table);

}  // namespace stator::provision
