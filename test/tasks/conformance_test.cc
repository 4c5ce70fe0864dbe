// Both backends keep the contract of StorageBackend, the table with and without its indexes, and
// the suite itself finds backends that do not.

#include "stator/stores/tasks/backend_conformance.h"
#include "tasks/tasks_test.h"

namespace stator::tasks {
namespace {

class BackendConformance : public TaskStoreTest {};

TEST_P(BackendConformance, HoldsInEveryCase) {
  for (const ConformanceCase& test : BackendConformanceCases()) {
    const std::optional<std::string> failure = test.run(*backend_, random_);
    EXPECT_EQ(failure.value_or("conforms"), "conforms") << test.name;
  }
}

FOR_EVERY_BACKEND(BackendConformance);

// Forgets what it was told, each instance one thing.
class BrokenBackend final : public StorageBackend {
 public:
  enum class Fault : std::uint8_t {
    kReusesVersions,
    kJoinsKeys,
    kCountsEnded,
    kConflictsOnMissing
  };

  explicit BrokenBackend(Fault fault) : fault_(fault) {}

  StorageResult<VersionedRecord> Get(const RecordKey& key) override { return good_.Get(Bent(key)); }
  StorageResult<VersionedHead> GetHead(const RecordKey& key) override {
    return good_.GetHead(Bent(key));
  }
  StorageResult<std::uint64_t> Put(const RecordKey& key, const StoredValue& value) override {
    const auto version = good_.Put(Bent(key), value);
    return fault_ == Fault::kReusesVersions ? StorageResult<std::uint64_t>(1) : version;
  }
  StorageResult<std::uint64_t> PutIfAbsent(const RecordKey& key,
                                           const StoredValue& value) override {
    return good_.PutIfAbsent(Bent(key), value);
  }
  StorageResult<std::uint64_t> PutIfVersion(const RecordKey& key, const StoredValue& value,
                                            std::uint64_t expected) override {
    auto written = good_.PutIfVersion(Bent(key), value, expected);
    if (fault_ == Fault::kConflictsOnMissing && !written) {
      written.error().kind = StorageError::Kind::kVersionConflict;
    }
    return written;
  }
  StorageResult<bool> Delete(const RecordKey& key) override { return good_.Delete(Bent(key)); }
  StorageResult<HeadPage> ListOwner(std::string_view owner,
                                    const std::optional<ListPosition>& after,
                                    std::size_t limit) override {
    return good_.ListOwner(owner, after, limit);
  }
  StorageResult<std::size_t> CountActive(std::string_view owner, std::int64_t now_seconds,
                                         std::size_t enough) override {
    if (fault_ == Fault::kCountsEnded) {
      return good_.ListOwner(owner, std::nullopt, enough)->heads.size();
    }
    return good_.CountActive(owner, now_seconds, enough);
  }
  StorageResult<std::vector<RecordKey>> ListLapsed(std::string_view group, std::int64_t now_ms,
                                                   std::size_t limit) override {
    return good_.ListLapsed(group, now_ms, limit);
  }
  StorageResult<std::size_t> CleanupExpired(std::int64_t now) override {
    return good_.CleanupExpired(now);
  }
  StorageResult<BackendCapabilities> Capabilities() override { return good_.Capabilities(); }

 private:
  [[nodiscard]] RecordKey Bent(const RecordKey& key) const {
    const std::size_t colon = key.owner.find(':');
    if (fault_ != Fault::kJoinsKeys || colon == std::string::npos) {
      return key;
    }
    return {.owner = key.owner.substr(0, colon),
            .task = key.owner.substr(colon + 1) + ":" + key.task};
  }

  const Fault fault_;
  MemoryBackend good_;
};

TEST(Conformance, FindsBackendsThatBreakTheContract) {
  using Fault = BrokenBackend::Fault;
  SeededRandom random(1);
  for (const Fault fault : {Fault::kReusesVersions, Fault::kJoinsKeys, Fault::kCountsEnded,
                            Fault::kConflictsOnMissing}) {
    BrokenBackend backend(fault);
    int failures = 0;
    for (const ConformanceCase& test : BackendConformanceCases()) {
      failures += test.run(backend, random) ? 1 : 0;
    }
    EXPECT_GT(failures, 0) << "fault " << static_cast<int>(fault);
  }
}

}  // namespace
}  // namespace stator::tasks
