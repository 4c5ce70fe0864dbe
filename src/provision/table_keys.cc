#include "stator/provision/table_keys.h"

#include <utility>

#include "base/try.h"
#include "stator/api/database.h"

namespace stator::provision {

Result<std::set<std::string>> FindTableKeys(Database& database,
                                            const std::vector<TableAccess>& accesses) {
  std::set<std::string> keys;
  for (const TableAccess& access : accesses) {
    const DescribeTableOutput described = TRY(database.DescribeTable(
        {.table_name = access.table_arn.substr(access.table_arn.rfind('/') + 1)}));
    if (described.table.sse_description) {
      keys.insert(described.table.sse_description->kms_master_key_arn);
    }
  }
  return keys;
}

void AllowKey(const std::string& key_arn, KeyUse use, Map& policy) {
  List actions = {"kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKey"};
  if (use == KeyUse::kTables) {
    actions = {"kms:CreateGrant",   "kms:Decrypt",         "kms:DescribeKey",
               "kms:Encrypt",       "kms:GenerateDataKey", "kms:GenerateDataKeyWithoutPlaintext",
               "kms:ReEncryptFrom", "kms:ReEncryptTo"};
  }
  policy.Find("Statement")
      ->If<List>()
      ->push_back(
          Map{{"Effect", "Allow"},
              {"Action", std::move(actions)},
              {"Resource", List{AttributeValue(key_arn)}},
              {"Condition",
               Map{{"StringLike",
                    Map{{"kms:ViaService", List{AttributeValue("dynamodb.*.amazonaws.com")}}}}}}});
}

}  // namespace stator::provision
