// The bookkeeping of optimistic locking, as a matter of items and expressions alone. VersionedItems
// does the reading and writing; a store that has to compose its own requests uses this.
//
// FORMAT (attributes of the item; the names can be chosen)
//
//   rev            N  1 when the item is made, one more with every write. The lock: it is no
//                     clock, so two writes in one millisecond, or by machines that disagree
//                     about the time, cannot pass for one another.
//
//   write_id       S  16 random characters, another for every logical write, the same for every
//                     attempt of it. Together with rev it tells an item from a later one under the
//                     same key, and a write of mine whose answer was lost from a write of others.
//   recent_writes  L  The latest write ids, newest first, write_id included: the one at position n
//                     made revision rev - n. So a write can be recognised although others followed.
//   write_tokens   L  Write ids that were made of tokens (Idempotency), newest last: the write of an
//                     operation is recognised when it is done again, hours later and behind any
//                     number of other writes, until 32 other tokens have been used on the item.
//                     Absent unless tokens are used.
//   last_write     N  Milliseconds, for people; left out unless asked for. Never compared, unless
//                     RevisionRule says so.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/patterns/expression.h"
#include "stator/patterns/table_layout.h"
#include "stator/patterns/update.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

class UpdateText;

// Which state of an item somebody saw. 0 for an item that was never written with a revision.
struct Revision {
  std::uint64_t number = 0;
  std::string write_id = {};

  friend bool operator==(const Revision&, const Revision&) = default;
};

// An item as the database has it, and its revision. Its bookkeeping stays among its attributes,
// because taking it out of each costs a tenth of reading it; whoever writes an item need not care
// what it says there.
struct VersionedItem {
  Item item;
  Revision revision = {};

  friend bool operator==(const VersionedItem&, const VersionedItem&) = default;
};

struct VersioningNames {
  std::string revision = "rev";
  std::string write_id = "write_id";
  std::string recent_writes = "recent_writes";
  std::string tokens = "write_tokens";
  std::optional<std::string> last_write = std::nullopt;
};

// What the revision counts.
enum class RevisionRule : std::uint8_t {
  kCount,
  // The milliseconds of the latest write, and at least one more than before. For tables that are
  // shared with programs that lock by time and know of no count: it never decreases and never
  // repeats along a chain of writes made by this rule. Those of the others can, so the write id is
  // compared as well where there is one.
  kMilliseconds,
};

// Identifies one logical write.
struct WriteStamp {
  std::string write_id;
  TimePoint at;
  bool of_token = false;  // the same when the operation is repeated
};

// How many write ids of tokens an item keeps.
inline constexpr std::size_t kTokensKept = 32;

// 16 characters of 0-9A-Za-z-_, 96 random bits.
std::string MakeWriteId(Random& random);

// The id of the write to this item in the operation that the token names.
std::string MakeWriteId(std::string_view token, const TableLayout& table, const Item& key);

// What became of a write whose answer was lost.
enum class WriteFate : std::uint8_t {
  kApplied,
  kNotApplied,  // and never will be: its condition has become false for good
  kPending,     // the item is as it was: not applied so far
  kUnknown,     // too much has happened since
};

// Cheap to copy as a few strings are.
class Versioning {
 public:
  // `recent_writes_kept` 0 leaves that attribute out; then only the latest write can be recognised.
  explicit Versioning(TableLayout layout, VersioningNames names = {},
                      std::size_t recent_writes_kept = 4, RevisionRule rule = RevisionRule::kCount);

  [[nodiscard]] const TableLayout& layout() const { return layout_; }
  [[nodiscard]] const VersioningNames& names() const { return names_; }

  // What the bookkeeping of a stored item tells.
  [[nodiscard]] Revision RevisionOf(const Item& stored) const;
  [[nodiscard]] VersionedItem Read(Item stored) const;

  // The item without its bookkeeping.
  [[nodiscard]] Item ContentOf(const Item& stored) const;
  // Whether two items differ in nothing but their bookkeeping.
  [[nodiscard]] bool SameContent(const Item& left, const Item& right) const;

  // The item is still as it was seen.
  [[nodiscard]] Condition Unchanged(const Revision& seen) const;

  // The whole item to be stored, its first revision or the one after `before`.
  [[nodiscard]] Item Stamped(Item item, const VersionedItem* before, const WriteStamp& stamp) const;

  // The changes that make `after` of `before`, attribute by attribute, and the next revision. What
  // nobody changed is not written, so an attribute that is not locked (an expiry that somebody
  // renewed meanwhile) keeps its newer value.
  [[nodiscard]] Update Changes(const VersionedItem& before, const Item& after,
                               const WriteStamp& stamp) const;

  // What Changes says, written into a request at once.
  void WriteChanges(const VersionedItem& before, const Item& after, const WriteStamp& stamp,
                    UpdateText& text) const;

  // The next revision for an update that was made without reading the item; of one that is full of
  // tokens, `full`, and without the oldest of them.
  [[nodiscard]] Update BlindChanges(const WriteStamp& stamp,
                                    const VersionedItem* full = nullptr) const;

  // Whether the item shows that the write was done.
  [[nodiscard]] bool Carries(const Item& stored, const std::string& write_id) const;
  // The write of a token was not done yet, and its id can be added. Always, of other writes.
  [[nodiscard]] Condition MayTake(const WriteStamp& stamp) const;
  // An id can be added only when another one is let go, which takes the knowledge of the item.
  [[nodiscard]] bool IsFull(const Item& stored) const;

  // `current` is null when the item is gone.
  [[nodiscard]] WriteFate FateOf(const std::string& write_id, const Revision& seen,
                                 const VersionedItem* current) const;

 private:
  // What is stored beside the attributes of the item.
  enum class Part : std::uint8_t { kRevision, kWriteId, kRecentWrites, kLastWrite };

  template <class Changed>
  void ForEachChange(const VersionedItem& before, const Item& after, const WriteStamp& stamp,
                     Changed& changed) const;
  [[nodiscard]] const std::string& NameOf(Part part) const;
  [[nodiscard]] AttributeValue ValueOf(Part part, const VersionedItem* before,
                                       const WriteStamp& stamp) const;
  [[nodiscard]] List RecentWrites(const VersionedItem* before, const std::string& write_id) const;
  [[nodiscard]] static const List* FindList(const Item& stored, const std::string& name);
  [[nodiscard]] const List* FindRecentWrites(const Item& stored) const;
  // The tokens of the item with this write's; empty when there are none.
  [[nodiscard]] List Tokens(const VersionedItem* before, const WriteStamp& stamp) const;
  [[nodiscard]] bool IsBookkeeping(std::string_view name) const;
  [[nodiscard]] std::uint64_t NextRevision(const VersionedItem* before,
                                           const WriteStamp& stamp) const;

  TableLayout layout_;
  VersioningNames names_;
  std::size_t kept_;
  RevisionRule rule_;
  std::vector<Part> parts_;  // those that are written, sorted by name
  // A bit for the length of each name of the bookkeeping; most others have another.
  std::uint64_t lengths_ = 0;
};

}  // namespace stator::patterns
