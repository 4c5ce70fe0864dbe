// SessionStore: the state of workflows that take many steps, many workers and a while, on any
// Database.
//
//   const Result<SessionStore> store = SessionStore::Open(database, {.workflow = MediaWorkflow()});
//   const Result<Session> session = store->Claim(session_id, user);        // at every request
//   if (!session) { return Answer(HttpStatus(session.error().code)); }
//   const auto job = session->PutNew(SelectionJob{});
//   ...
//   const auto worker = store->AsWorker(session_id);                       // where no user asks
//   worker->CompleteItem("enhancement", job_id, photo, result);
//
// There is no way to a record but through a Session, and none to a Session but through Claim, which
// asks whose it is, or AsWorker, which says that nobody asked. session.h has the operations.
//
// THREADS: every method may be called from many threads, and from many processes on one table.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/blobs/blob_store.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/retry.h"
#include "stator/provision/table_spec.h"
#include "stator/stores/sessions/session.h"
#include "stator/stores/sessions/session_error.h"
#include "stator/stores/sessions/workflow.h"

namespace stator::sessions {

// What to do with a session that has no owner, as older systems left them.
enum class LegacySessions : std::uint8_t { kDeny, kAdopt };

struct SessionStoreOptions {
  Workflow workflow = {};
  std::string table = "sessions";
  LegacySessions legacy = LegacySessions::kDeny;
  // How long Claim may answer from memory that somebody owns a session; at most a minute.
  std::chrono::seconds ownership_cache{0};
  // Where a record with spill_lists begins to be cut into parts, and where on_large is called.
  std::size_t large_bytes = 300 * 1024;
  std::function<void(std::string_view sort_key, std::size_t bytes)> on_large = nullptr;
  // With more items than this they become items of the table rather than parts of their record.
  std::size_t map_items_max = 100;
  // Files that belong to sessions, in folders that begin with the id of the session. May be null.
  BlobStore* blobs = nullptr;
  patterns::RetryOptions retry = {};  // of changes that others overtake, and of failing requests
};

// A line of a list of sessions.
struct SessionLine {
  std::string id;
  std::string owner = {};
  std::string state = {};
  std::int64_t created_at = 0;  // seconds
  std::int64_t expires_at = 0;
};

class SessionStore {
 public:
  // `database` and the blobs must outlive the store and its sessions. Asks the database for nothing
  // yet. Fails with kValidation when an option is wrong.
  static Result<SessionStore> Open(Database& database, SessionStoreOptions options,
                                   patterns::Environment environment = {});

  // What the store needs in its database.
  static std::vector<provision::TableSpec> Tables(const SessionStoreOptions& options);

  [[nodiscard]] const Workflow& workflow() const;
  [[nodiscard]] const SessionStoreOptions& options() const;

  // The session of that id, which belongs to `owner` afterwards: made if there is none, or only a
  // dead one. One read when it is the owner's already, a write behind it otherwise. Fails with
  // kNotOwner.
  [[nodiscard]] Result<Session> Claim(std::string_view session, std::string_view owner) const;

  // The session whoever owns it: for workers and operators, never for what a user asks.
  [[nodiscard]] Result<Session> AsWorker(std::string_view session) const;

  // The living sessions, for operators: reads the whole table.
  [[nodiscard]] Result<std::vector<SessionLine>> ListSessions(std::size_t limit) const;

  // An id that nobody guesses; ids that are made later sort behind it.
  [[nodiscard]] std::string MakeSessionId() const;
  [[nodiscard]] std::string MakeRecordId(std::string_view kind) const;

 private:
  explicit SessionStore(std::shared_ptr<const SessionStoreCore> core) : core_(std::move(core)) {}

  std::shared_ptr<const SessionStoreCore> core_;
};

}  // namespace stator::sessions
