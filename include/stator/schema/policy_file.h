// The policy of a program, checked in beside its snapshots and compared with what its repositories
// need.
//
//   const Result<void> same = CheckPolicyFile("schema/policies/shop.json",
//                                             {Orders::Describe(), Customers::Describe()});
//
// gtest.h has it as one line of a test.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/entities/verbs.h"
#include "stator/value/attribute_value.h"

namespace stator::schema {

struct ProgramPolicy {
  std::vector<entities::RepositoryDescription> repositories;
  std::string region = "*";
  std::string account = "*";
  std::string table_name = {};   // that all of them share; empty: each has its entity's
  std::string kms_key_arn = {};  // that encrypts the tables
};

Map MakeProgramPolicy(const ProgramPolicy& program);

// Fails with kRefused and the differences when the file has another policy, with kIo when it cannot
// be read.
Result<void> CheckPolicyFile(const std::filesystem::path& file, const ProgramPolicy& program);

Result<void> WritePolicyFile(const std::filesystem::path& file, const ProgramPolicy& program);

}  // namespace stator::schema
