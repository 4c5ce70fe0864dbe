#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "patterns/batch_run.h"
#include "patterns/expiry_check.h"
#include "stator/api/database.h"
#include "stator/patterns/batch.h"
#include "value/dynamodb_json.h"
#include "value/size.h"

namespace stator::patterns {

namespace {

// A call may have 16 MB of JSON; the rest is for names of tables and brackets.
constexpr std::size_t kCallBytesMax = limits::kBatchBytesMax - limits::kMegabyte;
// How much larger than DynamoDB counts it a value can be as JSON: an empty string in a list is 1
// byte to 9.
constexpr std::size_t kJsonGrowthMax = 9;

using Writes = std::map<std::string, std::vector<WriteRequest>>;

const Item& ItemOf(const WriteRequest& write) {
  const auto* put = std::get_if<PutRequest>(&write);
  return put != nullptr ? put->item : std::get<DeleteRequest>(write).key;
}

// At least as many bytes as the request has as JSON; exact when it is large.
std::size_t BytesOf(const WriteRequest& write) {
  constexpr std::size_t kWrapping = 64;
  const Item& item = ItemOf(write);
  const std::size_t bound = value::SizeOfItem(item) * kJsonGrowthMax;
  if (bound * limits::kBatchWriteRequestsMax <= kCallBytesMax) {
    return bound + kWrapping;
  }
  return value::ToDynamoDbJson(item).size() + kWrapping;
}

std::size_t CountOf(const Writes& writes) {
  std::size_t count = 0;
  for (const auto& [table, requests] : writes) {
    count += requests.size();
  }
  return count;
}

// Leaves one write per item, or says why not.
Result<void> Deduplicate(std::vector<TableWrites>& tables, const BatchOptions& options) {
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> places;
  std::vector<std::vector<bool>> replaced;
  for (std::size_t index = 0; index < tables.size(); ++index) {
    TableWrites& writes = tables[index];
    replaced.emplace_back(writes.writes.size(), false);
    if (writes.table.versioned && !options.allow_versioned) {
      return Invalid("items of table " + writes.table.table_name +
                     " carry revisions, which a batch would pass by");
    }
    for (std::size_t position = 0; position < writes.writes.size(); ++position) {
      const Result<Item> key = KeyOf(writes.table, ItemOf(writes.writes[position]));
      if (!key) {
        return std::unexpected(key.error());
      }
      TRY_VOID(CheckExpiry(writes.table, ItemOf(writes.writes[position])));
      const auto [known, added] =
          places.try_emplace(writes.table.table_name + KeyText(*key), std::pair(index, position));
      if (added) {
        continue;
      }
      if (options.duplicates == Duplicates::kRefuse) {
        return Invalid("two writes to one item of table " + writes.table.table_name + ": " +
                       std::to_string(known->second.second) + " and " + std::to_string(position));
      }
      replaced[known->second.first][known->second.second] = true;
      known->second = {index, position};
    }
  }
  for (std::size_t index = 0; index < tables.size(); ++index) {
    std::size_t position = 0;
    std::erase_if(tables[index].writes,
                  [&](const WriteRequest&) { return replaced[index][position++]; });
  }
  return {};
}

std::vector<Writes> Cut(std::vector<TableWrites>& tables, std::size_t per_call) {
  std::vector<Writes> parts;
  std::size_t count = per_call;
  std::size_t bytes = 0;
  for (TableWrites& writes : tables) {
    for (WriteRequest& write : writes.writes) {
      const std::size_t more = BytesOf(write);
      if (count == per_call || bytes + more > kCallBytesMax) {
        parts.emplace_back();
        count = 0;
        bytes = 0;
      }
      ++count;
      bytes += more;
      parts.back()[writes.table.table_name].push_back(std::move(write));
    }
    writes.writes.clear();
  }
  return parts;
}

// What is left of the parts, by table, in the layouts of the caller.
std::vector<TableWrites> Remaining(std::vector<TableWrites> tables, std::vector<Writes> parts) {
  for (Writes& part : parts) {
    for (auto& [name, requests] : part) {
      const auto table = std::find_if(tables.begin(), tables.end(), [&](const TableWrites& writes) {
        return writes.table.table_name == name;
      });
      std::move(requests.begin(), requests.end(), std::back_inserter(table->writes));
    }
  }
  std::erase_if(tables, [](const TableWrites& writes) { return writes.writes.empty(); });
  return tables;
}

}  // namespace

BatchWriter::BatchWriter(Database& database, BatchOptions options, Environment environment)
    : database_(&database), options_(std::move(options)), environment_(environment) {}

BatchWriteOutcome BatchWriter::Write(std::vector<TableWrites> tables) const {
  if (const Result<void> fit = Deduplicate(tables, options_); !fit) {
    return {.remaining = std::move(tables), .error = fit.error()};
  }
  std::vector<Writes> parts =
      Cut(tables, RequestsPerCall(options_, limits::kBatchWriteRequestsMax));
  std::vector<std::size_t> counts;
  std::size_t total = 0;
  for (const Writes& part : parts) {
    counts.push_back(CountOf(part));
    total += counts.back();
  }
  BatchRun run(options_, environment_, total);
  run.Run(std::move(counts), [&](std::size_t index) -> Result<std::size_t> {
    Result<BatchWriteItemOutput> output =
        database_->BatchWriteItem({.request_items = parts[index]});
    if (!output) {
      return std::unexpected(std::move(output).error());
    }
    parts[index] = std::move(output->unprocessed_items);
    return CountOf(parts[index]);
  });
  return {.written = run.done(),
          .sent_again = run.sent_again(),
          .remaining = Remaining(std::move(tables), std::move(parts)),
          .error = run.error()};
}

}  // namespace stator::patterns
