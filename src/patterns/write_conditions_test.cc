// What write_conditions.h and UpdateText promise: the same text, names and values as the conditions
// and updates that they stand for.

#include "patterns/write_conditions.h"

#include <gtest/gtest.h>

#include "stator/patterns/expiry.h"

namespace stator::patterns {
namespace {

const TimePoint kNow{std::chrono::seconds(1000)};
const TableLayout kPlain = {.table_name = "table", .key_attributes = {"pk", "sk"}};
const TableLayout kExpiring = {
    .table_name = "table", .key_attributes = {"pk"}, .expiry_attribute = "expires"};

void ExpectSame(const std::string& text, const Placeholders& placeholders,
                const Condition& condition) {
  Placeholders compiled;
  EXPECT_EQ(text, compiled.Compile(condition));
  EXPECT_EQ(placeholders.names(), compiled.names());
  EXPECT_EQ(placeholders.values(), compiled.values());
}

TEST(AbsentText, SaysWhatAbsentSays) {
  for (const TableLayout& layout : {kPlain, kExpiring}) {
    Placeholders placeholders;
    const std::string text = AbsentText(layout, kNow, placeholders);
    ExpectSame(text, placeholders, Absent(layout, kNow));
  }
}

TEST(UnchangedText, SaysWhatUnchangedAndNotExpiredSay) {
  for (const TableLayout& layout : {kPlain, kExpiring}) {
    const Versioning versioning(layout);
    for (const Revision& seen : {Revision{}, Revision{7, ""}, Revision{7, "a"}}) {
      Placeholders placeholders;
      const std::string text = UnchangedText(versioning, seen, kNow, placeholders);
      ExpectSame(text, placeholders, versioning.Unchanged(seen) && NotExpired(layout, kNow));
    }
  }
}

// More than ten changes, as the tenth placeholder is the first that is not in order.
TEST(WriteChanges, SaysWhatChangesSays) {
  VersionedItem before = {
      .item = {{"pk", "x"}, {"gone", 1}, {"recent_writes", List{"a"}}, {"rev", 1}, {"same", 1}},
      .revision = {3, "a"}};
  Item after = {{"pk", "x"}, {"same", 1}, {"write_id", "not ours"}};
  for (const bool many : {false, true}) {
    for (int number = 0; many && number < 12; ++number) {
      after.Set("field" + std::to_string(number), number);
      before.item.Set("old" + std::to_string(number), number);
    }
    const Versioning versioning(kPlain, {.last_write = "last_write"});
    const WriteStamp stamp = {.write_id = "mine", .at = kNow};
    Placeholders placeholders;
    UpdateText text(placeholders);
    versioning.WriteChanges(before, after, stamp, text);
    EXPECT_EQ(text.size(), many ? 29U : 5U);
    Placeholders compiled;
    EXPECT_EQ(std::move(text).Take(), compiled.Compile(versioning.Changes(before, after, stamp)));
    EXPECT_EQ(placeholders.names(), compiled.names());
    EXPECT_EQ(placeholders.values(), compiled.values());
  }
}

TEST(UpdateText, CanHaveNothingButRemovals) {
  Placeholders placeholders;
  UpdateText text(placeholders);
  text.Remove("a");
  text.Remove("b");
  EXPECT_EQ(std::move(text).Take(), "REMOVE #n0, #n1");
}

TEST(Placeholders, AreCopiedOrMovedIntoAnInput) {
  Placeholders placeholders;
  UpdateItemInput copied{.table_name = "table", .key = {}};
  copied.condition_expression = placeholders.Compile(Attribute("a") == 1);
  placeholders.Fill(copied);
  UpdateItemInput moved{.table_name = "table", .key = {}};
  std::move(placeholders).Fill(moved);
  for (const UpdateItemInput& input : {copied, moved}) {
    EXPECT_EQ(input.expression_attribute_names, (AttributeNames{{"#n0", "a"}}));
    EXPECT_EQ(input.expression_attribute_values, (Map{{":v0", 1}}));
  }
}

}  // namespace
}  // namespace stator::patterns
