// Bad requests to a server with the real engine behind it: good bodies of every operation, damaged
// by a seeded generator in bytes and in meaning. Each is answered, as a success or as the client's
// mistake, never as the server's; and the data that nobody may touch are untouched.
// STATOR_TEST_FULL=1 sends 100,000.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "client.h"
#include "engine/engine.h"
#include "server/server.h"
#include "stator/base/random.h"
#include "wire/handler.h"
#include "wire/operations.h"

namespace stator::server {
namespace {

constexpr std::uint64_t kSeed = 20261116;

struct Sample {
  std::string_view operation;
  std::string_view body;
};

// At least one of every operation, so that every decoder and every check is on the way.
constexpr std::array kSamples = {
    Sample{"GetItem",
           R"({"TableName":"damaged","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ConsistentRead":true,)"
           R"("ProjectionExpression":"#n[0].b, sk","ExpressionAttributeNames":{"#n":"n"}})"},
    Sample{
        "PutItem",
        R"({"TableName":"damaged","Item":{"pk":{"S":"a"},"sk":{"N":"-1.5e3"},"s":{"SS":["x","y"]},)"
        R"("m":{"M":{"b":{"B":"AQID"},"l":{"L":[{"NULL":true},{"BOOL":false}]}}}},)"
        R"("ConditionExpression":"attribute_not_exists(pk) OR size(m) > :n",)"
        R"("ExpressionAttributeValues":{":n":{"N":"0"}},"ReturnValues":"ALL_OLD"})"},
    Sample{"UpdateItem",
           R"({"TableName":"damaged","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"UpdateExpression":)"
           R"("SET #n = list_append(if_not_exists(#n, :l), :l) REMOVE s ADD c :n DELETE t :t",)"
           R"("ExpressionAttributeNames":{"#n":"n"},"ExpressionAttributeValues":{":l":{"L":)"
           R"([{"S":"x"}]},":n":{"N":"1"},":t":{"SS":["x"]}},"ReturnValues":"UPDATED_NEW"})"},
    Sample{"DeleteItem",
           R"({"TableName":"damaged","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"Expected":{"c":)"
           R"({"ComparisonOperator":"GT","AttributeValueList":[{"N":"3"}]}}})"},
    Sample{"Query",
           R"({"TableName":"damaged","KeyConditionExpression":"pk = :p AND sk BETWEEN :a AND :b",)"
           R"("FilterExpression":"NOT contains(s, :p) AND c IN (:a, :b) OR c = :a","Limit":3,)"
           R"("ExpressionAttributeValues":{":p":{"S":"a"},":a":{"N":"-9"},":b":{"N":"9"}},)"
           R"("ScanIndexForward":false,"Select":"ALL_ATTRIBUTES"})"},
    Sample{"Scan", R"({"TableName":"damaged","Segment":0,"TotalSegments":2,"ExclusiveStartKey":)"
                   R"({"pk":{"S":"a"},"sk":{"N":"1"}},"ReturnConsumedCapacity":"INDEXES"})"},
    Sample{"BatchGetItem", R"({"RequestItems":{"damaged":{"Keys":[{"pk":{"S":"a"},"sk":{"N":"1"}},)"
                           R"({"pk":{"S":"b"},"sk":{"N":"2"}}],"AttributesToGet":["pk","n"]}}})"},
    Sample{"BatchWriteItem",
           R"({"RequestItems":{"damaged":[{"PutRequest":{"Item":{"pk":{"S":"c"},"sk":{"N":"1"}}}},)"
           R"({"DeleteRequest":{"Key":{"pk":{"S":"d"},"sk":{"N":"1"}}}}]}})"},
    Sample{"TransactWriteItems",
           R"({"TransactItems":[{"Put":{"TableName":"damaged","Item":{"pk":{"S":"e"},"sk":)"
           R"({"N":"1"}}}},{"ConditionCheck":{"TableName":"damaged","Key":{"pk":{"S":"f"},"sk":)"
           R"({"N":"1"}},"ConditionExpression":"attribute_not_exists(pk) OR sk = sk"}}]})"},
    Sample{"ExecuteStatement",
           R"({"Statement":"SELECT m.x FROM damaged WHERE pk = ? AND sk IN [1, ?]","Parameters":)"
           R"([{"S":"a"},{"N":"2"}],"Limit":2,"NextToken":"AAAA","ConsistentRead":true,)"
           R"("ReturnConsumedCapacity":"TOTAL"})"},
    Sample{
        "BatchExecuteStatement",
        R"({"Statements":[{"Statement":"UPDATE damaged SET n = n + ? WHERE pk = 'a' AND sk = 1",)"
        R"("Parameters":[{"N":"1"}],"ReturnValuesOnConditionCheckFailure":"ALL_OLD"},)"
        R"({"Statement":"DELETE FROM damaged WHERE pk = 'g' AND sk = 1"}]})"},
    Sample{"ExecuteTransaction",
           R"json({"TransactStatements":[{"Statement":"INSERT INTO damaged VALUE {'pk':?,)json"
           R"json('sk':<<1>>}","Parameters":[{"S":"h"}]},{"Statement":"EXISTS(SELECT * FROM )json"
           R"json(damaged WHERE pk = 'a' AND sk = 1 AND n IS NULL)"}],"ClientRequestToken":)json"
           R"json("token"})json"},
    Sample{"TransactGetItems",
           R"({"TransactItems":[{"Get":{"TableName":"damaged","Key":{"pk":{"S":"a"},"sk":)"
           R"({"N":"1"}}}}]})"},
    Sample{
        "CreateTable",
        R"({"TableName":"another","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":)"
        R"([{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"B"}],)"
        R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"GlobalSecondaryIndexes":)"
        R"([{"IndexName":"by_g","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],)"
        R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]}}],)"
        R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})"},
    Sample{"UpdateTable",
           R"({"TableName":"another","BillingMode":"PROVISIONED","ProvisionedThroughput":)"
           R"({"ReadCapacityUnits":1,"WriteCapacityUnits":1},"GlobalSecondaryIndexUpdates":)"
           R"([{"Delete":{"IndexName":"by_g"}}]})"},
    Sample{"DeleteTable", R"({"TableName":"another"})"},
    Sample{"DescribeTable", R"({"TableName":"damaged"})"},
    Sample{"ListTables", R"({"ExclusiveStartTableName":"abc","Limit":5})"},
    Sample{"UpdateTimeToLive",
           R"({"TableName":"damaged","TimeToLiveSpecification":{"Enabled":true,)"
           R"("AttributeName":"ttl"}})"},
    Sample{"DescribeTimeToLive", R"({"TableName":"damaged"})"},
    Sample{"TagResource",
           R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged","Tags":)"
           R"([{"Key":"k","Value":"v"}]})"},
    Sample{"UntagResource",
           R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged",)"
           R"("TagKeys":["k"]})"},
    Sample{"ListTagsOfResource",
           R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged"})"},
    Sample{"PutResourcePolicy",
           R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged","Policy":)"
           R"("{\"Statement\":{\"Effect\":\"Deny\",\"Principal\":{\"AWS\":\"111122223333\"},)"
           R"(\"Action\":\"dynamodb:Get*\",\"Resource\":\"*\",\"Condition\":{\"ArnLike\":)"
           R"({\"aws:PrincipalArn\":\"arn:*\"}}}}","ExpectedRevisionId":"NO_POLICY",)"
           R"("ConfirmRemoveSelfResourceAccess":true})"},
    Sample{"GetResourcePolicy",
           R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged"})"},
    Sample{"DeleteResourcePolicy",
           R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged/stream/)"
           R"(2026-11-16T00:00:00.000","ExpectedRevisionId":"1"})"},
    Sample{"UpdateContributorInsights",
           R"({"TableName":"damaged","ContributorInsightsAction":"ENABLE",)"
           R"("ContributorInsightsMode":"ACCESSED_AND_THROTTLED_KEYS"})"},
    Sample{"DescribeContributorInsights", R"({"TableName":"damaged","IndexName":"by_a"})"},
    Sample{"ListContributorInsights",
           R"({"TableName":"damaged","NextToken":"damaged/","MaxResults":2})"},
    Sample{"EnableKinesisStreamingDestination",
           R"({"TableName":"damaged","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:)"
           R"(stream/changes","EnableKinesisStreamingConfiguration":)"
           R"({"ApproximateCreationDateTimePrecision":"MICROSECOND"}})"},
    Sample{"DisableKinesisStreamingDestination",
           R"({"TableName":"damaged","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:)"
           R"(stream/changes"})"},
    Sample{"UpdateKinesisStreamingDestination",
           R"({"TableName":"damaged","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:)"
           R"(stream/changes","UpdateKinesisStreamingConfiguration":)"
           R"({"ApproximateCreationDateTimePrecision":"MILLISECOND"}})"},
    Sample{"DescribeKinesisStreamingDestination", R"({"TableName":"damaged"})"},
    Sample{"UpdateContinuousBackups",
           R"({"TableName":"damaged","PointInTimeRecoverySpecification":)"
           R"({"PointInTimeRecoveryEnabled":false,"RecoveryPeriodInDays":7}})"},
    Sample{"DescribeContinuousBackups", R"({"TableName":"damaged"})"},
    Sample{"CreateBackup", R"({"TableName":"damaged","BackupName":"daily"})"},
    Sample{"DescribeBackup",
           R"({"BackupArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged/backup/)"
           R"(01576616366715-b4e58d3a"})"},
    Sample{"DeleteBackup",
           R"({"BackupArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged/backup/)"
           R"(01576616366715-b4e58d3a"})"},
    Sample{"ListBackups",
           R"({"TableName":"damaged","Limit":2,"TimeRangeLowerBound":1,"BackupType":"ALL"})"},
    Sample{"RestoreTableFromBackup",
           R"({"TargetTableName":"restored","BackupArn":"arn:aws:dynamodb:us-east-1:000000000000:)"
           R"(table/damaged/backup/01576616366715-b4e58d3a","BillingModeOverride":"PROVISIONED",)"
           R"("ProvisionedThroughputOverride":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},)"
           R"("GlobalSecondaryIndexOverride":[{"IndexName":"by_a","KeySchema":)"
           R"([{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]})"},
    Sample{"ExportTableToPointInTime",
           R"({"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged","S3Bucket":)"
           R"("bucket","S3Prefix":"a/b","ClientToken":"t","ExportTime":1,"ExportFormat":)"
           R"("DYNAMODB_JSON","S3SseAlgorithm":"KMS","S3SseKmsKeyId":"k","S3BucketOwner":)"
           R"("000000000000","ExportType":"INCREMENTAL_EXPORT","IncrementalExportSpecification":)"
           R"({"ExportFromTime":1,"ExportToTime":2,"ExportViewType":"NEW_IMAGE"}})"},
    Sample{"DescribeExport",
           R"({"ExportArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged/export/)"
           R"(01576616366715-b4e58d3a"})"},
    Sample{"ListExports", R"({"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged",)"
                          R"("MaxResults":2,"NextToken":"x"})"},
    Sample{"ImportTable",
           R"({"S3BucketSource":{"S3Bucket":"bucket","S3KeyPrefix":"a/","S3BucketOwner":)"
           R"("000000000000"},"InputFormat":"CSV","InputCompressionType":"GZIP","ClientToken":"t",)"
           R"("InputFormatOptions":{"Csv":{"Delimiter":";","HeaderList":["id","a"]}},)"
           R"("TableCreationParameters":{"TableName":"imported","AttributeDefinitions":)"
           R"([{"AttributeName":"id","AttributeType":"S"}],"KeySchema":)"
           R"([{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}})"},
    Sample{"DescribeImport",
           R"({"ImportArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged/import/)"
           R"(01576616366715-b4e58d3a"})"},
    Sample{"ListImports",
           R"({"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged","PageSize":2})"},
    Sample{"RestoreTableToPointInTime",
           R"({"TargetTableName":"restored","SourceTableName":"damaged","RestoreDateTime":1,)"
           R"("UseLatestRestorableTime":false})"},
    Sample{"RewindTable", R"({"TableName":"damaged","RewindDateTime":1794700800.5})"},
    Sample{"CreateCheckpoint", R"({"CheckpointName":"fixtures","Replace":true})"},
    Sample{"RestoreCheckpoint", R"({"CheckpointName":"fixtures"})"},
    Sample{"DeleteCheckpoint", R"({"CheckpointName":"fixtures"})"},
    Sample{"ListCheckpoints", "{}"},
    Sample{"DescribeLimits", "{}"},
    Sample{"DescribeEndpoints", "{}"},
    Sample{"ListStreams", R"({"TableName":"damaged","Limit":2})"},
    Sample{"DescribeStream",
           R"({"StreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged/stream/)"
           R"(2026-11-16T00:00:00.000","Limit":1})"},
    Sample{"GetShardIterator",
           R"({"StreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/damaged/stream/)"
           R"(2026-11-16T00:00:00.000","ShardId":"shardId-00000000000000000001-00000001",)"
           R"("ShardIteratorType":"AT_SEQUENCE_NUMBER","SequenceNumber":"1"})"},
    Sample{"GetRecords", R"({"ShardIterator":"AAECAwQ=","Limit":10})"},
};

// Pieces with a meaning to some parser.
constexpr auto kPieces = std::to_array<std::string_view>({
    "null",
    "true",
    "[]",
    "{}",
    R"("")",
    "-0",
    "1e309",
    "99999999999999999999",
    R"(\u0000)",
    R"(\ud800)",
    "\xff",
    R"({"S":1})",
    R"({"N":"1e999"})",
    R"("Limit":-1,)",
    "((((((((",
    "[[[[[[[[",
    "AND",
    "NOT",
    "#x",
    ":x",
    "size(",
    "a.b[9999999999]",
    "=",
    ",",
});

std::string Damaged(Random& random, std::string_view good) {
  std::string body(good);
  for (std::uint64_t changes = 1 + random.Below(3); changes > 0; --changes) {
    const std::size_t at = random.Below(body.size() + 1);
    switch (random.Below(6)) {
      case 0:
        body.insert(at, kPieces[random.Below(kPieces.size())]);
        break;
      case 1:
        body.erase(at, 1 + random.Below(12));
        break;
      case 2: {  // A value takes the place of another.
        const std::size_t colon = body.find(':', at);
        const std::size_t end = body.find_first_of(",}]", colon);
        if (end != std::string::npos) {
          body.replace(colon + 1, end - colon - 1, kPieces[random.Below(kPieces.size())]);
        }
        break;
      }
      case 3:
        body.insert(at, body.substr(random.Below(body.size() + 1), random.Below(60)));
        break;
      case 4:
        body.insert(at, std::string(random.Below(5000), "[{(\"x9"[random.Below(6)]));
        break;
      default:
        if (at < body.size()) {
          body[at] = static_cast<char>(body[at] ^ (1U << random.Below(8)));
        }
        break;
    }
  }
  return body;
}

// A server in front of the engine, as `stator serve --memory` has it.
class RealServer {
 public:
  RealServer() {
    engine::EngineOptions options;
    options.store.in_memory = true;
    auto opened = engine::Engine::Open(options);
    CHECK_THAT(opened.has_value(), opened.error().message);
    engine_ = *std::move(opened);
    handler_ = std::make_unique<wire::DatabaseHandler>(*engine_);
    auto started = Server::Start({.port = 0, .threads = 2}, *handler_);
    CHECK_THAT(started.has_value(), started.error().message);
    server_ = *std::move(started);
  }

  ~RealServer() { server_->Stop(std::chrono::seconds(10)); }
  RealServer(const RealServer&) = delete;
  RealServer& operator=(const RealServer&) = delete;

  [[nodiscard]] Client Connect() const { return Client(server_->port()); }

  // What a client that behaves gets.
  [[nodiscard]] HttpAnswer Ask(std::string_view operation, std::string_view body) const {
    Client client = Connect();
    client.Send(Post(operation, body));
    return client.ReadAnswer();
  }

 private:
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<wire::DatabaseHandler> handler_;
  std::unique_ptr<Server> server_;
};

void MakeTable(const RealServer& server, std::string_view name) {
  const std::string body =
      R"({"TableName":")" + std::string(name) +
      R"(","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk",)"
      R"("AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}],"KeySchema":)"
      R"([{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}})";
  ASSERT_EQ(server.Ask("CreateTable", body).status, 200);
}

std::string TargetOf(std::string_view operation) {
  for (const wire::Operation& known : wire::AllOperations()) {
    if (known.name == operation) {
      return std::string(known.target);
    }
  }
  return "";
}

TEST(OperationMutation, EveryOperationHasASample) {
  for (const wire::Operation& operation : wire::AllOperations()) {
    const bool has_one = std::ranges::any_of(
        kSamples, [&](const Sample& sample) { return sample.operation == operation.name; });
    EXPECT_TRUE(has_one) << operation.name;
  }
}

TEST(OperationMutation, WhateverIsAskedIsTheClientsMistakeNotTheServers) {
  const char* const full = std::getenv("STATOR_TEST_FULL");
  const int requests = full != nullptr && std::string_view(full) == "1" ? 100'000 : 3'000;
  const RealServer server;
  MakeTable(server, "damaged");
  MakeTable(server, "innocent");
  constexpr std::string_view kInnocent =
      R"({"TableName":"innocent","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"v":{"S":"kept"}}})";
  constexpr std::string_view kReadInnocent =
      R"({"TableName":"innocent","Key":{"pk":{"S":"a"},"sk":{"N":"1"}}})";
  ASSERT_EQ(server.Ask("PutItem", kInnocent).status, 200);
  const std::string before = server.Ask("GetItem", kReadInnocent).body;
  ASSERT_TRUE(before.contains("kept"));

  SeededRandom random(kSeed);
  Client client = server.Connect();
  int succeeded = 0;
  for (int count = 0; count < requests; ++count) {
    const Sample& sample = kSamples[random.Below(kSamples.size())];
    const std::string body = Damaged(random, sample.body);
    const std::string head =
        "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: " + TargetOf(sample.operation) +
        "\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n";
    ASSERT_TRUE(client.Send(head + body));
    const HttpAnswer answer = client.ReadAnswer();
    ASSERT_TRUE(answer.status == 200 || answer.status == 400)
        << "seed " << kSeed << ", request " << count << ", status " << answer.status << ": "
        << sample.operation << ' ' << testing::PrintToString(body) << '\n'
        << answer.body;
    succeeded += answer.status == 200 ? 1 : 0;
  }
  // A generator whose requests all fail at the first character finds nothing.
  EXPECT_GT(succeeded, requests / 50);
  EXPECT_LT(succeeded, requests / 2);
  EXPECT_EQ(server.Ask("GetItem", kReadInnocent).body, before);
}

}  // namespace
}  // namespace stator::server
