// What versioning.h promises without a database, above all what can be told about a lost write.

#include "stator/patterns/versioning.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>

#include "stator/patterns/requests.h"

namespace stator::patterns {
namespace {

const WriteStamp kMine{.write_id = "mine", .at = TimePoint(std::chrono::milliseconds(1234))};

Versioning MakeVersioning(std::size_t kept = 4) {
  return Versioning({.table_name = "table", .key_attributes = {"pk"}}, {}, kept);
}

VersionedItem At(std::uint64_t number, const std::vector<std::string>& recent) {
  return {.item = {{"pk", "x"}, {"recent_writes", List(recent.begin(), recent.end())}},
          .revision = {.number = number, .write_id = recent.front()}};
}

TEST(Versioning, WriteIdsAreSixteenUrlSafeCharactersAndDiffer) {
  SeededRandom random(1);
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = MakeWriteId(random);
    EXPECT_EQ(id.size(), 16U);
    EXPECT_EQ(
        id.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"),
        std::string::npos);
    EXPECT_TRUE(ids.insert(id).second);
  }
}

TEST(Versioning, ByMillisecondsARevisionNeitherRepeatsNorGoesBack) {
  const Versioning versioning({.table_name = "table", .key_attributes = {"pk"}},
                              {.revision = "last_write"}, 4, RevisionRule::kMilliseconds);
  const VersionedItem first = versioning.Read(versioning.Stamped({{"pk", "x"}}, nullptr, kMine));
  EXPECT_EQ(first.revision.number, 1234U);
  const auto after = [&](const VersionedItem& before, int at) {
    return versioning.Read(versioning.Stamped(
        before.item, &before, {.write_id = "w", .at = TimePoint(std::chrono::milliseconds(at))}));
  };
  const VersionedItem second = after(first, 1234);
  EXPECT_EQ(second.revision.number, 1235U) << "within the same millisecond";
  const VersionedItem third = after(second, 7);
  EXPECT_EQ(third.revision.number, 1236U) << "by a clock that is behind";
  EXPECT_EQ(after(third, 5000).revision.number, 5000U);
}

TEST(Versioning, ReadsWhatItStamped) {
  const Versioning versioning = MakeVersioning();
  const Item item = {{"pk", "x"}, {"n", 1}};
  const VersionedItem first = versioning.Read(versioning.Stamped(item, nullptr, kMine));
  EXPECT_EQ(first.revision, (Revision{1, "mine"}));
  EXPECT_EQ(first.item.at("recent_writes"), AttributeValue(List{"mine"}));
  const VersionedItem second =
      versioning.Read(versioning.Stamped(item, &first, {.write_id = "other", .at = {}}));
  EXPECT_EQ(second.revision, (Revision{2, "other"}));
  EXPECT_EQ(second.item.at("recent_writes"), AttributeValue(List{"other", "mine"}));
  EXPECT_TRUE(versioning.SameContent(first.item, second.item));
}

TEST(Versioning, AnItemWithoutARevisionIsReadAsSuch) {
  const Item item = {{"pk", "x"}, {"rev", "text"}, {"write_id", 1}};
  EXPECT_EQ(MakeVersioning().Read(item), (VersionedItem{.item = item, .revision = {}}));
  EXPECT_EQ(MakeVersioning().Read({{"rev", -5}}).revision.number, 0U);
}

TEST(Versioning, ContentIsWhatIsNoBookkeeping) {
  const Versioning versioning = MakeVersioning();
  const Item item = {{"pk", "x"}, {"n", 1}};
  const Item stamped = versioning.Stamped(item, nullptr, kMine);
  EXPECT_EQ(versioning.ContentOf(stamped), item);
  EXPECT_TRUE(versioning.SameContent(item, stamped));
  EXPECT_TRUE(versioning.SameContent(stamped, item));
  EXPECT_TRUE(versioning.SameContent({}, {{"rev", 1}}));
  for (const Item& other :
       {Item{{"pk", "x"}}, Item{{"pk", "x"}, {"n", 2}}, Item{{"pk", "x"}, {"n", 1}, {"z", 1}},
        Item{{"a", 1}, {"pk", "x"}, {"n", 1}}}) {
    EXPECT_FALSE(versioning.SameContent(stamped, other));
    EXPECT_FALSE(versioning.SameContent(other, stamped));
  }
}

TEST(Versioning, KeepsAsManyWriteIdsAsAskedFor) {
  const VersionedItem before = At(7, {"d", "c", "b", "a"});
  EXPECT_EQ(MakeVersioning(2).Stamped({}, &before, kMine).at("recent_writes"),
            AttributeValue(List{"mine", "d"}));
  EXPECT_FALSE(MakeVersioning(0).Stamped(before.item, &before, kMine).contains("recent_writes"));
}

TEST(Versioning, WritesOnlyWhatChanged) {
  const Versioning versioning = MakeVersioning(0);
  VersionedItem before = At(1, {"a"});
  before.item = {{"pk", "x"}, {"same", 1}, {"changed", 1}, {"removed", 1}};
  Placeholders placeholders;
  const auto text = placeholders.Compile(
      versioning.Changes(before, {{"pk", "x"}, {"same", 1}, {"changed", 2}, {"new", 3}}, kMine));
  EXPECT_EQ(text, "SET #n0 = :v0, #n1 = :v1, #n2 = :v2, #n3 = :v3 REMOVE #n4");
  EXPECT_EQ(placeholders.names(), (AttributeNames{{"#n0", "changed"},
                                                  {"#n1", "new"},
                                                  {"#n2", "rev"},
                                                  {"#n3", "write_id"},
                                                  {"#n4", "removed"}}));
}

// A list that others left, without the latest write, would tell that it was never done.
TEST(Versioning, WriteIdsOfOthersAreRemovedWhereNoneAreKept) {
  const Versioning versioning = MakeVersioning(0);
  const VersionedItem before = At(1, {"a"});
  Placeholders changes;
  EXPECT_EQ(changes.Compile(versioning.Changes(before, before.item, kMine)),
            "SET #n0 = :v0, #n1 = :v1 REMOVE #n2");
  EXPECT_EQ(changes.names().at("#n2"), "recent_writes");
  Placeholders blind;
  EXPECT_EQ(blind.Compile(versioning.BlindChanges(kMine)), "SET #n0 = :v0 REMOVE #n1 ADD #n2 :v1");
  EXPECT_EQ(blind.names().at("#n1"), "recent_writes");
}

TEST(Versioning, RecordsTheTimeForPeopleOnlyWhenAsked) {
  const Versioning versioning({.table_name = "table", .key_attributes = {"pk"}},
                              {.last_write = "last_write"});
  EXPECT_EQ(versioning.Stamped({}, nullptr, kMine).at("last_write"), AttributeValue(1234));
  EXPECT_FALSE(MakeVersioning().Stamped({}, nullptr, kMine).contains("last_write"));
  EXPECT_TRUE(versioning.SameContent({{"last_write", 1}}, {}));
}

TEST(Versioning, LocksRevisionAndWriteIdAndNoClock) {
  Placeholders placeholders;
  EXPECT_EQ(placeholders.Compile(MakeVersioning().Unchanged({3, "a"})), "#n0 = :v0 AND #n1 = :v1");
  EXPECT_EQ(placeholders.names(), (AttributeNames{{"#n0", "rev"}, {"#n1", "write_id"}}));
}

TEST(FateOfAWrite, IsKnownWhileItIsTheLatest) {
  const VersionedItem current = At(6, {"mine"});
  EXPECT_EQ(MakeVersioning().FateOf("mine", {5, "seen"}, &current), WriteFate::kApplied);
}

TEST(FateOfAWrite, IsKnownWhenOthersFollowed) {
  const VersionedItem current = At(8, {"c", "b", "mine"});
  EXPECT_EQ(MakeVersioning().FateOf("mine", {5, "seen"}, &current), WriteFate::kApplied);
}

TEST(FateOfAWrite, IsKnownWhenAnotherTookItsPlace) {
  const VersionedItem current = At(7, {"b", "a", "seen"});
  EXPECT_EQ(MakeVersioning().FateOf("mine", {5, "seen"}, &current), WriteFate::kNotApplied);
}

TEST(FateOfAWrite, IsOpenWhileTheItemIsAsItWasSeen) {
  const VersionedItem current = At(5, {"seen"});
  EXPECT_EQ(MakeVersioning().FateOf("mine", {5, "seen"}, &current), WriteFate::kPending);
}

TEST(FateOfAWrite, IsUnknownWhenTheListIsTooShort) {
  const VersionedItem current = At(9, {"d", "c", "b"});
  EXPECT_EQ(MakeVersioning().FateOf("mine", {5, "seen"}, &current), WriteFate::kUnknown);
}

TEST(FateOfAWrite, IsUnknownForAnItemThatWasMadeAnew) {
  // The same numbers, but not the line of writes that was seen.
  const VersionedItem current = At(7, {"c", "b", "a", "z"});
  EXPECT_EQ(MakeVersioning().FateOf("mine", {5, "seen"}, &current), WriteFate::kUnknown);
  EXPECT_EQ(MakeVersioning().FateOf("mine", {5, "seen"}, nullptr), WriteFate::kUnknown);
  const VersionedItem younger = At(1, {"a"});
  EXPECT_EQ(MakeVersioning().FateOf("mine", {5, "seen"}, &younger), WriteFate::kUnknown);
}

}  // namespace
}  // namespace stator::patterns
