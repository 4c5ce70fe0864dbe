// Consumed capacity of writes, as AWS bills it: a unit for each KB begun of the larger of the item
// before and after, for the table and for each index that changes; double in transactions.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

class WriteCapacity : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "plain", .keys = "pk:S"});
    MakeTable({.name = "indexed",
               .keys = "pk:S | sk:N",
               .local = {{"by_l", "pk:S | l:N", KeysOnly()}},
               .global = {{"by_g", "g:S", Include({"v"})}}});
  }

  // An item of exactly that many bytes: "pk" and "a", "t" and text.
  [[nodiscard]] static Item Sized(std::size_t bytes) {
    return {{"pk", "a"}, {"t", Text(bytes - 4)}};
  }

  [[nodiscard]] double PutUnits(const Item& item) {
    return Must(db().PutItem({.table_name = "plain",
                              .item = item,
                              .return_consumed_capacity = ReturnConsumedCapacity::kTotal}))
        .consumed_capacity->capacity_units;
  }

  [[nodiscard]] ConsumedCapacity IndexedPut(Item rest) {
    rest.Set("pk", "a");
    rest.Set("sk", 1);
    return *Must(db().PutItem({.table_name = "indexed",
                               .item = rest,
                               .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}))
                .consumed_capacity;
  }

  [[nodiscard]] static ConsumedCapacity Expected(double table, std::optional<double> local,
                                                 std::optional<double> global) {
    ConsumedCapacity capacity{.table_name = "indexed",
                              .capacity_units = table + local.value_or(0) + global.value_or(0),
                              .table = Capacity{.capacity_units = table}};
    if (local) {
      capacity.local_secondary_indexes["by_l"] = Capacity{.capacity_units = *local};
    }
    if (global) {
      capacity.global_secondary_indexes["by_g"] = Capacity{.capacity_units = *global};
    }
    return capacity;
  }
};

TEST_F(WriteCapacity, OfAPutGoesInStepsOfAKilobyte) {
  EXPECT_EQ(PutUnits({{"pk", "a"}}), 1);
  EXPECT_EQ(PutUnits(Sized(1024)), 1);
  EXPECT_EQ(PutUnits(Sized(1025)), 2);
}

TEST_F(WriteCapacity, OfAReplacementIsThatOfTheLargerItem) {
  EXPECT_EQ(PutUnits(Sized(5000)), 5);
  EXPECT_EQ(PutUnits(Sized(100)), 5);
  EXPECT_EQ(PutUnits(Sized(100)), 1);
}

TEST_F(WriteCapacity, OfAnUpdateIsThatOfTheLargerItem) {
  Put("plain", Sized(3000));
  const auto units = [&](const std::string& expression) {
    return Must(db().UpdateItem({.table_name = "plain",
                                 .key = {{"pk", "a"}},
                                 .update_expression = expression,
                                 .return_consumed_capacity = ReturnConsumedCapacity::kTotal}))
        .consumed_capacity->capacity_units;
  };
  EXPECT_EQ(units("SET u = t"), 6);
  EXPECT_EQ(units("REMOVE t, u"), 6);
  EXPECT_EQ(units("REMOVE t"), 1);
}

TEST_F(WriteCapacity, OfADeletionIsThatOfTheItemOrOne) {
  Put("plain", Sized(3000));
  const auto units = [&] {
    return Must(db().DeleteItem({.table_name = "plain",
                                 .key = {{"pk", "a"}},
                                 .return_consumed_capacity = ReturnConsumedCapacity::kTotal}))
        .consumed_capacity->capacity_units;
  };
  EXPECT_EQ(units(), 3);
  EXPECT_EQ(units(), 1);
}

TEST_F(WriteCapacity, OfATableWithoutIndexesHasNoIndexesInIt) {
  const auto output =
      Must(db().PutItem({.table_name = "plain",
                         .item = {{"pk", "a"}},
                         .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}));
  EXPECT_EQ(output.consumed_capacity, (ConsumedCapacity{.table_name = "plain",
                                                        .capacity_units = 1,
                                                        .table = Capacity{.capacity_units = 1}}));
}

TEST_F(WriteCapacity, OfAnIndexIsOneForANewEntry) {
  EXPECT_EQ(IndexedPut({}), Expected(1, std::nullopt, std::nullopt));
  EXPECT_EQ(IndexedPut({{"g", "x"}}), Expected(1, std::nullopt, 1));
  EXPECT_EQ(IndexedPut({{"g", "x"}, {"l", 1}}), Expected(1, 1, std::nullopt));
}

TEST_F(WriteCapacity, OfAnIndexIsTwoForAChangedKey) {
  ASSERT_EQ(IndexedPut({{"g", "x"}, {"l", 1}}).capacity_units, 3);
  EXPECT_EQ(IndexedPut({{"g", "y"}, {"l", 1}}), Expected(1, std::nullopt, 2));
  EXPECT_EQ(IndexedPut({{"g", "y"}, {"l", 2}}), Expected(1, 2, std::nullopt));
}

TEST_F(WriteCapacity, OfAnIndexIsOneForAChangedAttributeThatItHolds) {
  ASSERT_EQ(IndexedPut({{"g", "x"}, {"v", 1}}).capacity_units, 2);
  EXPECT_EQ(IndexedPut({{"g", "x"}, {"v", 2}}), Expected(1, std::nullopt, 1));
}

TEST_F(WriteCapacity, OfAnIndexIsNothingForWhatItDoesNotHold) {
  ASSERT_EQ(IndexedPut({{"g", "x"}, {"w", 1}}).capacity_units, 2);
  EXPECT_EQ(IndexedPut({{"g", "x"}, {"w", 2}}), Expected(1, std::nullopt, std::nullopt));
}

TEST_F(WriteCapacity, OfAnIndexIsOneForARemovedEntry) {
  ASSERT_EQ(IndexedPut({{"g", "x"}, {"l", 1}}).capacity_units, 3);
  EXPECT_EQ(IndexedPut({}), Expected(1, 1, 1));
}

TEST_F(WriteCapacity, OfAnIndexIsThatOfItsEntry) {
  EXPECT_EQ(IndexedPut({{"g", "x"}, {"v", Text(2000)}, {"w", Text(3000)}}),
            Expected(5, std::nullopt, 2));
}

TEST_F(WriteCapacity, OfABatchIsPerTable) {
  const auto output = Must(db().BatchWriteItem(
      {.request_items = {{"plain", {PutRequest{Sized(2000)}, DeleteRequest{{{"pk", "b"}}}}},
                         {"indexed", {PutRequest{{{"pk", "a"}, {"sk", 1}, {"g", "x"}}}}}},
       .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}));
  EXPECT_THAT(
      output.consumed_capacity,
      testing::UnorderedElementsAre(
          ConsumedCapacity{
              .table_name = "plain", .capacity_units = 3, .table = Capacity{.capacity_units = 3}},
          Expected(1, std::nullopt, 1)));
}

TEST_F(WriteCapacity, OfATransactionIsDoubleAndSaysThatItIsWrites) {
  const auto output = Must(db().TransactWriteItems(
      {.transact_items =
           {TransactPut{.table_name = "indexed", .item = {{"pk", "a"}, {"sk", 1}, {"g", "x"}}},
            TransactConditionCheck{.table_name = "plain",
                                   .key = {{"pk", "a"}},
                                   .condition_expression = "attribute_not_exists(pk)"}},
       .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}));
  const Capacity two{.capacity_units = 2, .write_capacity_units = 2};
  EXPECT_THAT(
      output.consumed_capacity,
      testing::UnorderedElementsAre(ConsumedCapacity{.table_name = "indexed",
                                                     .capacity_units = 4,
                                                     .write_capacity_units = 4,
                                                     .table = two,
                                                     .global_secondary_indexes = {{"by_g", two}}},
                                    ConsumedCapacity{.table_name = "plain",
                                                     .capacity_units = 2,
                                                     .write_capacity_units = 2,
                                                     .table = two}));
}

}  // namespace
}  // namespace stator::contract
