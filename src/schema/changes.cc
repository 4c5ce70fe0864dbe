#include "stator/schema/changes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stator::schema {
namespace {

constexpr std::string_view kReads = "reads it";
constexpr std::string_view kFails = "fails";

// In the order of Change.
constexpr std::array<ChangeRule, kChangeKinds> kRules = {{
    {Change::kOptionalFieldAdded, "optional field added", kReads, kReads, Demand::kUpdate},
    {Change::kRequiredFieldAdded, "required field added", kFails, kReads, Demand::kBumpAndStep},
    {Change::kFieldRemoved, "field removed", kReads, "fails if it was required", Demand::kBump},
    {Change::kFieldRenamed, "field renamed", kFails, kFails, Demand::kBumpAndStep},
    {Change::kTypeWidened, "type widened", kReads, "may overflow", Demand::kBump},
    {Change::kTypeChanged, "type changed or narrowed", kFails, kFails, Demand::kBumpAndStep},
    {Change::kEnumeratorAdded, "enumerator added", kReads, kFails, Demand::kBump},
    {Change::kEnumeratorRemoved, "enumerator removed", kFails, kReads, Demand::kBumpAndStep},
    {Change::kBecameRequired, "became required", kFails, kReads, Demand::kBumpAndStep},
    {Change::kBecameOptional, "became optional", kReads, kFails, Demand::kBump},
    {Change::kConstraintTightened, "constraint tightened", "may fail", kReads,
     Demand::kBumpAndStep},
    {Change::kWordsChanged, "words or order changed", kReads, kReads, Demand::kNothing},
    {Change::kTableChanged, "key, local index, expiry or storage declared otherwise",
     "looks into another table", "looks into another table", Demand::kPlan},
    {Change::kDefaultChanged, "another default", "reads another value if it is absent", kReads,
     Demand::kUpdate},
    {Change::kAliasRemoved, "former name no longer read", "fails if it has that name", kReads,
     Demand::kBumpAndStep},
    {Change::kRetiredNameUsed, "retired name used again", "reads something else", kFails,
     Demand::kRefuse},
    {Change::kIndexAdded, "global index added", "finds it once the index is made", kReads,
     Demand::kApply},
    {Change::kIndexRemoved, "index removed", kReads, "fails if it queries the index",
     Demand::kUpdate},
    {Change::kExpiryAdded, "expiry added", "reads it; it never expires",
     "reads it, also when it has expired", Demand::kApply},
    {Change::kUniqueAdded, "unique field added", "does not see that its value is taken",
     "writes values that may be taken", Demand::kBackfill},
    {Change::kUniqueRemoved, "unique field removed", kReads, "may take its value for taken",
     Demand::kUpdate},
}};

constexpr bool AreInOrder() {
  for (std::size_t at = 0; at < kRules.size(); ++at) {
    if (static_cast<std::size_t>(kRules[at].change) != at) {
      return false;
    }
  }
  return true;
}
static_assert(AreInOrder());

}  // namespace

const ChangeRule& RuleOf(Change change) {
  return kRules.at(static_cast<std::size_t>(change));
}

std::string DescribeRules() {
  std::string text =
      "| change | a new program and an old item | an old program and a new item | it needs |\n"
      "|---|---|---|---|\n";
  for (const ChangeRule& rule : kRules) {
    for (const std::string_view part : {rule.name, rule.new_reads_old, rule.old_reads_new}) {
      text.append("| ").append(part).append(" ");
    }
    text.append("| ").append(NameOf(rule.demand)).append(" |\n");
  }
  return text;
}

Demand DemandOf(const std::vector<SchemaChange>& changes) {
  Demand demand = Demand::kNothing;
  for (const SchemaChange& change : changes) {
    demand = std::max(demand, change.demand);
  }
  return demand;
}

std::string_view NameOf(Demand demand) {
  switch (demand) {
    case Demand::kNothing:
      return "nothing";
    case Demand::kUpdate:
      return "the snapshot to be updated";
    case Demand::kApply:
      return "`stator tables apply`";
    case Demand::kBackfill:
      return "`stator tables apply` and a backfill of everything";
    case Demand::kBump:
      return "a new data version";
    case Demand::kBumpAndStep:
      return "a new data version and a migration step";
    case Demand::kPlan:
      return "a plan for copying the table";
    case Demand::kRefuse:
      return "to be taken back";
  }
  std::unreachable();
}

std::string ToText(const SchemaChange& change) {
  std::string text = change.path.empty() ? "" : change.path + ": ";
  text += RuleOf(change.kind).name;
  if (!change.before.empty() && !change.after.empty()) {
    text += " (" + change.before + " to " + change.after + ")";
  } else if (!change.before.empty() || !change.after.empty()) {
    text += " (" + change.before + change.after + ")";
  }
  return text + "; needs " + std::string(NameOf(change.demand));
}

}  // namespace stator::schema
