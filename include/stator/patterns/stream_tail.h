// What changes in a table from now on, as its stream tells it.
//
//   const auto tail = StreamTail::Open(database, "orders");           // null: there is no stream
//   const Result<bool> missed = (*tail)->Poll([&](const StreamRecord& record) { … });
//
// For those who keep the truth elsewhere and want to know when to look: records may come twice or
// late, and after a pause of minutes some may be missed, which Poll then says.
//
// COST: Open asks for the table and its shards; Poll is one GetRecords per shard, and one more for
// every thousand records. Amazon allows five of them a second and shard, of all readers together.
// THREADS: one at a time.

#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/api/streams.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/retry.h"

namespace stator::patterns {

class StreamTail {
 public:
  using See = std::function<void(const StreamRecord&)>;

  // From now on. Null when the table has no stream. `database` must outlive the tail.
  static Result<std::unique_ptr<StreamTail>> Open(Database& database, const std::string& table,
                                                  const RetryOptions& retry = {},
                                                  Environment environment = {});

  // Calls `see` with what came since the last call. True when there may have been more: whoever
  // wants to be sure looks at everything then.
  Result<bool> Poll(const See& see);

 private:
  struct ShardReader {
    std::string shard_id;
    std::string iterator;  // empty at the end of its shard
  };

  StreamTail(Database& database, std::string stream_arn, const RetryOptions& retry,
             Environment environment)
      : database_(&database),
        stream_arn_(std::move(stream_arn)),
        retry_(retry),
        environment_(environment) {}

  // Begins with the shards that were not seen yet: the first ones at their end, later ones, which
  // go on where others ended, at their beginning.
  Result<void> AddShards(bool at_end);
  Result<void> PollShard(ShardReader& reader, const See& see);
  template <class Read>
  auto Again(const Read& read) const -> decltype(read()) {
    return RetryTransient(retry_, environment_, read);
  }

  Database* database_;
  std::string stream_arn_;
  RetryOptions retry_;
  Environment environment_;
  std::set<std::string> seen_;  // shard ids
  std::vector<ShardReader> readers_;
  int polls_without_shard_ = 0;
};

}  // namespace stator::patterns
