// Limits of size, each exactly at the limit and one byte above.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

class SizeLimits : public ContractTest {
 protected:
  void SetUp() override { MakeTable({.name = "things", .keys = "pk:S"}); }

  // "pk" and one character, "t" and text.
  [[nodiscard]] static Item Sized(std::size_t bytes, char pk = 'a') {
    return {{"pk", std::string(1, pk)}, {"t", Text(bytes - 4)}};
  }
};

constexpr std::size_t kItemMax = 409'600;

TEST_F(SizeLimits, AnItemHasUpTo400Kilobytes) {
  EXPECT_TRUE(Succeeds(db().PutItem({.table_name = "things", .item = Sized(kItemMax)})));
  EXPECT_TRUE(Fails(db().PutItem({.table_name = "things", .item = Sized(kItemMax + 1)}),
                    ErrorCode::kTooLarge, "Item size has exceeded the maximum allowed size"));
}

TEST_F(SizeLimits, NamesCount) {
  Item item{{"pk", "a"}};
  item.Set(Text(1000), Text(kItemMax - 1003));
  EXPECT_TRUE(Succeeds(db().PutItem({.table_name = "things", .item = item})));
  item.Set("b", true);
  EXPECT_TRUE(
      FailsWith(db().PutItem({.table_name = "things", .item = item}), ErrorCode::kTooLarge));
}

TEST_F(SizeLimits, AnUpdatedItemHasUpTo400Kilobytes) {
  Put("things", Sized(kItemMax - 10));
  const auto update = [&](const char* text) {
    return db().UpdateItem({.table_name = "things",
                            .key = {{"pk", "a"}},
                            .update_expression = "SET u = :u",
                            .expression_attribute_values = Map{{":u", text}}});
  };
  EXPECT_TRUE(Succeeds(update("123456789")));
  EXPECT_TRUE(Fails(update("1234567890"), ErrorCode::kTooLarge,
                    "Item size to update has exceeded the maximum allowed size"));
}

TEST_F(SizeLimits, APartitionKeyHasUpTo2048Bytes) {
  Put("things", {{"pk", Text(2048)}});
  EXPECT_TRUE(Get("things", {{"pk", Text(2048)}}).has_value());
  const char* const message =
      "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size "
      "limit of2048 bytes";
  EXPECT_TRUE(
      Refused(db().PutItem({.table_name = "things", .item = {{"pk", Text(2049)}}}), message));
  EXPECT_TRUE(
      Refused(db().GetItem({.table_name = "things", .key = {{"pk", Text(2049)}}}), message));
}

TEST_F(SizeLimits, ASortKeyHasUpTo1024Bytes) {
  MakeTable({.name = "sorted", .keys = "pk:S | sk:B"});
  Put("sorted", {{"pk", "a"}, {"sk", Binary{Text(1024)}}});
  const char* const message =
      "One or more parameter values were invalid: Aggregated size of all range keys has exceeded "
      "the size limit of 1024 bytes";
  EXPECT_TRUE(Refused(
      db().PutItem({.table_name = "sorted", .item = {{"pk", "a"}, {"sk", Binary{Text(1025)}}}}),
      message));
  EXPECT_TRUE(Refused(
      db().DeleteItem({.table_name = "sorted", .key = {{"pk", "a"}, {"sk", Binary{Text(1025)}}}}),
      message));
}

TEST_F(SizeLimits, ATransactionWritesUpTo4Megabytes) {
  TransactWriteItemsInput input{.transact_items = {}};
  for (char pk = 'a'; pk < 'a' + 10; ++pk) {
    input.transact_items.push_back(
        TransactPut{.table_name = "things", .item = Sized(kItemMax, pk)});
  }
  const std::size_t rest = 4UL * 1024 * 1024 - 10 * kItemMax;
  input.transact_items.push_back(TransactPut{.table_name = "things", .item = Sized(rest, 'x')});
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(input)));
  input.transact_items.back() = TransactPut{.table_name = "things", .item = Sized(rest + 1, 'x')};
  EXPECT_TRUE(FailsWith(db().TransactWriteItems(input), ErrorCode::kValidation));
}

TEST_F(SizeLimits, AnItemInATransactionHasUpTo400Kilobytes) {
  EXPECT_TRUE(FailsWith(
      db().TransactWriteItems(
          {.transact_items = {TransactPut{.table_name = "things", .item = Sized(kItemMax + 1)}}}),
      ErrorCode::kTooLarge));
  Put("things", Sized(kItemMax));
  const auto canceled = db().TransactWriteItems(
      {.transact_items = {TransactUpdate{.table_name = "things",
                                         .key = {{"pk", "a"}},
                                         .update_expression = "SET u = :u",
                                         .expression_attribute_values = Map{{":u", 1}}}}});
  EXPECT_TRUE(FailsWith(canceled, ErrorCode::kTransactionCanceled));
  ASSERT_EQ(ReasonsIn(canceled).size(), 1U);
  EXPECT_EQ(ReasonsIn(canceled)[0].code, "ValidationError");
  EXPECT_EQ(ReasonsIn(canceled)[0].error, ErrorCode::kTooLarge);
  EXPECT_EQ(ReasonsIn(canceled)[0].message,
            "Item size to update has exceeded the maximum allowed size");
}

TEST_F(SizeLimits, AnIndexDoesNotCountTowardsTheItem) {
  MakeTable({.name = "indexed", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  Item item = Sized(kItemMax - 2);
  item.Set("g", "x");
  EXPECT_TRUE(Succeeds(db().PutItem({.table_name = "indexed", .item = item})));
  EXPECT_EQ(ScanAll({.table_name = "indexed", .index_name = "by_g"}), std::vector<Item>{item});
}

}  // namespace
}  // namespace stator::contract
