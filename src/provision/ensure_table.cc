#include "stator/provision/ensure_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "provision/recovery.h"
#include "stator/api/database.h"

namespace stator::provision {
namespace {

constexpr Duration kPause = std::chrono::milliseconds(250);

struct DriftWords {
  std::string_view name;
  std::string_view sentence;  // the subject goes in front
};

// In the order of Drift.
constexpr std::array<DriftWords, 16> kDriftWords = {{
    {"missing-table", "there is no such table"},
    {"keys", "the table has other keys"},
    {"attribute-type", "has another type"},
    {"missing-global-index", "is missing"},
    {"missing-local-index", "is missing, and can only be made together with the table"},
    {"index-keys", "has other keys"},
    {"index-projection", "projects other attributes"},
    {"unwanted-index", "is not wanted"},
    {"billing", "the table is paid for in another way"},
    {"throughput", "the table has another throughput"},
    {"time-to-live", "expiry is set otherwise"},
    {"recovery", "point-in-time recovery is set otherwise"},
    {"deletion-protection", "protection from deletion is set otherwise"},
    {"stream", "the stream is set otherwise"},
    {"encryption", "the table is encrypted with another key"},
    {"tag", "has another value"},
}};
static_assert(kDriftWords.size() == static_cast<std::size_t>(Drift::kTag) + 1);

const DriftWords& WordsOf(Drift kind) {
  return kDriftWords.at(static_cast<std::size_t>(kind));
}

std::string_view KindOfSubject(Drift kind) {
  switch (kind) {
    case Drift::kAttributeType:
      return "attribute ";
    case Drift::kTag:
      return "tag ";
    default:
      return "index ";
  }
}

// One run of EnsureTable.
class Run {
 public:
  Run(Database& database, const TableSpec& spec, const EnsureOptions& options)
      : database_(database), spec_(spec), options_(options), recovery_(database, spec, options) {}

  Result<EnsureReport> Ensure(EnsureMode mode) {
    TRY_VOID(CheckSpec(spec_));
    EnsureReport report;
    std::optional<TableDescription> table = TRY(Describe());
    if (!table && mode == EnsureMode::kVerify) {
      report.differences.push_back(
          {.kind = Drift::kMissingTable, .subject = {}, .wanted = spec_.name});
      return report;
    }
    if (!table) {
      TRY_VOID(Create());
      report.created = true;
    } else if (mode != EnsureMode::kVerify) {
      TRY_VOID(AwaitActive());  // Somebody else may be making it.
    }
    if (mode != EnsureMode::kVerify) {
      table = TRY(Describe());
      if (!table) {
        return Fail(ErrorCode::kResourceInUse, "the table " + spec_.name + " has been deleted");
      }
    }
    report.differences = TRY(Compare(*table));
    const bool is_ours = std::ranges::find(report.differences, Drift::kKeys,
                                           &TableDifference::kind) == report.differences.end();
    if (mode == EnsureMode::kApplySafe && is_ours) {
      TRY_VOID(Apply(report));
    }
    return report;
  }

 private:
  Result<std::optional<TableDescription>> Describe() {
    Result<DescribeTableOutput> described = database_.DescribeTable({.table_name = spec_.name});
    if (described) {
      if (described->table.table_status == TableStatus::kDeleting) {
        return Fail(ErrorCode::kResourceInUse, "the table " + spec_.name + " is being deleted");
      }
      return std::move(described->table);
    }
    const ErrorCode code = described.error().code;
    if (code == ErrorCode::kTableNotFound || code == ErrorCode::kResourceNotFound) {
      return std::nullopt;
    }
    return std::unexpected(std::move(described).error());
  }

  Result<void> Create() {
    const Result<CreateTableOutput> created = database_.CreateTable(MakeCreateTableInput(spec_));
    // Somebody else may have been faster.
    if (!created && created.error().code != ErrorCode::kResourceInUse) {
      return std::unexpected(created.error());
    }
    TRY_VOID(AwaitActive());
    const TableDifference expiry = TRY(DescribeExpiry());
    if (expiry.safe) {
      TRY_VOID(TurnExpiryOn(expiry.wanted));
    }
    const std::optional<TableDifference> recovery = TRY(recovery_.Compare());
    if (recovery && recovery->safe) {
      TRY_VOID(recovery_.SwitchOn());
    }
    return {};
  }

  // Until the table and all its indexes can be used.
  Result<void> AwaitActive() {
    const Duration started = options_.clock->Elapsed();
    while (true) {
      const std::optional<TableDescription> table = TRY(Describe());
      if (table && IsActive(*table)) {
        return {};
      }
      if (options_.clock->Elapsed() - started >= options_.patience) {
        return Fail(ErrorCode::kTimeout,
                    "the table " + spec_.name + " is not active yet; ask again later");
      }
      options_.clock->SleepFor(kPause);
    }
  }

  static bool IsActive(const TableDescription& table) {
    const auto is_active = [](const GlobalSecondaryIndexDescription& index) {
      return index.index_status == IndexStatus::kActive;
    };
    return table.table_status == TableStatus::kActive &&
           (!table.global_secondary_indexes ||
            std::ranges::all_of(*table.global_secondary_indexes, is_active));
  }

  Result<std::vector<TableDifference>> Compare(const TableDescription& table) {
    std::vector<TableDifference> differences = CompareTable(spec_, table);
    TableDifference expiry = TRY(DescribeExpiry());
    if (expiry.wanted != expiry.found) {
      differences.push_back(std::move(expiry));
    }
    if (std::optional<TableDifference> recovery = TRY(recovery_.Compare())) {
      differences.push_back(*std::move(recovery));
    }
    TRY_VOID(CompareTags(table.table_arn, differences));
    return differences;
  }

  // Wanted and found are equal when there is no difference.
  Result<TableDifference> DescribeExpiry() {
    const DescribeTimeToLiveOutput there =
        TRY(database_.DescribeTimeToLive({.table_name = spec_.name}));
    TableDifference difference{.kind = Drift::kTimeToLive,
                               .wanted = spec_.ttl_attribute.value_or("off")};
    switch (there.time_to_live_status) {
      case TimeToLiveStatus::kEnabled:
      case TimeToLiveStatus::kEnabling:
        difference.found = there.attribute_name.value_or("on");
        break;
      case TimeToLiveStatus::kDisabling:
        difference.found = "being turned off";
        break;
      case TimeToLiveStatus::kDisabled:
        difference.found = "off";
        difference.safe = spec_.ttl_attribute.has_value();
        break;
    }
    return difference;
  }

  Result<void> TurnExpiryOn(const std::string& attribute) {
    const Result<UpdateTimeToLiveOutput> updated = database_.UpdateTimeToLive(
        {.table_name = spec_.name,
         .time_to_live_specification = {.enabled = true, .attribute_name = attribute}});
    if (updated) {
      return {};
    }
    // Somebody else may have been faster.
    const TableDifference now = TRY(DescribeExpiry());
    return now.found == now.wanted ? Result<void>() : std::unexpected(updated.error());
  }

  Result<void> CompareTags(const std::string& table_arn,
                           std::vector<TableDifference>& differences) {
    if (spec_.tags.empty()) {
      return {};
    }
    std::vector<Tag> there;
    std::optional<std::string> next;
    do {
      const Result<ListTagsOfResourceOutput> page =
          database_.ListTagsOfResource({.resource_arn = table_arn, .next_token = next});
      if (!page && page.error().code == ErrorCode::kUnknownOperation) {
        return {};  // A home without tags, as DynamoDB Local is.
      }
      if (!page) {
        return std::unexpected(page.error());
      }
      there.insert(there.end(), page->tags.begin(), page->tags.end());
      next = page->next_token;
    } while (next);
    for (const Tag& wanted : spec_.tags) {
      const auto found = std::ranges::find(there, wanted.key, &Tag::key);
      if (found == there.end() || *found != wanted) {
        differences.push_back({.kind = Drift::kTag,
                               .subject = wanted.key,
                               .wanted = wanted.value,
                               .found = found == there.end() ? "" : found->value});
      }
    }
    return {};
  }

  // The safe differences move to `applied`, unless the endpoint refuses them.
  Result<void> Apply(EnsureReport& report) {
    std::vector<TableDifference> left;
    for (TableDifference& difference : report.differences) {
      const bool applied = difference.safe && TRY(ApplyOne(difference));
      (applied ? report.applied : left).push_back(std::move(difference));
    }
    report.differences = std::move(left);
    return {};
  }

  Result<bool> ApplyOne(TableDifference& difference) {
    switch (difference.kind) {
      case Drift::kTimeToLive:
        TRY_VOID(TurnExpiryOn(difference.wanted));
        return true;
      case Drift::kRecovery:
        difference.safe = TRY(recovery_.SwitchOn());
        difference.refusal = recovery_.refusal();
        return difference.safe;
      default:
        TRY_VOID(AddIndex(difference.subject));
        return true;
    }
  }

  // DynamoDB adds one index at a time.
  Result<void> AddIndex(const std::string& name) {
    TRY_VOID(AwaitActive());
    const auto index =
        std::ranges::find(spec_.global_indexes, name, &GlobalSecondaryIndex::index_name);
    std::vector<AttributeDefinition> attributes;
    for (const AttributeDefinition& attribute : spec_.attributes) {
      const auto is_it = [&](const KeySchemaElement& key) {
        return key.attribute_name == attribute.attribute_name;
      };
      if (std::ranges::any_of(index->key_schema, is_it)) {
        attributes.push_back(attribute);
      }
    }
    const Result<UpdateTableOutput> updated =
        database_.UpdateTable({.table_name = spec_.name,
                               .attribute_definitions = std::move(attributes),
                               .global_secondary_index_updates = {{*index}}});
    // Here, too, somebody else may have been faster.
    if (!updated && !TRY(HasGlobalIndex(name))) {
      return std::unexpected(updated.error());
    }
    return AwaitActive();
  }

  Result<bool> HasGlobalIndex(const std::string& name) {
    const std::optional<TableDescription> table = TRY(Describe());
    return table && table->global_secondary_indexes &&
           std::ranges::find(*table->global_secondary_indexes, name,
                             &GlobalSecondaryIndexDescription::index_name) !=
               table->global_secondary_indexes->end();
  }

  Database& database_;
  const TableSpec& spec_;
  const EnsureOptions& options_;
  RecoverySwitch recovery_;
};

}  // namespace

std::string_view NameOf(Drift kind) {
  return WordsOf(kind).name;
}

std::string ToText(const TableDifference& difference) {
  std::string text;
  if (!difference.subject.empty()) {
    text.append(KindOfSubject(difference.kind)).append(difference.subject).append(" ");
  }
  text += WordsOf(difference.kind).sentence;
  if (!difference.wanted.empty()) {
    text += "; wanted: " + difference.wanted;
  }
  if (!difference.found.empty()) {
    text += "; found: " + difference.found;
  }
  if (!difference.refusal.empty()) {
    text += "; " + difference.refusal;
  }
  return text;
}

Result<EnsureReport> EnsureTable(Database& database, const TableSpec& spec, EnsureMode mode,
                                 const EnsureOptions& options) {
  return Run(database, spec, options).Ensure(mode);
}

}  // namespace stator::provision
