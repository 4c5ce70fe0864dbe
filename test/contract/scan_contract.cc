// Scan: whole tables, filters, pages, and segments in parallel.

#include <algorithm>
#include <set>

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::UnorderedElementsAreArray;

class Scan : public ContractTest {
 protected:
  void SetUp() override { MakeTable({.name = "things", .keys = "pk:S | sk:N"}); }

  std::vector<Item> Fill(int partitions, int items) {
    std::vector<Item> all;
    for (int partition = 0; partition < partitions; ++partition) {
      for (int number = 0; number < items; ++number) {
        all.push_back({{"pk", "p" + std::to_string(partition)}, {"sk", number}});
        Put("things", all.back());
      }
    }
    return all;
  }

  // All segments, each read to its end by pages of that size.
  [[nodiscard]] std::vector<Item> Segments(std::int32_t total, std::optional<std::int32_t> limit,
                                           const std::optional<std::string>& index = {}) {
    std::vector<Item> all;
    for (std::int32_t segment = 0; segment < total; ++segment) {
      for (const Item& item : ScanAll({.table_name = "things",
                                       .index_name = index,
                                       .limit = limit,
                                       .segment = segment,
                                       .total_segments = total})) {
        all.push_back(item);
      }
    }
    return all;
  }
};

TEST_F(Scan, ReturnsEveryItemOnce) {
  const std::vector<Item> all = Fill(20, 5);
  EXPECT_THAT(ScanAll({.table_name = "things"}), UnorderedElementsAreArray(all));
}

TEST_F(Scan, KeepsItemsOfAPartitionTogetherAndInOrder) {
  Fill(5, 4);
  const std::vector<Item> scanned = ScanAll({.table_name = "things"});
  for (std::size_t at = 0; at < scanned.size(); at += 4) {
    for (std::size_t number = 0; number < 4; ++number) {
      EXPECT_EQ(scanned[at + number].at("pk"), scanned[at].at("pk"));
      EXPECT_EQ(scanned[at + number].at("sk"), AttributeValue(number));
    }
  }
}

TEST_F(Scan, PagesJoinToTheWhole) {
  Fill(10, 3);
  const std::vector<Item> whole = ScanAll({.table_name = "things"});
  for (const std::int32_t limit : {1, 4, 7, 30, 31}) {
    EXPECT_EQ(ScanAll({.table_name = "things", .limit = limit}), whole) << limit;
  }
}

TEST_F(Scan, FiltersByKeysAndOthers) {
  Fill(4, 4);
  EXPECT_EQ(ScanAll({.table_name = "things",
                     .filter_expression = "pk = :p AND sk >= :n",
                     .expression_attribute_values = Map{{":p", "p1"}, {":n", 2}}}),
            (std::vector<Item>{{{"pk", "p1"}, {"sk", 2}}, {{"pk", "p1"}, {"sk", 3}}}));
}

TEST_F(Scan, CountsWhatItReadAndWhatPassed) {
  Fill(3, 3);
  const ScanOutput output = Must(db().Scan({.table_name = "things",
                                            .filter_expression = "sk = :n",
                                            .expression_attribute_values = Map{{":n", 1}},
                                            .select = Select::kCount}));
  EXPECT_FALSE(output.items.has_value());
  EXPECT_EQ(output.count, 3);
  EXPECT_EQ(output.scanned_count, 9);
}

TEST_F(Scan, Projects) {
  Fill(1, 2);
  EXPECT_EQ(ScanAll({.table_name = "things", .projection_expression = "sk"}),
            (std::vector<Item>{{{"sk", 0}}, {{"sk", 1}}}));
}

TEST_F(Scan, EndsAPageAtAMegabyte) {
  for (int number = 0; number < 8; ++number) {
    Put("things", {{"pk", std::to_string(number)}, {"sk", 0}, {"text", Text(300'000)}});
  }
  const ScanOutput first = Must(db().Scan({.table_name = "things"}));
  EXPECT_EQ(first.count, 4);
  EXPECT_TRUE(first.last_evaluated_key.has_value());
  EXPECT_EQ(ScanAll({.table_name = "things"}).size(), 8U);
}

TEST_F(Scan, SegmentsAreCompleteAndDisjoint) {
  const std::vector<Item> all = Fill(40, 3);
  for (const std::int32_t total : {1, 2, 3, 7, 16, 1000}) {
    EXPECT_THAT(Segments(total, std::nullopt), UnorderedElementsAreArray(all)) << total;
  }
}

TEST_F(Scan, SegmentsStayCompleteWhilePaging) {
  const std::vector<Item> all = Fill(25, 4);
  for (const std::int32_t total : {2, 5}) {
    EXPECT_THAT(Segments(total, 1), UnorderedElementsAreArray(all)) << total;
    EXPECT_THAT(Segments(total, 3), UnorderedElementsAreArray(all)) << total;
  }
}

TEST_F(Scan, SegmentsShareTheWork) {
  Fill(64, 1);
  for (std::int32_t segment = 0; segment < 4; ++segment) {
    const auto part = ScanAll({.table_name = "things", .segment = segment, .total_segments = 4});
    EXPECT_GT(part.size(), 2U) << "segment " << segment;
    EXPECT_LT(part.size(), 40U) << "segment " << segment;
  }
}

TEST_F(Scan, OnePartitionIsInOneSegment) {
  Fill(1, 20);
  int segments_with_items = 0;
  for (std::int32_t segment = 0; segment < 8; ++segment) {
    const auto part = ScanAll({.table_name = "things", .segment = segment, .total_segments = 8});
    EXPECT_TRUE(part.empty() || part.size() == 20);
    segments_with_items += part.empty() ? 0 : 1;
  }
  EXPECT_EQ(segments_with_items, 1);
}

TEST_F(Scan, AMillionSegmentsAreTheMost) {
  Fill(3, 1);
  EXPECT_TRUE(Succeeds(
      db().Scan({.table_name = "things", .segment = 999'999, .total_segments = 1'000'000})));
  EXPECT_TRUE(
      FailsWith(db().Scan({.table_name = "things", .segment = 0, .total_segments = 1'000'001}),
                ErrorCode::kValidation));
}

TEST_F(Scan, AStartKeyOfAnotherSegmentIsRefused) {
  Fill(30, 1);
  const std::vector<Item> first =
      ScanAll({.table_name = "things", .segment = 0, .total_segments = 2});
  ASSERT_FALSE(first.empty());
  EXPECT_TRUE(Refused(db().Scan({.table_name = "things",
                                 .segment = 1,
                                 .total_segments = 2,
                                 .exclusive_start_key = first.front()}),
                      "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
                      "ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 1"));
}

TEST_F(Scan, SegmentsOfAnIndexAreCompleteToo) {
  MakeTable({.name = "indexed", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  for (int number = 0; number < 50; ++number) {
    Put("indexed", {{"pk", std::to_string(number)}, {"g", std::to_string(number % 10)}});
  }
  std::set<std::string> seen;
  std::size_t count = 0;
  for (std::int32_t segment = 0; segment < 3; ++segment) {
    for (const Item& item : ScanAll({.table_name = "indexed",
                                     .index_name = "by_g",
                                     .limit = 4,
                                     .segment = segment,
                                     .total_segments = 3})) {
      seen.insert(*item.at("pk").If<std::string>());
      ++count;
    }
  }
  EXPECT_EQ(seen.size(), 50U);
  EXPECT_EQ(count, 50U);
}

// Unlike Query, which refuses such a filter.
TEST_F(Scan, FiltersAnIndexByWhatItDoesNotHoldToNothing) {
  MakeTable({.name = "indexed", .keys = "pk:S", .global = {{"by_g", "g:S", KeysOnly()}}});
  Put("indexed", {{"pk", "a"}, {"g", "x"}, {"v", 1}});
  const ScanOutput output = Must(db().Scan({.table_name = "indexed",
                                            .index_name = "by_g",
                                            .filter_expression = "v = :v",
                                            .expression_attribute_values = Map{{":v", 1}}}));
  EXPECT_EQ(output.count, 0);
  EXPECT_EQ(output.scanned_count, 1);
}

TEST_F(Scan, RefusesHalfOfASegment) {
  EXPECT_TRUE(Refused(db().Scan({.table_name = "things", .segment = 0}),
                      "The TotalSegments parameter is required but was not present in the request "
                      "when Segment parameter is present"));
  EXPECT_TRUE(Refused(db().Scan({.table_name = "things", .total_segments = 2}),
                      "The Segment parameter is required but was not present in the request when "
                      "parameter TotalSegments is present"));
  EXPECT_TRUE(Refused(db().Scan({.table_name = "things", .segment = 2, .total_segments = 2}),
                      "The Segment parameter is zero-based and must be less than parameter "
                      "TotalSegments: Segment: 2 is not less than TotalSegments: 2"));
}

TEST_F(Scan, RefusesNumbersOutOfRange) {
  EXPECT_TRUE(Refused(
      db().Scan({.table_name = "things", .limit = 0, .segment = -1, .total_segments = 0}),
      "3 validation errors detected: Value '0' at 'totalSegments' failed to satisfy constraint: "
      "Member must have value greater than or equal to 1; Value '-1' at 'segment' failed to "
      "satisfy constraint: Member must have value greater than or equal to 0; Value '0' at 'limit' "
      "failed to satisfy constraint: Member must have value greater than or equal to 1"));
}

TEST_F(Scan, RefusesStartKeysThatDoNotFit) {
  EXPECT_TRUE(Refused(
      db().Scan({.table_name = "things", .exclusive_start_key = Item{{"pk", "a"}}}),
      "The provided starting key is invalid: The provided key element does not match the schema"));
}

TEST_F(Scan, RefusesConsistentReadsOfGlobalIndexes) {
  MakeTable({.name = "indexed", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  EXPECT_TRUE(
      Refused(db().Scan({.table_name = "indexed", .index_name = "by_g", .consistent_read = true}),
              "Consistent reads are not supported on global secondary indexes"));
}

TEST_F(Scan, KnowsTheRulesOfSelect) {
  EXPECT_TRUE(Refused(
      db().Scan({.table_name = "things", .projection_expression = "a", .select = Select::kCount}),
      "Cannot specify the ProjectionExpression when choosing to get only the "
      "Count"));
  EXPECT_TRUE(
      FailsWith(db().Scan({.table_name = "things", .select = Select::kAllProjectedAttributes}),
                ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(db().Scan({.table_name = "things", .select = Select::kSpecificAttributes}),
                        ErrorCode::kValidation));
}

TEST_F(Scan, SaysWhenThereIsNoTable) {
  EXPECT_TRUE(Fails(db().Scan({.table_name = "others"}), ErrorCode::kTableNotFound,
                    "Requested resource not found"));
}

}  // namespace
}  // namespace stator::contract
