#include "stator/schema/folder.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/try.h"
#include "schema/compare_declarations.h"
#include "schema/files.h"
#include "schema/make_fixture.h"
#include "schema/schema_view.h"
#include "stator/mapping/schema.h"
#include "stator/schema/snapshot.h"
#include "value/dynamodb_json.h"
#include "value/plain_json.h"

namespace stator::schema {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".schema.json";

int OldestVersionOf(const Map& snapshot) {
  const std::optional<Number> oldest = NumberAt(snapshot, "x-oldest-version");
  return oldest ? static_cast<int>(oldest->ToInt64().value_or(1)) : 1;
}

// The snapshot of a file, or nothing when there is no such file.
Result<std::optional<Map>> ReadIfThere(const fs::path& file) {
  if (!fs::exists(file)) {
    return std::nullopt;
  }
  return TRY(ReadSnapshot(file));
}

// One check of one entity.
class Check {
 public:
  Check(const Map& generated, const fs::path& folder)
      : generated_(generated),
        folder_(folder),
        entity_(EntityNameOf(generated)),
        version_(DataVersionOf(generated)) {}

  Result<SnapshotReport> Run() {
    const std::optional<Map> recorded = TRY(ReadIfThere(SnapshotPath(folder_, entity_)));
    if (!recorded) {
      Problem(entity_ + " has no snapshot yet", "record it: " + UpdateCommand());
      return std::move(report_);
    }
    const std::optional<Map> baseline = TRY(ReadBaseline(recorded));
    TRY_VOID(CheckStep(baseline.value_or(*recorded)));
    if (report_.problems.empty()) {
      TRY_VOID(CheckRecorded(*recorded));
    }
    if (report_.problems.empty()) {
      for (int version = OldestVersionOf(generated_); version <= version_; ++version) {
        CheckVersion(version);
      }
    }
    AddRemedies();
    report_.passes = report_.problems.empty();
    return std::move(report_);
  }

  // Whether `generated` may be recorded.
  Result<SnapshotReport> MayRecord() {
    const std::optional<Map> recorded = TRY(ReadIfThere(SnapshotPath(folder_, entity_)));
    if (const std::optional<Map> baseline = TRY(ReadBaseline(recorded))) {
      TRY_VOID(CheckStep(*baseline));
    }
    AddRemedies();
    report_.passes = report_.problems.empty();
    return std::move(report_);
  }

 private:
  void Problem(std::string problem, std::string to_do) {
    report_.problems.push_back(std::move(problem));
    if (std::ranges::find(report_.to_do, to_do) == report_.to_do.end()) {
      report_.to_do.push_back(std::move(to_do));
    }
  }

  [[nodiscard]] static std::string UpdateCommand() {
    return "run the test with STATOR_SCHEMA=update, or `stator schema update`";
  }

  // What changes are measured against: the newest history, which nobody regenerates in passing.
  [[nodiscard]] Result<std::optional<Map>> ReadBaseline(const std::optional<Map>& recorded) const {
    const std::vector<int> versions = ListVersions(folder_, entity_);
    if (versions.empty()) {
      return recorded;
    }
    return TRY(ReadSnapshot(HistoryPath(folder_, entity_, versions.back())));
  }

  // That the files say what the program does.
  Result<void> CheckRecorded(const Map& recorded) {
    const std::optional<Map> history = TRY(ReadIfThere(HistoryPath(folder_, entity_, version_)));
    if (!IsCurrent(recorded) || !history || !IsCurrent(*history)) {
      Problem("the snapshot is not up to date", "record it: " + UpdateCommand());
    }
    return {};
  }

  // Words need not be the same.
  [[nodiscard]] bool IsCurrent(const Map& snapshot) const {
    return DataVersionOf(snapshot) == version_ &&
           DemandOf(CompareSchemas(snapshot, generated_)) == Demand::kNothing &&
           TextOf(snapshot, "x-steps") == TextOf(generated_, "x-steps") &&
           TextOf(snapshot, "x-retired") == TextOf(generated_, "x-retired");
  }

  static std::string TextOf(const Map& snapshot, std::string_view part) {
    const AttributeValue* const value = snapshot.Find(part);
    return value == nullptr ? "" : value::ToPlainJson(*value);
  }

  // Whether the step from `recorded` to the program is one that may be made.
  Result<void> CheckStep(const Map& recorded) {
    report_.changes = CompareSchemas(recorded, generated_);
    const int before = DataVersionOf(recorded);
    const Demand demand = DemandOf(report_.changes);
    if (version_ < before) {
      Problem("the data version went back from " + std::to_string(before) + " to " +
                  std::to_string(version_),
              "set kDataVersion to " + std::to_string(before));
    } else if (version_ > before + 1) {
      Problem("the data version went from " + std::to_string(before) + " to " +
                  std::to_string(version_) + " at once",
              "set kDataVersion to " + std::to_string(before + 1));
    }
    TRY_VOID(CheckPlan(recorded));
    CheckRefusals();
    CheckRetirement(recorded);
    const bool needs_bump = std::ranges::any_of(report_.changes, [](const SchemaChange& change) {
      return change.demand == Demand::kBump || change.demand == Demand::kBumpAndStep;
    });
    if (needs_bump && version_ == before) {
      DemandBump(before, demand);
    }
    return {};
  }

  void DemandBump(int before, Demand demand) {
    const std::string from = std::to_string(before);
    const std::string to = std::to_string(before + 1);
    Problem("the stored shape has changed, and the data version is still " + from,
            "set kDataVersion to " + to);
    report_.to_do.push_back("add the step from " + from + " to " + to +
                            (demand == Demand::kBumpAndStep
                                 ? ": .Up(" + from + ", [](Item& item) { … })"
                                 : ", which may be empty: .Up(" + from + ", [](Item&) {})"));
    report_.to_do.push_back("record it: " + UpdateCommand());
    report_.to_do.push_back("look at the item of version " + to + " that this makes: " +
                            FixturePath(folder_, entity_, before + 1).string());
  }

  // What has to be done to the table and the items in it once the change is recorded.
  void AddRemedies() {
    const auto add = [&](std::string to_do) {
      if (std::ranges::find(report_.to_do, to_do) == report_.to_do.end()) {
        report_.to_do.push_back(std::move(to_do));
      }
    };
    for (const SchemaChange& change : report_.changes) {
      if (change.kind == Change::kIndexAdded || change.kind == Change::kExpiryAdded) {
        add("before programs use it, change the table: `stator tables apply --for entity " +
            entity_ + " --data …`");
      }
    }
    for (const SchemaChange& change : report_.changes) {
      if (change.kind == Change::kIndexAdded && change.demand == Demand::kBackfill) {
        add("let a backfill of everything write the keys of the index into the items that are "
            "there; until then it lacks them");
      } else if (change.kind == Change::kExpiryAdded) {
        add("items that are there never expire; let a backfill of everything begin their lives, "
            "if they should");
      } else if (change.kind == Change::kUniqueAdded) {
        add("when only programs that know " + change.after +
            " to be unique are left, let a "
            "backfill of everything write the guards; it names the values that are taken twice");
      } else if (change.kind == Change::kIndexRemoved) {
        add("delete the index " + change.path.substr(change.path.find('.') + 1) +
            " from the table when no program queries it any more");
      }
    }
  }

  void CheckRefusals() {
    for (const SchemaChange& change : report_.changes) {
      if (change.demand == Demand::kRefuse) {
        Problem("the name " + change.path + " was retired" +
                    (change.after.empty() ? " and is used again" : " and is not any more"),
                change.after.empty() ? "give the field another name"
                                     : "put \"" + change.path + "\" back into kRetired");
      }
    }
  }

  // Names of fields that are gone must not come back with another meaning.
  void CheckRetirement(const Map& recorded) {
    const std::set<std::string> retired = NamesAt(generated_, "x-retired");
    for (const SchemaChange& change : report_.changes) {
      const bool is_field = MapAt(recorded, "properties").contains(change.path);
      if (change.kind == Change::kFieldRemoved && is_field && !retired.contains(change.path)) {
        Problem("the name " + change.path + " is free to be used for something else",
                "put \"" + change.path + "\" into kRetired of the entity's Mapping");
      }
    }
  }

  // A table that is declared otherwise is another table.
  Result<void> CheckPlan(const Map& recorded) {
    if (std::ranges::none_of(report_.changes, [](const SchemaChange& change) {
          return change.demand == Demand::kPlan;
        })) {
      return {};
    }
    const fs::path file = PlanPath(folder_, entity_);
    Map plan;
    if (fs::exists(file)) {
      const std::string text = TRY(ReadText(file));
      const AttributeValue value = TRY(value::ValueFromPlainJson(text));
      if (const Map* const map = value.If<Map>()) {
        plan = *map;
      }
    }
    const Map wanted = MakePlan(recorded, generated_);
    if (MapAt(plan, "from") != MapAt(wanted, "from") || MapAt(plan, "to") != MapAt(wanted, "to") ||
        TextAt(plan, "plan").empty()) {
      Problem("the table is declared otherwise; no migration of items can do that",
              "take it back, or write into " + file.string() +
                  " how the table is copied (`stator schema plan` begins it)");
      for (const SchemaChange& change : report_.changes) {
        if (change.demand == Demand::kPlan && !change.before.empty() &&
            change.path.starts_with("x-indexes.")) {
          report_.to_do.push_back("or give the changed index another name than " +
                                  change.path.substr(change.path.find('.') + 1) +
                                  "; then it is added, and the old one removed later");
        }
      }
    }
    return {};
  }

  // That every version can be read.
  void CheckVersion(int version) {
    const std::string number = std::to_string(version);
    if (!fs::exists(HistoryPath(folder_, entity_, version))) {
      Problem("the history of version " + number + " is missing",
              "restore " + HistoryPath(folder_, entity_, version).string());
    }
    if (!fs::exists(FixturePath(folder_, entity_, version))) {
      Problem("there is no item of version " + number + " to test with",
              "make " + FixturePath(folder_, entity_, version).string() + ": " + UpdateCommand());
    }
    if (version < version_ && !HasStep(version)) {
      Problem("there is no migration step from version " + number,
              "add .Up(" + number + ", [](Item& item) { … }) to MakeMigrations");
    }
  }

  [[nodiscard]] bool HasStep(int from) const {
    const AttributeValue* const steps = generated_.Find("x-steps");
    const List* const list = steps == nullptr ? nullptr : steps->If<List>();
    return list != nullptr && std::ranges::find(*list, AttributeValue(from)) != list->end();
  }

  const Map& generated_;
  const fs::path& folder_;
  const std::string entity_;
  const int version_;
  SnapshotReport report_;
};

// An item of every version that can still be read, where there is none yet.
Result<void> MakeMissingFixtures(const Map& generated, const fs::path& folder) {
  const std::string entity = EntityNameOf(generated);
  for (int version = OldestVersionOf(generated); version <= DataVersionOf(generated); ++version) {
    const fs::path file = FixturePath(folder, entity, version);
    if (fs::exists(file)) {
      continue;
    }
    if (const std::optional<Map> snapshot =
            TRY(ReadIfThere(HistoryPath(folder, entity, version)))) {
      TRY_VOID(WriteText(file, ToCanonicalDynamoDbJson(MakeFixture(*snapshot))));
    }
  }
  return {};
}

}  // namespace

fs::path SnapshotPath(const fs::path& folder, const std::string& entity) {
  return folder / (entity + std::string(kSuffix));
}

fs::path HistoryPath(const fs::path& folder, const std::string& entity, int version) {
  return folder / "history" / (entity + ".v" + std::to_string(version) + std::string(kSuffix));
}

fs::path FixturePath(const fs::path& folder, const std::string& entity, int version) {
  return folder / "fixtures" / (entity + ".v" + std::to_string(version) + ".json");
}

fs::path PlanPath(const fs::path& folder, const std::string& entity) {
  return folder / "plans" / (entity + ".copy.json");
}

std::string SnapshotReport::ToText() const {
  std::string text;
  for (const SchemaChange& change : changes) {
    text += "  " + schema::ToText(change) + "\n";
  }
  for (const std::string& problem : problems) {
    text += "problem: " + problem + "\n";
  }
  for (std::size_t at = 0; at < to_do.size(); ++at) {
    text += std::to_string(at + 1) + ". " + to_do[at] + "\n";
  }
  return text;
}

Result<SnapshotReport> CheckSnapshot(const Map& generated, const fs::path& folder) {
  return Check(generated, folder).Run();
}

Result<SnapshotReport> UpdateSnapshot(const Map& generated, const fs::path& folder) {
  SnapshotReport report = TRY(Check(generated, folder).MayRecord());
  if (!report.passes) {
    return report;
  }
  const std::string entity = EntityNameOf(generated);
  TRY_VOID(
      WriteText(HistoryPath(folder, entity, DataVersionOf(generated)), CanonicalJson(generated)));
  TRY_VOID(WriteSnapshot(generated, folder));
  TRY_VOID(MakeMissingFixtures(generated, folder));
  return report;
}

Result<TestMode> ReadTestMode() {
  const char* const asked = std::getenv("STATOR_SCHEMA");
  if (asked == nullptr || *asked == '\0') {
    return TestMode();
  }
  const std::string mode = asked;
  if (mode == "update") {
    return TestMode{.updates = true};
  }
  std::error_code error;
  if (!fs::is_directory(mode, error)) {
    return Invalid("STATOR_SCHEMA is '" + mode +
                   "', which is neither 'update' nor a directory that is there");
  }
  return TestMode{.generated = mode};
}

Result<std::vector<std::string>> ListSnapshots(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> entities;
  for (fs::directory_iterator file(folder, error); !error && file != fs::directory_iterator();
       file.increment(error)) {
    const std::string name = file->path().filename().string();
    if (name.ends_with(kSuffix)) {
      entities.push_back(name.substr(0, name.size() - kSuffix.size()));
    }
  }
  if (error) {
    return Fail(ErrorCode::kIo, "cannot list " + folder.string() + ": " + error.message());
  }
  std::sort(entities.begin(), entities.end());
  return entities;
}

std::vector<int> ListVersions(const fs::path& folder, const std::string& entity) {
  constexpr int kVersionMax = 65535;
  std::error_code error;
  std::vector<int> versions;
  const std::string prefix = entity + ".v";
  for (fs::directory_iterator file(folder / "history", error);
       !error && file != fs::directory_iterator(); file.increment(error)) {
    const std::string name = file->path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(kSuffix)) {
      continue;
    }
    const Result<Number> number = Number::Parse(
        std::string_view(name).substr(prefix.size(), name.size() - prefix.size() - kSuffix.size()));
    const std::int64_t version = number ? number->ToInt64().value_or(0) : 0;
    if (version >= 1 && version <= kVersionMax) {
      versions.push_back(static_cast<int>(version));
    }
  }
  std::sort(versions.begin(), versions.end());
  return versions;
}

Result<Map> ReadSnapshot(const fs::path& file) {
  Result<Map> snapshot = ParseSnapshot(TRY(ReadText(file)));
  if (!snapshot) {
    snapshot.error().message = file.string() + ": " + snapshot.error().message;
  }
  return snapshot;
}

Result<void> WriteSnapshot(const Map& snapshot, const fs::path& folder) {
  return WriteText(SnapshotPath(folder, EntityNameOf(snapshot)), CanonicalJson(snapshot));
}

Result<Item> ReadFixture(const fs::path& folder, const std::string& entity, int version) {
  const fs::path file = FixturePath(folder, entity, version);
  Result<Item> item = value::ParseDynamoDbItem(TRY(ReadText(file)));
  if (!item) {
    item.error().message = file.string() + ": " + item.error().message;
  }
  return item;
}

Map MakePlan(const Map& recorded, const Map& generated) {
  auto [from, to] = DeclarationsToCopy(recorded, generated);
  return {{"from", std::move(from)}, {"to", std::move(to)}, {"plan", ""}};
}

Result<PlanState> BeginPlan(const Map& recorded, const Map& generated, const fs::path& folder) {
  const Map plan = MakePlan(recorded, generated);
  if (MapAt(plan, "from").empty() && MapAt(plan, "to").empty()) {
    return PlanState::kNothingToPlan;
  }
  const fs::path file = PlanPath(folder, EntityNameOf(generated));
  if (!fs::exists(file)) {
    TRY_VOID(WriteText(file, CanonicalJson(plan)));
    return PlanState::kBegun;
  }
  const std::string text = TRY(ReadText(file));
  const AttributeValue value = TRY(value::ValueFromPlainJson(text));
  const Map* const there = value.If<Map>();
  if (there == nullptr || MapAt(*there, "from") != MapAt(plan, "from") ||
      MapAt(*there, "to") != MapAt(plan, "to")) {
    return Fail(ErrorCode::kRefused, file.string() +
                                         " is there and plans something else; it is not "
                                         "overwritten, move it away when it has been carried out");
  }
  return PlanState::kThere;
}

}  // namespace stator::schema
