#include "stator/provision/policy.h"

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
  List statements;
  for (const TableAccess& access : accesses) {
    if (!access.actions.empty()) {
      statements.push_back(
          Statement(access.actions, {AttributeValue(access.table_arn)}, access.leading_key));
    }
    if (!access.queried_indexes.empty()) {
      List arns;
      for (const std::string& index : access.queried_indexes) {
        arns.push_back(access.table_arn + "/index/" + index);
      }
      statements.push_back(Statement({"Query"}, std::move(arns), access.leading_key));
    }
    if (access.reads_stream) {
      statements.push_back(Statement({"DescribeStream", "GetShardIterator", "GetRecords"},
                                     {AttributeValue(access.table_arn + "/stream/*")}, ""));
    }
  }
  return {{"Version", "2012-10-17"}, {"Statement", std::move(statements)}};
}

std::string TableArn(std::string_view table, std::string_view region, std::string_view account) {
  return "arn:aws:dynamodb:" + std::string(region) + ":" + std::string(account) + ":table/" +
         std::string(table);
}

}  // namespace stator::provision
