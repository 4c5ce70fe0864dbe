// What is said about a log, on logs that RocksDB wrote: whole ones, and ones that were torn.

#include "storage/log_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "storage/crc32c.h"
#include "storage/faulty_disk.h"
#include "storage/faulty_file_system.h"
#include "storage/log_format.h"
#include "storage/store.h"

namespace stator::storage {
namespace {

constexpr char kCopy[] = "/db/copy";

// A log with writes of many sizes: in one fragment, in several, and such that end where a block
// ends.
class LogScanTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::unique_ptr<Store> store = Store::Open({.path = "/db", .disk = disk_}).value();
    for (const std::size_t bytes : kSizes) {
      WriteBatch batch;
      batch.Put("k", std::string(bytes, 'v'));
      ASSERT_TRUE(store->Write(std::move(batch)).has_value());
      log_ = Log();
      ends_.push_back(log_.size());
    }
    disk_->CutPower();
  }

  [[nodiscard]] std::string Log() const {
    const std::vector<std::string> names = disk_->ListFiles("/db").value();
    const auto name =
        std::ranges::find_if(names, [](const auto& n) { return n.ends_with(".log"); });
    return disk_->ReadFile("/db/" + *name).value();
  }

  [[nodiscard]] LogScan Scan(const std::string& bytes) const {
    EXPECT_TRUE(disk_->WriteFile(kCopy, bytes).has_value());
    return ScanLog(*disk_->file_system(), kCopy).value();
  }

  // The end of the last write that is whole in the first `bytes`.
  [[nodiscard]] std::uint64_t EndBefore(std::uint64_t bytes) const {
    std::uint64_t last = 0;
    for (const std::uint64_t end : ends_) {
      last = end <= bytes ? end : last;
    }
    return last;
  }

  static constexpr std::size_t kSizes[] = {1,      100,    4000, 28'000, 700,    32'600, 100'000,
                                           32'700, 32'740, 1,    65'500, 32'730, 10};

  const std::shared_ptr<FaultyDisk> disk_ = FaultyDisk::InMemory();
  std::string log_;
  std::vector<std::uint64_t> ends_;
};

TEST_F(LogScanTest, AWholeLogIsWhole) {
  const LogScan scan = Scan(log_);
  EXPECT_TRUE(scan.is_whole());
  EXPECT_EQ(scan.bytes, log_.size());
  EXPECT_EQ(scan.writes, std::size(kSizes));
  EXPECT_FALSE(scan.goes_on_behind);
  EXPECT_TRUE(Scan("").is_whole());
}

TEST_F(LogScanTest, ACutLogEndsBeforeTheCutWrite) {
  for (std::size_t bytes = 0; bytes < log_.size(); bytes += 293) {
    const LogScan scan = Scan(log_.substr(0, bytes));
    EXPECT_EQ(scan.bytes, bytes);
    EXPECT_EQ(scan.whole, EndBefore(bytes)) << bytes;
    EXPECT_FALSE(scan.goes_on_behind) << bytes;
  }
}

TEST_F(LogScanTest, ADamagedByteIsFound) {
  for (std::size_t at = 0; at < log_.size(); at += 1013) {
    std::string bytes = log_;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    const LogScan scan = Scan(bytes);
    EXPECT_LE(scan.whole, at);
    EXPECT_EQ(scan.whole, EndBefore(at)) << at;
    EXPECT_EQ(scan.goes_on_behind, at < ends_[ends_.size() - 2]) << at;
  }
}

// RocksDB's own reader says nothing about these.
TEST_F(LogScanTest, APageOfZerosIsFound) {
  for (std::size_t at = 0; at + 4096 < ends_[ends_.size() - 3]; at += 4096) {
    std::string bytes = log_;
    bytes.replace(at, 4096, 4096, '\0');
    const LogScan scan = Scan(bytes);
    EXPECT_EQ(scan.whole, EndBefore(at)) << at;
    EXPECT_TRUE(scan.goes_on_behind) << at;
  }
}

TEST_F(LogScanTest, ZerosBehindTheEndAreATornWrite) {
  const LogScan scan = Scan(log_ + std::string(5000, '\0'));
  EXPECT_EQ(scan.whole, log_.size());
  EXPECT_FALSE(scan.is_whole());
  EXPECT_FALSE(scan.goes_on_behind);
}

TEST_F(LogScanTest, TheEndOfAGrowingLogIsKnown) {
  for (const std::size_t piece : {1U, 3U, 7U, 1000U, 32'768U, 400'000U}) {
    LogEnd end;
    std::size_t next = 0;
    for (std::size_t at = 0; at < log_.size(); at += piece) {
      const std::string_view rest = std::string_view(log_).substr(at, piece);
      end.Append(rest);
      next = at + rest.size();
      ASSERT_EQ(end.value(), EndBefore(next)) << piece << " " << next;
    }
    EXPECT_EQ(end.value(), log_.size());
  }
}

TEST(Crc32c, IsTheOneOfTheStandard) {
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(Crc32c(""), 0U);
}

}  // namespace
}  // namespace stator::storage
