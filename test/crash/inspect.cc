#include "inspect.h"

#include <utility>

#include "base/try.h"
#include "engine/check_database.h"

namespace stator::crash {
namespace {

constexpr int kPagesMax = 10'000;

Result<void> ReadTable(Database& database, const std::string& table, Items& items) {
  ScanInput input{.table_name = table, .limit = 50, .consistent_read = true};
  for (int page = 0; page < kPagesMax; ++page) {
    ScanOutput output = TRY(database.Scan(input));
    for (Item& item : *output.items) {
      ItemName name = NameOf(table, item);
      if (!items.emplace(std::move(name), std::move(item)).second) {
        return Invalid("a scan returned an item twice");
      }
    }
    if (!output.last_evaluated_key) {
      return {};
    }
    input.exclusive_start_key = std::move(output.last_evaluated_key);
  }
  return Invalid("a scan does not end");
}

Result<std::vector<StreamRecord>> ReadRecords(Database& database) {
  const std::string arn =
      TRY(database.DescribeTable({.table_name = kOrders})).table.latest_stream_arn.value_or("");
  const StreamDescription stream =
      TRY(database.DescribeStream({.stream_arn = arn})).stream_description;
  std::string iterator =
      TRY(database.GetShardIterator({.stream_arn = arn,
                                     .shard_id = stream.shards.at(0).shard_id,
                                     .shard_iterator_type = ShardIteratorType::kTrimHorizon}))
          .shard_iterator;
  std::vector<StreamRecord> records;
  for (int page = 0; page < kPagesMax; ++page) {
    GetRecordsOutput output = TRY(database.GetRecords({.shard_iterator = iterator}));
    if (output.records.empty()) {
      return records;
    }
    records.insert(records.end(), std::make_move_iterator(output.records.begin()),
                   std::make_move_iterator(output.records.end()));
    iterator = output.next_shard_iterator.value_or("");
  }
  return Invalid("a stream does not end");
}

std::optional<std::string> ProblemWithReport(const Result<engine::CheckReport>& report,
                                             bool jobs_are_done) {
  if (!report) {
    return report.error().message;
  }
  if (!report->clean()) {
    return std::to_string(report->problems.count) +
           " problems; the first: " + report->problems.texts.front();
  }
  if (jobs_are_done && report->notes.count > 0) {
    return "left to do: " + report->notes.texts.front();
  }
  return std::nullopt;
}

}  // namespace

Result<Items> ReadItems(Database& database) {
  Items items;
  TRY_VOID(ReadTable(database, kOrders, items));
  TRY_VOID(ReadTable(database, kAccounts, items));
  return items;
}

std::optional<std::string> ProblemWithStream(Database& database, const Items& found) {
  const Result<std::vector<StreamRecord>> records = ReadRecords(database);
  if (!records) {
    return records.error().message;
  }
  Items told;
  for (const StreamRecord& record : *records) {
    const ItemName name = NameOf(kOrders, record.keys);
    const auto before = told.find(name);
    const bool fits = before == told.end()
                          ? !record.old_image
                          : record.old_image && *record.old_image == before->second;
    if (!fits) {
      return "record " + record.sequence_number + " of item " + name.second +
             " does not follow the one before it";
    }
    if (record.new_image) {
      told.insert_or_assign(name, *record.new_image);
    } else {
      told.erase(name);
    }
  }
  Items orders;
  for (const auto& [name, item] : found) {
    if (name.first == kOrders) {
      orders.emplace(name, item);
    }
  }
  if (told != orders) {
    return "the stream tells of " + std::to_string(told.size()) + " items, not of the " +
           std::to_string(orders.size()) + " that there are";
  }
  return std::nullopt;
}

std::optional<std::string> ProblemOnDisk(const storage::StoreOptions& options) {
  return ProblemWithReport(engine::CheckDatabase(options), false);
}

std::optional<std::string> ProblemOrJobOnDisk(const storage::StoreOptions& options) {
  return ProblemWithReport(engine::CheckDatabase(options), true);
}

}  // namespace stator::crash
