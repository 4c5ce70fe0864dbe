// Round trips of random values: from a struct to an item and back, and from an item with attributes
// that nobody knows to a struct and back.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <ostream>
#include <rapidcheck.h>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/property.h"
#include "stator/mapping/mapping.h"
#include "stator/mapping/schema.h"
#include "value/value_generators.h"

namespace stator::mapping {
namespace {

enum class Level { kLow, kHigh };
BOOST_DESCRIBE_ENUM(Level, kLow, kHigh)

struct Leaf {
  std::string text;
  std::uint8_t small = 0;
  UnknownAttributes rest;

  friend bool operator==(const Leaf&, const Leaf&) = default;
};
BOOST_DESCRIBE_STRUCT(Leaf, (), (text, small, rest))

struct Twig {
  std::vector<Leaf> leaves;

  friend bool operator==(const Twig&, const Twig&) = default;
};
BOOST_DESCRIBE_STRUCT(Twig, (), (leaves))

struct Everything {
  std::string text;
  Binary binary;
  bool flag = false;
  std::int8_t tiny = 0;
  std::uint64_t large = 0;
  std::int64_t signed_large = 0;
  double floating = 0;
  float rough = 0;
  Number number;
  std::optional<std::string> maybe;
  std::optional<std::int32_t> maybe_null;
  std::vector<std::optional<int>> list;
  std::map<std::string, std::set<std::string>> map;
  std::unordered_map<std::string, Leaf> leaves;
  std::set<std::int16_t> numbers;
  BinarySet binaries;
  Level level = Level::kLow;
  Leaf leaf;
  std::variant<Leaf, Twig> either;
  std::chrono::sys_seconds seconds;
  std::chrono::sys_time<std::chrono::milliseconds> iso;
  AttributeValue anything;
  UnknownAttributes rest;

  friend bool operator==(const Everything&, const Everything&) = default;
};
BOOST_DESCRIBE_STRUCT(Everything, (),
                      (text, binary, flag, tiny, large, signed_large, floating, rough, number,
                       maybe, maybe_null, list, map, leaves, numbers, binaries, level, leaf, either,
                       seconds, iso, anything, rest))

}  // namespace
}  // namespace stator::mapping

template <>
struct stator::Mapping<stator::mapping::Everything> {
  using Everything = stator::mapping::Everything;
  static constexpr std::tuple kFields = {
      Field<&Everything::floating>({.floating = true}),
      Field<&Everything::rough>({.floating = true}),
      Field<&Everything::iso>({.time = TimeFormat::kIso}),
      Field<&Everything::maybe_null>({.null_when_empty = true}),
  };
};

namespace stator::mapping {
namespace {

std::ostream& operator<<(std::ostream& out, const Everything& value) {
  return out << ToItem(value).value_or(Item());
}

rc::Gen<UnknownAttributes> AnyUnknown() {
  return rc::gen::map(value::AnyMap(1), [](const Map& map) {
    UnknownAttributes unknown;
    for (const auto& [name, attribute] : map) {
      unknown.attributes.Set("x_" + name, attribute);  // no field is called so
    }
    return unknown;
  });
}

rc::Gen<Leaf> AnyLeaf() {
  return rc::gen::build<Leaf>(rc::gen::set(&Leaf::text, value::AnyText()),
                              rc::gen::set(&Leaf::small), rc::gen::set(&Leaf::rest, AnyUnknown()));
}

// Finite, and in the range of DynamoDB's numbers.
template <class Floating>
rc::Gen<Floating> AnyFloating() {
  return rc::gen::map(rc::gen::pair(rc::gen::arbitrary<std::int32_t>(), rc::gen::inRange(-30, 30)),
                      [](const std::pair<std::int32_t, int>& parts) {
                        return std::ldexp(static_cast<Floating>(parts.first), parts.second);
                      });
}

template <class Time>
rc::Gen<Time> AnyTime() {
  return rc::gen::map(rc::gen::arbitrary<std::int32_t>(), [](std::int32_t count) {
    return Time(typename Time::duration(std::int64_t{count} * 17));
  });
}

template <class T>
rc::Gen<std::vector<T>> Few(const rc::Gen<T>& element) {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 4), [element](std::size_t size) {
    return rc::gen::container<std::vector<T>>(size, element);
  });
}

// A struct has many fields; with the usual size of RapidCheck each case would take seconds.
constexpr int kSize = 6;

rc::Gen<Everything> AnyEverything() {
  const auto twig = rc::gen::map(Few(AnyLeaf()),
                                 [](std::vector<Leaf> leaves) { return Twig{std::move(leaves)}; });
  const auto either = rc::gen::oneOf(rc::gen::cast<std::variant<Leaf, Twig>>(AnyLeaf()),
                                     rc::gen::cast<std::variant<Leaf, Twig>>(twig));
  const auto named_sets = rc::gen::container<std::map<std::string, std::set<std::string>>>(
      value::AnyText(), rc::gen::container<std::set<std::string>>(value::AnyText()));
  const auto named_leaves =
      rc::gen::container<std::unordered_map<std::string, Leaf>>(2, value::AnyText(), AnyLeaf());
  const auto binaries = rc::gen::map(Few(value::AnyBinary()), [](std::vector<Binary> members) {
    return BinarySet(std::move(members));
  });
  using Self = Everything;
  auto value = rc::gen::build<Self>(
      rc::gen::set(&Self::text, value::AnyText()), rc::gen::set(&Self::binary, value::AnyBinary()),
      rc::gen::set(&Self::flag), rc::gen::set(&Self::tiny), rc::gen::set(&Self::large),
      rc::gen::set(&Self::signed_large), rc::gen::set(&Self::floating, AnyFloating<double>()),
      rc::gen::set(&Self::rough, AnyFloating<float>()),
      rc::gen::set(&Self::number, value::AnyNumber()),
      rc::gen::set(&Self::maybe, rc::gen::map(rc::gen::maybe(value::AnyText()),
                                              [](rc::Maybe<std::string> maybe) {
                                                return maybe ? std::optional(*maybe) : std::nullopt;
                                              })),
      rc::gen::set(&Self::maybe_null,
                   rc::gen::element<std::optional<std::int32_t>>(std::nullopt, 0, -5)),
      rc::gen::set(&Self::list, Few(rc::gen::element<std::optional<int>>(std::nullopt, 1, 2))),
      rc::gen::set(&Self::map, named_sets), rc::gen::set(&Self::leaves, named_leaves),
      rc::gen::set(&Self::numbers), rc::gen::set(&Self::binaries, binaries),
      rc::gen::set(&Self::level, rc::gen::element(Level::kLow, Level::kHigh)),
      rc::gen::set(&Self::leaf, AnyLeaf()), rc::gen::set(&Self::either, either),
      rc::gen::set(&Self::seconds, AnyTime<std::chrono::sys_seconds>()),
      rc::gen::set(&Self::iso, AnyTime<std::chrono::sys_time<std::chrono::milliseconds>>()),
      rc::gen::set(&Self::anything, value::AnyValue(2)), rc::gen::set(&Self::rest, AnyUnknown()));
  return rc::gen::resize(kSize, std::move(value));
}

int Cases(int few) {
  return std::getenv("STATOR_TEST_FULL") == nullptr ? few : few * 100;
}

TEST(MappingProperty, AValueComesBackFromItsItem) {
  base::CheckProperty(Cases(100), [] {
    const Everything value = *AnyEverything();
    const Item item = ToItem(value).value();
    RC_ASSERT(FromItem<Everything>(item).value() == value);
    Item given_away = item;
    RC_ASSERT(FromItem<Everything>(std::move(given_away)).value() == value);
  });
}

TEST(MappingProperty, AnItemComesBackFromItsValueWithWhatNobodyKnows) {
  base::CheckProperty(Cases(100), [] {
    const Item item = ToItem(*AnyEverything()).value();
    RC_ASSERT(ToItem(FromItem<Everything>(item).value()).value() == item);
  });
}

TEST(MappingProperty, CarryingUnknownAttributesRestoresTheItem) {
  base::CheckProperty(Cases(100), [] {
    Everything value = *AnyEverything();
    const Item before = ToItem(value).value();
    value.rest = {};
    value.leaf.rest = {};
    for (auto& [name, leaf] : value.leaves) {
      leaf.rest = {};
    }
    Item after = ToItem(value).value();
    CarryUnknown<Everything>(before, after);
    RC_ASSERT(after == before);
  });
}

// Whatever an item holds, reading it ends with a value or with an error that says where.
TEST(MappingProperty, AnyItemIsReadOrRefusedWithAPath) {
  base::CheckProperty(Cases(100), [] {
    Item item = ToItem(*AnyEverything()).value();
    const auto& names = StoredNames<Everything>();
    const std::string name(names[*rc::gen::inRange<std::size_t>(0, names.size())]);
    item.Set(name, *value::AnyValue(2));
    const Result<Everything> read = FromItem<Everything>(item);
    if (!read) {
      const auto* detail = dynamic_cast<const MappingErrorDetail*>(read.error().detail.get());
      RC_ASSERT(detail != nullptr);
      RC_ASSERT(detail->path.starts_with(name));
    }
  });
}

}  // namespace
}  // namespace stator::mapping
