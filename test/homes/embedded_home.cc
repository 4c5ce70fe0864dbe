#include "homes/embedded_home.h"

#include <utility>

#include "base/check.h"
#include "engine/engine.h"
#include "stator/base/random.h"

namespace stator::homes {
namespace {

// 2026-11-15T12:00:00Z; any moment would do that is not close to 1970.
constexpr TimePoint kStart{std::chrono::seconds{1'794'744'000}};
constexpr std::uint64_t kSeed = 20261115;

class EmbeddedDatabase final : public TestDatabase {
 public:
  explicit EmbeddedDatabase(const storage::StoreOptions& store) {
    options_.store = store;
    options_.clock = &clock_;
    options_.random = &random_;
    options_.housekeeping_interval = {};
    Open();
  }

  Database& database() override { return *engine_; }
  void Settle() override { engine_->AwaitBackgroundJobs(); }
  [[nodiscard]] TimePoint Now() const override { return clock_.Now(); }
  void Advance(Duration duration) override { clock_.Advance(duration); }

  void Housekeep() override {
    const Result<void> done = engine_->RunHousekeeping();
    CHECK_THAT(done.has_value(), done.error().message);
  }

  void Reopen() override {
    const Result<void> closed = engine_->Close();
    CHECK_THAT(closed.has_value(), closed.error().message);
    engine_.reset();
    Open();
  }

 private:
  void Open() {
    Result<std::unique_ptr<engine::Engine>> opened = engine::Engine::Open(options_);
    CHECK_THAT(opened.has_value(), opened.error().message);
    engine_ = *std::move(opened);
  }

  ManualClock clock_{kStart};
  SeededRandom random_{kSeed};
  engine::EngineOptions options_;
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace

std::unique_ptr<TestDatabase> MakeEmbeddedDatabase(const storage::StoreOptions& options) {
  return std::make_unique<EmbeddedDatabase>(options);
}

}  // namespace stator::homes
