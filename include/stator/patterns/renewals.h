// Keeping items alive while they are used, without a write per use: a session that is seen a
// hundred times a minute is renewed once in half its life.
//
//   auto renewals = Renewals::Make(database, kSessions, {.runway = 24h, .interval = 1min});
//   (*renewals)->Touch(item);                        // returns at once; perhaps nothing to do
//   (*renewals)->Drain(5s);
//
// A renewal is fired and forgotten (patterns/fire_and_forget.h): a lost one does not matter as long
// as many more fit into the life of the item. Hence a runway shorter than ten intervals is refused.
//
// A renewal never shortens a life, never brings back an expired item, and never makes one.
//
// THREADS: every method may be called from many threads at once.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "stator/api/database_interface.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/fire_and_forget.h"
#include "stator/patterns/table_layout.h"
#include "stator/value/attribute_value.h"

namespace stator::patterns {

struct RenewalOptions {
  // How long an item lives after it was used.
  Duration runway;
  // How often it is used, at least; a renewal is tried about that often in the worst case.
  Duration interval;
  FireAndForgetOptions queue = {};
};

class Renewals {
 public:
  // `database` must outlive the result. Fails with kValidation when the layout names no expiry
  // attribute or the runway is shorter than ten intervals.
  static Result<std::unique_ptr<Renewals>> Make(Database& database, TableLayout layout,
                                                RenewalOptions options,
                                                Environment environment = {});

  // Somebody used this item, which was just read. Renews it if less than half of the runway is
  // left. Whether a renewal was submitted.
  bool Touch(const Item& item);

  // See FireAndForget.
  bool Drain(Duration at_most) { return queue_.Drain(at_most); }
  [[nodiscard]] FireAndForgetCounts counts() const { return queue_.counts(); }

 private:
  Renewals(Database& database, TableLayout layout, RenewalOptions options, Environment environment);

  Database* database_;
  TableLayout layout_;
  std::string attribute_;
  Duration runway_;
  Environment environment_;
  FireAndForget queue_;
};

}  // namespace stator::patterns
