// Entities of several types in one table: each sees its own items, and what may not be shared is
// refused.

#include "stator/stores/entities/shared_table.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "entities/entities_test.h"
#include "stator/stores/entities/collection.h"

namespace stator::entities {

// Three entities of a shop: a customer, and in its partition orders and notes.
struct Buyer {
  std::string id;
  std::string name = {};

  friend bool operator==(const Buyer&, const Buyer&) = default;
};
BOOST_DESCRIBE_STRUCT(Buyer, (), (id, name))

struct Purchase {
  std::string buyer;
  std::uint32_t number = 0;
  std::int64_t cents = 0;

  friend bool operator==(const Purchase&, const Purchase&) = default;
};
BOOST_DESCRIBE_STRUCT(Purchase, (), (buyer, number, cents))

struct Note {
  std::string buyer;
  std::string id;
  std::string text = {};

  friend bool operator==(const Note&, const Note&) = default;
};
BOOST_DESCRIBE_STRUCT(Note, (), (buyer, id, text))

template <>
struct EntityTraits<Buyer> {
  static constexpr std::string_view kName = "buyer";
  static constexpr KeyTemplate kPartitionKey = {"BUYER#{id}"};
  static constexpr KeyTemplate kSortKey = {"PROFILE"};
};
template <>
struct EntityTraits<Purchase> {
  static constexpr std::string_view kName = "purchase";
  static constexpr KeyTemplate kPartitionKey = {"BUYER#{buyer}"};
  static constexpr KeyTemplate kSortKey = {"PURCHASE#{number:08}"};
};
// Of a second version, so that a backfill has something to do.
template <>
struct EntityTraits<Note> {
  static constexpr std::string_view kName = "note";
  static constexpr KeyTemplate kPartitionKey = {"BUYER#{buyer}"};
  static constexpr KeyTemplate kSortKey = {"NOTE#{id}"};
  static constexpr int kDataVersion = 2;
  static Migrations MakeMigrations() {
    return Migrations().Up(1, [](Item& fields) { fields.Set("text", "migrated"); });
  }
};

// Its keys may be those of anything in a buyer's partition.
struct Label {
  std::string buyer;
  std::string name;

  friend bool operator==(const Label&, const Label&) = default;
};
BOOST_DESCRIBE_STRUCT(Label, (), (buyer, name))
template <>
struct EntityTraits<Label> {
  static constexpr std::string_view kName = "label";
  static constexpr KeyTemplate kPartitionKey = {"BUYER#{buyer}"};
  static constexpr KeyTemplate kSortKey = {"{name}"};
};

namespace {

using Labels = Repository<Label, kAllVerbs>;
using Buyers = Repository<Buyer, kAllVerbs>;
using Purchases = Repository<Purchase, kAllVerbs>;
using Notes = Repository<Note, kAllVerbs>;

class SharedTableTest : public EntitiesTest {
 protected:
  void SetUp() override {
    Must(buyers_.Insert({.id = "ann", .name = "Ann"}));
    for (std::uint32_t number = 1; number <= 3; ++number) {
      Must(purchases_.Insert({.buyer = "ann", .number = number, .cents = 100}));
    }
    for (const std::string id : {"a", "b"}) {
      Put("shop", {{"pk", "BUYER#ann"},
                   {"sk", "NOTE#" + id},
                   {"buyer", "ann"},
                   {"id", id},
                   {"data_version", 1},
                   {"rev", 1},
                   {"write_id", "w"}});
    }
    // Something that no entity knows, in the same partition and elsewhere.
    Put("shop", {{"pk", "BUYER#ann"}, {"sk", "STRANGE"}, {"what", 1}});
    Put("shop", {{"pk", "OTHER"}, {"sk", "STRANGE"}, {"what", 1}});
  }

  Buyers buyers_ = Open<Buyers>({.table_name = "shop"});
  Purchases purchases_ = Open<Purchases>({.table_name = "shop"});
  Notes notes_ = Open<Notes>({.table_name = "shop"});
};

TEST_F(SharedTableTest, AQueryBringsTheEntitysOwnItems) {
  std::vector<std::uint32_t> numbers;
  for (const auto& purchase : purchases_.Query({"ann"})) {
    ASSERT_TRUE(Succeeds(purchase));
    numbers.push_back(purchase->data.number);
  }
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{1, 2, 3}));
  std::vector<std::string> ids;
  for (const auto& note : notes_.Query({"ann"})) {
    ASSERT_TRUE(Succeeds(note));
    ids.push_back(note->data.id);
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"a", "b"}));
}

TEST_F(SharedTableTest, AnEntityWhoseKeysCouldBeOfOthersIsNotOpenedBesideThem) {
  EXPECT_TRUE(FailsWith(Labels::Open(faulty(), {.table_name = "shop"}), ErrorCode::kValidation));
  EXPECT_TRUE(Succeeds(Labels::Open(faulty(), {.table_name = "labels"})));
  EXPECT_TRUE(Succeeds(Labels::Open(db(), {.table_name = "shop"}))) << "another database";
  {
    const auto first = Labels::Open(faulty(), {.table_name = "elsewhere"});
    EXPECT_FALSE(Notes::Open(faulty(), {.table_name = "elsewhere"}));
    EXPECT_TRUE(Succeeds(Labels::Open(faulty(), {.table_name = "elsewhere"}))) << "the same again";
  }
  EXPECT_TRUE(Succeeds(Notes::Open(faulty(), {.table_name = "elsewhere"})))
      << "nobody has the first any more";
}

TEST_F(SharedTableTest, APageHasNothingOfOthersAndGoesOnBehindThem) {
  std::size_t found = 0;
  EntityQuery<Purchase> query{.limit = 1};
  int pages = 0;
  do {
    const auto page = Must(purchases_.QueryPage({"ann"}, query));
    found += page.entities.size();
    query.start_after = page.next;
    ++pages;
  } while (query.start_after && pages < 100);
  EXPECT_EQ(found, 3U);
  EXPECT_GT(pages, 3) << "pages of other items are empty";
}

TEST_F(SharedTableTest, ACountCountsTheEntitysOwnItems) {
  EXPECT_EQ(Must(purchases_.Count({"ann"})), 3U);
  EXPECT_EQ(Must(notes_.Count({"ann"})), 2U);
  EXPECT_EQ(Must(buyers_.Count({"ann"})), 1U);
  EXPECT_EQ(Must(purchases_.Count({"ann"}, {.limit = 2})), 2U);
}

TEST_F(SharedTableTest, AScanSeesTheEntitysOwnItems) {
  std::set<std::uint32_t> numbers;
  const auto progress = Must(MaintenanceScan(purchases_, {.segments = 2})
                                 .ForEach([&](const Versioned<Purchase>& purchase) {
                                   return numbers.insert(purchase.data.number).second;
                                 }));
  EXPECT_EQ(progress.taken, 3U);
  EXPECT_EQ(numbers.size(), 3U);
}

TEST_F(SharedTableTest, ABackfillLeavesTheItemsOfOthersAsTheyAre) {
  std::vector<Item> others;
  for (const Item& item : All("shop")) {
    if (!item.at("sk").If<std::string>()->starts_with("NOTE#")) {
      others.push_back(item);
    }
  }
  const BackfillReport report = Must(Backfill(notes_));
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.migrated, 2U);
  EXPECT_EQ(report.failed, 0U);
  EXPECT_EQ(MustFind(notes_.ReadStrong({"ann", "a"})).data.text, "migrated");
  for (const Item& item : others) {
    EXPECT_EQ(Get("shop", {{"pk", item.at("pk")}, {"sk", item.at("sk")}}), item);
  }
}

using Shop = Collection<Buyer, Purchase, Note>;

// "buyer ann", "purchase 1", "note a".
std::string NameOfValue(const Shop::Value& value) {
  struct Name {
    std::string operator()(const Versioned<Buyer>& buyer) const { return "buyer " + buyer.data.id; }
    std::string operator()(const Versioned<Purchase>& purchase) const {
      return "purchase " + std::to_string(purchase.data.number);
    }
    std::string operator()(const Versioned<Note>& note) const { return "note " + note.data.id; }
  };
  return std::visit(Name(), value);
}

TEST_F(SharedTableTest, ACollectionReadsAllOfThemInOneQuery) {
  const Result<Shop> opened = Shop::Open(faulty(), {.table_name = "shop"}, environment());
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  const Shop& shop = *opened;
  const std::size_t before = faulty().calls("Query");
  std::vector<std::string> names;
  for (const Shop::Value& value : Must(shop.Query({"ann"}))) {
    names.push_back(NameOfValue(value));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"note a", "note b", "buyer ann", "purchase 1",
                                             "purchase 2", "purchase 3"}))
      << "in the order of the sort key, and nothing strange";
  EXPECT_EQ(faulty().calls("Query") - before, 1U);
}

TEST_F(SharedTableTest, ACollectionIsReadPageByPageToo) {
  const Result<Shop> opened = Shop::Open(faulty(), {.table_name = "shop"}, environment());
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  const Shop& shop = *opened;
  CollectionQuery query{.sort = Attribute("sk").BeginsWith("P"), .limit = 2, .forward = false};
  std::vector<std::string> names;
  do {
    const Shop::Page page = Must(shop.QueryPage({"ann"}, query));
    EXPECT_LE(page.entities.size(), 2U);
    for (const Shop::Value& value : page.entities) {
      names.push_back(NameOfValue(value));
    }
    query.start_after = page.next;
  } while (query.start_after && names.size() < 100);
  EXPECT_EQ(names,
            (std::vector<std::string>{"purchase 3", "purchase 2", "purchase 1", "buyer ann"}));
}

TEST_F(SharedTableTest, WhatIsNoCollectionIsRefused) {
  EXPECT_TRUE(FailsWith(Shop::Open(db(), {}), ErrorCode::kValidation)) << "without a table";
  EXPECT_TRUE(FailsWith(Collection<Account, User>::Open(db(), {.table_name = "shop"}),
                        ErrorCode::kValidation))
      << "in other partitions";
}

// A description with these keys and nothing else.
EntityDescription Keyed(const std::string& name, const std::string& partition,
                        const std::optional<std::string>& sort) {
  EntityDescription entity{.name = name, .partition_key = {.attribute = "pk", .text = partition}};
  if (sort) {
    entity.sort_key = KeyDescription{.attribute = "sk", .text = *sort};
  }
  return entity;
}

bool MayShare(const std::string& left, const std::string& right) {
  const bool can =
      CheckShared({Keyed("l", left, std::nullopt), Keyed("r", right, std::nullopt)}).has_value();
  EXPECT_EQ(
      CheckShared({Keyed("l", right, std::nullopt), Keyed("r", left, std::nullopt)}).has_value(),
      can)
      << "in either order";
  return can;
}

TEST(CheckShared, RefusesTemplatesThatCanMakeTheSameKey) {
  EXPECT_TRUE(MayShare("A#{id}", "B#{id}"));
  EXPECT_TRUE(MayShare("A#{id}", "A"));
  EXPECT_TRUE(MayShare("PROFILE", "PROFILES"));
  EXPECT_TRUE(MayShare("A#{n:04}", "A#{n:05}")) << "of other lengths";
  EXPECT_TRUE(MayShare("A#{n:02}", "A#x{id}"));
  EXPECT_TRUE(MayShare("{id}#A", "{id}#B"));
  EXPECT_FALSE(MayShare("A#{id}", "A#{id}#ADDRESS")) << "an id may be \"1#ADDRESS\"";
  EXPECT_FALSE(MayShare("{id}", "A#{id}"));
  EXPECT_FALSE(MayShare("A#{n:04}", "A#{id}"));
  EXPECT_FALSE(MayShare("A#{n:02}", "A#1{n:01}"));
  EXPECT_FALSE(MayShare("{id}#A", "B#{id}"));
  EXPECT_FALSE(MayShare("SAME", "SAME"));
}

TEST(CheckShared, LooksAtBothPartsOfTheKey) {
  EXPECT_TRUE(CheckShared({Describe<Buyer>(), Describe<Purchase>(), Describe<Note>()}));
  EXPECT_TRUE(CheckShared({Keyed("a", "X#{id}", "S#{id}"), Keyed("b", "Y#{id}", "S#{id}")}));
  EXPECT_FALSE(CheckShared({Keyed("a", "X#{id}", "S#{id}"), Keyed("b", "X#{id}", "S#{id}")}));
}

TEST(CheckShared, RefusesOtherKeyAttributesAndTheSameName) {
  EXPECT_FALSE(CheckShared({Keyed("a", "A", std::nullopt), Keyed("b", "B", "S")}));
  EXPECT_FALSE(CheckShared({Keyed("a", "A", std::nullopt), Keyed("a", "B", std::nullopt)}));
  EntityDescription other = Keyed("b", "B", std::nullopt);
  other.partition_key.attribute = "id";
  const Result<void> shared = CheckShared({Keyed("a", "A", std::nullopt), other});
  ASSERT_FALSE(shared);
  EXPECT_EQ(shared.error().code, ErrorCode::kValidation);
  EXPECT_NE(shared.error().message.find("a and b"), std::string::npos);
}

}  // namespace
}  // namespace stator::entities
