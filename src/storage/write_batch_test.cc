// What write_batch.h promises: RocksDB reads a batch as we wrote it, whatever was appended and
// moved.

#include "storage/write_batch.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <rocksdb/write_batch.h>

#include <string>
#include <utility>
#include <vector>

namespace stator::storage {
namespace {

struct Change {
  bool is_put = false;
  std::string key;
  std::string value;

  friend bool operator==(const Change&, const Change&) = default;
};

void Apply(const Change& change, WriteBatch& batch) {
  if (change.is_put) {
    batch.Put(change.key, change.value);
  } else {
    batch.Delete(change.key);
  }
}

// What RocksDB finds in a batch.
class Recorder final : public rocksdb::WriteBatch::Handler {
 public:
  rocksdb::Status PutCF(std::uint32_t family, const rocksdb::Slice& key,
                        const rocksdb::Slice& value) override {
    EXPECT_EQ(family, 0U);
    changes.push_back({.is_put = true, .key = key.ToString(), .value = value.ToString()});
    return rocksdb::Status::OK();
  }
  rocksdb::Status DeleteCF(std::uint32_t family, const rocksdb::Slice& key) override {
    EXPECT_EQ(family, 0U);
    changes.push_back({.is_put = false, .key = key.ToString(), .value = ""});
    return rocksdb::Status::OK();
  }

  std::vector<Change> changes;
};

std::vector<Change> ReadByRocksDb(const WriteBatch& batch) {
  const rocksdb::WriteBatch theirs(batch.representation());
  EXPECT_EQ(theirs.Count(), batch.count());
  Recorder recorder;
  EXPECT_TRUE(theirs.Iterate(&recorder).ok());
  return recorder.changes;
}

rc::Gen<std::vector<Change>> ArbitraryChanges() {
  return rc::gen::container<std::vector<Change>>(
      rc::gen::map(rc::gen::tuple(rc::gen::arbitrary<bool>(), rc::gen::arbitrary<std::string>(),
                                  rc::gen::arbitrary<std::string>()),
                   [](std::tuple<bool, std::string, std::string> parts) {
                     auto& [is_put, key, value] = parts;
                     return Change{is_put, key, is_put ? value : ""};
                   }));
}

WriteBatch BatchOf(const std::vector<Change>& changes) {
  WriteBatch batch;
  for (const Change& change : changes) {
    Apply(change, batch);
  }
  return batch;
}

RC_GTEST_PROP(WriteBatch, HasTheBytesThatRocksDbWouldWrite, ()) {
  const std::vector<Change> changes = *ArbitraryChanges();
  rocksdb::WriteBatch theirs;
  for (const Change& change : changes) {
    RC_ASSERT(
        (change.is_put ? theirs.Put(change.key, change.value) : theirs.Delete(change.key)).ok());
  }
  RC_ASSERT(BatchOf(changes).representation() == theirs.Data());
}

RC_GTEST_PROP(WriteBatch, AppendingKeepsTheOrder, ()) {
  const std::vector<Change> first = *ArbitraryChanges();
  const std::vector<Change> second = *ArbitraryChanges();
  WriteBatch batch = BatchOf(first);
  batch.Append(BatchOf(second));
  std::vector<Change> both = first;
  both.insert(both.end(), second.begin(), second.end());
  RC_ASSERT(batch.count() == both.size());
  RC_ASSERT(ReadByRocksDb(batch) == both);
}

TEST(WriteBatch, LongKeysAndValuesHaveLongLengths) {
  for (const std::size_t size : {127U, 128U, 16'383U, 16'384U, 2'097'152U}) {
    WriteBatch batch;
    batch.Put(std::string(size, 'k'), std::string(size, 'v'));
    const std::vector<Change> read = ReadByRocksDb(batch);
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].key.size(), size);
    EXPECT_EQ(read[0].value.size(), size);
  }
}

TEST(WriteBatch, IsEmptyAfterItWasMovedFrom) {
  WriteBatch batch;
  batch.Put("k", "v");
  const WriteBatch moved = std::move(batch);
  EXPECT_EQ(moved.count(), 1U);
  // NOLINTBEGIN(bugprone-use-after-move): that is what is tested.
  EXPECT_TRUE(batch.empty());
  batch.Put("k2", "v2");
  EXPECT_EQ(ReadByRocksDb(batch).size(), 1U);
  WriteBatch assigned;
  assigned.Put("gone", "");
  assigned = std::move(batch);
  EXPECT_EQ(ReadByRocksDb(assigned)[0].key, "k2");
  EXPECT_TRUE(batch.empty());
  // NOLINTEND(bugprone-use-after-move)
}

TEST(WriteBatch, ClearAndTakeLeaveAnEmptyBatch) {
  WriteBatch batch;
  batch.Put("k", "v");
  batch.Clear();
  EXPECT_TRUE(batch.empty());
  batch.Delete("k");
  const std::string taken = batch.TakeRepresentation();
  EXPECT_EQ(rocksdb::WriteBatch(taken).Count(), 1U);
  EXPECT_TRUE(batch.empty());
  EXPECT_EQ(batch.bytes(), WriteBatch().bytes());
}

}  // namespace
}  // namespace stator::storage
