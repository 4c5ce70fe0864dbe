// BatchGetItem.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::UnorderedElementsAre;
using testing::UnorderedElementsAreArray;

class BatchGetItem : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S"});
    MakeTable({.name = "others", .keys = "id:N"});
  }
};

TEST_F(BatchGetItem, ReadsItemsOfSeveralTables) {
  Put("things", {{"pk", "a"}, {"v", 1}});
  Put("things", {{"pk", "b"}, {"v", 2}});
  Put("others", {{"id", 1}});
  const auto output = Must(db().BatchGetItem(
      {.request_items = {{"things", {.keys = {{{"pk", "a"}}, {{"pk", "b"}}, {{"pk", "missing"}}}}},
                         {"others", {.keys = {{{"id", 1}}}, .consistent_read = true}}}}));
  EXPECT_THAT(output.responses.at("things"),
              UnorderedElementsAre(Item{{"pk", "a"}, {"v", 1}}, Item{{"pk", "b"}, {"v", 2}}));
  EXPECT_THAT(output.responses.at("others"), UnorderedElementsAre(Item{{"id", 1}}));
  EXPECT_TRUE(output.unprocessed_keys.empty());
}

TEST_F(BatchGetItem, ATableOfMissesHasAnEmptyAnswer) {
  const auto output =
      Must(db().BatchGetItem({.request_items = {{"things", {.keys = {{{"pk", "missing"}}}}}}}));
  ASSERT_TRUE(output.responses.contains("things"));
  EXPECT_TRUE(output.responses.at("things").empty());
}

TEST_F(BatchGetItem, ProjectsPerTable) {
  Put("things", {{"pk", "a"}, {"v", 1}, {"w", 2}});
  Put("others", {{"id", 1}, {"v", 3}, {"w", 4}});
  const auto output = Must(db().BatchGetItem(
      {.request_items = {{"things",
                          {.keys = {{{"pk", "a"}}},
                           .projection_expression = "#v",
                           .expression_attribute_names = AttributeNames{{"#v", "v"}}}},
                         {"others", {.keys = {{{"id", 1}}}, .projection_expression = "w"}}}}));
  EXPECT_EQ(output.responses.at("things"), (std::vector<Item>{{{"v", 1}}}));
  EXPECT_EQ(output.responses.at("others"), (std::vector<Item>{{{"w", 4}}}));
}

TEST_F(BatchGetItem, TakesAHundredKeysAndNoMore) {
  std::vector<Item> keys;
  for (int number = 0; number < 100; ++number) {
    keys.push_back({{"pk", std::to_string(number)}});
    Put("things", keys.back());
  }
  const auto output = Must(db().BatchGetItem({.request_items = {{"things", {.keys = keys}}}}));
  EXPECT_THAT(output.responses.at("things"), UnorderedElementsAreArray(keys));
  keys.push_back({{"pk", "100"}});
  EXPECT_TRUE(FailsWith(db().BatchGetItem({.request_items = {{"things", {.keys = keys}}}}),
                        ErrorCode::kValidation));
  keys.pop_back();
  EXPECT_TRUE(Refused(db().BatchGetItem({.request_items = {{"things", {.keys = keys}},
                                                           {"others", {.keys = {{{"id", 1}}}}}}}),
                      "Too many items requested for the BatchGetItem call"));
}

TEST_F(BatchGetItem, LeavesWhatIsBeyondSixteenMegabytes) {
  std::vector<Item> keys;
  for (int number = 0; number < 50; ++number) {
    keys.push_back({{"pk", std::to_string(number)}});
    Put("things", {{"pk", std::to_string(number)}, {"text", Text(400'000)}});
  }
  BatchGetItemInput input{.request_items = {{"things", {.keys = keys, .consistent_read = true}}}};
  std::size_t read = 0;
  int rounds = 0;
  for (; !input.request_items.empty() && rounds < 10; ++rounds) {
    const auto output = Must(db().BatchGetItem(input));
    read += output.responses.at("things").size();
    input.request_items = output.unprocessed_keys;
    if (rounds == 0) {
      EXPECT_LE(read * 400'000, 16U * 1024 * 1024);
      ASSERT_FALSE(output.unprocessed_keys.empty());
      EXPECT_TRUE(output.unprocessed_keys.at("things").consistent_read);
    }
  }
  EXPECT_EQ(read, 50U);
  EXPECT_EQ(rounds, 2);
}

TEST_F(BatchGetItem, RefusesAKeyTwice) {
  EXPECT_TRUE(Refused(
      db().BatchGetItem({.request_items = {{"things", {.keys = {{{"pk", "a"}}, {{"pk", "a"}}}}}}}),
      "Provided list of item keys contains duplicates"));
}

TEST_F(BatchGetItem, RefusesEqualNumbersAsKeysToo) {
  EXPECT_TRUE(
      Refused(db().BatchGetItem(
                  {.request_items = {{"others", {.keys = {{{"id", 1}}, {{"id", N("1.0")}}}}}}}),
              "Provided list of item keys contains duplicates"));
}

TEST_F(BatchGetItem, RefusesKeysThatDoNotFitTheSchema) {
  EXPECT_TRUE(Refused(
      db().BatchGetItem({.request_items = {{"things", {.keys = {{{"pk", "a"}}, {{"id", 1}}}}}}}),
      "The provided key element does not match the schema"));
}

TEST_F(BatchGetItem, RefusesToReadNothing) {
  EXPECT_TRUE(FailsWith(db().BatchGetItem({.request_items = {}}), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(db().BatchGetItem({.request_items = {{"things", {.keys = {}}}}}),
                        ErrorCode::kValidation));
}

TEST_F(BatchGetItem, SaysWhenThereIsNoTable) {
  EXPECT_TRUE(Fails(db().BatchGetItem({.request_items = {{"things", {.keys = {{{"pk", "a"}}}}},
                                                         {"nothing", {.keys = {{{"pk", "a"}}}}}}}),
                    ErrorCode::kTableNotFound, "Requested resource not found"));
}

TEST_F(BatchGetItem, RefusesBothFormsOfProjection) {
  EXPECT_TRUE(
      FailsWith(db().BatchGetItem(
                    {.request_items = {{"things",
                                        {.keys = {{{"pk", "a"}}},
                                         .projection_expression = "v",
                                         .attributes_to_get = std::vector<std::string>{"v"}}}}}),
                ErrorCode::kValidation));
}

}  // namespace
}  // namespace stator::contract
