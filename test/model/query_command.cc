// Query and Scan against the model.

#include <algorithm>
#include <ostream>

#include "model/read_commands.h"

namespace stator::model {
namespace {

constexpr int kPagesMax = 10'000;

const Value* Find(const Attributes& item, const std::string& name) {
  const auto found = item.find(name);
  return found == item.end() ? nullptr : &found->second;
}

struct Read {
  std::vector<Item> items;
  std::size_t count = 0;
  std::size_t scanned = 0;
};

template <class Input, class Page>
Read ReadAll(Input input, const Page& page) {
  Read read;
  for (int number = 0; number < kPagesMax; ++number) {
    auto output = Must(page(input));
    RC_ASSERT((!input.limit || output.scanned_count <= *input.limit));
    read.items.insert(read.items.end(), output.items->begin(), output.items->end());
    read.count += static_cast<std::size_t>(output.count);
    read.scanned += static_cast<std::size_t>(output.scanned_count);
    if (!output.last_evaluated_key) {
      return read;
    }
    input.exclusive_start_key = output.last_evaluated_key;
  }
  RC_FAIL("the pages do not end");
}

// Equal as bags.
void AssertSameItems(std::vector<Item> found, const std::vector<Item>& expected) {
  const std::string shown = ShowItems(found) + " instead of " + ShowItems(expected);
  for (const Item& item : expected) {
    const auto at = std::find(found.begin(), found.end(), item);
    if (at == found.end()) {
      RC_FAIL("missing: " + shown);
    }
    found.erase(at);
  }
  if (!found.empty()) {
    RC_FAIL("too many: " + shown);
  }
}

void AssertInOrder(const std::vector<Item>& items, const std::string& sort) {
  for (std::size_t at = 1; at < items.size(); ++at) {
    const auto order = CompareScalars(items[at - 1].at(sort), items[at].at(sort));
    if (order == std::partial_ordering::greater) {
      RC_FAIL("not in order: " + ShowItems(items));
    }
  }
}

}  // namespace

std::vector<Attributes> RowsOf(const Table& table, const Index* index) {
  std::vector<Attributes> rows;
  for (const auto& [key, item] : table.items) {
    if (index == nullptr) {
      rows.push_back(item);
      continue;
    }
    const Value* partition = Find(item, index->partition);
    const Value* sort = index->sort ? Find(item, *index->sort) : nullptr;
    if (partition == nullptr || (index->sort && sort == nullptr)) {
      continue;
    }
    Attributes row = item;
    if (index->keys_only) {
      row = table.KeyAttributes(key);
      row[index->partition] = *partition;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

QueryCommand::QueryCommand(const Model& model)
    : table_(AnyTable()), filter_(AnyCondition(true)), page_(*rc::gen::inRange(1, 5)) {
  const Table& table = model.tables[table_];
  partition_name_ = table.partition;
  std::optional<std::string> sort = table.sort;
  if (!table.indexes.empty() && *rc::gen::inRange(0, 4) > 0) {
    const Index index = *rc::gen::elementOf(table.indexes);
    index_ = index.name;
    partition_name_ = index.partition;
    sort = index.sort;
  }
  const auto number = [] { return *rc::gen::inRange<std::int64_t>(-1, 4); };
  const auto text = [] { return *rc::gen::element<std::string>("a", "ab", "b", "ba"); };
  if (partition_name_ == "h") {
    partition_ = number();
  } else if (partition_name_ == "g") {
    partition_ = text();
  } else {
    partition_ = *rc::gen::element<std::string>("p", "q", "r");
  }
  sort_name_ = sort.value_or("");
  if (sort && *rc::gen::arbitrary<bool>()) {
    using Kind = Comparison::Kind;
    sort_kind_ = *sort == "g" ? *rc::gen::element(Kind::kEqual, Kind::kLess, Kind::kAtLeast,
                                                  Kind::kBeginsWith)
                              : *rc::gen::element(Kind::kEqual, Kind::kLess, Kind::kAtLeast);
    sort_value_ = *sort == "g" ? Value(text()) : Value(number());
  }
  // A filter looks at what the index holds and at no key.
  const bool keys_only = index_ == "keys";
  std::erase_if(filter_.comparisons, [&](const Comparison& comparison) {
    return keys_only || comparison.attribute == partition_name_ ||
           comparison.attribute == sort_name_;
  });
}

void QueryCommand::checkPreconditions(const Model& model) const {
  RC_PRE((!index_ || model.tables[table_].FindIndex(*index_) != nullptr));
}

bool QueryCommand::Selects(const Value* sort) const {
  if (!sort_kind_) {
    return true;
  }
  const Attributes only_sort{{"s", *sort}};
  return Comparison{.kind = *sort_kind_, .attribute = "s", .value = sort_value_}.Holds(&only_sort);
}

QueryCommand::Expected QueryCommand::Expect(const Model& model) const {
  const Table& table = model.tables[table_];
  const Index* index = index_ ? table.FindIndex(*index_) : nullptr;
  Expected expected;
  for (const Attributes& row : RowsOf(table, index)) {
    const Value* sort = sort_name_.empty() ? nullptr : Find(row, sort_name_);
    if (row.at(partition_name_) != partition_ || !Selects(sort)) {
      continue;
    }
    ++expected.selected;
    if (filter_.Holds(&row)) {
      expected.items.push_back(ToItem(row));
    }
  }
  return expected;
}

QueryInput QueryCommand::Input(const Model& model) const {
  Map values{{":pk", ToValue(partition_)}};
  QueryInput input{.table_name = model.tables[table_].name,
                   .index_name = index_,
                   .key_condition_expression = partition_name_ + " = :pk"};
  if (sort_kind_) {
    const Condition sort{
        .comparisons = {{.kind = *sort_kind_, .attribute = sort_name_, .value = sort_value_}}};
    *input.key_condition_expression += " AND " + TextOf(sort, "s", values);
  }
  if (!filter_.empty()) {
    input.filter_expression = TextOf(filter_, "f", values);
  }
  input.expression_attribute_values = std::move(values);
  return input;
}

void QueryCommand::run(const Model& model, Sut& sut) const {
  ++sut.commands;
  const Expected expected = Expect(model);
  const auto page = [&](const QueryInput& input) { return sut.database->Query(input); };
  QueryInput input = Input(model);
  const Read whole = ReadAll(input, page);
  AssertSameItems(whole.items, expected.items);
  RC_ASSERT(whole.scanned == expected.selected);
  RC_ASSERT(whole.count == expected.items.size());
  if (!sort_name_.empty()) {
    AssertInOrder(whole.items, sort_name_);
  }
  input.limit = page_;
  RC_ASSERT(ReadAll(input, page).items == whole.items);
  input.scan_index_forward = false;
  const Read backward = ReadAll(input, page);
  RC_ASSERT(backward.items == (std::vector<Item>(whole.items.rbegin(), whole.items.rend())));
  RC_ASSERT(backward.scanned == expected.selected);
}

void QueryCommand::show(std::ostream& out) const {
  Map values;
  out << "query " << table_ << " " << index_.value_or("") << " " << partition_name_ << " = "
      << Show(partition_);
  if (sort_kind_) {
    out << " and " << sort_name_ << " " << static_cast<int>(*sort_kind_) << " "
        << Show(sort_value_);
  }
  out << " filter " << TextOf(filter_, "f", values) << " by " << page_;
}

ScanCommand::ScanCommand(const Model& model)
    : table_(AnyTable()),
      filter_(AnyCondition(true)),
      segments_(*rc::gen::inRange(1, 5)),
      page_(*rc::gen::inRange(1, 6)) {
  const Table& table = model.tables[table_];
  if (!table.indexes.empty() && *rc::gen::arbitrary<bool>()) {
    index_ = (*rc::gen::elementOf(table.indexes)).name;
  }
  if (index_ == "keys") {
    filter_ = {};
  }
}

void ScanCommand::checkPreconditions(const Model& model) const {
  RC_PRE((!index_ || model.tables[table_].FindIndex(*index_) != nullptr));
}

void ScanCommand::run(const Model& model, Sut& sut) const {
  ++sut.commands;
  const Table& table = model.tables[table_];
  std::vector<Item> expected;
  for (const Attributes& row : RowsOf(table, index_ ? table.FindIndex(*index_) : nullptr)) {
    if (filter_.Holds(&row)) {
      expected.push_back(ToItem(row));
    }
  }
  ScanInput input{.table_name = table.name, .index_name = index_, .limit = page_};
  if (!filter_.empty()) {
    Map values;
    input.filter_expression = TextOf(filter_, "f", values);
    if (!values.empty()) {
      input.expression_attribute_values = std::move(values);
    }
  }
  std::vector<Item> found;
  for (std::int32_t segment = 0; segment < segments_; ++segment) {
    input.segment = segment;
    input.total_segments = segments_;
    const Read read =
        ReadAll(input, [&](const ScanInput& each) { return sut.database->Scan(each); });
    found.insert(found.end(), read.items.begin(), read.items.end());
  }
  AssertSameItems(found, expected);
}

void ScanCommand::show(std::ostream& out) const {
  Map values;
  out << "scan " << table_ << " " << index_.value_or("") << " filter "
      << TextOf(filter_, "f", values) << " in " << segments_ << " by " << page_;
}

}  // namespace stator::model
