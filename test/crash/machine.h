// For tests: a machine whose disk fails on demand, with an engine on it that can be lost and
// started again. Time stands still, and housekeeping happens only when it is asked for.

#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "base/try.h"
#include "engine/engine.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "storage/faulty_disk.h"
#include "storage/temporary_directory.h"
#include "workload.h"

namespace stator::crash {

class Machine {
 public:
  explicit Machine(std::uint64_t seed) : random_(seed) {}

  Result<void> Start(storage::Durability durability = storage::Durability::kDurable) {
    engine_ = TRY(engine::Engine::Open({.store = StoreOptions(durability),
                                        .clock = &clock_,
                                        .random = &random_,
                                        .housekeeping_interval = std::chrono::milliseconds(0),
                                        .going_back = going_back_,
                                        .walks = walks_,
                                        .buckets = buckets_.path(),
                                        .change_receiver = receiver_}));
    return {};
  }

  // What is little for a rewind or a checkpoint, from the next start on.
  void set_going_back(const engine::GoingBackLimits& limits) { going_back_ = limits; }

  // The same for jobs that go over all items of a table.
  void set_walks(const engine::WalkLimits& limits) { walks_ = limits; }

  // Where changes are sent, from the next start on.
  void set_receiver(std::shared_ptr<api::ChangeReceiver> receiver) {
    receiver_ = std::move(receiver);
  }

  void Advance(Duration time) { clock_.Advance(time); }

  // Ends the program in good order, as far as the disk admits it.
  void Stop() { engine_.reset(); }

  // Ends it by a power cut, and gives the machine power again.
  void LosePower(Random* torn) {
    disk_->CutPower();
    engine_.reset();
    disk_->RestorePower(torn);
    disk_->Heal();
  }

  [[nodiscard]] storage::StoreOptions StoreOptions(
      storage::Durability durability = storage::Durability::kDurable) const {
    return {.path = "/db",
            .durability = durability,
            .sync_interval = std::chrono::milliseconds(1),
            // Small, so that the log goes on to new files and tables are written.
            .write_buffer_bytes = 32 << 10,
            .watch_interval = std::chrono::milliseconds(0),
            .disk = disk_};
  }

  [[nodiscard]] engine::Engine& engine() const { return *engine_; }
  [[nodiscard]] storage::FaultyDisk& disk() const { return *disk_; }

 private:
  ManualClock clock_{kNow};
  SeededRandom random_;
  engine::GoingBackLimits going_back_;
  engine::WalkLimits walks_;
  std::shared_ptr<api::ChangeReceiver> receiver_;
  const storage::TemporaryDirectory buckets_;  // on a disk that does not fail
  const std::shared_ptr<storage::FaultyDisk> disk_ = storage::FaultyDisk::InMemory();
  std::unique_ptr<engine::Engine> engine_;  // last, so that it is gone before what it uses
};

}  // namespace stator::crash
