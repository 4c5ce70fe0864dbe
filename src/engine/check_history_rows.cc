// The part of CheckDatabase that looks at undo rows. Those of one item are neighbours, so one pass
// sees each beside the next, and the last beside the item.

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/hex.h"
#include "engine/check_context.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

class HistoryCheck {
 public:
  explicit HistoryCheck(CheckContext& context) : context_(context) {}

  void Take(std::string_view key, std::string_view row) {
    const Result<keyspace::UndoKey> undo = keyspace::SplitUndoKey(key);
    const std::string item_key = undo ? keyspace::ItemKeyOfUndo(*undo) : std::string();
    const Result<keyspace::ItemKey> item = keyspace::DecodeItemKey(item_key);
    if (!undo || !item) {
      return context_.Problem("an undo row: its key is damaged: " + base::HexOf(key));
    }
    if (last_ && last_->item_key != item_key) {
      Finish();
    }
    const CheckedTable* checked = context_.TableOfRow(item->table, "an undo row");
    if (checked == nullptr) {
      return;
    }
    ++context_.report.undo_rows;
    const Table& table = checked->table;
    const std::string name =
        NameOfItem(table, *item) + ", changed at " + std::to_string(undo->time);
    if (undo->time == 0 || undo->time > context_.commit_time) {
      context_.Problem(name + ": that time was not given yet");
    }
    if (!row.empty()) {
      CheckStoredRow(context_, table, name, item_key, row);
    }
    if (!table.history || table.history->since == 0 || undo->time <= table.history->floor) {
      garbage_[table.name] += context_.pinned.contains(table.id) ? 0 : 1;
      return;  // neighbours may be gone
    }
    if (last_ && last_->row == row) {
      context_.Problem(name + ": it changed nothing");
    }
    last_ = Row{.name = name, .item_key = item_key, .row = std::string(row)};
  }

  // The item is what its last change made of it.
  void Finish() {
    if (!last_) {
      return;
    }
    storage::PinnedValue item;
    const std::optional<bool> found = context_.Find(last_->item_key, item);
    if (found && (*found ? item.view() : std::string_view()) == last_->row) {
      context_.Problem(last_->name + ": it changed nothing");
    }
    last_.reset();
  }

  void Note() {
    for (const auto& [table, rows] : garbage_) {
      if (rows == 0) {
        continue;  // perhaps some, but not all
      }
      context_.report.notes.Add("table " + table + ": " + std::to_string(rows) +
                                " undo rows are no longer needed");
    }
  }

 private:
  struct Row {
    std::string name;
    std::string item_key;
    std::string row;
  };

  CheckContext& context_;
  std::optional<Row> last_;
  std::map<std::string, std::uint64_t> garbage_;
};

}  // namespace

void CheckHistory(CheckContext& context) {
  if (!context.store.HasHistory()) {
    return;
  }
  HistoryCheck check(context);
  storage::Cursor cursor =
      context.store.NewCursor(&context.snapshot, "", "", 0, storage::Family::kHistory);
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    check.Take(cursor.key(), cursor.value());
  }
  if (const Result<void> read = cursor.status(); !read) {
    context.Problem("not all of the history could be read: " + read.error().message);
  }
  check.Finish();
  check.Note();
}

}  // namespace stator::engine
