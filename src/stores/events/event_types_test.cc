// What events are made of: sortable ids, tags, service ids, queries, shards, and the computed ids
// and fingerprints of claims, against values that were computed elsewhere.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <thread>

#include "stator/stores/events/append.h"
#include "stator/stores/events/event_query.h"
#include "stator/stores/events/options.h"
#include "stator/stores/events/sortable_id.h"
#include "stator/stores/events/tag.h"
#include "stores/events/keys.h"
#include "stores/events/unicode_text.h"

namespace stator::events {
namespace {

constexpr TimePoint kNewYear2026{std::chrono::seconds{1'767'225'600}};

TEST(SortableIdText, IsThirtyDigitsOfTicksAndAPart) {
  const auto id = SortableId::FromUuid(kNewYear2026, "01020304-0506-0708-090a-0b0c0d0e0f10");
  ASSERT_TRUE(id.has_value());
  EXPECT_EQ(id->ToText(), "063902822400000000000437125638");
  EXPECT_EQ(id->ticks(), 639028224000000000U);
  EXPECT_EQ(id->part(), 437125638U);
}

TEST(SortableIdText, TakesAUuidWhoseWordsCombineToTheLeastNumber) {
  const auto id = SortableId::FromUuid(kNewYear2026, "80000000-0000-0000-0000-000000000000");
  ASSERT_TRUE(id.has_value());
  EXPECT_EQ(id->part(), 2147483648U);
  EXPECT_FALSE(
      SortableId::FromUuid(kNewYear2026, "80000000-0000-0000-0000-00000000000").has_value());
  EXPECT_FALSE(
      SortableId::FromUuid(kNewYear2026, "8000000x-0000-0000-0000-000000000000").has_value());
}

TEST(SortableIdText, ParsesExactlyThirtyDigits) {
  for (const char* text :
       {"", " ", "06390282240000000000043712563", "0639028224000000000004371256389",
        "06390282240000000000043712563x", "-63902822400000000000437125638"}) {
    EXPECT_FALSE(SortableId::Parse(text).has_value()) << text;
  }
  EXPECT_EQ(SortableId::Parse("063902822400000000000437125638")->ToText(),
            "063902822400000000000437125638");
}

TEST(SortableIdText, TellsItsTime) {
  EXPECT_EQ(SortableId::Parse("063902822400000000000437125638")->Time(), kNewYear2026);
  EXPECT_EQ(SortableId::At(kNewYear2026).ToText(), "063902822400000000000000000000");
}

TEST(SortableIdText, HasALeastAndAGreatest) {
  EXPECT_EQ(SortableId().ToText(), std::string(30, '0'));
  EXPECT_EQ(SortableId::Max().ToText(), std::string(30, '9'));
  EXPECT_LT(SortableId::At(kNewYear2026), SortableId::Max());
  EXPECT_EQ(SortableId::Parse(std::string(30, '9')), SortableId::Max());
}

RC_GTEST_PROP(SortableIdText, SortsAsItsBytesDo, ()) {
  const auto arbitrary = [] {
    return SortableId::FromParts(*rc::gen::inRange<std::uint64_t>(0, SortableId::kTicksMax),
                                 *rc::gen::inRange<std::uint64_t>(0, SortableId::kPartMax));
  };
  const SortableId left = arbitrary();
  const SortableId right = arbitrary();
  RC_ASSERT((left < right) == (left.ToText() < right.ToText()));
  RC_ASSERT(*SortableId::Parse(left.ToText()) == left);
}

std::vector<TagProblemKind> StrictProblems(const std::vector<std::string>& tags) {
  std::vector<TagProblemKind> kinds;
  for (const TagProblem& problem : FindTagProblems(tags, TagRule::kStrict)) {
    kinds.push_back(problem.kind);
  }
  return kinds;
}

TEST(StrictTags, AreGroupAndContent) {
  using enum TagProblemKind;
  const std::string group(40, 'g');
  const std::string content(80, 'c');
  EXPECT_TRUE(StrictProblems({"course:c1", "a_b.c-D:0_1.2-Z"}).empty());
  EXPECT_TRUE(StrictProblems({"s:01020304-0506-0708-090a-0b0c0d0e0f10"}).empty());
  EXPECT_TRUE(StrictProblems({group + ":" + content}).empty());
  EXPECT_EQ(StrictProblems({"course"}), (std::vector{kFormat}));
  EXPECT_EQ(StrictProblems({""}), (std::vector{kFormat}));
  EXPECT_EQ(StrictProblems({":c1"}), (std::vector{kGroupEmpty}));
  EXPECT_EQ(StrictProblems({"course:"}), (std::vector{kContentEmpty}));
  EXPECT_EQ(StrictProblems({":"}), (std::vector{kGroupEmpty, kContentEmpty}));
  EXPECT_EQ(StrictProblems({"co urse:c1"}), (std::vector{kGroupCharacters}));
  EXPECT_EQ(StrictProblems({"course:c:1"}), (std::vector{kContentCharacters}));
  EXPECT_EQ(StrictProblems({" : "}), (std::vector{kGroupCharacters, kContentCharacters}));
  EXPECT_EQ(StrictProblems({group + "g:c"}), (std::vector{kGroupTooLong}));
  EXPECT_EQ(StrictProblems({"g:" + content + "c"}), (std::vector{kContentTooLong}));
}

TEST(StrictTags, ReportAllProblemsOfAllTags) {
  const auto checked = CheckTags({"course", "a:b", ":", "x y:1"}, TagRule::kStrict);
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().code, ErrorCode::kValidation);
  for (const char* part : {"\"course\"", "empty group", "empty content", "\"x y:1\""}) {
    EXPECT_NE(checked.error().message.find(part), std::string::npos) << part;
  }
}

TEST(OpenTags, AreTextWithoutControlCharacters) {
  EXPECT_TRUE(CheckTags({"email:john.doe@example.com", "vu1-iter2", "größe:ü"}, TagRule::kOpen));
  for (const std::string& tag : {std::string(), std::string(257, 'x'), std::string("a\nb"),
                                 std::string("\xC3"), std::string("a\x7F")}) {
    EXPECT_FALSE(CheckTags({tag}, TagRule::kOpen).has_value());
  }
  EXPECT_EQ(GroupOf("course:c1:x"), "course");
  EXPECT_EQ(GroupOf("course"), "course");
}

TEST(ServiceIds, AreLowerCaseLettersDigitsAndDashes) {
  EXPECT_EQ(NormalizeServiceId("Tenant-1"), "tenant-1");
  EXPECT_EQ(NormalizeServiceId(std::string(64, 'A')), std::string(64, 'a'));
  for (const std::string& text : {std::string(), std::string(65, 'a'), std::string(" a"),
                                  std::string("a "), std::string("a_b"), std::string("a|b")}) {
    EXPECT_FALSE(NormalizeServiceId(text).has_value()) << text;
  }
}

Event MakeEvent(std::string type, std::vector<std::string> tags) {
  return {.id = "e",
          .sortable_id = {},
          .type = std::move(type),
          .payload = {},
          .tags = std::move(tags)};
}

TEST(Queries, MatchOneOfTheTypesAndAllOfTheTags) {
  const Event event = MakeEvent("A", {"x:1", "y:2"});
  EXPECT_TRUE((EventQuery{{.types = {"B", "A"}, .tags = {"x:1", "y:2"}}}).Matches(event));
  EXPECT_FALSE((EventQuery{{.types = {"A"}, .tags = {"x:1", "z:3"}}}).Matches(event));
  EXPECT_FALSE((EventQuery{{.types = {"B"}, .tags = {"x:1"}}}).Matches(event));
  EXPECT_TRUE((EventQuery{{.types = {"B"}}, {.tags = {"y:2"}}}).Matches(event));
}

TEST(Queries, WithoutItemsOrWithAnEmptyItemMatchEverything) {
  const Event event = MakeEvent("A", {});
  EXPECT_TRUE(EventQuery::All().Matches(event));
  EXPECT_TRUE(EventQuery::All().matches_all());
  EXPECT_TRUE((EventQuery{{.types = {"B"}}, QueryItem{}}).matches_all());
  EXPECT_TRUE((EventQuery{{.types = {"B"}}, QueryItem{}}).Matches(event));
  EXPECT_FALSE((EventQuery{{.types = {"B"}}}).matches_all());
}

TEST(Queries, WithEmptyNamesOrTooManyOfThemAreRefused) {
  EXPECT_FALSE(CheckQuery(EventQuery{{.types = {""}}}).has_value());
  EXPECT_FALSE(CheckQuery(EventQuery{{.tags = {""}}}).has_value());
  EXPECT_FALSE(CheckQuery(EventQuery(std::vector<QueryItem>(101))).has_value());
  EXPECT_TRUE(CheckQuery(EventQuery(std::vector<QueryItem>(100))).has_value());
}

TEST(Shards, AreTheDigestOfTheId) {
  const std::string id = "063902822400000000000000000000";
  EXPECT_EQ(ShardOf(id, 1), kUnsharded);
  EXPECT_EQ(ShardOf(id, 2), 1);
  EXPECT_EQ(ShardOf(id, 4), 1);
  EXPECT_EQ(ShardOf(id, 8), 5);
  EXPECT_EQ(ShardOf(id, 10), 5);
}

TEST(StoreOptions, OutOfRangeAreRefused) {
  EXPECT_TRUE(CheckOptions({}).has_value());
  EXPECT_FALSE(CheckOptions({.batch_get_items_max = 101}).has_value());
  EXPECT_FALSE(CheckOptions({.batch_write_items_max = 26}).has_value());
  EXPECT_FALSE(CheckOptions({.chunk_slots = 0}).has_value());
  EXPECT_FALSE(CheckOptions({.query_page_size = 0}).has_value());
  EXPECT_FALSE(CheckOptions({.write_shard_count = 0}).has_value());
  EXPECT_FALSE(CheckOptions({.offload_threshold_bytes = 500'000}).has_value());
}

TEST(Claims, DeriveTheirEventIdFromServiceAndKey) {
  EXPECT_EQ(MakeClaimEventId("svc", "dyn-1"), "e9180c45-293a-8d56-9b0d-313860c86866");
  EXPECT_EQ(MakeClaimEventId("default", "migration:2026-07-add-region-tag"),
            "7dc32d71-dd3b-8959-96e9-889e7f53c9fc");
}

TEST(Claims, HaveTheFingerprintOfTheGoldenVector) {
  const std::string golden = "4ef47d7068f7a740f23cca54401ad9c14ba1d236a4a3965c8e1f0cd813c994d6";
  const std::string payload = *MakeCanonicalJson(R"( { "b" : "x", "a": 1 } )");
  EXPECT_EQ(payload, R"({"a":1,"b":"x"})");
  EXPECT_EQ(MakeClaimFingerprint("svc-1", "key-1", "My.Type", payload, {"A:1", "B:2"}), golden);
  EXPECT_EQ(MakeClaimFingerprint("svc-1", "key-1", "My.Type", payload, {"B:2", "A:1"}), golden);
  EXPECT_NE(MakeClaimFingerprint("svc-1", "key-1", "My.Type", payload, {"B:2", "a:1"}), golden);
  EXPECT_NE(MakeClaimFingerprint("svc-1", "key-1", "My.Type", payload, {"A:1", "A:1", "B:2"}),
            golden);
}

TEST(Claims, TrimTheirKeys) {
  EXPECT_EQ(NormalizeClaimKey(" \tKey 1\n"), "Key 1");
  EXPECT_FALSE(NormalizeClaimKey("  ").has_value());
  EXPECT_TRUE(NormalizeClaimKey(std::string(512, 'k')).has_value());
  EXPECT_FALSE(NormalizeClaimKey(std::string(513, 'k')).has_value());
}

TEST(Claims, BringTheirKeysIntoFormC) {
  EXPECT_EQ(NormalizeClaimKey("Cafe\u0301"), "Caf\u00e9");
  EXPECT_EQ(NormalizeClaimKey("Caf\u00e9"), "Caf\u00e9");
  EXPECT_EQ(MakeClaimEventId("svc", *NormalizeClaimKey("e\u0301")),
            MakeClaimEventId("svc", *NormalizeClaimKey("\u00e9")));
  // 1,026 bytes that become 684: too many in either form; 384 become 256.
  std::string letters;
  for (int count = 0; count < 342; ++count) {
    letters += "e\u0301";
  }
  EXPECT_FALSE(NormalizeClaimKey(letters).has_value());
  EXPECT_TRUE(NormalizeClaimKey(letters.substr(0, 256 * 3)).has_value());
  EXPECT_FALSE(NormalizeClaimKey("\xff").has_value());
}

TEST(UnicodeText, ComposesAndOrders) {
  // Left as it was typed, right as Python's unicodedata has it.
  for (const auto& [typed, composed] : std::initializer_list<std::pair<const char*, const char*>>{
           {"plain ASCII", "plain ASCII"},
           {"e\u0301", "\u00e9"},
           {"A\u030a\u0323", "\u1ea0\u030a"},
           {"s\u0307\u0323", "\u1e69"},
           {"\u212b", "\u00c5"},
           {"\u2126", "\u03a9"},
           {"\u1100\u1161\u11a8", "\uac01"},
           {"\uac00\u11a8", "\uac01"},
           {"q\u0307\u0323", "q\u0323\u0307"},
           {"\u0958", "\u0915\u093c"},
           {"a\u0315\u0300\u05ae\u0300b", "\u00e0\u05ae\u0300\u0315b"},
           {"\U0001d15e", "\U0001d157\U0001d165"},
           {"\u304b\u3099", "\u304c"},
           {"\u3099", "\u3099"},
           {"\u0344", "\u0308\u0301"},
           {"\uf900", "\u8c48"},
           {"\U0002f800", "\u4e3d"},
           {"\u09c7\u09be", "\u09cb"}}) {
    EXPECT_EQ(ToFormC(typed), composed) << typed;
    EXPECT_EQ(ToFormC(composed), composed);
  }
}

TEST(CanonicalJson, RefusesANameThatOccursTwice) {
  for (const char* text : {R"({"a":1,"a":2})", R"({"b":{"a":1,"a":1}})", R"({"a":1,"\u0061":2})"}) {
    EXPECT_EQ(MakeCanonicalJson(text).error().code, ErrorCode::kValidation) << text;
  }
}

TEST(CanonicalJson, SortsNamesAtEveryLevelAndKeepsTheRest) {
  EXPECT_EQ(MakeCanonicalJson(R"({"z":[{"b":1.0,"a":1},[]],"a":{"d":"\"}","c":null},"m":{}})"),
            R"({"a":{"c":null,"d":"\"}"},"m":{},"z":[{"a":1,"b":1.0},[]]})");
}

TEST(CanonicalJson, RefusesAnythingButAnObjectWithoutShowingIt) {
  for (const char* text : {"", "1", "[]", "\"secret\"", "{\"secret\":", "{\"a\":1}secret"}) {
    const auto canonical = MakeCanonicalJson(text);
    ASSERT_FALSE(canonical.has_value()) << text;
    EXPECT_EQ(canonical.error().message.find("secret"), std::string::npos);
  }
}

}  // namespace
}  // namespace stator::events
