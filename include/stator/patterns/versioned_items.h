// Items that several writers change at the same time without losing each other's changes.
//
//   VersionedItems accounts(database, {.table_name = "accounts", .key_attributes = {"pk"}});
//   accounts.Insert({{"pk", "ann"}, {"balance", 0}});
//   const auto changed = accounts.Modify({{"pk", "ann"}}, [](Item& account) {
//     account["balance"] = ...;
//   });
//   if (!changed && changed.error().code == ErrorCode::kNotFound) { ... }
//
// Every write is conditional on the revision that was read (patterns/versioning.h). A write that
// failed its condition brings the item that was in its way, so no second read is needed; and if
// that item shows that the write had been done and only its answer was lost, it is a success. A
// write of which this cannot be told fails with kAmbiguous. It is never repeated then: better an
// error than a payment made twice.
//
// A write with an Idempotency::Token is done once however often its caller repeats it: an item that
// carries the id made of the token is the success of the first time, and the result is the item as
// it is now. Removing an item forgets what it carried.
//
// There is no Put. Say what you mean: Insert, Replace, Modify, Upsert.
//
// COST: Insert, Replace, Patch, Remove one request, Modify two; more when others interfere.
// THREADS: every method may be called from many threads at once.
// RETRIES: throttled and unanswered requests are repeated with the same write id.
// ERRORS: write_error.h.

#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/expression.h"
#include "stator/patterns/idempotency.h"
#include "stator/patterns/retry.h"
#include "stator/patterns/table_layout.h"
#include "stator/patterns/update.h"
#include "stator/patterns/versioning.h"
#include "stator/patterns/write_error.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

class Transaction;
struct UpdateAction;

enum class Verdict : std::uint8_t { kWrite, kLeave };

// What to do with an item: changes it in place. May run several times for one Modify, each time on
// a fresh copy, so it must do nothing else. Returns nothing, a Verdict, or Result<Verdict>.
class ItemChange {
 public:
  template <class Function>
    requires std::invocable<Function&, Item&>
  // NOLINTNEXTLINE(google-explicit-constructor): lambdas are passed as they are.
  ItemChange(Function function)
      : function_([change = std::move(function)](Item& item) mutable -> Result<Verdict> {
          if constexpr (std::is_void_v<std::invoke_result_t<Function&, Item&>>) {
            change(item);
            return Verdict::kWrite;
          } else {
            return change(item);
          }
        }) {}

  Result<Verdict> operator()(Item& item) const { return function_(item); }

 private:
  std::function<Result<Verdict>(Item&)> function_;
};

struct VersionedItemsOptions {
  VersioningNames names = {};
  std::size_t recent_writes_kept = 4;
  RevisionRule rule = RevisionRule::kCount;
  RetryOptions retry = {};  // of requests that got no answer or were throttled
};

struct ReadOptions {
  bool consistent_read = true;
  bool include_expired = false;
};

struct InsertOptions {
  Idempotency idempotency = Idempotency::None();
};

struct ReplaceOptions {
  // Whether to try once more when somebody wrote meanwhile and left the same content. Callers that
  // know better what counts as the same decide themselves.
  bool repeat_when_same = true;
  Idempotency idempotency = Idempotency::None();  // not of Remove
};

struct ModifyOptions {
  // What to start from when there is no item; without it that is kNotFound.
  std::optional<Item> initial = std::nullopt;
  // For how long the change is computed anew before a conflict is reported.
  RetryOptions retry = {};
  // The first read. An eventually consistent one costs half and is repaired by the conflict that it
  // may lead to.
  bool consistent_read = true;
  Idempotency idempotency = Idempotency::None();
};

struct PatchOptions {
  // The update may be sent again when its answer was lost, because its condition refuses it once it
  // has been done. Then a lost answer is never kAmbiguous for long: the repetition is refused, and
  // `current` shows why.
  bool repeatable = false;
  Idempotency idempotency = Idempotency::None();
};

class VersionedItems {
 public:
  using Options = VersionedItemsOptions;

  // `database` must outlive this object.
  VersionedItems(Database& database, TableLayout layout, Options options = {},
                 Environment environment = {});

  [[nodiscard]] const Versioning& versioning() const { return versioning_; }

  [[nodiscard]] Result<std::optional<VersionedItem>> Read(Item key,
                                                          const ReadOptions& options = {}) const;
  // The same into `found`, which is untouched when there is no such item. Whether there is.
  [[nodiscard]] Result<bool> ReadInto(Item key, const ReadOptions& options,
                                      VersionedItem& found) const;

  // Fails with kAlreadyExists when there is one; an expired one counts as none.
  [[nodiscard]] Result<VersionedItem> Insert(Item item, const InsertOptions& options = {}) const;

  // Stores a value that was computed from `seen`. When somebody else wrote meanwhile this is a
  // conflict, unless they left the same content: then it is tried once more.
  [[nodiscard]] Result<VersionedItem> Replace(const VersionedItem& seen, const Item& item,
                                              const ReplaceOptions& options = {}) const;

  // Reads, changes and writes, and does it again on what others left when they were faster. Writes
  // nothing when nothing changed. If others wrote behind this write before its answer was known,
  // the result is what they left.
  [[nodiscard]] Result<VersionedItem> Modify(const Item& key, const ItemChange& change,
                                             const ModifyOptions& options = {}) const;

  // Whatever was there. Still counted as a revision.
  [[nodiscard]] Result<VersionedItem> Upsert(Item item) const;

  // An update without reading: for counters and for attributes that others leave alone. The item
  // must exist, and `condition` hold, else kRefused. A lost answer that the item does not explain
  // is kAmbiguous.
  [[nodiscard]] Result<VersionedItem> Patch(const Item& key, const Update& update,
                                            const Condition& condition = {},
                                            const PatchOptions& options = {}) const;

  // Like Patch, of an item that may be there or not, in one request without a condition. Sent again
  // when its answer is lost, so `update` has to leave the same however often it is done: no Add, no
  // Append.
  [[nodiscard]] Result<VersionedItem> Overwrite(const Item& key, const Update& update) const;

  // Fails with kNotFound when there is none, with kConflict when it is not the one that was seen.
  [[nodiscard]] Result<void> Remove(const VersionedItem& seen,
                                    const ReplaceOptions& options = {}) const;

  // Whatever is there. Whether there was one.
  [[nodiscard]] Result<bool> RemoveUnchecked(const Item& key) const;

  // The same writes as parts of a transaction, under its token: the items carry ids made of it, so
  // that the transaction is recognised when it is built and committed again. What they return is
  // the item as it is when the transaction is committed.
  VersionedItem InsertIn(Transaction& transaction, Item item, std::string label = {}) const;
  VersionedItem ReplaceIn(Transaction& transaction, const VersionedItem& seen, Item item,
                          std::string label = {}) const;
  void PatchIn(Transaction& transaction, const Item& key, const Update& update,
               const Condition& condition = {}, std::string label = {}) const;
  void RemoveIn(Transaction& transaction, const VersionedItem& seen, std::string label = {}) const;
  void RequireIn(Transaction& transaction, const VersionedItem& seen, std::string label = {}) const;

 private:
  // What became of one logical write, perhaps sent several times.
  struct Sent {
    Result<Item> stored;
    bool maybe_done = false;  // an attempt got no answer
  };
  template <class Send>
  Sent SendUntilAnswered(Send&& send) const;

  [[nodiscard]] Result<std::optional<VersionedItem>> FirstRead(const Item& key,
                                                               const ModifyOptions& options) const;
  [[nodiscard]] WriteStamp MakeStamp() const;
  [[nodiscard]] WriteStamp MakeStamp(const Idempotency& idempotency, const Item& key) const;
  [[nodiscard]] static Result<void> CheckIdempotency(const Idempotency& idempotency);
  [[nodiscard]] Result<VersionedItem> PatchOnce(const Item& key, const Update& update,
                                                const Condition& condition, bool repeatable,
                                                const WriteStamp& stamp,
                                                const VersionedItem* full) const;
  // The condition and the changes of a patch.
  [[nodiscard]] Condition PatchCondition(const Condition& condition, const WriteStamp& stamp,
                                         const VersionedItem* full) const;
  [[nodiscard]] Update PatchChanges(const Update& update, const WriteStamp& stamp,
                                    const VersionedItem* full) const;
  void Recognise(Transaction& transaction, const WriteStamp& stamp,
                 std::function<std::optional<UpdateAction>(const Item&)> otherwise = {}) const;
  [[nodiscard]] std::optional<VersionedItem> CurrentIn(const Error& error) const;
  [[nodiscard]] Result<VersionedItem> WriteOver(const VersionedItem& seen, const Item& item,
                                                const Idempotency& idempotency) const;
  [[nodiscard]] Sent PutOver(const VersionedItem& seen, const Item& item,
                             const WriteStamp& stamp) const;
  [[nodiscard]] Result<VersionedItem> Explain(Sent sent, const WriteStamp& stamp,
                                              const Revision& seen) const;
  [[nodiscard]] Result<VersionedItem> ExplainPatch(const Item& key, Sent sent,
                                                   const WriteStamp& stamp) const;
  [[nodiscard]] Result<void> CheckKey(const VersionedItem& seen, const Item& item) const;
  [[nodiscard]] static Result<void> CheckSize(const Item& stored);
  [[nodiscard]] bool IsGone(const Item& current) const;

  Database* database_;
  Versioning versioning_;
  Options options_;
  Environment environment_;
};

}  // namespace stator::patterns
