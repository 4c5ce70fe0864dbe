#include "copy/copied_tables.h"
#include "stator/patterns/expiry.h"

namespace stator::copy {
namespace {

class CopyTest : public CopiedTables {
 protected:
  // Items of 50 KB, so that there are several pages.
  void Fill(int items) {
    MakeTable(*old_home_, "old", "id", "number");
    MakeTable(*new_home_, "new", "id", "number");
    for (int number = 0; number < items; ++number) {
      Put(*old_home_, "old",
          {{"id", std::to_string(number % 7)},
           {"number", number},
           {"text", std::string(50'000, 'x')}});
    }
  }
};

TEST_F(CopyTest, EveryItemArrives) {
  Fill(60);
  const Side from = Look(*old_home_, "old");
  const Side to = Look(*new_home_, "new");
  CopyState state = Beginning(3);
  const Result<void> copied = CopyItems(from, to, state);
  ASSERT_TRUE(copied.has_value()) << copied.error().message;
  EXPECT_TRUE(state.is_done());
  EXPECT_EQ(state.items(), 60U);
  ExpectSame(from, to, 60);
}

TEST_F(CopyTest, AnEmptyTableIsCopiedToo) {
  Fill(0);
  CopyState state = Beginning(2);
  const Side from = Look(*old_home_, "old");
  const Side to = Look(*new_home_, "new");
  EXPECT_TRUE(CopyItems(from, to, state).has_value());
  EXPECT_TRUE(state.is_done());
  ExpectSame(from, to, 0);
}

TEST_F(CopyTest, AnInterruptedCopyGoesOnWhereItWas) {
  Fill(60);
  const Side from = Look(*old_home_, "old");
  const Side to = Look(*new_home_, "new");
  CopyState state = Beginning(2);
  int pages = 0;
  std::string kept;
  const auto interrupt = [&](const CopyState& now) -> Result<void> {
    kept = ToJson(now);
    return ++pages == 2 ? Fail(ErrorCode::kIo, "no room for the file") : Result<void>();
  };
  const Result<void> interrupted = CopyItems(from, to, state, {.on_page = interrupt});
  ASSERT_FALSE(interrupted.has_value());
  EXPECT_EQ(interrupted.error().message, "no room for the file");

  Result<CopyState> later = ParseCopyState(kept);
  ASSERT_TRUE(later.has_value()) << later.error().message;
  EXPECT_EQ(later->subject, "test");
  EXPECT_EQ(later->begun, state.begun);
  const std::uint64_t before = later->items();
  EXPECT_GT(before, 0U);
  EXPECT_LT(before, 60U);
  ASSERT_TRUE(CopyItems(from, to, *later).has_value());
  EXPECT_EQ(later->items(), 60U) << "nothing is counted twice";
  ExpectSame(from, to, 60);
}

TEST_F(CopyTest, ACopyThatIsStoppedSaysSo) {
  Fill(1);
  std::stop_source source;
  source.request_stop();
  CopyState state = Beginning(2);
  const Side from = Look(*old_home_, "old");
  const Side to = Look(*new_home_, "new");
  const Result<void> copied = CopyItems(from, to, state, {.stop = source.get_token()});
  ASSERT_FALSE(copied.has_value());
  EXPECT_EQ(copied.error().code, ErrorCode::kIncomplete);
  EXPECT_FALSE(state.is_done());
}

TEST_F(CopyTest, AnItemWithoutTheOtherTablesKeyIsRefused) {
  MakeTable(*old_home_, "old", "id");
  MakeTable(*new_home_, "new", "email");
  Put(*old_home_, "old", {{"id", "a"}});
  CopyState state = Beginning(1);
  const Side from = Look(*old_home_, "old");
  const Side to = Look(*new_home_, "new");
  const Result<void> copied = CopyItems(from, to, state);
  ASSERT_FALSE(copied.has_value());
  EXPECT_EQ(copied.error().code, ErrorCode::kValidation);
  EXPECT_NE(copied.error().message.find("email"), std::string::npos) << copied.error().message;
}

TEST_F(CopyTest, ProgressThatIsNoneIsRefused) {
  for (const char* text :
       {"", "{}", "[]", R"({"subject":{"S":"x"}})",
        R"({"subject":{"S":"x"},"begun":{"N":"-1"},"segments":{"L":[]}})",
        R"({"subject":{"S":"x"},"begun":{"N":"1"},"segments":{"L":[]}})",
        R"({"subject":{"S":"x"},"begun":{"N":"1"},"segments":{"L":[{"S":""}]}})"}) {
    const Result<CopyState> state = ParseCopyState(text);
    ASSERT_FALSE(state.has_value()) << text;
    EXPECT_EQ(state.error().code, ErrorCode::kValidation) << text;
  }
}

TEST_F(CopyTest, ATableIsMadeLikeTheFirst) {
  CreateTableInput input;
  input.table_name = "old";
  input.billing_mode = BillingMode::kPayPerRequest;
  input.key_schema = {{"id", KeyType::kHash}};
  input.attribute_definitions = {{"id", ScalarAttributeType::kString},
                                 {"city", ScalarAttributeType::kString}};
  input.global_secondary_indexes = {{{.index_name = "by_city",
                                      .key_schema = {{"city", KeyType::kHash}},
                                      .projection = {.projection_type = ProjectionType::kAll}}}};
  ASSERT_TRUE(old_home_->CreateTable(input).has_value());
  ASSERT_TRUE(old_home_
                  ->UpdateTimeToLive(
                      {.table_name = "old",
                       .time_to_live_specification = {.enabled = true, .attribute_name = "ttl"}})
                  .has_value());
  const provision::TableSpec spec = SpecOf(Look(*old_home_, "old"), "new");
  EXPECT_TRUE(provision::CheckSpec(spec).has_value());
  EXPECT_EQ(spec.name, "new");
  EXPECT_EQ(spec.ttl_attribute, "ttl");
  ASSERT_EQ(spec.global_indexes.size(), 1U);
  EXPECT_EQ(spec.global_indexes[0].index_name, "by_city");
}

TEST_F(CopyTest, ComparingFindsWhatDiffers) {
  Fill(3);
  Put(*new_home_, "new", {{"id", "0"}, {"number", 0}, {"text", "another"}});
  Put(*new_home_, "new", {{"id", "9"}, {"number", 9}});
  const Result<CompareReport> report =
      CompareTables(Look(*old_home_, "old"), Look(*new_home_, "new"));
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->items, 3U);
  EXPECT_EQ(report->missing, 2U);
  EXPECT_EQ(report->different, 1U);
  EXPECT_EQ(report->extra, 1U);
  EXPECT_EQ(report->examples.size(), 4U);
  EXPECT_FALSE(report->is_same());
}

TEST_F(CopyTest, WhatHasExpiredMayBeMissing) {
  Fill(0);
  ASSERT_TRUE(old_home_
                  ->UpdateTimeToLive(
                      {.table_name = "old",
                       .time_to_live_specification = {.enabled = true, .attribute_name = "ttl"}})
                  .has_value());
  Put(*old_home_, "old", {{"id", "a"}, {"number", 1}, {"ttl", 1'700'000'000}});
  const Side from = Look(*old_home_, "old");
  ExpectSame(from, Look(*new_home_, "new"), 1);
}

}  // namespace
}  // namespace stator::copy
