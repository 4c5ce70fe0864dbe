// Where projections keep their state between runs: state and position in one conditional write.
//
// LIFE: nothing -> active (generation 0, revision 1); each save counts the revision; Invalidate
// makes a tombstone of the next generation, which a save cannot revive, only CommitRebuilt. Every
// step names the step before it, so of several who try the same step one succeeds.
//
// State is compressed, and in the item as bytes if the item is then within the threshold, else in
// the blob store. Without a blob store, items may grow to DynamoDB's limit.
// ERRORS: kConditionFailed with CheckpointRejected when somebody else was faster; kAmbiguous when
// the write may have happened and reading back did not tell.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/blobs/blob_store.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/parked_event.h"
#include "stator/value/attribute_value.h"

namespace stator::events {

// Which step of a checkpoint's life. The default is that there is none.
struct CheckpointToken {
  std::uint64_t generation = 0;
  std::uint64_t revision = 0;
  bool tombstoned = false;
  bool exists = false;

  friend bool operator==(const CheckpointToken&, const CheckpointToken&) = default;
};

struct Checkpoint {
  std::string projector;
  std::string version;
  Cursor cursor;
  std::uint64_t events = 0;
  std::string state = {};
  CheckpointToken token = {};
  // Up to where nothing can come late; by default the cursor.
  SortableId safe_up_to = {};
};

// Of kConditionFailed: what is there instead.
struct CheckpointRejected : ErrorDetail {
  CheckpointToken current;
};

struct CheckpointInfo {
  std::string projector;
  std::string version;
  SortableId last;
  std::uint64_t events = 0;
  std::uint64_t state_bytes = 0;
  std::uint64_t stored_bytes = 0;
  bool offloaded = false;
  std::string updated_at;
};

// THREADS: every method may be called from many threads.
class CheckpointStore {
 public:
  // Both must outlive it; `blobs` may be null.
  explicit CheckpointStore(EventStore& store, BlobStore* blobs = nullptr)
      : store_(&store), blobs_(blobs) {}

  // Also a tombstone. Rows of other writers that have no generation are of generation 0.
  Result<std::optional<Checkpoint>> Find(const std::string& projector, const std::string& version);

  // The next revision after checkpoint.token, which must be active or not exist.
  Result<CheckpointToken> Save(const Checkpoint& checkpoint);
  Result<CheckpointToken> Invalidate(const std::string& projector, const std::string& version,
                                     const CheckpointToken& token);
  // checkpoint.token must be a tombstone.
  Result<CheckpointToken> CommitRebuilt(const Checkpoint& checkpoint);

  // A state that was made anew beside an active one, in its place and of the next generation, so that
  // whoever still has the old one gives it up.
  Result<CheckpointToken> Replace(const Checkpoint& checkpoint);

  // Events that a projection leaves out, because it cannot apply them.
  Result<void> Park(const std::string& projector, const std::string& version,
                    const ParkedEvent& event);
  // By position.
  Result<std::vector<ParkedEvent>> ListParked(const std::string& projector,
                                              const std::string& version);
  // Fails with kNotFound when it is not parked.
  Result<void> DropParked(const std::string& projector, const std::string& version,
                          std::uint64_t position);

  // Whether there was one. Its blob goes, too.
  Result<bool> Remove(const std::string& projector, const std::string& version);
  // Of one projector.
  Result<std::vector<CheckpointInfo>> List(const std::string& projector);

  // Removes blobs that no checkpoint of the projector names, left behind by writers that died, and
  // says how many. Those that are younger than `age` may belong to a save that is under way.
  Result<std::size_t> SweepBlobs(const std::string& projector,
                                 Duration age = std::chrono::hours(1));

 private:
  enum class Step : std::uint8_t { kSave, kCommitRebuilt, kReplace };
  Result<CheckpointToken> Write(const Checkpoint& checkpoint, Step step);
  Result<CheckpointToken> Settle(Error error, const Item& written, const CheckpointToken& next);
  Result<std::optional<Item>> ReadItem(const std::string& projector, const std::string& version);
  Result<Item> Encode(const Checkpoint& checkpoint, const CheckpointToken& next);
  Result<Checkpoint> Decode(const std::string& projector, const std::string& version,
                            const Item& item);

  EventStore* store_;
  BlobStore* blobs_;
};

}  // namespace stator::events
