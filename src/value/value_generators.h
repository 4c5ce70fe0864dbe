// For tests only: random values of every type for RapidCheck, small enough to be read when a
// property fails.

#pragma once

#include <ostream>
#include <rapidcheck.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "stator/value/attribute_value.h"
#include "value/dynamodb_json.h"

namespace stator {

// How RapidCheck and GoogleTest show a value.
inline std::ostream& operator<<(std::ostream& out, const AttributeValue& value) {
  return out << value::ToDynamoDbJson(value);
}
inline std::ostream& operator<<(std::ostream& out, const Map& map) {
  return out << value::ToDynamoDbJson(map);
}

}  // namespace stator

namespace stator::value {

// UTF-8 of one to four bytes per character, with what JSON escapes among it.
inline rc::Gen<std::string> AnyText() {
  const auto character = rc::gen::weightedOneOf<std::string>({
      {8, rc::gen::map(rc::gen::inRange('a', 'f'), [](char one) { return std::string(1, one); })},
      {2,
       rc::gen::map(rc::gen::inRange('\0', '\x7f'), [](char one) { return std::string(1, one); })},
      {1, rc::gen::element<std::string>("\"", "\\", "\n", "\xc3\xa9", "\xe2\x82\xac",
                                        "\xf0\x9f\x98\x80", "\xc2\x80", "\xed\x9f\xbf")},
  });
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(character),
                      [](const std::vector<std::string>& characters) {
                        std::string text;
                        for (const std::string& one : characters) {
                          text.append(one);
                        }
                        return text;
                      });
}

inline rc::Gen<Number> AnyNumber() {
  const auto digits = rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 39), [](std::size_t length) {
    return rc::gen::container<std::string>(length, rc::gen::inRange('0', ':'));
  });
  return rc::gen::map(
      rc::gen::tuple(rc::gen::arbitrary<bool>(), digits,
                     rc::gen::weightedOneOf<int>(
                         {{3, rc::gen::inRange(-5, 5)}, {1, rc::gen::inRange(-130, 88)}})),
      [](const std::tuple<bool, std::string, int>& parts) {
        const auto& [negative, text, exponent] = parts;
        return Number::Parse((negative ? "-" : "") + text + "e" + std::to_string(exponent)).value();
      });
}

inline rc::Gen<Binary> AnyBinary() {
  return rc::gen::map(rc::gen::arbitrary<std::string>(),
                      [](std::string bytes) { return Binary{std::move(bytes)}; });
}

template <class Member>
rc::Gen<AttributeValue> AnySet(const rc::Gen<Member>& member) {
  return rc::gen::map(rc::gen::nonEmpty(rc::gen::container<std::vector<Member>>(member)),
                      [](std::vector<Member> members) {
                        return AttributeValue(AttributeSet<Member>(std::move(members)));
                      });
}

inline rc::Gen<Map> AnyMap(int depth);

// Lists and maps are nested up to `depth` deep.
inline rc::Gen<AttributeValue> AnyValue(int depth) {
  const auto value = [](auto typed) { return AttributeValue(std::move(typed)); };
  auto flat = rc::gen::oneOf(rc::gen::just(AttributeValue(Null{})),
                             rc::gen::map(rc::gen::arbitrary<bool>(), value),
                             rc::gen::map(AnyText(), value), rc::gen::map(AnyNumber(), value),
                             rc::gen::map(AnyBinary(), value), AnySet(AnyText()),
                             AnySet(AnyNumber()), AnySet(AnyBinary()));
  if (depth == 0) {
    return flat;
  }
  const auto list = rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 4), [depth](std::size_t size) {
    return rc::gen::container<List>(size, AnyValue(depth - 1));
  });
  return rc::gen::oneOf(flat, flat, rc::gen::map(list, value),
                        rc::gen::map(AnyMap(depth - 1), value));
}

inline rc::Gen<Map> AnyMap(int depth) {
  const auto name = rc::gen::nonEmpty(AnyText());
  const auto entries =
      rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 5), [depth, name](std::size_t size) {
        return rc::gen::container<std::vector<Map::value_type>>(
            size, rc::gen::pair(name, AnyValue(depth)));
      });
  return rc::gen::map(entries, [](std::vector<Map::value_type> made) {
    Map map;
    map.Assign(std::move(made));
    return map;
  });
}

inline rc::Gen<Item> AnyItem() {
  return AnyMap(3);
}

}  // namespace stator::value
