// Query: everything that it refuses.

#include "contract/contract_test.h"
#include "contract/enveloped.h"

namespace stator::contract {
namespace {

class QueryChecks : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things",
               .keys = "pk:S | sk:N",
               .local = {{"by_l", "pk:S | l:S", Include({"x"})}},
               .global = {{"by_g", "g:S | sk:N", KeysOnly()}}});
    MakeTable({.name = "plain", .keys = "pk:S"});
  }

  [[nodiscard]] static QueryInput Things() {
    return {.table_name = "things",
            .key_condition_expression = "pk = :pk",
            .expression_attribute_values = Map{{":pk", "a"}}};
  }
  [[nodiscard]] Result<QueryOutput> Where(const std::string& condition, Map values) {
    return db().Query({.table_name = "things",
                       .key_condition_expression = condition,
                       .expression_attribute_values = std::move(values)});
  }
  [[nodiscard]] Result<QueryOutput> From(const Item& start_key) {
    QueryInput input = Things();
    input.exclusive_start_key = start_key;
    return db().Query(input);
  }
  [[nodiscard]] Result<QueryOutput> Selecting(Select select, const char* projection = nullptr,
                                              const char* index = nullptr) {
    QueryInput input = Things();
    input.select = select;
    if (projection != nullptr) {
      input.projection_expression = projection;
    }
    if (index != nullptr) {
      input.index_name = index;
    }
    return db().Query(input);
  }
};

TEST_F(QueryChecks, NeedsAKeyCondition) {
  EXPECT_TRUE(Refused(db().Query({.table_name = "things"}),
                      "Either the KeyConditions or KeyConditionExpression parameter must be "
                      "specified in the request."));
}

TEST_F(QueryChecks, NeedsThePartitionKeyWithEquality) {
  EXPECT_TRUE(
      Refused(Where("sk = :v", {{":v", 1}}), "Query condition missed key schema element: pk"));
  EXPECT_TRUE(Refused(Where("pk > :v", {{":v", "a"}}), "Query key condition not supported"));
  EXPECT_TRUE(
      Refused(Where("begins_with(pk, :v)", {{":v", "a"}}), "Query key condition not supported"));
}

TEST_F(QueryChecks, KnowsOnlyKeyAttributes) {
  EXPECT_TRUE(Refused(Where("pk = :pk AND v = :v", {{":pk", "a"}, {":v", 1}}),
                      "Query condition missed key schema element: sk"));
  EXPECT_TRUE(FailsWith(Where("pk = :pk AND sk = :v AND v = :v", {{":pk", "a"}, {":v", 1}}),
                        ErrorCode::kValidation));
  EXPECT_TRUE(Refused(db().Query({.table_name = "plain",
                                  .key_condition_expression = "pk = :pk AND v = :v",
                                  .expression_attribute_values = Map{{":pk", "a"}, {":v", 1}}}),
                      "The number of query conditions (2) exceeds the number of key attributes "
                      "defined in the schema (1)"));
}

TEST_F(QueryChecks, KnowsOnlySomeOperators) {
  EXPECT_TRUE(Refused(Where("pk = :pk OR sk = :v", {{":pk", "a"}, {":v", 1}}),
                      "Invalid operator used in KeyConditionExpression: OR"));
  EXPECT_TRUE(Refused(Where("pk = :pk AND NOT sk = :v", {{":pk", "a"}, {":v", 1}}),
                      "Invalid operator used in KeyConditionExpression: NOT"));
  EXPECT_TRUE(Refused(Where("pk = :pk AND sk <> :v", {{":pk", "a"}, {":v", 1}}),
                      "Invalid operator used in KeyConditionExpression: <>"));
  EXPECT_TRUE(Refused(Where("pk = :pk AND sk IN (:v)", {{":pk", "a"}, {":v", 1}}),
                      "Invalid operator used in KeyConditionExpression: IN"));
  EXPECT_TRUE(Refused(Where("pk = :pk AND attribute_exists(sk)", {{":pk", "a"}}),
                      "Invalid operator used in KeyConditionExpression: attribute_exists"));
}

TEST_F(QueryChecks, ComparesEachAttributeOnce) {
  EXPECT_TRUE(
      Refused(Where("pk = :pk AND sk > :v AND sk < :w", {{":pk", "a"}, {":v", 1}, {":w", 2}}),
              "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one "
              "condition per key"));
}

TEST_F(QueryChecks, NeedsValuesOfTheKeysTypes) {
  const char* const message =
      "One or more parameter values were invalid: Condition parameter type does not match schema "
      "type";
  EXPECT_TRUE(Refused(Where("pk = :v", {{":v", 1}}), message));
  EXPECT_TRUE(Refused(Where("pk = :pk AND sk = :v", {{":pk", "a"}, {":v", "1"}}), message));
}

TEST_F(QueryChecks, NeedsBoundsInOrder) {
  EXPECT_TRUE(Refused(
      Where("pk = :pk AND sk BETWEEN :v AND :w", {{":pk", "a"}, {":v", 2}, {":w", 1}}),
      "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater "
      "than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound "
      "operand: AttributeValue: {N:1}"));
}

TEST_F(QueryChecks, RefusesAnEmptyKeyValue) {
  EXPECT_TRUE(Refused(Where("pk = :pk", {{":pk", ""}}),
                      "One or more parameter values are not valid. The AttributeValue for a key "
                      "attribute cannot contain an empty string value. Key: pk"));
}

TEST_F(QueryChecks, RefusesAnEmptyKeyValueOfAnIndexByItsName) {
  EXPECT_TRUE(Refused(
      db().Query({.table_name = "things",
                  .index_name = "by_g",
                  .key_condition_expression = "g = :g",
                  .expression_attribute_values = Map{{":g", ""}}}),
      "One or more parameter values are not valid. A value specified for a secondary index key is "
      "not supported. The AttributeValue for a key attribute cannot contain an empty string value. "
      "IndexName: by_g, IndexKey: g"));
}

TEST_F(QueryChecks, FiltersByAnythingButItsKeys) {
  QueryInput input = Things();
  input.filter_expression = "sk = :pk";
  EXPECT_TRUE(Refused(db().Query(input),
                      "Filter Expression can only contain non-primary key attributes: Primary key "
                      "attribute: sk"));
  input.filter_expression = "pk = :pk AND x = :pk";
  EXPECT_TRUE(Refused(db().Query(input),
                      "Filter Expression can only contain non-primary key attributes: Primary key "
                      "attribute: pk"));
}

TEST_F(QueryChecks, AFilterOnAnIndexMayLookAtTheTablesKey) {
  EXPECT_TRUE(Succeeds(db().Query({.table_name = "things",
                                   .index_name = "by_g",
                                   .key_condition_expression = "g = :g",
                                   .filter_expression = "pk = :g",
                                   .expression_attribute_values = Map{{":g", "x"}}})));
}

TEST_F(QueryChecks, FiltersByWhatTheIndexHolds) {
  QueryInput input = Things();
  input.index_name = "by_l";
  input.filter_expression = "y = :pk AND z = :pk AND x = :pk";
  EXPECT_TRUE(Refused(db().Query(input),
                      "One or more parameter values were invalid: Secondary index by_l does not "
                      "project one or more filter attributes: [y, z]"));
}

TEST_F(QueryChecks, NeedsAnIndexThatIsThere) {
  QueryInput input = Things();
  input.index_name = "by_x";
  EXPECT_TRUE(Fails(db().Query(input), ErrorCode::kIndexNotFound,
                    "The table does not have the specified index: by_x"));
}

TEST_F(QueryChecks, RefusesConsistentReadsOfGlobalIndexesOnly) {
  EXPECT_TRUE(Refused(db().Query({.table_name = "things",
                                  .index_name = "by_g",
                                  .key_condition_expression = "g = :g",
                                  .expression_attribute_values = Map{{":g", "x"}},
                                  .consistent_read = true}),
                      "Consistent reads are not supported on global secondary indexes"));
  QueryInput local = Things();
  local.index_name = "by_l";
  local.consistent_read = true;
  EXPECT_TRUE(Succeeds(db().Query(local)));
}

TEST_F(QueryChecks, SelectsWhatMakesSense) {
  EXPECT_TRUE(
      RefusedAtOnce(Selecting(Select::kSpecificAttributes),
                    "Must specify the AttributesToGet or ProjectionExpression when choosing to "
                    "get SPECIFIC_ATTRIBUTES"));
  EXPECT_TRUE(Refused(Selecting(Select::kCount, "x"),
                      "Cannot specify the ProjectionExpression when choosing to get only the "
                      "Count"));
  EXPECT_TRUE(Refused(Selecting(Select::kAllAttributes, "x"),
                      "Cannot specify the ProjectionExpression when choosing to get "
                      "ALL_ATTRIBUTES"));
  EXPECT_TRUE(Refused(Selecting(Select::kAllProjectedAttributes),
                      "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an "
                      "IndexName"));
  EXPECT_TRUE(Succeeds(Selecting(Select::kAllProjectedAttributes, nullptr, "by_l")));
  EXPECT_TRUE(Succeeds(Selecting(Select::kAllAttributes)));
}

TEST_F(QueryChecks, StartsFromAWholeKey) {
  EXPECT_TRUE(Refused(From({{"pk", "a"}}), "The provided starting key is invalid"));
  EXPECT_TRUE(Refused(From({{"pk", "a"}, {"sk", "1"}}), "The provided starting key is invalid"));
  EXPECT_TRUE(FailsWith(From({{"pk", "a"}, {"sk", 1}, {"x", 1}}), ErrorCode::kValidation));
  const QueryInput index = {.table_name = "things",
                            .index_name = "by_g",
                            .key_condition_expression = "g = :g",
                            .expression_attribute_values = Map{{":g", "x"}},
                            .exclusive_start_key = Item{{"pk", "a"}, {"sk", 1}}};
  EXPECT_TRUE(Refused(db().Query(index), "The provided starting key is invalid"));
}

TEST_F(QueryChecks, StartsWithinItsOwnBounds) {
  EXPECT_TRUE(Refused(From({{"pk", "b"}, {"sk", 1}}),
                      "The provided starting key is outside query boundaries based on provided "
                      "conditions"));
  QueryInput input = Things();
  input.key_condition_expression = "pk = :pk AND sk > :v";
  input.expression_attribute_values->Set(":v", 5);
  input.exclusive_start_key = Item{{"pk", "a"}, {"sk", 1}};
  EXPECT_TRUE(Refused(db().Query(input),
                      "The provided starting key does not match the range key predicate"));
}

TEST_F(QueryChecks, RefusesALimitBelowOne) {
  QueryInput input = Things();
  input.limit = 0;
  EXPECT_TRUE(Refused(db().Query(input),
                      "1 validation error detected: Value at 'Limit' failed to satisfy "
                      "constraint: Member must have value greater than or equal to 1"));
}

TEST_F(QueryChecks, SaysWhenThereIsNoTable) {
  QueryInput input = Things();
  input.table_name = "others";
  EXPECT_TRUE(Fails(db().Query(input), ErrorCode::kTableNotFound, "Requested resource not found"));
}

}  // namespace
}  // namespace stator::contract
