// One point of the curves of bench/growth.py: a database of so many items of 100 bytes, opened, asked
// and written, by the engine or by RocksDB alone with the same settings and rows.
//
//   growth_bench engine|rocksdb DIRECTORY BEFORE ITEMS SECONDS THREADS[,THREADS...]
//
// The directory holds BEFORE items, and ITEMS afterwards; each kind of call is measured for SECONDS.
// Items are chosen at random among all. Prints one line of JSON: microseconds per call, on the clock
// and of the processor; what opening takes; memory and disk.

#include <rocksdb/db.h>
#include <rocksdb/listener.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "contention.h"
#include "engine/engine.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "storage/rocksdb_options.h"
#include "value/item_codec.h"

namespace stator::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kTable[] = "bench";
constexpr keyspace::TableId kTableId = 1;  // the first that the engine gives out
constexpr std::uint64_t kPartitionItems = 20;
constexpr std::uint64_t kBatchItems = 25;
constexpr std::size_t kBodyBytes = 60;
constexpr std::size_t kCacheBytes = 256 << 20;
constexpr std::size_t kNumberDigits = 12;

void Demand(bool condition, const std::string& what) {
  if (!condition) {
    std::fprintf(stderr, "growth_bench: %s\n", what.c_str());
    std::exit(1);
  }
}

template <class T>
T Must(Result<T> result) {
  Demand(result.has_value(), result ? "" : result.error().message);
  return *std::move(result);
}

// Writes a number with leading zeros behind the one letter that a key begins with.
void SetNumber(std::string& key, std::uint64_t number) {
  for (std::size_t at = key.size(); at-- > 1;) {
    key[at] = static_cast<char>('0' + number % 10);
    number /= 10;
  }
}

std::string NumberedKey(char letter, std::uint64_t number, std::size_t digits) {
  std::string key(1 + digits, letter);
  SetNumber(key, number);
  return key;
}

Item ItemOf(std::uint64_t number, char content) {
  return {{"pk", NumberedKey('p', number / kPartitionItems, kNumberDigits)},
          {"sk", NumberedKey('i', number % kPartitionItems, 2)},
          {"body", std::string(kBodyBytes, content)},
          {"n", 4711}};
}

// Random numbers below a bound, as fast as the loop that is measured.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}
  std::uint64_t Below(std::uint64_t bound) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_ % bound;
  }

 private:
  std::uint64_t state_;
};

storage::StoreOptions OptionsOf(const std::string& path) {
  return {
      .path = path, .durability = storage::Durability::kRelaxed, .block_cache_bytes = kCacheBytes};
}

class EngineSubject {
 public:
  explicit EngineSubject(const std::string& path) {
    engine::EngineOptions options;
    options.store = OptionsOf(path);
    engine_ = Must(engine::Engine::Open(options));
  }

  void Fill(std::uint64_t from, std::uint64_t to) {
    if (from == 0) {
      Must(engine_->CreateTable({.table_name = kTable,
                                 .attribute_definitions = {{"pk", ScalarAttributeType::kString},
                                                           {"sk", ScalarAttributeType::kString}},
                                 .key_schema = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
                                 .billing_mode = BillingMode::kPayPerRequest}));
    }
    while (from < to) {
      BatchWriteItemInput batch;
      std::vector<WriteRequest>& puts = batch.request_items[kTable];
      for (const std::uint64_t end = std::min(from + kBatchItems, to); from < end; ++from) {
        puts.emplace_back(PutRequest{ItemOf(from, 'a')});
      }
      Must(engine_->BatchWriteItem(batch));
    }
  }
  void Close() { Demand(engine_->Close().has_value(), "closing"); }

  // What one thread asks; its requests are changed in place.
  class Caller {
   public:
    explicit Caller(EngineSubject& subject) : engine_(*subject.engine_) {
      get_.table_name = query_.table_name = put_.table_name = kTable;
      put_.item = ItemOf(0, 'a');
      get_.key = {{"pk", put_.item.at("pk")}, {"sk", put_.item.at("sk")}};
      query_.key_condition_expression = "pk = :pk";
      query_.expression_attribute_values = {{{":pk", put_.item.at("pk")}}};
    }
    void Get(std::uint64_t number) {
      Aim(get_.key, number);
      Demand(Must(engine_.GetItem(get_)).item.has_value(), "an item is not there");
    }
    void Put(std::uint64_t number) {
      Aim(put_.item, number);
      SetNumber(*put_.item.Find("body")->If<std::string>(), ++version_);
      Must(engine_.PutItem(put_));
    }
    void Scan(std::uint64_t number) {
      SetNumber(*query_.expression_attribute_values->Find(":pk")->If<std::string>(),
                number / kPartitionItems);
      Demand(Must(engine_.Query(query_)).count == kPartitionItems, "items are not there");
    }

   private:
    static void Aim(Item& item, std::uint64_t number) {
      SetNumber(*item.Find("pk")->If<std::string>(), number / kPartitionItems);
      SetNumber(*item.Find("sk")->If<std::string>(), number % kPartitionItems);
    }

    engine::Engine& engine_;
    GetItemInput get_;
    QueryInput query_;
    PutItemInput put_;
    std::uint64_t version_ = 0;
  };

 private:
  std::unique_ptr<engine::Engine> engine_;
};

class RawSubject {
 public:
  explicit RawSubject(const std::string& path) {
    const rocksdb::Options options = storage::MakeRocksDbOptions(
        OptionsOf(path), rocksdb::Env::Default(), std::make_shared<rocksdb::EventListener>());
    rocksdb::DB* database = nullptr;
    Demand(rocksdb::DB::Open(options, path, &database).ok(), "opening RocksDB");
    database_.reset(database);
  }

  void Fill(std::uint64_t from, std::uint64_t to) {
    while (from < to) {
      rocksdb::WriteBatch batch;
      for (const std::uint64_t end = std::min(from + kBatchItems, to); from < end; ++from) {
        const Item item = ItemOf(from, 'a');
        std::string key;
        std::string row;
        keyspace::AppendItemKey(kTableId, item.at("pk"), &item.at("sk"), key);
        value::AppendItem(item, row);
        batch.Put(key, row);
      }
      Demand(database_->Write({}, &batch).ok(), "filling RocksDB");
    }
  }
  // As the store of the engine does it.
  void Close() {
    Demand(database_->Flush({}).ok(), "flushing RocksDB");
    Demand(database_->Close().ok(), "closing RocksDB");
    database_.reset();
  }

  class Caller {
   public:
    explicit Caller(RawSubject& subject) : database_(*subject.database_) {
      const Item item = ItemOf(0, 'a');
      partition_ = item.at("pk");
      sort_ = item.at("sk");
      value::AppendItem(item, row_);
      body_at_ = row_.find(std::string(kBodyBytes, 'a'));
      partition_at_ = row_.find(*partition_.If<std::string>());
      sort_at_ = row_.find(*sort_.If<std::string>());
    }
    void Get(std::uint64_t number) {
      Aim(number);
      rocksdb::PinnableSlice value;
      Demand(database_.Get({}, database_.DefaultColumnFamily(), key_, &value).ok(), "Get");
    }
    void Put(std::uint64_t number) {
      Get(number);  // whoever writes an item has to know the one that was there
      row_.replace(partition_at_, kNumberDigits + 1, *partition_.If<std::string>());
      row_.replace(sort_at_, 3, *sort_.If<std::string>());
      const std::string version = NumberedKey('a', ++version_, kBodyBytes - 1);
      row_.replace(body_at_, kBodyBytes, version);
      Demand(database_.Put({}, key_, row_).ok(), "Put");
    }
    void Scan(std::uint64_t number) {
      SetNumber(*partition_.If<std::string>(), number / kPartitionItems);
      key_.clear();
      keyspace::AppendItemKey(kTableId, partition_, nullptr, key_);
      const std::string end = keyspace::PrefixEnd(key_);
      const rocksdb::Slice lower(key_);
      const rocksdb::Slice upper(end);
      rocksdb::ReadOptions options;
      options.iterate_lower_bound = &lower;
      options.iterate_upper_bound = &upper;
      const std::unique_ptr<rocksdb::Iterator> rows(database_.NewIterator(options));
      std::uint64_t count = 0;
      for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
        count += rows->value().size() > 0 ? 1 : 0;
      }
      Demand(count == kPartitionItems, "rows are not there");
    }

   private:
    void Aim(std::uint64_t number) {
      SetNumber(*partition_.If<std::string>(), number / kPartitionItems);
      SetNumber(*sort_.If<std::string>(), number % kPartitionItems);
      key_.clear();
      keyspace::AppendItemKey(kTableId, partition_, &sort_, key_);
    }

    rocksdb::DB& database_;
    AttributeValue partition_;
    AttributeValue sort_;
    std::string key_;
    std::string row_;
    std::size_t body_at_ = 0;
    std::size_t partition_at_ = 0;
    std::size_t sort_at_ = 0;
    std::uint64_t version_ = 0;
  };

 private:
  std::unique_ptr<rocksdb::DB> database_;
};

struct Cost {
  double wall_us = 0;  // of one call, as its thread sees it
  double cpu_us = 0;
  double per_second = 0;  // of all threads
};

// Calls from so many threads for so long.
template <class Subject, class Call>
Cost Measure(Subject& subject, int threads, double seconds, std::uint64_t items, Call call) {
  Clock::time_point begun;
  std::clock_t cpu_begun = 0;
  std::atomic<std::uint64_t> calls = 0;
  const auto start = [&]() noexcept {
    begun = Clock::now();
    cpu_begun = std::clock();
  };
  {
    std::barrier<decltype(start)> ready(threads, start);
    std::vector<std::jthread> running;
    for (int thread = 0; thread < threads; ++thread) {
      running.emplace_back([&, thread] {
        typename Subject::Caller caller(subject);
        Chance chance(static_cast<std::uint64_t>(thread) + 1);
        ready.arrive_and_wait();
        WatchThisThread();
        std::uint64_t done = 0;
        const auto until = Clock::now() + std::chrono::duration<double>(seconds);
        while (Clock::now() < until) {
          for (int each = 0; each < 64; ++each) {
            call(caller, chance.Below(items));
          }
          done += 64;
        }
        calls += done;
      });
    }
  }
  const double wall = std::chrono::duration<double, std::micro>(Clock::now() - begun).count();
  const double cpu = static_cast<double>(std::clock() - cpu_begun) * (1e6 / CLOCKS_PER_SEC);
  const auto count = static_cast<double>(calls.load());
  return {wall * threads / count, cpu / count, 1e6 * count / wall};
}

std::uint64_t MemoryBytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word == "VmRSS:") {
      std::uint64_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  }
  return 0;
}

std::uint64_t DiskBytes(const std::string& path) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    bytes += entry.is_regular_file() ? entry.file_size() : 0;
  }
  return bytes;
}

struct Arguments {
  std::string path;
  std::uint64_t before = 0;
  std::uint64_t items = 0;
  double seconds = 0;
  std::vector<int> threads;
};

void Print(const char* name, int threads, const Cost& cost) {
  std::printf(R"(,"%s/%d":{"wall_us":%.3f,"cpu_us":%.3f,"per_second":%.0f})", name, threads,
              cost.wall_us, cost.cpu_us, cost.per_second);
}

template <class Subject>
void Run(const Arguments& arguments) {
  using Caller = typename Subject::Caller;
  const Clock::time_point filling = Clock::now();
  {
    Subject subject(arguments.path);
    subject.Fill(arguments.before, arguments.items);
    subject.Close();
  }
  const Clock::time_point opening = Clock::now();
  Subject subject(arguments.path);
  Caller(subject).Get(0);
  const Clock::time_point answered = Clock::now();
  const std::uint64_t memory_at_first = MemoryBytes();
  std::printf(R"({"items":%llu,"fill_seconds":%.3f,"open_ms":%.3f)",
              static_cast<unsigned long long>(arguments.items),
              std::chrono::duration<double>(opening - filling).count(),
              std::chrono::duration<double, std::milli>(answered - opening).count());
  for (const int threads : arguments.threads) {
    const auto measure = [&](const char* name, auto call) {
      const Cost cost = Measure(subject, threads, arguments.seconds, arguments.items, call);
      Print(name, threads, cost);
      const std::string waits = TakeContention();
      std::printf(R"(,"%s/%d/waits":[%s])", name, threads, waits.c_str());
    };
    measure("GetItem", [](Caller& caller, std::uint64_t number) { caller.Get(number); });
    measure("Query", [](Caller& caller, std::uint64_t number) { caller.Scan(number); });
    measure("PutItem", [](Caller& caller, std::uint64_t number) { caller.Put(number); });
  }
  const std::uint64_t memory = MemoryBytes();
  subject.Close();
  std::printf(R"(,"memory_at_first":%llu,"memory":%llu,"disk":%llu})"
              "\n",
              static_cast<unsigned long long>(memory_at_first),
              static_cast<unsigned long long>(memory),
              static_cast<unsigned long long>(DiskBytes(arguments.path)));
}

template <class T>
T NumberFrom(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  Demand(error == std::errc() && end == text.data() + text.size(),
         "not a number: " + std::string(text));
  return number;
}

Arguments Parse(const std::vector<std::string_view>& words) {
  Demand(words.size() == 7 && (words[1] == "engine" || words[1] == "rocksdb"),
         "usage: growth_bench engine|rocksdb DIRECTORY BEFORE ITEMS SECONDS THREADS[,THREADS...]");
  Arguments arguments{.path = std::string(words[2]),
                      .before = NumberFrom<std::uint64_t>(words[3]),
                      .items = NumberFrom<std::uint64_t>(words[4]),
                      .seconds = NumberFrom<double>(words[5]),
                      .threads = {}};
  std::string_view rest = words[6];
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    arguments.threads.push_back(NumberFrom<int>(one));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
  Demand(arguments.items >= kPartitionItems && arguments.items % kPartitionItems == 0,
         "items are in partitions of 20");
  return arguments;
}

}  // namespace
}  // namespace stator::bench

int main(int count, char** values) {
  using namespace stator::bench;  // NOLINT(google-build-using-namespace): of this program
  const std::vector<std::string_view> words(values, values + count);
  const Arguments arguments = Parse(words);
  if (words[1] == "engine") {
    Run<EngineSubject>(arguments);
  } else {
    Run<RawSubject>(arguments);
  }
  return 0;
}
