// A disk for tests that loses power, fills up and fails when it is told to. Give it to
// StoreOptions::disk; the same disk can be opened again after a failure, as a real one can.
//
//   auto disk = FaultyDisk::InMemory();
//   auto store = Store::Open({.path = "/db", .disk = disk});
//   ...
//   disk->CutPower();       // everything fails from here on
//   store->reset();
//   disk->RestorePower();   // what was not synced is gone
//   store = Store::Open({.path = "/db", .disk = disk});
//
// What a power cut does: of every file the bytes after its last sync are lost, or some of them
// (see RestorePower); a file whose directory was not synced since the file was made is gone, a
// rename or a removal that was not synced is undone.
//
// THREADS: every method may be called from many threads, RestorePower only while no store is open.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/random.h"
#include "stator/base/result.h"

namespace stator::storage {

class FaultyFileSystem;

class FaultyDisk {
 public:
  static std::shared_ptr<FaultyDisk> InMemory();
  static std::shared_ptr<FaultyDisk> OnFiles();

  explicit FaultyDisk(std::shared_ptr<FaultyFileSystem> file_system);
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;
  ~FaultyDisk();

  // The next `successes` syncs (or writes) of files go well, all others fail until Heal.
  void FailSyncsAfter(std::uint64_t successes);
  void FailWritesAfter(std::uint64_t successes);

  // Each sync and each write fails with a probability of one in `one_in`, until Heal.
  void FailAtRandom(std::uint64_t seed, std::uint64_t one_in);

  // After so many more bytes were written the disk is full, until Heal.
  void FillUpAfter(std::uint64_t bytes);

  // After `successes` more writes `call` is called, on the thread that is about to write.
  void CallAtWrite(std::uint64_t successes, std::function<void()> call);

  // From now on every sync stands until it is let go, or fails, or the disk is healed or loses its
  // power. AwaitHeldSync returns when one stands that was not let go. LetSyncs lets `count` go on,
  // first those that stand, then those to come. FailHeldSync fails one.
  void HoldSyncs();
  void AwaitHeldSync();
  void LetSyncs(std::uint64_t count);
  void FailHeldSync();

  void Heal();

  // From now on everything that would change the disk fails.
  void CutPower();

  // The disk as it is found after the cut. With `torn`, a file keeps a random number of the bytes
  // that were not synced instead of none, and some of their pages are zeros, as it happens when the
  // system was just writing them; of bytes written in place each sector is the old or the new one.
  void RestorePower(Random* torn = nullptr);

  // Counts since the disk was made.
  [[nodiscard]] std::uint64_t syncs() const;
  [[nodiscard]] std::uint64_t writes() const;
  [[nodiscard]] std::uint64_t bytes_written() const;

  // For tests that look at files or damage them; as if by another program, so never failing on
  // demand and always synced.
  [[nodiscard]] Result<std::vector<std::string>> ListFiles(const std::string& directory) const;
  [[nodiscard]] Result<std::string> ReadFile(const std::string& path) const;
  Result<void> WriteFile(const std::string& path, std::string_view contents);
  void RemoveFile(const std::string& path);

  // For the store.
  [[nodiscard]] const std::shared_ptr<FaultyFileSystem>& file_system() const {
    return file_system_;
  }

 private:
  const std::shared_ptr<FaultyFileSystem> file_system_;
};

}  // namespace stator::storage
