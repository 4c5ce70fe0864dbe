// Tables on the way from one state to the next: for a moment a table that was made is CREATING, one
// that was changed UPDATING, one that was removed DELETING, as on the service. Only on request
// (EngineOptions::transient_states), for programs that want to see their own waiting work; without
// it a table has arrived by the time that anybody asks again.
//
// What was decided is durable before its moment begins. The moment itself is nowhere on disk: after
// a restart every table has arrived.
//
// THREADS: all methods from any thread.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/api/table_types.h"
#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"

namespace stator::engine {

class TransientStates {
 public:
  explicit TransientStates(Clock& clock) : clock_(clock) {}

  // How long a moment is; zero, as at first, for none. Before the first operation.
  void set_duration(Duration duration) { duration_ = duration; }

  // The table is as described, which is not active, from now on for a moment.
  void Begin(const TableDescription& description);

  // How the table of that name is described; nothing when it has arrived.
  [[nodiscard]] std::optional<TableDescription> Find(std::string_view table_name) const;

  // Whether items of the table can be read and written: not while it is CREATING.
  [[nodiscard]] bool HasItems(std::string_view table_name) const;

  // kResourceInUse, in the words of the service, while the table is in any such state.
  [[nodiscard]] Result<void> CheckArrived(std::string_view table_name) const;

  // Adds the names behind `after` of tables that are DELETING, at their places, to those of tables
  // that are there; at most `limit` remain.
  void AddDeleting(std::string_view after, std::size_t limit,
                   std::vector<std::string>& names) const;

 private:
  struct Moment {
    TableDescription description;
    TimePoint until;
  };

  [[nodiscard]] bool enabled() const { return duration_ > Duration::zero(); }
  // Null when the table has arrived.
  [[nodiscard]] const Moment* FindMoment(std::string_view table_name) const STATOR_REQUIRES(mutex_);

  Clock& clock_;
  Duration duration_ = Duration::zero();
  mutable Mutex mutex_;
  std::map<std::string, Moment, std::less<>> moments_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::engine
