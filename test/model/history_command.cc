// Streams, figures and the index that comes and goes, against the model.

#include <ostream>

#include "model/read_commands.h"

namespace stator::model {
namespace {

std::vector<StreamRecord> Records(Database& database, const std::string& table) {
  const std::string arn =
      *Must(database.DescribeTable({.table_name = table})).table.latest_stream_arn;
  const auto stream = Must(database.DescribeStream({.stream_arn = arn})).stream_description;
  std::string iterator =
      Must(database.GetShardIterator({.stream_arn = arn,
                                      .shard_id = stream.shards.front().shard_id,
                                      .shard_iterator_type = ShardIteratorType::kTrimHorizon}))
          .shard_iterator;
  std::vector<StreamRecord> records;
  while (true) {
    const auto output = Must(database.GetRecords({.shard_iterator = iterator, .limit = 7}));
    if (output.records.empty()) {
      return records;
    }
    records.insert(records.end(), output.records.begin(), output.records.end());
    iterator = *output.next_shard_iterator;
  }
}

std::optional<Item> ToOptionalItem(const std::optional<Attributes>& item) {
  return item ? std::optional(ToItem(*item)) : std::nullopt;
}

StreamEventName EventOf(const Change& change) {
  if (!change.before) {
    return StreamEventName::kInsert;
  }
  return change.after ? StreamEventName::kModify : StreamEventName::kRemove;
}

void CheckStream(const Table& table, Database& database) {
  const std::vector<StreamRecord> records = Records(database, table.name);
  std::size_t told = 0;
  for (const auto& [key, changes] : table.changes) {
    auto change = changes.begin();
    for (const StreamRecord& record : records) {
      if (record.keys != KeyItem(table, key)) {
        continue;
      }
      RC_ASSERT(change != changes.end());
      RC_ASSERT(record.event_name == EventOf(*change));
      RC_ASSERT(record.old_image == ToOptionalItem(change->before));
      RC_ASSERT(record.new_image == ToOptionalItem(change->after));
      ++change;
      ++told;
    }
    RC_ASSERT(change == changes.end());
  }
  RC_ASSERT(told == records.size());
}

void CheckFigures(const Table& table, Database& database) {
  const TableDescription described = Must(database.DescribeTable({.table_name = table.name})).table;
  RC_ASSERT(described.item_count == static_cast<std::int64_t>(table.items.size()));
  if (!described.global_secondary_indexes) {
    return;
  }
  for (const auto& index : *described.global_secondary_indexes) {
    const Index* known = table.FindIndex(index.index_name);
    RC_ASSERT(known != nullptr);
    RC_ASSERT(index.item_count == static_cast<std::int64_t>(RowsOf(table, known).size()));
  }
}

}  // namespace

HistoryCommand::HistoryCommand(const Model& /*model*/) {}

void HistoryCommand::run(const Model& model, Sut& sut) const {
  ++sut.commands;
  for (const Table& table : model.tables) {
    CheckStream(table, *sut.database);
    CheckFigures(table, *sut.database);
  }
}

void HistoryCommand::show(std::ostream& out) const {
  out << "history";
}

IndexCommand::IndexCommand(const Model& /*model*/) {}

void IndexCommand::apply(Model& model) const {
  Index& index = model.tables[0].indexes.back();
  index.there = !index.there;
}

void IndexCommand::run(const Model& model, Sut& sut) const {
  ++sut.commands;
  const Index& index = model.tables[0].indexes.back();
  GlobalSecondaryIndexUpdate update = DeleteGlobalSecondaryIndexAction{index.name};
  if (!index.there) {
    update = GlobalSecondaryIndex{
        .index_name = index.name,
        .key_schema = {{index.partition, KeyType::kHash}, {*index.sort, KeyType::kRange}},
        .projection = {.projection_type = ProjectionType::kAll}};
  }
  Must(sut.database->UpdateTable(
      {.table_name = model.tables[0].name,
       .attribute_definitions =
           std::vector<AttributeDefinition>{{"g", ScalarAttributeType::kString},
                                            {"h", ScalarAttributeType::kNumber}},
       .global_secondary_index_updates = std::vector<GlobalSecondaryIndexUpdate>{update}}));
  sut.database->AwaitBackgroundJobs();
}

void IndexCommand::show(std::ostream& out) const {
  out << "make or drop the index";
}

}  // namespace stator::model
