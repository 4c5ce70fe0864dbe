// For tests: what has a job behind it that takes several writes: schema changes, backups and restores,
// exports and imports, rewinds and checkpoints, what is removed of history. Each says what comes
// before, what asks for it, and how to see that it was done wholly.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/change_receiver.h"
#include "engine/engine.h"
#include "workload.h"

namespace stator::crash {

struct Job {
  std::string name;
  // What comes before, without failure.
  std::function<Result<void>(engine::Engine&)> prepare;
  // What has the job as its consequence.
  std::function<Result<void>(engine::Engine&)> request;
  // Whether the request has had its whole effect. Writes nothing.
  std::function<bool(engine::Engine&)> is_done;
  // Whether the table can be written to meanwhile.
  bool has_table = true;
  // Of rewinds and checkpoints.
  engine::GoingBackLimits going_back = {};
  // Whether nobody sees a part of it, asked at any time.
  std::function<bool(engine::Engine&)> is_all_or_nothing = nullptr;
  // What has to go well when it is over, whether or not it was done.
  std::function<Result<void>(engine::Engine&)> afterwards = nullptr;
  // How long the request comes after what was prepared.
  std::chrono::hours later{0};
  // Where changes are sent.
  std::shared_ptr<api::ChangeReceiver> receiver = nullptr;
};

std::vector<Job> Jobs();

// As a part of a test's name.
std::string TestNameOf(const Job& job);

// The items that the jobs find in "orders": more than two steps of a walk, and several batches of a copy.
// Few, because the disk fails at each write of a job in its turn, and each time all that comes before is
// done again.
inline constexpr int kJobItems = 75;
inline constexpr engine::WalkLimits kJobWalks{
    .items = 30, .removed_rows = 100, .copied_bytes = std::size_t{16} << 10};
Result<void> FillOrders(Database& database);

}  // namespace stator::crash
