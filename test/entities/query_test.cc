// Queries of tables and indexes, page by page, and reads of many entities at once.

#include <string>

#include "entities/entities_test.h"

namespace stator::entities {
namespace {

class EntityQueryTest : public EntitiesTest {
 protected:
  void InsertOrders(const std::string& customer, std::uint32_t count) {
    for (std::uint32_t n = 1; n <= count; ++n) {
      Must(Others<Orders>().Insert({.customer = customer,
                                    .number = n,
                                    .state = n % 2 == 0 ? "open" : "done",
                                    .courier = n == 3 ? std::optional("bob") : std::nullopt,
                                    .total = Number(100 - static_cast<int>(n))}));
    }
  }
  static std::vector<std::uint32_t> Numbers(EntityRange<Order> range) {
    std::vector<std::uint32_t> numbers;
    for (const auto& order : range) {
      EXPECT_TRUE(Succeeds(order));
      if (order) {
        numbers.push_back(order->data.number);
      }
    }
    return numbers;
  }
  using Expected = std::vector<std::uint32_t>;

  Orders orders_ = Open<Orders>();
};

TEST_F(EntityQueryTest, APartitionComesInTheOrderOfItsSortKey) {
  InsertOrders("ann", 5);
  InsertOrders("eve", 2);
  EXPECT_EQ(Numbers(orders_.Query({"ann"})), (Expected{1, 2, 3, 4, 5}));
  EXPECT_EQ(Numbers(orders_.Query({"ann"}, {.forward = false, .consistent_read = true})),
            (Expected{5, 4, 3, 2, 1}));
  EXPECT_EQ(Numbers(orders_.Query({"ann"}, {.sort = SortKey<Order>::After(3)})), (Expected{4, 5}));
  EXPECT_EQ(Numbers(orders_.Query({"ann"}, {.filter = Where<&Order::state>() == "open"})),
            (Expected{2, 4}));
  EXPECT_EQ(Numbers(orders_.Query({"ann"}, {.limit = 3})), (Expected{1, 2, 3}));
  EXPECT_EQ(Numbers(orders_.Query({"nobody"})), Expected{});
  EXPECT_EQ(Must(orders_.Count({"ann"})), 5U);
  EXPECT_EQ(Must(orders_.Count({"ann"}, {.filter = Where<&Order::state>() == "open"})), 2U);
}

TEST_F(EntityQueryTest, IndexesOfFieldsTemplatesAndNumbers) {
  InsertOrders("ann", 5);
  EXPECT_EQ(Numbers(orders_.QueryIndex<"by_state">({"open"})), (Expected{2, 4}));
  EXPECT_EQ(Numbers(orders_.QueryIndex<"by_courier">({"bob"})), (Expected{3}));
  EXPECT_EQ(Numbers(orders_.QueryIndex<"by_total">(
                {"ann"}, {.sort = SortKey<Order, "by_total">::From(98), .consistent_read = true})),
            (Expected{2, 1}));
  const auto page = Must(orders_.QueryIndexPage<"by_state">({"done"}, {.limit = 2}));
  EXPECT_EQ(page.entities.size(), 2U);
  EXPECT_TRUE(page.next);
}

TEST_F(EntityQueryTest, ARangeFetchesAPageWhenItIsNeeded) {
  // Three pages of a megabyte. An item counts twice against 400 KB: a local index has all of it.
  constexpr std::uint32_t kOrders = 15;
  for (std::uint32_t n = 1; n <= kOrders; ++n) {
    Must(Others<Orders>().Insert(
        {.customer = "ann", .number = n, .remark = std::string(150'000, 'x')}));
  }
  EntityRange<Order> range = orders_.Query({"ann"});
  EXPECT_EQ(faulty().calls("Query"), 0U);
  auto order = range.begin();
  EXPECT_EQ(faulty().calls("Query"), 1U);
  std::uint32_t count = 0;
  for (; order != range.end(); ++order) {
    EXPECT_EQ((*order)->data.number, ++count);
  }
  EXPECT_EQ(count, kOrders);
  EXPECT_GE(faulty().calls("Query"), 3U);
  EXPECT_EQ(Must(orders_.Count({"ann"})), kOrders) << "over all pages";
}

TEST_F(EntityQueryTest, PagesGoOnWhereTheLastOneEnded) {
  InsertOrders("ann", 5);
  const auto first = Must(orders_.QueryPage({"ann"}, {.limit = 2}));
  ASSERT_EQ(first.entities.size(), 2U);
  const auto second = Must(orders_.QueryPage({"ann"}, {.limit = 2, .start_after = first.next}));
  ASSERT_EQ(second.entities.size(), 2U);
  EXPECT_EQ(second.entities[0].data.number, 3U);
  EXPECT_EQ(Numbers(orders_.Query({"ann"}, {.start_after = second.next})), (Expected{5}));
}

TEST_F(EntityQueryTest, ARangeEndsBehindTheFirstError) {
  InsertOrders("ann", 3);
  Item broken = *Get("order", {{"pk", "CUSTOMER#ann"}, {"sk", "ORDER#00000002"}});
  broken.Set("number", "two");
  Put("order", broken);
  int good = 0;
  int bad = 0;
  for (const auto& order : orders_.Query({"ann"})) {
    order ? ++good : ++bad;
  }
  EXPECT_EQ(good, 1);
  EXPECT_EQ(bad, 1);
  faulty().Script("Query", std::vector<Fault>(1000, Fault::kUnavailable));
  int elements = 0;
  for (const auto& order : orders_.Query({"ann"})) {
    EXPECT_TRUE(FailsWith(order, ErrorCode::kUnavailable));
    ++elements;
  }
  EXPECT_EQ(elements, 1);
}

TEST_F(EntityQueryTest, EntitiesThatAreQueriedCanBeUpdated) {
  InsertOrders("ann", 2);
  for (auto& order : orders_.QueryIndex<"by_state">({"open"})) {
    order->data.state = "paid";
    EXPECT_TRUE(Succeeds(orders_.Update(*order)));
  }
  EXPECT_EQ(MustFind(orders_.ReadStrong({"ann", 2U})).data.state, "paid");
}

TEST_F(EntityQueryTest, ManyAreReadInTheOrderOfTheKeys) {
  InsertOrders("ann", 4);
  const std::vector<EntityKey<Order>> keys = {{"ann", 4U}, {"ann", 1U}, {"ann", 99U},
                                              {"ann", 4U}, {"eve", 1U}, {"ann", 2U}};
  for (const auto& read :
       {Must(orders_.ReadMany(keys)), Must(orders_.ReadMany(keys, {.consistent_read = true}))}) {
    ASSERT_EQ(read.size(), 6U);
    EXPECT_EQ(read[0]->data.number, 4U);
    EXPECT_EQ(read[1]->data.number, 1U);
    EXPECT_FALSE(read[2]);
    EXPECT_EQ(read[3]->data.number, 4U) << "asked twice, answered twice";
    EXPECT_FALSE(read[4]);
    EXPECT_EQ(read[5]->data.number, 2U);
  }
  EXPECT_TRUE(Must(orders_.ReadMany({})).empty());
}

TEST_F(EntityQueryTest, MoreThanAHundredTakeSeveralCalls) {
  std::vector<EntityKey<Order>> keys;
  for (std::uint32_t n = 1; n <= 130; ++n) {
    keys.emplace_back("ann", n);
  }
  InsertOrders("ann", 130);
  const auto read = Must(orders_.ReadMany(keys));
  ASSERT_EQ(read.size(), 130U);
  for (std::uint32_t n = 1; n <= 130; ++n) {
    ASSERT_TRUE(read[n - 1]);
    EXPECT_EQ(read[n - 1]->data.number, n);
  }
  EXPECT_EQ(faulty().calls("BatchGetItem"), 2U);
}

TEST_F(EntityQueryTest, SomeAreReadAsOfOneMoment) {
  InsertOrders("ann", 2);
  const auto read = Must(orders_.ReadTogether({{"ann", 2U}, {"ann", 3U}, {"ann", 1U}}));
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0]->data.number, 2U);
  EXPECT_FALSE(read[1]);
  EXPECT_EQ(read[2]->data.number, 1U);
  EXPECT_EQ(faulty().calls("TransactGetItems"), 1U);
}

}  // namespace
}  // namespace stator::entities
