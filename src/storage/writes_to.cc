#include "storage/writes_to.h"

#include "base/check.h"

namespace stator::storage {

WritesTo::WritesTo(RowCache& rows, RunCache& runs, const WriteBatch& batch)
    : rows_(rows), runs_(runs), batch_(batch) {
  if (!rows_.is_enabled() && !runs_.is_enabled()) {
    return;
  }
  closed_.reserve(batch_.count());
  batch_.VisitRows([&](const WriteBatch::Row& row) {
    const std::string_view key = batch_.KeyOf(row);
    Closed& closed = closed_.emplace_back();
    if (rows_.is_enabled()) {
      closed.row = rows_.Close(key);
    }
    if (runs_.is_enabled()) {
      closed.region = RunCache::RegionOf(key);
      runs_.Close(closed.region);
    }
  });
}

WritesTo::~WritesTo() {
  if (closed_.empty()) {
    return;
  }
  std::size_t at = 0;
  batch_.VisitRows([&](const WriteBatch::Row& row) { Reopen(closed_.at(at++), row); });
  CHECK_THAT(at == closed_.size(), "every key is open again");
}

void WritesTo::Reopen(const Closed& closed, const WriteBatch::Row& row) {
  if (runs_.is_enabled()) {
    runs_.Reopen(closed.region);
  }
  if (!rows_.is_enabled()) {
    return;
  }
  if (is_written_ && !row.deleted) {
    rows_.Reopen(closed.row, batch_.KeyOf(row), batch_.ValueOf(row));
  } else {
    rows_.Reopen(closed.row);
  }
}

}  // namespace stator::storage
