// The rules by which snapshots may change: what passes, what does not and what is then demanded,
// and that nobody gets around them by regenerating files.

#include "stator/schema/folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "stator/mapping/schema.h"
#include "stator/schema/snapshot.h"
#include "value/plain_json.h"

namespace stator::schema {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

struct Shape {
  int version = 1;
  std::string properties = {};  // beside "id"
  std::string required = R"("id")";
  std::string more = {};  // at the top
  std::string keys = R"({"partition": {"attribute": "pk", "type": "S", "template": "{id}"}})";
};

Map Generate(const Shape& shape) {
  std::string steps;
  for (int step = 1; step < shape.version; ++step) {
    steps += (steps.empty() ? "" : ", ") + std::to_string(step);
  }
  const std::string text =
      R"({"type": "object", "x-entity": "account", "properties": {"id": {"type": "string"})" +
      (shape.properties.empty() ? "" : ", " + shape.properties) + R"(}, "required": [)" +
      shape.required + R"(], "x-data-version": )" + std::to_string(shape.version) +
      R"(, "x-keys": )" + shape.keys + (steps.empty() ? "" : R"(, "x-steps": [)" + steps + "]") +
      (shape.more.empty() ? "" : ", " + shape.more) + "}";
  Map snapshot = *value::ValueFromPlainJson(text).value().If<Map>();
  snapshot.Set("x-shape-hash", ShapeHash(snapshot));
  return snapshot;
}

const std::string kNote = R"("note": {"type": "string"})";

class FolderTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("stator-folder-") + test->name());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  SnapshotReport Check(const Shape& shape) {
    const Result<SnapshotReport> report = CheckSnapshot(Generate(shape), folder_);
    EXPECT_TRUE(report.has_value()) << report.error().message;
    return report.value_or(SnapshotReport());
  }
  SnapshotReport Update(const Shape& shape) {
    const Result<SnapshotReport> report = UpdateSnapshot(Generate(shape), folder_);
    EXPECT_TRUE(report.has_value()) << report.error().message;
    return report.value_or(SnapshotReport());
  }
  void Write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void AddFixture(int version) { Write(FixturePath(folder_, "account", version), "{}"); }
  static std::string Read(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  // Version 1, recorded as it should be.
  void Begin(const Shape& shape = {}) {
    ASSERT_TRUE(Update(shape).passes);
    AddFixture(shape.version);
    ASSERT_TRUE(Check(shape).passes) << Check(shape).ToText();
  }

  fs::path folder_;
};

TEST_F(FolderTest, ANewEntityHasToBeRecordedWithAFixture) {
  SnapshotReport report = Check({});
  EXPECT_FALSE(report.passes);
  EXPECT_THAT(report.ToText(), HasSubstr("account has no snapshot yet"));
  EXPECT_TRUE(Update({}).passes);
  EXPECT_TRUE(Check({}).passes);
  const std::string made = Read(FixturePath(folder_, "account", 1));
  EXPECT_EQ(ReadFixture(folder_, "account", 1)->at("id"), AttributeValue("id-1"));
  fs::remove(FixturePath(folder_, "account", 1));
  report = Check({});
  EXPECT_FALSE(report.passes);
  EXPECT_THAT(report.ToText(), HasSubstr("no item of version 1"));
  EXPECT_TRUE(Update({}).passes);
  EXPECT_EQ(Read(FixturePath(folder_, "account", 1)), made);
  AddFixture(1);
  EXPECT_TRUE(Update({.properties = kNote}).passes);
  EXPECT_EQ(Read(FixturePath(folder_, "account", 1)), "{}") << "what is there is never written";
}

TEST_F(FolderTest, TheFilesAreCanonical) {
  Begin();
  EXPECT_EQ(Read(SnapshotPath(folder_, "account")), CanonicalJson(Generate({})));
  EXPECT_EQ(Read(HistoryPath(folder_, "account", 1)), CanonicalJson(Generate({})));
  EXPECT_EQ(ListSnapshots(folder_).value(), std::vector<std::string>{"account"});
}

TEST_F(FolderTest, WordsPassWithoutAnUpdate) {
  Begin();
  EXPECT_TRUE(Check({.more = R"("description": "What somebody has.")"}).passes);
}

TEST_F(FolderTest, ACompatibleChangeHasToBeRecordedOnly) {
  Begin();
  const Shape wider{.properties = kNote};
  const SnapshotReport report = Check(wider);
  EXPECT_FALSE(report.passes);
  EXPECT_THAT(report.to_do, testing::ElementsAre(HasSubstr("record it")));
  EXPECT_TRUE(Update(wider).passes);
  EXPECT_TRUE(Check(wider).passes);
}

TEST_F(FolderTest, ABreakingChangeIsNotRecordedWithoutABump) {
  Begin();
  const Shape broken{.properties = kNote, .required = R"("id", "note")"};
  const SnapshotReport report = Update(broken);
  EXPECT_FALSE(report.passes);
  EXPECT_EQ(Read(SnapshotPath(folder_, "account")), CanonicalJson(Generate({})));
  EXPECT_EQ(report.ToText(),
            "  note: required field added (text); needs a new data version and a migration step\n"
            "problem: the stored shape has changed, and the data version is still 1\n"
            "1. set kDataVersion to 2\n"
            "2. add the step from 1 to 2: .Up(1, [](Item& item) { … })\n"
            "3. record it: run the test with STATOR_SCHEMA=update, or `stator schema update`\n"
            "4. look at the item of version 2 that this makes: " +
                FixturePath(folder_, "account", 2).string() + "\n");
}

TEST_F(FolderTest, RegeneratingTheFileDoesNotHelp) {
  Begin();
  const Shape broken{.properties = kNote, .required = R"("id", "note")"};
  Write(SnapshotPath(folder_, "account"), CanonicalJson(Generate(broken)));
  EXPECT_FALSE(Check(broken).passes);
  EXPECT_FALSE(Update(broken).passes);
}

TEST_F(FolderTest, WhatWasAddedAndRecordedCannotVanishEither) {
  Begin();
  ASSERT_TRUE(Update({.properties = kNote}).passes);
  EXPECT_FALSE(Update({}).passes);
  Write(SnapshotPath(folder_, "account"), CanonicalJson(Generate({})));
  EXPECT_FALSE(Check({}).passes);
}

TEST_F(FolderTest, ABumpNeedsHistoryStepAndFixture) {
  Begin();
  const Shape next{.version = 2, .properties = kNote, .required = R"("id", "note")"};
  EXPECT_FALSE(Check(next).passes);
  EXPECT_TRUE(Update(next).passes);
  EXPECT_EQ(Read(HistoryPath(folder_, "account", 1)), CanonicalJson(Generate({})));
  EXPECT_TRUE(Check(next).passes);
  EXPECT_EQ(ReadFixture(folder_, "account", 2)->at("note"), AttributeValue("note-1"));
  fs::remove(FixturePath(folder_, "account", 2));
  EXPECT_THAT(Check(next).problems, testing::ElementsAre(HasSubstr("no item of version 2")));
  AddFixture(2);

  Map without_step = Generate(next);
  without_step.Erase("x-steps");
  EXPECT_THAT(UpdateSnapshot(without_step, folder_)->passes, true);
  EXPECT_THAT(CheckSnapshot(without_step, folder_)->problems,
              testing::ElementsAre("there is no migration step from version 1"));
  ASSERT_TRUE(Update(next).passes);

  fs::remove(FixturePath(folder_, "account", 1));
  EXPECT_THAT(Check(next).problems, testing::ElementsAre(HasSubstr("no item of version 1")));
  AddFixture(1);
  fs::remove(HistoryPath(folder_, "account", 1));
  EXPECT_THAT(Check(next).problems, testing::ElementsAre("the history of version 1 is missing"));
}

TEST_F(FolderTest, OldVersionsMayBeLeftBehind) {
  Begin();
  const Shape next{.version = 2, .more = R"("x-oldest-version": 2)"};
  ASSERT_TRUE(Update(next).passes);
  AddFixture(2);
  fs::remove(FixturePath(folder_, "account", 1));
  EXPECT_TRUE(Check(next).passes);
}

TEST_F(FolderTest, TheVersionMovesByOne) {
  Begin();
  EXPECT_THAT(Update({.version = 3}).problems, Contains(HasSubstr("from 1 to 3 at once")));
  ASSERT_TRUE(Update({.version = 2}).passes);
  EXPECT_THAT(Update({.version = 1}).problems, Contains(HasSubstr("went back from 2 to 1")));
}

TEST_F(FolderTest, ARemovedNameHasToBeRetired) {
  Begin({.properties = kNote});
  const Shape removed{.version = 2};
  EXPECT_THAT(Update(removed).to_do,
              testing::ElementsAre("put \"note\" into kRetired of the entity's Mapping"));
  const Shape retired{.version = 2, .more = R"("x-retired": ["note"])"};
  EXPECT_TRUE(Update(retired).passes);
  const Shape back{.version = 3, .properties = kNote, .more = R"("x-retired": ["note"])"};
  EXPECT_THAT(Update(back).problems, Contains("the name note was retired and is used again"));
  EXPECT_THAT(Update({.version = 3}).problems,
              Contains("the name note was retired and is not any more"));
}

TEST_F(FolderTest, AnotherTableNeedsAPlan) {
  Begin();
  const Shape other{.keys =
                        R"({"partition": {"attribute": "id", "type": "S", "template": "{id}"}})"};
  EXPECT_THAT(Update(other).problems, Contains(HasSubstr("declared otherwise")));
  Map plan = MakePlan(Generate({}), Generate(other));
  Write(PlanPath(folder_, "account"), CanonicalJson(plan));
  EXPECT_FALSE(Update(other).passes);  // nobody has written how
  plan.Set("plan", "Copy with the exporter while writes are stopped.");
  Write(PlanPath(folder_, "account"), CanonicalJson(plan));
  EXPECT_TRUE(Update(other).passes);
  EXPECT_TRUE(Check(other).passes) << Check(other).ToText();
  const Shape third{.keys =
                        R"({"partition": {"attribute": "id", "type": "S", "template": "A#{id}"}})"};
  EXPECT_FALSE(Update(third).passes);  // the plan is for another change
}

const std::string kIndexes = R"("x-indexes": [{"name": "by_note", "local": false,
  "partition": {"attribute": "note", "type": "S", "template": "{note}"}, "projection": "ALL"}])";

TEST_F(FolderTest, WhatCanBeAddedToATableNeedsNoPlanAndSaysWhatIsLeftToDo) {
  Begin({.properties = kNote});
  const Shape indexed{.properties = kNote, .more = kIndexes};
  EXPECT_FALSE(Check(indexed).passes) << "not recorded yet";
  SnapshotReport report = Update(indexed);
  EXPECT_TRUE(report.passes) << report.ToText();
  EXPECT_THAT(report.to_do, testing::ElementsAre(HasSubstr("stator tables apply --for entity")));
  EXPECT_TRUE(Check(indexed).passes);
  EXPECT_THAT(Check(indexed).to_do, testing::IsEmpty()) << "said once, when it is recorded";

  const Shape expiring{.properties = kNote, .more = kIndexes + R"(, "x-ttl": "ttl")"};
  report = Update(expiring);
  EXPECT_TRUE(report.passes) << report.ToText();
  EXPECT_THAT(report.to_do,
              testing::ElementsAre(HasSubstr("stator tables apply"), HasSubstr("never expire")));

  const Shape unique{.properties = kNote,
                     .more = kIndexes + R"(, "x-ttl": "ttl", "x-storage": {"unique": ["note"]})"};
  report = Update(unique);
  EXPECT_TRUE(report.passes) << report.ToText();
  EXPECT_THAT(report.to_do, testing::ElementsAre(HasSubstr("write the guards")));
  EXPECT_FALSE(fs::exists(PlanPath(folder_, "account")));
}

TEST_F(FolderTest, AChangedIndexIsAPlanOrAnotherName) {
  Begin({.properties = kNote, .more = kIndexes});
  std::string changed = kIndexes;
  changed.replace(changed.find("ALL"), 3, "KEYS_ONLY");
  const SnapshotReport report = Update({.properties = kNote, .more = changed});
  EXPECT_FALSE(report.passes);
  EXPECT_THAT(report.to_do, Contains(HasSubstr("another name than by_note")));
}

TEST_F(FolderTest, APlanIsBegunOnceAndOnlyForWhatChanges) {
  Begin({.properties = kNote, .more = kIndexes});
  const Map before = Generate({.properties = kNote, .more = kIndexes});
  const Shape keyed{
      .properties = kNote,
      .more = kIndexes,
      .keys = R"({"partition": {"attribute": "id", "type": "S", "template": "{id}"}})"};
  EXPECT_EQ(BeginPlan(before, before, folder_).value(), PlanState::kNothingToPlan);
  EXPECT_EQ(
      BeginPlan(before, Generate({.properties = kNote, .more = kIndexes + R"(, "x-ttl": "t")"}),
                folder_)
          .value(),
      PlanState::kNothingToPlan);
  EXPECT_FALSE(fs::exists(folder_ / "plans"));
  EXPECT_EQ(BeginPlan(before, Generate(keyed), folder_).value(), PlanState::kBegun);
  const fs::path file = PlanPath(folder_, "account");
  const std::string begun = Read(file);
  EXPECT_THAT(begun, HasSubstr("x-keys"));
  EXPECT_THAT(begun, testing::Not(HasSubstr("by_note"))) << "the index stays";
  Map plan = MakePlan(before, Generate(keyed));
  plan.Set("plan", "Copy it.");
  Write(file, CanonicalJson(plan));
  EXPECT_EQ(BeginPlan(before, Generate(keyed), folder_).value(), PlanState::kThere);
  EXPECT_EQ(Read(file), CanonicalJson(plan)) << "nobody's words are lost";
  Shape other = keyed;
  other.keys.replace(other.keys.find("{id}"), 4, "A#{id}");
  EXPECT_EQ(BeginPlan(before, Generate(other), folder_).error().code, ErrorCode::kRefused);
  EXPECT_EQ(Read(file), CanonicalJson(plan));
}

TEST_F(FolderTest, AnEditedHistoryIsNoticed) {
  Begin();
  std::string text = Read(HistoryPath(folder_, "account", 1));
  text.replace(text.find("\"id\": {"), 7, "\"ix\": {");
  Write(HistoryPath(folder_, "account", 1), text);
  const Result<SnapshotReport> report = CheckSnapshot(Generate({}), folder_);
  ASSERT_FALSE(report.has_value());
  EXPECT_THAT(report.error().message, HasSubstr("somebody has edited"));
}

TEST_F(FolderTest, FixturesAreItems) {
  Write(FixturePath(folder_, "account", 1), R"({"id": {"S": "a"}, "data_version": {"N": "1"}})");
  EXPECT_EQ(ReadFixture(folder_, "account", 1).value(), (Item{{"id", "a"}, {"data_version", 1}}));
  Write(FixturePath(folder_, "account", 1), R"({"id": "a"})");
  EXPECT_FALSE(ReadFixture(folder_, "account", 1).has_value());
  EXPECT_EQ(ReadFixture(folder_, "account", 2).error().code, ErrorCode::kIo);
}

TEST_F(FolderTest, VersionsAreListedInOrder) {
  for (const char* name : {"account.v10", "account.v2", "account.vx", "other.v1", "account.v0"}) {
    Write(folder_ / "history" / (std::string(name) + ".schema.json"), "");
  }
  EXPECT_EQ(ListVersions(folder_, "account"), (std::vector<int>{2, 10}));
}

}  // namespace
}  // namespace stator::schema
