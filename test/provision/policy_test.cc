// Policies that are made of a repository's verbs are necessary and sufficient: with nothing but the
// policy, a program that uses every verb works against a server; with any one action or resource
// less, something fails; and what the repository does not do is refused.

#include "stator/provision/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "entities/every_verb.h"
#include "stator/mapping/schema.h"
#include "stator/schema/snapshot.h"
#include "support/limited_server.h"

namespace stator::provision {
namespace {

using entities::RepositoryDescription;
using entities::Verbs;
using support::WithOneLess;
using testing::IsEmpty;
using testing::Not;

// With the tables of the verbs.
class LimitedServer : public support::LimitedServer {
 public:
  explicit LimitedServer(const Map& policy) : support::LimitedServer(policy) {
    entities::MakeEveryVerbTables(admin());
    Settle();
  }
};

Map PolicyOf(const RepositoryDescription& repository) {
  return MakePolicy({schema::AccessOf(
      repository, TableArn(repository.entity.name, "us-east-1", "000000000000"))});
}

// Every verb, and every index that the repository declares.
std::vector<std::string> UseOrders(Database& database) {
  std::vector<std::string> failed = entities::UseEveryVerb(database);
  const entities::Orders orders = *entities::Orders::Open(database, {.retry = {.budget = {}}});
  if (!orders.QueryIndexPage<"by_courier">({"c"})) {
    failed.emplace_back("QueryIndex by_courier");
  }
  if (!orders.QueryIndexPage<"by_total">({"ann"})) {
    failed.emplace_back("QueryIndex by_total");
  }
  return failed;
}

// Those of its verbs that UseUniqueVerbs uses.
RepositoryDescription UniqueVerbs() {
  RepositoryDescription repository = entities::EveryUniqueVerb::Describe();
  repository.verbs = Verbs::kInsert | Verbs::kUpdate | Verbs::kModify | Verbs::kUpsert |
                     Verbs::kRemove | Verbs::kRemoveUnchecked;
  return repository;
}

TEST(PolicyOfVerbs, IsSufficient) {
  LimitedServer orders(PolicyOf(entities::EveryVerb::Describe()));
  EXPECT_THAT(UseOrders(orders.limited()), IsEmpty());
  LimitedServer users(PolicyOf(UniqueVerbs()));
  EXPECT_THAT(entities::UseUniqueVerbs(users.limited()), IsEmpty());
}

TEST(PolicyOfVerbs, IsNecessary) {
  const std::vector<Map> fewer = WithOneLess(PolicyOf(entities::EveryVerb::Describe()));
  EXPECT_GE(fewer.size(), 12U);
  for (const Map& policy : fewer) {
    LimitedServer server(policy);
    EXPECT_THAT(UseOrders(server.limited()), Not(IsEmpty())) << CanonicalJson(policy);
  }
}

TEST(PolicyOfVerbs, IsNecessaryForUniqueFields) {
  for (const Map& policy : WithOneLess(PolicyOf(UniqueVerbs()))) {
    LimitedServer server(policy);
    EXPECT_THAT(entities::UseUniqueVerbs(server.limited()), Not(IsEmpty()))
        << CanonicalJson(policy);
  }
}

// One verb at a time, on an entity that somebody else has stored.
struct VerbCase {
  const char* name;
  Verbs verb;
  std::function<bool(const entities::Orders&, const entities::Versioned<entities::Order>&)> use;
};

const std::vector<VerbCase>& VerbCases() {
  using entities::Order;
  using entities::Orders;
  using entities::Versioned;
  static const std::vector<VerbCase> cases = {
      {"Read", Verbs::kRead,
       [](const Orders& orders, const auto&) {
         return orders.ReadStrong({"ann", 1U}).has_value();
       }},
      {"ReadMany", Verbs::kReadMany,
       [](const Orders& orders, const auto&) {
         return orders.ReadMany({{"ann", 1U}}).has_value();
       }},
      {"ReadTogether", Verbs::kReadTogether,
       [](const Orders& orders, const auto&) {
         return orders.ReadTogether({{"ann", 1U}}).has_value();
       }},
      {"Query", Verbs::kQuery,
       [](const Orders& orders, const auto&) { return orders.Count({"ann"}).has_value(); }},
      {"Insert", Verbs::kInsert,
       [](const Orders& orders, const auto&) {
         return orders.Insert({.customer = "ben", .number = 1}).has_value();
       }},
      {"Update", Verbs::kUpdate,
       [](const Orders& orders, Versioned<Order> seen) {
         seen.data.state = "sent";
         return orders.Update(seen).has_value();
       }},
      {"Modify", Verbs::kModify,
       [](const Orders& orders, const auto&) {
         return orders.Modify({"ann", 1U}, [](Order& order) { order.state = "paid"; }).has_value();
       }},
      {"Patch", Verbs::kPatch,
       [](const Orders& orders, const auto&) {
         return orders.Patch({"ann", 1U}, entities::Set<&entities::Order::total>(1)).has_value();
       }},
      {"Upsert", Verbs::kUpsert,
       [](const Orders& orders, const auto&) {
         return orders.Upsert({.customer = "ann", .number = 1}).has_value();
       }},
      {"Remove", Verbs::kRemove,
       [](const Orders& orders, const auto& seen) { return orders.Remove(seen).has_value(); }},
      {"RemoveUnchecked", Verbs::kRemoveUnchecked,
       [](const Orders& orders, const auto&) {
         return orders.RemoveUnchecked({"ann", 1U}).has_value();
       }},
      {"Expire", Verbs::kExpire,
       [](const Orders& orders, const auto&) { return orders.Expire({"ann", 1U}).has_value(); }},
      {"Touch", Verbs::kTouch,
       [](const Orders& orders, const auto&) {
         const auto later = patterns::Expiry::After(SystemClock(), std::chrono::hours(2));
         return orders.Touch({"ann", 1U}, later).has_value();
       }},
  };
  return cases;
}

TEST(PolicyOfVerbs, IsSufficientAndNecessaryForEachVerbAlone) {
  for (const VerbCase& verb : VerbCases()) {
    RepositoryDescription repository = entities::EveryVerb::Describe();
    repository.verbs = verb.verb;
    repository.indexes.clear();
    const auto use = [&](const Map& policy) {
      LimitedServer server(policy);
      const entities::Orders admin = *entities::Orders::Open(server.admin());
      const auto seen =
          admin.Insert({.customer = "ann", .number = 1},
                       {.expiry = patterns::Expiry::After(SystemClock(), std::chrono::hours(1))});
      CHECK(seen.has_value());
      return verb.use(*entities::Orders::Open(server.limited(), {.retry = {.budget = {}}}), *seen);
    };
    const Map policy = PolicyOf(repository);
    EXPECT_TRUE(use(policy)) << verb.name << " is not allowed by\n" << CanonicalJson(policy);
    for (const Map& less : WithOneLess(policy)) {
      EXPECT_FALSE(use(less)) << verb.name << " does not need all of\n" << CanonicalJson(policy);
    }
  }
}

TEST(PolicyOfVerbs, AllowsNeitherOtherTablesNorOtherActions) {
  RepositoryDescription repository = entities::EveryVerb::Describe();
  repository.verbs = Verbs::kRead | Verbs::kInsert | Verbs::kModify;
  LimitedServer server(PolicyOf(repository));
  Database& limited = server.limited();
  const auto denied = [](const auto& result) {
    return !result && result.error().code == ErrorCode::kAccessDenied;
  };
  const Item key = {{"pk", "CUSTOMER#a"}, {"sk", "ORDER#00000001"}};
  EXPECT_TRUE(limited.GetItem({.table_name = "order", .key = key}).has_value());
  EXPECT_TRUE(denied(limited.Scan({.table_name = "order"})));
  EXPECT_TRUE(denied(limited.DescribeTable({.table_name = "order"})));
  EXPECT_TRUE(denied(limited.DeleteItem({.table_name = "order", .key = key})));
  EXPECT_TRUE(denied(limited.DeleteTable({.table_name = "order"})));
  EXPECT_TRUE(denied(limited.GetItem({.table_name = "user", .key = {{"pk", "x"}}})));
  EXPECT_TRUE(denied(limited.ListTables({})));
}

}  // namespace
}  // namespace stator::provision
