// What a small shop keeps: customers, their orders and the stock, in one table.
//
//   CUSTOMER#ann   PROFILE          the customer
//   CUSTOMER#ann   ORDER#00000001   and the orders, read with it by one query
//   ARTICLE#lamp   STOCK            how many lamps there are

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "stator/stores/entities/collection.h"
#include "stator/stores/entities/repository.h"

namespace shop {

inline constexpr const char* kTable = "shop";

struct Customer {
  std::string id;
  std::string name;
  std::string city;
};
BOOST_DESCRIBE_STRUCT(Customer, (), (id, name, city))

struct Order {
  std::string customer;
  std::uint32_t number = 0;
  std::string article;
  std::int64_t quantity = 0;
};
BOOST_DESCRIBE_STRUCT(Order, (), (customer, number, article, quantity))

struct Stock {
  std::string article;
  std::int64_t left = 0;
};
BOOST_DESCRIBE_STRUCT(Stock, (), (article, left))

}  // namespace shop

template <>
struct stator::entities::EntityTraits<shop::Customer> {
  static constexpr std::string_view kName = "customer";
  static constexpr KeyTemplate kPartitionKey = {"CUSTOMER#{id}"};
  static constexpr KeyTemplate kSortKey = {"PROFILE"};
  // The first version had the city in an attribute called "town".
  static constexpr int kDataVersion = 2;
  static Migrations MakeMigrations() {
    return Migrations().Up(1, [](Item& customer) { Rename(customer, "town", "city"); });
  }
};

template <>
struct stator::entities::EntityTraits<shop::Order> {
  static constexpr std::string_view kName = "order";
  static constexpr KeyTemplate kPartitionKey = {"CUSTOMER#{customer}"};
  static constexpr KeyTemplate kSortKey = {"ORDER#{number:08}"};
};

template <>
struct stator::entities::EntityTraits<shop::Stock> {
  static constexpr std::string_view kName = "stock";
  static constexpr KeyTemplate kPartitionKey = {"ARTICLE#{article}"};
  static constexpr KeyTemplate kSortKey = {"STOCK"};
};

namespace shop {

using stator::entities::Verbs;

// What the shop does with each, and so all that its policy allows.
using Customers = stator::entities::Repository<Customer, Verbs::kRead | Verbs::kInsert>;
using Orders =
    stator::entities::Repository<Order, Verbs::kQuery | Verbs::kInsert | Verbs::kTransact>;
using Stocks = stator::entities::Repository<Stock, Verbs::kRead | Verbs::kUpsert | Verbs::kPatch |
                                                       Verbs::kTransact>;
using CustomerWithOrders = stator::entities::Collection<Customer, Order>;

}  // namespace shop
