// The line that a program's test has per entity: what it records, what it says when the shape has
// changed, and that it reads the items of the past.

#include "stator/schema/gtest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <stdlib.h>

namespace stator::schema {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Three programs in a row.
namespace first {
struct Account {
  std::string id;
  std::string memo;
};
BOOST_DESCRIBE_STRUCT(Account, (), (id, memo))
}  // namespace first

namespace careless {
struct Account {
  std::string id;
  std::string note;
};
BOOST_DESCRIBE_STRUCT(Account, (), (id, note))
}  // namespace careless

namespace second {
struct Account {
  std::string id;
  std::string note;
};
BOOST_DESCRIBE_STRUCT(Account, (), (id, note))
}  // namespace second

}  // namespace
}  // namespace stator::schema

template <>
struct stator::entities::EntityTraits<stator::schema::first::Account> {
  static constexpr std::string_view kName = "account";
  static constexpr KeyTemplate kPartitionKey = {"ACCOUNT#{id}"};
};
template <>
struct stator::entities::EntityTraits<stator::schema::careless::Account> {
  static constexpr std::string_view kName = "account";
  static constexpr KeyTemplate kPartitionKey = {"ACCOUNT#{id}"};
};
template <>
struct stator::entities::EntityTraits<stator::schema::second::Account> {
  static constexpr std::string_view kName = "account";
  static constexpr KeyTemplate kPartitionKey = {"ACCOUNT#{id}"};
  static constexpr std::uint16_t kDataVersion = 2;
  static Migrations MakeMigrations() {
    return Migrations().Up(1, [](Item& item) { Rename(item, "memo", "note"); });
  }
};

namespace stator::schema {
namespace {

class IsStoredAsRecordedTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("stator-gtest-") + test->name());
    fs::remove_all(folder_);
    Use<first::Account>("update");
    AddFixture(1, R"({"pk": {"S": "ACCOUNT#a"}, "id": {"S": "a"}, "memo": {"S": "m"},
                      "data_version": {"N": "1"}, "rev": {"N": "1"}})");
  }
  void TearDown() override {
    unsetenv("STATOR_SCHEMA");
    fs::remove_all(folder_);
  }

  // What the line says, empty when it passes, with the environment variable set or not.
  template <class T>
  std::string Use(const std::string& mode = "") {
    if (mode.empty()) {
      unsetenv("STATOR_SCHEMA");
    } else {
      setenv("STATOR_SCHEMA", mode.c_str(), 1);
    }
    const testing::AssertionResult result = IsStoredAsRecorded<T>(folder_);
    return result ? "" : result.message();
  }
  void AddFixture(int version, const std::string& text) {
    const fs::path file = FixturePath(folder_, "account", version);
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  fs::path folder_;
};

TEST_F(IsStoredAsRecordedTest, PassesAsLongAsNothingChanges) {
  EXPECT_EQ(Use<first::Account>(), "");
}

TEST_F(IsStoredAsRecordedTest, SaysWhatHasChangedAndWhatToDo) {
  for (const char* mode : {"", "update"}) {
    const std::string said = Use<careless::Account>(mode);
    EXPECT_THAT(said, HasSubstr("memo: field renamed (memo to note); needs a new data version"));
    EXPECT_THAT(said, HasSubstr("1. set kDataVersion to 2"));
    EXPECT_THAT(said, HasSubstr("2. add the step from 1 to 2"));
  }
}

TEST_F(IsStoredAsRecordedTest, AcceptsANewVersionThatReadsTheOldOne) {
  EXPECT_THAT(Use<second::Account>(), HasSubstr("record it"));
  EXPECT_EQ(Use<second::Account>("update"), "");
  EXPECT_EQ(FixtureOf<second::Account>(folder_, 2)->note, "note-1") << "made by the update";
  AddFixture(2, R"({"id": {"S": "a"}, "note": {"S": "m"}, "data_version": {"N": "2"}})");
  EXPECT_EQ(Use<second::Account>(), "");
  EXPECT_EQ(FixtureOf<second::Account>(folder_, 1)->note, "m");
}

TEST_F(IsStoredAsRecordedTest, FailsWhenAFormerItemCannotBeRead) {
  AddFixture(1, R"({"id": {"S": "a"}, "memo": {"N": "5"}, "data_version": {"N": "1"}})");
  EXPECT_THAT(Use<first::Account>(),
              HasSubstr("an item of version 1 cannot be read: Account.memo: expected S, found N"));
  AddFixture(1, R"({"id": {"S": "a"}, "memo": {"S": "m"}, "data_version": {"N": "2"}})");
  EXPECT_THAT(Use<first::Account>(), HasSubstr("does not say that it is of version 1"));
}

TEST_F(IsStoredAsRecordedTest, WritesTheGeneratedSnapshotWhereToolsLookForIt) {
  const fs::path elsewhere = folder_ / "generated";
  fs::create_directories(elsewhere);
  EXPECT_NE(Use<careless::Account>(elsewhere.string()), "");
  EXPECT_EQ(ReadSnapshot(SnapshotPath(elsewhere, "account")).value(),
            SnapshotOf<careless::Account>());
}

TEST_F(IsStoredAsRecordedTest, AMistypedModeIsNoDirectory) {
  for (const std::string mode : {"updat", "generatde/"}) {
    EXPECT_THAT(Use<first::Account>(mode), HasSubstr("neither 'update' nor a directory"));
    EXPECT_FALSE(fs::exists(mode));
  }
}

// As repositories describe themselves.
struct Readers {
  static entities::RepositoryDescription Describe() {
    return {.entity = entities::Describe<first::Account>(), .verbs = entities::Verbs::kRead};
  }
};
struct Writers {
  static entities::RepositoryDescription Describe() {
    return {.entity = entities::Describe<first::Account>(),
            .verbs = entities::Verbs::kRead | entities::Verbs::kInsert};
  }
};

TEST_F(IsStoredAsRecordedTest, ThePolicyIsThatOfTheRepositories) {
  const fs::path file = folder_ / "policies" / "service.json";
  unsetenv("STATOR_SCHEMA");
  EXPECT_FALSE((HasRecordedPolicy<Readers>(file))) << "there is none";
  setenv("STATOR_SCHEMA", "update", 1);
  EXPECT_TRUE((HasRecordedPolicy<Readers>(file)));
  unsetenv("STATOR_SCHEMA");
  EXPECT_TRUE((HasRecordedPolicy<Readers>(file)));
  const testing::AssertionResult other = HasRecordedPolicy<Readers, Writers>(file);
  EXPECT_FALSE(other);
  EXPECT_THAT(other.message(), HasSubstr("needed:"));
  EXPECT_THAT(other.message(), HasSubstr("dynamodb:PutItem"));
  EXPECT_FALSE((HasRecordedPolicy<Readers>(file, {.repositories = {}, .account = "123"})));
}

}  // namespace
}  // namespace stator::schema
