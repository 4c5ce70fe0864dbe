// Fixtures that are made of a snapshot can be read by the program that the snapshot is of, whatever
// its fields are.

#include "schema/make_fixture.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <set>
#include <variant>

#include "stator/schema/fixtures.h"
#include "stator/schema/snapshot.h"
#include "value/dynamodb_json.h"

namespace stator::schema {
namespace {

enum class Mood { kGood, kBad };
BOOST_DESCRIBE_ENUM(Mood, kGood, kBad)

struct Card {
  std::string number;
};
BOOST_DESCRIBE_STRUCT(Card, (), (number))

struct Cash {
  bool foreign = false;
};
BOOST_DESCRIBE_STRUCT(Cash, (), (foreign))

struct Everything {
  std::string id;
  std::uint32_t number = 0;
  std::int8_t small = 0;
  bool flag = false;
  Number exact;
  Binary bytes;
  Mood mood = Mood::kGood;
  std::optional<std::string> note;
  std::vector<Card> cards;
  std::set<std::string> tags;
  std::set<std::int64_t> numbers;
  std::map<std::string, Cash> rates;
  std::variant<Card, Cash> paid;
  std::chrono::sys_seconds at;
  std::chrono::sys_days day;
  std::chrono::sys_time<std::chrono::milliseconds> exactly;
  std::vector<Everything> parts;
};
BOOST_DESCRIBE_STRUCT(Everything, (),
                      (id, number, small, flag, exact, bytes, mood, note, cards, tags, numbers,
                       rates, paid, at, day, exactly, parts))

struct Nested {
  std::string owner;
  std::int64_t until = 0;
  std::string shelf;
};
BOOST_DESCRIBE_STRUCT(Nested, (), (owner, until, shelf))

}  // namespace
}  // namespace stator::schema

template <>
struct stator::Mapping<stator::schema::Everything> {
  static constexpr std::tuple kFields = {
      stator::Field<&stator::schema::Everything::exactly>({.time = stator::TimeFormat::kIso})};
};
template <>
struct stator::entities::EntityTraits<stator::schema::Everything> {
  static constexpr std::string_view kName = "everything";
  static constexpr KeyTemplate kPartitionKey = {"THING#{id}"};
  static constexpr KeyTemplate kSortKey = {"N#{number:08}"};
  static constexpr std::array kIndexes = {
      Index{.name = "by_note", .partition_key = {"NOTE#{note}", "note_key"}}};
  static constexpr std::string_view kExpiry = "ttl";
  static constexpr std::chrono::seconds kLife = kForever;
};
template <>
struct stator::entities::EntityTraits<stator::schema::Nested> {
  static constexpr std::string_view kName = "nested";
  static constexpr KeyTemplate kPartitionKey = {"{owner}"};
  static constexpr std::array kIndexes = {Index{.name = "by_shelf", .partition_key = {"{shelf}"}}};
  static constexpr std::string_view kExpiry = "until";
  static constexpr Layout kLayout = Layout::kNested;
  static constexpr Naming kNaming = Naming::kPrefixed;
};

namespace stator::schema {
namespace {

template <class T>
Result<T> Read(const Item& fixture) {
  Result<Item> fields = MigrateFixture(entities::Describe<T>(), entities::Migrations(), fixture, 1);
  return fields ? FromItem<T>(*std::move(fields)) : std::unexpected(std::move(fields).error());
}

TEST(MakeFixture, HasEveryFieldOfEveryType) {
  const Item fixture = MakeFixture(SnapshotOf<Everything>());
  const Result<Everything> read = Read<Everything>(fixture);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->id, "id-1");
  EXPECT_EQ(read->note, "note-1");
  EXPECT_EQ(read->tags, std::set<std::string>{"tags-1"});
  EXPECT_EQ(read->cards.size(), 1U);
  EXPECT_EQ(read->rates.size(), 1U);
  EXPECT_EQ(read->paid.index(), 0U);
  EXPECT_EQ(read->at.time_since_epoch().count(), 1'700'000'000);
  EXPECT_EQ(read->parts.size(), 1U) << "and ends somewhere";
  EXPECT_EQ(fixture.at("pk"), AttributeValue("THING#id-1"));
  EXPECT_EQ(fixture.at("sk"), AttributeValue("N#00000001"));
  EXPECT_EQ(fixture.at("note_key"), AttributeValue("NOTE#note-1"));
  EXPECT_EQ(fixture.at("ttl"), AttributeValue(4'102'444'800));
  EXPECT_EQ(fixture.at("rev"), AttributeValue(1));
}

TEST(MakeFixture, FollowsLayoutAndNames) {
  const Item fixture = MakeFixture(SnapshotOf<Nested>());
  const Result<Nested> read = Read<Nested>(fixture);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->until, 4'102'444'800);
  EXPECT_EQ(fixture.at("_v"), AttributeValue(1));
  EXPECT_EQ(fixture.at("shelf"), AttributeValue("shelf-1")) << "where the index finds it";
  EXPECT_EQ(fixture.at("pk"), AttributeValue("owner-1"));
}

TEST(MakeFixture, IsWrittenAsAFileThatStaysTheSame) {
  const Map snapshot = SnapshotOf<Everything>();
  const std::string text = ToCanonicalDynamoDbJson(MakeFixture(snapshot));
  EXPECT_EQ(text, ToCanonicalDynamoDbJson(MakeFixture(snapshot)));
  EXPECT_EQ(value::ParseDynamoDbItem(text).value(), MakeFixture(snapshot));
  EXPECT_GT(std::count(text.begin(), text.end(), '\n'), 20);
}

}  // namespace
}  // namespace stator::schema
