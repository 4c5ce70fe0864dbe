// Expiry on every road: expired items are not read, not brought back, and not waited for.

#include "stator/patterns/expiry.h"

#include <set>
#include <string>

#include "patterns/patterns_test.h"
#include "stator/patterns/access_pattern.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/live_items.h"
#include "stator/patterns/transaction.h"
#include "stator/patterns/versioned_items.h"

namespace stator::patterns {
namespace {

const AccessPattern kPartsOf{
    .name = "parts of a thing", .table = kExpiringParts, .partition_key = "pk", .sort_key = "sk"};

class ExpiryTest : public PatternsTest {
 protected:
  [[nodiscard]] LiveItems Items() { return LiveItems(faulty(), {}, environment()); }

  // Parts 000 to count-1, of which every third has expired.
  void PutParts(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string sk = std::to_string(1000 + i).substr(1);
      Put(kParts, {{"pk", "x"}, {"sk", sk}, {"n", i}, {"expires_at", kNow + (i % 3 == 0 ? 0 : 5)}});
    }
  }
  [[nodiscard]] static std::vector<std::string> Names(const std::vector<Item>& items) {
    std::vector<std::string> names;
    for (const Item& item : items) {
      names.push_back(*item.at("sk").If<std::string>());
    }
    return names;
  }
};

TEST_F(ExpiryTest, ExpiredItemsAreThereButNotRead) {
  Put(kThings, {{"pk", "dead"}, {"expires_at", kNow}});
  Put(kThings, {{"pk", "zero"}, {"expires_at", 0}});
  Put(kThings, {{"pk", "alive"}, {"expires_at", kNow + 1}});
  Put(kThings, {{"pk", "eternal"}});
  Put(kThings, {{"pk", "text"}, {"expires_at", "1"}});
  const auto reads = [&](const char* pk) {
    return Must(Items().Get(kExpiringThings, {{"pk", pk}})).has_value();
  };
  EXPECT_FALSE(reads("dead"));
  EXPECT_FALSE(reads("zero"));
  EXPECT_TRUE(reads("alive"));
  EXPECT_TRUE(reads("eternal"));
  EXPECT_TRUE(reads("text"));
  EXPECT_TRUE(Get(kThings, {{"pk", "dead"}})) << "the database still has it";
  EXPECT_TRUE(Must(Items().Get(kExpiringThings, {{"pk", "dead"}}, {.include_expired = true})));
  clock_.Advance(1s);
  EXPECT_FALSE(reads("alive"));
}

// By every road that writes a whole item: what never would be swept is not stored.
TEST_F(ExpiryTest, AnItemWhoseExpiryIsNoneIsNotWritten) {
  const VersionedItems versioned(faulty(), kExpiringThings, {}, environment());
  for (const AttributeValue& wrong :
       {AttributeValue(kNow * 1000), AttributeValue(0), AttributeValue(-5),
        AttributeValue("2026-11-15"), AttributeValue(*Number::Parse("1794700800.5")),
        AttributeValue(true)}) {
    const Item item = {{"pk", "x"}, {"expires_at", wrong}};
    EXPECT_TRUE(FailsWith(versioned.Insert(item), ErrorCode::kValidation));
    for (const bool insert : {true, false}) {
      Transaction transaction(faulty(), Idempotency::None(), {}, environment());
      insert ? transaction.Insert({.table = kExpiringThings, .item = item})
             : transaction.Upsert({.table = kExpiringThings, .item = item});
      EXPECT_TRUE(FailsWith(transaction.Commit(), ErrorCode::kValidation));
    }
    const BatchWriteOutcome written =
        BatchWriter(faulty(), {}, environment())
            .Write({{.table = kExpiringThings, .writes = {PutRequest{item}}}});
    EXPECT_FALSE(written.complete());
    EXPECT_EQ(written.error->code, ErrorCode::kValidation);
  }
  EXPECT_TRUE(All(kThings).empty());
  EXPECT_EQ(faulty().calls("PutItem") + faulty().calls("BatchWriteItem"), 0U) << "nothing was sent";
  EXPECT_TRUE(Succeeds(versioned.Insert({{"pk", "x"}, {"expires_at", kNow + 5}})));
  EXPECT_TRUE(Succeeds(versioned.Insert({{"pk", "y"}}))) << "which does not expire";
}

TEST_F(ExpiryTest, TheExpressionAgreesWithTheCheckOfTheReader) {
  std::set<std::string> alive;
  int number = 0;
  for (const AttributeValue& value :
       {AttributeValue(kNow - 1), AttributeValue(kNow), AttributeValue(kNow + 1), AttributeValue(0),
        AttributeValue(-1), AttributeValue("1"), AttributeValue(true), AttributeValue(Null()),
        AttributeValue(*Number::Parse(std::to_string(kNow) + ".5")),
        AttributeValue(Map{{"n", 1}})}) {
    const Item item = {{"pk", "x"}, {"sk", std::to_string(number++)}, {"expires_at", value}};
    Put(kParts, item);
    if (!IsExpired(item, kExpiringParts, clock_.Now())) {
      alive.insert(*item.at("sk").If<std::string>());
    }
  }
  // The filter alone: what the database returned, before anybody checked again.
  class Unchecked final : public ForwardingDatabase {
   public:
    using ForwardingDatabase::ForwardingDatabase;
    Result<QueryOutput> Query(const QueryInput& input) override {
      auto output = ForwardingDatabase::Query(input);
      for (const Item& item : *output->items) {
        returned.insert(*item.at("sk").If<std::string>());
      }
      return output;
    }
    std::set<std::string> returned;
  } watcher(faulty());
  Must(LiveItems(watcher, {}, environment()).Query(kPartsOf, {.partition = "x"}));
  EXPECT_EQ(watcher.returned, alive);
  EXPECT_EQ(alive.size(), 6U);
}

TEST_F(ExpiryTest, TheReaderChecksAgainByItsOwnClock) {
  // A server that filters by nothing: as if its answer had been under way for a while.
  class NoFilter final : public ForwardingDatabase {
   public:
    using ForwardingDatabase::ForwardingDatabase;
    Result<QueryOutput> Query(const QueryInput& input) override {
      QueryInput open = input;
      open.filter_expression.reset();
      open.expression_attribute_names->erase("#n1");
      open.expression_attribute_values->Erase(":v1");
      return ForwardingDatabase::Query(open);
    }
  } lenient(faulty());
  PutParts(3);
  EXPECT_EQ(
      Must(LiveItems(lenient, {}, environment()).Query(kPartsOf, {.partition = "x"})).items.size(),
      2U);
}

TEST_F(ExpiryTest, ALimitCountsWhatIsReturned) {
  PutParts(30);
  const LivePage first = Must(Items().Query(kPartsOf, {.partition = "x", .limit = 7}));
  EXPECT_EQ(Names(first.items),
            (std::vector<std::string>{"001", "002", "004", "005", "007", "008", "010"}));
  ASSERT_TRUE(first.next);
  std::vector<std::string> all = Names(first.items);
  std::optional<Item> next = first.next;
  while (next) {
    const LivePage page =
        Must(Items().Query(kPartsOf, {.partition = "x", .limit = 7, .start_after = next}));
    const std::vector<std::string> names = Names(page.items);
    all.insert(all.end(), names.begin(), names.end());
    next = page.next;
  }
  EXPECT_EQ(all.size(), 20U);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 20U);
}

TEST_F(ExpiryTest, QueriesReadToTheEndWhateverThePagesAre) {
  // 3 MB: several pages of the database.
  for (int i = 0; i < 10; ++i) {
    Put(kParts, {{"pk", "x"}, {"sk", std::to_string(i)}, {"b", std::string(300 * 1024, 'b')}});
  }
  faulty().Script("Query", {Fault::kThrottled, Fault::kNone, Fault::kLostBefore});
  EXPECT_EQ(Must(Items().Query(kPartsOf, {.partition = "x"})).items.size(), 10U);
  EXPECT_GT(faulty().calls("Query"), 4U);
  EXPECT_EQ(Must(Items().Count(kPartsOf, {.partition = "x"})), 10U);
  int seen = 0;
  EXPECT_TRUE(Succeeds(
      Items().ForEach(kPartsOf, {.partition = "x"}, [&](const Item&) { return ++seen < 5; })));
  EXPECT_EQ(seen, 5);
}

TEST_F(ExpiryTest, QueriesTakeConditionsFiltersAndProjections) {
  PutParts(10);
  EXPECT_EQ(Names(Must(Items().Query(kPartsOf, {.partition = "x",
                                                .sort = Attribute("sk") >= "004",
                                                .filter = Attribute("n") < 8,
                                                .forward = false}))
                      .items),
            (std::vector<std::string>{"007", "005", "004"}));
  EXPECT_EQ(
      Must(Items().Query(kPartsOf, {.partition = "x", .attributes = {"n"}, .limit = 1})).items[0],
      (Item{{"pk", "x"}, {"sk", "001"}, {"n", 1}, {"expires_at", kNow + 5}}));
  EXPECT_EQ(Must(Items().Count(kPartsOf, {.partition = "x", .include_expired = true})), 10U);
}

TEST_F(ExpiryTest, AGlobalIndexIsReadAsItCanBe) {
  Must(db().CreateTable({.table_name = "indexed",
                         .attribute_definitions = {{"pk", ScalarAttributeType::kString},
                                                   {"city", ScalarAttributeType::kString}},
                         .key_schema = {{"pk", KeyType::kHash}},
                         .billing_mode = BillingMode::kPayPerRequest,
                         .global_secondary_indexes = {{{
                             .index_name = "by_city",
                             .key_schema = {{"city", KeyType::kHash}},
                             .projection = {.projection_type = ProjectionType::kAll},
                         }}}}));
  home().Settle();
  const TableLayout layout{"indexed", {"pk"}, "expires_at"};
  Put(layout, {{"pk", "a"}, {"city", "Bonn"}});
  Put(layout, {{"pk", "b"}, {"city", "Bonn"}, {"expires_at", kNow}});
  const AccessPattern by_city{.name = "people of a city",
                              .table = layout,
                              .partition_key = "city",
                              .index_name = "by_city"};
  EXPECT_EQ(Must(Items().Query(by_city, {.partition = "Bonn"})).items.size(), 1U);
}

TEST_F(ExpiryTest, ReadsTogetherAreCheckedToo) {
  PutParts(3);
  faulty().Script("TransactGetItems", {Fault::kConflict, Fault::kThrottled});
  const auto items = Must(Items().GetTogether(
      kExpiringParts, {{{"pk", "x"}, {"sk", "001"}}, {{"pk", "x"}, {"sk", "000"}}}));
  ASSERT_EQ(items.size(), 2U);
  EXPECT_TRUE(items[0]);
  EXPECT_FALSE(items[1]);
}

TEST_F(ExpiryTest, ALogicalDeleteWritesNowAndNeverZero) {
  Put(kThings, {{"pk", "x"}, {"expires_at", kNow + 99}});
  EXPECT_TRUE(Must(ExpireNow(faulty(), kExpiringThings, {{"pk", "x"}}, environment())));
  EXPECT_EQ(Get(kThings, {{"pk", "x"}})->at("expires_at"), AttributeValue(kNow));
  EXPECT_FALSE(Must(Items().Get(kExpiringThings, {{"pk", "x"}})));
  EXPECT_FALSE(Must(ExpireNow(faulty(), kExpiringThings, {{"pk", "x"}}, environment())));
  EXPECT_FALSE(Must(ExpireNow(faulty(), kExpiringThings, {{"pk", "none"}}, environment())));
  EXPECT_FALSE(Get(kThings, {{"pk", "none"}})) << "it must not make a tombstone of nothing";
  EXPECT_FALSE(ExpireNow(faulty(), kThings, {{"pk", "x"}}, environment()));
}

TEST_F(ExpiryTest, AccessPatternsAreDeclaredOrAdHoc) {
  Put(kThings, {{"pk", "x"}});
  const AccessPattern odd = AdHoc("looking for a bug", kThings, "pk");
  EXPECT_EQ(Must(Items().Query(odd, {.partition = "x"})).items.size(), 1U);
  EXPECT_EQ(odd.name, "ad hoc: looking for a bug");
  const AccessPattern patterns[] = {kPartsOf, odd};
  EXPECT_EQ(DescribeAccessPatterns(patterns),
            "| access pattern | table | index | partition key | sort key |\n"
            "|---|---|---|---|---|\n"
            "| parts of a thing | parts |  | pk | sk |\n"
            "| ad hoc: looking for a bug | things |  | pk |  |\n");
}

}  // namespace
}  // namespace stator::patterns
