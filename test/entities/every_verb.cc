#include "entities/every_verb.h"

#include "base/check.h"
#include "entities/entities_test.h"

namespace stator::entities {

namespace {

// Collects what failed.
class Verdicts {
 public:
  template <class V>
  void Add(const std::string& verb, const Result<V>& result) {
    if (!result) {
      failed_.push_back(verb + ": " + TextOf(result.error()));
    }
  }

  [[nodiscard]] std::vector<std::string> failed() const { return failed_; }

 private:
  std::vector<std::string> failed_;
};

patterns::Transaction Begin(Database& database) {
  return {database,
          patterns::Idempotency::None(),
          {.retry = {.budget = {}}, .force_transaction = true}};
}

template <class T>
void AddRange(const std::string& verb, EntityRange<T> range, Verdicts& verdicts) {
  for (const auto& entity : range) {
    verdicts.Add(verb, entity);
  }
}

// What the verbs that read an entity find, also where its insert was refused.
template <class T>
Versioned<T> Seen(const Result<Versioned<T>>& written) {
  return written ? *written : Versioned<T>();
}

void UseWrites(const Orders& orders, Database& database, Verdicts& verdicts) {
  const Order order = {.customer = "ann", .number = 1};
  const Expiry expiry = Expiry::After(SystemClock(), std::chrono::hours(1));
  auto written = orders.Insert(order, {.expiry = expiry});
  verdicts.Add("Insert", written);
  verdicts.Add("Touch", orders.Touch({"ann", 1U}, expiry));
  written = orders.Upsert(order);
  verdicts.Add("Upsert", written);
  written = orders.Update(Seen<Order>(written));
  verdicts.Add("Update", written);
  verdicts.Add("Modify", orders.Modify({"ann", 1U}, [](Order& o) { o.state += "!"; }));
  written = orders.Patch({"ann", 1U}, Set<&Order::total>(1));
  verdicts.Add("Patch", written);
  patterns::Transaction check = Begin(database);
  orders.RequireIn(check, Seen<Order>(written));
  verdicts.Add("RequireIn", check.Commit());
  verdicts.Add("Remove", orders.Remove(Seen<Order>(written)));
  verdicts.Add("RemoveUnchecked", orders.RemoveUnchecked({"ann", 1U}));

  patterns::Transaction insert = Begin(database);
  verdicts.Add("InsertIn", orders.InsertIn(insert, order));
  verdicts.Add("InsertIn", insert.Commit());
  verdicts.Add("Expire", orders.Expire({"ann", 1U}));
}

}  // namespace

void MakeEveryVerbTables(Database& database) {
  for (const EntityDescription& entity : {Describe<Order>(), Describe<User>()}) {
    CHECK(database.CreateTable(MakeTable(entity)).has_value());
  }
}

std::vector<std::string> UseEveryVerb(Database& database) {
  Verdicts verdicts;
  const Orders orders = *Orders::Open(database, {.retry = {.budget = {}}});
  UseWrites(orders, database, verdicts);
  verdicts.Add("Read", orders.Read({"ann", 1U}));
  verdicts.Add("ReadMany", orders.ReadMany({{"ann", 1U}}));
  verdicts.Add("ReadTogether", orders.ReadTogether({{"ann", 1U}}));
  AddRange("Query", orders.Query({"ann"}), verdicts);
  AddRange("QueryIndex", orders.QueryIndex<"by_state">({"open"}), verdicts);
  verdicts.Add("Count", orders.Count({"ann"}));
  verdicts.Add("MaintenanceScan",
               MaintenanceScan(orders, {.segments = 1}).ForEach([](const Versioned<Order>&) {
                 return true;
               }));
  verdicts.Add("Backfill", Backfill(orders, {.scan = {.segments = 1}}));
  static_cast<void>(orders.RemoveUnchecked({"ann", 1U}));
  return verdicts.failed();
}

std::vector<std::string> UseUniqueVerbs(Database& database) {
  Verdicts verdicts;
  const Users users = *Users::Open(database, {.retry = {.budget = {}}});
  auto user = users.Insert({.id = "u1", .email = "ann@example.org"});
  verdicts.Add("Insert", user);
  Versioned<User> changed = Seen<User>(user);
  changed.data.email = "anna@example.org";
  user = users.Update(changed);
  verdicts.Add("Update", user);
  user = users.Modify({"u1"}, [](User& u) { u.email = "anne@example.org"; });
  verdicts.Add("Modify", user);
  user = users.Upsert({.id = "u1", .email = "a@example.org"});
  verdicts.Add("Upsert", user);
  verdicts.Add("Remove", users.Remove(Seen<User>(user)));
  verdicts.Add("RemoveUnchecked", users.RemoveUnchecked({"u1"}));
  return verdicts.failed();
}

}  // namespace stator::entities
