#include "engine/table_row.h"

#include <utility>

#include "base/try.h"

namespace stator::engine {
namespace {

keyspace::Figures FiguresOf(const Statistics& statistics) {
  return {.items = statistics.items.load(), .bytes = statistics.bytes.load()};
}

std::shared_ptr<Statistics> StatisticsOf(const keyspace::Figures& figures) {
  auto statistics = std::make_shared<Statistics>();
  statistics->items = figures.items;
  statistics->bytes = figures.bytes;
  return statistics;
}

}  // namespace

keyspace::TableRow RowOf(const Table& table) {
  keyspace::TableRow row{.settings = static_cast<const keyspace::TableSettings&>(table),
                         .indexes = {},
                         .figures = FiguresOf(*table.statistics)};
  for (const Index& index : table.indexes) {
    row.indexes.push_back({.settings = static_cast<const keyspace::IndexSettings&>(index),
                           .figures = FiguresOf(*index.statistics)});
  }
  return row;
}

void AppendTable(const Table& table, std::string& bytes) {
  keyspace::AppendTableRow(RowOf(table), bytes);
}

Result<Table> DecodeTable(std::string_view bytes) {
  return TableOf(TRY(keyspace::DecodeTableRow(bytes)));
}

Table TableOf(keyspace::TableRow row) {
  Table table;
  static_cast<keyspace::TableSettings&>(table) = std::move(row.settings);
  table.statistics = StatisticsOf(row.figures);
  SetContributors(table);
  for (keyspace::IndexRow& stored : row.indexes) {
    Index& index = table.indexes.emplace_back();
    static_cast<keyspace::IndexSettings&>(index) = std::move(stored.settings);
    index.statistics = StatisticsOf(stored.figures);
    SetContributors(index);
  }
  return table;
}

}  // namespace stator::engine
