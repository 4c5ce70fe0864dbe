// Applies to one table what happens to another, as its stream tells it. Applied twice, or behind an
// item that was copied later than it changed, a change does no harm: the last change of an item is
// applied last, and that is what the item is.
//
// The stream has the changes of the last 24 hours.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "copy/side.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"

namespace stator::copy {

class ChangeFollower {
 public:
  // Follows what has changed since `since`. Fails with kValidation when the table has no stream, or
  // one that does not tell enough, and says which is needed.
  static Result<ChangeFollower> Open(const Side& from, const Side& to, TimePoint since,
                                     const patterns::Environment& environment = {});

  // Reads each shard that there is once, and applies what it tells; how many changes that were.
  // Fails with kTrimmedData when changes are lost because nobody followed for a day.
  Result<std::uint64_t> Poll();

 private:
  struct Reader {
    std::string iterator;
    std::string last_sequence;  // empty: nothing was read
  };

  ChangeFollower(const Side& from, const Side& to, TimePoint since, std::string stream_arn,
                 const patterns::Environment& environment)
      : from_(&from),
        to_(&to),
        since_(since),
        stream_arn_(std::move(stream_arn)),
        environment_(environment) {}

  Result<void> FindShards();
  Result<std::string> IteratorOf(const std::string& shard, const Reader& reader);
  Result<std::vector<StreamRecord>> ReadOnce(const std::string& shard, Reader& reader);
  Result<std::uint64_t> Apply(const std::vector<StreamRecord>& records);
  Result<void> AddWrites(const StreamRecord& record, std::vector<WriteRequest>& writes) const;

  const Side* from_;
  const Side* to_;
  TimePoint since_;
  std::string stream_arn_;
  patterns::Environment environment_;
  std::map<std::string, Reader> readers_;  // by shard
  // A shard is begun when its parent has ended, so that an item's changes keep their order.
  std::map<std::string, std::string> waiting_;  // shard to parent
  std::set<std::string> ended_;
};

}  // namespace stator::copy
