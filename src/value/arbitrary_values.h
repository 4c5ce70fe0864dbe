// For tests: RapidCheck's arbitrary numbers, key attributes, values and items, with the cases that
// encodings get wrong (38 digits, the ends of the range, zero bytes, prefixes of each other) more
// often than chance would bring them.

#pragma once

#include <algorithm>
#include <rapidcheck.h>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "stator/value/attribute_value.h"

namespace stator::value {

// One with `digits` (no leading zero) whose first digit is worth 10^leading.
inline Number NumberOf(bool negative, const std::string& digits, int leading) {
  const int exponent = leading - static_cast<int>(digits.size()) + 1;
  return Number::Parse((negative ? "-" : "") + digits + "e" + std::to_string(exponent)).value();
}

inline rc::Gen<Number> ArbitraryNumber() {
  const auto leading = rc::gen::weightedOneOf<int>({
      {4, rc::gen::inRange(-2, 12)},
      {2, rc::gen::inRange(limits::kNumberExponentMin, limits::kNumberExponentMax + 1)},
      {1, rc::gen::element(limits::kNumberExponentMin, limits::kNumberExponentMax)},
  });
  const auto digits = rc::gen::mapcat(
      rc::gen::weightedOneOf<std::size_t>({{4, rc::gen::inRange<std::size_t>(1, 5)},
                                           {2, rc::gen::inRange<std::size_t>(1, 39)},
                                           {1, rc::gen::just<std::size_t>(38)}}),
      [](std::size_t count) {
        return rc::gen::container<std::string>(
            count, rc::gen::weightedOneOf<char>(
                       {{3, rc::gen::inRange('0', ':')}, {2, rc::gen::element('0', '9')}}));
      });
  return rc::gen::map(rc::gen::tuple(rc::gen::arbitrary<bool>(), digits, leading),
                      [](const std::tuple<bool, std::string, int>& parts) {
                        const auto& [negative, text, first] = parts;
                        if (text.find_first_not_of('0') == std::string::npos) {
                          return Number();
                        }
                        return NumberOf(negative, text.substr(text.find_first_not_of('0')), first);
                      });
}

// Few different bytes, so that strings are often prefixes of each other.
inline rc::Gen<std::string> ArbitraryBytes() {
  return rc::gen::container<std::string>(rc::gen::weightedOneOf<char>(
      {{3, rc::gen::element('\x00', '\x01', '\x02', 'a', 'b', '\x7F', '\x80', '\xFE', '\xFF')},
       {1, rc::gen::arbitrary<char>()}}));
}

inline rc::Gen<AttributeValue> ArbitraryKeyAttribute() {
  return rc::gen::oneOf(
      rc::gen::map(ArbitraryBytes(), [](std::string s) { return AttributeValue(std::move(s)); }),
      rc::gen::map(ArbitraryBytes(),
                   [](std::string s) { return AttributeValue(Binary{std::move(s)}); }),
      rc::gen::map(ArbitraryNumber(), [](Number n) { return AttributeValue(n); }));
}

template <class Member>
rc::Gen<AttributeValue> ArbitrarySet(const rc::Gen<Member>& member) {
  return rc::gen::map(
      rc::gen::nonEmpty(rc::gen::container<std::vector<Member>>(member)),
      [](std::vector<Member> m) { return AttributeValue(AttributeSet<Member>(std::move(m))); });
}

inline rc::Gen<Map> ArbitraryMap(int depth);

inline rc::Gen<AttributeValue> ArbitraryValue(int depth) {
  auto scalar = rc::gen::oneOf(
      ArbitraryKeyAttribute(), ArbitraryKeyAttribute(), rc::gen::just(AttributeValue(Null{})),
      rc::gen::map(rc::gen::arbitrary<bool>(), [](bool b) { return AttributeValue(b); }),
      ArbitrarySet(ArbitraryBytes()), ArbitrarySet(ArbitraryNumber()),
      ArbitrarySet(
          rc::gen::map(ArbitraryBytes(), [](std::string s) { return Binary{std::move(s)}; })));
  if (depth == 0) {
    return scalar;
  }
  return rc::gen::oneOf(
      scalar, scalar,
      rc::gen::map(rc::gen::resize(5, rc::gen::container<List>(ArbitraryValue(depth - 1))),
                   [](List list) { return AttributeValue(std::move(list)); }),
      rc::gen::map(ArbitraryMap(depth - 1),
                   [](Map map) { return AttributeValue(std::move(map)); }));
}

inline rc::Gen<Map> ArbitraryMap(int depth) {
  return rc::gen::map(
      rc::gen::resize(8, rc::gen::container<std::vector<Map::value_type>>(
                             rc::gen::pair(ArbitraryBytes(), ArbitraryValue(depth)))),
      [](std::vector<Map::value_type> entries) {
        Map map;
        map.Assign(std::move(entries));
        return map;
      });
}

}  // namespace stator::value
