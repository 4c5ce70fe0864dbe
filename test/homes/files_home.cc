// The embedded engine in a directory, each write synced before it is acknowledged.

#include <utility>

#include "homes/embedded_home.h"
#include "storage/temporary_directory.h"

namespace stator::homes {
namespace {

class DatabaseInFiles final : public TestDatabase {
 public:
  DatabaseInFiles() {
    storage::StoreOptions options;
    options.path = directory_.path() + "/database";
    inner_ = MakeEmbeddedDatabase(options);
  }

  Database& database() override { return inner_->database(); }
  void Settle() override { inner_->Settle(); }
  [[nodiscard]] TimePoint Now() const override { return inner_->Now(); }
  void Advance(Duration duration) override { inner_->Advance(duration); }
  void Housekeep() override { inner_->Housekeep(); }
  void Reopen() override { inner_->Reopen(); }

 private:
  storage::TemporaryDirectory directory_;
  std::unique_ptr<TestDatabase> inner_;  // closed before its directory is removed
};

const RegisteredHome kRegistered(Home{
    .name = "files",
    .controls_time = true,
    .keeps_data = true,
    .make = [] { return std::make_unique<DatabaseInFiles>(); },
});

}  // namespace
}  // namespace stator::homes
