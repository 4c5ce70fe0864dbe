#include "engine/rewind.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "engine/item_store.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "value/item_codec.h"

namespace stator::engine {
namespace {

// So many rows of an item are passed one by one before a seek, which costs as much as several.
constexpr int kStepsMax = 8;
// What a time of an undo row takes in a batch that removes it, more or less.
constexpr std::size_t kBytesPerTime = 64;

// Goes over undo rows, an item at a time.
class ChangedWalk {
 public:
  ChangedWalk(storage::Cursor cursor, std::uint64_t time, UndoTimes times)
      : cursor_(std::move(cursor)), time_(time), times_(times) {
    cursor_.SeekToFirst();
  }

  // The next item with a row behind the moment.
  Result<std::optional<ChangedItem>> Next() {
    while (cursor_.Valid()) {
      const std::string item(TRY(keyspace::SplitUndoKey(cursor_.key())).item);
      std::optional<ChangedItem> changed = TRY(PassItem(item));
      if (changed) {
        return changed;
      }
    }
    TRY_VOID(cursor_.status());
    return std::nullopt;
  }

 private:
  // Passes the rows of the item; what it was, if one of them is behind the moment.
  Result<std::optional<ChangedItem>> PassItem(const std::string& item) {
    std::optional<ChangedItem> changed;
    for (int steps = 0; cursor_.Valid(); ++steps) {
      const keyspace::UndoKey undo = TRY(keyspace::SplitUndoKey(cursor_.key()));
      if (undo.item != item) {
        return changed;
      }
      if (undo.time <= time_) {
        if (steps >= kStepsMax) {
          Seek(item, time_ + 1);
          continue;
        }
      } else {
        if (!changed) {
          changed.emplace();
          changed->item_key = keyspace::ItemKeyOfUndo(undo);
          changed->row = cursor_.value();
          steps = 0;
        }
        if (times_ == UndoTimes::kAll) {
          changed->times.push_back(undo.time);
        } else if (steps >= kStepsMax) {
          Seek(item, std::numeric_limits<std::uint64_t>::max());
          steps = 0;
          continue;
        }
      }
      cursor_.Next();
    }
    return changed;
  }

  void Seek(const std::string& item, std::uint64_t time) {
    std::string key;
    keyspace::AppendUndoKey(keyspace::ItemKeyOfUndo({.item = item}), time, key);
    cursor_.Seek(key);
  }

  storage::Cursor cursor_;
  const std::uint64_t time_;
  const UndoTimes times_;
};

}  // namespace

Result<ChangedItems> ReadChangedItems(const EngineCore& core, std::uint32_t table_id,
                                      std::uint64_t time, const std::string& begin,
                                      const StepLimits& limits, UndoTimes times) {
  std::string prefix;
  keyspace::AppendUndoRowsPrefix(table_id, prefix);
  std::string first;
  keyspace::AppendUndoPrefix(begin, first);
  const std::string end = keyspace::PrefixEnd(prefix);
  CHECK(first >= prefix && first < end);
  ChangedWalk walk(core.store->NewCursor(nullptr, first, end, 0, storage::Family::kHistory), time,
                   times);
  ChangedItems found;
  std::size_t bytes = 0;
  storage::PinnedValue now;
  while (std::optional<ChangedItem> item = TRY(walk.Next())) {
    if (found.items.size() >= limits.items || bytes >= limits.bytes) {
      found.next = std::move(item->item_key);
      return found;
    }
    if (TRY(core.store->Get(item->item_key, now))) {
      item->now = now.view();
    }
    bytes += 2 * item->item_key.size() + item->row.size() + item->now.size() +
             kBytesPerTime * item->times.size();
    found.items.push_back(*std::move(item));
  }
  return found;
}

Result<bool> TakeBack(EngineCore& core, const Table& table, const ChangedItem& item,
                      ChangeOrigin origin, std::uint64_t undo_time, WriterView& view,
                      PendingWrite& write) {
  if (item.now == item.row) {
    return false;
  }
  const auto read = [&](std::string_view row) -> Result<std::optional<Item>> {
    if (row.empty()) {
      return std::nullopt;
    }
    std::optional<Item> stored = TRY(value::OpenItem(row));
    TRY_VOID(CheckStoredItem(table, *stored, item.item_key));
    return stored;
  };
  const std::optional<Item> before = TRY(read(item.now));
  const std::optional<Item> after = TRY(read(item.row));
  Usage unused(table.name, Usage::Kind::kWrite);
  ApplyChange(core,
              {.table = table,
               .item_key = item.item_key,
               .before = before ? &*before : nullptr,
               .after = after ? &*after : nullptr,
               .origin = origin,
               .undo_time = undo_time},
              view, write, unused);
  return true;
}

Result<void> CheckIsOpen(const Table& table) {
  if (table.is_closed()) {
    return Fail(ErrorCode::kResourceInUse,
                "Attempt to change a resource which is still in use: Table is being rewound: " +
                    table.name);
  }
  return {};
}

Result<void> CheckHasNoJob(const Table& table) {
  const bool index_changes = std::ranges::any_of(
      table.indexes, [](const Index& index) { return index.status != IndexStatus::kActive; });
  if (index_changes || table.ttl_enabling || table.ttl_disabling || table.is_being_filled()) {
    return Fail(ErrorCode::kResourceInUse,
                "Attempt to change a resource which is still in use: an index or the expiry of "
                "table " +
                    table.name + " is being made or removed; try again when that is done");
  }
  return {};
}

void CloseTable(EngineCore& core, const Table& current) {
  Table next = current;
  next.closed = true;
  core.catalog.Show(std::move(next));
}

void OpenTable(EngineCore& core, const Table& current) {
  Table next = current;
  next.closed = false;
  next.frozen.reset();
  core.catalog.Show(std::move(next));
  core.parked_calls.AdmitOpened();
}

std::shared_ptr<const FrozenMoment> Freeze(EngineCore& core) {
  const std::uint64_t time = core.store->queue().SettledTime();
  return std::make_shared<const FrozenMoment>(core.store->TakeSnapshot(), time);
}

void Thaw(EngineCore& core) {
  const auto lock = core.catalog.ChangeLock();
  for (const TablePtr& table : core.catalog.All()) {
    if (table->frozen != nullptr) {
      Table next = *table;
      next.frozen.reset();
      core.catalog.Show(std::move(next));
    }
  }
}

}  // namespace stator::engine
