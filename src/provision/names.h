// The words that DynamoDB, CloudFormation and Terraform share.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/api/table_types.h"

namespace stator::provision {

std::string_view NameOf(ScalarAttributeType type);  // "S"
std::string_view NameOf(KeyType type);              // "HASH"
std::string_view NameOf(ProjectionType type);       // "KEYS_ONLY"
std::string_view NameOf(StreamViewType type);       // "NEW_IMAGE"

// For people: "pk, sk", "INCLUDE a, b".
std::string Describe(const std::vector<KeySchemaElement>& keys);
std::string Describe(const Projection& projection);
std::string Describe(const std::optional<StreamViewType>& stream);
std::string Describe(const ProvisionedThroughput& throughput);

// Projections are the same when the same attributes are in the index, in whatever order.
bool IsSame(const Projection& left, const Projection& right);

}  // namespace stator::provision
