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

}  // namespace
}  // namespace stator::client
