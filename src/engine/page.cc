#include "engine/page.h"

#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "engine/item_store.h"
#include "keyspace/item_codec.h"
#include "value/size.h"

namespace stator::engine {
namespace {

// The range without what was read before.
keyspace::KeyRange RemainingRange(const PageRequest& request) {
  keyspace::KeyRange range = request.range;
  if (request.start_key) {
    std::string start = request.source.RowKeyOf(*request.start_key);
    if (request.forward) {
      // No key is a prefix of another, so this is the first possible key behind it.
      start.push_back('\0');
      range.begin = std::max(range.begin, start);
    } else {
      range.end = std::min(range.end, start);
    }
  }
  return range;
}

class PageReader {
 public:
  PageReader(const Core& core, const PageRequest& request, Usage& usage)
      : core_(core), request_(request), usage_(usage) {
    // Items are fetched from the table as of the moment at which the index is read.
    if (request.selection.whole_items) {
      snapshot_.emplace(core.store->TakeSnapshot());
    }
  }

  Result<Page> Read() {
    const keyspace::KeyRange range = RemainingRange(request_);
    if (!range.empty()) {
      storage::Cursor cursor =
          core_.store->NewCursor(snapshot_ ? &*snapshot_ : nullptr, range.begin, range.end);
      TRY_VOID(Walk(cursor));
    }
    const double units = ReadUnits(bytes_, request_.consistent_read);
    if (request_.source.index != nullptr) {
      usage_.AddIndex(*request_.source.index, units);
    } else {
      usage_.AddTable(units);
    }
    return std::move(page_);
  }

 private:
  Result<void> Walk(storage::Cursor& cursor) {
    if (request_.forward) {
      cursor.SeekToFirst();
    } else {
      cursor.SeekToLast();
    }
    while (cursor.Valid()) {
      const bool full = TRY(Take(cursor.value()));
      if (full) {
        return {};
      }
      if (request_.forward) {
        cursor.Next();
      } else {
        cursor.Prev();
      }
    }
    return cursor.status();
  }

  // Whether the page ends with this row.
  Result<bool> Take(std::string_view row) {
    Item item = TRY(keyspace::DecodeItem(row));
    bytes_ += value::SizeOfItem(item);
    ++page_.scanned_count;
    const bool full = bytes_ >= limits::kPageBytesMax ||
                      (request_.limit && page_.scanned_count >= *request_.limit);
    if (full) {
      page_.last_evaluated_key = request_.source.StartKeyOf(item);
    }
    if (request_.filter == nullptr || request_.filter->Matches(item)) {
      ++page_.count;
      if (!request_.selection.count_only) {
        page_.items.push_back(TRY(Shown(std::move(item))));
      }
    }
    return full;
  }

  // The item as the caller wants to see it.
  Result<Item> Shown(Item item) {
    if (request_.selection.whole_items) {
      std::optional<Item> whole =
          TRY(ReadItem(core_, ItemKeyOf(*request_.source.table, item), &*snapshot_));
      if (!whole) {
        return Fail(ErrorCode::kCorruption, "an index has an entry of an item that is not there");
      }
      usage_.AddTable(ReadUnits(value::SizeOfItem(*whole), request_.consistent_read));
      item = *std::move(whole);
    }
    return request_.projection != nullptr ? request_.projection->Apply(item) : std::move(item);
  }

  const Core& core_;
  const PageRequest& request_;
  Usage& usage_;
  std::optional<storage::Snapshot> snapshot_;
  Page page_;
  std::size_t bytes_ = 0;
};

}  // namespace

Result<Page> ReadPage(const Core& core, const PageRequest& request, Usage& usage) {
  return PageReader(core, request, usage).Read();
}

}  // namespace stator::engine
