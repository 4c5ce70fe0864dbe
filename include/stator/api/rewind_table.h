// RewindTable: takes the items of a table back to what they were at a moment, in place. An operation of
// Stator's own; the service can only make another table of them (restore_table.h).

#pragma once

#include <cstdint>
#include <string>

#include "stator/api/table_types.h"
#include "stator/base/clock.h"

namespace stator {

struct RewindTableInput {
  std::string table_name;  // or its ARN
  // Within what recovery of the table reaches. What was changed behind it is undone, by changes that
  // stand in the table's history like any others.
  TimePoint rewind_date_time;
};

struct RewindTableOutput {
  TableDescription table_description = {};
  TimePoint rewind_date_time = {};
  // The moment before: rewinding to it undoes this.
  TimePoint undo_date_time = {};
  std::int64_t items_changed = 0;
  // Much was changed: it goes on behind the answer, and the table is UPDATING until it is done. Until
  // then it is what it was, and writers wait.
  bool rewind_in_progress = false;
};

}  // namespace stator
