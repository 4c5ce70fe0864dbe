#include "storage/store_env.h"

#include <rocksdb/system_clock.h>

#include <utility>

namespace stator::storage {
namespace {

class StoreClock final : public rocksdb::SystemClockWrapper {
 public:
  StoreClock(const std::shared_ptr<SystemClock>& target, const Fuse& fuse)
      : SystemClockWrapper(target), fuse_(fuse) {}

  [[nodiscard]] const char* Name() const override { return "StoreClock"; }

  void SleepForMicroseconds(int micros) override {
    if (!fuse_.blown()) {
      SystemClockWrapper::SleepForMicroseconds(micros);
    }
  }

 private:
  const Fuse& fuse_;
};

class StoreEnv final : public rocksdb::EnvWrapper {
 public:
  StoreEnv(std::unique_ptr<rocksdb::Env> target, const std::shared_ptr<rocksdb::FileSystem>& files,
           const Fuse& fuse)
      : EnvWrapper(std::move(target)) {
    file_system_ = files;
    system_clock_ = std::make_shared<StoreClock>(rocksdb::Env::Default()->GetSystemClock(), fuse);
  }

  [[nodiscard]] const char* Name() const override { return "StoreEnv"; }
};

}  // namespace

std::unique_ptr<rocksdb::Env> MakeStoreEnv(const std::shared_ptr<rocksdb::FileSystem>& files,
                                           const Fuse& fuse) {
  return std::make_unique<StoreEnv>(rocksdb::NewCompositeEnv(files), files, fuse);
}

}  // namespace stator::storage
