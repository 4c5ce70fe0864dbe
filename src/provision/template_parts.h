// The parts that DynamoDB's requests and CloudFormation write in the same way.

#pragma once

#include "stator/provision/table_spec.h"
#include "stator/value/attribute_value.h"

namespace stator::provision {

// TableName, BillingMode, AttributeDefinitions, KeySchema, indexes, ProvisionedThroughput, Tags,
// DeletionProtectionEnabled.
Map CommonProperties(const TableSpec& spec);

Map TimeToLive(const std::string& attribute);
Map Recovery(const PointInTimeRecovery& recovery);

}  // namespace stator::provision
