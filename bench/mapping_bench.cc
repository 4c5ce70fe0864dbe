// What mapping costs: a struct of ten fields to an item and back, beside the same done by hand.
//
// counted.h says how to run it.

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "counted.h"
#include "stator/mapping/mapping.h"
#include "stator/value/attribute_value.h"

namespace {

using stator::AttributeValue;
using stator::Item;
using stator::List;
using stator::Map;
using stator::Number;
using stator::StringSet;

struct Order {
  std::string id;
  std::string customer;
  std::string status;
  std::int64_t version = 0;
  std::int64_t created_at = 0;
  Number total;
  bool gift = false;
  std::optional<std::string> note;
  std::set<std::string> tags;
  std::vector<std::string> lines;

  friend bool operator==(const Order&, const Order&) = default;
};
BOOST_DESCRIBE_STRUCT(Order, (),
                      (id, customer, status, version, created_at, total, gift, note, tags, lines))

Order MakeOrder() {
  return {.id = "ORDER#2026-08-14T10:15:30.123Z#000042",
          .customer = "CUSTOMER#7f4c2c2e-5d0f-4b0e-9d43-8a4a3f1f7d11",
          .status = "SHIPPED",
          .version = 17,
          .created_at = 1786702530,
          .total = Number::Parse("1299.95").value(),
          .gift = false,
          .note = "leave it with the neighbours on the second floor",
          .tags = {"express", "fragile", "insured"},
          .lines = {"A-1001 x 2", "B-2002 x 1"}};
}

// As a careful person would write it: in the order of the names, so that nothing has to be moved.
Item BuildByHand(const Order& order) {
  Item item;
  item.reserve(10);
  item.Append("created_at", AttributeValue(order.created_at));
  item.Append("customer", AttributeValue(order.customer));
  item.Append("gift", AttributeValue(order.gift));
  item.Append("id", AttributeValue(order.id));
  item.Append("lines", AttributeValue(List(order.lines.begin(), order.lines.end())));
  if (order.note.has_value()) {
    item.Append("note", AttributeValue(*order.note));
  }
  item.Append("status", AttributeValue(order.status));
  if (!order.tags.empty()) {
    item.Append(
        "tags",
        AttributeValue(StringSet(std::vector<std::string>(order.tags.begin(), order.tags.end()))));
  }
  item.Append("total", AttributeValue(order.total));
  item.Append("version", AttributeValue(order.version));
  return item;
}

template <class T>
bool Take(const Item& item, std::string_view name, T& out) {
  const AttributeValue* value = item.Find(name);
  const T* typed = value == nullptr ? nullptr : value->If<T>();
  if (typed == nullptr) {
    return false;
  }
  out = *typed;
  return true;
}

bool TakeInteger(const Item& item, std::string_view name, std::int64_t& out) {
  Number number;
  if (!Take(item, name, number)) {
    return false;
  }
  const auto integer = number.ToInt64();
  out = integer.value_or(0);
  return integer.has_value();
}

std::optional<Order> ReadByHand(const Item& item) {
  Order order;
  List lines;
  StringSet tags;
  if (!Take(item, "id", order.id) || !Take(item, "customer", order.customer) ||
      !Take(item, "status", order.status) || !TakeInteger(item, "version", order.version) ||
      !TakeInteger(item, "created_at", order.created_at) || !Take(item, "total", order.total) ||
      !Take(item, "gift", order.gift) || !Take(item, "lines", lines)) {
    return std::nullopt;
  }
  for (const AttributeValue& line : lines) {
    const auto* text = line.If<std::string>();
    if (text == nullptr) {
      return std::nullopt;
    }
    order.lines.push_back(*text);
  }
  if (Take(item, "tags", tags)) {
    order.tags.insert(tags.begin(), tags.end());
  }
  if (std::string note; Take(item, "note", note)) {
    order.note = std::move(note);
  }
  return order;
}

struct Fixture {
  Order order = MakeOrder();
  Item item = BuildByHand(order);
};

void Encode(Fixture& fixture) {
  auto item = stator::ToItem(fixture.order);
  benchmark::DoNotOptimize(item);
}
void EncodeByHand(Fixture& fixture) {
  Item item = BuildByHand(fixture.order);
  benchmark::DoNotOptimize(item);
}
void Decode(Fixture& fixture) {
  auto order = stator::FromItem<Order>(fixture.item);
  benchmark::DoNotOptimize(order);
}
void DecodeByHand(Fixture& fixture) {
  auto order = ReadByHand(fixture.item);
  benchmark::DoNotOptimize(order);
}
// The copy is what it costs to have something to move from; compare with copy.
void DecodeMoving(Fixture& fixture) {
  Item copy = fixture.item;
  auto order = stator::FromItem<Order>(std::move(copy));
  benchmark::DoNotOptimize(order);
}
void Copy(Fixture& fixture) {
  Item copy = fixture.item;
  benchmark::DoNotOptimize(copy);
}

using Case = stator::bench::Case<Fixture>;

constexpr std::array kCases = {
    Case{"encode", Encode},
    Case{"encode_by_hand", EncodeByHand},
    Case{"decode", Decode},
    Case{"decode_by_hand", DecodeByHand},
    Case{"copy_and_decode_moving", DecodeMoving},
    Case{"copy", Copy},
};

}  // namespace

int main(int argc, char** argv) {
  Fixture fixture;
  CHECK(stator::ToItem(fixture.order).value() == fixture.item);
  CHECK(stator::FromItem<Order>(fixture.item).value() == fixture.order);
  CHECK(ReadByHand(fixture.item) == fixture.order);
  return stator::bench::CountOrTime(argc, argv, kCases, fixture);
}
