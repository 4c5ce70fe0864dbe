// What repositories do, before it is known what T is: Repository<T> turns values into fields and
// back, and everything else happens here, once for all entities.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/clock.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/live_items.h"
#include "stator/patterns/transaction.h"
#include "stator/patterns/unique_guards.h"
#include "stator/patterns/versioned_items.h"
#include "stator/stores/entities/entity_description.h"
#include "stator/stores/entities/entity_error.h"
#include "stator/stores/entities/migrations.h"
#include "stator/stores/entities/options.h"
#include "stator/stores/entities/versioned.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {
class FireAndForget;  // fire_and_forget.h brings threads, which few programs need here
}

namespace stator::entities::detail {

class ItemLayout;
class RecentWrites;

// What the untyped part has to know about T.
struct EntityCodec {
  // The fields as T writes them: two items are the same value of T exactly when these are equal.
  Result<Item> (*normalize)(const Item& fields) = nullptr;
  void (*carry_unknown)(const Item& from, Item& to) = nullptr;
};

// What a write does to the expiry that an item has beside its fields.
struct ExpiryChange {
  bool keeps = true;                                      // as it is
  std::optional<patterns::Expiry> expiry = std::nullopt;  // otherwise this, or never

  static ExpiryChange To(const std::optional<patterns::Expiry>& expiry) {
    return {.keeps = !expiry.has_value(), .expiry = expiry};
  }
};

class EntityCore {
 public:
  // Fails with kValidation when the entity's versions have gaps.
  static Result<std::shared_ptr<const EntityCore>> Make(
      Database& database, EntityDescription entity, Migrations migrations, const EntityCodec& codec,
      RepositoryOptions options, patterns::Environment environment);
  ~EntityCore();
  EntityCore(const EntityCore&) = delete;
  EntityCore& operator=(const EntityCore&) = delete;

  [[nodiscard]] const EntityDescription& entity() const;
  [[nodiscard]] const patterns::TableLayout& table() const;
  [[nodiscard]] const RepositoryOptions& options() const { return options_; }
  [[nodiscard]] const patterns::Environment& environment() const { return environment_; }
  [[nodiscard]] Database& database() const { return *database_; }
  [[nodiscard]] RepositoryCounts counts() const;

  // Reading.
  [[nodiscard]] Result<std::optional<EntityState>> Read(Item key, bool consistent) const;
  // The same into `state`, which is of no use unless there is one. Whether there is.
  [[nodiscard]] Result<bool> ReadInto(Item key, bool consistent, EntityState& state) const;
  [[nodiscard]] Result<std::vector<std::optional<EntityState>>> ReadMany(
      const std::vector<Item>& keys, bool consistent) const;
  [[nodiscard]] Result<std::vector<std::optional<EntityState>>> ReadTogether(
      const std::vector<Item>& keys) const;
  // The query that its typed parts make, or the first thing that is wrong with them.
  [[nodiscard]] Result<patterns::LiveQuery> MakeQuery(
      std::string_view index, const Result<AttributeValue>& partition,
      const Result<patterns::Condition>& sort, const std::optional<Error>& wrong_filter,
      patterns::LiveQuery query, const std::optional<std::string>& start_after) const;
  // Where the page after `next` begins, as callers get to see it.
  [[nodiscard]] std::string CursorOf(const std::string& index, const AttributeValue& partition,
                                     const Item& next) const;
  // `completes`: with the items as the table has them, whatever the index projects; those that have
  // left this part of the index since are left out.
  [[nodiscard]] Result<patterns::LivePage> QueryOnce(const std::string& index,
                                                     const patterns::LiveQuery& query,
                                                     bool completes = false) const;
  [[nodiscard]] Result<std::size_t> Count(const std::string& index,
                                          const patterns::LiveQuery& query) const;
  // Without leaving out what belongs to other entities of the table.
  [[nodiscard]] Result<patterns::LivePage> QueryAll(const std::string& index,
                                                    const patterns::LiveQuery& query) const;
  // Whether an item is one of this entity, by its key. Guards of unique values and checkpoints are
  // not, nor are items of other entities that share the table.
  [[nodiscard]] bool IsOurs(const Item& item) const;
  // An item as the database has it, to what it means.
  [[nodiscard]] Result<EntityState> StateOf(Item item) const;

  // Writing. `fields` are those of a T.
  [[nodiscard]] Result<EntityState> Insert(Item fields, const WriteOptions& options) const;
  [[nodiscard]] Result<EntityState> Update(const EntityState& seen, const Item& fields,
                                           const UpdateOptions& options) const;
  // One attempt: somebody else's write is kConflict, whatever it was.
  [[nodiscard]] Result<EntityState> WriteOnce(
      const EntityState& seen, Item fields, const ExpiryChange& expiry = {},
      const patterns::Idempotency& idempotency = patterns::Idempotency::None()) const;
  // Whether the entity shows that the operation of this token was done to it.
  [[nodiscard]] bool WasDone(const EntityState& state,
                             const patterns::Idempotency& idempotency) const;
  [[nodiscard]] Result<EntityState> Upsert(const Item& fields, const WriteOptions& options) const;
  [[nodiscard]] Result<EntityState> Patch(const Item& key, const patterns::Update& update,
                                          const patterns::Condition& condition,
                                          const PatchOptions& options) const;
  [[nodiscard]] Result<void> Remove(const EntityState& seen, const RemoveOptions& options) const;
  [[nodiscard]] Result<bool> RemoveUnchecked(const Item& key) const;
  [[nodiscard]] Result<void> Expire(const Item& key, const patterns::Revision* seen,
                                    const patterns::Expiry& at) const;
  [[nodiscard]] Result<void> Touch(const Item& key, const patterns::Expiry& expiry) const;
  // Stores what was read in an old shape in the new one, unless somebody else writes.
  [[nodiscard]] Result<EntityState> WriteBackOnce(const EntityState& state) const;
  // Writes what the item of `state`, in the shape of today, lacks of what the entity declares today:
  // keys of indexes, guards, and a life if `begins_life`. Whether it lacked something. Fails with
  // kConflict when somebody else writes, kNotUnique when another entity has one of its values.
  [[nodiscard]] Result<bool> CompleteOnce(const EntityState& state, bool begins_life,
                                          bool dry_run) const;

  // As parts of a transaction. The state is the one after it is committed.
  [[nodiscard]] Result<EntityState> InsertIn(patterns::Transaction& transaction, Item fields,
                                             const WriteOptions& options,
                                             const std::string& label) const;
  [[nodiscard]] Result<EntityState> UpdateIn(patterns::Transaction& transaction,
                                             const EntityState& seen, Item fields,
                                             const std::string& label) const;
  [[nodiscard]] Result<void> PatchIn(patterns::Transaction& transaction, const Item& key,
                                     const patterns::Update& update,
                                     const patterns::Condition& condition,
                                     const std::string& label) const;
  void RemoveIn(patterns::Transaction& transaction, const EntityState& seen,
                const std::string& label) const;
  void RequireIn(patterns::Transaction& transaction, const EntityState& seen,
                 const std::string& label) const;

 private:
  EntityCore(Database& database, std::unique_ptr<const ItemLayout> layout,
             RepositoryOptions options, patterns::Environment environment);

  [[nodiscard]] Result<bool> ReadItem(Item key, bool consistent,
                                      patterns::VersionedItem& found) const;
  [[nodiscard]] bool HasUnique() const;
  [[nodiscard]] Result<void> CheckWritable(const EntityState& seen) const;
  [[nodiscard]] Result<EntityState> Finish(Result<patterns::VersionedItem> written,
                                           std::uint64_t seen_rev, const Item& sent) const;
  // What the patterns say, as callers of a repository see it.
  [[nodiscard]] Error FromRead(Error error) const;
  [[nodiscard]] Error FromWrite(const Error& error, std::uint64_t seen_rev) const;
  // `taken`: what it is when the entity was in the way.
  [[nodiscard]] Error FromTransaction(const Error& error, ErrorCode taken,
                                      std::uint64_t seen_rev) const;
  [[nodiscard]] EntityFacts FactsAbout(ErrorCode code, std::uint64_t seen_rev) const;
  [[nodiscard]] std::optional<EntityState> CurrentOf(patterns::VersionedItem item) const;
  [[nodiscard]] Result<EntityState> Resolve(const EntityState& seen, const Item& fields,
                                            const UpdateOptions& options,
                                            const Error& conflict) const;
  [[nodiscard]] Result<EntityState> UpsertByReading(const Item& key, const Item& fields,
                                                    const WriteOptions& options) const;
  [[nodiscard]] bool ChangesUnique(const Item& before, const Item& after) const;
  // Of one entity with unique fields.
  [[nodiscard]] patterns::Transaction MakeTransaction(
      const patterns::Idempotency& idempotency = patterns::Idempotency::None()) const;
  [[nodiscard]] Result<EntityState> Commit(patterns::Transaction& transaction, EntityState after,
                                           ErrorCode taken, std::uint64_t seen_rev) const;
  [[nodiscard]] Result<void> RemoveUnique(const EntityState& seen) const;
  [[nodiscard]] Result<bool> WriteGuards(const EntityState& seen, bool dry_run) const;
  [[nodiscard]] Result<std::vector<std::optional<EntityState>>> StatesOf(
      std::vector<std::optional<Item>> items) const;
  [[nodiscard]] Result<patterns::AccessPattern> PatternOf(const std::string& index) const;
  [[nodiscard]] std::string ScopeOf(std::string_view index, const AttributeValue& partition) const;
  [[nodiscard]] Result<void> Complete(const std::string& index, std::vector<Item>& items) const;
  void Note(const patterns::VersionedItem& written) const;
  void NoteRemoved(const Item& key) const;

  Database* database_;
  std::unique_ptr<const ItemLayout> layout_;
  RepositoryOptions options_;
  patterns::Environment environment_;
  patterns::VersionedItems items_;
  patterns::LiveItems live_;
  patterns::BatchReader batch_;
  std::optional<patterns::UniqueGuards> guards_;
  std::unique_ptr<RecentWrites> recent_;  // null unless read_your_writes

  // Provide their own synchronisation.
  mutable std::atomic<std::uint64_t> writes_ = 0;
  mutable std::atomic<std::uint64_t> conflicts_ = 0;
  mutable std::atomic<std::uint64_t> strong_reads_ = 0;
  mutable std::atomic<std::uint64_t> migrated_reads_ = 0;
  mutable std::atomic<std::uint64_t> written_back_ = 0;
  mutable std::atomic<std::uint64_t> clock_ahead_ = 0;
};

// Touch when there is time.
void TouchInBackground(std::shared_ptr<const EntityCore> core, patterns::FireAndForget& background,
                       const Item& key, const patterns::Expiry& expiry);

}  // namespace stator::entities::detail
