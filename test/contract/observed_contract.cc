// What stator/api/observed_database.h tells, on every home.

#include <string>
#include <vector>

#include "contract/contract_test.h"
#include "stator/api/observed_database.h"

namespace stator::contract {
namespace {

using Observed = ContractTest;

TEST_F(Observed, EveryCallIsToldWithItsOutcome) {
  MakeTable({.name = "things", .keys = "pk:S"});
  std::vector<std::string> told;
  ObservedDatabase database(db(), [&told](const ObservedCall& call) {
    told.push_back(std::string(call.operation) + ": " +
                   std::string(call.error == nullptr ? "good" : NameOf(call.error->code)));
    EXPECT_GE(call.duration, Duration::zero());
  });
  EXPECT_TRUE(Succeeds(database.PutItem({.table_name = "things", .item = {{"pk", "a"}}})));
  EXPECT_TRUE(Succeeds(database.GetItem({.table_name = "things", .key = {{"pk", "a"}}})));
  EXPECT_FALSE(database.Scan({.table_name = "missing"}));
  bool started = false;
  database.StartDeleteItem(
      {.table_name = "things", .key = {{"pk", "a"}}},
      [&started](const Result<DeleteItemOutput>& result) { started = result.has_value(); });
  EXPECT_TRUE(started);
  EXPECT_EQ(told, (std::vector<std::string>{"PutItem: good", "GetItem: good", "Scan: TableNotFound",
                                            "DeleteItem: good"}));
}

}  // namespace
}  // namespace stator::contract
