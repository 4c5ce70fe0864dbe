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
#include <vector>

#include "stator/api/database.h"
#include "stator/base/clock.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/fire_and_forget.h"
#include "stator/patterns/live_items.h"
#include "stator/patterns/transaction.h"
#include "stator/patterns/unique_guards.h"
#include "stator/patterns/versioned_items.h"
#include "stator/stores/entities/entity_description.h"
#include "stator/stores/entities/migrations.h"
#include "stator/stores/entities/options.h"
#include "stator/stores/entities/repo_error.h"
#include "stator/stores/entities/versioned.h"
#include "stator/value/attribute_value.h"

namespace stator::entities::detail {

class ItemLayout;
class RecentWrites;

// What the untyped part has to know about T.
struct EntityCodec {
  // The fields as T writes them: two items are the same value of T exactly when these are equal.
  Result<Item> (*normalize)(const Item& fields) = nullptr;
  void (*carry_unknown)(const Item& from, Item& to) = nullptr;
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
  [[nodiscard]] Outcome<std::optional<EntityState>> Read(Item key, bool consistent) const;
  // The same into `state`, which is of no use unless there is one. Whether there is.
  [[nodiscard]] Outcome<bool> ReadInto(Item key, bool consistent, EntityState& state) const;
  [[nodiscard]] Outcome<std::vector<std::optional<EntityState>>> ReadMany(
      const std::vector<Item>& keys, bool consistent) const;
  [[nodiscard]] Outcome<std::vector<std::optional<EntityState>>> ReadTogether(
      const std::vector<Item>& keys) const;
  [[nodiscard]] Outcome<patterns::LivePage> QueryOnce(const std::string& index,
                                                      const patterns::LiveQuery& query) const;
  [[nodiscard]] Outcome<std::size_t> Count(const std::string& index,
                                           const patterns::LiveQuery& query) const;
  // An item as the database has it, to what it means.
  [[nodiscard]] Outcome<EntityState> Understand(Item item) const;

  // Writing. `fields` are those of a T.
  [[nodiscard]] Outcome<EntityState> Insert(Item fields, const WriteOptions& options) const;
  [[nodiscard]] Outcome<EntityState> Update(const EntityState& seen, const Item& fields,
                                            const UpdateOptions& options) const;
  // One attempt: somebody else's write is kConflict, whatever it was.
  [[nodiscard]] Outcome<EntityState> WriteOnce(
      const EntityState& seen, Item fields,
      const std::optional<patterns::Expiry>& expiry = std::nullopt) const;
  [[nodiscard]] Outcome<EntityState> Upsert(const Item& fields, const WriteOptions& options) const;
  [[nodiscard]] Outcome<EntityState> Patch(const Item& key, const patterns::Update& update,
                                           const patterns::Condition& condition) const;
  [[nodiscard]] Outcome<void> Remove(const EntityState& seen, const RemoveOptions& options) const;
  [[nodiscard]] Outcome<bool> RemoveUnchecked(const Item& key) const;
  [[nodiscard]] Outcome<void> Expire(const Item& key, const patterns::Revision* seen,
                                     const patterns::Expiry& at) const;
  [[nodiscard]] Outcome<void> Touch(const Item& key, const patterns::Expiry& expiry) const;
  // Stores what was read in an old shape in the new one, unless somebody else writes.
  [[nodiscard]] Outcome<EntityState> WriteBackOnce(const EntityState& state) const;

  // As parts of a transaction. The state is the one after it is committed.
  [[nodiscard]] Outcome<EntityState> InsertIn(patterns::Transaction& transaction, Item fields,
                                              const WriteOptions& options,
                                              const std::string& label) const;
  [[nodiscard]] Outcome<EntityState> UpdateIn(patterns::Transaction& transaction,
                                              const EntityState& seen, Item fields,
                                              const std::string& label) const;
  [[nodiscard]] Outcome<void> PatchIn(patterns::Transaction& transaction, const Item& key,
                                      const patterns::Update& update,
                                      const patterns::Condition& condition,
                                      const std::string& label) const;
  void RemoveIn(patterns::Transaction& transaction, const EntityState& seen,
                const std::string& label) const;
  void RequireIn(patterns::Transaction& transaction, const EntityState& seen,
                 const std::string& label) const;

  // Waits before the change is computed again; `waited` is what this call waits.
  void Pause(int attempt, const ChangeOptions& options, Duration& waited) const;

 private:
  EntityCore(Database& database, std::unique_ptr<const ItemLayout> layout,
             RepositoryOptions options, patterns::Environment environment);

  [[nodiscard]] Result<bool> ReadItem(Item key, bool consistent,
                                      patterns::VersionedItem& found) const;
  [[nodiscard]] bool HasUnique() const;
  [[nodiscard]] Outcome<void> CheckWritable(const EntityState& seen) const;
  [[nodiscard]] Outcome<EntityState> Finish(patterns::WriteResult<patterns::VersionedItem> written,
                                            std::uint64_t seen_rev, const Item& sent) const;
  [[nodiscard]] Failure ToFailure(patterns::WriteFailure failure, std::uint64_t seen_rev) const;
  [[nodiscard]] Failure ToFailure(const patterns::TransactionFailure& failure, FailureKind taken,
                                  std::uint64_t seen_rev) const;
  [[nodiscard]] std::optional<EntityState> CurrentOf(patterns::VersionedItem item) const;
  [[nodiscard]] Outcome<EntityState> Resolve(const EntityState& seen, const Item& fields,
                                             const UpdateOptions& options, Failure conflict) const;
  [[nodiscard]] Outcome<EntityState> UpsertByReading(const Item& key, const Item& fields,
                                                     const WriteOptions& options) const;
  [[nodiscard]] bool ChangesUnique(const Item& before, const Item& after) const;
  [[nodiscard]] patterns::Transaction MakeTransaction() const;
  [[nodiscard]] Outcome<EntityState> Commit(patterns::Transaction& transaction, EntityState after,
                                            FailureKind taken, std::uint64_t seen_rev) const;
  [[nodiscard]] Outcome<void> RemoveUnique(const EntityState& seen) const;
  [[nodiscard]] Outcome<std::vector<std::optional<EntityState>>> UnderstandAll(
      std::vector<std::optional<Item>> items) const;
  [[nodiscard]] Result<patterns::AccessPattern> PatternOf(const std::string& index) const;
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

}  // namespace stator::entities::detail
