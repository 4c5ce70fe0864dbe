// Consumed capacity of reads, as AWS bills it: a unit for each 4 KB begun, half of that for
// eventually consistent reads, double in transactions. Sizes are those before filter and
// projection.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

class ReadCapacity : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things",
               .keys = "pk:S | sk:N",
               .local = {{"by_l", "pk:S | l:N", KeysOnly()}},
               .global = {{"by_g", "g:S", KeysOnly()}}});
  }

  // An item of exactly that many bytes: "pk" and "a", "sk" and a one-digit number, "t" and text.
  void PutOf(std::size_t bytes, int sk = 1) {
    ASSERT_GE(bytes, 8U);
    Put("things", {{"pk", "a"}, {"sk", sk}, {"t", Text(bytes - 8)}});
  }

  [[nodiscard]] double GetUnits(bool consistent, int sk = 1) {
    return Must(db().GetItem({.table_name = "things",
                              .key = {{"pk", "a"}, {"sk", sk}},
                              .consistent_read = consistent,
                              .return_consumed_capacity = ReturnConsumedCapacity::kTotal}))
        .consumed_capacity.value_or(ConsumedCapacity{.table_name = ""})
        .capacity_units;
  }

  [[nodiscard]] static QueryInput All() {
    return {.table_name = "things",
            .key_condition_expression = "pk = :pk",
            .expression_attribute_values = Map{{":pk", "a"}},
            .return_consumed_capacity = ReturnConsumedCapacity::kTotal};
  }
  [[nodiscard]] ConsumedCapacity Units(const QueryInput& input) {
    return Must(db().Query(input)).consumed_capacity.value_or(ConsumedCapacity{.table_name = ""});
  }
};

TEST_F(ReadCapacity, IsNotToldUnlessAsked) {
  EXPECT_FALSE(Must(db().GetItem({.table_name = "things", .key = {{"pk", "a"}, {"sk", 1}}}))
                   .consumed_capacity.has_value());
}

TEST_F(ReadCapacity, OfGetItemGoesInStepsOfFourKilobytes) {
  PutOf(4096);
  EXPECT_EQ(GetUnits(true), 1);
  EXPECT_EQ(GetUnits(false), 0.5);
  PutOf(4097);
  EXPECT_EQ(GetUnits(true), 2);
  EXPECT_EQ(GetUnits(false), 1);
  PutOf(409'600);
  EXPECT_EQ(GetUnits(true), 100);
}

TEST_F(ReadCapacity, OfAMissIsOneStep) {
  EXPECT_EQ(GetUnits(true), 1);
  EXPECT_EQ(GetUnits(false), 0.5);
}

TEST_F(ReadCapacity, NamesTheTableAndItsPartsWhenAsked) {
  PutOf(100);
  const auto output =
      Must(db().GetItem({.table_name = "things",
                         .key = {{"pk", "a"}, {"sk", 1}},
                         .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}));
  EXPECT_EQ(output.consumed_capacity, (ConsumedCapacity{.table_name = "things",
                                                        .capacity_units = 0.5,
                                                        .table = Capacity{.capacity_units = 0.5}}));
}

TEST_F(ReadCapacity, OfAProjectionIsThatOfTheItem) {
  PutOf(9000);
  const auto output =
      Must(db().GetItem({.table_name = "things",
                         .key = {{"pk", "a"}, {"sk", 1}},
                         .consistent_read = true,
                         .projection_expression = "sk",
                         .return_consumed_capacity = ReturnConsumedCapacity::kTotal}));
  EXPECT_EQ(output.consumed_capacity->capacity_units, 3);
}

TEST_F(ReadCapacity, OfAQueryRoundsTheSumNotTheItems) {
  for (int sk = 1; sk <= 8; ++sk) {
    PutOf(1024, sk);
  }
  QueryInput input = All();
  EXPECT_EQ(Units(input).capacity_units, 1);
  input.consistent_read = true;
  EXPECT_EQ(Units(input).capacity_units, 2);
  input.filter_expression = "t = :pk";
  EXPECT_EQ(Units(input).capacity_units, 2) << "filtered items were read";
  input.filter_expression.reset();
  input.limit = 4;
  EXPECT_EQ(Units(input).capacity_units, 1);
}

TEST_F(ReadCapacity, OfAQueryThatFindsNothingIsOneStep) {
  EXPECT_EQ(Units(All()).capacity_units, 0.5);
}

TEST_F(ReadCapacity, OfAScanIsThatOfWhatItRead) {
  PutOf(4096, 1);
  PutOf(4096, 2);
  PutOf(100, 3);
  const auto output = Must(db().Scan(
      {.table_name = "things", .return_consumed_capacity = ReturnConsumedCapacity::kTotal}));
  EXPECT_EQ(output.consumed_capacity->capacity_units, 1.5);
}

TEST_F(ReadCapacity, OfAGlobalIndexIsTheIndexes) {
  Put("things", {{"pk", "a"}, {"sk", 1}, {"g", "x"}, {"t", Text(9000)}});
  const ConsumedCapacity units =
      Units({.table_name = "things",
             .index_name = "by_g",
             .key_condition_expression = "g = :g",
             .expression_attribute_values = Map{{":g", "x"}},
             .return_consumed_capacity = ReturnConsumedCapacity::kIndexes});
  EXPECT_EQ(units,
            (ConsumedCapacity{.table_name = "things",
                              .capacity_units = 0.5,
                              .table = Capacity{.capacity_units = 0},
                              .global_secondary_indexes = {{"by_g", {.capacity_units = 0.5}}}}));
}

TEST_F(ReadCapacity, OfAMissInAnIndexIsAboveZero) {
  const ConsumedCapacity units =
      Units({.table_name = "things",
             .index_name = "by_g",
             .key_condition_expression = "g = :g",
             .expression_attribute_values = Map{{":g", "x"}},
             .return_consumed_capacity = ReturnConsumedCapacity::kIndexes});
  EXPECT_EQ(units.capacity_units, 0.5);
  EXPECT_EQ(units.global_secondary_indexes.at("by_g").capacity_units, 0.5);
}

TEST_F(ReadCapacity, OfWhatALocalIndexFetchesIsTheTables) {
  for (int sk = 1; sk <= 2; ++sk) {
    Put("things", {{"pk", "a"}, {"sk", sk}, {"l", sk}, {"t", Text(5000)}});
  }
  QueryInput input = All();
  input.index_name = "by_l";
  input.return_consumed_capacity = ReturnConsumedCapacity::kIndexes;
  EXPECT_EQ(Units(input),
            (ConsumedCapacity{.table_name = "things",
                              .capacity_units = 0.5,
                              .table = Capacity{.capacity_units = 0},
                              .local_secondary_indexes = {{"by_l", {.capacity_units = 0.5}}}}));
  input.select = Select::kAllAttributes;
  EXPECT_EQ(Units(input),
            (ConsumedCapacity{.table_name = "things",
                              .capacity_units = 2.5,
                              .table = Capacity{.capacity_units = 2},
                              .local_secondary_indexes = {{"by_l", {.capacity_units = 0.5}}}}));
}

TEST_F(ReadCapacity, OfABatchCountsEachKeyAlsoMisses) {
  MakeTable({.name = "others", .keys = "id:N"});
  PutOf(5000, 1);
  PutOf(100, 2);
  const auto output =
      Must(db().BatchGetItem({.request_items = {{"things",
                                                 {.keys = {{{"pk", "a"}, {"sk", 1}},
                                                           {{"pk", "a"}, {"sk", 2}},
                                                           {{"pk", "a"}, {"sk", 3}}},
                                                  .consistent_read = true}},
                                                {"others", {.keys = {{{"id", 1}}}}}},
                              .return_consumed_capacity = ReturnConsumedCapacity::kTotal}));
  EXPECT_THAT(output.consumed_capacity,
              testing::UnorderedElementsAre(
                  ConsumedCapacity{.table_name = "things", .capacity_units = 4},
                  ConsumedCapacity{.table_name = "others", .capacity_units = 0.5}));
}

TEST_F(ReadCapacity, OfATransactionIsDouble) {
  PutOf(5000, 1);
  const auto output = Must(db().TransactGetItems(
      {.transact_items = {{.table_name = "things", .key = {{"pk", "a"}, {"sk", 1}}},
                          {.table_name = "things", .key = {{"pk", "a"}, {"sk", 9}}}},
       .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}));
  EXPECT_EQ(output.consumed_capacity,
            (std::vector<ConsumedCapacity>{
                {.table_name = "things",
                 .capacity_units = 6,
                 .read_capacity_units = 6,
                 .table = Capacity{.capacity_units = 6, .read_capacity_units = 6}}}));
}

}  // namespace
}  // namespace stator::contract
