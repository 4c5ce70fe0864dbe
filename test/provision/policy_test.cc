// Policies that are made of a repository's verbs are necessary and sufficient: with nothing but the
// policy, a program that uses every verb works against a server; with any one action or resource
// less, something fails; and what the repository does not do is refused. Every verb alone, with each
// index, as owner and as somebody else, is tried by entities/policy_serve_test.py.

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
