#include <iterator>
#include <unordered_map>
#include <utility>

#include "base/limits.h"
#include "patterns/batch_run.h"
#include "patterns/projection.h"
#include "stator/api/database.h"
#include "stator/base/mutex.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"

namespace stator::patterns {

BatchReader::BatchReader(Database& database, BatchOptions options, Environment environment)
    : database_(&database), options_(std::move(options)), environment_(environment) {}

BatchReadOutcome BatchReader::Read(const TableLayout& table, const std::vector<Item>& keys,
                                   const BatchReadOptions& read) const {
  std::unordered_map<std::string, std::vector<std::size_t>> wanted;  // key to positions
  std::vector<std::vector<Item>> parts;
  std::size_t unique = 0;
  const std::size_t per_call = RequestsPerCall(options_, limits::kBatchGetKeysMax);
  for (std::size_t position = 0; position < keys.size(); ++position) {
    std::vector<std::size_t>& positions = wanted[KeyText(keys[position])];
    positions.push_back(position);
    if (positions.size() > 1) {
      continue;
    }
    if (unique++ % per_call == 0) {
      parts.emplace_back();
    }
    parts.back().push_back(keys[position]);
  }
  KeysAndAttributes request{.keys = {}, .consistent_read = read.consistent_read};
  Placeholders placeholders;
  request.projection_expression = placeholders.Compile(ProjectionOf(table, read.attributes));
  placeholders.Fill(request);

  BatchReadOutcome outcome{.items = std::vector<std::optional<Item>>(keys.size())};
  Mutex mutex;  // protects outcome.items
  const TimePoint now = environment_.clock->Now();
  const auto take = [&](Item item) {
    if (!read.include_expired && IsExpired(item, table, now)) {
      return;
    }
    const Result<Item> key = KeyOf(table, item);
    const auto found = key ? wanted.find(KeyText(*key)) : wanted.end();
    if (found == wanted.end()) {
      return;
    }
    const MutexLock lock(mutex);
    for (std::size_t index = 1; index < found->second.size(); ++index) {
      outcome.items[found->second[index]] = item;
    }
    outcome.items[found->second.front()] = std::move(item);
  };
  std::vector<std::size_t> counts;
  counts.reserve(parts.size());
  for (const std::vector<Item>& part : parts) {
    counts.push_back(part.size());
  }
  BatchRun run(options_, environment_, unique);
  run.Run(std::move(counts), [&](std::size_t index) -> Result<std::size_t> {
    KeysAndAttributes asked = request;
    asked.keys = parts[index];
    Result<BatchGetItemOutput> output =
        database_->BatchGetItem({.request_items = {{table.table_name, std::move(asked)}}});
    if (!output) {
      return std::unexpected(std::move(output).error());
    }
    for (Item& item : output->responses[table.table_name]) {
      take(std::move(item));
    }
    parts[index] = std::move(output->unprocessed_keys[table.table_name].keys);
    return parts[index].size();
  });
  outcome.sent_again = run.sent_again();
  outcome.error = run.error();
  for (std::vector<Item>& part : parts) {
    std::move(part.begin(), part.end(), std::back_inserter(outcome.remaining));
  }
  return outcome;
}

}  // namespace stator::patterns
