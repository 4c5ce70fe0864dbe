// The entities of one type in a table, changed by many at the same time without lost updates.
//
//   using Accounts = Repository<Account, Verbs::kRead | Verbs::kInsert | Verbs::kModify>;
//   const Result<Accounts> accounts = Accounts::Open(database);
//
//   accounts->Insert({.id = "a1", .email = "ann@example.org"});
//   const auto changed = accounts->Modify({"a1"}, [](Account& account) { account.balance += 5; });
//   if (!changed) { return HttpStatus(changed.error().code); }         // 404, 409, ...
//
// A verb that the type does not declare does not compile (verbs.h). What an entity is, its traits
// say (entity_traits.h); why something was not done, its error (entity_error.h).
//
// Every write but Upsert and RemoveUnchecked is conditional on what was seen: on the revision and
// on the random id of the write that made it, never on a clock. A write whose answer was lost is
// recognised in the item when it is sent again; where that cannot be told, the result is
// kAmbiguous, and nothing is done twice. A caller that is itself repeated (a handler of messages)
// gives its writes an Idempotency::Token: then the repetition, hours later or in another process,
// succeeds and does nothing.
//
// COST: a copy of a repository is cheap. Read, Insert, Update, Patch, Upsert, Remove, Touch and
// Expire are one request, Modify two; more when others interfere. With unique fields, writes that
// concern them are transactions.
// THREADS: every method may be called from many threads at once.
// RETRIES: throttled and unanswered requests are repeated with the same write id.

#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/mapping/mapping.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/transaction.h"
#include "stator/patterns/update.h"
#include "stator/patterns/versioned_items.h"
#include "stator/stores/entities/detail/change_run.h"
#include "stator/stores/entities/detail/entity_core.h"
#include "stator/stores/entities/detail/typed.h"
#include "stator/stores/entities/entity_error.h"
#include "stator/stores/entities/entity_key.h"
#include "stator/stores/entities/entity_traits.h"
#include "stator/stores/entities/fields.h"
#include "stator/stores/entities/options.h"
#include "stator/stores/entities/query.h"
#include "stator/stores/entities/verbs.h"
#include "stator/stores/entities/versioned.h"

namespace stator::entities {

namespace detail {

// For what works on a repository's items beside its verbs (maintenance.h).
class CoreAccess {
 public:
  template <class Repository>
  static const std::shared_ptr<const EntityCore>& Of(const Repository& repository) {
    return repository.core_;
  }
};

}  // namespace detail

template <Entity T, Verbs kVerbs, IndexName... kIndexes>
class Repository {
  static_assert(detail::CheckEntity<T>());
  static_assert((detail::HasIndex<T>(kIndexes.view()) && ...),
                "stator: a repository queries an index that its entity does not declare");

  template <Verbs kVerb>
  static constexpr bool kDeclares = Declares(kVerbs, kVerb);

 public:
  using Entity = T;
  using Value = Versioned<T>;
  // `database` must outlive the repository and its copies. Fails with kValidation when a migration
  // step is missing, or unique fields have no place for their guards.
  static Result<Repository> Open(Database& database, RepositoryOptions options = {},
                                 patterns::Environment environment = {}) {
    auto core =
        detail::EntityCore::Make(database, entities::Describe<T>(), detail::MigrationsOf<T>(),
                                 detail::kCodecOf<T>, std::move(options), environment);
    if (!core) {
      return std::unexpected(std::move(core).error());
    }
    return Repository(*std::move(core));
  }

  // For its policy. `options` are those that it is opened with.
  static RepositoryDescription Describe(const RepositoryOptions& options = {}) {
    return {.entity = entities::Describe<T>(),
            .verbs = kVerbs,
            .indexes = {std::string(kIndexes.view())...},
            .writes_on_read = options.write_back == WriteBack::kOnRead};
  }

  [[nodiscard]] const patterns::TableLayout& table() const { return core_->table(); }
  [[nodiscard]] RepositoryCounts counts() const { return core_->counts(); }
  // Reading. What has expired is not there.

  [[nodiscard]] Result<std::optional<Value>> Read(EntityKey<T> key) const
    requires kDeclares<Verbs::kRead>
  {
    return ReadKey(std::move(key), false);
  }
  [[nodiscard]] Result<std::optional<Value>> ReadStrong(EntityKey<T> key) const
    requires kDeclares<Verbs::kRead>
  {
    return ReadKey(std::move(key), true);
  }
  [[nodiscard]] Result<bool> Exists(EntityKey<T> key) const
    requires kDeclares<Verbs::kRead>
  {
    Result<std::optional<Value>> read = ReadKey(std::move(key), true);
    if (!read) {
      return std::unexpected(std::move(read).error());
    }
    return read->has_value();
  }

  // As many as you like, in the order of the keys; a key that occurs twice is read once.
  [[nodiscard]] Result<std::vector<std::optional<Value>>> ReadMany(
      const std::vector<EntityKey<T>>& keys, const ReadManyOptions& options = {}) const
    requires kDeclares<Verbs::kReadMany>
  {
    return ReadKeys(keys, [&](const std::vector<Item>& items) {
      return core_->ReadMany(items, options.consistent_read);
    });
  }
  // At most 100, as of one moment.
  [[nodiscard]] Result<std::vector<std::optional<Value>>> ReadTogether(
      const std::vector<EntityKey<T>>& keys) const
    requires kDeclares<Verbs::kReadTogether>
  {
    return ReadKeys(keys,
                    [&](const std::vector<Item>& items) { return core_->ReadTogether(items); });
  }

  [[nodiscard]] EntityRange<T> Query(const Partition<T>& partition,
                                     const EntityQuery<T>& query = {}) const
    requires kDeclares<Verbs::kQuery>
  {
    return {core_, "", detail::ToLiveQuery(*core_, partition, query)};
  }
  template <IndexName kIndex>
    requires(kDeclares<Verbs::kQuery> && ((kIndexes.view() == kIndex.view()) || ...))
  [[nodiscard]] EntityRange<T> QueryIndex(const Partition<T, kIndex>& partition,
                                          const EntityQuery<T, kIndex>& query = {}) const {
    CheckProjection<kIndex>();
    return {core_, kIndex.view(), detail::ToLiveQuery(*core_, partition, query)};
  }
  // The same of any index, whatever it projects: each page is read from the table, consistently.
  // What has changed its place in the index since is left out. A filter sees only what the index
  // projects.
  template <IndexName kIndex>
    requires(kDeclares<Verbs::kQuery | Verbs::kReadMany> &&
             ((kIndexes.view() == kIndex.view()) || ...))
  [[nodiscard]] EntityRange<T> QueryIndexAndRead(const Partition<T, kIndex>& partition,
                                                 const EntityQuery<T, kIndex>& query = {}) const {
    return {core_, kIndex.view(), detail::ToLiveQuery(*core_, partition, query), true};
  }
  // What one request brings, and where to go on: for answers that are given page by page.
  [[nodiscard]] Result<EntityPage<T>> QueryPage(const Partition<T>& partition,
                                                const EntityQuery<T>& query = {}) const
    requires kDeclares<Verbs::kQuery>
  {
    return PageOf("", detail::ToLiveQuery(*core_, partition, query), false);
  }
  template <IndexName kIndex>
    requires(kDeclares<Verbs::kQuery> && ((kIndexes.view() == kIndex.view()) || ...))
  [[nodiscard]] Result<EntityPage<T>> QueryIndexPage(
      const Partition<T, kIndex>& partition, const EntityQuery<T, kIndex>& query = {}) const {
    CheckProjection<kIndex>();
    return PageOf(kIndex.view(), detail::ToLiveQuery(*core_, partition, query), false);
  }
  template <IndexName kIndex>
    requires(kDeclares<Verbs::kQuery | Verbs::kReadMany> &&
             ((kIndexes.view() == kIndex.view()) || ...))
  [[nodiscard]] Result<EntityPage<T>> QueryIndexAndReadPage(
      const Partition<T, kIndex>& partition, const EntityQuery<T, kIndex>& query = {}) const {
    return PageOf(kIndex.view(), detail::ToLiveQuery(*core_, partition, query), true);
  }
  // How many Query would return, over all pages.
  [[nodiscard]] Result<std::size_t> Count(const Partition<T>& partition,
                                          const EntityQuery<T>& query = {}) const
    requires kDeclares<Verbs::kQuery>
  {
    const Result<patterns::LiveQuery> live = detail::ToLiveQuery(*core_, partition, query);
    if (!live) {
      return std::unexpected(live.error());
    }
    return core_->Count("", *live);
  }

  // Writing. What is returned is what is stored, with its new revision.

  // There is no such entity yet; an expired one is none. Else kAlreadyExists, with it.
  [[nodiscard]] Result<Value> Insert(const T& entity, const WriteOptions& options = {}) const
    requires kDeclares<Verbs::kInsert>
  {
    Result<Item> fields = detail::ToFields(entity);
    return fields ? detail::ToVersioned<T>(core_->Insert(*std::move(fields), options))
                  : std::unexpected(fields.error());
  }

  // A value that was computed from what was read. If somebody else has changed it since this is
  // kConflict; if they only rewrote it, it is tried once more.
  [[nodiscard]] Result<Value> Update(const Value& entity, const UpdateOptions& options = {}) const
    requires kDeclares<Verbs::kUpdate>
  {
    const Result<Item> fields = detail::ToFields(entity.data);
    return fields ? detail::ToVersioned<T>(core_->Update(entity.state, *fields, options))
                  : std::unexpected(fields.error());
  }

  // Reads, changes and writes, and computes the change again on what others left when they were
  // faster. Writes nothing when nothing changed. `change` takes T& and returns nothing, a Verdict,
  // or Result<Verdict>; it may run several times and must do nothing else.
  [[nodiscard]] Result<Value> Modify(const EntityKey<T>& key, const EntityChange<T>& change,
                                     const ChangeOptions& options = {}) const
    requires kDeclares<Verbs::kModify>
  {
    return detail::ChangeRun<T>(*core_, change, options).Run(key, nullptr);
  }
  // The same; where there is no entity, of `initial`, which must have that key.
  [[nodiscard]] Result<Value> ModifyOrInsert(const EntityKey<T>& key, const T& initial,
                                             const EntityChange<T>& change,
                                             const ChangeOptions& options = {}) const
    requires kDeclares<Verbs::kModify | Verbs::kInsert>
  {
    return detail::ChangeRun<T>(*core_, change, options).Run(key, &initial);
  }

  // Whatever was there. Still counted as a revision, and unknown attributes stay.
  [[nodiscard]] Result<Value> Upsert(const T& entity, const WriteOptions& options = {}) const
    requires kDeclares<Verbs::kUpsert>
  {
    const Result<Item> fields = detail::ToFields(entity);
    return fields ? detail::ToVersioned<T>(core_->Upsert(*fields, options))
                  : std::unexpected(fields.error());
  }

  // Changes fields without reading: for counters, and for fields that nobody else computes. The
  // entity must exist and the condition hold, else kRefused (fields.h says how to spell both).
  [[nodiscard]] Result<Value> Patch(const EntityKey<T>& key, const FieldUpdate<T>& update,
                                    const FieldCondition<T>& condition = {},
                                    const PatchOptions& options = {}) const
    requires kDeclares<Verbs::kPatch>
  {
    if (const Error* wrong = WhyNotPatched(key, update, condition)) {
      return std::unexpected(*wrong);
    }
    return detail::ToVersioned<T>(
        core_->Patch(*key.attributes(), update.update(), condition.condition(), options));
  }

  // The entity that was seen; kNotFound when there is none, kConflict when it was changed.
  [[nodiscard]] Result<void> Remove(const Value& entity, const RemoveOptions& options = {}) const
    requires kDeclares<Verbs::kRemove>
  {
    return core_->Remove(entity.state, options);
  }
  // Whatever is there. Whether there was something.
  [[nodiscard]] Result<bool> RemoveUnchecked(const EntityKey<T>& key) const
    requires kDeclares<Verbs::kRemoveUnchecked>
  {
    return key.attributes() ? core_->RemoveUnchecked(*key.attributes())
                            : std::unexpected(key.attributes().error());
  }

  // Ends the life of an entity, now unless said otherwise: for all readers, while the database
  // removes it in its own time.
  [[nodiscard]] Result<void> Expire(const EntityKey<T>& key,
                                    std::optional<patterns::Expiry> at = std::nullopt) const
    requires kDeclares<Verbs::kExpire>
  {
    return key.attributes() ? ExpireItem(*key.attributes(), nullptr, at)
                            : std::unexpected(key.attributes().error());
  }
  // The same, if it is still as it was seen.
  [[nodiscard]] Result<void> ExpireSeen(const Value& entity,
                                        std::optional<patterns::Expiry> at = std::nullopt) const
    requires kDeclares<Verbs::kExpire>
  {
    const Result<Item> key = patterns::KeyOf(table(), entity.state.stored.item);
    return key ? ExpireItem(*key, &entity.state.stored.revision, at) : std::unexpected(key.error());
  }

  // A living entity lives until then. No new revision, so nobody who changes it at the same time
  // has a conflict, and no change undoes it.
  [[nodiscard]] Result<void> Touch(const EntityKey<T>& key, const patterns::Expiry& expiry) const
    requires kDeclares<Verbs::kTouch>
  {
    return key.attributes() ? core_->Touch(*key.attributes(), expiry)
                            : std::unexpected(key.attributes().error());
  }
  // The same when there is time; nobody waits for it, and it may get lost.
  void TouchInBackground(patterns::FireAndForget& background, const EntityKey<T>& key,
                         const patterns::Expiry& expiry) const
    requires kDeclares<Verbs::kTouch>
  {
    if (key.attributes()) {
      detail::TouchInBackground(core_, background, *key.attributes(), expiry);
    }
  }

  // As parts of a transaction, with the same conditions; unique fields included. What is returned
  // is the entity as it is when the transaction is committed. A failure also refuses the
  // transaction.

  Result<Value> InsertIn(patterns::Transaction& transaction, const T& entity,
                         const std::string& label = {}, const WriteOptions& options = {}) const
    requires kDeclares<Verbs::kTransact | Verbs::kInsert>
  {
    Result<Item> fields = detail::ToFields(entity);
    if (!fields) {
      transaction.Refuse(fields.error());
      return std::unexpected(fields.error());
    }
    return detail::ToVersioned<T>(core_->InsertIn(transaction, *std::move(fields), options, label));
  }
  Result<Value> UpdateIn(patterns::Transaction& transaction, const Value& entity,
                         const std::string& label = {}) const
    requires kDeclares<Verbs::kTransact | Verbs::kUpdate>
  {
    Result<Item> fields = detail::ToFields(entity.data);
    if (!fields) {
      transaction.Refuse(fields.error());
      return std::unexpected(fields.error());
    }
    return detail::ToVersioned<T>(
        core_->UpdateIn(transaction, entity.state, *std::move(fields), label));
  }
  Result<void> PatchIn(patterns::Transaction& transaction, const EntityKey<T>& key,
                       const FieldUpdate<T>& update, const FieldCondition<T>& condition = {},
                       const std::string& label = {}) const
    requires kDeclares<Verbs::kTransact | Verbs::kPatch>
  {
    if (const Error* wrong = WhyNotPatched(key, update, condition)) {
      transaction.Refuse(*wrong);
      return std::unexpected(*wrong);
    }
    return core_->PatchIn(transaction, *key.attributes(), update.update(), condition.condition(),
                          label);
  }
  void RemoveIn(patterns::Transaction& transaction, const Value& entity,
                const std::string& label = {}) const
    requires kDeclares<Verbs::kTransact | Verbs::kRemove>
  {
    core_->RemoveIn(transaction, entity.state, label);
  }
  // The entity is still as it was seen.
  void RequireIn(patterns::Transaction& transaction, const Value& entity,
                 const std::string& label = {}) const
    requires kDeclares<Verbs::kTransact | Verbs::kRequire>
  {
    core_->RequireIn(transaction, entity.state, label);
  }
  // The entity that was in the way of the action with this label; nothing when none was.
  [[nodiscard]] std::optional<Value> CurrentOf(const Error& error, const std::string& label) const {
    const patterns::ConditionFailed* const failed = patterns::FindConditionFailed(error, label);
    if (failed == nullptr || !failed->item) {
      return std::nullopt;
    }
    Result<Value> read = detail::ToVersioned<T>(core_->StateOf(*failed->item));
    return read ? std::optional(*std::move(read)) : std::nullopt;
  }

 private:
  friend class detail::CoreAccess;

  explicit Repository(std::shared_ptr<const detail::EntityCore> core) : core_(std::move(core)) {}

  Result<std::optional<Value>> ReadKey(EntityKey<T>&& key, bool consistent) const {
    // Read in place, and one variable for every way out: values may be large, and are not moved.
    Result<std::optional<Value>> read(std::in_place, std::in_place);
    if (!key.attributes()) {
      read = std::unexpected(key.attributes().error());
      return read;
    }
    Value& entity = **read;
    Result<bool> found = core_->ReadInto(*std::move(key).attributes(), consistent, entity.state);
    if (!found) {
      read = std::unexpected(std::move(found).error());
    } else if (!*found) {
      read->reset();
    } else if (const Result<void> done = detail::FieldsTo(entity.state.Fields(), entity.data);
               !done) {
      read = std::unexpected(detail::IsCorrupt(done.error()));
    }
    return read;
  }

  template <class Reader>
  Result<std::vector<std::optional<Value>>> ReadKeys(const std::vector<EntityKey<T>>& keys,
                                                     const Reader& read) const {
    std::vector<Item> items;
    for (const EntityKey<T>& key : keys) {
      if (!key.attributes()) {
        return std::unexpected(key.attributes().error());
      }
      items.push_back(*key.attributes());
    }
    return detail::ToAll<T>(read(items));
  }

  template <IndexName kIndex>
  static constexpr void CheckProjection() {
    static_assert(EntityTraits<T>::kIndexes[detail::PlaceOfIndex<T>(kIndex.view())].projection ==
                      ProjectionType::kAll,
                  "stator: an index that does not project all attributes has no entities; "
                  "QueryIndexAndRead completes them from the table");
  }

  // The first thing that is wrong with a patch; null when nothing is.
  static const Error* WhyNotPatched(const EntityKey<T>& key, const FieldUpdate<T>& update,
                                    const FieldCondition<T>& condition) {
    if (!key.attributes()) {
      return &key.attributes().error();
    }
    const std::optional<Error>& wrong = update.error() ? update.error() : condition.error();
    return wrong ? &*wrong : nullptr;
  }

  Result<EntityPage<T>> PageOf(std::string_view index, const Result<patterns::LiveQuery>& query,
                               bool completes) const {
    if (!query) {
      return std::unexpected(query.error());
    }
    Result<patterns::LivePage> page = core_->QueryOnce(std::string(index), *query, completes);
    if (!page) {
      return std::unexpected(std::move(page).error());
    }
    EntityPage<T> answer;
    if (page->next) {
      answer.next = core_->CursorOf(std::string(index), query->partition, *page->next);
    }
    for (Item& item : page->items) {
      Result<Value> entity = detail::ToVersioned<T>(core_->StateOf(std::move(item)));
      if (!entity) {
        return std::unexpected(std::move(entity).error());
      }
      answer.entities.push_back(*std::move(entity));
    }
    return answer;
  }

  Result<void> ExpireItem(const Item& key, const patterns::Revision* seen,
                          const std::optional<patterns::Expiry>& at) const {
    return core_->Expire(key, seen,
                         at.value_or(patterns::Expiry::Now(*core_->environment().clock)));
  }

  std::shared_ptr<const detail::EntityCore> core_;
};

}  // namespace stator::entities
