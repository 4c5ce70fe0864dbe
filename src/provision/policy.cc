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
  }
  return {{"Version", "2012-10-17"}, {"Statement", std::move(statements)}};
}

std::string TableArn(std::string_view table, std::string_view region, std::string_view account) {
  return "arn:aws:dynamodb:" + std::string(region) + ":" + std::string(account) + ":table/" +
         std::string(table);
}

}  // namespace stator::provision
