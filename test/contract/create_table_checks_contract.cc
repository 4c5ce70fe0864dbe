// CreateTable: everything that it refuses.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using CreateTableChecks = ContractTest;

const char* const kInvalid = "One or more parameter values were invalid: ";

CreateTableInput Things() {
  return TableInput({.name = "things", .keys = "pk:S"});
}

TEST_F(CreateTableChecks, RefusesNamesOfTheWrongLengthOrLetters) {
  CreateTableInput input = Things();
  input.table_name = "ab";
  EXPECT_TRUE(FailsWith(db().CreateTable(input), ErrorCode::kValidation));
  input.table_name = Text(256);
  EXPECT_TRUE(FailsWith(db().CreateTable(input), ErrorCode::kValidation));
  input.table_name = "not;a;name";
  EXPECT_TRUE(FailsWith(db().CreateTable(input), ErrorCode::kValidation));
}

TEST_F(CreateTableChecks, RefusesAKeyWithoutADefinition) {
  CreateTableInput input = Things();
  input.attribute_definitions = Definitions("other:S");
  EXPECT_TRUE(Refused(db().CreateTable(input),
                      std::string(kInvalid) +
                          "Some index key attributes are not defined in AttributeDefinitions. "
                          "Keys: [pk], AttributeDefinitions: [other]"));
}

TEST_F(CreateTableChecks, RefusesDefinitionsThatNoKeyUses) {
  CreateTableInput input = Things();
  input.attribute_definitions = Definitions("pk:S other:S");
  EXPECT_TRUE(Refused(db().CreateTable(input),
                      std::string(kInvalid) +
                          "Number of attributes in KeySchema does not exactly match number of "
                          "attributes defined in AttributeDefinitions"));
}

TEST_F(CreateTableChecks, RefusesDefinitionsThatNoKeyUsesBesideIndexesToo) {
  CreateTableInput input =
      TableInput({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  input.attribute_definitions = Definitions("pk:S g:S other:S");
  EXPECT_TRUE(Refused(db().CreateTable(input),
                      std::string(kInvalid) +
                          "Some AttributeDefinitions are not used. AttributeDefinitions: [pk, g, "
                          "other], keys used: [g, pk]"));
}

TEST_F(CreateTableChecks, RefusesOneAttributeAsBothKeys) {
  CreateTableInput input = Things();
  input.key_schema = KeySchema("pk:S | pk:S");
  input.attribute_definitions = Definitions("pk:S other:S");
  EXPECT_TRUE(
      Refused(db().CreateTable(input),
              "Both the Hash Key and the Range Key element in the KeySchema have the same name"));
}

TEST_F(CreateTableChecks, RefusesKeysInTheWrongOrder) {
  CreateTableInput input = Things();
  input.key_schema = {{.attribute_name = "pk", .key_type = KeyType::kRange}};
  EXPECT_TRUE(Refused(db().CreateTable(input),
                      "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"));
  input.attribute_definitions = Definitions("pk:S sk:S");
  input.key_schema = KeySchema("pk:S sk:S");
  EXPECT_TRUE(Refused(db().CreateTable(input),
                      "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"));
}

TEST_F(CreateTableChecks, RefusesAProvisionedTableWithoutThroughput) {
  CreateTableInput input = Things();
  input.billing_mode = BillingMode::kProvisioned;
  EXPECT_TRUE(Refused(db().CreateTable(input),
                      std::string(kInvalid) +
                          "ReadCapacityUnits and WriteCapacityUnits must both be specified when "
                          "BillingMode is PROVISIONED"));
  input.billing_mode.reset();
  EXPECT_TRUE(FailsWith(db().CreateTable(input), ErrorCode::kValidation));
}

TEST_F(CreateTableChecks, RefusesThroughputForAnOnDemandTable) {
  CreateTableInput input = Things();
  input.provisioned_throughput = ProvisionedThroughput{1, 1};
  EXPECT_TRUE(Refused(db().CreateTable(input),
                      std::string(kInvalid) +
                          "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                          "BillingMode is PAY_PER_REQUEST"));
}

TEST_F(CreateTableChecks, RefusesThroughputOutOfBounds) {
  CreateTableInput input = Things();
  input.billing_mode = BillingMode::kProvisioned;
  input.provisioned_throughput = ProvisionedThroughput{1'000'000'000'001, 1};
  EXPECT_TRUE(Refused(db().CreateTable(input),
                      "Given value 1000000000001 for ReadCapacityUnits is out of bounds"));
  input.provisioned_throughput = ProvisionedThroughput{0, 1};
  EXPECT_TRUE(Refused(db().CreateTable(input),
                      "1 validation error detected: Value '0' at "
                      "'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: "
                      "Member must have value greater than or equal to 1"));
}

TEST_F(CreateTableChecks, RefusesAMaximumBelowOne) {
  CreateTableInput input = Things();
  for (const std::int64_t units : {0, -2}) {
    input.on_demand_throughput = OnDemandThroughput{.max_read_request_units = units};
    EXPECT_TRUE(FailsWith(db().CreateTable(input), ErrorCode::kValidation)) << units;
  }
}

TEST_F(CreateTableChecks, RefusesALocalIndexOnATableWithoutSortKey) {
  EXPECT_TRUE(Refused(
      db().CreateTable(
          TableInput({.name = "things", .keys = "pk:S", .local = {{"by_l", "pk:S | l:S"}}})),
      std::string(kInvalid) +
          "Table KeySchema does not have a range key, which is required when specifying a "
          "LocalSecondaryIndex"));
}

TEST_F(CreateTableChecks, RefusesALocalIndexOfAnotherPartitionKey) {
  EXPECT_TRUE(Refused(
      db().CreateTable(TableInput(
          {.name = "things", .keys = "pk:S | sk:S", .local = {{"by_l", "other:S | l:S"}}})),
      std::string(kInvalid) +
          "Index KeySchema does not have the same leading hash key as table KeySchema for index: "
          "by_l. index hash key: other, table hash key: pk"));
}

TEST_F(CreateTableChecks, RefusesALocalIndexWithoutSortKey) {
  EXPECT_TRUE(Refused(
      db().CreateTable(
          TableInput({.name = "things", .keys = "pk:S | sk:S", .local = {{"by_l", "pk:S"}}})),
      std::string(kInvalid) + "Index KeySchema does not have a range key for index: by_l"));
}

TEST_F(CreateTableChecks, RefusesTwoIndexesOfOneName) {
  EXPECT_TRUE(Refused(db().CreateTable(TableInput({.name = "things",
                                                   .keys = "pk:S | sk:S",
                                                   .local = {{"same", "pk:S | l:S"}},
                                                   .global = {{"same", "g:S"}}})),
                      std::string(kInvalid) + "Duplicate index name: same"));
}

TEST_F(CreateTableChecks, RefusesListsOfNoIndexes) {
  CreateTableInput input = TableInput({.name = "things", .keys = "pk:S | sk:S"});
  input.local_secondary_indexes.emplace();
  EXPECT_TRUE(Refused(db().CreateTable(input),
                      std::string(kInvalid) + "List of LocalSecondaryIndexes is empty"));
  input.local_secondary_indexes.reset();
  input.global_secondary_indexes.emplace();
  EXPECT_TRUE(Refused(db().CreateTable(input),
                      std::string(kInvalid) + "List of GlobalSecondaryIndexes is empty"));
}

TEST_F(CreateTableChecks, RefusesASixthLocalIndexAndATwentyFirstGlobalOne) {
  TableShape local{.name = "things", .keys = "pk:S | sk:S"};
  TableShape global{.name = "others", .keys = "pk:S"};
  for (int number = 0; number < 5; ++number) {
    local.local.push_back({"local" + std::to_string(number), "pk:S | l:S"});
  }
  for (int number = 0; number < 20; ++number) {
    global.global.push_back({"global" + std::to_string(number), "g:S"});
  }
  MakeTable(local);
  MakeTable(global);
  local.name = "things2";
  local.local.push_back({"local5", "pk:S | l:S"});
  EXPECT_TRUE(Refused(
      db().CreateTable(TableInput(local)),
      std::string(kInvalid) + "Number of LocalSecondaryIndexes exceeds per-table limit of 5"));
  global.name = "others2";
  global.global.push_back({"global20", "g:S"});
  EXPECT_TRUE(Refused(
      db().CreateTable(TableInput(global)),
      std::string(kInvalid) + "GlobalSecondaryIndex count exceeds the per-table limit of 20"));
}

TEST_F(CreateTableChecks, RefusesProjectionsThatContradictThemselves) {
  const auto with = [](const Projection& projection) {
    return TableInput({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S", projection}}});
  };
  EXPECT_TRUE(
      Refused(db().CreateTable(with({})), std::string(kInvalid) + "Unknown ProjectionType: null"));
  EXPECT_TRUE(
      Refused(db().CreateTable(with({.projection_type = ProjectionType::kAll,
                                     .non_key_attributes = std::vector<std::string>{"a"}})),
              std::string(kInvalid) + "ProjectionType is ALL, but NonKeyAttributes is specified"));
  EXPECT_TRUE(Refused(
      db().CreateTable(with({.projection_type = ProjectionType::kInclude})),
      std::string(kInvalid) + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"));
}

TEST_F(CreateTableChecks, RefusesMoreThanAHundredProjectedAttributesInAll) {
  const auto names = [](int count) {
    std::vector<std::string> attributes;
    for (int number = 0; number < count; ++number) {
      attributes.push_back("a" + std::to_string(number));
    }
    return attributes;
  };
  TableShape shape{.name = "things",
                   .keys = "pk:S",
                   .global = {{"one", "g:S", Include(names(20))},
                              {"two", "g:S", Include(names(20))},
                              {"three", "g:S", Include(names(20))},
                              {"four", "g:S", Include(names(20))},
                              {"five", "g:S", Include(names(20))}}};
  MakeTable(shape);
  shape.name = "others";
  shape.global.push_back({"six", "g:S", Include(names(1))});
  EXPECT_TRUE(FailsWith(db().CreateTable(TableInput(shape)), ErrorCode::kValidation));
}

TEST_F(CreateTableChecks, RefusesIndexThroughputThatDoesNotFitTheBillingMode) {
  CreateTableInput input =
      TableInput({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  input.global_secondary_indexes->at(0).provisioned_throughput = ProvisionedThroughput{1, 1};
  EXPECT_TRUE(Refused(db().CreateTable(input),
                      std::string(kInvalid) +
                          "ProvisionedThroughput should not be specified for index: by_g when "
                          "BillingMode is PAY_PER_REQUEST"));
  input.global_secondary_indexes->at(0).provisioned_throughput.reset();
  input.billing_mode.reset();
  input.provisioned_throughput = ProvisionedThroughput{1, 1};
  EXPECT_TRUE(FailsWith(db().CreateTable(input), ErrorCode::kValidation));
}

TEST_F(CreateTableChecks, RefusesAStreamWithoutAView) {
  CreateTableInput input = Things();
  input.stream_specification = StreamSpecification{.stream_enabled = true};
  EXPECT_TRUE(FailsWith(db().CreateTable(input), ErrorCode::kValidation));
}

TEST_F(CreateTableChecks, RefusesATagTwice) {
  CreateTableInput input = Things();
  input.tags = std::vector<Tag>{{.key = "a", .value = "1"}, {.key = "a", .value = "2"}};
  EXPECT_TRUE(FailsWith(db().CreateTable(input), ErrorCode::kValidation));
}

TEST_F(CreateTableChecks, ARefusedTableIsNotThere) {
  CreateTableInput input = Things();
  input.attribute_definitions = Definitions("other:S");
  EXPECT_TRUE(FailsWith(db().CreateTable(input), ErrorCode::kValidation));
  EXPECT_TRUE(Fails(db().DescribeTable({.table_name = "things"}), ErrorCode::kTableNotFound,
                    "Requested resource not found: Table: things not found"));
}

}  // namespace
}  // namespace stator::contract
