#include "shell/explainer.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/try.h"
#include "partiql/bind.h"
#include "partiql/plan.h"
#include "partiql/table_keys.h"
#include "shell/figure.h"
#include "shell/printable.h"
#include "value/plain_json.h"

namespace stator::shell {
namespace {

constexpr double kReadUnitBytes = 4096;
const std::optional<partiql::Parameters> kNoParameters;

std::string Joined(const std::vector<std::string_view>& texts) {
  std::string all;
  for (const std::string_view text : texts) {
    all.append(all.empty() ? "" : ", ").append(text);
  }
  return all;
}

// The attributes that are no keys, which the keys do not settle; all of them when there are no others.
std::string FilteredOn(std::vector<std::string_view> attributes,
                       const std::vector<KeySchemaElement>& keys) {
  const auto is_key = [&](std::string_view name) {
    return std::ranges::find(keys, name, &KeySchemaElement::attribute_name) != keys.end();
  };
  if (!std::ranges::all_of(attributes, is_key)) {
    std::erase_if(attributes, is_key);
  }
  return Joined(attributes);
}

std::string SortText(const expression::KeyComparison& sort) {
  using Kind = expression::KeyComparison::Kind;
  const std::string name(sort.attribute);
  const std::string value = value::ToPlainJson(*sort.value);
  switch (sort.kind) {
    case Kind::kEqual:
      return name + " = " + value;
    case Kind::kLess:
      return name + " < " + value;
    case Kind::kLessOrEqual:
      return name + " <= " + value;
    case Kind::kGreater:
      return name + " > " + value;
    case Kind::kGreaterOrEqual:
      return name + " >= " + value;
    case Kind::kBetween:
      return name + " BETWEEN " + value + " AND " + value::ToPlainJson(*sort.second);
    case Kind::kBeginsWith:
      return "begins_with(" + name + ", " + value + ")";
    case Kind::kNotIndexable:
      break;
  }
  return std::string(sort.attribute);
}

// A line for each range of each partition.
void AddKeys(const partiql::SelectPlan& plan, std::string_view partition_name,
             std::vector<std::string>& lines) {
  if (plan.partitions.empty()) {
    lines.emplace_back("  key     none: the conditions contradict each other");
  }
  for (const partiql::PartitionPlan& partition : plan.partitions) {
    for (const auto& range : partition.ranges) {
      lines.push_back("  key     " + std::string(partition_name) + " = " +
                      value::ToPlainJson(*partition.value) +
                      (range ? " AND " + SortText(*range) : ""));
    }
  }
}

std::string CostOfScan(std::int64_t items, std::int64_t bytes) {
  const double units = std::max(1.0, std::ceil(static_cast<double>(bytes) / kReadUnitBytes));
  return "  cost    reads all " + std::to_string(items) + " items, " + std::to_string(bytes) +
         " bytes: about " + Figure(units / 2) + " read units, " + Figure(units) +
         " when consistent";
}

std::string CostOfQuery(const partiql::SelectPlan& plan, bool is_whole_key) {
  if (is_whole_key) {
    return "  cost    one item at most: 0.5 read units for each 4 KB of it, 1 when consistent";
  }
  return plan.needs_filter
             ? "  cost    0.5 read units for each 4 KB that the keys select, before the filter"
             : "  cost    0.5 read units for each 4 KB that the keys select";
}

// The size of what a Scan reads: the table's, or the index's.
std::pair<std::int64_t, std::int64_t> SizeOf(const TableDescription& table,
                                             const std::optional<std::string>& index) {
  std::pair<std::int64_t, std::int64_t> size = {table.item_count, table.table_size_bytes};
  const auto look = [&](const auto& indexes) {
    if (!index || !indexes) {
      return;
    }
    for (const auto& each : *indexes) {
      if (each.index_name == *index) {
        size = {each.item_count, each.index_size_bytes};
      }
    }
  };
  look(table.global_secondary_indexes);
  look(table.local_secondary_indexes);
  return size;
}

std::string_view OperationOf(const partiql::Statement& statement) {
  if (statement.If<partiql::Insert>() != nullptr) {
    return "PutItem";
  }
  return statement.If<partiql::Update>() != nullptr ? "UpdateItem" : "DeleteItem";
}

}  // namespace

Result<const TableDescription*> Explainer::Describe(const std::string& table) {
  auto known = tables_.find(table);
  if (known == tables_.end()) {
    known = tables_.emplace(table, TRY(describe_(table))).first;
  }
  return &known->second;
}

Result<Explainer::Lines> Explainer::LinesOfSelect(const partiql::Statement& statement,
                                                  const partiql::Select& select, bool in_full) {
  const TableDescription& table = *TRY(Describe(select.table));
  const auto* elements = partiql::TableKeys::Find(table, select.index);
  if (elements == nullptr) {
    return Fail(ErrorCode::kIndexNotFound, "The table does not have the specified index");
  }
  const partiql::TableKeys keys(table, *elements);
  if (!keys.is_plannable()) {
    return Invalid(
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or "
        "multi-attribute RANGE keys.");
  }
  const auto where = TRY(partiql::BoundStatement(statement, kNoParameters).Bind(select.where));
  const expression::Condition* const condition = where ? &*where : nullptr;
  const partiql::SelectPlan plan = TRY(partiql::PlanSelect(select, condition, keys.schema()));
  Lines lines = {(plan.is_scan ? "Scan on " : "Query on ") + select.table +
                 (select.index ? "." + *select.index : "")};
  if (!in_full) {
    return lines;
  }
  lines.front() += plan.forward ? "" : ", backwards";
  if (!plan.is_scan) {
    AddKeys(plan, keys.schema().partition.front().name, lines);
  }
  if (where && plan.needs_filter) {
    lines.push_back("  filter  on " + FilteredOn(where->TopLevelAttributes(), *elements));
  }
  const auto [items, bytes] = SizeOf(table, select.index);
  const bool is_whole_key = !select.index && partiql::FindKey(condition, keys.schema()).has_value();
  lines.push_back(plan.is_scan ? CostOfScan(items, bytes) : CostOfQuery(plan, is_whole_key));
  return lines;
}

Result<void> Explainer::AddKeyOfWrite(const partiql::Statement& statement,
                                      const TableDescription& table, Lines& lines) {
  const auto* elements = partiql::TableKeys::Find(table, std::nullopt);
  if (elements == nullptr) {
    return {};  // it is being deleted
  }
  const partiql::TableKeys keys(table, *elements);
  const partiql::BoundStatement bound(statement, kNoParameters);
  Item key;
  bool has_rest = false;
  if (const auto* insert = statement.If<partiql::Insert>()) {
    key = bound.ItemOf(*insert);
  } else {
    const auto* update = statement.If<partiql::Update>();
    const auto where =
        TRY(bound.Bind(update != nullptr ? update->where : statement.If<partiql::Delete>()->where));
    partiql::KeyedItem found = TRY(partiql::FindKey(where ? &*where : nullptr, keys.schema()));
    key = std::move(found.key);
    has_rest = found.has_rest;
  }
  for (const KeySchemaElement& element : *elements) {
    const AttributeValue* value = key.Find(element.attribute_name);
    lines.push_back("  key     " + element.attribute_name + " = " +
                    (value != nullptr ? value::ToPlainJson(*value) : "(missing)"));
  }
  if (statement.If<partiql::Insert>() != nullptr) {
    lines.emplace_back("  only    when there is no such item");
  } else if (statement.If<partiql::Update>() != nullptr) {
    lines.emplace_back("  only    when the item is there");
  }
  if (has_rest) {
    lines.emplace_back("  only    under the rest of its condition");
  }
  return {};
}

Result<Explainer::Lines> Explainer::LinesOfWrite(const partiql::Statement& statement,
                                                 bool in_full) {
  Lines lines = {std::string(OperationOf(statement)) + " on " + statement.table()};
  if (!in_full) {
    return lines;
  }
  const TableDescription& table = *TRY(Describe(statement.table()));
  TRY_VOID(AddKeyOfWrite(statement, table, lines));
  const bool has_indexes = table.global_secondary_indexes || table.local_secondary_indexes;
  lines.push_back("  cost    1 write unit for each KB of the larger of the item before and after" +
                  std::string(has_indexes ? ", and for each index that holds it" : ""));
  return lines;
}

Result<Explainer::Lines> Explainer::LinesOf(const partiql::Statement& statement, bool in_full) {
  TRY_VOID(partiql::CheckParameters(statement, kNoParameters));
  if (const auto* select = statement.If<partiql::Select>()) {
    return LinesOfSelect(statement, *select, in_full);
  }
  if (statement.If<partiql::Exists>() != nullptr ||
      statement.If<partiql::Unsupported>() != nullptr) {
    return Invalid("EXISTS can only be used in ExecuteTransaction write requests.");
  }
  return LinesOfWrite(statement, in_full);
}

bool Explainer::IsRead(const std::string& statement) {
  const auto translated = partiql::Translate(statement);
  return translated && (*translated)->is_read();
}

Result<std::string> Explainer::Summary(const std::string& statement) {
  const auto translated = TRY(partiql::Translate(statement));
  const Lines lines = TRY(LinesOf(*translated, false));
  return Printable(lines.front());
}

Result<std::string> Explainer::Explain(const std::string& statement) {
  Forget();
  const auto translated = TRY(partiql::Translate(statement));
  std::string text;
  for (const std::string& line : TRY(LinesOf(*translated, true))) {
    text += Printable(line) + '\n';
  }
  return text;
}

std::vector<std::string> Explainer::KeysOf(const std::string& statement) {
  std::vector<std::string> names;
  const auto translated = partiql::Translate(statement);
  if (!translated || (*translated)->table().empty()) {
    return names;
  }
  const Result<const TableDescription*> table = Describe((*translated)->table());
  if (table && (*table)->key_schema) {
    for (const KeySchemaElement& element : *(*table)->key_schema) {
      names.push_back(element.attribute_name);
    }
  }
  return names;
}

}  // namespace stator::shell
