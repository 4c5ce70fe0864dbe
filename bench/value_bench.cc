// What values cost on the way through a server: reading and writing an item of 1 KB, its size, and
// numbers.
//
// counted.h says how to run it.

#include <benchmark/benchmark.h>

#include <array>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "counted.h"
#include "stator/value/attribute_value.h"
#include "value/dynamodb_json.h"
#include "value/size.h"

namespace {

using stator::Item;
using stator::List;
using stator::Map;
using stator::Number;

std::string Text(std::size_t length) {
  constexpr std::string_view kWords = "the quick brown fox jumps over the lazy dog ";
  std::string text;
  while (text.size() < length) {
    text.append(kWords);
  }
  return text.substr(0, length);
}

// 1,024 bytes as DynamoDB counts them: an order with what such items usually have, in the order in
// which a program would name it.
std::vector<Map::value_type> OneKilobyte() {
  return {{"pk", "CUSTOMER#7f4c2c2e-5d0f-4b0e-9d43-8a4a3f1f7d11"},
          {"sk", "ORDER#2026-08-14T10:15:30.123Z#000042"},
          {"status", "SHIPPED"},
          {"version", 17},
          {"total", Number::Parse("1299.95").value()},
          {"created_at", 1786702530},
          {"gift", false},
          {"note", Text(635)},
          {"tags", stator::StringSet{"express", "fragile", "insured"}},
          {"address", Map{{"street", Text(40)}, {"city", "Berlin"}, {"zip", "10115"}}},
          {"lines", List{Map{{"sku", "A-1001"}, {"quantity", 2}, {"price", 499}},
                         Map{{"sku", "B-2002"}, {"quantity", 1}, {"price", 301}}}},
          {"image", stator::Binary{Text(64)}}};
}

Item ToItem(std::vector<Map::value_type> entries) {
  Item item;
  item.Assign(std::move(entries));
  return item;
}

// A client sends attributes in its own order.
std::string ToUnsortedJson(const std::vector<Map::value_type>& entries) {
  std::string json;
  for (const auto& [name, value] : entries) {
    json.append(json.empty() ? "{" : ",").append("\"").append(name).append("\":");
    stator::value::AppendDynamoDbJson(value, json);
  }
  return json + "}";
}

// Everything that the cases need, made once.
struct Fixture {
  Item item = ToItem(OneKilobyte());
  std::string json = ToUnsortedJson(OneKilobyte());
  simdjson::padded_string padded = simdjson::padded_string(json);
  simdjson::dom::parser parser;
  std::string out;
  Number small = 42;
  Number price = Number::Parse("1299.95").value();
  Number large = Number::Parse("12345678901234567890123456789012345678").value();
};

void ParseItem(Fixture& fixture) {
  auto item = stator::value::MapFromJson(fixture.parser.parse(fixture.padded).value_unsafe());
  benchmark::DoNotOptimize(item);
}
void ParseItemToRow(Fixture& fixture) {
  auto item =
      stator::value::StoredItemFromJson(fixture.parser.parse(fixture.padded).value_unsafe());
  benchmark::DoNotOptimize(item);
}
void PrintItem(Fixture& fixture) {
  fixture.out.clear();
  stator::value::AppendDynamoDbJson(fixture.item, fixture.out);
  benchmark::DoNotOptimize(fixture.out.data());
}
void SizeItem(Fixture& fixture) {
  benchmark::DoNotOptimize(stator::value::SizeOfItem(fixture.item));
}
void CopyItem(Fixture& fixture) {
  Item copy = fixture.item;
  benchmark::DoNotOptimize(copy);
}
void FindAttribute(Fixture& fixture) {
  benchmark::DoNotOptimize(fixture.item.Find("status"));
}
void ParseInteger(Fixture& /*fixture*/) {
  auto number = Number::Parse("1786702530");
  benchmark::DoNotOptimize(number);
}
void ParseFraction(Fixture& /*fixture*/) {
  auto number = Number::Parse("1299.95");
  benchmark::DoNotOptimize(number);
}
void Parse38Digits(Fixture& /*fixture*/) {
  auto number = Number::Parse("12345678901234567890123456789012345678");
  benchmark::DoNotOptimize(number);
}
void Print(Fixture& fixture, const Number& number) {
  fixture.out.clear();
  number.AppendTo(fixture.out);
  benchmark::DoNotOptimize(fixture.out.data());
}
void PrintInteger(Fixture& fixture) {
  Print(fixture, fixture.small);
}
void PrintFraction(Fixture& fixture) {
  Print(fixture, fixture.price);
}
void Print38Digits(Fixture& fixture) {
  Print(fixture, fixture.large);
}
void CompareIntegers(Fixture& fixture) {
  Number other = 43;
  benchmark::DoNotOptimize(other);
  benchmark::DoNotOptimize(fixture.small < other);
}
void CompareFractions(Fixture& fixture) {
  benchmark::DoNotOptimize(fixture.small < fixture.price);
}
void Compare38Digits(Fixture& fixture) {
  benchmark::DoNotOptimize(fixture.large < fixture.price);
}
void AddNumbers(Fixture& fixture) {
  auto sum = Number::Add(fixture.small, fixture.price);
  benchmark::DoNotOptimize(sum);
}

using Case = stator::bench::Case<Fixture>;

constexpr std::array kCases = {
    Case{"parse_item", ParseItem},
    Case{"parse_item_to_row", ParseItemToRow},
    Case{"print_item", PrintItem},
    Case{"size_item", SizeItem},
    Case{"copy_item", CopyItem},
    Case{"find_attribute", FindAttribute},
    Case{"parse_integer", ParseInteger},
    Case{"parse_fraction", ParseFraction},
    Case{"parse_38_digits", Parse38Digits},
    Case{"print_integer", PrintInteger},
    Case{"print_fraction", PrintFraction},
    Case{"print_38_digits", Print38Digits},
    Case{"compare_integers", CompareIntegers},
    Case{"compare_fractions", CompareFractions},
    Case{"compare_38_digits", Compare38Digits},
    Case{"add", AddNumbers},
};

}  // namespace

int main(int argc, char** argv) {
  Fixture fixture;
  CHECK_THAT(stator::value::SizeOfItem(fixture.item) == 1024,
             std::to_string(stator::value::SizeOfItem(fixture.item)));
  CHECK(stator::value::ParseDynamoDbItem(fixture.json).value() == fixture.item);
  return stator::bench::CountOrTime(argc, argv, kCases, fixture);
}
