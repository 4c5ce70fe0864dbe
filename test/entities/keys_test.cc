// Key templates: which keys they make, and that different entities never share one.

#include <string>

#include "entities/entities_test.h"

namespace stator::entities {
namespace {

struct Reading {
  std::int64_t sensor = 0;
  std::string place = {};
  std::int64_t at = 0;
};
BOOST_DESCRIBE_STRUCT(Reading, (), (sensor, place, at))

struct Blob {
  Binary hash;
  std::string text = {};
};
BOOST_DESCRIBE_STRUCT(Blob, (), (hash, text))

struct Setting {
  std::string value = {};
};
BOOST_DESCRIBE_STRUCT(Setting, (), (value))

}  // namespace

template <>
struct EntityTraits<Reading> {
  static constexpr std::string_view kName = "reading";
  static constexpr KeyTemplate kPartitionKey = {"{place}#{sensor}", "where"};
  static constexpr KeyTemplate kSortKey = {"{at}", "at"};
};
template <>
struct EntityTraits<Blob> {
  static constexpr std::string_view kName = "blob";
  static constexpr KeyTemplate kPartitionKey = {"{hash}", "hash"};
};
template <>
struct EntityTraits<Setting> {
  static constexpr std::string_view kName = "setting";
  static constexpr KeyTemplate kPartitionKey = {"SETTINGS"};
};

namespace {

template <class T, class... Arguments>
Result<Item> KeyOf(Arguments&&... arguments) {
  return EntityKey<T>(std::forward<Arguments>(arguments)...).attributes();
}

TEST(EntityKeys, AreMadeOfTheFieldsThatTheTemplatesName) {
  EXPECT_EQ(*KeyOf<Account>("a1"), (Item{{"pk", "ACCOUNT#a1"}}));
  EXPECT_EQ(*KeyOf<Order>("ann", 17), (Item{{"pk", "CUSTOMER#ann"}, {"sk", "ORDER#00000017"}}));
  EXPECT_EQ(*KeyOf<Reading>("cellar", 4, -7), (Item{{"where", "cellar#4"}, {"at", -7}}));
  EXPECT_EQ(*KeyOf<Blob>(Binary{"\x01\x02"}), (Item{{"hash", Binary{"\x01\x02"}}}));
  EXPECT_EQ(*KeyOf<Setting>(), (Item{{"pk", "SETTINGS"}}));
  EXPECT_EQ(*EntityKey<Order>::Of({.customer = "ann", .number = 17}).attributes(),
            *KeyOf<Order>("ann", 17));
}

TEST(EntityKeys, OfDifferentEntitiesDiffer) {
  EXPECT_EQ(*KeyOf<Reading>("a", 1, 0), (Item{{"where", "a#1"}, {"at", 0}}));
  const Result<Item> ambiguous = KeyOf<Reading>("a#1", 2, 0);
  ASSERT_FALSE(ambiguous) << "a#1#2 would also be that of a place called a#1";
  EXPECT_EQ(ambiguous.error().message, "field place of a key holds \"#\", which ends it");
  EXPECT_TRUE(KeyOf<Account>("a#1")) << "nothing follows";
}

TEST(EntityKeys, NumbersThatAreFilledUpMustFit) {
  EXPECT_EQ(KeyOf<Order>("ann", 99'999'999)->at("sk"), AttributeValue("ORDER#99999999"));
  EXPECT_FALSE(KeyOf<Order>("ann", 100'000'000));
}

TEST(EntityKeys, AreDescribedForTools) {
  const EntityDescription order = Describe<Order>();
  EXPECT_EQ(
      order.partition_key,
      (KeyDescription{.attribute = "pk", .text = "CUSTOMER#{customer}", .fields = {"customer"}}));
  EXPECT_EQ(order.sort_key->text, "ORDER#{number:08}");
  ASSERT_EQ(order.indexes.size(), 3U);
  EXPECT_EQ(order.indexes[0].partition_key,
            (KeyDescription{
                .attribute = "state", .text = "{state}", .fields = {"state"}, .is_field = true}));
  EXPECT_EQ(order.indexes[2].sort_key->type, ScalarAttributeType::kNumber);
  EXPECT_TRUE(order.indexes[2].local);
  EXPECT_EQ(order.expiry_attribute, "expires_at");
  EXPECT_EQ(order.fields, (std::vector<std::string>{"courier", "customer", "number", "remark",
                                                    "state", "total"}));
  EXPECT_EQ(Describe<Reading>().sort_key->type, ScalarAttributeType::kNumber);
  EXPECT_EQ(Describe<Blob>().partition_key.type, ScalarAttributeType::kBinary);
  const EntityDescription document = Describe<Document>();
  EXPECT_EQ(document.up_steps, (std::vector<std::uint16_t>{1, 2}));
  EXPECT_EQ(document.schema.at("x-data-version"), AttributeValue(3));
}

TEST(EntityVerbs, SayWhichActionsTheyNeed) {
  using Reader = Repository<Order, Verbs::kRead | Verbs::kQuery, "by_state">;
  EXPECT_EQ(ActionsOf(Reader::Describe()).on_table, (std::vector<std::string>{"GetItem", "Query"}));
  EXPECT_EQ(ActionsOf(Reader::Describe()).on_indexes, std::vector<std::string>{"Query"});
  EXPECT_EQ(Reader::Describe().indexes, std::vector<std::string>{"by_state"});
  using Writer = Repository<Account, Verbs::kInsert | Verbs::kModify>;
  EXPECT_EQ(ActionsOf(Writer::Describe()).on_table,
            (std::vector<std::string>{"GetItem", "PutItem", "UpdateItem"}));
  EXPECT_TRUE(ActionsOf(Writer::Describe()).on_indexes.empty());
  using Renamer = Repository<User, Verbs::kUpdate>;
  EXPECT_EQ(ActionsOf(Renamer::Describe()).on_table,
            (std::vector<std::string>{"DeleteItem", "PutItem", "UpdateItem"}));
  EXPECT_EQ(NamesOf(Verbs::kRead | Verbs::kTouch), (std::vector<std::string>{"kRead", "kTouch"}));
}

template <class Repo>
concept CanInsert = requires(const Repo& repository) { repository.Insert({}); };
template <class Repo>
concept CanQueryByCourier =
    requires(const Repo& repository) { repository.template QueryIndex<"by_courier">({"bob"}); };

TEST(EntityVerbs, ThatWereNotDeclaredDoNotCompile) {
  static_assert(CanInsert<Repository<Account, Verbs::kInsert>>);
  static_assert(!CanInsert<Repository<Account, Verbs::kRead | Verbs::kUpdate>>);
  static_assert(CanQueryByCourier<Repository<Order, Verbs::kQuery, "by_courier">>);
  static_assert(!CanQueryByCourier<Repository<Order, Verbs::kQuery, "by_state">>);
  static_assert(!CanQueryByCourier<Repository<Order, Verbs::kRead, "by_courier">>);
}

class NumberKeysTest : public EntitiesTest {};

TEST_F(NumberKeysTest, OtherTypesThanTextWorkAsKeys) {
  using Readings = Repository<Reading, kAllVerbs>;
  const Readings readings = Open<Readings>();
  Must(readings.Insert({.sensor = 1, .place = "cellar", .at = 5}));
  Must(readings.Insert({.sensor = 1, .place = "cellar", .at = 40}));
  EXPECT_EQ(Must(readings.Count({"cellar", 1}, {.sort = SortKey<Reading>::After(5)})), 1U);
  using Blobs = Repository<Blob, kAllVerbs>;
  const Blobs blobs = Open<Blobs>();
  Must(blobs.Insert({.hash = {"\x01\xFF"}, .text = "x"}));
  EXPECT_EQ(Must(blobs.Modify({Binary{"\x01\xFF"}}, [](Blob& blob) { blob.text = "y"; })).rev(),
            2U);
  using Settings = Repository<Setting, kAllVerbs>;
  const Settings settings = Open<Settings>();
  EXPECT_TRUE(Succeeds(settings.ModifyOrInsert({}, {}, [](Setting& s) { s.value = "on"; })));
  EXPECT_EQ(MustFind(settings.Read({})).data.value, "on");
}

TEST_F(NumberKeysTest, AKeyThatCannotBeMadeIsAnInvalidRequest) {
  using Readings = Repository<Reading, kAllVerbs>;
  const Readings readings = Open<Readings>();
  EXPECT_TRUE(FailsWith(readings.Read({"a#b", 1, 1}), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(readings.Insert({.sensor = 1, .place = "a#b"}), ErrorCode::kValidation));
  EXPECT_EQ(faulty().calls(), 0U);
}

}  // namespace
}  // namespace stator::entities
