#include "engine/resource_arn.h"

#include "engine/arn.h"

namespace stator::engine {

Result<void> CheckResourceArn(const EngineCore& core, const std::string& arn,
                              std::string_view action) {
  if (!arn.starts_with("arn:")) {
    return Invalid("ARNs must start with 'arn:': " + arn);
  }
  if (!TableNameFrom(arn)) {
    return Invalid("Invalid TableArn: Invalid ResourceArn provided as input " + arn);
  }
  if (!arn.contains(":" + core.account.id + ":table/")) {
    return Fail(ErrorCode::kAccessDenied, "User: arn:aws:iam::" + core.account.id +
                                              ":root is not authorized to perform: " + "dynamodb:" +
                                              std::string(action) + " on resource: " + arn);
  }
  return {};
}

}  // namespace stator::engine
