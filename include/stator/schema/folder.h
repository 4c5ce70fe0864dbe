// The folder of a program's repository in which the snapshots of its entities are kept, and the
// rules by which they may change.
//
// FORMAT (N is an entity's name, V a data version)
//
//   N.schema.json               the snapshot, as the program stores items now
//   history/N.vV.schema.json    the same for every version; that of the current version changes
//                               together with the snapshot, the others are frozen
//   fixtures/N.vV.json          an item of that version in DynamoDB JSON, made by the first update
//                               that finds none and never written again
//   plans/N.copy.json           {"from": D, "to": D, "plan": text}: how the table is copied when
//                               its declaration changes; D has the parts of it that make another
//                               table (x-keys, x-indexes, ...), and no others
//
// RULES. A generated snapshot passes when
//
//   (1) its shape is the recorded one, or
//   (2) it was recorded, and every change is compatible, or
//   (3) its version is one higher than before, and the history of the former version, a migration
//       step from it, and the fixtures of both are there.
//
// Changes are measured against history, not against the snapshot: whoever regenerates that file
// cannot make a breaking change pass.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/schema/changes.h"
#include "stator/value/attribute_value.h"

namespace stator::schema {

// Where the files of an entity are.
std::filesystem::path SnapshotPath(const std::filesystem::path& folder, const std::string& entity);
std::filesystem::path HistoryPath(const std::filesystem::path& folder, const std::string& entity,
                                  int version);
std::filesystem::path FixturePath(const std::filesystem::path& folder, const std::string& entity,
                                  int version);
std::filesystem::path PlanPath(const std::filesystem::path& folder, const std::string& entity);

struct SnapshotReport {
  bool passes = false;
  std::vector<SchemaChange> changes = {};  // since what was recorded
  std::vector<std::string> problems = {};  // why it does not pass
  std::vector<std::string> to_do = {};     // what to do about it, in this order

  // All of it as lines for people.
  [[nodiscard]] std::string ToText() const;
};

// Reads only. Fails when a file cannot be read; what is wrong with the snapshot is in the report.
Result<SnapshotReport> CheckSnapshot(const Map& generated, const std::filesystem::path& folder);

// Records `generated`, and leaves the history of the former version alone from then on when the
// version is new; makes the fixtures that are missing. A change that needs a new version and has
// none is refused: nothing is written, and the report says what to do. What has to be done to the
// table afterwards (an index to be made, guards to be written) is in the report's `to_do`.
Result<SnapshotReport> UpdateSnapshot(const Map& generated, const std::filesystem::path& folder);

// What the environment variable STATOR_SCHEMA asks of the tests of gtest.h.
struct TestMode {
  bool updates = false;                  // "update"
  std::filesystem::path generated = {};  // a directory that is there; empty: none
};
// Fails with kValidation when it is neither: a mistyped "update" would look like a name.
Result<TestMode> ReadTestMode();

// The names of all entities that have a snapshot, sorted.
Result<std::vector<std::string>> ListSnapshots(const std::filesystem::path& folder);

// The versions of which there is a history, ascending.
std::vector<int> ListVersions(const std::filesystem::path& folder, const std::string& entity);

Result<Map> ReadSnapshot(const std::filesystem::path& file);

// N.schema.json in any folder, whatever is there.
Result<void> WriteSnapshot(const Map& snapshot, const std::filesystem::path& folder);

// The fixture of one version as an item.
Result<Item> ReadFixture(const std::filesystem::path& folder, const std::string& entity,
                         int version);

// What a plan has to say so that a change of the table's declaration passes: what of it changes,
// before and after, and an empty "plan" that its author fills in.
Map MakePlan(const Map& recorded, const Map& generated);

enum class PlanState : std::uint8_t {
  kNothingToPlan,
  kBegun,  // written, for its author to fill in
  kThere,  // this change has its plan already, which stays as it is
};
// Writes PlanPath unless it is there. Fails with kRefused when it plans another change.
Result<PlanState> BeginPlan(const Map& recorded, const Map& generated,
                            const std::filesystem::path& folder);

}  // namespace stator::schema
