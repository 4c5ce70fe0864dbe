// That something was appended, as the stream of the events table tells it. The stream says when to
// look, the log says what is there: so records that come twice, late or not at all do no harm.

#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stores/events/core.h"

namespace stator::events {

// THREADS: one at a time.
class StreamSignal {
 public:
  // From now on. Null when the events table has no stream.
  static Result<std::unique_ptr<StreamSignal>> Open(Core& core);

  // Whether events of the service may have been appended since the last call.
  Result<bool> Poll();

 private:
  struct ShardReader {
    std::string shard_id;
    std::string iterator;
  };

  StreamSignal(Core& core, std::string stream_arn)
      : core_(&core), stream_arn_(std::move(stream_arn)) {}

  // Begins with the shards that were not seen yet: the first ones at their end, later ones, which
  // go on where others ended, at their beginning.
  Result<void> AddShards(bool at_end);
  // Whether the reader saw something; its iterator is empty at the end of its shard.
  Result<bool> PollShard(ShardReader& reader);
  [[nodiscard]] bool IsOurs(const StreamRecord& record) const;

  Core* core_;
  std::string stream_arn_;
  std::set<std::string> seen_;  // shard ids
  std::vector<ShardReader> readers_;
  int polls_without_shard_ = 0;
};

}  // namespace stator::events
