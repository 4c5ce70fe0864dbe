// What ledger.h promises: what was noted is read again, and a place that was torn leaves the
// former.

#include "storage/ledger.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "storage/faulty_disk.h"
#include "storage/faulty_file_system.h"

namespace stator::storage {
namespace {

constexpr char kPath[] = "/db/STATOR";
constexpr char kLine[] = "stator database, format 1\n";

class LedgerTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(disk_->file_system()->CreateDirIfMissing("/db", {}, nullptr).ok());
    ASSERT_TRUE(disk_->WriteFile(kPath, NewLedger(kLine)).has_value());
    Open();
  }

  void Open() { ledger_ = Ledger::Open(*disk_->file_system(), kPath, State().value()).value(); }

  [[nodiscard]] std::optional<LedgerState> State() const {
    return ParseLedger(disk_->ReadFile(kPath).value());
  }

  [[nodiscard]] std::optional<LedgerState> StateAfterPowerCut(Random* torn) {
    disk_->CutPower();
    ledger_.reset();
    disk_->RestorePower(torn);
    return State();
  }

  void Damage(std::size_t at) const {
    std::string contents = disk_->ReadFile(kPath).value();
    contents[at] = static_cast<char>(contents[at] ^ 1);
    ASSERT_TRUE(disk_->WriteFile(kPath, contents).has_value());
  }

  const std::shared_ptr<FaultyDisk> disk_ = FaultyDisk::InMemory();
  std::unique_ptr<Ledger> ledger_;
};

TEST_F(LedgerTest, OfANewDirectoryDemandsNothing) {
  const auto state = State();
  ASSERT_TRUE(state.has_value());
  EXPECT_TRUE(state->files.empty());
  EXPECT_EQ(NewLedger(kLine).size(), kLedgerFileBytes);
}

TEST_F(LedgerTest, TellsWhatWasNotedAndNotForgotten) {
  ASSERT_TRUE(ledger_->Note("1.log", 10).ok());
  ASSERT_TRUE(ledger_->Note("1.log", 20).ok());
  ASSERT_TRUE(ledger_->Note("2.log", 5).ok());
  EXPECT_EQ(State()->files, (decltype(LedgerState::files){{"1.log", 20}, {"2.log", 5}}));
  ASSERT_TRUE(ledger_->Forget("1.log").ok());
  ASSERT_TRUE(ledger_->Forget("3.log").ok());
  EXPECT_EQ(State()->files, (decltype(LedgerState::files){{"2.log", 5}}));
}

// A power cut: everything that had to be on the disk is, and nothing is demanded that was never
// there.
TEST_F(LedgerTest, AfterAPowerCutTellsAtLeastWhatWasSynced) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SeededRandom random(seed);
    for (int log = 0; log < 30; ++log) {
      const std::string name = std::to_string(100 + log) + ".log";
      ASSERT_TRUE(ledger_->Note(name, 1).ok());
      for (std::uint64_t bytes = 2; bytes < 2 + random.Below(4); ++bytes) {
        ASSERT_TRUE(ledger_->Note(name, bytes).ok());
      }
    }
    const auto state = StateAfterPowerCut(&random);
    ASSERT_TRUE(state.has_value()) << seed;
    EXPECT_EQ(state->files.size(), 30U);
    SetUp();
  }
}

TEST_F(LedgerTest, ADamagedPlaceLeavesTheFormer) {
  ASSERT_TRUE(ledger_->Note("1.log", 10).ok());
  ASSERT_TRUE(ledger_->Note("2.log", 10).ok());
  ASSERT_TRUE(ledger_->Note("2.log", 20).ok());
  EXPECT_EQ(State()->files.at("2.log"), 20U);
  Damage(kLedgerPlaces[2] + 10);
  EXPECT_EQ(State()->files.at("2.log"), 10U);
  Damage(kLedgerPlaces[1] + 10);
  EXPECT_EQ(State()->files.at("1.log"), 10U);
  EXPECT_FALSE(State()->files.contains("2.log"));
  Damage(kLedgerPlaces[0] + 10);
  EXPECT_FALSE(State().has_value());
}

TEST_F(LedgerTest, GoesOnWhereItWas) {
  ASSERT_TRUE(ledger_->Note("1.log", 10).ok());
  const auto before = State();
  Open();
  ASSERT_TRUE(ledger_->Forget("1.log").ok());
  EXPECT_GT(State()->number, before->number);
  EXPECT_TRUE(State()->files.empty());
}

TEST_F(LedgerTest, HasRoomForMoreFilesThanThereEverAre) {
  for (int log = 100'000; log < 101'000; ++log) {
    ASSERT_TRUE(ledger_->Note(std::to_string(log) + ".log", 1'000'000'000).ok());
  }
  const auto state = State();
  ASSERT_TRUE(state.has_value());
  EXPECT_GT(state->files.size(), 200U);
  EXPECT_TRUE(state->files.contains("100999.log"));
}

// Its owner asks again before the file is removed.
TEST_F(LedgerTest, WhatCouldNotBeForgottenIsForgottenLater) {
  ASSERT_TRUE(ledger_->Note("1.log", 10).ok());
  disk_->FailSyncsAfter(0);
  EXPECT_FALSE(ledger_->Forget("1.log").ok());
  EXPECT_FALSE(ledger_->Forget("1.log").ok());
  disk_->Heal();
  ASSERT_TRUE(ledger_->Forget("1.log").ok());
  EXPECT_TRUE(StateAfterPowerCut(nullptr)->files.empty());
}

TEST_F(LedgerTest, AFailedWriteIsReported) {
  disk_->FailSyncsAfter(0);
  EXPECT_FALSE(ledger_->Note("1.log", 1).ok());
  disk_->Heal();
  disk_->FailWritesAfter(0);
  EXPECT_FALSE(ledger_->Note("1.log", 2).ok());
}

}  // namespace
}  // namespace stator::storage
