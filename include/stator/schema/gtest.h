// For tests of programs that have entities, with GoogleTest: one line per entity keeps what is
// stored from changing unnoticed.
//
//   TEST(Account, IsStoredAsRecorded) {
//     EXPECT_TRUE(stator::schema::IsStoredAsRecorded<Account>("schema"));
//   }
//
// It fails with the differences and what to do about them when the stored shape is not the one that
// is recorded in the folder (folder.h says how), and when an item of a former version can no longer
// be read. And one line per program keeps the policy that is checked in:
//
//   TEST(Shop, HasItsPolicy) {
//     EXPECT_TRUE((stator::schema::HasRecordedPolicy<Orders, Customers>("policies/shop.json")));
//   }
//
// What a run does beside that, the environment variable STATOR_SCHEMA says:
//
//   update       records what may be recorded, makes fixtures that are missing, and the policy
//   DIRECTORY    writes the generated snapshot there, for `stator schema ... --generated DIRECTORY`
//
// Anything else, a directory that is not there included, fails the test.

#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "stator/base/result.h"
#include "stator/schema/fixtures.h"
#include "stator/schema/folder.h"
#include "stator/schema/policy_file.h"
#include "stator/schema/snapshot.h"

namespace stator::schema {

// As the test above does it, for those who look for the result otherwise.
template <entities::Entity T>
[[nodiscard]] testing::AssertionResult IsStoredAsRecorded(const std::filesystem::path& folder) {
  const Map generated = SnapshotOf<T>();
  const std::string entity = EntityNameOf(generated);
  const Result<TestMode> mode = ReadTestMode();
  if (!mode) {
    return testing::AssertionFailure() << mode.error().message;
  }
  const Result<SnapshotReport> report =
      mode->updates ? UpdateSnapshot(generated, folder) : CheckSnapshot(generated, folder);
  if (!mode->generated.empty()) {
    if (const Result<void> written = WriteSnapshot(generated, mode->generated); !written) {
      return testing::AssertionFailure() << written.error().message;
    }
  }
  if (!report) {
    return testing::AssertionFailure() << entity << ": " << report.error().message;
  }
  if (!report->passes) {
    return testing::AssertionFailure()
           << entity << " is not stored as recorded in " << folder.string() << ":\n"
           << report->ToText();
  }
  if (!report->to_do.empty()) {
    std::fputs((entity + " is recorded; what is left to do:\n" + report->ToText()).c_str(), stderr);
  }
  for (int version = entities::Describe<T>().oldest_version; version <= DataVersionOf(generated);
       ++version) {
    if (!std::filesystem::exists(FixturePath(folder, entity, version))) {
      continue;  // CheckSnapshot misses it, an update makes it.
    }
    if (const Result<T> value = FixtureOf<T>(folder, version); !value) {
      return testing::AssertionFailure() << entity << ": an item of version " << version
                                         << " cannot be read: " << value.error().message;
    }
  }
  return testing::AssertionSuccess();
}

// Whether the file has the policy of a program with these repositories, and nothing more. `program`
// says what their types do not: the account, the key that encrypts the tables.
template <class... Repositories>
[[nodiscard]] testing::AssertionResult HasRecordedPolicy(const std::filesystem::path& file,
                                                         ProgramPolicy program = {}) {
  (program.repositories.push_back(Repositories::Describe()), ...);
  const Result<TestMode> mode = ReadTestMode();
  if (!mode) {
    return testing::AssertionFailure() << mode.error().message;
  }
  const Result<void> done =
      mode->updates ? WritePolicyFile(file, program) : CheckPolicyFile(file, program);
  return done ? testing::AssertionSuccess() : testing::AssertionFailure() << done.error().message;
}

}  // namespace stator::schema
