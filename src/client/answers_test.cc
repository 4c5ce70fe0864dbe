// What the client makes of answers that only Amazon gives; those of Stator's server are the subject
// of the contract.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "client/client.h"
#include "client/fake_transport.h"

namespace stator::client {
namespace {

class AnswersTest : public testing::Test {
 protected:
  AnswersTest() {
    RequestSender::Parts parts{.endpoints = {.dynamodb_url = "https://d.example",
                                             .streams_url = "https://s.example",
                                             .region = "eu-central-1"},
                               .options = {},
                               .transport = transport_,
                               .clock = &clock_,
                               .random = &random_};
    parts.credentials = std::make_unique<StaticCredentials>(
        Credentials{.key = {.access_key_id = "AKID", .secret_access_key = "secret"}});
    client_ = std::make_unique<Client>(std::move(parts));
  }

  Result<UpdateContinuousBackupsOutput> SwitchOn() {
    return client_->UpdateContinuousBackups(
        {.table_name = "things",
         .point_in_time_recovery_specification = {.enabled = true, .recovery_period_in_days = 7}});
  }

  ManualClock clock_{TimePoint(std::chrono::seconds(1'794'744'000))};
  SeededRandom random_{1};
  std::shared_ptr<FakeTransport> transport_ = std::make_shared<FakeTransport>();
  std::unique_ptr<Client> client_;
};

TEST_F(AnswersTest, TablesHaveRareStates) {
  const std::pair<const char*, TableStatus> states[] = {
      {"INACCESSIBLE_ENCRYPTION_CREDENTIALS", TableStatus::kInaccessibleEncryptionCredentials},
      {"ARCHIVING", TableStatus::kArchiving},
      {"ARCHIVED", TableStatus::kArchived},
      {"REPLICATION_NOT_AUTHORIZED", TableStatus::kReplicationNotAuthorized}};
  for (const auto& [name, status] : states) {
    transport_->Play(
        200, R"({"Table":{"TableName":"things","TableStatus":")" + std::string(name) + R"("}})");
  }
  for (const auto& [name, status] : states) {
    const auto described = client_->DescribeTable({.table_name = "things"});
    ASSERT_TRUE(described) << described.error().message;
    EXPECT_EQ(described->table.table_status, status) << name;
  }
}

TEST_F(AnswersTest, RecoveryHasDaysAndTimes) {
  transport_->Play(200,
                   R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
                   R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"ENABLED",)"
                   R"("RecoveryPeriodInDays":7,"EarliestRestorableDateTime":1.794E9,)"
                   R"("LatestRestorableDateTime":1.7947E9}}})");
  const auto updated = SwitchOn();
  ASSERT_TRUE(updated) << updated.error().message;
  const ContinuousBackupsDescription& backups = updated->continuous_backups_description;
  EXPECT_TRUE(backups.continuous_backups_enabled);
  EXPECT_TRUE(backups.point_in_time_recovery_enabled);
  EXPECT_EQ(backups.recovery_period_in_days, 7);
  EXPECT_EQ(backups.earliest_restorable_date_time, TimePoint(std::chrono::seconds(1'794'000'000)));
  EXPECT_EQ(backups.latest_restorable_date_time, TimePoint(std::chrono::seconds(1'794'700'000)));
  const FakeTransport::Sent& sent = transport_->sent.at(0);
  EXPECT_EQ(sent.Field("x-amz-target"), "DynamoDB_20120810.UpdateContinuousBackups");
  EXPECT_EQ(sent.body, R"({"TableName":"things","PointInTimeRecoverySpecification":)"
                       R"({"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}})");
}

TEST_F(AnswersTest, ADescriptionMayLeaveTheRecoveryOut) {
  transport_->Play(200,
                   R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"DISABLED"}})");
  const auto described = client_->DescribeContinuousBackups({.table_name = "things"});
  ASSERT_TRUE(described) << described.error().message;
  EXPECT_FALSE(described->continuous_backups_description.continuous_backups_enabled);
  EXPECT_FALSE(described->continuous_backups_description.point_in_time_recovery_enabled);
}

TEST_F(AnswersTest, BackupsThatAreNotThereYetAreInUse) {
  const std::string prefix = R"({"__type":"com.amazonaws.dynamodb.v20120810#)";
  transport_->Play(400, prefix + R"(ContinuousBackupsUnavailableException","message":"Backups"})");
  transport_->Play(400, prefix + R"(TableNotFoundException","message":"Table not found"})");
  EXPECT_EQ(SwitchOn().error().code, ErrorCode::kResourceInUse);
  EXPECT_EQ(SwitchOn().error().code, ErrorCode::kTableNotFound);
}

// The service has one name for both. Its words differ from endpoint to endpoint; whether there is
// such a table does not.
TEST_F(AnswersTest, AMissingIndexIsToldFromAMissingTable) {
  constexpr int kBad = 400;
  const std::string missing =
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"x"})";
  const std::string table = R"({"Table":{"TableName":"things","TableStatus":"ACTIVE"}})";
  const UpdateTableInput drop = {
      .table_name = "things",
      .global_secondary_index_updates = {{DeleteGlobalSecondaryIndexAction{"by_x"}}}};

  transport_->Play(kBad, missing);
  transport_->Play(200, table);
  EXPECT_EQ(client_->UpdateTable(drop).error().code, ErrorCode::kResourceNotFound);
  EXPECT_EQ(transport_->sent.size(), 2U);

  transport_->Forget();
  transport_->Play(kBad, missing);  // and again, to DescribeTable
  EXPECT_EQ(client_->UpdateTable(drop).error().code, ErrorCode::kTableNotFound);
  EXPECT_EQ(transport_->sent.size(), 2U);

  // Whoever may not look cannot be told more.
  transport_->Forget();
  transport_->Play(kBad, missing);
  transport_->Play(kBad, R"({"__type":"x#AccessDeniedException","Message":"no"})");
  EXPECT_EQ(client_->UpdateTable(drop).error().code, ErrorCode::kResourceNotFound);

  // Nothing but a table can be missing here, and nothing more is asked.
  transport_->Forget();
  transport_->Play(kBad, missing);
  EXPECT_EQ(client_->UpdateTable({.table_name = "things"}).error().code, ErrorCode::kTableNotFound);
  EXPECT_EQ(transport_->sent.size(), 1U);
}

TEST_F(AnswersTest, EveryOperationIsSentToItsTarget) {
  transport_->Play(200, "{}");
#define STATOR_OPERATION(Name, ...) EXPECT_TRUE(client_->Name({})) << #Name;
#include "stator/api/operations.inc"
  ASSERT_EQ(transport_->sent.size(), api::kOperations.size());
  for (std::size_t i = 0; i < api::kOperations.size(); ++i) {
    const std::string target = transport_->sent[i].Field("x-amz-target");
    EXPECT_EQ(target, api::kOperations[i]->target);
    EXPECT_TRUE(transport_->sent[i].url.starts_with(
        target.starts_with("DynamoDBStreams") ? "https://s.example" : "https://d.example"));
  }
}

}  // namespace
}  // namespace stator::client
