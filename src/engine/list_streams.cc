#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/stream_row.h"

namespace stator::engine {

Result<ListStreamsOutput> ListStreams(EngineCore& core, const ListStreamsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const std::int32_t limit = input.limit.value_or(kStreamsPerAnswerMax);
  if (limit > kStreamsPerAnswerMax) {
    return Invalid(
        "One or more parameter values were invalid: Limit cannot be greater than the maximum "
        "allowed size: " +
        std::to_string(kStreamsPerAnswerMax));
  }
  std::optional<std::uint32_t> after;
  if (input.exclusive_start_stream_arn) {
    after = TRY(FindStream(core, *input.exclusive_start_stream_arn)).stream.id;
  }
  ListStreamsOutput output;
  const auto wanted = static_cast<std::size_t>(limit);
  std::vector<std::uint32_t> ids = core.streams.List(after, input.table_name, wanted);
  while (!ids.empty() && output.streams.size() < wanted) {
    for (const std::uint32_t id : ids) {
      if (const std::optional<StreamRow> row = TRY(ReadStream(core, id))) {
        output.streams.push_back({.stream_arn = ArnOf(*row),
                                  .table_name = row->table_name,
                                  .stream_label = row->stream.label});
      }
    }
    // Usually one: what tells whether there are more.
    ids = core.streams.List(ids.back(), input.table_name, wanted + 1 - output.streams.size());
  }
  if (!ids.empty()) {
    output.last_evaluated_stream_arn = output.streams.back().stream_arn;
  }
  return output;
}

}  // namespace stator::engine
