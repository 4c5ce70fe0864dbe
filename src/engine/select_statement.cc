#include "engine/select_statement.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "api/layers.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/contributors.h"
#include "engine/key_paths.h"
#include "engine/next_token.h"
#include "engine/page.h"
#include "engine/query_range.h"
#include "keyspace/key_range.h"
#include "partiql/answer.h"

namespace stator::engine {
namespace {

Result<ReadSource> SourceOf(const EngineCore& core, const ExecuteStatementInput& input,
                            const partiql::Select& select) {
  TablePtr table = TRY(core.catalog.Find(select.table));
  if (select.index) {
    const Index* index = table->FindIndex(*select.index);
    if (index == nullptr || index->status == IndexStatus::kDeleting) {
      return Fail(ErrorCode::kIndexNotFound, "The table does not have the specified index");
    }
    TRY_VOID(CheckKeysOfOneAttribute(*index));
    if (index->global && input.consistent_read) {
      return Invalid("Strongly consistent read is not supported on Global Secondary Indexes");
    }
  }
  return FindSource(std::move(table), select.index, input.consistent_read);
}

// What the source lacks of the attributes, as a list of names.
template <class Attributes>
std::string MissingIn(const ReadSource& source, const Attributes& attributes) {
  std::vector<std::string_view> missing;
  for (const std::string_view attribute : attributes) {
    if (!source.Projects(attribute) && std::ranges::find(missing, attribute) == missing.end()) {
      missing.push_back(attribute);
    }
  }
  std::string names;
  for (const std::string_view name : missing) {
    names.append(names.empty() ? "" : ", ").append(name);
  }
  return names;
}

// What is fetched from the table for a read of an index.
Result<Selection> SelectionOf(const ReadSource& source, const partiql::Select& select,
                              const expression::Condition* where, const partiql::SelectPlan& plan) {
  Selection selection;
  if (source.index == nullptr) {
    return selection;
  }
  std::vector<std::string_view> attributes;
  for (const partiql::Projected& projected : select.projection) {
    attributes.push_back(projected.path.front().name);
  }
  if (const std::string missing = MissingIn(source, attributes); !missing.empty()) {
    if (source.index->global) {
      return Invalid("One or more parameter values were invalid: Global secondary index " +
                     source.index->name + " does not project [" + missing + "]");
    }
    selection = {.whole_items = true, .fetches_dropped = true};
  }
  if (where == nullptr || plan.is_scan || plan.has_top_level_or) {
    return selection;
  }
  if (const std::string missing = MissingIn(source, where->TopLevelAttributes());
      !missing.empty()) {
    return Invalid("One or more parameter values were invalid: Secondary index " +
                   source.index->name + " does not project one or more filter attributes: [" +
                   missing + "]");
  }
  return selection;
}

// Most often there is nothing before.
template <class T>
void MoveBehind(std::vector<T>&& more, std::vector<T>& all) {
  if (all.empty()) {
    all = std::move(more);
  } else {
    std::ranges::move(more, std::back_inserter(all));
  }
}

bool Overlap(const keyspace::KeyRange& left, const keyspace::KeyRange& right) {
  return left.begin < right.end && right.begin < left.end;
}

// The rows of one partition, as runs in ascending order that do not touch each other.
Result<std::vector<keyspace::KeyRange>> RowsOf(const ReadSource& source,
                                               const partiql::PartitionPlan& partition) {
  std::vector<keyspace::KeyRange> rows;
  bool has_condition = false;
  for (const auto& condition : partition.ranges) {
    has_condition = has_condition || condition.has_value();
    expression::MatchedKeyCondition range;
    range.partition = {partition.value};
    if (condition && condition->kind == expression::KeyComparison::Kind::kEqual) {
      range.sort_equal = {condition->value};
    } else {
      range.sort_range = condition;
    }
    rows.push_back(RangeOf(source, range).rows);
  }
  if (rows.size() == 1) {
    return rows;
  }
  std::ranges::sort(rows, {}, &keyspace::KeyRange::begin);
  std::vector<keyspace::KeyRange> merged;
  for (keyspace::KeyRange& range : rows) {
    if (merged.empty() || !Overlap(merged.back(), range)) {
      merged.push_back(std::move(range));
      continue;
    }
    if (has_condition && !partition.may_overlap) {
      return Invalid("Overlapping conditions with range keys are not supported in where clause");
    }
    merged.back().end = std::max(merged.back().end, range.end);
  }
  return merged;
}

Result<std::vector<keyspace::KeyRange>> RangesOf(const ReadSource& source,
                                                 const partiql::SelectPlan& plan) {
  if (plan.is_scan) {
    return std::vector<keyspace::KeyRange>{
        source.index != nullptr ? keyspace::IndexSegment(source.table->id, source.index->id, 0, 1)
                                : keyspace::ItemSegment(source.table->id, 0, 1)};
  }
  std::vector<keyspace::KeyRange> ranges;
  for (const partiql::PartitionPlan& partition : plan.partitions) {
    std::vector<keyspace::KeyRange> rows = TRY(RowsOf(source, partition));
    if (!plan.forward) {
      std::ranges::reverse(rows);
    }
    MoveBehind(std::move(rows), ranges);
  }
  return ranges;
}

// Whether each range is one item of the table.
bool NameItems(const ReadSource& source, const partiql::SelectPlan& plan) {
  using Kind = expression::KeyComparison::Kind;
  return source.index == nullptr && !plan.is_scan &&
         std::ranges::all_of(plan.partitions, [&](const partiql::PartitionPlan& partition) {
           return std::ranges::all_of(partition.ranges, [&](const auto& condition) {
             return !source.table->sort || (condition && condition->kind == Kind::kEqual);
           });
         });
}

// Reads ranges one after the other until the page is full.
class SelectReader {
 public:
  SelectReader(const EngineCore& core, const ExecuteStatementInput& input, const ReadSource& source,
               const partiql::SelectPlan& plan, const expression::Condition* filter,
               Selection selection, std::optional<std::uint64_t> as_of)
      : core_(core),
        input_(input),
        source_(source),
        plan_(plan),
        filter_(filter),
        selection_(selection),
        as_of_(as_of),
        names_items_(NameItems(source, plan)),
        limit_(input.limit) {
    if (plan.keyed_by_in) {
      limit_ = std::min(limit_.value_or(limits::kPartitionInPageMax), limits::kPartitionInPageMax);
    }
  }

  // Where the next page begins; nothing when there is none.
  Result<std::optional<NextPage>> Read(const std::vector<keyspace::KeyRange>& ranges,
                                       std::optional<NextPage> start, std::vector<Item>& items,
                                       Usage& usage) {
    std::optional<Item> start_key;
    std::size_t number = 0;
    if (start) {
      number = start->range;
      start_key = std::move(start->start_key);
      TRY_VOID(CheckStart(ranges, number, *start_key));
    }
    std::int32_t scanned = 0;
    PageSpent spent;
    if (ranges.empty()) {
      AddNothing(usage);
    }
    for (; number < ranges.size(); ++number) {
      Page page = TRY(ReadPage(core_,
                               {.source = source_,
                                .range = ranges[number],
                                .forward = plan_.forward,
                                .limit = limit_ ? std::optional(*limit_ - scanned) : std::nullopt,
                                .start_key = start_key,
                                .filter = filter_,
                                .projection = nullptr,
                                .selection = selection_,
                                .consistent_read = input_.consistent_read,
                                .spent = spent,
                                .as_of = as_of_,
                                .is_one_item = names_items_},
                               usage));
      MoveBehind(std::move(page.items), items);
      scanned += page.scanned_count;
      spent = page.spent;
      if (page.last_evaluated_key) {
        return NextPage{.range = static_cast<std::uint32_t>(number),
                        .start_key = *std::move(page.last_evaluated_key)};
      }
      start_key.reset();
    }
    return std::nullopt;
  }

 private:
  // A token is bound to its statement, but the table may be another one of the same name.
  [[nodiscard]] Result<void> CheckStart(const std::vector<keyspace::KeyRange>& ranges,
                                        std::size_t number, const Item& start_key) const {
    if (number >= ranges.size() || !CheckStartKey(source_, start_key, api::Layer::kOlder)) {
      return Invalid("Invalid NextToken");
    }
    const std::string row = source_.RowKeyOf(start_key);
    if (row < ranges[number].begin || row >= ranges[number].end) {
      return Invalid("Invalid NextToken");
    }
    return {};
  }

  void AddNothing(Usage& usage) const {
    const double units = ReadUnits(0, input_.consistent_read);
    if (source_.index != nullptr) {
      usage.AddIndex(*source_.index, units);
    } else {
      usage.AddTable(units);
    }
  }

  const EngineCore& core_;
  const ExecuteStatementInput& input_;
  const ReadSource& source_;
  const partiql::SelectPlan& plan_;
  const expression::Condition* filter_;
  Selection selection_;
  const std::optional<std::uint64_t> as_of_;
  const bool names_items_;
  std::optional<std::int32_t> limit_;
};

}  // namespace

Result<void> CheckKeysOfOneAttribute(const Index& index) {
  if (index.partition.size() > 1 || index.sort.size() > 1) {
    return Invalid(
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or "
        "multi-attribute RANGE keys.");
  }
  return {};
}

PlannerKeys::PlannerKeys(const ReadSource& source)
    : partition(KeysForExpressions(source.Partition())), sort(KeysForExpressions(source.Sort())) {}

Result<ExecuteStatementOutput> RunSelect(EngineCore& core, const ExecuteStatementInput& input,
                                         const partiql::BoundStatement& bound,
                                         const partiql::Select& select) {
  const std::optional<expression::Condition> where = TRY(bound.Bind(select.where));
  const expression::Condition* condition = where ? &*where : nullptr;
  const ReadSource source = TRY(SourceOf(core, input, select));
  if (where) {
    TRY_VOID(CheckKeyPaths(*source.table, *where));
  }
  const PlannerKeys keys(source);
  const partiql::SelectPlan plan = TRY(partiql::PlanSelect(select, condition, keys.schema()));
  const Selection selection = TRY(SelectionOf(source, select, condition, plan));
  const std::vector<keyspace::KeyRange> ranges = TRY(RangesOf(source, plan));

  std::string digest;
  std::optional<NextPage> start;
  if (input.next_token) {
    digest = StatementDigest(select, condition);
    start = TRY(DecodeNextToken(digest, *input.next_token));
  }
  const std::optional<HistoryKeeper::Lease> lease = TRY(LeaseFor(core, source, input.as_of));
  Usage usage(select.table, Usage::Kind::kRead);
  ExecuteStatementOutput output;
  SelectReader reader(core, input, source, plan, plan.needs_filter ? condition : nullptr, selection,
                      lease ? std::optional(lease->time()) : std::nullopt);
  const std::optional<NextPage> next =
      TRY(reader.Read(ranges, std::move(start), output.items, usage));
  if (Contributors* const contributors = source.contributors();
      contributors != nullptr && !plan.is_scan) {
    for (const keyspace::KeyRange& range : ranges) {
      contributors->CountPartition(range.begin,
                                   usage.TotalUnits() / static_cast<double>(ranges.size()));
    }
  }
  if (next) {
    if (digest.empty()) {
      digest = StatementDigest(select, condition);
    }
    output.next_token = EncodeNextToken(digest, *next);
  }
  if (!select.projection.empty()) {
    for (Item& item : output.items) {
      item = partiql::Answer(select.projection, item);
    }
  }
  output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  if (lease) {
    output.as_of = TimeOfCommit(lease->time());
  }
  return output;
}

}  // namespace stator::engine
