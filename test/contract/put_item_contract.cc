// PutItem, and what it refuses.

#include "contract/contract_test.h"
#include "contract/enveloped.h"

namespace stator::contract {
namespace {

class PutItem : public ContractTest {
 protected:
  void SetUp() override { MakeTable({.name = "things", .keys = "pk:S"}); }
};

using PutItemKeys = ContractTest;

const char* const kInvalid = "One or more parameter values were invalid: ";

TEST_F(PutItem, StoresEveryTypeOfValue) {
  const Item item{
      {"pk", "a"},
      {"string", "text"},
      {"empty", ""},
      {"number", N("-12.5")},
      {"binary", Binary{std::string("\0\x01\xFF", 3)}},
      {"no_bytes", Binary{""}},
      {"true", true},
      {"null", Null{}},
      {"strings", StringSet{"b", "a"}},
      {"numbers", NumberSet{3, N("1.5")}},
      {"binaries", BinarySet{Binary{"x"}, Binary{"y"}}},
      {"list", List{1, "two", List{}, Map{{"deep", true}}}},
      {"map", Map{{"one", 1}, {"nested", Map{{"list", List{Null{}}}}}}},
  };
  Put("things", item);
  EXPECT_EQ(Get("things", {{"pk", "a"}}), item);
}

TEST_F(PutItem, ReplacesTheWholeItem) {
  Put("things", {{"pk", "a"}, {"old", 1}});
  Put("things", {{"pk", "a"}, {"new", 2}});
  EXPECT_EQ(Get("things", {{"pk", "a"}}), (Item{{"pk", "a"}, {"new", 2}}));
}

TEST_F(PutItem, ReturnsNothingUnlessAsked) {
  Put("things", {{"pk", "a"}});
  const auto output = Must(db().PutItem({.table_name = "things", .item = {{"pk", "a"}}}));
  EXPECT_FALSE(output.attributes.has_value());
  EXPECT_FALSE(output.consumed_capacity.has_value());
  EXPECT_FALSE(output.item_collection_metrics.has_value());
}

TEST_F(PutItem, ReturnsTheOldItemWhenAsked) {
  const PutItemInput input{.table_name = "things",
                           .item = {{"pk", "a"}, {"n", 1}},
                           .return_values = ReturnValues::kAllOld};
  EXPECT_FALSE(Must(db().PutItem(input)).attributes.has_value());
  EXPECT_EQ(Must(db().PutItem(input)).attributes, input.item);
}

TEST_F(PutItem, ReturnsOnlyTheOldItemOrNothing) {
  for (const ReturnValues wanted :
       {ReturnValues::kAllNew, ReturnValues::kUpdatedOld, ReturnValues::kUpdatedNew}) {
    EXPECT_TRUE(RefusedAtOnce(
        db().PutItem({.table_name = "things", .item = {{"pk", "a"}}, .return_values = wanted}),
        "ReturnValues can only be ALL_OLD or NONE"));
  }
}

TEST_F(PutItem, ADeepDocumentIsStored) {
  AttributeValue value = 1;
  for (int level = 0; level < 31; ++level) {
    value = Map{{"m", std::move(value)}};
  }
  EXPECT_TRUE(
      Succeeds(db().PutItem({.table_name = "things", .item = {{"pk", "a"}, {"deep", value}}})));
}

TEST_F(PutItem, ATooDeepDocumentIsRefused) {
  AttributeValue value = 1;
  for (int level = 0; level < 33; ++level) {
    value = List{std::move(value)};
  }
  EXPECT_TRUE(RefusedAtOnce(
      db().PutItem({.table_name = "things", .item = {{"pk", "a"}, {"deep", value}}}),
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit"));
}

TEST_F(PutItem, RefusesEmptySets) {
  EXPECT_TRUE(RefusedAtOnce(
      db().PutItem({.table_name = "things", .item = {{"pk", "a"}, {"set", StringSet{}}}}),
      std::string(kInvalid) + "An string set  may not be empty"));
  EXPECT_TRUE(RefusedAtOnce(
      db().PutItem({.table_name = "things", .item = {{"pk", "a"}, {"set", NumberSet{}}}}),
      std::string(kInvalid) + "An number set  may not be empty"));
  EXPECT_TRUE(RefusedAtOnce(
      db().PutItem({.table_name = "things", .item = {{"pk", "a"}, {"set", BinarySet{}}}}),
      std::string(kInvalid) + "Binary sets should not be empty"));
}

TEST_F(PutItem, RefusesWhatIsNoText) {
  EXPECT_TRUE(
      FailsWith(db().PutItem({.table_name = "things", .item = {{"pk", "a"}, {"text", "\xC3\x28"}}}),
                ErrorCode::kValidation));
}

TEST_F(PutItem, RefusesAnItemWithoutItsKey) {
  EXPECT_TRUE(Refused(db().PutItem({.table_name = "things", .item = {{"other", "a"}}}),
                      std::string(kInvalid) + "Missing the key pk in the item"));
  EXPECT_TRUE(Refused(db().PutItem({.table_name = "things", .item = {}}),
                      std::string(kInvalid) + "Missing the key pk in the item"));
}

TEST_F(PutItem, RefusesAKeyOfAnotherType) {
  EXPECT_TRUE(Refused(db().PutItem({.table_name = "things", .item = {{"pk", 1}}}),
                      std::string(kInvalid) + "Type mismatch for key pk expected: S actual: N"));
}

TEST_F(PutItem, RefusesAnEmptyKey) {
  EXPECT_TRUE(Refused(db().PutItem({.table_name = "things", .item = {{"pk", ""}}}),
                      "One or more parameter values are not valid. The AttributeValue for a key "
                      "attribute cannot contain an empty string value. Key: pk"));
}

TEST_F(PutItem, SaysWhenThereIsNoTable) {
  EXPECT_TRUE(Fails(db().PutItem({.table_name = "others", .item = {{"pk", "a"}}}),
                    ErrorCode::kTableNotFound, "Requested resource not found"));
}

TEST_F(PutItem, LooksAtTheExpressionBeforeTheTable) {
  EXPECT_TRUE(RefusedAtOnce(
      db().PutItem({.table_name = "others", .item = {{"pk", "a"}}, .condition_expression = ""}),
      "Invalid ConditionExpression: The expression can not be empty;"));
}

TEST_F(PutItem, RefusesNamesAndValuesWithoutAnExpression) {
  EXPECT_TRUE(
      RefusedAtOnce(db().PutItem({.table_name = "things",
                                  .item = {{"pk", "a"}},
                                  .expression_attribute_names = AttributeNames{{"#a", "a"}}}),
                    "ExpressionAttributeNames can only be specified when using expressions"));
  EXPECT_TRUE(
      RefusedAtOnce(db().PutItem({.table_name = "things",
                                  .item = {{"pk", "a"}},
                                  .expression_attribute_values = Map{{":a", 1}}}),
                    "ExpressionAttributeValues can only be specified when using expressions"));
}

TEST_F(PutItem, RefusesUnusedNamesAndValues) {
  EXPECT_TRUE(
      RefusedAtOnce(db().PutItem({.table_name = "things",
                                  .item = {{"pk", "a"}},
                                  .condition_expression = "attribute_exists(pk)",
                                  .expression_attribute_names = AttributeNames{{"#a", "a"}}}),
                    "Value provided in ExpressionAttributeNames unused in expressions: keys: "
                    "{#a}"));
  EXPECT_TRUE(
      RefusedAtOnce(db().PutItem({.table_name = "things",
                                  .item = {{"pk", "a"}},
                                  .condition_expression = "attribute_exists(pk)",
                                  .expression_attribute_values = Map{{":a", 1}}}),
                    "Value provided in ExpressionAttributeValues unused in expressions: keys: "
                    "{:a}"));
}

TEST_F(PutItem, DoesNothingWhenItsConditionFails) {
  Put("things", {{"pk", "a"}, {"n", 1}});
  EXPECT_TRUE(Fails(db().PutItem({.table_name = "things",
                                  .item = {{"pk", "a"}, {"n", 2}},
                                  .condition_expression = "attribute_not_exists(pk)"}),
                    ErrorCode::kConditionFailed, "The conditional request failed"));
  EXPECT_EQ(Get("things", {{"pk", "a"}}), (Item{{"pk", "a"}, {"n", 1}}));
}

TEST_F(PutItem, ShowsTheItemThatFailedTheConditionWhenAsked) {
  const PutItemInput input{
      .table_name = "things",
      .item = {{"pk", "a"}, {"n", 2}},
      .condition_expression = "attribute_exists(n)",
      .return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld};
  const auto without_item = db().PutItem(input);
  EXPECT_TRUE(FailsWith(without_item, ErrorCode::kConditionFailed));
  EXPECT_EQ(ItemInError(without_item), std::nullopt);
  Put("things", {{"pk", "a"}, {"m", 1}});
  const auto with_item = db().PutItem(input);
  EXPECT_TRUE(FailsWith(with_item, ErrorCode::kConditionFailed));
  EXPECT_EQ(ItemInError(with_item), (Item{{"pk", "a"}, {"m", 1}}));
}

TEST_F(PutItem, ShowsNoItemUnlessAsked) {
  Put("things", {{"pk", "a"}});
  const auto refused = db().PutItem({.table_name = "things",
                                     .item = {{"pk", "a"}},
                                     .condition_expression = "attribute_not_exists(pk)"});
  EXPECT_EQ(ItemInError(refused), std::nullopt);
}

TEST_F(PutItem, TheConditionLooksAtTheOldItem) {
  Put("things", {{"pk", "a"}, {"n", 1}});
  EXPECT_TRUE(Succeeds(db().PutItem({.table_name = "things",
                                     .item = {{"pk", "a"}, {"n", 2}},
                                     .condition_expression = "n = :one",
                                     .expression_attribute_values = Map{{":one", 1}}})));
  EXPECT_EQ(Get("things", {{"pk", "a"}}), (Item{{"pk", "a"}, {"n", 2}}));
}

TEST_F(PutItemKeys, EqualNumbersAreOneKey) {
  MakeTable({.name = "things", .keys = "id:N"});
  Put("things", {{"id", N("1")}, {"v", "first"}});
  Put("things", {{"id", N("1.00")}, {"v", "second"}});
  Put("things", {{"id", N("100e-2")}, {"v", "third"}});
  EXPECT_EQ(ScanAll({.table_name = "things"}).size(), 1U);
  EXPECT_EQ(Get("things", {{"id", N("+1")}}), (Item{{"id", 1}, {"v", "third"}}));
}

TEST_F(PutItemKeys, StringsDifferByEveryByte) {
  MakeTable({.name = "things", .keys = "pk:S | sk:S"});
  const std::string zero(1, '\0');
  const std::vector<std::string> keys = {"a", "A", "a ", "a" + zero, "a" + zero + zero, "ab", "á"};
  for (const std::string& key : keys) {
    Put("things", {{"pk", key}, {"sk", "x"}});
    Put("things", {{"pk", "x"}, {"sk", key}});
  }
  EXPECT_EQ(ScanAll({.table_name = "things"}).size(), 2 * keys.size());
  for (const std::string& key : keys) {
    EXPECT_TRUE(Get("things", {{"pk", key}, {"sk", "x"}}).has_value());
    EXPECT_TRUE(Get("things", {{"pk", "x"}, {"sk", key}}).has_value());
  }
}

TEST_F(PutItemKeys, NeedsTheSortKeyToo) {
  MakeTable({.name = "things", .keys = "pk:S | sk:B"});
  EXPECT_TRUE(Refused(db().PutItem({.table_name = "things", .item = {{"pk", "a"}}}),
                      std::string(kInvalid) + "Missing the key sk in the item"));
  EXPECT_TRUE(Refused(
      db().PutItem({.table_name = "things", .item = {{"pk", "a"}, {"sk", Binary{""}}}}),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
      "contain an empty binary value. Key: sk"));
  EXPECT_TRUE(Refused(
      db().PutItem({.table_name = "things", .item = {{"pk", "a"}, {"sk", BinarySet{Binary{"a"}}}}}),
      std::string(kInvalid) + "Type mismatch for key sk expected: B actual: BS"));
}

TEST_F(PutItemKeys, ReportsCollectionMetricsOfTablesWithLocalIndexes) {
  MakeTable({.name = "plain", .keys = "pk:S | sk:S"});
  MakeTable({.name = "local", .keys = "pk:S | sk:S", .local = {{"by_l", "pk:S | l:S"}}});
  PutItemInput input{.table_name = "plain",
                     .item = {{"pk", "a"}, {"sk", "b"}},
                     .return_item_collection_metrics = ReturnItemCollectionMetrics::kSize};
  EXPECT_FALSE(Must(db().PutItem(input)).item_collection_metrics.has_value());
  input.table_name = "local";
  const auto metrics = Must(db().PutItem(input)).item_collection_metrics;
  ASSERT_TRUE(metrics.has_value());
  EXPECT_EQ(metrics->item_collection_key, (Item{{"pk", "a"}}));
  EXPECT_EQ(metrics->size_estimate_range_gb, (std::array<double, 2>{0, 1}));
}

}  // namespace
}  // namespace stator::contract
