#include "stator/provision/policy.h"

#include <initializer_list>
#include <string_view>
#include <utility>

namespace stator::provision {
namespace {

Map Statement(const std::set<std::string>& actions, List resources,
              const std::string& leading_key) {
  List names;
  for (const std::string& action : actions) {
    names.push_back("dynamodb:" + action);
  }
  Map statement{
      {"Effect", "Allow"}, {"Action", std::move(names)}, {"Resource", std::move(resources)}};
  if (!leading_key.empty()) {
    const bool has_wildcard = leading_key.contains('*');
    statement.Set("Condition",
                  Map{{has_wildcard ? "ForAllValues:StringLike" : "ForAllValues:StringEquals",
                       Map{{"dynamodb:LeadingKeys", List{AttributeValue(leading_key)}}}}});
  }
  return statement;
}

List Texts(std::initializer_list<std::string_view> texts) {
  return {texts.begin(), texts.end()};
}

void AddBlobStatements(const BlobAccess& blobs, List& statements) {
  std::string prefix = blobs.prefix;
  while (prefix.ends_with('/')) {
    prefix.pop_back();
  }
  const std::string arn = "arn:aws:s3:::" + blobs.bucket;
  const std::string below = prefix.empty() ? "*" : prefix + "/*";
  statements.push_back(Map{{"Effect", "Allow"},
                           {"Action", Texts({"s3:AbortMultipartUpload", "s3:DeleteObject",
                                             "s3:GetObject", "s3:PutObject"})},
                           {"Resource", List{AttributeValue(arn + "/" + below)}}});
  // Without it S3 answers 403 instead of 404 for what is not there.
  statements.push_back(
      Map{{"Effect", "Allow"},
          {"Action", Texts({"s3:ListBucket"})},
          {"Resource", List{AttributeValue(arn)}},
          {"Condition", Map{{"StringLike", Map{{"s3:prefix", List{AttributeValue(below)}}}}}}});
  // Uploads that were left unfinished are listed for the whole bucket; the action has no prefix.
  statements.push_back(Map{{"Effect", "Allow"},
                           {"Action", Texts({"s3:ListBucketMultipartUploads"})},
                           {"Resource", List{AttributeValue(arn)}}});
}

Map KeyStatement(const PolicyInput& input) {
  List services;
  if (!input.tables.empty()) {
    services.emplace_back("dynamodb.*.amazonaws.com");
  }
  if (input.blobs) {
    services.emplace_back("s3.*.amazonaws.com");
  }
  return {{"Effect", "Allow"},
          {"Action", Texts({"kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKey"})},
          {"Resource", List{AttributeValue(input.kms_key_arn)}},
          {"Condition", Map{{"StringLike", Map{{"kms:ViaService", std::move(services)}}}}}};
}

}  // namespace

TableAccess ProvisioningAccess(const TableSpec& spec, std::string table_arn, EnsureMode mode) {
  TableAccess access{.table_arn = std::move(table_arn),
                     .actions = {"DescribeTable", "DescribeTimeToLive"}};
  const bool creates = mode != EnsureMode::kVerify;
  const auto need = [&](const char* action, bool needed) {
    if (needed) {
      access.actions.insert(action);
    }
  };
  need("CreateTable", creates);
  need("UpdateTable", mode == EnsureMode::kApplySafe && !spec.global_indexes.empty());
  need("UpdateTimeToLive", creates && spec.ttl_attribute.has_value());
  need("DescribeContinuousBackups", spec.recovery.enabled);
  need("UpdateContinuousBackups", creates && spec.recovery.enabled);
  need("ListTagsOfResource", !spec.tags.empty());
  need("TagResource", creates && !spec.tags.empty());
  return access;
}

Map MakePolicy(const std::vector<TableAccess>& accesses) {
  return MakePolicy(PolicyInput{.tables = accesses});
}

Map MakePolicy(const PolicyInput& input) {
  List statements;
  for (const TableAccess& access : input.tables) {
    if (!access.actions.empty()) {
      statements.push_back(
          Statement(access.actions, {AttributeValue(access.table_arn)}, access.leading_key));
    }
    // One statement for all indexes with the same partitions.
    std::map<std::string, List> arns;
    for (const std::string& index : access.queried_indexes) {
      const auto own = access.leading_keys_of_indexes.find(index);
      const std::string& key =
          own == access.leading_keys_of_indexes.end() ? access.leading_key : own->second;
      arns[key].push_back(access.table_arn + "/index/" + index);
    }
    for (auto& [key, of_key] : arns) {
      statements.push_back(Statement({"Query"}, std::move(of_key), key));
    }
    if (access.reads_stream) {
      statements.push_back(Statement({"DescribeStream", "GetShardIterator", "GetRecords"},
                                     {AttributeValue(access.table_arn + "/stream/*")}, ""));
    }
  }
  if (input.blobs) {
    AddBlobStatements(*input.blobs, statements);
  }
  if (!input.kms_key_arn.empty()) {
    statements.push_back(KeyStatement(input));
  }
  return {{"Version", "2012-10-17"}, {"Statement", std::move(statements)}};
}

std::string TableArn(std::string_view table, std::string_view region, std::string_view account) {
  return "arn:aws:dynamodb:" + std::string(region) + ":" + std::string(account) + ":table/" +
         std::string(table);
}

}  // namespace stator::provision
