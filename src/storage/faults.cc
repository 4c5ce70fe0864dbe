#include "storage/faults.h"

#include <algorithm>
#include <utility>

namespace stator::storage {
namespace {

rocksdb::IOStatus PowerIsOff() {
  return rocksdb::IOStatus::IOError("the power is off");
}

// Counts down to zero; false when it was there.
bool TakeOne(std::uint64_t& left, std::uint64_t unlimited) {
  if (left == unlimited) {
    return true;
  }
  if (left == 0) {
    return false;
  }
  --left;
  return true;
}

}  // namespace

void Faults::FailSyncsAfter(std::uint64_t successes) {
  const MutexLock lock(mutex_);
  good_syncs_ = successes;
}

void Faults::FailWritesAfter(std::uint64_t successes) {
  const MutexLock lock(mutex_);
  good_writes_ = successes;
}

void Faults::FailAtRandom(std::uint64_t seed, std::uint64_t one_in) {
  const MutexLock lock(mutex_);
  random_ = std::make_unique<SeededRandom>(seed);
  one_in_ = one_in;
}

void Faults::FillUpAfter(std::uint64_t bytes) {
  const MutexLock lock(mutex_);
  free_bytes_ = bytes;
}

void Faults::HoldSyncs() {
  const MutexLock lock(mutex_);
  holding_ = true;
  let_ = 0;
  failing_ = 0;
}

void Faults::AwaitHeldSync() {
  MutexLock lock(mutex_);
  changed_.Wait(lock, [this]() STATOR_REQUIRES(mutex_) { return held_ > let_ + failing_; });
}

void Faults::LetSyncs(std::uint64_t count) {
  const MutexLock lock(mutex_);
  let_ += count;
  changed_.NotifyAll();
}

void Faults::FailHeldSync() {
  const MutexLock lock(mutex_);
  ++failing_;
  changed_.NotifyAll();
}

bool Faults::StandUntilLet(MutexLock& lock) {
  if (!holding_) {
    return true;
  }
  ++held_;
  changed_.NotifyAll();
  changed_.Wait(lock,
                [this]() STATOR_REQUIRES(mutex_) { return !holding_ || let_ > 0 || failing_ > 0; });
  --held_;
  if (!holding_) {
    return true;
  }
  const bool fails = failing_ > 0;
  --(fails ? failing_ : let_);
  return !fails;
}

void Faults::Heal() {
  const MutexLock lock(mutex_);
  holding_ = false;
  changed_.NotifyAll();
  good_syncs_ = kUnlimited;
  good_writes_ = kUnlimited;
  free_bytes_ = kUnlimited;
  random_.reset();
}

void Faults::CutPower() {
  const MutexLock lock(mutex_);
  powered_ = false;
  holding_ = false;
  changed_.NotifyAll();
}

void Faults::RestorePower() {
  const MutexLock lock(mutex_);
  powered_ = true;
}

rocksdb::IOStatus Faults::OnSync() {
  MutexLock lock(mutex_);
  const bool fails = !StandUntilLet(lock);
  if (!powered_) {
    return PowerIsOff();
  }
  if (fails || !TakeOne(good_syncs_, kUnlimited) || !Lucky()) {
    return rocksdb::IOStatus::IOError("the disk failed to sync");
  }
  ++syncs_;
  return rocksdb::IOStatus::OK();
}

rocksdb::IOStatus Faults::OnChange() {
  const MutexLock lock(mutex_);
  return powered_ ? rocksdb::IOStatus::OK() : PowerIsOff();
}

rocksdb::IOStatus Faults::OnRewrite() {
  const MutexLock lock(mutex_);
  if (!powered_) {
    return PowerIsOff();
  }
  if (!TakeOne(good_writes_, kUnlimited) || !Lucky()) {
    return rocksdb::IOStatus::IOError("the disk failed to write");
  }
  ++writes_;
  return rocksdb::IOStatus::OK();
}

void Faults::CallAtWrite(std::uint64_t successes, std::function<void()> call) {
  const MutexLock lock(mutex_);
  writes_until_call_ = successes;
  call_ = std::move(call);
}

std::function<void()> Faults::TakeCall() {
  const MutexLock lock(mutex_);
  if (!call_ || writes_until_call_-- > 0) {
    return nullptr;
  }
  return std::exchange(call_, nullptr);
}

rocksdb::IOStatus Faults::OnWrite(std::uint64_t& bytes) {
  if (const std::function<void()> call = TakeCall()) {
    call();
  }
  const MutexLock lock(mutex_);
  if (!powered_) {
    bytes = 0;
    return PowerIsOff();
  }
  if (!TakeOne(good_writes_, kUnlimited) || !Lucky()) {
    bytes = 0;
    return rocksdb::IOStatus::IOError("the disk failed to write");
  }
  const bool fits = bytes <= free_bytes_;
  bytes = std::min(bytes, free_bytes_);
  if (free_bytes_ != kUnlimited) {
    free_bytes_ -= bytes;
  }
  ++writes_;
  bytes_written_ += bytes;
  return fits ? rocksdb::IOStatus::OK() : rocksdb::IOStatus::NoSpace("the disk is full");
}

bool Faults::Lucky() {
  return random_ == nullptr || random_->Below(one_in_) != 0;
}

std::uint64_t Faults::syncs() const {
  const MutexLock lock(mutex_);
  return syncs_;
}

std::uint64_t Faults::writes() const {
  const MutexLock lock(mutex_);
  return writes_;
}

std::uint64_t Faults::bytes_written() const {
  const MutexLock lock(mutex_);
  return bytes_written_;
}

}  // namespace stator::storage
