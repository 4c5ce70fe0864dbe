// What is known, without asking the index, of tags up to the mark: their last event, and perhaps how
// many there are. Under a lock of its own, so that those who append need not wait for those who
// decide.
//
// THREADS: made for many.

#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "stator/base/mutex.h"
#include "stores/events/index_rows.h"
#include "stores/events/tail.h"

namespace stator::events {

class KnownTags {
 public:
  // Never ahead of the tail's.
  [[nodiscard]] Mark mark() const;

  // The last event of a tag up to the mark: SortableId() for none, nothing if it is not known there.
  [[nodiscard]] std::optional<SortableId> FindLast(const Mark& mark, const std::string& tag) const;
  [[nodiscard]] std::optional<Totals> FindTotals(const Mark& mark, const std::string& tag) const;
  void Remember(const Mark& mark, const std::string& tag, const Totals& totals);

  // Forgets everything.
  void Reset(const Mark& mark);
  // Slots that are below the mark from now on, with what the index says of their tags at its new
  // end, if the caller knows.
  void Advance(const Mark& mark, const std::vector<SlotPointer>& slots,
               const std::map<BlockName, Totals>* totals);

 private:
  struct Known {
    Totals totals;
    bool counted = false;  // else only the last event is known
  };
  [[nodiscard]] const Known* Find(const Mark& mark, const std::string& tag) const
      STATOR_REQUIRES(mutex_);
  void Set(const std::string& tag, Known known) STATOR_REQUIRES(mutex_);

  mutable Mutex mutex_;
  Mark mark_ STATOR_GUARDED_BY(mutex_);
  std::unordered_map<std::string, Known> tags_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::events
