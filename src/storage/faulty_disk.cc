#include "storage/faulty_disk.h"

#include <rocksdb/env.h>

#include <utility>

#include "base/try.h"
#include "storage/faulty_file_system.h"
#include "storage/rocksdb_status.h"

namespace stator::storage {
namespace {

std::shared_ptr<FaultyDisk> Make(const std::shared_ptr<rocksdb::FileSystem>& target) {
  return std::make_shared<FaultyDisk>(std::make_shared<FaultyFileSystem>(target));
}

}  // namespace

std::shared_ptr<FaultyDisk> FaultyDisk::InMemory() {
  const std::unique_ptr<rocksdb::Env> env(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  return Make(env->GetFileSystem());
}

std::shared_ptr<FaultyDisk> FaultyDisk::OnFiles() {
  return Make(rocksdb::FileSystem::Default());
}

FaultyDisk::FaultyDisk(std::shared_ptr<FaultyFileSystem> file_system)
    : file_system_(std::move(file_system)) {}

FaultyDisk::~FaultyDisk() = default;

void FaultyDisk::FailSyncsAfter(std::uint64_t successes) {
  file_system_->faults().FailSyncsAfter(successes);
}

void FaultyDisk::FailWritesAfter(std::uint64_t successes) {
  file_system_->faults().FailWritesAfter(successes);
}

void FaultyDisk::CallAtWrite(std::uint64_t successes, std::function<void()> call) {
  file_system_->faults().CallAtWrite(successes, std::move(call));
}

void FaultyDisk::FailAtRandom(std::uint64_t seed, std::uint64_t one_in) {
  file_system_->faults().FailAtRandom(seed, one_in);
}

void FaultyDisk::FillUpAfter(std::uint64_t bytes) {
  file_system_->faults().FillUpAfter(bytes);
}

void FaultyDisk::HoldSyncs() {
  file_system_->faults().HoldSyncs();
}

void FaultyDisk::AwaitHeldSync() {
  file_system_->faults().AwaitHeldSync();
}

void FaultyDisk::LetSyncs(std::uint64_t count) {
  file_system_->faults().LetSyncs(count);
}

void FaultyDisk::FailHeldSync() {
  file_system_->faults().FailHeldSync();
}

void FaultyDisk::Heal() {
  file_system_->faults().Heal();
}

void FaultyDisk::CutPower() {
  file_system_->faults().CutPower();
}

void FaultyDisk::RestorePower(Random* torn) {
  file_system_->Restore(torn);
  file_system_->faults().RestorePower();
}

std::uint64_t FaultyDisk::syncs() const {
  return file_system_->faults().syncs();
}

std::uint64_t FaultyDisk::writes() const {
  return file_system_->faults().writes();
}

std::uint64_t FaultyDisk::bytes_written() const {
  return file_system_->faults().bytes_written();
}

Result<std::vector<std::string>> FaultyDisk::ListFiles(const std::string& directory) const {
  std::vector<std::string> names;
  TRY_VOID(ToResult(file_system_->target()->GetChildren(directory, {}, &names, nullptr),
                    "listing " + directory));
  return names;
}

Result<std::string> FaultyDisk::ReadFile(const std::string& path) const {
  std::string contents;
  TRY_VOID(ToResult(rocksdb::ReadFileToString(file_system_->target(), path, &contents),
                    "reading " + path));
  return contents;
}

Result<void> FaultyDisk::WriteFile(const std::string& path, std::string_view contents) {
  file_system_->Forget(path);
  return ToResult(rocksdb::WriteStringToFile(file_system_->target(), ToSlice(contents), path, true),
                  "writing " + path);
}

void FaultyDisk::RemoveFile(const std::string& path) {
  file_system_->Forget(path);
  file_system_->target()->DeleteFile(path, {}, nullptr).PermitUncheckedError();
}

}  // namespace stator::storage
