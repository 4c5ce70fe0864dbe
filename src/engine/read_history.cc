#include "engine/read_history.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "engine/as_of_cursor.h"
#include "engine/history.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/table_row.h"
#include "keyspace/format_version.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "value/item_codec.h"

namespace stator::engine {
namespace {

// No commit has it; as a moment it is behind all of them.
constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max() - 1;

Result<std::optional<Item>> ItemIn(std::string_view row) {
  if (row.empty()) {
    return std::nullopt;
  }
  return TRY(value::DecodeItem(row));
}

}  // namespace

HistoryReader::HistoryReader(std::unique_ptr<storage::Store> store, Table table)
    : store_(std::move(store)), table_(std::move(table)) {
  CHECK(table_.recovery && store_->HasHistory());
}

Result<HistoryReader> HistoryReader::Open(const std::string& path, const std::string& table_name) {
  storage::StoreOptions options;
  options.path = path;
  options.read_only = true;
  options.create_if_missing = false;
  options.format_version = keyspace::kFormatVersion;
  std::unique_ptr<storage::Store> store = TRY(storage::Store::Open(options));
  storage::PinnedValue row;
  if (!TRY(store->Get(keyspace::TableKey(table_name), row))) {
    return Fail(ErrorCode::kTableNotFound, "Table not found: " + table_name);
  }
  Table table = TRY(DecodeTable(row.view()));
  if (!table.recovery || !store->HasHistory()) {
    return Invalid("Point in time recovery is not enabled for table '" + table_name + "'");
  }
  return HistoryReader(std::move(store), std::move(table));
}

Result<VersionsPage> ReadVersions(const storage::Store& store, const Table& table,
                                  const VersionsAsked& asked) {
  CHECK(table.history);
  TRY_VOID(CheckKey(table, asked.key));
  const std::string item_key = ItemKeyOf(table, asked.key);
  std::string prefix;
  keyspace::AppendUndoPrefix(item_key, prefix);
  std::string first;
  keyspace::AppendUndoKey(item_key, table.history->floor + 1, first);
  const storage::Snapshot snapshot = store.TakeSnapshot();
  storage::Cursor undo =
      store.NewCursor(&snapshot, first, keyspace::PrefixEnd(prefix), 0, storage::Family::kHistory);
  storage::PinnedValue row;
  std::string value;  // of the version that is next; its undo row is behind the cursor's
  if (asked.before) {
    std::string last;
    keyspace::AppendUndoKey(item_key, *asked.before, last);
    undo.SeekForPrev(last);
    if (!undo.Valid()) {
      TRY_VOID(undo.status());
      return VersionsPage{};
    }
    value = undo.value();
    undo.Prev();
  } else {
    undo.SeekToLast();
    value = TRY(store.Get(item_key, row, &snapshot)) ? row.view() : std::string_view();
  }
  VersionsPage page;
  std::size_t bytes = 0;
  for (;;) {
    TRY_VOID(undo.status());
    std::optional<std::uint64_t> since;
    if (undo.Valid()) {
      since = TRY(keyspace::SplitUndoKey(undo.key())).time;
    }
    bytes += value.size();
    page.versions.push_back({.since = since, .item = TRY(ItemIn(value))});
    page.has_more = since.has_value();
    if (!since || page.versions.size() >= asked.versions_max || bytes > asked.bytes_max) {
      return page;
    }
    value = undo.value();
    undo.Prev();
  }
}

Result<std::vector<ItemVersion>> HistoryReader::VersionsOf(const Item& key) const {
  CHECK(table_.history.has_value());
  std::vector<ItemVersion> versions =
      TRY(ReadVersions(*store_, table_, {.table_name = table_.name, .key = key})).versions;
  std::ranges::reverse(versions);
  return versions;
}

Result<void> HistoryReader::Compare(TimePoint from, TimePoint to, const Visitor& visit) const {
  const auto time_of = [](TimePoint moment) {
    return moment == TimePoint::max() ? kEnd : CommitTimeOf(moment);
  };
  const std::uint64_t earliest = table_.history->floor - table_.history->floor % 1'000'000;
  if (time_of(from) < earliest || time_of(to) < earliest) {
    return Invalid("The history of the table " + table_.name + " begins at " +
                   CommitTimeText(table_.history->floor));
  }
  const storage::Snapshot snapshot = store_->TakeSnapshot();
  std::string prefix;
  keyspace::AppendItemsPrefix(table_.id, prefix);
  const keyspace::KeyRange range = keyspace::RangeOfPrefix(prefix);
  AsOfCursor before(*store_, snapshot, range, time_of(from));
  AsOfCursor after(*store_, snapshot, range, time_of(to));
  before.SeekToFirst();
  after.SeekToFirst();
  while (before.Valid() || after.Valid()) {
    const bool has_before = before.Valid() && (!after.Valid() || before.key() <= after.key());
    const bool has_after = after.Valid() && (!before.Valid() || after.key() <= before.key());
    CHECK_THAT(has_before || has_after, "the comparison goes forward");
    if (!has_before || !has_after || before.value() != after.value()) {
      ItemDifference difference;
      difference.before = TRY(ItemIn(has_before ? before.value() : std::string_view()));
      difference.after = TRY(ItemIn(has_after ? after.value() : std::string_view()));
      TRY_VOID(visit(difference));
    }
    if (has_before) {
      before.Next();
    }
    if (has_after) {
      after.Next();
    }
  }
  TRY_VOID(before.status());
  return after.status();
}

}  // namespace stator::engine
