// For tests: a server on a loopback port where one key may do everything and another only what a
// policy says. With it a suite shows that a policy is enough, and with WithOneLess that it is not
// too much:
//
//   LimitedServer server(policy);
//   MakeTables(server.admin());
//   server.Settle();
//   EXPECT_TRUE(UseThem(server.limited()));

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "homes/home.h"
#include "policy/policy.h"
#include "server/server.h"
#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/value/attribute_value.h"
#include "wire/handler.h"

namespace stator::support {

class LimitedServer {
 public:
  // The data are those of a fresh engine in memory; `variables` are those of the policy.
  explicit LimitedServer(const Map& policy, const policy::Variables& variables = {});

  Database& limited() { return *limited_; }
  Database& admin() { return *admin_; }

  // Until tables are as they were asked to be.
  void Settle() { embedded_->Settle(); }

 private:
  std::unique_ptr<Database> Connect(const std::string& key);

  ManualClock clock_{TimePoint(std::chrono::seconds(1'794'744'000))};
  std::unique_ptr<homes::TestDatabase> embedded_;
  std::unique_ptr<wire::DatabaseHandler> handler_;
  std::unique_ptr<server::Server> server_;
  std::unique_ptr<Database> admin_;
  std::unique_ptr<Database> limited_;
};

// The policy without one action, or one resource, of one statement; for each of them.
std::vector<Map> WithOneLess(const Map& policy);

}  // namespace stator::support
