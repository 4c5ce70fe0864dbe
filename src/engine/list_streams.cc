#include <algorithm>
#include <string>
#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/stream_row.h"

namespace stator::engine {
Result<ListStreamsOutput> ListStreams(Core& core, const ListStreamsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const std::int32_t limit = input.limit.value_or(kStreamsPerAnswerMax);
  if (limit > kStreamsPerAnswerMax) {
    return Invalid(
        "One or more parameter values were invalid: Limit cannot be greater than the maximum "
        "allowed size: " +
        std::to_string(kStreamsPerAnswerMax));
  }
  // By id, which is the order in which they were made.
  std::vector<StreamRow> rows = TRY(ReadStreams(core));
  if (input.table_name) {
    std::erase_if(rows, [&](const StreamRow& row) { return row.table_name != *input.table_name; });
  }
  auto at = rows.begin();
  if (input.exclusive_start_stream_arn) {
    at = std::find_if(rows.begin(), rows.end(), [&](const StreamRow& row) {
      return row.Arn() == *input.exclusive_start_stream_arn;
    });
    if (at == rows.end()) {
      return Fail(ErrorCode::kResourceNotFound,
                  "Requested resource not found: Stream: " + *input.exclusive_start_stream_arn +
                      " not found");
    }
    ++at;
  }
  ListStreamsOutput output;
  for (; at != rows.end() && std::cmp_less(output.streams.size(), limit); ++at) {
    output.streams.push_back(
        {.stream_arn = at->Arn(), .table_name = at->table_name, .stream_label = at->stream.label});
  }
  if (at != rows.end()) {
    output.last_evaluated_stream_arn = output.streams.back().stream_arn;
  }
  return output;
}

}  // namespace stator::engine
