// Constraints of structures that several requests contain.

#pragma once

#include <optional>
#include <string_view>

#include "api/constraint_checker.h"
#include "stator/api/legacy_parameters.h"
#include "stator/api/table_types.h"

namespace stator::api {

// Of tables and local indexes; the model no longer says so, the service still does.
inline constexpr LengthRange kTableKeySchemaLength = {1, 2};
inline constexpr LengthRange kTagKeyLength = {1, 128};  // [model] TagKeyString

// `name` is the member that holds the structure; an absent one breaks nothing.
void CheckExpected(ConstraintChecker& checker, std::string_view name,
                   const std::optional<ExpectedAttributes>& expected);
void CheckConditions(ConstraintChecker& checker, std::string_view name,
                     const std::optional<Conditions>& conditions);
void CheckAttributeUpdates(ConstraintChecker& checker, std::string_view name,
                           const std::optional<AttributeUpdates>& updates);

void CheckAttributeDefinitions(
    ConstraintChecker& checker,
    const std::optional<std::vector<AttributeDefinition>>& attribute_definitions);
void CheckKeySchema(ConstraintChecker& checker, const std::vector<KeySchemaElement>& key_schema,
                    LengthRange length);
void CheckProvisionedThroughput(ConstraintChecker& checker,
                                const std::optional<ProvisionedThroughput>& throughput);
void CheckStreamSpecification(ConstraintChecker& checker,
                              const std::optional<StreamSpecification>& specification);
void CheckSseSpecification(ConstraintChecker& checker,
                           const std::optional<SseSpecification>& specification);
void CheckLocalSecondaryIndexes(ConstraintChecker& checker,
                                const std::optional<std::vector<LocalSecondaryIndex>>& indexes);
void CheckGlobalSecondaryIndexes(ConstraintChecker& checker,
                                 const std::optional<std::vector<GlobalSecondaryIndex>>& indexes);
// One index, whose members are those of the structure that `checker` is at.
void CheckGlobalSecondaryIndex(ConstraintChecker& checker, const GlobalSecondaryIndex& index);
void CheckTags(ConstraintChecker& checker, const std::optional<std::vector<Tag>>& tags);

}  // namespace stator::api
