// The ranges of stator/api/pages.h on every home.

#include <string>
#include <vector>

#include "contract/contract_test.h"
#include "stator/api/forwarding_database.h"
#include "stator/api/pages.h"

namespace stator::contract {
namespace {

constexpr int kItems = 25;

class PagesTest : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S | sk:N"});
    for (int i = 0; i < kItems; ++i) {
      Put("things", {{"pk", "a"}, {"sk", i}});
    }
  }

  static QueryInput All() {
    return {.table_name = "things",
            .key_condition_expression = "pk = :pk",
            .expression_attribute_values = Map{{":pk", "a"}},
            .limit = 10};
  }
};

TEST_F(PagesTest, OfAQueryAreAskedForOneByOne) {
  std::vector<std::size_t> sizes;
  for (const Result<QueryOutput>& page : Pages(db(), All())) {
    ASSERT_TRUE(Succeeds(page));
    sizes.push_back(page->items->size());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{10, 10, 5}));
}

TEST_F(PagesTest, ItemsOfAQueryComeInOrder) {
  int expected = 0;
  for (const Result<Item>& item : Items(db(), All())) {
    ASSERT_TRUE(Succeeds(item));
    EXPECT_EQ(*item, (Item{{"pk", "a"}, {"sk", expected++}}));
  }
  EXPECT_EQ(expected, kItems);
}

TEST_F(PagesTest, PagesWithoutItemsAreSkipped) {
  Put("things", {{"pk", "a"}, {"sk", kItems}, {"marked", true}});
  QueryInput input = All();
  input.limit = 3;
  input.filter_expression = "attribute_exists(marked)";
  std::vector<Item> found;
  for (const Result<Item>& item : Items(db(), input)) {
    ASSERT_TRUE(Succeeds(item));
    found.push_back(*item);
  }
  EXPECT_EQ(found, (std::vector<Item>{{{"pk", "a"}, {"sk", kItems}, {"marked", true}}}));
}

TEST_F(PagesTest, ItemsOfAScanAreAllItems) {
  int count = 0;
  for (const Result<Item>& item : Items(db(), ScanInput{.table_name = "things", .limit = 7})) {
    ASSERT_TRUE(Succeeds(item));
    ++count;
  }
  EXPECT_EQ(count, kItems);
}

TEST_F(PagesTest, OfNothingHaveNoItems) {
  QueryInput input = All();
  input.expression_attribute_values = Map{{":pk", "nobody"}};
  for (const Result<Item>& item : Items(db(), input)) {
    ADD_FAILURE() << testing::PrintToString(*item);
  }
}

TEST_F(PagesTest, EndWithTheFirstError) {
  int elements = 0;
  for (const Result<Item>& item : Items(db(), ScanInput{.table_name = "missing"})) {
    EXPECT_TRUE(FailsWith(item, ErrorCode::kTableNotFound));
    ++elements;
  }
  EXPECT_EQ(elements, 1);
}

// Fails in the middle, or leads in a circle.
class BadPages final : public ForwardingDatabase {
 public:
  BadPages(Database& next, bool circles) : ForwardingDatabase(next), circles_(circles) {}

  Result<QueryOutput> Query(const QueryInput& input) override {
    if (++calls == 2) {
      if (!circles_) {
        return Fail(ErrorCode::kThrottled, "as it was told to");
      }
      Result<QueryOutput> page = ForwardingDatabase::Query(input);
      page->last_evaluated_key = input.exclusive_start_key;
      return page;
    }
    return ForwardingDatabase::Query(input);
  }

  int calls = 0;

 private:
  bool circles_;
};

TEST_F(PagesTest, AnErrorInTheMiddleComesBehindTheItemsBeforeIt) {
  for (const bool circles : {false, true}) {
    BadPages bad(db(), circles);
    int good = 0;
    int errors = 0;
    for (const Result<Item>& item : Items(bad, All())) {
      ++(item ? good : errors);
    }
    EXPECT_EQ(good, 10);
    EXPECT_EQ(errors, 1);
    EXPECT_EQ(bad.calls, 2);
  }
}

}  // namespace
}  // namespace stator::contract
