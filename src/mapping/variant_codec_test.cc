// What variant_codec.h promises: a variant is the map of its struct with a discriminator.

#include "stator/mapping/detail/variant_codec.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stator/mapping/mapping.h"
#include "value/dynamodb_json.h"

namespace stator::mapping {
namespace {

struct Card {
  std::string number;
  UnknownAttributes rest;

  friend bool operator==(const Card&, const Card&) = default;
};
BOOST_DESCRIBE_STRUCT(Card, (), (number, rest))

struct Cash {
  int amount = 0;

  friend bool operator==(const Cash&, const Cash&) = default;
};
BOOST_DESCRIBE_STRUCT(Cash, (), (amount))

using Payment = std::variant<Card, Cash>;

struct Order {
  Payment payment;
  std::vector<Payment> refunds = {};
  std::optional<Payment> tip = {};
};
BOOST_DESCRIBE_STRUCT(Order, (), (payment, refunds, tip))

}  // namespace
}  // namespace stator::mapping

template <>
struct stator::Mapping<stator::mapping::Cash> {
  static constexpr std::string_view kName = "cash";
};

template <>
struct stator::Mapping<stator::mapping::Order> {
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      Field<&stator::mapping::Order::refunds>({.discriminator = "kind"})};
};

namespace stator::mapping {
namespace {

std::string Refusal(AttributeValue payment) {
  const Result<Order> order = FromItem<Order>(Item{{"payment", std::move(payment)}});
  return order ? "accepted" : order.error().message;
}

TEST(VariantCodec, StoresTheNameOfTheAlternative) {
  const Order order = {.payment = Card{.number = "4111", .rest = {}},
                       .refunds = {Cash{.amount = 5}},
                       .tip = Cash{.amount = 1}};
  const Item item = ToItem(order).value();
  EXPECT_EQ(value::ToDynamoDbJson(item),
            R"({"payment":{"M":{"number":{"S":"4111"},"type":{"S":"Card"}}},)"
            R"("refunds":{"L":[{"M":{"amount":{"N":"5"},"kind":{"S":"cash"}}}]},)"
            R"("tip":{"M":{"amount":{"N":"1"},"type":{"S":"cash"}}}})");
  const Order back = FromItem<Order>(item).value();
  EXPECT_EQ(back.payment, order.payment);  // with no unknown attribute called type
  EXPECT_EQ(back.refunds, order.refunds);
  EXPECT_EQ(back.tip, order.tip);
}

TEST(VariantCodec, RefusesWhatIsNoAlternative) {
  EXPECT_EQ(Refusal(Map{{"amount", 5}}), "Order.payment.type: expected S, found nothing");
  EXPECT_EQ(Refusal(Map{{"type", "cheque"}}),
            "Order.payment.type: expected S, one of Card, cash, found \"cheque\"");
  EXPECT_EQ(Refusal(Map{{"type", 1}}),
            "Order.payment.type: expected S, one of Card, cash, found N");
  EXPECT_EQ(Refusal("cash"), "Order.payment: expected M, found S");
  EXPECT_EQ(Refusal(Map{{"type", "cash"}, {"amount", "5"}}),
            "Order.payment.amount: expected N, an integer from -2147483648 to 2147483647, found S");
}

TEST(VariantCodec, CarriesUnknownAttributesToTheSameAlternativeOnly) {
  const Item before = {{"payment", Map{{"type", "cash"}, {"amount", 1}, {"currency", "EUR"}}}};
  Item same = ToItem(Order{.payment = Cash{.amount = 2}}).value();
  CarryUnknown<Order>(before, same);
  EXPECT_EQ(same.at("payment"),
            AttributeValue(Map{{"type", "cash"}, {"amount", 2}, {"currency", "EUR"}}));
  const Item other = ToItem(Order{.payment = Card{.number = "4111", .rest = {}}}).value();
  Item carried = other;
  CarryUnknown<Order>(before, carried);
  EXPECT_EQ(carried, other);
}

}  // namespace
}  // namespace stator::mapping
