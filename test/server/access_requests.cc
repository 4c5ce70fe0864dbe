// For tests: what access_requests.h declares.

#include "access_requests.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "value/json_text.h"
#include "wire/operations.h"

namespace stator::server {
namespace {

constexpr std::string_view kStream = "/stream/2026-11-16T00:00:00.000";

// As callers may write a table: what they name stays the server's own.
std::string ArnSpelling(const std::string& table) {
  return OneOf({"arn:aws:dynamodb:us-east-1:000000000000:table/",
                "arn:aws:dynamodb:eu-west-1:000000000000:table/",
                "arn:aws:dynamodb:us-east-1:123456789012:table/",
                "arn:aws-cn:dynamodb:cn-north-1:000000000000:table/"}) +
         table;
}

std::string Spelling(const std::string& table) {
  return *rc::gen::arbitrary<bool>() ? table : ArnSpelling(table);
}

std::string Key(const std::string& partition) {
  return R"({"pk":{"S":")" + partition + R"("}})";
}

// ---- What each kind of operation looks like and needs
// --------------------------------------------

Asked NamesNothing(const std::string& action) {
  return {"{}", {{.action = action, .resource = "*"}}};
}

// The whole database.
Maker NamesCheckpoint(std::string further) {
  return [further](const std::string& action) {
    return Asked{R"({"CheckpointName":"fixtures")" + further + "}",
                 {{.action = action, .resource = "*"}}};
  };
}

Maker NamesTable(std::string further) {
  return [further](const std::string& action) {
    const std::string table = OneOf(kTables);
    return Asked{R"({"TableName":)" + Quoted(Spelling(table)) + further + "}",
                 {{.action = action, .resource = Arn(table)}}};
  };
}

Maker NamesItem(std::string member, std::string further) {
  return [member, further](const std::string& action) {
    const std::string table = OneOf(kTables);
    const std::string key = OneOf(kKeys);
    return Asked{R"({"TableName":)" + Quoted(Spelling(table)) + "," + Quoted(member) + ":" +
                     Key(key) + further + "}",
                 {{.action = action, .resource = Arn(table), .leading_keys = {key}}}};
  };
}

Asked NamesPartition(const std::string& action) {
  const std::string table = OneOf(kTables);
  const std::string key = OneOf(kKeys);
  const bool on_index = *rc::gen::arbitrary<bool>();
  const std::string condition = OneOf(
      {R"("KeyConditionExpression":"#p = :p","ExpressionAttributeNames":{"#p":"NAME"},)"
       R"("ExpressionAttributeValues":{":p":{"S":"KEY"}})",
       R"("KeyConditionExpression":"NAME = :p","ExpressionAttributeValues":{":p":{"S":"KEY"}})",
       R"("KeyConditions":{"NAME":{"ComparisonOperator":"EQ",)"
       R"("AttributeValueList":[{"S":"KEY"}]}})"});
  std::string body = R"({"TableName":)" + Quoted(Spelling(table)) + "," + condition + "}";
  body.replace(body.find("NAME"), 4, on_index ? "holder" : "pk");
  body.replace(body.find("KEY"), 3, key);
  if (on_index) {
    body.insert(body.size() - 1, R"(,"IndexName":"by-owner")");
  }
  return {body,
          {{.action = action,
            .resource = Arn(table) + (on_index ? "/index/by-owner" : ""),
            .leading_keys = {key}}}};
}

Maker NamesIndexedTable(std::string further) {
  return [further](const std::string& action) {
    const std::string table = OneOf(kTables);
    const bool on_index = *rc::gen::arbitrary<bool>();
    return Asked{
        R"({"TableName":)" + Quoted(Spelling(table)) + further +
            (on_index ? R"(,"IndexName":"by-owner"})" : "}"),
        {{.action = action, .resource = Arn(table) + (on_index ? "/index/by-owner" : "")}}};
  };
}

Maker NamesResource(std::string further) {
  return [further](const std::string& action) {
    const std::string table = OneOf(kTables);
    return Asked{R"({"ResourceArn":)" + Quoted(ArnSpelling(table)) + further + "}",
                 {{.action = action, .resource = Arn(table)}}};
  };
}

constexpr char kBackup[] = "/backup/01576616366715-b4e58d3a";

Asked NamesBackup(const std::string& action) {
  const std::string table = OneOf(kTables);
  return {R"({"BackupArn":)" + Quoted(ArnSpelling(table) + kBackup) + "}",
          {{.action = action, .resource = Arn(table) + kBackup}}};
}

Maker NamesTransfer(const std::string& member, const std::string& part) {
  return [member, part](const std::string& action) {
    const std::string table = OneOf(kTables);
    const std::string below = "/" + part + "/01576616366715-b4e58d3a";
    return Asked{R"({")" + member + R"(":)" + Quoted(ArnSpelling(table) + below) + "}",
                 {{.action = action, .resource = Arn(table) + below}}};
  };
}

Asked ExportsTable(const std::string& action) {
  const std::string table = OneOf(kTables);
  return {R"({"S3Bucket":"bucket","TableArn":)" + Quoted(ArnSpelling(table)) + "}",
          {{.action = action, .resource = Arn(table)}}};
}

Asked ImportsTable(const std::string& action) {
  return {R"({"S3BucketSource":{"S3Bucket":"bucket"},"InputFormat":"CSV",)"
          R"("TableCreationParameters":{"TableName":"imported","AttributeDefinitions":)"
          R"([{"AttributeName":"id","AttributeType":"S"}],"KeySchema":)"
          R"([{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}})",
          {{.action = action, .resource = Arn("imported")}}};
}

// Who restores a table may do to it what filling it takes.
std::vector<ReferenceQuestion> NeedsOfRestore(const std::string& action,
                                              const std::string& source) {
  std::vector<ReferenceQuestion> needs = {{.action = action, .resource = source},
                                          {.action = action, .resource = Arn("restored")}};
  for (const char* each :
       {"BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan", "UpdateItem"}) {
    needs.push_back({.action = std::string("dynamodb:") + each, .resource = Arn("restored")});
  }
  return needs;
}

Asked RestoresBackup(const std::string& action) {
  const std::string table = OneOf(kTables);
  return {
      R"({"TargetTableName":"restored","BackupArn":)" + Quoted(ArnSpelling(table) + kBackup) + "}",
      NeedsOfRestore(action, Arn(table) + kBackup)};
}

Asked RestoresTable(const std::string& action) {
  const std::string table = OneOf(kTables);
  return {R"({"TargetTableName":"restored","UseLatestRestorableTime":true,"SourceTableArn":)" +
              Quoted(ArnSpelling(table)) + "}",
          NeedsOfRestore(action, Arn(table))};
}

Maker NamesStream(std::string further) {
  return [further](const std::string& action) {
    const std::string table = OneOf(kTables);
    return Asked{
        R"({"StreamArn":)" + Quoted(ArnSpelling(table) + std::string(kStream)) + further + "}",
        {{.action = action, .resource = Arn(table) + std::string(kStream)}}};
  };
}

Asked NamesIterator(const std::string& action) {
  const std::string table = OneOf(kTables);
  return {
      R"({"ShardIterator":)" + Quoted(ArnSpelling(table) + std::string(kStream) + "|1|AAAA") + "}",
      {{.action = action, .resource = Arn(table) + std::string(kStream)}}};
}

Asked NamesStreamsOfTable(const std::string& action) {
  if (*rc::gen::arbitrary<bool>()) {
    return NamesNothing(action);
  }
  const std::string table = OneOf(kTables);
  return {R"({"TableName":)" + Quoted(Spelling(table)) + "}",
          {{.action = action, .resource = Arn(table) + "/stream/*"}}};
}

Asked NewTable(const std::string& action) {
  const std::string table = OneOf(kTables);
  const bool has_tags = *rc::gen::arbitrary<bool>();
  const bool has_policy = *rc::gen::arbitrary<bool>();
  Asked asked = {
      R"({"TableName":)" + Quoted(Spelling(table)) +
          R"(,"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk",)"
          R"("AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}])" +
          (has_policy ? R"(,"ResourcePolicy":"{}")" : "") +
          (has_tags ? R"(,"Tags":[{"Key":"k","Value":"v"}]})" : "}"),
      {{.action = action, .resource = Arn(table)}}};
  if (has_policy) {
    asked.needs.push_back({.action = "dynamodb:PutResourcePolicy", .resource = Arn(table)});
  }
  if (has_tags) {
    asked.needs.push_back({.action = "dynamodb:TagResource", .resource = Arn(table)});
  }
  return asked;
}

// Each table once, in one spelling, with some keys.
Maker Batch(std::string before, std::string after, bool writes) {
  return [before, after, writes](const std::string& action) {
    Asked asked;
    for (const std::string& table : kTables) {
      Texts keys =
          *rc::gen::container<Texts>(*rc::gen::inRange<std::size_t>(0, 3),
                                     rc::gen::map(rc::gen::inRange<std::size_t>(0, kKeys.size()),
                                                  [](std::size_t at) { return kKeys[at]; }));
      std::ranges::sort(keys);
      keys.erase(std::ranges::unique(keys).begin(), keys.end());
      if (keys.empty() && asked.needs.empty() && table == kTables.back()) {
        keys.push_back(OneOf(kKeys));  // of some table at least
      }
      if (keys.empty()) {
        continue;
      }
      std::string requests;
      for (const std::string& key : keys) {
        const bool puts = *rc::gen::arbitrary<bool>();
        requests += requests.empty() ? "" : ",";
        requests += !writes ? Key(key)
                    : puts  ? R"({"PutRequest":{"Item":)" + Key(key) + "}}"
                            : R"({"DeleteRequest":{"Key":)" + Key(key) + "}}";
      }
      asked.body += (asked.body.empty() ? "" : ",") + Quoted(Spelling(table)) + ":" + before +
                    requests + after;
      asked.needs.push_back({.action = action, .resource = Arn(table), .leading_keys = keys});
    }
    asked.body = R"({"RequestItems":{)" + asked.body + "}}";
    return asked;
  };
}

// Actions of a transaction, each of which needs the permission of the single operation.
Maker Transaction(const std::map<std::string, std::string>& kinds) {
  return [kinds](const std::string& /*action*/) {
    Asked asked;
    for (int left = *rc::gen::inRange(1, 4); left > 0; --left) {
      const auto& [kind, permission] = *std::next(
          kinds.begin(),
          *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(kinds.size())));
      const std::string table = OneOf(kTables);
      const std::string key = OneOf(kKeys);
      asked.body += asked.body.empty() ? "" : ",";
      asked.body +=
          "{" + Quoted(kind) + R"(:{"TableName":)" + Quoted(Spelling(table)) +
          (kind == "Put" ? R"(,"Item":)" : R"(,"Key":)") + Key(key) +
          (kind == "Update"           ? R"(,"UpdateExpression":"REMOVE a")"
           : kind == "ConditionCheck" ? R"text(,"ConditionExpression":"attribute_exists(a)")text"
                                      : "") +
          "}}";
      asked.needs.push_back(
          {.action = "dynamodb:" + permission, .resource = Arn(table), .leading_keys = {key}});
    }
    asked.body = R"({"TransactItems":[)" + asked.body + "]}";
    return asked;
  };
}

// A statement on one item, or a SELECT of everything, and what it needs.
struct Said {
  std::string text;
  ReferenceQuestion need;
  bool is_read = false;
};

Said AnyStatement(bool may_scan) {
  const std::string table = OneOf(kTables);
  const std::string key = OneOf(kKeys);
  const std::string where = " WHERE pk = '" + key + "'";
  const auto say = [&](const std::string& text, const std::string& action) {
    return Said{.text = text,
                .need = {.action = "dynamodb:PartiQL" + action,
                         .resource = Arn(table),
                         .leading_keys = {key}},
                .is_read = action == "Select"};
  };
  switch (*rc::gen::inRange(0, may_scan ? 7 : 5)) {
    case 0:
      return say("INSERT INTO " + table + " VALUE {'pk': '" + key + "'}", "Insert");
    case 1:
      return say("UPDATE " + table + " SET a = 1" + where, "Update");
    case 2:
      return say("FROM " + table + where + " REMOVE a", "Update");
    case 3:
      return say("DELETE FROM " + table + where, "Delete");
    case 4: {
      Said said = say("SELECT * FROM " + table + where, "Select");
      said.need.full_table_scan = false;
      return said;
    }
    case 5: {
      Said said = say("SELECT a FROM " + table + " WHERE a = 1 OR pk = '" + key + "'", "Select");
      said.need.leading_keys.clear();
      said.need.full_table_scan = true;
      return said;
    }
    default: {
      Said said =
          say("SELECT * FROM \"" + table + "\".\"by-owner\" WHERE holder IN ['" + key + "', 'bob']",
              "Select");
      said.need.resource += "/index/by-owner";
      said.need.leading_keys.emplace_back("bob");
      said.need.full_table_scan = false;
      return said;
    }
  }
}

std::string Statement(const Said& said) {
  std::string json = R"({"Statement":)";
  value::AppendJsonString(said.text, json);
  return json + "}";
}

Asked OneStatement(const std::string& /*action*/) {
  const Said said = AnyStatement(true);
  return {Statement(said), {said.need}};
}

// Statements that agree in whether they read.
Maker Statements(std::string member) {
  return [member](const std::string& /*action*/) {
    Asked asked;
    std::optional<bool> is_read;
    std::set<std::string> items;
    for (int left = *rc::gen::inRange(1, 4); left > 0; --left) {
      const Said said = AnyStatement(false);
      // Two on one item are refused as a whole.
      const bool is_new = items.insert(said.need.resource + said.need.leading_keys.front()).second;
      if (is_read.value_or(said.is_read) != said.is_read || !is_new) {
        continue;
      }
      is_read = said.is_read;
      asked.body += (asked.body.empty() ? "" : ",") + Statement(said);
      asked.needs.push_back(said.need);
    }
    asked.body = "{" + Quoted(member) + ":[" + asked.body + "]}";
    return asked;
  };
}

std::string AnyAction() {
  const auto operations = wire::AllOperations();
  if (*rc::gen::inRange(0, 3) > 0) {
    const wire::Operation& operation =
        operations[*rc::gen::inRange<std::size_t>(0, operations.size())];
    return std::string(operation.action_prefix()).append(operation.name);
  }
  return OneOf({"*", "dynamodb:*", "dynamodb:Get*", "dynamodb:*Item", "DYNAMODB:PUTITEM",
                "dynamodb:?e*", "dynamodb:Describe*", "dynamodb:ConditionCheckItem", "s3:*",
                "stator:*", "dynamodb:PartiQL*", "dynamodb:PartiQLSelect",
                "dynamodb:PartiQLInsert"});
}

std::string AnyResource() {
  const std::string table = OneOf(kTables);
  return OneOf({"*", Arn(table), Arn(table) + "*", Arn(table) + "/index/*",
                Arn(table) + "/stream/*", Arn("ord*"), "arn:aws:dynamodb:*:*:table/" + table,
                "arn:aws:dynamodb:eu-west-1:000000000000:table/" + table,
                "arn:aws:dynamodb:us-east-1:123456789012:table/" + table, "*table/?rders", table});
}

}  // namespace

const std::map<std::string, Maker, std::less<>>& Makers() {
  static const std::map<std::string, Maker, std::less<>> kMakers = {
      {"GetItem", NamesItem("Key", "")},
      {"PutItem", NamesItem("Item", "")},
      {"UpdateItem", NamesItem("Key", "")},
      {"DeleteItem", NamesItem("Key", "")},
      {"Query", NamesPartition},
      {"Scan", NamesIndexedTable("")},
      {"BatchGetItem", Batch(R"({"Keys":[)", "]}", false)},
      {"BatchWriteItem", Batch("[", "]", true)},
      {"TransactGetItems", Transaction({{"Get", "GetItem"}})},
      {"TransactWriteItems", Transaction({{"Put", "PutItem"},
                                          {"Update", "UpdateItem"},
                                          {"Delete", "DeleteItem"},
                                          {"ConditionCheck", "ConditionCheckItem"}})},
      {"ExecuteStatement", OneStatement},
      {"BatchExecuteStatement", Statements("Statements")},
      {"ExecuteTransaction", Statements("TransactStatements")},
      {"GetRecords", NamesIterator},
      {"GetShardIterator", NamesStream(R"(,"ShardId":"shardId-00000000000000000001-00000001",)"
                                       R"("ShardIteratorType":"LATEST")")},
      {"DescribeStream", NamesStream("")},
      {"ListStreams", NamesStreamsOfTable},
      {"DescribeTable", NamesTable("")},
      {"ListTables", NamesNothing},
      {"CreateTable", NewTable},
      {"UpdateTable", NamesTable(R"(,"DeletionProtectionEnabled":true)")},
      {"DeleteTable", NamesTable("")},
      {"UpdateTimeToLive",
       NamesTable(R"(,"TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"})")},
      {"DescribeTimeToLive", NamesTable("")},
      {"TagResource", NamesResource(R"(,"Tags":[{"Key":"k","Value":"v"}])")},
      {"UntagResource", NamesResource(R"(,"TagKeys":["k"])")},
      {"ListTagsOfResource", NamesResource("")},
      {"PutResourcePolicy",
       NamesResource(R"(,"Policy":"{}","ConfirmRemoveSelfResourceAccess":true)")},
      {"GetResourcePolicy", NamesResource("")},
      {"DeleteResourcePolicy", NamesResource("")},
      {"UpdateContributorInsights", NamesIndexedTable(R"(,"ContributorInsightsAction":"DISABLE")")},
      {"DescribeContributorInsights", NamesIndexedTable("")},
      {"ListContributorInsights", NamesNothing},
      {"EnableKinesisStreamingDestination",
       NamesTable(R"(,"StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/changes")")},
      {"DisableKinesisStreamingDestination",
       NamesTable(R"(,"StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/changes")")},
      {"UpdateKinesisStreamingDestination",
       NamesTable(R"(,"StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/changes")")},
      {"DescribeKinesisStreamingDestination", NamesTable("")},
      {"UpdateContinuousBackups",
       NamesTable(R"(,"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true})")},
      {"DescribeContinuousBackups", NamesTable("")},
      {"CreateBackup", NamesTable(R"(,"BackupName":"daily")")},
      {"DescribeBackup", NamesBackup},
      {"DeleteBackup", NamesBackup},
      {"ListBackups", NamesNothing},
      {"RestoreTableFromBackup", RestoresBackup},
      {"RestoreTableToPointInTime", RestoresTable},
      {"ExportTableToPointInTime", ExportsTable},
      {"DescribeExport", NamesTransfer("ExportArn", "export")},
      {"ListExports", NamesNothing},
      {"ImportTable", ImportsTable},
      {"DescribeImport", NamesTransfer("ImportArn", "import")},
      {"ListImports", NamesNothing},
      {"RewindTable", NamesTable(R"(,"RewindDateTime":1)")},
      {"CreateCheckpoint", NamesCheckpoint(R"(,"Replace":true)")},
      {"RestoreCheckpoint", NamesCheckpoint("")},
      {"DeleteCheckpoint", NamesCheckpoint("")},
      {"ListCheckpoints", NamesNothing},
      {"DescribeLimits", NamesNothing},
      {"DescribeEndpoints", NamesNothing},
  };
  return kMakers;
}

ReferencePolicy AnyPolicy() {
  ReferencePolicy policy;
  // With something allowed to begin with, the rest is about exceptions.
  if (*rc::gen::inRange(0, 3) > 0) {
    policy.push_back({.allows = true, .actions = {"dynamodb:*"}, .resources = {"*"}});
  }
  for (int left = *rc::gen::inRange(1, 4); left > 0; --left) {
    ReferenceStatement statement = {.allows = *rc::gen::arbitrary<bool>(),
                                    .is_not_action = *rc::gen::inRange(0, 4) == 0,
                                    .actions = Some(AnyAction),
                                    .is_not_resource = *rc::gen::inRange(0, 4) == 0,
                                    .resources = Some(AnyResource)};
    if (*rc::gen::inRange(0, 3) == 0) {
      statement.conditions.push_back(
          {.is_like = *rc::gen::arbitrary<bool>(),
           .leading_keys = Some([] { return OneOf({"ann", "bob", "ann#*", "a*", "?", "*"}); })});
    }
    if (*rc::gen::inRange(0, 4) == 0) {
      statement.full_table_scan = *rc::gen::arbitrary<bool>();
    }
    policy.push_back(std::move(statement));
  }
  return policy;
}

ReferencePolicy AnyAttachedPolicy(const std::string& table) {
  ReferencePolicy attached;
  for (int left = *rc::gen::inRange(1, 4); left > 0; --left) {
    ReferenceStatement statement = {
        .allows = *rc::gen::arbitrary<bool>(),
        .is_not_action = *rc::gen::inRange(0, 6) == 0,
        .actions = Some([] {
          return OneOf({"*", "dynamodb:Get*", "dynamodb:*Item", "DYNAMODB:PUTITEM",
                        "dynamodb:Query", "dynamodb:PartiQL*", "dynamodb:Describe*"});
        }),
        .resources = Some(
            [&] { return OneOf({"*", Arn(table), Arn(table) + "/index/*", Arn(table) + "*"}); })};
    policy::ReferencePrincipal principal;
    principal.is_anybody = !statement.allows && *rc::gen::arbitrary<bool>();
    principal.users.push_back(
        {.account = std::string(kAccountOfAll), .user = OneOf({"ann", "ben"})});
    if (*rc::gen::inRange(0, 3) == 0) {
      principal.accounts.push_back(OneOf({std::string(kAccountOfAll), "111122223333"}));
    }
    statement.principal = principal;
    if (*rc::gen::inRange(0, 3) == 0) {
      statement.conditions.push_back(
          {.is_like = *rc::gen::arbitrary<bool>(),
           .leading_keys = Some([] { return OneOf({"ann", "bob", "ann#*", "a*", "?", "*"}); })});
    }
    if (*rc::gen::inRange(0, 4) == 0) {
      statement.full_table_scan = *rc::gen::arbitrary<bool>();
    }
    attached.push_back(std::move(statement));
  }
  return attached;
}

}  // namespace stator::server
