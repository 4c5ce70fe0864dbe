// Policies of entities whose partitions belong to owners: callers reach their own and no others, by
// every operation, whether it names the partition in a key, an item or a condition.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stator/provision/policy.h"
#include "support/limited_server.h"

namespace stator::provision {
namespace {

constexpr const char* kTable = "letters";

class OwnerPolicy : public testing::Test {
 protected:
  OwnerPolicy() {
    const TableSpec spec{.name = kTable,
                         .keys = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
                         .attributes = {{"pk", ScalarAttributeType::kString},
                                        {"sk", ScalarAttributeType::kString},
                                        {"box", ScalarAttributeType::kString}},
                         .global_indexes = {{.index_name = "by_box",
                                             .key_schema = {{"box", KeyType::kHash}},
                                             .projection = {ProjectionType::kAll}}},
                         .recovery = {.enabled = false},
                         .deletion_protection = false};
    EXPECT_TRUE(EnsureTable(server_.admin(), spec, EnsureMode::kCreate).has_value());
    server_.Settle();
    for (const char* owner : {"OWNER#ann", "OWNER#ben"}) {
      EXPECT_TRUE(server_.admin().PutItem(
          {.table_name = kTable, .item = {{"pk", owner}, {"sk", "1"}, {"box", owner}}}));
    }
  }

  static Item Key(const std::string& owner, const std::string& number = "1") {
    return {{"pk", "OWNER#" + owner}, {"sk", number}};
  }
  static Item Letter(const std::string& owner, const std::string& number) {
    Item item = Key(owner, number);
    item.Set("words", "hello");
    return item;
  }

  // Whether somebody may do it with the partition of that owner.
  template <class Use>
  void ExpectOwnOnly(const char* what, Use use) {
    const auto own = use(std::string("ann"));
    EXPECT_TRUE(own.has_value()) << what << ": " << own.error().message;
    const auto foreign = use(std::string("ben"));
    ASSERT_FALSE(foreign.has_value()) << what;
    EXPECT_EQ(foreign.error().code, ErrorCode::kAccessDenied) << what;
  }

  support::LimitedServer server_{
      MakePolicy({{.table_arn = TableArn(kTable, "us-east-1", "000000000000"),
                   .actions = {"GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query",
                               "BatchGetItem", "BatchWriteItem", "ConditionCheckItem"},
                   .queried_indexes = {"by_box"},
                   .leading_key = "OWNER#${aws:PrincipalTag/owner}"}}),
      {{"aws:PrincipalTag/owner", "ann"}}};
  Database& limited_ = server_.limited();
};

TEST_F(OwnerPolicy, HoldsForItems) {
  ExpectOwnOnly("GetItem", [&](const std::string& owner) {
    return limited_.GetItem({.table_name = kTable, .key = Key(owner)});
  });
  ExpectOwnOnly("PutItem", [&](const std::string& owner) {
    return limited_.PutItem({.table_name = kTable, .item = Letter(owner, "2")});
  });
  ExpectOwnOnly("UpdateItem", [&](const std::string& owner) {
    return limited_.UpdateItem(
        {.table_name = kTable, .key = Key(owner), .update_expression = "REMOVE words"});
  });
  ExpectOwnOnly("DeleteItem", [&](const std::string& owner) {
    return limited_.DeleteItem({.table_name = kTable, .key = Key(owner, "2")});
  });
}

TEST_F(OwnerPolicy, HoldsForQueriesOfTablesAndIndexes) {
  ExpectOwnOnly("Query", [&](const std::string& owner) {
    return limited_.Query(
        {.table_name = kTable,
         .key_condition_expression = "begins_with(sk, :s) AND (#p = :p)",
         .expression_attribute_names = {{{"#p", "pk"}}},
         .expression_attribute_values = Map{{":p", "OWNER#" + owner}, {":s", "1"}}});
  });
  ExpectOwnOnly("Query of an index", [&](const std::string& owner) {
    return limited_.Query({.table_name = kTable,
                           .index_name = "by_box",
                           .key_condition_expression = "box = :b",
                           .expression_attribute_values = Map{{":b", "OWNER#" + owner}}});
  });
  ExpectOwnOnly("Query of the old form", [&](const std::string& owner) {
    return limited_.Query({.table_name = kTable,
                           .key_conditions = Conditions{
                               {"pk",
                                {.comparison_operator = ComparisonOperator::kEq,
                                 .attribute_value_list = {{AttributeValue("OWNER#" + owner)}}}}}});
  });
}

// One foreign partition among many is enough.
TEST_F(OwnerPolicy, HoldsForEveryPartOfBatchesAndTransactions) {
  ExpectOwnOnly("BatchGetItem", [&](const std::string& owner) {
    return limited_.BatchGetItem(
        {.request_items = {{kTable, {.keys = {Key("ann", "7"), Key(owner)}}}}});
  });
  ExpectOwnOnly("BatchWriteItem", [&](const std::string& owner) {
    return limited_.BatchWriteItem(
        {.request_items = {
             {kTable, {PutRequest{Letter("ann", "8")}, DeleteRequest{Key(owner, "9")}}}}});
  });
  ExpectOwnOnly("TransactGetItems", [&](const std::string& owner) {
    return limited_.TransactGetItems(
        {.transact_items = {{.table_name = kTable, .key = Key("ann")},
                            {.table_name = kTable, .key = Key(owner, "9")}}});
  });
  ExpectOwnOnly("TransactWriteItems", [&](const std::string& owner) {
    return limited_.TransactWriteItems(
        {.transact_items = {TransactPut{.table_name = kTable, .item = Letter("ann", "5")},
                            TransactDelete{.table_name = kTable, .key = Key(owner, "6")}}});
  });
}

TEST_F(OwnerPolicy, TellsNothingOfTablesThatAreNotThere) {
  const auto missing = limited_.GetItem({.table_name = "missing", .key = Key("ann")});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kAccessDenied);
}

}  // namespace
}  // namespace stator::provision
