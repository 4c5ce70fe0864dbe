#include "engine/catalog.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/try.h"
#include "engine/arn.h"
#include "engine/table_row.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

Result<std::uint64_t> ReadCounter(const storage::Store& store, keyspace::Counter counter) {
  storage::PinnedValue value;
  if (!TRY(store.Get(keyspace::CounterKey(counter), value))) {
    return 1;
  }
  const std::uint64_t next = TRY(keyspace::DecodeCounter(value.view()));
  if (next == 0 || next > std::numeric_limits<std::uint32_t>::max()) {
    return Fail(ErrorCode::kCorruption, "a counter of ids is damaged");
  }
  return next;
}

Result<TablePtr> NamedNotFound(std::string_view name_or_arn) {
  const std::string name(TableNameFrom(name_or_arn).value_or(name_or_arn));
  return Fail(ErrorCode::kTableNotFound,
              "Requested resource not found: Table: " + name + " not found");
}

}  // namespace

Result<void> Catalog::Load() {
  const MutexLock change(change_mutex_);
  next_table_id_ = TRY(ReadCounter(store_, keyspace::Counter::kNextTableId));
  next_stream_id_ = TRY(ReadCounter(store_, keyspace::Counter::kNextStreamId));
  const keyspace::KeyRange range =
      keyspace::RangeOfPrefix(keyspace::KindPrefix(keyspace::KeyKind::kTable));
  storage::Cursor cursor = store_.NewCursor(nullptr, range.begin, range.end);
  const WriterLock lock(mutex_);
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    auto table = std::make_shared<const Table>(TRY(DecodeTable(cursor.value())));
    tables_.insert_or_assign(table->name, std::move(table));
  }
  return cursor.status();
}

TablePtr Catalog::Look(std::string_view name_or_arn) const {
  const std::optional<std::string_view> name = TableNameFrom(name_or_arn);
  if (!name) {
    return nullptr;
  }
  const ReaderLock lock(mutex_);
  const auto found = tables_.find(*name);
  return found == tables_.end() ? nullptr : found->second;
}

Result<TablePtr> Catalog::Find(std::string_view name_or_arn) const {
  TablePtr table = Look(name_or_arn);
  if (table == nullptr || table->is_being_filled() || !transient_states_.HasItems(table->name)) {
    return Fail(ErrorCode::kTableNotFound, "Requested resource not found");
  }
  if (table->rewind && table->frozen == nullptr) {
    return Fail(ErrorCode::kThrottled, "The table " + table->name +
                                           " is being rewound, and cannot be read before that is "
                                           "done: the program was ended in between. Try again");
  }
  return table;
}

Result<TablePtr> Catalog::FindNamed(std::string_view name_or_arn) const {
  TablePtr table = Look(name_or_arn);
  return table == nullptr || table->is_being_filled() ? NamedNotFound(name_or_arn)
                                                      : Result<TablePtr>(table);
}

Result<TablePtr> Catalog::FindAny(std::string_view name_or_arn) const {
  TablePtr table = Look(name_or_arn);
  return table == nullptr ? NamedNotFound(name_or_arn) : Result<TablePtr>(table);
}

TablePtr Catalog::FindId(std::uint32_t id) const {
  const ReaderLock lock(mutex_);
  for (const auto& [name, table] : tables_) {
    if (table->id == id) {
      return table;
    }
  }
  return nullptr;
}

std::vector<TablePtr> Catalog::All() const {
  const ReaderLock lock(mutex_);
  std::vector<TablePtr> all;
  all.reserve(tables_.size());
  for (const auto& [name, table] : tables_) {
    all.push_back(table);
  }
  return all;
}

std::vector<std::string> Catalog::NamesAfter(std::string_view after, std::size_t limit) const {
  const ReaderLock lock(mutex_);
  std::vector<std::string> names;
  for (auto at = tables_.upper_bound(after); at != tables_.end() && names.size() < limit; ++at) {
    names.push_back(at->first);
  }
  return names;
}

std::uint32_t Catalog::TakeTableId(storage::WriteBatch& batch) {
  CHECK_THAT(next_table_id_ <= std::numeric_limits<std::uint32_t>::max(), "ids never come back");
  const auto id = static_cast<std::uint32_t>(next_table_id_++);
  batch.Put(keyspace::CounterKey(keyspace::Counter::kNextTableId),
            keyspace::EncodeCounter(next_table_id_));
  return id;
}

std::uint32_t Catalog::TakeStreamId(storage::WriteBatch& batch) {
  CHECK_THAT(next_stream_id_ <= std::numeric_limits<std::uint32_t>::max(), "ids never come back");
  const auto id = static_cast<std::uint32_t>(next_stream_id_++);
  batch.Put(keyspace::CounterKey(keyspace::Counter::kNextStreamId),
            keyspace::EncodeCounter(next_stream_id_));
  return id;
}

Result<TablePtr> Catalog::Publish(Table table, storage::WriteBatch batch) {
  CHECK(!table.replaced.is_set());
  std::string row;
  AppendTable(table, row);
  batch.Put(keyspace::TableKey(table.name), row);
  TRY_VOID(store_.Write(std::move(batch)));
  auto published = std::make_shared<const Table>(std::move(table));
  Put(published);
  return published;
}

void Catalog::Show(Table table) {
  Put(std::make_shared<const Table>(std::move(table)));
}

void Catalog::Put(const TablePtr& table) {
  const WriterLock lock(mutex_);
  TablePtr& current = tables_[table->name];
  DCHECK(current == nullptr || current->id == table->id);
  Retire(current);
  current = table;
}

Result<void> Catalog::Replace(std::vector<Table> tables, storage::WriteBatch batch) {
  TRY_VOID(store_.Write(std::move(batch)));
  std::map<std::string, TablePtr, std::less<>> next;
  for (Table& table : tables) {
    CHECK(!table.replaced.is_set());
    std::string name = table.name;
    next.emplace(std::move(name), std::make_shared<const Table>(std::move(table)));
  }
  const WriterLock lock(mutex_);
  for (const auto& [name, table] : tables_) {
    Retire(table);
  }
  tables_ = std::move(next);
  return {};
}

Result<void> Catalog::Remove(const Table& table, storage::WriteBatch batch) {
  batch.Delete(keyspace::TableKey(table.name));
  TRY_VOID(store_.Write(std::move(batch)));
  const WriterLock lock(mutex_);
  if (const auto found = tables_.find(table.name); found != tables_.end()) {
    CHECK_THAT(found->second->id == table.id, "another table of the same name");
    Retire(found->second);
    tables_.erase(found);
  }
  return {};
}

void Catalog::Retire(const TablePtr& table) {
  if (table == nullptr) {
    return;
  }
  DCHECK(!table->replaced.is_set());
  table->replaced.Set();
  auto& schemas = retired_[table->id];
  std::erase_if(schemas, [](const auto& schema) { return schema.expired(); });
  schemas.push_back(table);
}

bool Catalog::IsStreamInUse(std::uint32_t stream_id) const {
  const auto writes = [stream_id](const TablePtr& table) {
    return table != nullptr && table->stream && table->stream->id == stream_id;
  };
  const ReaderLock lock(mutex_);
  return std::any_of(tables_.begin(), tables_.end(),
                     [&](const auto& named) { return writes(named.second); }) ||
         std::any_of(retired_.begin(), retired_.end(), [&](const auto& of_table) {
           return std::any_of(of_table.second.begin(), of_table.second.end(),
                              [&](const auto& schema) { return writes(schema.lock()); });
         });
}

bool Catalog::IsOldSchemaInUse(std::uint32_t id) {
  const WriterLock lock(mutex_);
  const auto found = retired_.find(id);
  if (found == retired_.end()) {
    return false;
  }
  std::erase_if(found->second, [](const auto& schema) { return schema.expired(); });
  if (!found->second.empty()) {
    return true;
  }
  retired_.erase(found);
  return false;
}

}  // namespace stator::engine
