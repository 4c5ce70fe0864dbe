// Global indexes whose keys have up to four partition and four sort attributes.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

class MultiAttributeIndex : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "games",
               .keys = "id:S",
               .global = {{"rounds", "area:S year:N | round:S seed:N tag:B"}}});
    Add("1", "EU", 2026, "final", 1, "a");
    Add("2", "EU", 2026, "final", 2, "a");
    Add("3", "EU", 2026, "semi", 1, "a");
    Add("4", "EU", 2026, "semi", 1, "b");
    Add("5", "EU", 2025, "final", 1, "a");
    Add("6", "US", 2026, "final", 1, "a");
    Put("games", {{"id", "7"}, {"area", "EU"}, {"year", 2026}, {"round", "final"}});
  }

  void Add(const char* id, const char* area, int year, const char* round, int seed,
           const char* tag) {
    Put("games", {{"id", id},
                  {"area", area},
                  {"year", year},
                  {"round", round},
                  {"seed", seed},
                  {"tag", Binary{tag}}});
  }

  [[nodiscard]] QueryInput Where(const std::string& condition, Map values) {
    values.Set(":r", "EU");
    values.Set(":y", 2026);
    return {.table_name = "games",
            .index_name = "rounds",
            .key_condition_expression = "area = :r AND #y = :y" + condition,
            .expression_attribute_names = AttributeNames{{"#y", "year"}},
            .expression_attribute_values = std::move(values)};
  }

  [[nodiscard]] std::string Ids(const QueryInput& input) {
    std::string ids;
    for (const Item& item : QueryAll(input)) {
      ids += *item.at("id").If<std::string>();
    }
    return ids;
  }
};

TEST_F(MultiAttributeIndex, FindsByThePartitionAttributesTogether) {
  EXPECT_EQ(Ids(Where("", {})), "1234");
}

TEST_F(MultiAttributeIndex, ComparesSortAttributesFromTheLeft) {
  EXPECT_EQ(Ids(Where(" AND round = :v", {{":v", "semi"}})), "34");
  EXPECT_EQ(Ids(Where(" AND round = :v AND seed > :s", {{":v", "final"}, {":s", 1}})), "2");
  EXPECT_EQ(Ids(Where(" AND round = :v AND seed = :s AND tag = :t",
                      {{":v", "semi"}, {":s", 1}, {":t", Binary{"b"}}})),
            "4");
  EXPECT_EQ(Ids(Where(" AND begins_with(round, :v)", {{":v", "f"}})), "12");
  EXPECT_EQ(Ids(Where(" AND round = :v AND seed BETWEEN :s AND :u",
                      {{":v", "final"}, {":s", 1}, {":u", 2}})),
            "12");
}

TEST_F(MultiAttributeIndex, OrdersByTheSortAttributesInTurn) {
  QueryInput input = Where("", {});
  input.scan_index_forward = false;
  EXPECT_EQ(Ids(input), "4321");
}

TEST_F(MultiAttributeIndex, PagesInBothDirections) {
  QueryInput input = Where("", {});
  for (const std::int32_t limit : {1, 2, 3}) {
    input.limit = limit;
    input.scan_index_forward = true;
    EXPECT_EQ(Ids(input), "1234");
    input.scan_index_forward = false;
    EXPECT_EQ(Ids(input), "4321");
  }
}

TEST_F(MultiAttributeIndex, ItsLastKeyHasEveryKeyAttribute) {
  QueryInput input = Where("", {});
  input.limit = 1;
  EXPECT_EQ(Must(db().Query(input)).last_evaluated_key, (Item{{"id", "1"},
                                                              {"area", "EU"},
                                                              {"year", 2026},
                                                              {"round", "final"},
                                                              {"seed", 1},
                                                              {"tag", Binary{"a"}}}));
}

TEST_F(MultiAttributeIndex, HoldsOnlyItemsWithAllItsKeys) {
  EXPECT_EQ(ScanAll({.table_name = "games", .index_name = "rounds"}).size(), 6U);
}

TEST_F(MultiAttributeIndex, NeedsEveryPartitionAttribute) {
  EXPECT_TRUE(FailsWith(db().Query({.table_name = "games",
                                    .index_name = "rounds",
                                    .key_condition_expression = "area = :r",
                                    .expression_attribute_values = Map{{":r", "EU"}}}),
                        ErrorCode::kValidation));
}

TEST_F(MultiAttributeIndex, DoesNotSkipSortAttributes) {
  EXPECT_TRUE(FailsWith(db().Query(Where(" AND seed = :s", {{":s", 1}})), ErrorCode::kValidation));
  EXPECT_TRUE(
      FailsWith(db().Query(Where(" AND round > :v AND seed = :s", {{":v", "a"}, {":s", 1}})),
                ErrorCode::kValidation));
}

TEST_F(MultiAttributeIndex, IsDescribedWithAllItsKeys) {
  EXPECT_EQ(Describe("games").global_secondary_indexes->at(0).key_schema,
            KeySchema("area:S year:N | round:S seed:N tag:B"));
}

TEST_F(MultiAttributeIndex, RefusesAWrongTypeInAnyOfItsKeys) {
  EXPECT_TRUE(Refused(db().PutItem({.table_name = "games", .item = {{"id", "8"}, {"seed", "1"}}}),
                      "One or more parameter values were invalid: Type mismatch for Index Key seed "
                      "Expected: N Actual: S IndexName: rounds"));
}

TEST_F(MultiAttributeIndex, HasUpToFourOfEachKind) {
  MakeTable(
      {.name = "four", .keys = "id:S", .global = {{"wide", "a:S b:S c:S d:S | e:N f:N g:N h:N"}}});
  EXPECT_TRUE(
      FailsWith(db().CreateTable(TableInput(
                    {.name = "five", .keys = "id:S", .global = {{"wide", "a:S b:S c:S d:S e:S"}}})),
                ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(
      db().CreateTable(TableInput(
          {.name = "five", .keys = "id:S", .global = {{"wide", "a:S | b:S c:S d:S e:S f:S"}}})),
      ErrorCode::kValidation));
}

TEST_F(MultiAttributeIndex, IsForGlobalIndexesOnly) {
  EXPECT_TRUE(FailsWith(db().CreateTable(TableInput({.name = "table", .keys = "a:S b:S | c:S"})),
                        ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(
      db().CreateTable(
          TableInput({.name = "local", .keys = "a:S | b:S", .local = {{"wide", "a:S | c:S d:S"}}})),
      ErrorCode::kValidation));
}

}  // namespace
}  // namespace stator::contract
