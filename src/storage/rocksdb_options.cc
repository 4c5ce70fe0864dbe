#include "storage/rocksdb_options.h"

#include <rocksdb/cache.h>
#include <rocksdb/compaction_filter.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cstdarg>
#include <utility>

namespace stator::storage {
namespace {

// What RocksDB has to say about itself goes nowhere: its failures come back as statuses, and
// writing its settings to a log would be most of the time that opening takes.
class SilentLogger final : public rocksdb::Logger {
 public:
  SilentLogger() : Logger(rocksdb::FATAL_LEVEL) {}

  using Logger::Logv;
  void Logv(const char*, std::va_list) override {}
};

// Full filters over whole keys: a Get of a key that is not there reads no table. Ribbon filters are
// a third smaller than Bloom filters; the young levels, which are rewritten often, keep Bloom,
// which is faster to build.
constexpr double kFilterBitsPerKey = 10;
constexpr int kBloomBeforeLevel = 1;

// A block holds eight items of 1 KB; half as many index entries as with RocksDB's 4 KB.
constexpr std::size_t kBlockBytes = 8 << 10;

constexpr std::size_t kCompactionReadaheadBytes = 2 << 20;

// The memtable grows in pieces of this size; RocksDB's choice would be 1 MB from the start.
constexpr std::size_t kArenaBlockBytes = 256 << 10;

// The part of a memtable that is a filter over its keys. A Get of a key that is in a table file or
// nowhere does not search the memtable then, which was half of its time; a key that is in the
// memtable costs a fifth more to find.
constexpr double kMemtableFilterShare = 0.02;

// Compaction that is behind slows writers down early and stops them late: a stop could leave
// compaction unscheduled in this version of RocksDB (issue 10257).
constexpr int kLevel0StopWritesTrigger = 64;

// Two families share the log: a quiet one is written to tables when the logs grow beyond this, so that
// it cannot hold old ones for ever.
constexpr std::uint64_t kLogBytesMax = 128 << 20;

// The history is read in runs and by seeking, never key by key.
constexpr std::size_t kHistoryBlockBytes = 16 << 10;

// Hands the question on to whoever knows what rows mean.
class HistoryFilter final : public rocksdb::CompactionFilter {
 public:
  explicit HistoryFilter(std::unique_ptr<RowFilter> filter) : filter_(std::move(filter)) {}

  [[nodiscard]] const char* Name() const override { return "stator.history"; }

  bool Filter(int /*level*/, const rocksdb::Slice& key, const rocksdb::Slice& value,
              std::string* /*new_value*/, bool* /*value_changed*/) const override {
    return filter_->Removes({key.data(), key.size()}, value.size());
  }

 private:
  const std::unique_ptr<RowFilter> filter_;
};

class HistoryFilterFactory final : public rocksdb::CompactionFilterFactory {
 public:
  explicit HistoryFilterFactory(std::shared_ptr<RowFilterMaker> maker) : maker_(std::move(maker)) {}

  [[nodiscard]] const char* Name() const override { return "stator.history"; }

  std::unique_ptr<rocksdb::CompactionFilter> CreateCompactionFilter(
      const rocksdb::CompactionFilter::Context& /*context*/) override {
    std::unique_ptr<RowFilter> filter = maker_->Make();
    return filter == nullptr ? nullptr : std::make_unique<HistoryFilter>(std::move(filter));
  }

 private:
  const std::shared_ptr<RowFilterMaker> maker_;
};

// Each shard has a mutex that every read takes: with many cores there should be many. Those of a
// small cache would be too small to keep anything.
int ShardBitsFor(std::size_t capacity) {
  constexpr std::size_t kShardBytesMin = 2 << 20;
  constexpr int kBitsMax = 6;
  int bits = 0;
  while (bits < kBitsMax && capacity >> (bits + 1) >= kShardBytesMin) {
    ++bits;
  }
  return bits;
}

rocksdb::BlockBasedTableOptions TableOptions(const StoreOptions& options) {
  rocksdb::BlockBasedTableOptions table;
  rocksdb::LRUCacheOptions cache;
  cache.capacity = options.block_cache_bytes - RowCacheBytes(options) - RunCacheBytes(options);
  cache.num_shard_bits = ShardBitsFor(cache.capacity);
  table.block_cache = rocksdb::NewLRUCache(cache);
  table.block_size = kBlockBytes;
  table.format_version = 5;
  table.filter_policy.reset(rocksdb::NewRibbonFilterPolicy(kFilterBitsPerKey, kBloomBeforeLevel));
  table.whole_key_filtering = true;
  table.optimize_filters_for_memory = true;
  // Indexes and filters live beside the cache as long as their file is open: about 2 bytes and 10
  // bits per item, and no lookup in the cache on the way to a block.
  table.cache_index_and_filter_blocks = false;
  return table;
}

void SetMemory(const StoreOptions& options, rocksdb::Options& result) {
  result.write_buffer_size = options.write_buffer_bytes;
  result.max_write_buffer_number = 2;
  result.arena_block_size = std::min(kArenaBlockBytes, options.write_buffer_bytes / 8);
  result.memtable_prefix_bloom_size_ratio = kMemtableFilterShare;
  result.memtable_whole_key_filtering = true;
  result.table_factory.reset(rocksdb::NewBlockBasedTableFactory(TableOptions(options)));
  result.stats_dump_period_sec = 0;
  result.stats_persist_period_sec = 0;
}

void SetLevels(rocksdb::Options& result) {
  result.level_compaction_dynamic_level_bytes = true;
  result.compaction_readahead_size = kCompactionReadaheadBytes;
  result.compression = rocksdb::kLZ4Compression;
  result.bottommost_compression = rocksdb::kZSTD;
  result.level0_stop_writes_trigger = kLevel0StopWritesTrigger;
  result.max_background_jobs = 2;
}

// What of the log is replayed was decided before (file_check.h); RocksDB sees no damage in it.
void SetLog(rocksdb::Options& result) {
  result.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  // The store flushes by itself when it is closed (store.cc).
  result.avoid_flush_during_shutdown = true;
  // After a failed write nothing is tried again behind our back; see FailureLatch.
  result.max_bgerror_resume_count = 0;
  result.max_total_wal_size = kLogBytesMax;
}

// Tables that stay open are found without a lookup, so nothing is closed unless it must be.
void SetOpenFiles(const StoreOptions& options, rocksdb::Options& result) {
  constexpr std::size_t kUncounted = 32;  // logs, the manifest, what compaction reads and writes
  if (options.open_files_max > 0) {
    result.max_open_files = static_cast<int>(
        std::clamp<std::size_t>(options.open_files_max, 2 * kUncounted, 1 << 20) - kUncounted);
  }
}

}  // namespace

rocksdb::Options MakeRocksDbOptions(const StoreOptions& options, rocksdb::Env* env,
                                    std::shared_ptr<rocksdb::EventListener> listener) {
  rocksdb::Options result;
  result.env = env;
  // Whether a database may be made was decided by PrepareDirectory.
  result.create_if_missing = !options.read_only;
  // There is none; see store_env.h.
  result.fail_if_options_file_error = false;
  result.info_log = std::make_shared<SilentLogger>();
  if (listener != nullptr) {
    result.listeners.push_back(std::move(listener));
  }
  // Tables are handed on; they need not say on which machine they were written.
  result.db_host_id = "";
  SetMemory(options, result);
  SetLevels(result);
  SetLog(result);
  // Opening is quick: RocksDB's 16 threads for opening files cost more than they save below
  // hundreds of files, and it need not read every table's properties to improve its statistics.
  result.max_file_opening_threads = 2;
  result.skip_stats_update_on_db_open = true;
  SetOpenFiles(options, result);
  return result;
}

// Measured: in the main family the rows would double what a change costs; here, in runs that are not
// compressed while they are young, it is a third more.
rocksdb::ColumnFamilyOptions MakeHistoryOptions(const StoreOptions& options,
                                                const rocksdb::Options& whole) {
  rocksdb::ColumnFamilyOptions result(whole);
  const auto* const of_main = whole.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  rocksdb::BlockBasedTableOptions table;
  if (of_main != nullptr) {
    table = *of_main;
  }
  table.block_size = kHistoryBlockBytes;
  table.filter_policy.reset();
  result.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  result.memtable_prefix_bloom_size_ratio = 0;
  result.memtable_whole_key_filtering = false;
  result.compaction_style = rocksdb::kCompactionStyleUniversal;
  result.compression = rocksdb::kNoCompression;
  result.bottommost_compression = rocksdb::kLZ4Compression;
  if (options.history_filters != nullptr) {
    result.compaction_filter_factory =
        std::make_shared<HistoryFilterFactory>(options.history_filters);
  }
  return result;
}

}  // namespace stator::storage
