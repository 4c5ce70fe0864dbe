// What enum_codec.h promises: enums are stored by name, in the style and with the exceptions that
// their Mapping says, and names nobody knows are refused unless it says otherwise.

#include "stator/mapping/detail/enum_codec.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

#include "stator/mapping/mapping.h"

namespace stator::mapping {
namespace {

enum class Plain { kOne, kTwo };
BOOST_DESCRIBE_ENUM(Plain, kOne, kTwo)

enum class Job { kPending, kInProgress, kDone };
BOOST_DESCRIBE_ENUM(Job, kPending, kInProgress, kDone)

enum class Colour { kOther, kRed };
BOOST_DESCRIBE_ENUM(Colour, kOther, kRed)

struct Outer {
  enum class Inner { kA, kB };
  BOOST_DESCRIBE_NESTED_ENUM(Inner, kA, kB)
  Inner inner = Inner::kA;
};
BOOST_DESCRIBE_STRUCT(Outer, (), (inner))

}  // namespace
}  // namespace stator::mapping

template <>
struct stator::Mapping<stator::mapping::Job> {
  static constexpr NameStyle kNameStyle = NameStyle::kSnakeCase;
  static constexpr std::array kEnumerators = {Enumerator{stator::mapping::Job::kDone, "complete"}};
};

template <>
struct stator::Mapping<stator::mapping::Colour> {
  static constexpr NameStyle kNameStyle = NameStyle::kUpperCase;
  static constexpr stator::mapping::Colour kOtherwise = stator::mapping::Colour::kOther;
};

namespace stator::mapping {
namespace {

template <class T>
std::string Name(T value) {
  const AttributeValue attribute = ToAttribute(value).value();
  return *attribute.If<std::string>();
}

TEST(EnumCodec, StoresNamesAsWritten) {
  EXPECT_EQ(Name(Plain::kTwo), "kTwo");
  EXPECT_EQ(FromAttribute<Plain>("kOne"), Plain::kOne);
}

TEST(EnumCodec, StoresNamesInTheStyleAskedFor) {
  EXPECT_EQ(Name(Job::kPending), "pending");
  EXPECT_EQ(Name(Job::kInProgress), "in_progress");
  EXPECT_EQ(Name(Job::kDone), "complete");
  EXPECT_EQ(Name(Colour::kRed), "RED");
  EXPECT_EQ(FromAttribute<Job>("in_progress"), Job::kInProgress);
  EXPECT_EQ(FromAttribute<Job>("complete"), Job::kDone);
}

TEST(EnumCodec, RefusesNamesItDoesNotKnow) {
  EXPECT_EQ(FromAttribute<Job>("done").error().message,
            "value: expected S, one of pending, in_progress, complete, found \"done\"");
  EXPECT_EQ(FromAttribute<Job>(1).error().message,
            "value: expected S, one of pending, in_progress, complete, found N");
  EXPECT_EQ(FromAttribute<Job>(std::string(65, 'x')).error().message,
            "value: expected S, one of pending, in_progress, complete, found S");
}

TEST(EnumCodec, ReadsUnknownNamesAsToldTo) {
  EXPECT_EQ(FromAttribute<Colour>("GREEN"), Colour::kOther);
  EXPECT_FALSE(FromAttribute<Colour>(5));
}

TEST(EnumCodec, RefusesToStoreWhatHasNoName) {
  EXPECT_EQ(ToAttribute(static_cast<Job>(7)).error().message,
            "value: expected a described enumerator of Job, found the value 7");
}

TEST(EnumCodec, EnumsMayBeNestedAndBeMembersOfSets) {
  EXPECT_EQ(FromItem<Outer>(Item{{"inner", "kB"}})->inner, Outer::Inner::kB);
  EXPECT_EQ(ToAttribute(std::set{Job::kDone, Job::kPending}),
            AttributeValue(StringSet{"complete", "pending"}));
  EXPECT_EQ(FromAttribute<std::set<Job>>(StringSet{"complete"}), std::set{Job::kDone});
}

}  // namespace
}  // namespace stator::mapping
