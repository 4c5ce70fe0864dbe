#include "engine/item_walk.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/try.h"
#include "engine/background.h"
#include "engine/job_calls.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

Result<std::vector<std::string>> KeysFrom(const EngineCore& core, const std::string& begin,
                                          const std::string& end, std::size_t limit,
                                          storage::Family family = storage::Family::kMain) {
  std::vector<std::string> keys;
  storage::Cursor cursor = core.store->NewCursor(nullptr, begin, end, 0, family);
  for (cursor.SeekToFirst(); cursor.Valid() && keys.size() < limit; cursor.Next()) {
    keys.emplace_back(cursor.key());
  }
  TRY_VOID(cursor.status());
  return keys;
}

Result<void> CheckNotStopping(const EngineCore& core) {
  if (core.background->stopping()) {
    return Fail(ErrorCode::kUnavailable, "the engine is stopping");
  }
  return {};
}

}  // namespace

Result<void> WalkItems(EngineCore& core, const Table& table, const ItemVisitor& visit) {
  std::string prefix;
  keyspace::AppendItemsPrefix(table.id, prefix);
  keyspace::KeyRange range = keyspace::RangeOfPrefix(prefix);
  JobCalls calls(core);
  while (true) {
    TRY_VOID(CheckNotStopping(core));
    const std::vector<std::string> keys =
        TRY(KeysFrom(core, range.begin, range.end, core.walks.items));
    if (keys.empty()) {
      return {};
    }
    std::vector<std::uint64_t> hashes;
    hashes.reserve(keys.size());
    for (const std::string& key : keys) {
      hashes.push_back(KeyTable::HashOf(key));
    }
    calls.Begin(std::move(hashes), [&](WriterView& view, PendingWrite& write) -> Result<void> {
      for (const std::string& key : keys) {
        if (const std::optional<Item> item = TRY(view.ReadItem(key))) {
          TRY_VOID(visit(key, *item, view, write));
        }
      }
      return {};
    });
    if (const Result<void> done = calls.Await(); !done) {
      const ErrorCode code = done.error().code;
      if (code == ErrorCode::kTransactionConflict || code == ErrorCode::kUnavailable) {
        continue;  // somebody has one of the items, or the disk is slow; the walk can wait
      }
      return done;
    }
    DCHECK(std::is_sorted(keys.begin(), keys.end()));
    CHECK_THAT(keys.back() >= range.begin, "the walk goes forward");
    range.begin = keys.back() + '\0';
  }
}

Result<void> DeleteRows(EngineCore& core, const std::string& begin, const std::string& end,
                        storage::Family family) {
  CHECK_THAT(begin < end, "nothing else would be deleted but everything");
  while (true) {
    TRY_VOID(CheckNotStopping(core));
    const std::vector<std::string> keys =
        TRY(KeysFrom(core, begin, end, core.walks.removed_rows, family));
    if (keys.empty()) {
      return core.store->CompactRange(begin, end, family);
    }
    DCHECK(keys.front() >= begin && keys.back() < end);
    storage::WriteBatch batch;
    for (const std::string& key : keys) {
      batch.Delete(key, family);
    }
    TRY_VOID(core.store->Write(std::move(batch)));
  }
}

}  // namespace stator::engine
