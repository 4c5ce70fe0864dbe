#include "stator/stores/tasks/backend_conformance.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

namespace stator::tasks {
namespace {

using Failure = std::optional<std::string>;

// Collects what goes wrong in one case; the first is reported.
class Examination {
 public:
  Examination(StorageBackend& examined, Random& source)
      : backend(examined), random(source), owner("conformance-" + source.Uuid()) {}

  bool Expect(bool holds, const std::string& what) {
    if (!holds && !failure) {
      failure = what;
    }
    return holds;
  }

  template <class T>
  bool Succeeds(const Result<T>& result, const std::string& what) {
    return Expect(result.has_value(),
                  what + " failed: " + (result ? std::string() : result.error().message));
  }

  template <class T>
  bool FailsWith(const Result<T>& result, ErrorCode code, const std::string& what) {
    return Expect(!result && result.error().code == code,
                  what + (result ? " succeeded" : " failed otherwise: " + result.error().message));
  }

  bool Holds(const Result<std::uint64_t>& result, std::uint64_t version, const std::string& what) {
    return Succeeds(result, what) &&
           Expect(*result == version, what + " gave version " + std::to_string(*result) +
                                          " instead of " + std::to_string(version));
  }

  // What is stored under the key, data and version.
  void Finds(const RecordKey& key, const std::string& data, std::uint64_t version) {
    const Result<VersionedRecord> record = backend.Get(key);
    if (Succeeds(record, "Get")) {
      Expect(record->data == data, "Get gave other data");
      Expect(record->version == version, "Get gave version " + std::to_string(record->version) +
                                             " instead of " + std::to_string(version));
    }
  }

  [[nodiscard]] RecordKey Key(std::string task = "task") const {
    return {.owner = owner, .task = std::move(task)};
  }

  StorageBackend& backend;
  Random& random;
  const std::string owner;
  Failure failure;
};

constexpr std::string_view kNoon = "2026-02-23T12:00:00.000Z";
constexpr std::int64_t kNoonSeconds = 1'771'848'000;
constexpr std::int64_t kHour = 3600;

StoredValue Value(std::string data) {
  return {.data = std::move(data),
          .attributes = {.head = "{\"head\":1}",
                         .status = "working",
                         .created_at = std::string(kNoon),
                         .is_active = true}};
}

StoredValue CreatedAt(std::string_view created_at) {
  StoredValue value = Value("{}");
  value.attributes.created_at = created_at;
  return value;
}

void MissingKeysAreNotFound(Examination& e) {
  e.FailsWith(e.backend.Get(e.Key()), ErrorCode::kNotFound, "Get of a missing key");
  e.FailsWith(e.backend.GetHead(e.Key()), ErrorCode::kNotFound, "GetHead of a missing key");
}

void PutCountsVersionsFromOne(Examination& e) {
  e.Holds(e.backend.Put(e.Key(), Value("{\"a\":1}")), 1, "the first Put");
  e.Finds(e.Key(), "{\"a\":1}", 1);
  e.Holds(e.backend.Put(e.Key(), Value("{\"b\":2}")), 2, "the second Put");
  e.Finds(e.Key(), "{\"b\":2}", 2);
}

void PutIfAbsentWritesOnce(Examination& e) {
  e.Holds(e.backend.PutIfAbsent(e.Key(), Value("{\"a\":1}")), 1, "PutIfAbsent of a new key");
  e.FailsWith(e.backend.PutIfAbsent(e.Key(), Value("{\"b\":2}")), ErrorCode::kAlreadyExists,
              "PutIfAbsent of a key that is there");
  e.Finds(e.Key(), "{\"a\":1}", 1);
}

void PutIfVersionWritesWhenTheVersionFits(Examination& e) {
  e.Holds(e.backend.Put(e.Key(), Value("{\"a\":1}")), 1, "Put");
  e.Holds(e.backend.PutIfVersion(e.Key(), Value("{\"b\":2}"), 1), 2, "PutIfVersion");
  e.Finds(e.Key(), "{\"b\":2}", 2);
}

void PutIfVersionTellsTheStoredVersion(Examination& e) {
  e.Holds(e.backend.Put(e.Key(), Value("{\"a\":1}")), 1, "Put");
  e.Holds(e.backend.Put(e.Key(), Value("{\"a\":2}")), 2, "Put");
  for (const std::uint64_t expected : {0U, 1U, 3U, 99U}) {
    const auto written = e.backend.PutIfVersion(e.Key(), Value("{\"c\":3}"), expected);
    if (e.FailsWith(written, ErrorCode::kConflict, "PutIfVersion with a stale version")) {
      const auto* const versions = FindDetail<VersionConflict>(written.error());
      e.Expect(versions != nullptr && versions->expected == expected && versions->actual == 2,
               "the conflict says: " + written.error().message);
    }
  }
  e.Finds(e.Key(), "{\"a\":2}", 2);
}

void PutIfVersionOfAMissingKeyIsNotFound(Examination& e) {
  e.FailsWith(e.backend.PutIfVersion(e.Key(), Value("{}"), 0), ErrorCode::kNotFound,
              "PutIfVersion with version 0 of a missing key");
  e.FailsWith(e.backend.PutIfVersion(e.Key(), Value("{}"), 1), ErrorCode::kNotFound,
              "PutIfVersion of a missing key");
  e.FailsWith(e.backend.Get(e.Key()), ErrorCode::kNotFound, "Get");
}

void DeleteSaysWhetherSomethingWasThere(Examination& e) {
  e.Holds(e.backend.Put(e.Key(), Value("{}")), 1, "Put");
  const Result<bool> first = e.backend.Delete(e.Key());
  e.Expect(e.Succeeds(first, "Delete") && *first, "Delete of a key that is there said no");
  e.FailsWith(e.backend.Get(e.Key()), ErrorCode::kNotFound, "Get of a deleted key");
  const Result<bool> second = e.backend.Delete(e.Key());
  e.Expect(e.Succeeds(second, "Delete") && !*second, "Delete of a missing key said yes");
  e.Holds(e.backend.PutIfAbsent(e.Key(), Value("{}")), 1, "PutIfAbsent after Delete");
}

void HeadsFollowEveryWrite(Examination& e) {
  StoredValue value = Value(std::string(100'000, 'x'));
  e.Holds(e.backend.Put(e.Key(), value), 1, "Put");
  value.attributes.head = "{\"head\":2}";
  e.Holds(e.backend.PutIfVersion(e.Key(), value, 1), 2, "PutIfVersion");
  const Result<VersionedHead> head = e.backend.GetHead(e.Key());
  if (e.Succeeds(head, "GetHead")) {
    e.Expect(head->head == "{\"head\":2}" && head->version == 2 && head->key == e.Key() &&
                 head->created_at == kNoon,
             "GetHead gave another head, version, key or time");
  }
}

void TextsThatAreNoUtf8AreRefused(Examination& e) {
  e.FailsWith(e.backend.Put(e.Key(), Value("\xFF")), ErrorCode::kValidation, "Put of bytes");
  e.FailsWith(e.backend.PutIfAbsent(e.Key(), Value("\xC0\x80")), ErrorCode::kValidation,
              "PutIfAbsent of bytes");
  e.FailsWith(e.backend.Put(e.Key("\xFF"), Value("{}")), ErrorCode::kValidation,
              "Put of a key of bytes");
  e.FailsWith(e.backend.Get(e.Key()), ErrorCode::kNotFound, "Get");
}

void KeysBeyondTheLimitsAreRefused(Examination& e) {
  const RecordKey long_owner{.owner = std::string(kOwnerBytesMax + 1, 'o'), .task = "t"};
  e.FailsWith(e.backend.Put(long_owner, Value("{}")), ErrorCode::kValidation,
              "Put with a long owner");
  const RecordKey long_task = e.Key(std::string(kTaskIdBytesMax + 1, 't'));
  e.FailsWith(e.backend.Put(long_task, Value("{}")), ErrorCode::kValidation,
              "Put with a long task");
}

// Owners that joined keys confuse, each with the same tasks.
std::vector<std::string> HostileOwners(Random& random) {
  const std::string base = random.Uuid();
  std::vector<std::string> owners = {
      base,          base + ":",         base + ":b",           base + "#",
      base + "#b",   base + "%3A",       base + "%3Ab",         "https://app.example/" + base,
      base + "\n",   base + " ",         base + "\xC3\xA4",     "OWNER#" + base,
      base + "\x01", base + ":TASK#b:T", "urn:" + base + ":u1", "urn:" + base};
  owners.push_back(base + std::string(kOwnerBytesMax - base.size(), ':'));
  return owners;
}

void HostileOwnersAreKeptApart(Examination& e) {
  const std::vector<std::string> owners = HostileOwners(e.random);
  const std::vector<std::string> tasks = {"T", "b:T", "#T", ":", std::string(kTaskIdBytesMax, 't')};
  for (const std::string& owner : owners) {
    for (const std::string& task : tasks) {
      const RecordKey key{.owner = owner, .task = task};
      StoredValue value = Value("{}");
      value.data = ToText(key);
      e.Holds(e.backend.PutIfAbsent(key, value), 1, "PutIfAbsent of " + ToText(key));
    }
  }
  for (const std::string& owner : owners) {
    for (const std::string& task : tasks) {
      const RecordKey key{.owner = owner, .task = task};
      e.Finds(key, ToText(key), 1);
    }
    const Result<HeadPage> page = e.backend.ListOwner(owner, std::nullopt, 100);
    if (e.Succeeds(page, "ListOwner")) {
      e.Expect(page->heads.size() == tasks.size() && !page->more,
               "an owner sees " + std::to_string(page->heads.size()) + " tasks");
      for (const VersionedHead& head : page->heads) {
        e.Expect(head.key.owner == owner, "an owner sees a key of another");
      }
    }
    const Result<std::size_t> count = e.backend.CountActive(owner, kNoonSeconds, 100);
    e.Expect(e.Succeeds(count, "CountActive") && *count == tasks.size(),
             "CountActive counts tasks of others");
  }
}

void ListsAreYoungestFirstInPages(Examination& e) {
  const std::vector<std::pair<std::string, std::string>> created = {
      {"2026-02-23T12:00:00.000Z", "a"},
      {"2026-02-23T12:00:00.000Z", "c"},
      {"2026-02-23T12:00:00.000Z", "b"},
      {"2026-02-23T11:59:59.999Z", "z"},
      {"2026-02-23T12:00:00.001Z", "A"}};
  for (const auto& [time, task] : created) {
    e.Holds(e.backend.Put(e.Key(task), CreatedAt(time)), 1, "Put");
  }
  std::string order;
  std::optional<ListPosition> after;
  for (int pages = 0; pages < 10; ++pages) {
    const Result<HeadPage> page = e.backend.ListOwner(e.owner, after, 2);
    if (!e.Succeeds(page, "ListOwner") || page->heads.empty()) {
      break;
    }
    e.Expect(page->heads.size() <= 2, "a page has more than was asked for");
    for (const VersionedHead& head : page->heads) {
      order += head.key.task;
      after = ListPosition{.created_at = head.created_at, .task = head.key.task};
    }
    if (!page->more) {
      break;
    }
  }
  e.Expect(order == "Acbaz", "the order is " + order);
  // The place survives the record that it names.
  e.Succeeds(e.backend.Delete(e.Key("b")), "Delete");
  const Result<HeadPage> rest =
      e.backend.ListOwner(e.owner, ListPosition{.created_at = std::string(kNoon), .task = "b"}, 10);
  e.Expect(e.Succeeds(rest, "ListOwner") && rest->heads.size() == 2 &&
               rest->heads.front().key.task == "a",
           "a list does not go on behind a deleted record");
}

void ListsSeeTheLastWrite(Examination& e) {
  e.Holds(e.backend.Put(e.Key(), Value("{}")), 1, "Put");
  StoredValue value = Value("{}");
  value.attributes.head = "{\"head\":2}";
  e.Holds(e.backend.PutIfVersion(e.Key(), value, 1), 2, "PutIfVersion");
  const Result<HeadPage> page = e.backend.ListOwner(e.owner, std::nullopt, 10);
  if (e.Succeeds(page, "ListOwner") &&
      e.Expect(page->heads.size() == 1, "the list has not one entry")) {
    e.Expect(page->heads[0].head == "{\"head\":2}" && page->heads[0].version == 2,
             "the list shows an older head or version");
  }
  const Result<HeadPage> nobody = e.backend.ListOwner(e.owner + "x", std::nullopt, 10);
  e.Expect(e.Succeeds(nobody, "ListOwner") && nobody->heads.empty() && !nobody->more,
           "an unknown owner has tasks");
}

void OnlyActiveUnexpiredRecordsCount(Examination& e) {
  StoredValue value = Value("{}");
  e.Holds(e.backend.Put(e.Key("forever"), value), 1, "Put");
  value.attributes.expires_at_seconds = kNoonSeconds + kHour;
  e.Holds(e.backend.Put(e.Key("later"), value), 1, "Put");
  value.attributes.expires_at_seconds = kNoonSeconds - kHour;
  e.Holds(e.backend.Put(e.Key("expired"), value), 1, "Put");
  value = Value("{}");
  value.attributes.is_active = false;
  value.attributes.status = "completed";
  e.Holds(e.backend.Put(e.Key("ended"), value), 1, "Put");
  e.Holds(e.backend.Put(e.Key("ends"), Value("{}")), 1, "Put");
  e.Holds(e.backend.PutIfVersion(e.Key("ends"), value, 1), 2, "PutIfVersion");
  const Result<std::size_t> count = e.backend.CountActive(e.owner, kNoonSeconds, 100);
  if (e.Succeeds(count, "CountActive")) {
    e.Expect(*count == 2, "CountActive counts " + std::to_string(*count) + " instead of 2");
  }
  const Result<std::size_t> enough = e.backend.CountActive(e.owner, kNoonSeconds, 1);
  e.Expect(e.Succeeds(enough, "CountActive") && *enough == 1, "CountActive goes on counting");
}

// What an earlier write said beside the data must not survive it.
void WritesReplaceAttributesWholly(Examination& e) {
  StoredValue value = Value("{}");
  value.attributes.expires_at_seconds = kNoonSeconds - kHour;
  e.Holds(e.backend.Put(e.Key("put"), value), 1, "Put");
  e.Holds(e.backend.Put(e.Key("conditional"), value), 1, "Put");
  e.Holds(e.backend.Put(e.Key("put"), Value("{}")), 2, "Put");
  e.Holds(e.backend.PutIfVersion(e.Key("conditional"), Value("{}"), 1), 2, "PutIfVersion");
  const Result<std::size_t> count = e.backend.CountActive(e.owner, kNoonSeconds, 100);
  e.Expect(e.Succeeds(count, "CountActive") && *count == 2, "an old expiry survived a write");
}

StoredLease LeaseOf(std::string worker, std::int64_t until_ms) {
  return {.worker = std::move(worker), .group = "group", .until_ms = until_ms};
}

void ALeaseBelongsToOneWorkerUntilItLapses(Examination& e) {
  e.Succeeds(e.backend.TakeLease(e.Key(), LeaseOf("a", 1000), 500), "TakeLease of a free key");
  e.FailsWith(e.backend.TakeLease(e.Key(), LeaseOf("b", 2000), 1000), ErrorCode::kAlreadyExists,
              "TakeLease of a held key");
  e.FailsWith(e.backend.MoveLease(e.Key(), "b", 9000), ErrorCode::kNotFound,
              "MoveLease of another's");
  e.Succeeds(e.backend.MoveLease(e.Key(), "a", 3000), "MoveLease");
  e.FailsWith(e.backend.TakeLease(e.Key(), LeaseOf("b", 9000), 3000), ErrorCode::kAlreadyExists,
              "TakeLease of a key whose lease was moved");
  e.Succeeds(e.backend.TakeLease(e.Key(), LeaseOf("a", 4000), 3000), "TakeLease of one's own");
  e.Succeeds(e.backend.TakeLease(e.Key(), LeaseOf("b", 9000), 4001), "TakeLease when it lapsed");
  e.FailsWith(e.backend.MoveLease(e.Key(), "a", 9000), ErrorCode::kNotFound,
              "MoveLease by the worker that lost it");
}

void RemovedLeasesAreFree(Examination& e) {
  const auto removed = [&](std::optional<std::int64_t> lapsed_at, bool expected) {
    const Result<bool> result = e.backend.RemoveLease(e.Key(), lapsed_at);
    e.Expect(e.Succeeds(result, "RemoveLease") && *result == expected,
             expected ? "RemoveLease said no" : "RemoveLease said yes");
  };
  removed(std::nullopt, false);
  removed(1000, false);
  e.Succeeds(e.backend.TakeLease(e.Key(), LeaseOf("a", 1000), 500), "TakeLease");
  removed(1000, false);
  removed(1001, true);
  e.Succeeds(e.backend.TakeLease(e.Key(), LeaseOf("b", 1000), 500), "TakeLease when removed");
  removed(std::nullopt, true);
  e.FailsWith(e.backend.MoveLease(e.Key(), "b", 9000), ErrorCode::kNotFound,
              "MoveLease when removed");
}

void LeasesStandBesideTheRecord(Examination& e) {
  e.Succeeds(e.backend.TakeLease(e.Key(), LeaseOf("a", 1000), 500), "TakeLease without a record");
  e.FailsWith(e.backend.Get(e.Key()), ErrorCode::kNotFound, "Get of a lease");
  e.Holds(e.backend.PutIfAbsent(e.Key(), Value("{}")), 1, "PutIfAbsent under a lease");
  e.Succeeds(e.backend.MoveLease(e.Key(), "a", 2000), "MoveLease");
  e.Finds(e.Key(), "{}", 1);
  const Result<HeadPage> page = e.backend.ListOwner(e.owner, std::nullopt, 10);
  e.Expect(e.Succeeds(page, "ListOwner") && page->heads.size() == 1, "a list shows leases");
  const Result<std::size_t> count = e.backend.CountActive(e.owner, kNoonSeconds, 100);
  e.Expect(e.Succeeds(count, "CountActive") && *count == 1, "CountActive counts leases");
  e.Succeeds(e.backend.Delete(e.Key()), "Delete");
  e.Succeeds(e.backend.MoveLease(e.Key(), "a", 3000), "MoveLease without a record");
}

void ARecordIsWrittenWithItsLeaseOrNeither(Examination& e) {
  const std::optional<StoredLease> lease = LeaseOf("b", 9000);
  e.FailsWith(e.backend.PutWithLease(e.Key(), Value("{}"), 1, lease), ErrorCode::kNotFound,
              "PutWithLease of a missing key");
  e.FailsWith(e.backend.MoveLease(e.Key(), "b", 9000), ErrorCode::kNotFound,
              "MoveLease after a PutWithLease that failed");
  e.Holds(e.backend.Put(e.Key(), Value("0")), 1, "Put");
  e.Succeeds(e.backend.TakeLease(e.Key(), LeaseOf("a", 1000), 500), "TakeLease");
  e.FailsWith(e.backend.PutWithLease(e.Key(), Value("1"), 7, std::nullopt), ErrorCode::kConflict,
              "PutWithLease of another version");
  e.Succeeds(e.backend.MoveLease(e.Key(), "a", 2000), "MoveLease after a conflict");
  e.Holds(e.backend.PutWithLease(e.Key(), Value("1"), 1, lease), 2, "PutWithLease");
  e.Finds(e.Key(), "1", 2);
  e.FailsWith(e.backend.MoveLease(e.Key(), "a", 9000), ErrorCode::kNotFound,
              "MoveLease of a lease that was replaced");
  e.Succeeds(e.backend.MoveLease(e.Key(), "b", 9000), "MoveLease of the lease that was written");
  e.Holds(e.backend.PutWithLease(e.Key(), Value("2"), 2, std::nullopt), 3, "PutWithLease of none");
  e.Finds(e.Key(), "2", 3);
  e.FailsWith(e.backend.MoveLease(e.Key(), "b", 9000), ErrorCode::kNotFound,
              "MoveLease of a lease that was removed");
}

void ARecordIsMadeWithTheChangeOfAnotherOrNeither(Examination& e) {
  const NewRecord made{
      .key = e.Key("made"), .value = Value("new"), .lease = LeaseOf("worker", 3000)};
  const StoredLease lease = LeaseOf("b", 9000);
  e.FailsWith(e.backend.PutWithNew(e.Key(), Value("1"), 1, lease, made), ErrorCode::kNotFound,
              "PutWithNew of a missing key");
  e.Holds(e.backend.Put(e.Key(), Value("0")), 1, "Put");
  e.FailsWith(e.backend.PutWithNew(e.Key(), Value("1"), 7, lease, made), ErrorCode::kConflict,
              "PutWithNew of another version");
  e.FailsWith(e.backend.Get(made.key), ErrorCode::kNotFound, "Get after a conflict");
  e.FailsWith(e.backend.MoveLease(made.key, "worker", 9000), ErrorCode::kNotFound,
              "MoveLease of what was not made");
  e.Holds(e.backend.PutWithNew(e.Key(), Value("1"), 1, lease, made), 2, "PutWithNew");
  e.Finds(e.Key(), "1", 2);
  e.Finds(made.key, "new", 1);
  e.Succeeds(e.backend.MoveLease(e.Key(), "b", 9000), "MoveLease of the record");
  e.Succeeds(e.backend.MoveLease(made.key, "worker", 9000), "MoveLease of what was made");
  e.FailsWith(e.backend.PutWithNew(e.Key(), Value("2"), 2, lease, made), ErrorCode::kAlreadyExists,
              "PutWithNew of a key that is there");
  e.Finds(e.Key(), "1", 2);
}

void ManyLeasesAreMovedAsOneIs(Examination& e) {
  std::vector<LeaseHolder> leases;
  for (const std::string task : {"a", "b", "c"}) {
    leases.push_back({.key = e.Key(task), .worker = "w"});
  }
  e.Succeeds(e.backend.TakeLease(leases[0].key, LeaseOf("w", 1000), 500), "TakeLease");
  e.Succeeds(e.backend.TakeLease(leases[1].key, LeaseOf("other", 1000), 500), "TakeLease");
  const Result<std::vector<bool>> held = e.backend.MoveLeases(leases, 5000);
  e.Expect(e.Succeeds(held, "MoveLeases") && *held == std::vector{true, false, false},
           "MoveLeases tells wrongly who holds what");
  e.FailsWith(e.backend.TakeLease(leases[0].key, LeaseOf("thief", 9000), 2000),
              ErrorCode::kAlreadyExists, "TakeLease of a lease that was moved with others");
  e.Succeeds(e.backend.TakeLease(leases[1].key, LeaseOf("thief", 9000), 2000),
             "TakeLease of a lease that was not the worker's");
}

void LapsedLeasesAreFoundOldestFirst(Examination& e) {
  const Result<BackendCapabilities> capabilities = e.backend.Capabilities();
  if (!e.Succeeds(capabilities, "Capabilities") || !capabilities->finds_lapsed_leases) {
    return;
  }
  const std::string group = "group-" + e.random.Uuid();
  const auto take = [&](const std::string& task, std::string of_group, std::int64_t until) {
    const StoredLease lease{.worker = "w", .group = std::move(of_group), .until_ms = until};
    e.Succeeds(e.backend.TakeLease(e.Key(task), lease, 0), "TakeLease");
  };
  const std::string longest(kTaskIdBytesMax, 't');
  take(longest, group, 2000);
  take("older", group, 500);
  take("held", group, 9000);
  take("foreign", group + "x", 1000);
  take("nobody's", "", 1000);
  take("removed", group, 1000);
  e.Succeeds(e.backend.MoveLease(e.Key("older"), "w", 1000), "MoveLease");
  e.Succeeds(e.backend.RemoveLease(e.Key("removed"), std::nullopt), "RemoveLease");
  const auto keys = e.backend.ListLapsed(group, 5000, 10);
  if (e.Succeeds(keys, "ListLapsed")) {
    e.Expect(*keys == std::vector{e.Key("older"), e.Key(longest)},
             "ListLapsed found " + std::to_string(keys->size()) + " others");
  }
  const auto one = e.backend.ListLapsed(group, 5000, 1);
  e.Expect(e.Succeeds(one, "ListLapsed") && *one == std::vector{e.Key("older")},
           "ListLapsed did not stop at its limit");
  const auto none = e.backend.ListLapsed("", 5000, 10);
  e.Expect(e.Succeeds(none, "ListLapsed") && none->empty(), "ListLapsed finds leases of no group");
}

void OneOfManyTakesTheLease(Examination& e) {
  std::atomic<int> taken = 0;
  {
    std::vector<std::jthread> workers;
    workers.reserve(8);
    for (int worker = 0; worker < 8; ++worker) {
      workers.emplace_back([&, worker] {
        const StoredLease lease = LeaseOf(std::to_string(worker), 1000);
        taken += e.backend.TakeLease(e.Key(), lease, 500).has_value() ? 1 : 0;
      });
    }
  }
  e.Expect(taken == 1, std::to_string(taken) + " workers took the same lease");
}

// Every writer adds one to a number under the key; none may be lost.
void ConcurrentWritersLoseNothing(Examination& e) {
  constexpr int kWriters = 8;
  constexpr int kAdditions = 25;
  e.Holds(e.backend.Put(e.Key(), Value("0")), 1, "Put");
  std::atomic<bool> broken = false;
  {
    std::vector<std::jthread> writers;
    writers.reserve(kWriters);
    for (int writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&] {
        for (int done = 0; done < kAdditions && !broken;) {
          const Result<VersionedRecord> read = e.backend.Get(e.Key());
          if (!read) {
            broken = true;
            return;
          }
          const auto next = Value(std::to_string(std::stoi(read->data) + 1));
          const auto written = e.backend.PutIfVersion(e.Key(), next, read->version);
          done += written ? 1 : 0;
          broken = broken || (!written && written.error().code != ErrorCode::kConflict);
        }
      });
    }
  }
  e.Expect(!broken, "a writer failed with something else than a conflict");
  e.Finds(e.Key(), std::to_string(kWriters * kAdditions), 1 + kWriters * kAdditions);
}

void ConcurrentPutsHaveVersionsOfTheirOwn(Examination& e) {
  constexpr std::size_t kWriters = 8;
  constexpr std::size_t kPuts = 10;
  std::vector<std::vector<std::uint64_t>> versions(kWriters);
  {
    std::vector<std::jthread> writers;
    writers.reserve(kWriters);
    for (std::size_t writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&, writer] {
        for (std::size_t put = 0; put < kPuts; ++put) {
          versions[writer].push_back(e.backend.Put(e.Key(), Value("{}")).value_or(0));
        }
      });
    }
  }
  std::vector<std::uint64_t> all;
  for (const auto& some : versions) {
    e.Expect(std::ranges::is_sorted(some), "one writer saw versions go back");
    all.insert(all.end(), some.begin(), some.end());
  }
  std::ranges::sort(all);
  e.Expect(
      all.front() == 1 && all.back() == all.size() && std::ranges::adjacent_find(all) == all.end(),
      "two Puts got the same version");
}

void OneOfManyCreatesTheKey(Examination& e) {
  std::atomic<int> created = 0;
  {
    std::vector<std::jthread> writers;
    writers.reserve(8);
    for (int writer = 0; writer < 8; ++writer) {
      writers.emplace_back(
          [&] { created += e.backend.PutIfAbsent(e.Key(), Value("{}")).has_value() ? 1 : 0; });
    }
  }
  e.Expect(created == 1, std::to_string(created) + " writers created the same key");
}

void LargeRecordsAreTaken(Examination& e) {
  const Result<BackendCapabilities> capabilities = e.backend.Capabilities();
  if (!e.Succeeds(capabilities, "Capabilities") ||
      !e.Expect(capabilities->record_bytes_max > 0, "no records may be stored")) {
    return;
  }
  const std::size_t bytes = std::min<std::size_t>(capabilities->record_bytes_max, 16 << 20) - 512;
  const std::string data(bytes, 'x');
  e.Holds(e.backend.PutIfAbsent(e.Key(), Value(data)), 1, "PutIfAbsent of a large record");
  e.Finds(e.Key(), data, 1);
}

ConformanceCase Case(std::string name, void (*examine)(Examination&)) {
  return {.name = std::move(name), .run = [examine](StorageBackend& backend, Random& random) {
            Examination examination(backend, random);
            examine(examination);
            return examination.failure;
          }};
}

}  // namespace

const std::vector<ConformanceCase>& BackendConformanceCases() {
  static const std::vector<ConformanceCase> cases = {
      Case("MissingKeysAreNotFound", MissingKeysAreNotFound),
      Case("PutCountsVersionsFromOne", PutCountsVersionsFromOne),
      Case("PutIfAbsentWritesOnce", PutIfAbsentWritesOnce),
      Case("PutIfVersionWritesWhenTheVersionFits", PutIfVersionWritesWhenTheVersionFits),
      Case("PutIfVersionTellsTheStoredVersion", PutIfVersionTellsTheStoredVersion),
      Case("PutIfVersionOfAMissingKeyIsNotFound", PutIfVersionOfAMissingKeyIsNotFound),
      Case("DeleteSaysWhetherSomethingWasThere", DeleteSaysWhetherSomethingWasThere),
      Case("HeadsFollowEveryWrite", HeadsFollowEveryWrite),
      Case("TextsThatAreNoUtf8AreRefused", TextsThatAreNoUtf8AreRefused),
      Case("KeysBeyondTheLimitsAreRefused", KeysBeyondTheLimitsAreRefused),
      Case("HostileOwnersAreKeptApart", HostileOwnersAreKeptApart),
      Case("ListsAreYoungestFirstInPages", ListsAreYoungestFirstInPages),
      Case("ListsSeeTheLastWrite", ListsSeeTheLastWrite),
      Case("OnlyActiveUnexpiredRecordsCount", OnlyActiveUnexpiredRecordsCount),
      Case("WritesReplaceAttributesWholly", WritesReplaceAttributesWholly),
      Case("ALeaseBelongsToOneWorkerUntilItLapses", ALeaseBelongsToOneWorkerUntilItLapses),
      Case("RemovedLeasesAreFree", RemovedLeasesAreFree),
      Case("LeasesStandBesideTheRecord", LeasesStandBesideTheRecord),
      Case("ARecordIsWrittenWithItsLeaseOrNeither", ARecordIsWrittenWithItsLeaseOrNeither),
      Case("ARecordIsMadeWithTheChangeOfAnotherOrNeither",
           ARecordIsMadeWithTheChangeOfAnotherOrNeither),
      Case("ManyLeasesAreMovedAsOneIs", ManyLeasesAreMovedAsOneIs),
      Case("LapsedLeasesAreFoundOldestFirst", LapsedLeasesAreFoundOldestFirst),
      Case("OneOfManyTakesTheLease", OneOfManyTakesTheLease),
      Case("ConcurrentWritersLoseNothing", ConcurrentWritersLoseNothing),
      Case("ConcurrentPutsHaveVersionsOfTheirOwn", ConcurrentPutsHaveVersionsOfTheirOwn),
      Case("OneOfManyCreatesTheKey", OneOfManyCreatesTheKey),
      Case("LargeRecordsAreTaken", LargeRecordsAreTaken),
  };
  return cases;
}

}  // namespace stator::tasks
