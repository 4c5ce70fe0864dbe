// What schema.h promises: the schema of a struct as fixed bytes, and a hash that follows what is
// stored and nothing else.

#include "stator/mapping/schema.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "stator/mapping/mapping.h"
#include "value/plain_json.h"

namespace stator {
namespace {

enum class Status { kPending, kDone };
BOOST_DESCRIBE_ENUM(Status, kPending, kDone)

struct Comment {
  std::string author;
  std::vector<Comment> replies;
};
BOOST_DESCRIBE_STRUCT(Comment, (), (author, replies))

struct Card {
  std::string number;
};
BOOST_DESCRIBE_STRUCT(Card, (), (number))

struct Cash {
  std::int32_t cents = 0;
};
BOOST_DESCRIBE_STRUCT(Cash, (), (cents))

struct Order {
  std::string id;
  std::int64_t total_cents = 0;
  std::uint8_t priority = 5;
  Number weight;
  double ratio = 0.5;
  bool gift = false;
  Binary signature = {"ab"};
  std::optional<std::string> note;
  std::optional<std::int32_t> rating;
  Status status = Status::kPending;
  std::set<std::string> tags;
  std::set<std::vector<std::byte>> digests;
  std::vector<std::optional<int>> scores;
  std::map<std::string, Comment> comments;
  std::vector<Comment> thread;
  std::variant<Card, Cash> payment;
  std::chrono::sys_seconds expires_at;
  std::chrono::sys_time<std::chrono::milliseconds> created;
  std::chrono::sys_days day;
  std::chrono::seconds lasts{0};
  AttributeValue anything;
  std::optional<Card> spare;
  UnknownAttributes rest;
};
BOOST_DESCRIBE_STRUCT(Order, (),
                      (id, total_cents, priority, weight, ratio, gift, signature, note, rating,
                       status, tags, digests, scores, comments, thread, payment, expires_at,
                       created, day, lasts, anything, spare, rest))

// The same shape in another order, with other words.
struct First {
  int alpha = 0;
  std::optional<std::string> title;
};
BOOST_DESCRIBE_STRUCT(First, (), (alpha, title))
struct Second {
  std::optional<std::string> heading;
  int alpha = 7;
};
BOOST_DESCRIBE_STRUCT(Second, (), (heading, alpha))

namespace other {
struct Card {
  int points = 0;
};
BOOST_DESCRIBE_STRUCT(Card, (), (points))
}  // namespace other

enum class Mood { kGood, kOther };
BOOST_DESCRIBE_ENUM(Mood, kGood, kOther)
struct Visitor {
  std::string name;
  Mood mood = Mood::kGood;
};
BOOST_DESCRIBE_STRUCT(Visitor, (), (name, mood))

struct Wallet {
  Card bank;
  other::Card bonus;
};
BOOST_DESCRIBE_STRUCT(Wallet, (), (bank, bonus))

}  // namespace
}  // namespace stator

template <>
struct stator::Mapping<stator::Status> {
  static constexpr NameStyle kNameStyle = NameStyle::kSnakeCase;
};

template <>
struct stator::Mapping<stator::Mood> {
  static constexpr stator::Mood kOtherwise = stator::Mood::kOther;
};

template <>
struct stator::Mapping<stator::Visitor> {
  static constexpr std::tuple kFields = {
      Field<&stator::Visitor::name>({.aliases = {"title", "label"}})};
};

template <>
struct stator::Mapping<stator::Cash> {
  static constexpr std::string_view kName = "cash";
};

template <>
struct stator::Mapping<stator::Order> {
  using Order = stator::Order;
  static constexpr std::string_view kName = "order";
  static constexpr std::string_view kDescription = "What a customer has bought.";
  static constexpr int kDataVersion = 3;
  static constexpr std::array<std::string_view, 2> kRetired = {"price", "coupon"};
  static constexpr NameStyle kNameStyle = NameStyle::kCamelCase;
  static constexpr std::tuple kFields = {
      Field<&Order::priority>({.required = false}),
      Field<&Order::ratio>({.floating = true}),
      Field<&Order::signature>({.omit_default = true}),
      Field<&Order::note>({.name = "memo", .description = "Written by the \"customer\"."}),
      Field<&Order::rating>({.null_when_empty = true}),
      Field<&Order::payment>({.discriminator = "kind"}),
      Field<&Order::created>({.time = TimeFormat::kIso}),
  };
};

template <>
struct stator::Mapping<stator::Second> {
  using Second = stator::Second;
  static constexpr std::string_view kDescription = "Said otherwise.";
  static constexpr std::tuple kFields = {
      Field<&Second::heading>({.name = "title", .description = "On top."})};
};

namespace stator {
namespace {

std::string Golden(const std::string& name) {
  const std::ifstream file(std::string(STATOR_GOLDEN_FOLDER) + "/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Schema, HasFixedBytes) {
  EXPECT_EQ(SchemaText<Order>(), Golden("order.schema.json"));
  EXPECT_EQ(SchemaText<Comment>(), Golden("comment.schema.json"));
}

// test/tools/mapping_schema_test.py validates this item by the schema above.
TEST(Schema, DescribesWhatIsWritten) {
  Order order;
  order.id = "o1";
  order.total_cents = 1999;
  order.weight = Number::Parse("0.25").value();
  order.signature = {"xyz"};
  order.note = "fragile";
  order.tags = {"b", "a"};
  order.digests = {{std::byte{1}}};
  order.scores = {1, std::nullopt};
  order.comments = {{"first", {.author = "Ada", .replies = {{.author = "Bob", .replies = {}}}}}};
  order.payment = Cash{.cents = 1999};
  order.expires_at = std::chrono::sys_seconds(std::chrono::seconds(1'794'790'923));
  order.created = order.expires_at;
  order.day = std::chrono::floor<std::chrono::days>(order.expires_at);
  order.anything = List{1, "two"};
  order.spare = Card{.number = "4111"};
  EXPECT_EQ(CanonicalJson(ToItem(order).value()), Golden("order.json"));
}

TEST(Schema, IsJsonThatReadsBackAsTheSameValue) {
  const Map schema = SchemaOf<Order>();
  EXPECT_EQ(value::ValueFromPlainJson(CanonicalJson(schema)), AttributeValue(schema));
}

TEST(Schema, TellsTypesOfTheSameNameApart) {
  const Map schema = SchemaOf<Wallet>();
  const Map& definitions = *schema.at("$defs").If<Map>();
  EXPECT_TRUE(definitions.at("Card").If<Map>()->at("properties").If<Map>()->contains("number"));
  EXPECT_TRUE(definitions.at("Card2").If<Map>()->at("properties").If<Map>()->contains("points"));
}

TEST(Schema, HashFollowsTheShapeOnly) {
  EXPECT_EQ(ShapeHash(SchemaOf<First>()), ShapeHash(SchemaOf<Second>()));
  EXPECT_NE(SchemaText<First>(), SchemaText<Second>());
  Map schema = SchemaOf<First>();
  const std::string hash = ShapeHash(schema);
  EXPECT_EQ(schema.at("x-shape-hash"), AttributeValue(hash));
  EXPECT_EQ(hash.size(), 64);
  schema.Set("x-keys", List{"pk"});
  schema.Set("title", "other");
  EXPECT_EQ(ShapeHash(schema), hash);
  schema.Set("required", List{"alpha", "title"});
  EXPECT_NE(ShapeHash(schema), hash);
}

TEST(Schema, HashSeesAPropertyThatIsCalledLikeAnAnnotation) {
  Map schema = SchemaOf<First>();
  const std::string hash = ShapeHash(schema);
  schema.Find("properties")->If<Map>()->Erase("title");
  EXPECT_NE(ShapeHash(schema), hash);
}

TEST(Schema, SaysWhichFormerNamesAndUnknownEnumeratorsAreRead) {
  const Map schema = SchemaOf<Visitor>();
  const Map& properties = *schema.at("properties").If<Map>();
  EXPECT_EQ(properties.at("name"),
            AttributeValue(Map{{"type", "string"}, {"x-aliases", List{"title", "label"}}}));
  EXPECT_EQ(properties.at("mood").If<Map>()->at("x-open"), AttributeValue(true));
}

TEST(CanonicalJson, WritesEmptyPartsOnOneLine) {
  EXPECT_EQ(
      CanonicalJson({{"b", List{}}, {"a", Map{}}, {"c", List{1, true, Null{}, "\n"}}}),
      "{\n  \"a\": {},\n  \"b\": [],\n  \"c\": [\n    1,\n    true,\n    null,\n    \"\\n\"\n  "
      "]\n}\n");
}

}  // namespace
}  // namespace stator
