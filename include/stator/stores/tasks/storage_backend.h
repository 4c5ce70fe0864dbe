// StorageBackend: where task records live. A backend is a versioned map from (owner, task) to bytes
// and knows no rules of tasks; those stand once, in TaskStore. Third parties write their own and
// run the cases of backend_conformance.h on it.
//
// CONTRACT
//
//   (1) A key that is written first has version 1; every successful write adds one. After a delete
//       a key begins again at 1.
//   (2) A write replaces bytes and attributes wholly.
//   (3) PutIfVersion changes something only if the stored version is the expected one; of several
//       writers with the same expectation one succeeds.
//   (4) What a write has returned, every later read of any process sees.
//   (5) Owner and task are compared bytewise, and no owner ever sees a key of another.
//   (6) Data and head are UTF-8; a write of anything else fails with kValidation and changes
//       nothing.
//   (7) A lease stands beside the record, which may not even be there: taking, moving and removing
//       it costs the same whatever the record holds, and leaves its version alone.
//   (8) PutWithLease changes record and lease in one moment, or neither; PutWithNew also makes
//       another record with its lease in that moment.
//
// THREADS: every method may be called from many threads at once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::tasks {

struct RecordKey {
  std::string owner;
  std::string task;

  friend auto operator<=>(const RecordKey&, const RecordKey&) = default;
};

// The key as one string, for logs: "%", ":", "#" and control characters of both parts are
// percent-encoded, then the parts are joined by ":". Different keys have different texts.
std::string ToText(const RecordKey& key);
std::optional<RecordKey> ParseRecordKey(std::string_view text);

// DynamoDB's limits of keys, less the prefixes that the table has.
inline constexpr std::size_t kOwnerBytesMax = 2042;
inline constexpr std::size_t kTaskIdBytesMax = 1019;

// Empty when the key may be stored, else what is wrong with it.
std::string ProblemWith(const RecordKey& key);

// What a backend needs besides the bytes, so that listing and counting need not read them.
struct RecordAttributes {
  std::string head;        // the task without variables and result, small
  std::string status;      // as on the wire
  std::string created_at;  // sorts as text
  bool is_active = true;   // working or waiting for input
  std::optional<std::int64_t> expires_at_seconds = std::nullopt;  // since 1970, rounded up
  std::optional<std::string> result_blob = std::nullopt;  // the key of a result that is elsewhere

  friend bool operator==(const RecordAttributes&, const RecordAttributes&) = default;
};

struct StoredValue {
  std::string data;
  RecordAttributes attributes = {};
};

// Who holds the record, until when. Lapsed at a moment behind `until_ms`.
struct StoredLease {
  std::string worker;
  std::string group;                                              // empty: ListLapsed has none
  std::int64_t until_ms = 0;                                      // since 1970
  std::optional<std::int64_t> expires_at_seconds = std::nullopt;  // may be removed then

  friend bool operator==(const StoredLease&, const StoredLease&) = default;
};

// A lease, by who should hold it.
struct LeaseHolder {
  RecordKey key;
  std::string worker;
};

// A record that is made together with the change of another.
struct NewRecord {
  RecordKey key;
  StoredValue value;
  StoredLease lease;
};

struct VersionedRecord {
  std::string data;
  std::uint64_t version = 0;

  friend bool operator==(const VersionedRecord&, const VersionedRecord&) = default;
};

struct VersionedHead {
  RecordKey key;
  std::string head;
  std::string created_at;
  std::uint64_t version = 0;
};

// A place in the list of an owner: listing goes on strictly behind it.
struct ListPosition {
  std::string created_at;
  std::string task;
};

struct HeadPage {
  std::vector<VersionedHead> heads;
  bool more = false;
};

// What the errors of a backend carry. Of kConflict, and of kAlreadyExists where it is known:
struct VersionConflict final : ErrorDetail {
  VersionConflict(std::uint64_t wanted, std::uint64_t found) : expected(wanted), actual(found) {}

  std::uint64_t expected;
  std::uint64_t actual;
};

// Of failures: what the home of the records said, for the log. The message is for clients.
struct BackendCause final : ErrorDetail {
  explicit BackendCause(Error cause) : error(std::move(cause)) {}

  Error error;
};

// The errors that the contract speaks of. Their messages name the key and are for the log.
std::unexpected<Error> KeyNotFound(const RecordKey& key);
std::unexpected<Error> KeyExists(const RecordKey& key, std::uint64_t actual = 0);
std::unexpected<Error> OtherVersion(const RecordKey& key, std::uint64_t expected,
                                    std::uint64_t actual);

// What changes, for whoever wants to know when to look. Records may be named twice, late, or not at
// all, and then `missed` says so.
//
// THREADS: one at a time.
class ChangeFeed {
 public:
  struct Changes {
    std::vector<RecordKey> records;
    bool missed = false;
  };

  ChangeFeed() = default;
  ChangeFeed(const ChangeFeed&) = delete;
  ChangeFeed& operator=(const ChangeFeed&) = delete;
  virtual ~ChangeFeed() = default;

  // Since the last call.
  virtual Result<Changes> Poll() = 0;
};

struct BackendCapabilities {
  std::size_t record_bytes_max = 0;  // of data, head and key together
  bool removes_expired = false;      // on its own, some time after expires_at_seconds
  bool pages_in_order = true;        // ListOwner reads no more than it returns
  bool finds_lapsed_leases = true;
};

class StorageBackend {
 public:
  StorageBackend() = default;
  StorageBackend(const StorageBackend&) = delete;
  StorageBackend& operator=(const StorageBackend&) = delete;
  virtual ~StorageBackend() = default;

  // Fails with kNotFound.
  virtual Result<VersionedRecord> Get(const RecordKey& key) = 0;

  // The head alone, at a cost that does not depend on the size of the data. Fails with kNotFound.
  virtual Result<VersionedHead> GetHead(const RecordKey& key) = 0;

  // Writes whatever is there. Returns the new version.
  virtual Result<std::uint64_t> Put(const RecordKey& key, const StoredValue& value) = 0;

  // Fails with kAlreadyExists. Returns 1.
  virtual Result<std::uint64_t> PutIfAbsent(const RecordKey& key, const StoredValue& value) = 0;

  // Fails with kNotFound, or with kConflict and VersionConflict, which has the stored one. Returns
  // expected + 1.
  virtual Result<std::uint64_t> PutIfVersion(const RecordKey& key, const StoredValue& value,
                                             std::uint64_t expected) = 0;

  // PutIfVersion, and the lease becomes this one whoever held it, or there is none any more.
  virtual Result<std::uint64_t> PutWithLease(const RecordKey& key, const StoredValue& value,
                                             std::uint64_t expected,
                                             const std::optional<StoredLease>& lease) = 0;

  // PutWithLease, and `made` is there with its lease. Fails with kAlreadyExists when it was.
  virtual Result<std::uint64_t> PutWithNew(const RecordKey& key, const StoredValue& value,
                                           std::uint64_t expected, const StoredLease& lease,
                                           const NewRecord& made) = 0;

  // Whether there was something.
  virtual Result<bool> Delete(const RecordKey& key) = 0;

  // The owner's records, youngest first (created_at, then task, both descending), behind `after`,
  // at most `limit`. REQUIRES: limit > 0.
  virtual Result<HeadPage> ListOwner(std::string_view owner,
                                     const std::optional<ListPosition>& after,
                                     std::size_t limit) = 0;

  // How many records of the owner are active and do not expire before `now_seconds`, counting no
  // further than `enough`.
  virtual Result<std::size_t> CountActive(std::string_view owner, std::int64_t now_seconds,
                                          std::size_t enough) = 0;

  // Fails with kAlreadyExists while another worker holds a lease that has not lapsed at `now_ms`.
  virtual Result<void> TakeLease(const RecordKey& key, const StoredLease& lease,
                                 std::int64_t now_ms) = 0;

  // Gives the lease another end. Fails with kNotFound when this worker holds none.
  virtual Result<void> MoveLease(const RecordKey& key, std::string_view worker,
                                 std::int64_t until_ms) = 0;

  // MoveLease of many: for each whether its worker holds it. After a failure some may have another
  // end and some not. Here one by one; a backend that can do better should.
  virtual Result<std::vector<bool>> MoveLeases(const std::vector<LeaseHolder>& leases,
                                               std::int64_t until_ms);

  // Whoever holds it; with `lapsed_at_ms` only a lease that has lapsed then. Whether there was one.
  virtual Result<bool> RemoveLease(const RecordKey& key,
                                   std::optional<std::int64_t> lapsed_at_ms) = 0;

  // Keys of the leases of the group that have lapsed at `now_ms`, the oldest first. May miss what
  // was written a moment ago and may name what has changed since.
  virtual Result<std::vector<RecordKey>> ListLapsed(std::string_view lease_group,
                                                    std::int64_t now_ms, std::size_t limit) = 0;

  // Removes records and leases that expired before `now_seconds`; returns how many records. A
  // backend whose database does that on its own does nothing and returns 0.
  virtual Result<std::size_t> CleanupExpired(std::int64_t now_seconds) = 0;

  virtual Result<BackendCapabilities> Capabilities() = 0;

  // What processes change from now on, this one too. Null when the backend cannot tell. The backend
  // must outlive it.
  virtual Result<std::unique_ptr<ChangeFeed>> Follow() { return nullptr; }
};

}  // namespace stator::tasks
