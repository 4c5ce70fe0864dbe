// Items of every version that there ever was, programs of different versions on one table, and
// what each may do to the items of the others.

#include <string>

#include "entities/entities_test.h"

namespace stator::entities {
namespace {

const Item kKey = {{"pk", "DOC#d1"}};

// One item per version, as the program of that version wrote it. Never edited.
const Item kVersion1 = {{"pk", "DOC#d1"},
                        {"id", "d1"},
                        {"title", "Stator"},
                        {"words", 1200},
                        {"data_version", 1},
                        {"rev", 3},
                        {"write_id", "AAAAAAAAAAAAAAAA"},
                        {"last_write", 1'700'000'000'000},
                        {"write_ids", List{"AAAAAAAAAAAAAAAA"}}};
const Item kVersion2 = {{"pk", "DOC#d1"},
                        {"id", "d1"},
                        {"title", "Stator"},
                        {"length", 1200},
                        {"data_version", 2},
                        {"rev", 4},
                        {"write_id", "BBBBBBBBBBBBBBBB"},
                        {"last_write", 1'700'000'000'000},
                        {"write_ids", List{"BBBBBBBBBBBBBBBB", "AAAAAAAAAAAAAAAA"}}};
const Item kVersion3 = {{"pk", "DOC#d1"},
                        {"id", "d1"},
                        {"title", "Stator"},
                        {"length", 1200},
                        {"language", "en"},
                        {"data_version", 3},
                        {"rev", 5},
                        {"write_id", "CCCCCCCCCCCCCCCC"},
                        {"last_write", 1'700'000'000'000},
                        {"write_ids", List{"CCCCCCCCCCCCCCCC", "BBBBBBBBBBBBBBBB"}}};
// Before there was any bookkeeping.
const Item kVersion0 = {{"pk", "DOC#d1"}, {"id", "d1"}, {"title", "Stator"}, {"words", 1200}};

const Document kDocument = {.id = "d1", .title = "Stator", .length = 1200, .language = "en"};

Item With(Item item, const std::string& name, AttributeValue value) {
  item.Set(name, std::move(value));
  return item;
}

class MigrationTest : public EntitiesTest {
 protected:
  Item Stored() { return Get("document", kKey).value_or(Item()); }

  Documents documents_ = Open<Documents>();
};

TEST_F(MigrationTest, EveryVersionIsReadAsTheCurrentOne) {
  for (const auto& [item, version] :
       {std::pair(kVersion0, 1), std::pair(kVersion1, 1), std::pair(kVersion2, 2)}) {
    Put("document", item);
    const Versioned<Document> read = MustFind(documents_.Read({"d1"}));
    EXPECT_EQ(read.data, kDocument);
    EXPECT_EQ(read.migrated_from(), version);
    EXPECT_EQ(read.data_version(), 3);
    EXPECT_EQ(Stored(), item) << "reading writes nothing";
  }
  Put("document", kVersion3);
  EXPECT_EQ(MustFind(documents_.Read({"d1"})).data, kDocument);
  EXPECT_FALSE(MustFind(documents_.Read({"d1"})).migrated_from());
  EXPECT_EQ(documents_.counts().migrated_reads, 3U);
}

TEST_F(MigrationTest, TheNextWriteStoresTheNewShape) {
  for (const Item& item : {kVersion0, kVersion1, kVersion2}) {
    Put("document", item);
    Must(documents_.Modify({"d1"}, [](Document& document) { document.title = "Rotor"; }));
    const Item stored = Stored();
    EXPECT_EQ(stored.at("data_version"), AttributeValue(3));
    EXPECT_EQ(stored.at("length"), AttributeValue(1200));
    EXPECT_EQ(stored.at("language"), AttributeValue("en"));
    EXPECT_FALSE(stored.contains("words")) << "the old name is gone";
  }
}

TEST_F(MigrationTest, AModifyThatChangesNothingDoesNotMigrate) {
  Put("document", kVersion1);
  Must(documents_.Modify({"d1"}, [](Document&) {}));
  EXPECT_EQ(Stored(), kVersion1);
}

TEST_F(MigrationTest, ItCanBeWrittenBackWhenItIsRead) {
  Put("document", kVersion1);
  const Documents eager = Open<Documents>({.write_back = WriteBack::kOnRead});
  EXPECT_EQ(MustFind(eager.Read({"d1"})).data, kDocument);
  EXPECT_EQ(Stored().at("data_version"), AttributeValue(3));
  EXPECT_EQ(Stored().at("rev"), AttributeValue(4)) << "whoever saw the old shape has to look again";
  EXPECT_EQ(eager.counts().written_back, 1U);
  EXPECT_EQ(MustFind(eager.Read({"d1"})).rev(), 4U) << "once is enough";
}

TEST_F(MigrationTest, AWriteBackLosesSilentlyToOtherWriters) {
  Put("document", kVersion1);
  const Documents eager = Open<Documents>({.write_back = WriteBack::kOnRead});
  faulty().BeforeNext("UpdateItem", [&] {
    Must(Others<Documents>().Modify({"d1"}, [](Document& document) { document.length = 7; }));
  });
  EXPECT_EQ(MustFind(eager.Read({"d1"})).data, kDocument);
  EXPECT_EQ(Stored().at("length"), AttributeValue(7));
  EXPECT_EQ(eager.counts().written_back, 0U);
}

TEST_F(MigrationTest, OrNeverByThisProgram) {
  Put("document", kVersion1);
  const Documents reader = Open<Documents>({.write_back = WriteBack::kNever});
  Versioned<Document> document = MustFind(reader.Read({"d1"}));
  document.data.length = 1;
  EXPECT_TRUE(FailsWith(reader.Update(document), ErrorCode::kValidation));
  EXPECT_EQ(Stored(), kVersion1);
}

TEST_F(MigrationTest, AnUpdateIsNotDisturbedByAMigrationInBetween) {
  Put("document", kVersion1);
  Versioned<Document> mine = MustFind(documents_.Read({"d1"}));
  const Documents eager = Others<Documents>({.write_back = WriteBack::kOnRead});
  MustFind(eager.Read({"d1"}));
  mine.data.title = "Rotor";
  const Versioned<Document> updated = Must(documents_.Update(mine));
  EXPECT_EQ(updated.rev(), 5U);
  EXPECT_EQ(updated.data.title, "Rotor");
  EXPECT_EQ(faulty().calls("UpdateItem"), 2U) << "one retry";
  EXPECT_TRUE(Succeeds(documents_.Remove(updated)));
}

TEST_F(MigrationTest, APatchMigratesFirst) {
  Put("document", kVersion1);
  const auto patched = Must(documents_.Patch({"d1"}, Add<&Document::length>(1)));
  EXPECT_EQ(patched.data.length, 1201);
  EXPECT_FALSE(Stored().contains("words"));
}

TEST_F(MigrationTest, AStepThatIsMissingIsFoundAtTheStart) {
  EntityDescription entity = Describe<Document>();
  EXPECT_TRUE(Succeeds(CheckVersions(entity)));
  entity.up_steps = {2};
  ASSERT_FALSE(CheckVersions(entity));
  EXPECT_EQ(CheckVersions(entity).error().message,
            "entity document: the step from version 1 to 2 is missing");
  entity.up_steps = {1, 2, 3};
  EXPECT_FALSE(CheckVersions(entity)) << "to a version that is not there";
  entity.up_steps = {1, 2};
  entity.write_as = 2;
  EXPECT_FALSE(CheckVersions(entity)) << "no way back to 2";
  entity.down_steps = {3};
  EXPECT_TRUE(Succeeds(CheckVersions(entity)));
}

TEST_F(MigrationTest, WhatIsOlderThanAnythingKnownIsRefused) {
  Put("document", With(kVersion1, "data_version", 0));
  EXPECT_TRUE(FailsWith(documents_.Read({"d1"}), ErrorCode::kCorruption));
  Put("document", With(kVersion1, "data_version", "one"));
  const auto read = documents_.Read({"d1"});
  ASSERT_TRUE(FailsWith(read, ErrorCode::kCorruption));
  EXPECT_EQ(FactsOf(read.error()).path, "data_version");
}

TEST_F(MigrationTest, ANewerVersionIsRefused) {
  Put("document", With(kVersion3, "data_version", 4));
  const auto read = documents_.Read({"d1"});
  ASSERT_TRUE(FailsWith(read, ErrorCode::kFutureVersion));
  EXPECT_EQ(FactsOf(read.error()).version, 4);
  EXPECT_EQ(FactsOf(read.error()).supported, 3);
  EXPECT_TRUE(FailsWith(documents_.Modify({"d1"}, [](Document& d) { ++d.length; }),
                        ErrorCode::kFutureVersion));
  EXPECT_TRUE(
      FailsWith(documents_.Patch({"d1"}, Add<&Document::length>(1)), ErrorCode::kFutureVersion));
}

TEST_F(MigrationTest, ANewerVersionThatSaysSoCanBeReadButNotWritten) {
  const GentleDocuments gentle = Open<GentleDocuments>();
  Must(gentle.Insert({{.id = "d1", .title = "Stator", .length = 1200, .language = "de"}}));
  EXPECT_EQ(Stored().at("min_reader"), AttributeValue(2));
  const OldDocuments old = Open<OldDocuments>();
  Versioned<OldDocument> read = MustFind(old.Read({"d1"}));
  EXPECT_EQ(read.data, (OldDocument{.id = "d1", .title = "Stator", .length = 1200}));
  EXPECT_TRUE(read.read_only());
  EXPECT_EQ(read.extra(), (Item{{"language", "de"}}));
  read.data.length = 1;
  const auto written = old.Update(read);
  ASSERT_TRUE(FailsWith(written, ErrorCode::kFutureVersion));
  EXPECT_EQ(FactsOf(written.error()).version, 3);
  EXPECT_TRUE(
      FailsWith(old.Patch({"d1"}, Add<&OldDocument::length>(1)), ErrorCode::kFutureVersion));
  EXPECT_EQ(Stored().at("length"), AttributeValue(1200));
}

TEST_F(MigrationTest, ARollingDeploymentReadsTheNewVersionFirstAndWritesItLater) {
  const RollingDocuments rolling = Open<RollingDocuments>();
  const OldDocuments old = Open<OldDocuments>();
  const RollingDocument document = {kDocument};
  Must(rolling.Insert(document));
  EXPECT_EQ(Stored().at("data_version"), AttributeValue(2));
  EXPECT_FALSE(Stored().contains("language"));
  EXPECT_EQ(MustFind(old.Read({"d1"})).data.length, 1200) << "old programs go on";
  Must(old.Modify({"d1"}, [](OldDocument& d) { d.length = 5; }));
  EXPECT_EQ(Must(rolling.Modify({"d1"}, [](RollingDocument& d) { ++d.length; })).data.length, 6);
  EXPECT_EQ(Stored().at("data_version"), AttributeValue(2));

  Must(documents_.Modify({"d1"}, [](Document& d) { d.language = "fr"; }));
  EXPECT_EQ(Stored().at("data_version"), AttributeValue(3)) << "then the switch is flipped";
  EXPECT_EQ(MustFind(rolling.Read({"d1"})).data.language, "fr");
  EXPECT_TRUE(
      FailsWith(rolling.Patch({"d1"}, FieldUpdate<RollingDocument>().Add<&Document::length>(1)),
                ErrorCode::kValidation));
}

TEST_F(MigrationTest, UnknownAttributesSurviveOlderPrograms) {
  const OldDocuments old = Open<OldDocuments>();
  const Item nested = {{"deep", Map{{"er", 1}}}};
  Put("document", With(With(kVersion2, "future", "keep me"), "more", AttributeValue(nested)));
  const Versioned<OldDocument> read = MustFind(old.Read({"d1"}));
  EXPECT_EQ(read.extra(), (Item{{"future", "keep me"}, {"more", AttributeValue(nested)}}));
  Must(old.Modify({"d1"}, [](OldDocument& d) { d.title = "x"; }));
  Must(old.Upsert({.id = "d1", .title = "y", .length = 1}));
  Must(documents_.Modify({"d1"}, [](Document& d) { d.title = "z"; }));
  EXPECT_EQ(Stored().at("future"), AttributeValue("keep me"));
  EXPECT_EQ(Stored().at("more"), AttributeValue(nested));
}

TEST_F(MigrationTest, WhatDoesNotFitTheStructIsCorruptAndSaysWhere) {
  Put("document", With(kVersion3, "length", "long"));
  const auto read = documents_.Read({"d1"});
  ASSERT_TRUE(FailsWith(read, ErrorCode::kCorruption));
  EXPECT_EQ(FactsOf(read.error()).path, "length");
  Item missing = kVersion3;
  missing.Erase("language");
  Put("document", missing);
  EXPECT_TRUE(FailsWith(documents_.Read({"d1"}), ErrorCode::kCorruption));
}

}  // namespace
}  // namespace stator::entities
