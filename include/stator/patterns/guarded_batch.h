// A batch that is written once: a guard item is put first, under the condition that nobody else put
// it, and marked when everything has been written. For more writes than a transaction may have.
//
//   const GuardedBatchOutcome outcome = WriteGuarded(database, {
//       .guard_table = kImports, .guard_key = {{"pk", "import#7"}}, .token = job_id,
//       .writes = {{.table = kOrders, .writes = ...}},
//   });
//
// FORMAT (attributes of the guard item, besides its key)
//
//   guard_token   S  who writes
//   guard_state   S  "writing", then "done"
//   expiry        N  under the layout's name. A guard whose writer never came back gives way
//                    when it has expired; one that is done stays as long as a repetition must
//                    be recognised.
//
//
// Readers that must not see half of a batch look at the guard first. The same token goes on where
// it was interrupted: the writes are repeated, which is harmless for puts and deletes. Another
// token is turned away.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/table_layout.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

struct GuardedBatchInput {
  TableLayout guard_table;  // must name an expiry attribute
  Item guard_key;
  std::string token;
  std::vector<TableWrites> writes;
  // How long a writer may take before another may take over.
  Duration lease = std::chrono::minutes(15);
  // How long a repetition is recognised as done.
  Duration keep_done = std::chrono::hours(24 * 7);
  BatchOptions batch = {};
};

enum class GuardedBatchState : std::uint8_t {
  kDone,         // everything was written
  kAlreadyDone,  // by this token, earlier; nothing was written now
  kTaken,        // another token writes, or has written; nothing was written now
  kIncomplete,   // some writes remain; call again with the same token
  kOvertaken,    // it took longer than the lease, and another token took over
  kFailed,       // `error`
};

struct [[nodiscard]] GuardedBatchOutcome {
  GuardedBatchState state;
  std::vector<TableWrites> remaining = {};
  std::optional<Error> error = std::nullopt;
  // Of kTaken: whose, and whether it is done.
  std::string other_token = {};
  bool other_done = false;
};

GuardedBatchOutcome WriteGuarded(Database& database, GuardedBatchInput input,
                                 const Environment& environment = {});

}  // namespace stator::patterns
