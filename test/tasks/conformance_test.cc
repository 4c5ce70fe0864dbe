// Both backends keep the contract of StorageBackend, the table with and without its indexes, and
// the suite itself finds backends that do not.

#include "stator/stores/tasks/backend_conformance.h"
#include "tasks/forwarding_backend.h"
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
class BrokenBackend final : public ForwardingBackend {
 public:
  enum class Fault : std::uint8_t {
    kReusesVersions,
    kJoinsKeys,
    kCountsEnded,
    kConflictsOnMissing,
    kKeepsLapsedLeases,
    kMovesLeasesOfOthers,
    kForgetsLimits,
    kForgetsLeasesOfWrites,
    kWritesLeasesFirst,
  };

  BrokenBackend(StorageBackend& good, Fault fault) : ForwardingBackend(good), fault_(fault) {}

  Result<VersionedRecord> Get(const RecordKey& key) override { return next().Get(Bent(key)); }
  Result<std::uint64_t> Put(const RecordKey& key, const StoredValue& value) override {
    const auto version = next().Put(Bent(key), value);
    return fault_ == Fault::kReusesVersions ? Result<std::uint64_t>(1) : version;
  }
  Result<std::uint64_t> PutIfAbsent(const RecordKey& key, const StoredValue& value) override {
    return next().PutIfAbsent(Bent(key), value);
  }
  Result<std::uint64_t> PutIfVersion(const RecordKey& key, const StoredValue& value,
                                     std::uint64_t expected) override {
    auto written = next().PutIfVersion(Bent(key), value, expected);
    if (fault_ == Fault::kConflictsOnMissing && !written) {
      written.error().code = ErrorCode::kConflict;
    }
    return written;
  }
  Result<std::uint64_t> PutWithLease(const RecordKey& key, const StoredValue& value,
                                     std::uint64_t expected,
                                     const std::optional<StoredLease>& lease) override {
    if (fault_ == Fault::kForgetsLeasesOfWrites) {
      return next().PutIfVersion(key, value, expected);
    }
    if (fault_ == Fault::kWritesLeasesFirst) {
      static_cast<void>(next().RemoveLease(key, std::nullopt));
    }
    return next().PutWithLease(key, value, expected, lease);
  }
  Result<HeadPage> ListOwner(std::string_view owner, const std::optional<ListPosition>& after,
                             std::size_t limit) override {
    return next().ListOwner(owner, after, fault_ == Fault::kForgetsLimits ? limit + 1 : limit);
  }
  Result<std::size_t> CountActive(std::string_view owner, std::int64_t now_seconds,
                                  std::size_t enough) override {
    if (fault_ == Fault::kCountsEnded) {
      return next().ListOwner(owner, std::nullopt, enough)->heads.size();
    }
    return next().CountActive(owner, now_seconds, enough);
  }
  Result<void> TakeLease(const RecordKey& key, const StoredLease& lease,
                         std::int64_t now_ms) override {
    return next().TakeLease(key, lease, fault_ == Fault::kKeepsLapsedLeases ? 0 : now_ms);
  }
  Result<void> MoveLease(const RecordKey& key, std::string_view worker,
                         std::int64_t until_ms) override {
    auto moved = next().MoveLease(key, worker, until_ms);
    return fault_ == Fault::kMovesLeasesOfOthers ? Result<void>() : moved;
  }

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
};

TEST(Conformance, FindsBackendsThatBreakTheContract) {
  using Fault = BrokenBackend::Fault;
  SeededRandom random(1);
  for (const Fault fault :
       {Fault::kReusesVersions, Fault::kJoinsKeys, Fault::kCountsEnded, Fault::kConflictsOnMissing,
        Fault::kKeepsLapsedLeases, Fault::kMovesLeasesOfOthers, Fault::kForgetsLimits,
        Fault::kForgetsLeasesOfWrites, Fault::kWritesLeasesFirst}) {
    MemoryBackend good;
    BrokenBackend backend(good, fault);
    int failures = 0;
    for (const ConformanceCase& test : BackendConformanceCases()) {
      failures += test.run(backend, random) ? 1 : 0;
    }
    EXPECT_GT(failures, 0) << "fault " << static_cast<int>(fault);
  }
}

}  // namespace
}  // namespace stator::tasks
