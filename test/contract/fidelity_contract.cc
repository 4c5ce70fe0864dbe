// What suites that ran against the service have on record and no other file of this folder has:
// behaviour at the edges, and which of several faults is reported.

#include "contract/contract_test.h"
#include "contract/enveloped.h"

namespace stator::contract {
namespace {

using testing::SizeIs;
using Updates = std::vector<GlobalSecondaryIndexUpdate>;

const char* const kEmptyKey =
    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
    "contain an empty string value. Key: pk";

class Fidelity : public ContractTest {
 protected:
  void SetUp() override { MakeTable({.name = "things", .keys = "pk:S"}); }

  [[nodiscard]] Result<UpdateItemOutput> Update(const std::string& expression, Map values) {
    return db().UpdateItem(
        {.table_name = "things",
         .key = {{"pk", "a"}},
         .update_expression = expression,
         .expression_attribute_values = values.empty() ? std::nullopt : std::optional(values)});
  }
  [[nodiscard]] Result<TransactWriteItemsOutput> Write(std::vector<TransactWriteItem> actions) {
    return db().TransactWriteItems({.transact_items = std::move(actions)});
  }
  // Why a transaction of one action was canceled.
  [[nodiscard]] static std::string ReasonOf(const Result<TransactWriteItemsOutput>& result) {
    const std::vector<CancellationReason> reasons = ReasonsIn(result);
    return reasons.size() == 1 ? reasons[0].code : "none";
  }
};

TEST_F(Fidelity, AnUpdateReadsTheKeyOfTheItemThatItMakes) {
  ASSERT_TRUE(Succeeds(Update("SET b = pk, c = if_not_exists(d, pk)", {})));
  EXPECT_EQ(Get("things", {{"pk", "a"}}), (Item{{"pk", "a"}, {"b", "a"}, {"c", "a"}}));
}

TEST_F(Fidelity, ASumOfTooManyDigitsIsAnOverflow) {
  ASSERT_TRUE(Succeeds(Update("SET n = :n", {{":n", N("1e50")}})));
  EXPECT_TRUE(Refused(Update("SET n = n - :one", {{":one", 1}}),
                      "Number overflow. Attempting to store a number with magnitude larger than "
                      "supported range"));
}

TEST_F(Fidelity, AStatementIsBoundedAsWellAsItsItem) {
  // The item is 409,600 bytes: pk + a, then v with the rest.
  const std::size_t most = 409'600 - 3 - 1;
  EXPECT_TRUE(Fails(Update("SET v = :v", {{":v", Text(most)}}), ErrorCode::kTooLarge,
                    "Item size to update has exceeded the maximum allowed size"));
  EXPECT_TRUE(Fails(Update("SET v = :v", {{":v", Text(409'600 - 3 - 19)}}), ErrorCode::kTooLarge,
                    "Item size to update has exceeded the maximum allowed size"));
  EXPECT_TRUE(Succeeds(Update("SET v = :v", {{":v", Text(409'600 - 3 - 19 - 1)}})));
  EXPECT_TRUE(Fails(Update("SET v = :v REMOVE w", {{":v", Text(409'600 - 3 - 19 - 1)}}),
                    ErrorCode::kTooLarge,
                    "Item size to update has exceeded the maximum allowed size"));
}

TEST_F(Fidelity, ATransactionIsBoundedByItsItemsAlone) {
  EXPECT_TRUE(
      Succeeds(Write({TransactUpdate{.table_name = "things",
                                     .key = {{"pk", "a"}},
                                     .update_expression = "SET v = :v",
                                     .expression_attribute_values = Map{{":v", Text(409'596)}}}})));
}

TEST_F(Fidelity, AnEmptyKeyRefusesATransactionBeforeAnythingIsDecided) {
  EXPECT_TRUE(Refused(Write({TransactPut{.table_name = "things", .item = {{"pk", 1}}},
                             TransactDelete{.table_name = "things", .key = {{"pk", ""}}}}),
                      kEmptyKey));
  EXPECT_TRUE(Refused(
      db().TransactGetItems({.transact_items = {{.table_name = "things", .key = {{"pk", ""}}}}}),
      kEmptyKey));
}

TEST_F(Fidelity, TheFirstFaultyActionIsReportedWhateverItsFault) {
  AttributeValue deep = 1;
  for (int level = 0; level < 40; ++level) {
    deep = Map{{"n", std::move(deep)}};
  }
  const TransactPut too_deep{.table_name = "none", .item = {{"pk", "a"}, {"d", deep}}};
  const TransactPut no_name{.table_name = "none", .item = {{"pk", "b"}, {"", 1}}};
  const TransactConditionCheck no_syntax{
      .table_name = "none", .key = {{"pk", "c"}}, .condition_expression = "a = = b"};
  const char* const nesting =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit";
  const char* const syntax =
      "Invalid ConditionExpression: Syntax error; token: \"=\", near: \"= = b\"";
  EXPECT_TRUE(Refused(Write({too_deep, no_name, no_syntax}), nesting));
  EXPECT_TRUE(Refused(Write({no_name, no_syntax, too_deep}), "Empty attribute name"));
  EXPECT_TRUE(Refused(Write({no_syntax, too_deep, no_name}), syntax));
}

// The words of most regions, whose validator of transactions is the one before.
TEST_F(Fidelity, ATransactionMayCompareWithWhatItMayNotWrite) {
  const auto nested = [](int levels) {
    AttributeValue value = "x";
    for (int level = 0; level < levels; ++level) {
      value = Map{{"n", std::move(value)}};
    }
    return value;
  };
  const std::string nesting =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit";
  const auto check = [&](int levels) {
    return Write(
        {TransactConditionCheck{.table_name = "things",
                                .key = {{"pk", "a"}},
                                .condition_expression = "b = :v",
                                .expression_attribute_values = Map{{":v", nested(levels)}}}});
  };
  EXPECT_EQ(ReasonOf(check(32)), "ConditionalCheckFailed");
  EXPECT_TRUE(Refused(
      check(33), "ExpressionAttributeValues contains invalid value: " + nesting + " for key :v"));
  EXPECT_EQ(
      ReasonOf(Write({TransactUpdate{.table_name = "things",
                                     .key = {{"pk", "a"}},
                                     .update_expression = "SET b = :v",
                                     .expression_attribute_values = Map{{":v", nested(32)}}}})),
      "ValidationError");
  EXPECT_EQ(Get("things", {{"pk", "a"}}), std::nullopt);
}

TEST_F(Fidelity, AProjectionOfNothingOmitsTheItemOfATransaction) {
  Put("things", {{"pk", "a"}, {"b", 1}});
  const auto output = Must(db().TransactGetItems(
      {.transact_items = {
           {.table_name = "things", .key = {{"pk", "a"}}, .projection_expression = "absent"}}}));
  ASSERT_THAT(output.responses, SizeIs(1));
  EXPECT_EQ(output.responses[0], std::nullopt);
}

TEST_F(Fidelity, ABatchWordsItsKeysAsKeys) {
  const auto put = [&](Item item) {
    return db().BatchWriteItem({.request_items = {{"things", {PutRequest{std::move(item)}}}}});
  };
  const char* const mismatch = "The provided key element does not match the schema";
  EXPECT_TRUE(Refused(put({{"pk", 5}}), mismatch));
  EXPECT_TRUE(Refused(put({{"other", 5}}), mismatch));
  EXPECT_TRUE(Refused(put({{"pk", List{"x"}}}), mismatch));
  EXPECT_TRUE(Refused(put({{"pk", ""}}), kEmptyKey));
}

TEST_F(Fidelity, ABatchFindsDuplicatesBeforeTheTable) {
  EXPECT_TRUE(Refused(
      db().BatchGetItem({.request_items = {{"none", {.keys = {{{"pk", "a"}}, {{"pk", "a"}}}}}}}),
      "Provided list of item keys contains duplicates"));
}

TEST_F(Fidelity, ABatchHasOneKindOfProjection) {
  MakeTable({.name = "others", .keys = "pk:S"});
  EXPECT_TRUE(FailsWith(
      db().BatchGetItem(
          {.request_items = {{"things", {.keys = {{{"pk", "a"}}}, .projection_expression = "a"}},
                             {"others",
                              {.keys = {{{"pk", "a"}}},
                               .attributes_to_get = std::vector<std::string>{"a"}}}}}),
      ErrorCode::kValidation));
}

TEST_F(Fidelity, NothingIsBehindTheOnlyItemOfAPartition) {
  Put("things", {{"pk", "a"}});
  const QueryInput query{.table_name = "things",
                         .key_condition_expression = "pk = :p",
                         .expression_attribute_values = Map{{":p", "a"}},
                         .limit = 1};
  EXPECT_EQ(Must(db().Query(query)).last_evaluated_key, std::nullopt);
  QueryInput behind = query;
  behind.exclusive_start_key = Item{{"pk", "a"}};
  EXPECT_TRUE(Refused(db().Query(behind),
                      "The provided exclusive start key is invalid: ExclusiveStartKey: "
                      "{\"pk\":{\"S\":\"a\"}}"));
}

TEST_F(Fidelity, AConditionTooManyIsCounted) {
  EXPECT_TRUE(Refused(
      db().Query({.table_name = "things",
                  .key_condition_expression = "pk = :p AND b = :p AND c = :p",
                  .expression_attribute_values = Map{{":p", "a"}}}),
      "The number of query conditions (3) exceeds the number of key attributes defined in the "
      "schema (1)"));
}

TEST_F(Fidelity, NamesOfAttributesAreBoundedWhereverTheyStand) {
  EXPECT_TRUE(Refused(db().GetItem({.table_name = "things",
                                    .key = {{"pk", "a"}},
                                    .attributes_to_get = std::vector{Text(65'536)}}),
                      "Attribute name is too large, must be less than 65536 bytes"));
}

TEST_F(Fidelity, ABadIndexKeyNamesTheFirstIndexOfTheAlphabet) {
  MakeTable({.name = "indexed",
             .keys = "pk:S | sk:S",
             .local = {{"lsi1", "pk:S | x:S"}},
             .global = {{"gsi1", "x:S"}}});
  EXPECT_TRUE(Refused(
      db().PutItem({.table_name = "indexed", .item = {{"pk", "a"}, {"sk", "b"}, {"x", 5}}}),
      "One or more parameter values were invalid: Type mismatch for Index Key x Expected: S "
      "Actual: N IndexName: gsi1"));
}

TEST_F(Fidelity, AComputedIndexKeyOfAnotherTypeHasWordsOfItsOwn) {
  MakeTable({.name = "indexed", .keys = "pk:S", .global = {{"gsi1", "x:S"}}});
  Put("indexed", {{"pk", "a"}, {"n", 5}});
  EXPECT_TRUE(Refused(
      db().UpdateItem(
          {.table_name = "indexed", .key = {{"pk", "a"}}, .update_expression = "SET x = n"}),
      "The update expression attempted to update the secondary index key to unsupported type"));
}

TEST_F(Fidelity, ANewIndexDefinesAllOfItsKeys) {
  EXPECT_TRUE(FailsWith(db().UpdateTable({.table_name = "things",
                                          .attribute_definitions = Definitions("g:S"),
                                          .global_secondary_index_updates =
                                              Updates{GlobalIndex({"by_g", "g:S | pk:S"})}}),
                        ErrorCode::kValidation));
  EXPECT_TRUE(Refused(
      db().UpdateTable({.table_name = "things",
                        .attribute_definitions = Definitions("pk:N"),
                        .global_secondary_index_updates = Updates{GlobalIndex({"by_pk", "pk:N"})}}),
      "One or more parameter values were invalid: Attributes cannot be redefined. Please check "
      "that your attribute has the same type as previously defined. Existing schema: "
      "Schema:[SchemaElement: key{pk:S:HASH}] New schema: Schema:[SchemaElement: key{pk:N:HASH}]"));
}

TEST_F(Fidelity, AnAttributeIsProjectedOnce) {
  auto input = TableInput(
      {.name = "twice", .keys = "pk:S", .global = {{"by_g", "g:S", Include({"a", "a"})}}});
  EXPECT_TRUE(FailsWith(db().CreateTable(input), ErrorCode::kValidation));
}

TEST_F(Fidelity, AStreamHasAnArn) {
  const std::string no_arn = "things/stream/2026-11-15T22:46:39.024-and-more";
  EXPECT_TRUE(FailsWith(db().DescribeStream({.stream_arn = no_arn}), ErrorCode::kValidation));
  EXPECT_TRUE(
      FailsWith(db().ListStreams({.exclusive_start_stream_arn = no_arn}), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(db().GetShardIterator({.stream_arn = no_arn,
                                               .shard_id = "shardId-00000000000000000000-00000000",
                                               .shard_iterator_type = ShardIteratorType::kLatest}),
                        ErrorCode::kValidation));
}

TEST_F(Fidelity, RequestsAreRefusedInTheirEnvelope) {
  EXPECT_TRUE(RefusedAtOnce(
      db().PutItem({.table_name = "", .item = {{"pk", "a"}}}),
      "Value at 'TableName' failed to satisfy constraint: Member must have length greater than or "
      "equal to 1"));
  EXPECT_TRUE(
      RefusedAtOnce(db().DeleteItem({.table_name = "things",
                                     .key = {{"pk", "a"}},
                                     .expression_attribute_values = Map{{":v", 1}}}),
                    "ExpressionAttributeValues can only be specified when using expressions"));
  EXPECT_TRUE(RefusedAtOnce(Update("SET a = :v", {}),
                            "Invalid UpdateExpression: An expression attribute value used in "
                            "expression is not defined; attribute value: :v"));
  EXPECT_TRUE(Refused(
      db().GetItem({.table_name = "things", .key = {{"pk", "a"}}, .projection_expression = ""}),
      "Invalid ProjectionExpression: The expression can not be empty;"));
}

TEST_F(Fidelity, TagsAreOfAFewCharactersAndAtMostFifty) {
  const std::string arn = Describe("things").table_arn;
  const auto tag = [&](const std::string& of, const std::string& key) {
    return db().TagResource({.resource_arn = of, .tags = {{.key = key, .value = "v"}}});
  };
  EXPECT_TRUE(Succeeds(tag(arn, "a b+-=._:/9")));
  EXPECT_TRUE(FailsWith(tag(arn, "a!"), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(tag("things", "a"), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(tag("arn:aws:dynamodb:us-east-1:999999999999:table/things", "a"),
                        ErrorCode::kAccessDenied));
  EXPECT_TRUE(Fails(db().UntagResource({.resource_arn = arn + "2", .tag_keys = {"a"}}),
                    ErrorCode::kResourceNotFound, "Requested resource not found"));
  CreateTableInput input = TableInput({.name = "tagged", .keys = "pk:S"});
  input.tags.emplace();
  for (int number = 0; number < 51; ++number) {
    input.tags->push_back({.key = "key" + std::to_string(number), .value = "v"});
  }
  EXPECT_TRUE(FailsWith(db().CreateTable(input), ErrorCode::kValidation));
}

}  // namespace
}  // namespace stator::contract
