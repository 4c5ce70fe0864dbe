// What struct_codec.h promises: the options of fields, bases and private members, unknown
// attributes, and what a failure says.

#include "stator/mapping/detail/struct_codec.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stator/mapping/mapping.h"
#include "value/dynamodb_json.h"

namespace stator::mapping {
namespace {

struct Address {
  std::string city;
  std::optional<std::string> street;

  friend bool operator==(const Address&, const Address&) = default;
};
BOOST_DESCRIBE_STRUCT(Address, (), (city, street))

struct Person {
  std::string full_name;
  int age = -1;
  int visits = 0;
  std::string language = "en";
  Address home;
  std::optional<Address> work;
  std::map<std::string, Address> others;
  std::vector<Address> former;
  UnknownAttributes rest;
};
BOOST_DESCRIBE_STRUCT(Person, (),
                      (full_name, age, visits, language, home, work, others, former, rest))

struct Record {
  std::string id;
  int revision = 1;
};
BOOST_DESCRIBE_STRUCT(Record, (), (id, revision))

struct Note : Record {
  std::string text;
};
BOOST_DESCRIBE_STRUCT(Note, (Record), (text))

class Counter {
 public:
  Counter() = default;
  explicit Counter(int count) : count_(count) {}

  [[nodiscard]] int count() const { return count_; }

 private:
  BOOST_DESCRIBE_CLASS(Counter, (), (), (), (count_))
  int count_ = 0;
};

struct Lenient {
  int one = 1;
  int two = 2;
};
BOOST_DESCRIBE_STRUCT(Lenient, (), (one, two))

struct Empty {};
BOOST_DESCRIBE_STRUCT(Empty, (), ())

}  // namespace
}  // namespace stator::mapping

template <>
struct stator::Mapping<stator::mapping::Person> {
  using Person = stator::mapping::Person;
  static constexpr NameStyle kNameStyle = NameStyle::kCamelCase;
  static constexpr std::tuple kFields = {
      Field<&Person::age>({.name = "years", .aliases = {"age", "ageInYears"}}),
      Field<&Person::visits>({.required = false}),
      Field<&Person::language>({.omit_default = true}),
      Field<&Person::others>({.required = false}),
      Field<&Person::former>({.omit_default = true}),
  };
};

template <>
struct stator::Mapping<stator::mapping::Record> {
  static constexpr std::tuple kFields = {Field<&stator::mapping::Record::id>({.name = "pk"})};
};

template <>
struct stator::Mapping<stator::mapping::Counter> {
  static constexpr NameStyle kNameStyle = NameStyle::kSnakeCase;
};

template <>
struct stator::Mapping<stator::mapping::Lenient> {
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {Field<&stator::mapping::Lenient::two>({.required = true})};
};

namespace stator::mapping {
namespace {

Item Stored() {
  return {{"fullName", "Ada"}, {"years", 36}, {"home", Map{{"city", "London"}}}};
}

Item With(Item item, std::string name, AttributeValue value) {
  item.Set(std::move(name), std::move(value));
  return item;
}

std::string Refusal(const Item& item) {
  const Result<Person> person = FromItem<Person>(item);
  return person ? "accepted" : person.error().message;
}

TEST(StructCodec, StoresFieldsUnderTheirNames) {
  Person person;
  person.full_name = "Ada";
  person.age = 36;
  person.home = {.city = "London", .street = "St James's Square"};
  EXPECT_EQ(value::ToDynamoDbJson(ToItem(person).value()),
            R"({"fullName":{"S":"Ada"},)"
            R"("home":{"M":{"city":{"S":"London"},"street":{"S":"St James's Square"}}},)"
            R"("others":{"M":{}},"visits":{"N":"0"},"years":{"N":"36"}})");
}

TEST(StructCodec, AFieldThatIsNotRequiredKeepsItsDefault) {
  const Person person = FromItem<Person>(Stored()).value();
  EXPECT_EQ(person.visits, 0);
  EXPECT_EQ(person.language, "en");
  EXPECT_EQ(person.full_name, "Ada");
  EXPECT_EQ(person.home.street, std::nullopt);
}

TEST(StructCodec, AStructMaySayThatNothingIsRequired) {
  const Lenient lenient = FromItem<Lenient>(Item{{"two", 5}}).value();
  EXPECT_EQ(lenient.one, 1);
  EXPECT_EQ(lenient.two, 5);
  EXPECT_EQ(FromItem<Lenient>(Item{{"one", 5}}).error().message,
            "Lenient.two: expected N, found nothing");
}

TEST(StructCodec, DefaultsThatNeedNotBeStoredAreNot) {
  Person person;
  EXPECT_FALSE(ToItem(person)->contains("language"));
  EXPECT_FALSE(ToItem(person)->contains("former"));
  person.language = "";
  person.former = {{.city = "Bath", .street = {}}};
  const Item item = ToItem(person).value();
  EXPECT_EQ(item.at("language"), AttributeValue(""));
  EXPECT_EQ(FromItem<Person>(item)->language, "");
  EXPECT_EQ(FromItem<Person>(item)->former, person.former);
}

TEST(StructCodec, AFieldIsReadUnderItsOldNamesToo) {
  Item item = Stored();
  item.Erase("years");
  EXPECT_EQ(Refusal(item), "Person.years: expected N, found nothing");
  EXPECT_EQ(FromItem<Person>(With(item, "ageInYears", 3))->age, 3);
  EXPECT_EQ(FromItem<Person>(With(With(item, "ageInYears", 3), "age", 2))->age, 2);
  EXPECT_EQ(FromItem<Person>(With(With(item, "years", 1), "age", 2))->age, 1);
  EXPECT_TRUE(FromItem<Person>(With(item, "age", 2))->rest.attributes.empty());
}

TEST(StructCodec, AFailureSaysPathExpectationAndFinding) {
  EXPECT_EQ(Refusal(With(Stored(), "home", "London")), "Person.home: expected M, found S");
  EXPECT_EQ(Refusal(With(Stored(), "home", Map{})), "Person.home.city: expected S, found nothing");
  EXPECT_EQ(Refusal(With(Stored(), "former", List{Map{{"city", "Bath"}}, Map{{"city", 5}}})),
            "Person.former[1].city: expected S, found N");
  EXPECT_EQ(Refusal(With(Stored(), "others", Map{{"a", Map{{"city", Null{}}}}})),
            "Person.others.a.city: expected S, found NULL");
  const Error error = FromItem<Person>(With(Stored(), "work", Map{{"city", true}})).error();
  EXPECT_EQ(error.code, ErrorCode::kValidation);
  const auto* detail = dynamic_cast<const MappingErrorDetail*>(error.detail.get());
  ASSERT_NE(detail, nullptr);
  EXPECT_EQ(detail->path, "work.city");
  EXPECT_EQ(detail->expected, "S");
  EXPECT_EQ(detail->found, "BOOL");
}

TEST(StructCodec, UnknownAttributesAreKept) {
  const Item item = With(With(Stored(), "visits", 0), "zzz", List{1, "x"});
  const Item more = With(With(item, "others", Map{}), "Aaa", true);
  const Person person = FromItem<Person>(more).value();
  EXPECT_EQ(person.rest.attributes, (Item{{"Aaa", true}, {"zzz", List{1, "x"}}}));
  EXPECT_EQ(ToItem(person).value(), more);
}

TEST(StructCodec, AnUnknownAttributeCannotHaveTheNameOfAField) {
  Person person;
  person.rest.attributes = {{"age", 5}};
  EXPECT_EQ(ToItem(person).error().message,
            "Person.age: expected no unknown attribute with the name of a field, found N");
}

TEST(StructCodec, UnknownAttributesAreCarriedIntoNestedStructs) {
  const Map home = {{"city", "London"}, {"planet", "Earth"}};
  const Item before = With(With(With(With(Stored(), "home", home), "work", home), "others",
                                Map{{"a", home}, {"b", home}}),
                           "unknown", 1);
  Person person = FromItem<Person>(before).value();
  person.rest = {};
  person.home.city = "Paris";
  person.others.erase("b");
  person.others["c"] = {.city = "Rome", .street = {}};
  Item after = ToItem(person).value();
  CarryUnknown<Person>(before, after);
  EXPECT_EQ(after.at("home"), AttributeValue(Map{{"city", "Paris"}, {"planet", "Earth"}}));
  EXPECT_EQ(after.at("work"), AttributeValue(home));
  EXPECT_EQ(after.at("others"), AttributeValue(Map{{"a", home}, {"c", Map{{"city", "Rome"}}}}));
  EXPECT_EQ(after.at("unknown"), AttributeValue(1));
  EXPECT_EQ(UnknownAttributesOf<Person>(before), (Item{{"unknown", 1}}));
}

TEST(StructCodec, CarryingBringsNothingBackThatAFieldHasLetGo) {
  const Item before = With(With(Stored(), "work", Map{{"city", "Bath"}, {"x", 1}}), "age", 7);
  Person person = FromItem<Person>(before).value();
  person.work.reset();
  Item after = ToItem(person).value();
  CarryUnknown<Person>(before, after);
  EXPECT_FALSE(after.contains("work"));
  EXPECT_FALSE(after.contains("age"));
}

TEST(StructCodec, MembersOfBasesAreFieldsWithTheirOptions) {
  Note note;
  note.id = "n1";
  note.text = "hello";
  const Item item = ToItem(note).value();
  EXPECT_EQ(item, (Item{{"pk", "n1"}, {"revision", 1}, {"text", "hello"}}));
  EXPECT_EQ(FromItem<Note>(item)->id, "n1");
}

TEST(StructCodec, PrivateMembersMayBeDescribed) {
  EXPECT_EQ(ToItem(Counter(3)).value(), (Item{{"count", 3}}));
  EXPECT_EQ(FromItem<Counter>(Item{{"count", 4}})->count(), 4);
}

TEST(StructCodec, AStructMayHaveNoFields) {
  EXPECT_EQ(ToItem(Empty()).value(), Item());
  EXPECT_TRUE(FromItem<Empty>(Item{{"a", 1}}));
}

TEST(StructCodec, AnItemThatIsGivenAwayIsMovedFrom) {
  const std::string long_text(1000, 'x');
  Item item = {{"pk", long_text}, {"revision", 1}, {"text", long_text}};
  const auto* place = item.at("text").If<std::string>()->data();
  const Note note = FromItem<Note>(std::move(item)).value();
  EXPECT_EQ(note.text.data(), place);
}

}  // namespace
}  // namespace stator::mapping
