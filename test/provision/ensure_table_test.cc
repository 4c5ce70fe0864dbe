// EnsureTable: what it makes, that it finds every kind of drift and only that one, and which of
// them it repairs.

#include "stator/provision/ensure_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "homes/home.h"
#include "stator/api/forwarding_database.h"

namespace stator::provision {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

TableSpec Orders() {
  return {.name = "orders",
          .keys = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
          .attributes = {{"pk", ScalarAttributeType::kString},
                         {"sk", ScalarAttributeType::kString},
                         {"day", ScalarAttributeType::kNumber}},
          .global_indexes = {{.index_name = "by_day",
                              .key_schema = {{"day", KeyType::kHash}},
                              .projection = {.projection_type = ProjectionType::kInclude,
                                             .non_key_attributes = {{"total", "name"}}}}},
          .local_indexes = {{.index_name = "in_day",
                             .key_schema = {{"pk", KeyType::kHash}, {"day", KeyType::kRange}},
                             .projection = {.projection_type = ProjectionType::kAll}}},
          .ttl_attribute = "ttl",
          .recovery = {.enabled = false},
          .deletion_protection = false,
          .stream = StreamViewType::kNewImage,
          .tags = {{"team", "billing"}}};
}

void RemoveIndexes(TableSpec& spec) {
  spec.global_indexes.clear();
  spec.local_indexes.clear();
  spec.attributes.pop_back();
}

class EnsureTableTest : public testing::Test {
 protected:
  EnsureReport Ensure(const TableSpec& spec, EnsureMode mode, Database* database = nullptr) {
    const Result<EnsureReport> report =
        EnsureTable(database == nullptr ? home_->database() : *database, spec, mode, options_);
    EXPECT_TRUE(report.has_value()) << report.error().message;
    home_->Settle();
    return report.value_or(EnsureReport());
  }

  std::unique_ptr<homes::TestDatabase> home_ = homes::ThisHome().make();
  EnsureOptions options_;
};

TEST_F(EnsureTableTest, MakesWhatVerifyFindsToBeRight) {
  const EnsureReport made = Ensure(Orders(), EnsureMode::kCreate);
  EXPECT_TRUE(made.created);
  EXPECT_THAT(made.differences, IsEmpty());
  const EnsureReport verified = Ensure(Orders(), EnsureMode::kVerify);
  EXPECT_FALSE(verified.created);
  EXPECT_THAT(verified.differences, IsEmpty());
  EXPECT_EQ(home_->database().DescribeTimeToLive({.table_name = "orders"})->attribute_name, "ttl");
}

TEST_F(EnsureTableTest, VerifyMakesNothing) {
  EXPECT_THAT(Ensure(Orders(), EnsureMode::kVerify).differences,
              ElementsAre(Field(&TableDifference::kind, Drift::kMissingTable)));
  EXPECT_THAT(home_->database().ListTables({})->table_names, IsEmpty());
}

TEST_F(EnsureTableTest, IsDoneBySeveralAtOnce) {
  std::vector<std::jthread> processes;
  for (int process = 0; process < 4; ++process) {
    processes.emplace_back([&] {
      const auto report =
          EnsureTable(home_->database(), Orders(), EnsureMode::kApplySafe, options_);
      EXPECT_TRUE(report.has_value()) << report.error().message;
    });
  }
}

TEST_F(EnsureTableTest, AddsIndexesAndExpiryAlthoughSeveralDo) {
  TableSpec bare = Orders();
  bare.global_indexes.clear();
  bare.ttl_attribute.reset();
  Ensure(bare, EnsureMode::kCreate);
  {
    std::vector<std::jthread> processes;
    for (int process = 0; process < 4; ++process) {
      processes.emplace_back([&] {
        const auto report =
            EnsureTable(home_->database(), Orders(), EnsureMode::kApplySafe, options_);
        EXPECT_TRUE(report.has_value()) << report.error().message;
      });
    }
  }
  EXPECT_THAT(Ensure(Orders(), EnsureMode::kVerify).differences, IsEmpty());
}

// A table that is like Orders() but for `change`, and what Orders() misses in it.
struct DriftCase {
  Drift kind;
  std::string subject;
  std::function<void(TableSpec&)> change;
};

const std::vector<DriftCase>& DriftCases() {
  static const std::vector<DriftCase> cases = {
      {Drift::kKeys, "",
       [](TableSpec& spec) {
         spec.keys.pop_back();
         RemoveIndexes(spec);
         spec.attributes.pop_back();
       }},
      {Drift::kAttributeType, "day",
       [](TableSpec& spec) { spec.attributes[2].attribute_type = ScalarAttributeType::kString; }},
      {Drift::kMissingGlobalIndex, "by_day", [](TableSpec& spec) { spec.global_indexes.clear(); }},
      {Drift::kMissingLocalIndex, "in_day", [](TableSpec& spec) { spec.local_indexes.clear(); }},
      {Drift::kIndexKeys, "by_day",
       [](TableSpec& spec) { spec.global_indexes[0].key_schema = {{"sk", KeyType::kHash}}; }},
      {Drift::kIndexProjection, "by_day",
       [](TableSpec& spec) { spec.global_indexes[0].projection.non_key_attributes->pop_back(); }},
      {Drift::kUnwantedIndex, "again",
       [](TableSpec& spec) {
         spec.global_indexes.push_back(spec.global_indexes[0]);
         spec.global_indexes[1].index_name = "again";
       }},
      {Drift::kBilling, "",
       [](TableSpec& spec) {
         spec.throughput = {{5, 5}};
         spec.global_indexes[0].provisioned_throughput = {{5, 5}};
       }},
      {Drift::kTimeToLive, "", [](TableSpec& spec) { spec.ttl_attribute.reset(); }},
      {Drift::kTimeToLive, "", [](TableSpec& spec) { spec.ttl_attribute = "expires"; }},
      {Drift::kStream, "", [](TableSpec& spec) { spec.stream.reset(); }},
      {Drift::kStream, "", [](TableSpec& spec) { spec.stream = StreamViewType::kKeysOnly; }},
      {Drift::kTag, "team", [](TableSpec& spec) { spec.tags.clear(); }},
      {Drift::kTag, "team", [](TableSpec& spec) { spec.tags[0].value = "sales"; }},
      {Drift::kDeletionProtection, "", [](TableSpec& spec) { spec.deletion_protection = true; }},
      {Drift::kEncryption, "", [](TableSpec& spec) { spec.encryption = Encryption(); }},
  };
  return cases;
}

TEST_F(EnsureTableTest, FindsEveryKindOfDrift) {
  for (const DriftCase& drift : DriftCases()) {
    const bool is_forgotten = drift.kind == Drift::kTag || drift.kind == Drift::kEncryption;
    if (is_forgotten && homes::ThisHome().name == "local") {
      continue;  // DynamoDB Local has neither tags nor encryption.
    }
    SCOPED_TRACE(std::string(NameOf(drift.kind)) + " " + drift.subject);
    home_ = homes::ThisHome().make();
    TableSpec there = Orders();
    drift.change(there);
    ASSERT_TRUE(Ensure(there, EnsureMode::kCreate).created);
    const EnsureReport report = Ensure(Orders(), EnsureMode::kVerify);
    // Other keys come with other indexes.
    ASSERT_FALSE(report.differences.empty());
    if (drift.kind != Drift::kKeys) {
      EXPECT_EQ(report.differences.size(), 1U);
    }
    EXPECT_EQ(report.differences[0].kind, drift.kind);
    EXPECT_EQ(report.differences[0].subject, drift.subject);
    EXPECT_THAT(Ensure(Orders(), EnsureMode::kCreate).differences, report.differences);
  }
}

TEST_F(EnsureTableTest, FindsAnotherThroughput) {
  TableSpec spec = Orders();
  RemoveIndexes(spec);
  spec.throughput = {{5, 5}};
  ASSERT_TRUE(Ensure(spec, EnsureMode::kCreate).created);
  spec.throughput = {{5, 6}};
  EXPECT_THAT(Ensure(spec, EnsureMode::kVerify).differences,
              ElementsAre(TableDifference{.kind = Drift::kThroughput,
                                          .wanted = "5 reads, 6 writes",
                                          .found = "5 reads, 5 writes"}));
}

TEST_F(EnsureTableTest, AddsIndexesAndExpiryAndNothingElse) {
  TableSpec there = Orders();
  there.global_indexes.clear();
  there.ttl_attribute.reset();
  there.stream.reset();
  Ensure(there, EnsureMode::kCreate);
  const EnsureReport applied = Ensure(Orders(), EnsureMode::kApplySafe);
  EXPECT_FALSE(applied.created);
  EXPECT_THAT(applied.applied,
              ElementsAre(Field(&TableDifference::kind, Drift::kMissingGlobalIndex),
                          Field(&TableDifference::kind, Drift::kTimeToLive)));
  EXPECT_THAT(applied.differences, ElementsAre(Field(&TableDifference::kind, Drift::kStream)));
  EXPECT_EQ(Ensure(Orders(), EnsureMode::kVerify).differences, applied.differences);
}

TEST_F(EnsureTableTest, LeavesATableOfOthersAlone) {
  TableSpec theirs = Orders();
  theirs.keys.pop_back();
  RemoveIndexes(theirs);
  theirs.attributes.pop_back();
  theirs.ttl_attribute.reset();
  Ensure(theirs, EnsureMode::kCreate);
  EXPECT_THAT(Ensure(Orders(), EnsureMode::kApplySafe).applied, IsEmpty());
  EXPECT_THAT(Ensure(theirs, EnsureMode::kVerify).differences, IsEmpty());
}

TEST_F(EnsureTableTest, DoesNotMoveExpiryToAnotherAttribute) {
  TableSpec there = Orders();
  there.ttl_attribute = "expires";
  Ensure(there, EnsureMode::kCreate);
  const EnsureReport report = Ensure(Orders(), EnsureMode::kApplySafe);
  EXPECT_THAT(report.applied, IsEmpty());
  EXPECT_THAT(report.differences,
              ElementsAre(TableDifference{
                  .kind = Drift::kTimeToLive, .wanted = "ttl", .found = "expires"}));
}

// A table that is never what it should be.
class DatabaseInState final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<DescribeTableOutput> DescribeTable(const DescribeTableInput& input) override {
    auto output = ForwardingDatabase::DescribeTable(input);
    if (output) {
      output->table.table_status = status;
    }
    return output;
  }

  TableStatus status = TableStatus::kCreating;
};

TEST_F(EnsureTableTest, GivesUpWaiting) {
  DatabaseInState database(home_->database());
  ManualClock clock{TimePoint()};
  options_.clock = &clock;
  const auto report = EnsureTable(database, Orders(), EnsureMode::kCreate, options_);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kTimeout);
  EXPECT_GE(clock.Elapsed(), options_.patience);
  home_->Settle();
  const auto again = EnsureTable(database, Orders(), EnsureMode::kCreate, options_);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, ErrorCode::kTimeout);
  EXPECT_TRUE(EnsureTable(database, Orders(), EnsureMode::kVerify, options_).has_value());
  database.status = TableStatus::kDeleting;
  const auto deleting = EnsureTable(database, Orders(), EnsureMode::kCreate, options_);
  ASSERT_FALSE(deleting.has_value());
  EXPECT_EQ(deleting.error().code, ErrorCode::kResourceInUse);
  home_->Settle();
}

TEST_F(EnsureTableTest, RefusesASpecThatCannotBe) {
  TableSpec spec = Orders();
  spec.attributes.clear();
  const auto report = EnsureTable(home_->database(), spec, EnsureMode::kVerify);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kValidation);
}

TEST_F(EnsureTableTest, SaysWhatDiffersInASentence) {
  EXPECT_EQ(ToText({.kind = Drift::kIndexProjection,
                    .subject = "by_day",
                    .wanted = "ALL",
                    .found = "KEYS_ONLY"}),
            "index by_day projects other attributes; wanted: ALL; found: KEYS_ONLY");
  EXPECT_EQ(ToText({.kind = Drift::kTag, .subject = "team", .wanted = "billing"}),
            "tag team has another value; wanted: billing");
  EXPECT_EQ(ToText({.kind = Drift::kMissingTable, .wanted = "orders"}),
            "there is no such table; wanted: orders");
}

}  // namespace
}  // namespace stator::provision
