// CreateCheckpoint, RestoreCheckpoint, DeleteCheckpoint, ListCheckpoints: names for moments of the whole
// database, to go back to between tests. Operations of Stator's own.
//
// Going back costs what was changed since. Everything is as it was: items, indexes, settings, tags,
// streams; tables that were made since are gone, those that were dropped are there again. What came
// behind the moment has no trace: no undo rows, no stream records, no backups, no later checkpoints, no
// records of exports and imports (whose files stay). An export under way is waited for.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stator/base/clock.h"

namespace stator {

struct CheckpointDescription {
  std::string checkpoint_name;
  TimePoint creation_date_time = {};  // the moment
  std::int64_t table_count = 0;
};

struct CreateCheckpointInput {
  std::string checkpoint_name;  // 3 to 255 of a-z A-Z 0-9 _ . -
  bool replace = false;         // one of that name, instead of failing
};

struct CreateCheckpointOutput {
  CheckpointDescription checkpoint_description = {};
};

struct RestoreCheckpointInput {
  std::string checkpoint_name;
};

struct RestoreCheckpointOutput {
  CheckpointDescription checkpoint_description = {};  // it stays, and can be restored again
  std::int64_t items_changed = 0;
  std::int64_t tables_removed = 0;
  std::int64_t tables_returned = 0;
};

struct DeleteCheckpointInput {
  std::string checkpoint_name;
};

struct DeleteCheckpointOutput {
  CheckpointDescription checkpoint_description = {};
};

struct ListCheckpointsInput {};

struct ListCheckpointsOutput {
  std::vector<CheckpointDescription> checkpoints = {};  // by name
};

}  // namespace stator
