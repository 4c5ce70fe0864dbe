#include "engine/writer_view.h"

#include "base/check.h"
#include "base/probe.h"
#include "base/try.h"
#include "engine/item_store.h"
#include "value/item_codec.h"
#include "value/stored_map.h"

namespace stator::engine {

Result<bool> WriterView::Read(const std::string& key, Value& value) {
  value.write_.reset();
  if (locks_.found_rows()) {
    const std::uint64_t hash = KeyTable::HashOf(key);
    CHECK(locks_.Holds(hash));
    if (std::optional<KeyTable::QueuedRow> row = core_.keys.Find(hash, key)) {
      PROBE("a writer builds on a row that is queued");
      RestOn(row->write);
      value.write_ = std::move(row->write);
      value.queued_ = row->value;
      return !row->deleted;
    }
  }
  return core_.store->Get(key, value.pinned_);
}

Result<std::optional<Item>> WriterView::ReadItem(const std::string& item_key) {
  Value value;
  if (!TRY(Read(item_key, value))) {
    return std::nullopt;
  }
  return TRY(value.write_ != nullptr ? value::OpenItem(value.queued_) : OpenRow(value.pinned_));
}

Result<std::optional<Item>> WriterView::ReadItem(const Table& table, const std::string& item_key) {
  std::optional<Item> item = TRY(ReadItem(item_key));
  if (item) {
    TRY_VOID(CheckStoredRow(table, item->stored()->bytes(), *item, item_key));
  }
  return item;
}

Result<std::optional<Item>> WriterView::ReadWholeItem(const Table& table,
                                                      const std::string& item_key) {
  Value value;
  if (!TRY(Read(item_key, value))) {
    return std::nullopt;
  }
  std::optional<Item> item = TRY(value::DecodeItem(value.view()));
  TRY_VOID(CheckStoredRow(table, value.view(), *item, item_key));
  return item;
}

Result<bool> WriterView::HasRow(const std::string& key) {
  DCHECK(!key.empty());
  if (const auto row = core_.keys.Find(KeyTable::HashOf(key), key)) {
    RestOn(row->write);
    return !row->deleted;
  }
  storage::PinnedValue value;
  return core_.store->Get(key, value);
}

void WriterView::RestOn(const storage::QueuedWritePtr& write) {
  CHECK_THAT(write != nullptr && write->place() != 0, "a row that is seen has a place");
  if (rests_on_ == nullptr || write->place() > rests_on_->place()) {
    rests_on_ = write;
  }
}

}  // namespace stator::engine
