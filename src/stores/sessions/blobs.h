// The files of a session in the blob store.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/clock.h"
#include "stores/sessions/session_store_core.h"

namespace stator::sessions {

// What was there before a fence went up. Only that is removed behind it: by then others may write
// files of the new epoch into the same folders.
struct FoundBlobs {
  std::vector<std::string> folders = {};  // as they stand in keys
  std::map<std::string, TimePoint> written_at = {};
  std::vector<std::string> unreadable = {};  // folders that could not be listed
};

struct CleanedBlobs {
  std::size_t removed = 0;
  std::vector<std::string> remaining = {};  // keys, or folders that could not be listed
};

// The files in these folders of the session; all of them when the list is empty. Nothing without a
// blob store.
FoundBlobs FindBlobs(const SessionStoreCore& core, std::string_view session,
                     const std::vector<std::string>& folders);

// Those that were not written anew since.
CleanedBlobs RemoveBlobs(const SessionStoreCore& core, const FoundBlobs& found);

}  // namespace stator::sessions
