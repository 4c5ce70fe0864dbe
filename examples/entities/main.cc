// A small shop in one table. The same program, unchanged, on every home of the data:
//
//   shop memory:                    gone afterwards
//   shop ./data                     in a directory
//   shop http://127.0.0.1:8000      in a server
//   shop policy                     prints the IAM policy of the shop, and nothing else
//
// A purchase takes from the stock and writes the order in one transaction under the id of the
// request, so a customer who presses the button twice buys once.

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <variant>

#include "shop.h"
#include "stator/api/database.h"
#include "stator/home/open.h"
#include "stator/mapping/schema.h"
#include "stator/patterns/transaction.h"
#include "stator/provision/ensure_table.h"
#include "stator/schema/policy_file.h"
#include "stator/schema/snapshot.h"

namespace {

using namespace shop;
using stator::Database;
using stator::Error;
using stator::Result;
using stator::entities::Add;
using stator::entities::Describe;
using stator::entities::Versioned;
using stator::entities::Where;
using stator::patterns::Idempotency;
using stator::patterns::Transaction;

struct Shop {
  Database& database;
  Customers customers;
  Orders orders;
  Stocks stocks;
  CustomerWithOrders accounts;
};

// All entities have the same keys, so one of them describes the table.
Result<void> MakeTable(Database& database) {
  stator::provision::TableSpec spec = stator::schema::TableSpecOf(Describe<Order>());
  spec.name = kTable;
  spec.recovery.enabled = false;
  spec.deletion_protection = false;
  const auto made =
      stator::provision::EnsureTable(database, spec, stator::provision::EnsureMode::kCreate);
  return made ? Result<void>() : std::unexpected(made.error());
}

Result<Shop> OpenShop(Database& database) {
  // No key can be of two of them.
  const auto shared =
      stator::entities::CheckShared({Describe<Customer>(), Describe<Order>(), Describe<Stock>()});
  if (!shared) {
    return std::unexpected(shared.error());
  }
  const auto customers = Customers::Open(database, {.table_name = kTable});
  const auto orders = Orders::Open(database, {.table_name = kTable});
  const auto stocks = Stocks::Open(database, {.table_name = kTable});
  const auto accounts = CustomerWithOrders::Open(database, {.table_name = kTable});
  if (!customers || !orders || !stocks || !accounts) {
    return stator::Invalid("the shop cannot be opened");
  }
  return Shop{database, *customers, *orders, *stocks, *accounts};
}

Result<void> Buy(const Shop& shop, const Order& order, const std::string& request) {
  Transaction purchase(shop.database, Idempotency::Token(request));
  if (auto added =
          shop.stocks.PatchIn(purchase, {order.article}, Add<&Stock::left>(-order.quantity),
                              Where<&Stock::left>() >= order.quantity, "stock");
      !added) {
    return added;
  }
  if (auto added = shop.orders.InsertIn(purchase, order, "order"); !added) {
    return std::unexpected(added.error());
  }
  const auto committed = purchase.Commit();
  if (!committed && stator::patterns::FindConditionFailed(committed.error(), "stock") != nullptr) {
    return stator::Invalid("sold out");
  }
  return committed ? Result<void>() : std::unexpected(committed.error());
}

void Report(const char* what, const Result<void>& done) {
  std::printf("%s: %s\n", what, done ? "done" : done.error().message.c_str());
}

// An item as the first version of the shop left it.
Result<void> LeaveOldCustomer(Database& database) {
  const auto put = database.PutItem({.table_name = kTable,
                                     .item = {{"pk", "CUSTOMER#ann"},
                                              {"sk", "PROFILE"},
                                              {"id", "ann"},
                                              {"name", "Ann"},
                                              {"town", "Oslo"},
                                              {"data_version", 1},
                                              {"rev", 1},
                                              {"write_id", "AAAAAAAAAAAAAAAA"}}});
  return put ? Result<void>() : std::unexpected(put.error());
}

Result<void> ShowAccount(const Shop& shop, const std::string& customer) {
  const auto account = shop.accounts.Query({customer});
  if (!account) {
    return std::unexpected(account.error());
  }
  for (const CustomerWithOrders::Value& entry : *account) {
    if (const auto* who = std::get_if<Versioned<Customer>>(&entry)) {
      std::printf("%s of %s\n", who->data.name.c_str(), who->data.city.c_str());
    } else if (const auto* order = std::get_if<Versioned<Order>>(&entry)) {
      std::printf("  %u: %lld of %s\n", order->data.number,
                  static_cast<long long>(order->data.quantity), order->data.article.c_str());
    }
  }
  const auto stock = shop.stocks.ReadStrong({"lamp"});
  if (stock && *stock) {
    std::printf("%lld lamps are left\n", static_cast<long long>((*stock)->data.left));
  }
  return {};
}

Result<void> Run(const std::string& location) {
  const auto database = stator::Open(location);
  if (!database) {
    return std::unexpected(database.error());
  }
  if (auto made = MakeTable(**database); !made) {
    return made;
  }
  const auto shop = OpenShop(**database);
  if (!shop) {
    return std::unexpected(shop.error());
  }
  if (auto left = LeaveOldCustomer(**database); !left) {
    return left;
  }
  if (auto stocked = shop->stocks.Upsert({.article = "lamp", .left = 3}); !stocked) {
    return std::unexpected(stocked.error());
  }
  const Order first = {.customer = "ann", .number = 1, .article = "lamp", .quantity = 2};
  const Order second = {.customer = "ann", .number = 2, .article = "lamp", .quantity = 2};
  Report("two lamps", Buy(*shop, first, "request 1"));
  Report("the same request again", Buy(*shop, first, "request 1"));
  Report("two more", Buy(*shop, second, "request 2"));
  return ShowAccount(*shop, "ann");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string location = argc > 1 ? argv[1] : "memory:";
  if (location == "policy") {
    const stator::Map policy = stator::schema::MakeProgramPolicy(
        {.repositories = {Customers::Describe(), Orders::Describe(), Stocks::Describe()},
         .table_name = kTable});
    std::fputs(stator::CanonicalJson(policy).c_str(), stdout);
    return 0;
  }
  const Result<void> done = Run(location);
  if (!done) {
    std::fprintf(stderr, "shop: %s\n", done.error().message.c_str());
    return 1;
  }
  return 0;
}
