#include "partiql/plan.h"

#include <algorithm>
#include <utility>

#include "base/try.h"

namespace stator::partiql {

using expression::Condition;
using expression::ConditionNode;
using expression::KeyAttribute;
using expression::KeyComparison;
using expression::KeySchema;
using Kind = ConditionNode::Kind;

namespace {

// So many ways in which a condition can hold are looked at; with more it is a Scan.
constexpr std::size_t kBranchesMax = 256;
constexpr std::size_t kPartitionValuesMax = 50;

// One way in which a condition can hold, as far as keys are concerned.
struct Branch {
  std::vector<const AttributeValue*> partition;  // one of these values; empty for any
  bool has_partition = false;
  bool by_in = false;
  std::vector<KeyComparison> sort;
  bool negates_sort = false;
  bool has_more = false;  // what keys cannot decide
};

// A comparison of one attribute, as a whole, with values.
struct Comparison {
  std::string_view attribute;
  KeyComparison::Kind kind = KeyComparison::Kind::kEqual;
  const AttributeValue* value = nullptr;
  const AttributeValue* second = nullptr;
};

class Reader {
 public:
  Reader(const Condition& condition, const KeySchema& schema)
      : condition_(condition), tree_(condition.tree()), schema_(schema) {}

  // Nothing when there are too many branches.
  [[nodiscard]] std::optional<std::vector<Branch>> Branches() const {
    return BranchesOf(tree_.nodes[tree_.root()]);
  }

  // The conjuncts of the condition.
  void Conjuncts(const ConditionNode& node, std::vector<const ConditionNode*>& into) const {
    if (node.kind != Kind::kAnd) {
      into.push_back(&node);
      return;
    }
    for (const std::uint32_t operand : tree_.OperandsOf(node)) {
      Conjuncts(tree_.nodes[operand], into);
    }
  }
  [[nodiscard]] const ConditionNode& root() const { return tree_.nodes[tree_.root()]; }

  // Nothing for what is no comparison of an attribute with values.
  [[nodiscard]] std::optional<Comparison> ComparisonOf(const ConditionNode& node) const;

 private:
  [[nodiscard]] std::optional<std::vector<Branch>> BranchesOf(const ConditionNode& node) const;
  [[nodiscard]] std::optional<std::vector<Branch>> Product(const ConditionNode& node) const;
  [[nodiscard]] Branch Leaf(const ConditionNode& node) const;
  [[nodiscard]] std::optional<Branch> InLeaf(const ConditionNode& node) const;
  [[nodiscard]] bool Mentions(const ConditionNode& node, std::string_view attribute) const;

  [[nodiscard]] const ConditionNode& Operand(const ConditionNode& node, std::size_t index) const {
    return tree_.nodes[tree_.OperandsOf(node)[index]];
  }
  // The attribute when the operand is one as a whole.
  [[nodiscard]] std::optional<std::string_view> Attribute(const ConditionNode& operand) const {
    if (operand.kind != Kind::kPath || tree_.paths[operand.symbol()].step_count != 1) {
      return std::nullopt;
    }
    const expression::PathStep step = tree_.symbols.StepsOf(tree_.paths[operand.symbol()]).front();
    return condition_.bindings().names[step.number];
  }
  [[nodiscard]] const AttributeValue* Value(const ConditionNode& operand) const {
    return operand.kind == Kind::kValue ? condition_.bindings().values[operand.symbol()] : nullptr;
  }

  const Condition& condition_;
  const expression::ConditionTree& tree_;
  const KeySchema& schema_;
};

std::optional<KeyComparison::Kind> KeyKind(Kind kind, bool swapped) {
  using Key = KeyComparison::Kind;
  switch (kind) {
    case Kind::kEqual:
      return Key::kEqual;
    case Kind::kLess:
      return swapped ? Key::kGreater : Key::kLess;
    case Kind::kLessOrEqual:
      return swapped ? Key::kGreaterOrEqual : Key::kLessOrEqual;
    case Kind::kGreater:
      return swapped ? Key::kLess : Key::kGreater;
    case Kind::kGreaterOrEqual:
      return swapped ? Key::kLessOrEqual : Key::kGreaterOrEqual;
    case Kind::kBetween:
      return swapped ? std::nullopt : std::optional(Key::kBetween);
    case Kind::kBeginsWith:
      return swapped ? std::nullopt : std::optional(Key::kBeginsWith);
    default:
      return std::nullopt;
  }
}

std::optional<Comparison> Reader::ComparisonOf(const ConditionNode& node) const {
  if (!KeyKind(node.kind, false) || node.count < 2) {
    return std::nullopt;
  }
  const bool swapped = !Attribute(Operand(node, 0));
  const std::optional<std::string_view> attribute = Attribute(Operand(node, swapped ? 1 : 0));
  const AttributeValue* value = Value(Operand(node, swapped ? 0 : 1));
  const std::optional<KeyComparison::Kind> kind = KeyKind(node.kind, swapped);
  if (!attribute || value == nullptr || !kind) {
    return std::nullopt;
  }
  Comparison comparison{.attribute = *attribute, .kind = *kind, .value = value};
  if (node.kind == Kind::kBetween) {
    comparison.second = Value(Operand(node, 2));
    if (comparison.second == nullptr) {
      return std::nullopt;
    }
  }
  return comparison;
}

bool Reader::Mentions(const ConditionNode& node, std::string_view attribute) const {
  if (node.kind == Kind::kPath) {
    return Attribute(node) == attribute;
  }
  if (node.kind == Kind::kValue) {
    return false;
  }
  return std::ranges::any_of(tree_.OperandsOf(node), [&](std::uint32_t operand) {
    return Mentions(tree_.nodes[operand], attribute);
  });
}

std::optional<Branch> Reader::InLeaf(const ConditionNode& node) const {
  if (node.kind != Kind::kIn || Attribute(Operand(node, 0)) != schema_.partition.front().name) {
    return std::nullopt;
  }
  Branch branch;
  branch.has_partition = true;
  branch.by_in = true;
  for (std::size_t i = 1; i < node.count; ++i) {
    const AttributeValue* value = Value(Operand(node, i));
    if (value == nullptr) {
      return std::nullopt;
    }
    branch.partition.push_back(value);
  }
  return branch;
}

Branch Reader::Leaf(const ConditionNode& node) const {
  if (std::optional<Branch> in = InLeaf(node)) {
    return *std::move(in);
  }
  Branch branch;
  const std::optional<Comparison> comparison = ComparisonOf(node);
  if (comparison && comparison->attribute == schema_.partition.front().name &&
      comparison->kind == KeyComparison::Kind::kEqual) {
    branch.has_partition = true;
    branch.partition.push_back(comparison->value);
    return branch;
  }
  if (!schema_.sort.empty()) {
    const std::string_view sort = schema_.sort.front().name;
    if (comparison && comparison->attribute == sort) {
      branch.sort.push_back({.attribute = sort,
                             .kind = comparison->kind,
                             .value = comparison->value,
                             .second = comparison->second});
      return branch;
    }
    branch.negates_sort =
        (node.kind == Kind::kNot || node.kind == Kind::kNotEqual) && Mentions(node, sort);
  }
  branch.has_more = true;
  return branch;
}

std::optional<std::vector<Branch>> Reader::BranchesOf(const ConditionNode& node) const {
  if (node.kind == Kind::kAnd) {
    return Product(node);
  }
  std::vector<Branch> all;
  if (node.kind != Kind::kOr) {
    all.push_back(Leaf(node));
    return all;
  }
  for (const std::uint32_t operand : tree_.OperandsOf(node)) {
    std::optional<std::vector<Branch>> some = BranchesOf(tree_.nodes[operand]);
    if (!some || all.size() + some->size() > kBranchesMax) {
      return std::nullopt;
    }
    std::ranges::move(*some, std::back_inserter(all));
  }
  return all;
}

// Both hold: what `branch` says and what `other` says.
void Narrow(Branch& branch, const Branch& other) {
  branch.has_more = branch.has_more || other.has_more;
  branch.negates_sort = branch.negates_sort || other.negates_sort;
  branch.by_in = branch.by_in || other.by_in;
  branch.sort.insert(branch.sort.end(), other.sort.begin(), other.sort.end());
  if (other.has_partition && branch.has_partition) {
    std::erase_if(branch.partition, [&](const AttributeValue* value) {
      return std::ranges::none_of(other.partition,
                                  [&](const AttributeValue* known) { return *known == *value; });
    });
  } else if (other.has_partition) {
    branch.partition = other.partition;
  }
  branch.has_partition = branch.has_partition || other.has_partition;
}

std::optional<std::vector<Branch>> Reader::Product(const ConditionNode& node) const {
  std::vector<Branch> product(1);
  for (const std::uint32_t number : tree_.OperandsOf(node)) {
    const ConditionNode& operand = tree_.nodes[number];
    if (operand.kind != Kind::kAnd && operand.kind != Kind::kOr) {
      const Branch leaf = Leaf(operand);
      std::ranges::for_each(product, [&](Branch& branch) { Narrow(branch, leaf); });
      continue;
    }
    const std::optional<std::vector<Branch>> some = BranchesOf(operand);
    if (!some || product.size() * some->size() > kBranchesMax) {
      return std::nullopt;
    }
    std::vector<Branch> next;
    next.reserve(product.size() * some->size());
    for (const Branch& left : product) {
      for (const Branch& right : *some) {
        Narrow(next.emplace_back(left), right);
      }
    }
    product = std::move(next);
  }
  return product;
}

bool IsEmptyText(const AttributeValue& value) {
  const auto* string = value.If<std::string>();
  const auto* binary = value.If<Binary>();
  return (string != nullptr && string->empty()) || (binary != nullptr && binary->bytes.empty());
}

Result<void> CheckBranch(const Branch& branch, const KeySchema& schema) {
  for (const AttributeValue* value : branch.partition) {
    TRY_VOID(CheckKeyValue(schema.partition.front(), *value));
  }
  for (const KeyComparison& comparison : branch.sort) {
    TRY_VOID(CheckKeyValue(schema.sort.front(), *comparison.value));
    if (comparison.second != nullptr) {
      TRY_VOID(CheckKeyValue(schema.sort.front(), *comparison.second));
    }
  }
  return {};
}

Result<void> CheckOrder(const Select& select, const SelectPlan& plan, const KeySchema& schema) {
  const auto is_key = [&](const std::string& name) {
    const auto named = [&](const KeyAttribute& attribute) { return attribute.name == name; };
    return std::ranges::any_of(schema.partition, named) || std::ranges::any_of(schema.sort, named);
  };
  if (!select.where) {
    return Invalid("Must have WHERE clause in the statement when using ORDER BY clause.");
  }
  for (const SortKey& key : select.order) {
    if (!is_key(key.name)) {
      return Invalid("Variable reference " + key.name +
                     " in ORDER BY clause must be part of the primary key");
    }
  }
  if (plan.is_scan) {
    return Invalid(
        "Must have at least one non-optional hash key condition in WHERE clause when using ORDER "
        "BY clause.");
  }
  return {};
}

void AddBranch(const Branch& branch, SelectPlan& plan) {
  std::optional<KeyComparison> range;
  if (!branch.sort.empty()) {
    range = branch.sort.front();
  }
  for (const AttributeValue* value : branch.partition) {
    auto known = std::ranges::find_if(plan.partitions, [&](const PartitionPlan& partition) {
      return *partition.value == *value;
    });
    if (known == plan.partitions.end()) {
      plan.partitions.push_back({.value = value, .ranges = {}, .may_overlap = false});
      known = plan.partitions.end() - 1;
    }
    known->ranges.push_back(range);
    known->may_overlap = known->may_overlap || branch.negates_sort;
  }
}

}  // namespace

Result<void> CheckKeyValue(const KeyAttribute& attribute, const AttributeValue& value) {
  if (value.type() != attribute.type) {
    return Invalid("Key attribute's data type should match its data type in table's schema: Key " +
                   std::string(attribute.name));
  }
  if (IsEmptyText(value)) {
    return Invalid(
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
        "contain an empty " +
        std::string(value.If<std::string>() != nullptr ? "string" : "binary") +
        " value. Key: " + std::string(attribute.name));
  }
  return {};
}

Result<SelectPlan> PlanSelect(const Select& select, const Condition* where,
                              const KeySchema& schema) {
  SelectPlan plan;
  plan.needs_filter = where != nullptr;
  std::optional<std::vector<Branch>> branches;
  if (where != nullptr) {
    const Reader reader(*where, schema);
    plan.has_top_level_or = reader.root().kind == Kind::kOr;
    branches = reader.Branches();
  }
  const bool keyed = branches && std::ranges::all_of(*branches, &Branch::has_partition);
  if (branches) {
    for (const Branch& branch : *branches) {
      TRY_VOID(CheckBranch(branch, schema));
    }
  }
  if (keyed) {
    plan.is_scan = false;
    for (const Branch& branch : *branches) {
      if (branch.by_in && branch.partition.size() > kPartitionValuesMax) {
        return Invalid("The IN operator is provided with too many operands; number of operands: " +
                       std::to_string(branch.partition.size()));
      }
      plan.keyed_by_in = plan.keyed_by_in || branch.by_in;
      AddBranch(branch, plan);
    }
    const bool one = branches->size() == 1;
    const Branch& first = branches->front();
    plan.needs_filter = !one || first.has_more || first.sort.size() > 1;
    std::ranges::sort(plan.partitions, [](const PartitionPlan& left, const PartitionPlan& right) {
      return CompareScalars(*left.value, *right.value) < 0;
    });
  }
  if (!select.order.empty()) {
    TRY_VOID(CheckOrder(select, plan, schema));
    for (const SortKey& key : select.order) {
      if (!schema.sort.empty() && key.name == schema.sort.front().name) {
        plan.forward = !key.descending;
        break;
      }
    }
    const SortKey& first = select.order.front();
    if (first.name == schema.partition.front().name && first.descending) {
      std::ranges::reverse(plan.partitions);
    }
  }
  return plan;
}

Result<KeyedItem> FindKey(const Condition* where, const KeySchema& schema) {
  KeyedItem found;
  std::vector<const ConditionNode*> conjuncts;
  std::size_t keys = 0;
  if (where != nullptr) {
    const Reader reader(*where, schema);
    reader.Conjuncts(reader.root(), conjuncts);
    const auto take = [&](const KeyAttribute& attribute) -> Result<void> {
      const AttributeValue* known = nullptr;
      for (const ConditionNode* conjunct : conjuncts) {
        const std::optional<Comparison> comparison = reader.ComparisonOf(*conjunct);
        if (!comparison || comparison->attribute != attribute.name ||
            comparison->kind != KeyComparison::Kind::kEqual) {
          continue;
        }
        ++keys;
        if (known != nullptr && *known != *comparison->value) {
          return Invalid("Multiple conditions on same key " + std::string(attribute.name) +
                         ". Only single item Update/Insert/Delete are supported");
        }
        known = comparison->value;
      }
      if (known != nullptr) {
        TRY_VOID(CheckKeyValue(attribute, *known));
        found.key.Set(std::string(attribute.name), *known);
      }
      return {};
    };
    for (const KeyAttribute& attribute : schema.partition) {
      TRY_VOID(take(attribute));
    }
    for (const KeyAttribute& attribute : schema.sort) {
      TRY_VOID(take(attribute));
    }
  }
  if (found.key.size() != schema.partition.size() + schema.sort.size()) {
    return Invalid("Where clause does not contain a mandatory equality on all key attributes");
  }
  found.has_rest = conjuncts.size() > keys;
  return found;
}

}  // namespace stator::partiql
