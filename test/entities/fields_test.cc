// Changes, conditions and ranges by members and by the fields of key templates; cursors of pages;
// indexes that are completed from the table.

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "entities/entities_test.h"

namespace stator::entities {

enum class Size : std::uint8_t { kSmall, kLarge };
BOOST_DESCRIBE_ENUM(Size, kSmall, kLarge)

struct Address {
  std::string city;
  std::optional<std::string> zip = std::nullopt;

  friend bool operator==(const Address&, const Address&) = default;
};
BOOST_DESCRIBE_STRUCT(Address, (), (city, zip))

struct Parcel {
  std::string depot;
  std::string route = {};
  std::uint32_t number = 0;
  Size size = Size::kSmall;
  std::uint16_t weight = 0;
  bool paid = false;
  Address to = {};
  std::optional<Address> from = std::nullopt;
  std::vector<std::string> history = {};
  std::string state = "new";

  friend bool operator==(const Parcel&, const Parcel&) = default;
};
BOOST_DESCRIBE_STRUCT(Parcel, (),
                      (depot, route, number, size, weight, paid, to, from, history, state))

template <>
struct EntityTraits<Parcel> {
  static constexpr std::string_view kName = "parcel";
  static constexpr KeyTemplate kPartitionKey = {"DEPOT#{depot}"};
  static constexpr KeyTemplate kSortKey = {"P#{route}#{number:06}"};
  static constexpr std::array kIndexes = {
      Index{.name = "by_state",
            .partition_key = {"{state}"},
            .sort_key = KeyTemplate{"{route}", "route"},
            .projection = ProjectionType::kKeysOnly},
  };
};

namespace {

using Parcels = Repository<Parcel, kAllVerbs, "by_state">;
using Sort = SortKey<Parcel>;
using Names = std::vector<std::string>;

class FieldsTest : public EntitiesTest {
 protected:
  Versioned<Parcel> Add(const std::string& route, std::uint32_t number) {
    return Must(Others<Parcels>().Insert({.depot = "d", .route = route, .number = number}));
  }
  static std::string NameOf(const Parcel& parcel) {
    return parcel.route + std::to_string(parcel.number);
  }
  Names Found(const EntityQuery<Parcel>& query) {
    Names names;
    for (const auto& parcel : parcels_.Query({"d"}, query)) {
      EXPECT_TRUE(Succeeds(parcel));
      if (parcel) {
        names.push_back(NameOf(parcel->data));
      }
    }
    return names;
  }

  Parcels parcels_ = Open<Parcels>();
};

TEST_F(FieldsTest, APatchNamesMembersAlsoInsideOfStructs) {
  Parcel parcel = Add("n", 1).data;
  parcel.from = Address{.city = "Bonn"};
  Must(parcels_.Modify({"d", "n", 1}, [&](Parcel& stored) { stored = parcel; }));
  const auto patched = Must(parcels_.Patch(
      {"d", "n", 1},
      Set<&Parcel::size>(Size::kLarge)
          .Set<&Parcel::to, &Address::city>("Köln")
          .Set<&Parcel::from, &Address::zip>("53111")
          .Add<&Parcel::weight>(7)
          .Append<&Parcel::history>({"sent", "seen"}),
      Where<&Parcel::size>() == Size::kSmall && Where<&Parcel::from, &Address::city>() == "Bonn" &&
          Where<&Parcel::from, &Address::zip>() == std::nullopt && Where<&Parcel::weight>() < 1 &&
          !(Where<&Parcel::paid>() == true) && Where<&Parcel::state>().In({"new", "old"})));
  parcel.size = Size::kLarge;
  parcel.to.city = "Köln";
  parcel.from->zip = "53111";
  parcel.weight = 7;
  parcel.history = {"sent", "seen"};
  EXPECT_EQ(patched.data, parcel);
  const auto taken = Must(
      parcels_.Patch({"d", "n", 1}, entities::Add<&Parcel::weight>(-2).Remove<&Parcel::from>()));
  EXPECT_EQ(taken.data.weight, 5);
  EXPECT_EQ(taken.data.from, std::nullopt);
  const auto emptied =
      Must(parcels_.Patch({"d", "n", 1}, Set<&Parcel::from>(std::optional<Address>()),
                          Where<&Parcel::from>().NotExists()));
  EXPECT_EQ(emptied.data.from, std::nullopt);
}

TEST_F(FieldsTest, AConditionThatDoesNotHoldRefuses) {
  Add("n", 1);
  for (const FieldCondition<Parcel>& condition :
       {Where<&Parcel::weight>() != 0, Where<&Parcel::weight>() > 0, Where<&Parcel::weight>() >= 1,
        Where<&Parcel::weight>().Between(1, 5), Where<&Parcel::state>().BeginsWith("o"),
        Where<&Parcel::from>().Exists(), Where<&Parcel::from>() != std::nullopt,
        Where<&Parcel::state>() == "new" && Where<&Parcel::paid>() == true,
        !(Where<&Parcel::state>() == "new" || Where<&Parcel::paid>() == true)}) {
    EXPECT_TRUE(FailsWith(parcels_.Patch({"d", "n", 1}, Set<&Parcel::paid>(true), condition),
                          ErrorCode::kRefused));
  }
  EXPECT_TRUE(Succeeds(
      parcels_.Patch({"d", "n", 1}, Set<&Parcel::paid>(true), Where<&Parcel::weight>() <= 0)));
}

TEST_F(FieldsTest, ANumberThatTheFieldHasNoRoomForIsNotSent) {
  Add("n", 1);
  const std::size_t before = faulty().calls("UpdateItem");
  EXPECT_TRUE(FailsWith(parcels_.Patch({"d", "n", 1}, Set<&Parcel::weight>(70'000)),
                        ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(
      parcels_.Patch({"d", "n", 1}, Set<&Parcel::paid>(true), Where<&Parcel::weight>() == -1),
      ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(parcels_.Read({"d", "n", -1}), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(parcels_.Count({"d"}, {.filter = Where<&Parcel::weight>() == -1}),
                        ErrorCode::kValidation));
  EXPECT_EQ(faulty().calls("UpdateItem"), before);
}

TEST_F(FieldsTest, RangesFollowTheFieldsOfTheSortKey) {
  for (const char* route : {"n", "no", "s"}) {
    for (const std::uint32_t number : {1U, 2U, 30U}) {
      Add(route, number);
    }
  }
  // Of another entity, before, behind and where a range could end.
  for (const char* other : {"A", "P", "P$", "P#no$", "Q#x#000001"}) {
    Put("parcel", {{"pk", "DEPOT#d"}, {"sk", other}});
  }
  EXPECT_EQ(Found({.sort = Sort::Of({"n"})}), (Names{"n1", "n2", "n30"})) << "not of no";
  EXPECT_EQ(Found({.sort = Sort::Of({"n", 2})}), (Names{"n2"}));
  EXPECT_EQ(Found({.sort = Sort::BeginsWith("n")}).size(), 6U) << "also of no";
  EXPECT_EQ(Found({.sort = Sort::From({"no", 2})}), (Names{"no2", "no30", "s1", "s2", "s30"}));
  EXPECT_EQ(Found({.sort = Sort::After({"no", 2})}), (Names{"no30", "s1", "s2", "s30"}));
  EXPECT_EQ(Found({.sort = Sort::After("no")}), (Names{"s1", "s2", "s30"}));
  EXPECT_EQ(Found({.sort = Sort::To({"n", 2})}), (Names{"n1", "n2"}));
  EXPECT_EQ(Found({.sort = Sort::To("n")}), (Names{"n1", "n2", "n30"}));
  EXPECT_EQ(Found({.sort = Sort::Before({"n", 2})}), (Names{"n1"}));
  EXPECT_EQ(Found({.sort = Sort::Between({"n", 30}, {"no", 2})}), (Names{"n30", "no1", "no2"}));
  EXPECT_EQ(Found({.sort = Sort::Between({"n", 30}, "no")}), (Names{"n30", "no1", "no2", "no30"}));
  EXPECT_TRUE(
      FailsWith(parcels_.Count({"d"}, {.sort = Sort::Of({"a#b", 1})}), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(parcels_.Count({"d"}, {.sort = Sort::BeginsWith({"n", 1})}),
                        ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(parcels_.Count({"d"}, {.sort = Sort::Of({"n", 10'000'000})}),
                        ErrorCode::kValidation));
}

TEST_F(FieldsTest, ACursorFitsItsOwnQueryAlone) {
  for (std::uint32_t number = 1; number <= 4; ++number) {
    Add("n", number);
  }
  const auto page = Must(parcels_.QueryPage({"d"}, {.limit = 2}));
  ASSERT_TRUE(page.next);
  EXPECT_EQ(page.next->find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                         "0123456789-_"),
            std::string::npos);
  EXPECT_EQ(Found({.start_after = page.next}), (Names{"n3", "n4"}));
  EXPECT_TRUE(
      FailsWith(parcels_.QueryPage({"e"}, {.start_after = page.next}), ErrorCode::kValidation))
      << "of another partition";
  EXPECT_TRUE(
      FailsWith(parcels_.QueryIndexAndReadPage<"by_state">({"new"}, {.start_after = page.next}),
                ErrorCode::kValidation))
      << "of an index";
  for (std::string wrong : {std::string(), std::string("x"), *page.next + "A", page.next->substr(1),
                            std::string(100'000, 'A')}) {
    EXPECT_TRUE(
        FailsWith(parcels_.QueryPage({"d"}, {.start_after = wrong}), ErrorCode::kValidation))
        << wrong.substr(0, 100);
  }
}

TEST_F(FieldsTest, AnIndexOfKeysIsCompletedFromTheTable) {
  Add("n", 1);
  Add("n", 2);
  Add("s", 3);
  Must(Others<Parcels>().Patch({"d", "n", 2}, Set<&Parcel::weight>(9)));
  std::map<std::string, int> weights;
  for (const auto& parcel : parcels_.QueryIndexAndRead<"by_state">({"new"})) {
    ASSERT_TRUE(Succeeds(parcel));
    weights[NameOf(parcel->data)] = parcel->data.weight;
  }
  EXPECT_EQ(weights, (std::map<std::string, int>{{"n1", 0}, {"n2", 9}, {"s3", 0}}));
  EXPECT_GE(faulty().calls("BatchGetItem"), 1U);
  const auto page = Must(parcels_.QueryIndexAndReadPage<"by_state">(
      {"new"}, {.sort = SortKey<Parcel, "by_state">::Of("s")}));
  ASSERT_EQ(page.entities.size(), 1U);
  EXPECT_EQ(NameOf(page.entities.front().data), "s3");
  auto changed = page.entities.front();
  changed.data.state = "old";
  EXPECT_TRUE(Succeeds(parcels_.Update(changed)));
}

}  // namespace
}  // namespace stator::entities
