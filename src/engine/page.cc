#include "engine/page.h"

#include <limits>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "base/probe.h"
#include "base/try.h"
#include "base/work.h"
#include "engine/as_of_cursor.h"
#include "engine/item_store.h"
#include "value/item_codec.h"
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

// More than that in a row are passed where nobody waits.
constexpr std::uint64_t kDeletedKeysInAShare = 2000;

// Room that a page begins with.
constexpr std::size_t kItemsExpected = 32;

class PageReader {
 public:
  PageReader(const EngineCore& core, const PageRequest& request, Usage& usage)
      : core_(core), request_(request), usage_(usage) {
    DCHECK(!request.limit || *request.limit > 0);
    CHECK_THAT(!request.selection.whole_items || request.source.index != nullptr,
               "items of a table are whole");
    page_.spent = request.spent;
    if (request.filter != nullptr) {
      filter_cost_ = request.filter->CostOfAsking();
    }
    // Items are fetched from the table as of the moment at which the index is read.
    CHECK_THAT(!request.as_of || request.source.index == nullptr, "an index has no history");
    if (request.as_of || (request.selection.whole_items && !MomentOf(*request.source.table))) {
      own_snapshot_.emplace(core.store->TakeSnapshot());
    }
    snapshot_ = own_snapshot_ ? &*own_snapshot_ : MomentOf(*request.source.table);
  }

  Result<Page> Read() {
    const keyspace::KeyRange range = RemainingRange(request_);
    const std::uint64_t deleted_max = base::HasWorkShare() ? kDeletedKeysInAShare : 0;
    if (!range.empty() && request_.as_of) {
      AsOfCursor cursor(*core_.store, *snapshot_, range, *request_.as_of, deleted_max);
      TRY_VOID(Walk(cursor));
    } else if (!range.empty() && request_.is_one_item) {
      storage::PinnedValue row;
      if (TRY(core_.store->Get(range.begin, row, snapshot_))) {
        TRY_VOID(Take(row, row.view()));
      }
    } else if (!range.empty()) {
      storage::Cursor cursor =
          core_.store->NewCursor(snapshot_, range.begin, range.end, deleted_max);
      TRY_VOID(Walk(cursor));
    }
    const double units = ReadUnits(bytes_, request_.consistent_read);
    if (request_.source.index != nullptr) {
      usage_.AddIndex(*request_.source.index, units);
    } else {
      usage_.AddTable(units);
    }
    DCHECK(page_.count <= page_.scanned_count);
    DCHECK(page_.spent.bytes >= bytes_);
    DCHECK(request_.selection.count_only ||
           page_.items.size() == static_cast<std::size_t>(page_.count));
    return std::move(page_);
  }

 private:
  template <class Cursor>
  Result<void> Walk(Cursor& cursor) {
    if (request_.forward) {
      cursor.SeekToFirst();
    } else {
      cursor.SeekToLast();
    }
    while (cursor.Valid()) {
      const bool full = TRY(Take(cursor, cursor.value()));
      if (full) {
        return {};
      }
      if (request_.forward) {
        cursor.Next();
      } else {
        cursor.Prev();
      }
    }
    if (cursor.GaveUp()) {
      PROBE("a page meets more deleted keys than a share of work allows");
      return base::SpendWork(std::numeric_limits<std::uint64_t>::max());
    }
    return cursor.status();
  }

  // Whether the page ends with this row, which is at `place`.
  template <class Place>
  Result<bool> Take(Place& place, std::string_view row) {
    const std::uint64_t units = WorkOfRow(row.size()) + filter_cost_.For(row.size());
    TRY_VOID(base::SpendWork(units));
    page_.spent.units += units;
    const std::size_t bytes = TRY(CheckRow(place, row));
    Item item = value::OpenCheckedItem(row, bytes, memory_);
    bytes_ += bytes;
    page_.spent.bytes += bytes;
    ++page_.scanned_count;
    const bool matches = request_.filter == nullptr || request_.filter->Matches(item);
    const bool shown = matches && !request_.selection.count_only;
    std::optional<Item> whole;
    if ((shown || request_.selection.fetches_dropped) && request_.selection.whole_items) {
      whole = TRY(WholeItem(item));
    }
    const bool full = page_.spent.bytes >= limits::kPageBytesMax ||
                      page_.spent.units >= kPageUnitsMax ||
                      (request_.limit && page_.scanned_count >= *request_.limit);
    if (page_.spent.units >= kPageUnitsMax) {
      PROBE("a page ends because its filter has used its share");
    }
    DCHECK(!request_.limit || page_.scanned_count <= *request_.limit);
    if (full) {
      page_.last_evaluated_key = TRY(request_.source.StartKeyOf(item));
    }
    page_.count += matches ? 1 : 0;
    if (shown) {
      if (page_.items.empty()) {
        page_.items.reserve(request_.is_one_item ? 1 : kItemsExpected);
      }
      if (whole) {
        item = *std::move(whole);
      }
      if (request_.projection != nullptr) {
        item = request_.projection->Apply(item);
      }
      page_.items.push_back(std::move(item));
    }
    return full;
  }

  // The item of the table that an entry of the index belongs to.
  Result<Item> WholeItem(const Item& entry) {
    TRY_VOID(CheckStoredItem(*request_.source.table, entry));
    std::optional<Item> whole =
        TRY(FetchItem(core_, ItemKeyOf(*request_.source.table, entry), snapshot_));
    if (!whole) {
      return Fail(ErrorCode::kCorruption, "an index has an entry of an item that is not there");
    }
    const std::size_t bytes = value::SizeOfItem(*whole);
    page_.spent.bytes += bytes;
    usage_.AddTable(ReadUnits(bytes, request_.consistent_read));
    return *std::move(whole);
  }

  const EngineCore& core_;
  const PageRequest& request_;
  Usage& usage_;
  std::optional<storage::Snapshot> own_snapshot_;
  const storage::Snapshot* snapshot_;  // null: what is
  value::ItemMemory memory_;
  Page page_;
  expression::Condition::Cost filter_cost_;
  std::size_t bytes_ = 0;  // of the rows of this range
};

}  // namespace

Result<Page> ReadPage(const EngineCore& core, const PageRequest& request, Usage& usage) {
  return PageReader(core, request, usage).Read();
}

}  // namespace stator::engine
