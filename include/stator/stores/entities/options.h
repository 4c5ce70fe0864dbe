// How a repository does its work, beyond what the entity's traits say.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "stator/base/clock.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/idempotency.h"
#include "stator/patterns/retry.h"
#include "stator/patterns/table_layout.h"

namespace stator::entities {

// When an item that was read in an old shape is stored in the new one.
enum class WriteBack : std::uint8_t {
  kOnNextWrite,
  kOnRead,  // best effort, at the price of a write; whoever is faster wins
  kNever,   // by nobody here: writing an item in an old shape is refused
};

struct RepositoryOptions {
  std::string table_name = {};  // empty: the entity's name
  WriteBack write_back = WriteBack::kOnNextWrite;
  // How long a program sees its own writes in eventually consistent reads, too: an answer that is
  // older than what was written is asked for again. Zero: it does not.
  Duration read_your_writes = Duration::zero();
  std::size_t remembered_writes_max = 10'000;
  // Where values that must be unique are kept; by default among the entities.
  std::optional<patterns::TableLayout> guard_table = std::nullopt;
  // How many of the latest write ids an item keeps. Without any, a write whose answer was lost and
  // that others wrote behind is reported as ambiguous.
  std::size_t write_ids_kept = 4;
  patterns::RetryOptions retry = {};  // of requests that got no answer or were throttled
  // Runs every change function twice and refuses one whose results differ: it must depend on
  // nothing but the value.
#ifdef NDEBUG
  bool run_changes_twice = false;
#else
  bool run_changes_twice = true;
#endif
};

// Of a new entity, and of one that Upsert writes over another; if its expiry is no field.
struct WriteOptions {
  // When the item expires. Absent: EntityTraits::kLife from now.
  std::optional<patterns::Expiry> expiry = std::nullopt;
  // Never, whatever kLife says.
  bool forever = false;
  // Done once, however often the caller repeats it with the same token: an entity that shows the
  // token is the success of the first time.
  patterns::Idempotency idempotency = patterns::Idempotency::None();
};

// What Update does when somebody else changed the item meanwhile.
enum class MergePolicy : std::uint8_t {
  kNone,            // a conflict
  kDisjointFields,  // both changes, if they are of different fields
};

struct UpdateOptions {
  MergePolicy merge = MergePolicy::kNone;
  // When the item expires from now on. Absent: as before.
  std::optional<patterns::Expiry> expiry = std::nullopt;
  // Done once, however often the caller repeats it with the same token: an entity that shows the
  // token is the success of the first time.
  patterns::Idempotency idempotency = patterns::Idempotency::None();
};

struct PatchOptions {
  // Done once, however often the caller repeats it with the same token: an entity that shows the
  // token is the success of the first time.
  patterns::Idempotency idempotency = patterns::Idempotency::None();
};

struct ChangeOptions {
  // For how long the change is computed anew before a conflict is reported.
  patterns::RetryOptions retry = {};
  // The first read. An eventually consistent one costs half and is repaired by the conflict that it
  // leads to.
  bool consistent_read = false;
  // Done once, however often the caller repeats it with the same token: an entity that shows the
  // token is the success of the first time.
  patterns::Idempotency idempotency = patterns::Idempotency::None();
};

// A removed entity shows no token: a repeated removal is asked to be idempotent.
struct RemoveOptions {
  bool idempotent = false;  // removing what is not there is a success
};

struct ReadManyOptions {
  bool consistent_read = false;
};

// Since the repository was made, over all its copies.
struct RepositoryCounts {
  std::uint64_t writes = 0;
  std::uint64_t conflicts = 0;     // failed conditions, also those that a repetition repaired
  std::uint64_t strong_reads = 0;  // that read_your_writes asked for
  std::uint64_t migrated_reads = 0;
  std::uint64_t written_back = 0;  // by WriteBack::kOnRead
  // Lock::kLastWrite: items whose latest write lies more than five seconds ahead of this clock.
  std::uint64_t clock_ahead = 0;

  [[nodiscard]] double conflicts_per_write() const {
    return writes == 0 ? 0.0 : static_cast<double>(conflicts) / static_cast<double>(writes);
  }
};

}  // namespace stator::entities
