#include "janitor.h"

#include <string>

#include "base/try.h"
#include "workload.h"

namespace stator::crash {
namespace {

constexpr char kAddedIndex[] = "by_op";
constexpr char kPassingTable[] = "passing";
constexpr int kChangesMax = 10'000;

// What the service says to somebody who is too early or too late with a change.
bool IsUnlucky(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidation:
    case ErrorCode::kResourceInUse:
    case ErrorCode::kResourceNotFound:
    case ErrorCode::kTableNotFound:
    case ErrorCode::kLimitExceeded:
      return true;
    default:
      return false;
  }
}

Result<void> AddIndex(engine::Engine& engine) {
  TRY(engine.UpdateTable({.table_name = kOrders,
                          .attribute_definitions = {{{"op", ScalarAttributeType::kNumber}}},
                          .global_secondary_index_updates = {{GlobalSecondaryIndex{
                              .index_name = kAddedIndex,
                              .key_schema = {{"op", KeyType::kHash}},
                              .projection = {.projection_type = ProjectionType::kAll}}}}}));
  return {};
}

Result<void> DropIndex(engine::Engine& engine) {
  TRY(engine.UpdateTable({.table_name = kOrders,
                          .global_secondary_index_updates = {
                              {DeleteGlobalSecondaryIndexAction{.index_name = kAddedIndex}}}}));
  return {};
}

Result<void> SwitchExpiry(engine::Engine& engine, bool on) {
  TRY(engine.UpdateTimeToLive(
      {.table_name = kOrders,
       .time_to_live_specification = {.enabled = on, .attribute_name = "expires"}}));
  return {};
}

Result<void> MakeTable(engine::Engine& engine) {
  CreateTableInput table = OrdersTable();
  table.table_name = kPassingTable;
  TRY(engine.CreateTable(table));
  TRY(engine.UpdateTimeToLive(
      {.table_name = kPassingTable,
       .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}}));
  for (int number = 0; number < 5; ++number) {
    TRY(engine.PutItem({.table_name = kPassingTable,
                        .item = {{"customer", "any"},
                                 {"number", number},
                                 {"city", "any"},
                                 {"expires", 2'000'000'000}}}));
  }
  return {};
}

Result<void> DropTable(engine::Engine& engine) {
  TRY(engine.DeleteTable({.table_name = kPassingTable}));
  return {};
}

Result<void> ChangeOneThing(engine::Engine& engine, Random& random) {
  switch (random.Below(8)) {
    case 0:
      return AddIndex(engine);
    case 1:
      return DropIndex(engine);
    case 2:
      return SwitchExpiry(engine, false);
    case 3:
      return SwitchExpiry(engine, true);
    case 4:
      return MakeTable(engine);
    case 5:
      return DropTable(engine);
    case 6:
      return engine.RunHousekeeping();
    default:
      engine.AwaitBackgroundJobs();
      return {};
  }
}

}  // namespace

Result<void> ChangeThings(engine::Engine& engine, std::uint64_t seed,
                          const std::atomic<bool>& stop) {
  SeededRandom random(seed);
  for (int change = 0; change < kChangesMax && !stop; ++change) {
    const Result<void> done = ChangeOneThing(engine, random);
    if (!done && done.error().code == ErrorCode::kIo) {
      return {};
    }
    if (!done && !IsUnlucky(done.error().code)) {
      return done;
    }
  }
  return {};
}

}  // namespace stator::crash
