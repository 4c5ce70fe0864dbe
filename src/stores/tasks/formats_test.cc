// Texts and bytes that others see: keys, timestamps, cursors, tasks, records, errors. A changed
// byte here is a changed format.

#include <gtest/gtest.h>

#include <rapidcheck.h>

#include "base/property.h"
#include "stator/stores/tasks/task_error.h"
#include "stores/tasks/failures.h"
#include "stores/tasks/list_cursor.h"
#include "stores/tasks/record_codec.h"
#include "stores/tasks/timestamps.h"
#include "value/check_value.h"

namespace stator::tasks {
namespace {

using std::chrono::microseconds;

constexpr TimePoint kTime{std::chrono::microseconds{1'771'850'096'789'012}};  // 2026-02-23

TEST(RecordKeys, AreOneTextForLogs) {
  EXPECT_EQ(ToText(RecordKey{.owner = "session-abc", .task = "task-123"}), "session-abc:task-123");
  EXPECT_EQ(ToText(RecordKey{.owner = "", .task = "t"}), ":t");
  EXPECT_EQ(ToText(RecordKey{.owner = "o", .task = ""}), "o:");
  EXPECT_EQ(ToText(RecordKey{.owner = "", .task = ""}), ":");
  EXPECT_EQ(ToText(RecordKey{.owner = "a:b#%\n\x7F", .task = "ä:"}), "a%3Ab%23%25%0A%7F:ä%3A");
  EXPECT_FALSE(ParseRecordKey("no-colon"));
  EXPECT_FALSE(ParseRecordKey("a%3:b"));
  EXPECT_FALSE(ParseRecordKey("a%zz:b"));
  const RecordKey split{.owner = "owner", .task = "task:extra"};
  EXPECT_EQ(ParseRecordKey("owner:task:extra"), split);
}

TEST(RecordKeys, SurviveTheirText) {
  base::CheckProperty(500, [](const std::string& owner, const std::string& task) {
    const RecordKey key{.owner = owner, .task = task};
    RC_ASSERT(ParseRecordKey(ToText(key)) == key);
  });
}

TEST(RecordKeys, HaveTheLimitsOfTheTable) {
  EXPECT_EQ(ProblemWith({.owner = std::string(2042, 'x'), .task = std::string(1019, 'x')}), "");
  EXPECT_NE(ProblemWith({.owner = std::string(2043, 'x'), .task = "t"}), "");
  EXPECT_NE(ProblemWith({.owner = "o", .task = std::string(1020, 'x')}), "");
  EXPECT_NE(ProblemWith({.owner = "\xFF", .task = "t"}), "");
}

TEST(StorageErrors, HaveTheTextsOfTheContract) {
  const RecordKey key{.owner = "o", .task = "t"};
  EXPECT_EQ(KeyNotFound(key).error().message, "key not found: o:t");
  EXPECT_EQ(KeyExists(key).error().message, "key already exists: o:t");
  const Error conflict = OtherVersion(key, 3, 5).error();
  EXPECT_EQ(conflict.message, "version conflict on key o:t: expected 3, found 5");
  EXPECT_EQ(FindDetail<VersionConflict>(conflict)->actual, 5);
}

TEST(TaskErrors, HaveTextsAndCodes) {
  const auto check = [](const Error& error, std::string_view text, std::int64_t code) {
    EXPECT_EQ(error.message, text);
    EXPECT_EQ(JsonRpcCode(error.code), code) << text;
  };
  const Task failed{.id = "t", .status = TaskStatus::kFailed};
  const Task working{.id = "t", .status = TaskStatus::kWorking};
  check(NotFound("t").error(), "task not found: t", -32602);
  check(Expired("t", kTime).error(), "task expired: t (expired at 2026-02-23T12:34:56.789012Z)",
        -32602);
  check(TooManyTasks(1, 1).error(), "resource exhausted", -32603);
  check(IllegalTransition(failed, TaskStatus::kWorking).error(),
        "invalid transition from failed to working for task t", -32602);
  check(NotReady(working).error(), "task not in terminal state: t (status: working)", -32602);
  check(VariablesTooLarge("t", 1, 2).error(),
        "variable size limit exceeded: 2 bytes exceeds 1 byte limit", -32602);
  check(RecordTooLarge("t", 1, 2).error(),
        "the record of the task is too large: 2 bytes exceeds 1 byte limit", -32602);
  check(LeaseHeld("t").error(), "another worker runs task t", -32603);
  check(LeaseLost("t").error(), "this worker does not hold task t any more", -32603);
  check(Overtaken("t", 3, 5).error(),
        "concurrent modification on task t: expected version 3, found 5", -32603);
}

TEST(TaskErrors, SayOfABackendWhatAClientMayKnow) {
  const auto made = [](ErrorCode code) {
    return ToTaskError("t", {.code = code,
                             .message = "x",
                             .detail = std::make_shared<BackendCause>(
                                 Error{.code = code, .message = "about owner o"})});
  };
  EXPECT_EQ(made(ErrorCode::kNotFound).code, ErrorCode::kNotFound);
  EXPECT_EQ(made(ErrorCode::kAlreadyExists).code, ErrorCode::kConflict);
  EXPECT_EQ(made(ErrorCode::kItemCollectionTooLarge).message, "storage full: x");
  EXPECT_EQ(JsonRpcCode(made(ErrorCode::kItemCollectionTooLarge).code), -32603);
  const Error away = made(ErrorCode::kUnavailable);
  EXPECT_EQ(away.message, "store error: x");
  EXPECT_TRUE(IsStoreFailure(away.code));
  EXPECT_EQ(FactsOf(away).cause->message, "about owner o");
  // A request of ours that the database does not understand is not the fault of the client.
  EXPECT_EQ(made(ErrorCode::kValidation).code, ErrorCode::kInternal);
  // And a table that is missing is nobody's bad request.
  EXPECT_EQ(JsonRpcCode(made(ErrorCode::kTableNotFound).code), -32603);
  EXPECT_TRUE(IsConfiguration(made(ErrorCode::kAccessDenied).code));
}

TEST(Timestamps, HaveMillisecondsAndMoreWhenNeeded) {
  EXPECT_EQ(ToMillisecondText(kTime), "2026-02-23T12:34:56.789Z");
  EXPECT_EQ(ToExactText(kTime), "2026-02-23T12:34:56.789012Z");
  EXPECT_EQ(ToExactText(kTime - microseconds(12)), "2026-02-23T12:34:56.789Z");
  EXPECT_EQ(ToMillisecondText(TimePoint()), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(ToExactText(kLatestTimestamp), "9999-12-31T23:59:59.999999Z");
}

TEST(Timestamps, AreReadInAllFormsOfTheirStandard) {
  EXPECT_EQ(ParseTimestamp("2026-02-23T12:34:56.789012Z"), kTime);
  EXPECT_EQ(ParseTimestamp("2026-02-23T12:34:56.789012999Z"), kTime);
  EXPECT_EQ(ParseTimestamp("2026-02-23t14:34:56.789012+02:00"), kTime);
  EXPECT_EQ(ParseTimestamp("2026-02-23T07:04:56.789012-05:30"), kTime);
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00Z"), TimePoint());
  for (const std::string_view text :
       {"", "2026-02-23", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-02-23T24:00:00Z",
        "2026-02-23T12:60:00Z", "2026-02-23T12:34:56", "2026-02-23T12:34:56.Z",
        "2026-02-23T12:34:56Zx", "2026-02-23T12:34:56+0200", "26-02-23T12:34:56Z",
        "2026-02-23 12:34:5aZ"}) {
    EXPECT_EQ(ParseTimestamp(text), std::nullopt) << text;
  }
}

TEST(Cursors, BelongToOneOwner) {
  const ListPosition position{.created_at = "2026-02-23T12:34:56.789Z", .task = "id"};
  const std::string cursor = EncodeCursor("alice", position);
  const auto decoded = DecodeCursor("alice", cursor);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->created_at, position.created_at);
  EXPECT_EQ(decoded->task, "id");
  EXPECT_FALSE(DecodeCursor("bob", cursor));
  EXPECT_EQ(cursor.find_first_of("+/="), std::string::npos);
}

TEST(Cursors, AnyTextIsReadOrRefused) {
  base::CheckProperty(500,
                      [](const std::string& text) { RC_ASSERT(!DecodeCursor("alice", text)); });
}

TaskRecord Example() {
  TaskRecord record;
  record.task = {.id = "550e8400-e29b-41d4-a716-446655440000",
                 .created_at = kTime - microseconds(12),
                 .last_updated_at = kTime - microseconds(12),
                 .ttl_ms = 3'600'000,
                 .poll_interval_ms = 500};
  record.owner_id = "session-abc";
  record.request_method = "tools/call";
  record.expires_at = kTime + std::chrono::hours(1);
  return record;
}

TEST(TaskWire, AlwaysHasATtlAndLeavesOutWhatIsUnset) {
  Task task = Example().task;
  EXPECT_EQ(Json(ToJson(task)).ToText(),
            R"({"taskId":"550e8400-e29b-41d4-a716-446655440000","status":"working",)"
            R"("createdAt":"2026-02-23T12:34:56.789Z","lastUpdatedAt":"2026-02-23T12:34:56.789Z",)"
            R"("ttl":3600000,"pollInterval":500})");
  task.ttl_ms.reset();
  task.poll_interval_ms.reset();
  task.status = TaskStatus::kInputRequired;
  task.status_message = "name?";
  task.meta = JsonObject{{"a", 1}};
  const Json json = ToJson(task);
  EXPECT_EQ(json.ToText(),
            R"({"taskId":"550e8400-e29b-41d4-a716-446655440000","status":"input_required",)"
            R"("statusMessage":"name?","createdAt":"2026-02-23T12:34:56.789Z",)"
            R"("lastUpdatedAt":"2026-02-23T12:34:56.789Z","ttl":null,"_meta":{"a":1}})");
  EXPECT_EQ(TaskFromJson(json).value(), task);
}

TEST(TaskWire, RefusesWhatItDoesNotKnowAndPassesOverWhatItNeedNotKnow) {
  Json json = ToJson(Example().task);
  json.If<JsonObject>()->Set("further", 1);
  EXPECT_TRUE(TaskFromJson(json));
  json.If<JsonObject>()->Erase("ttl");
  EXPECT_EQ(TaskFromJson(json)->ttl_ms, std::nullopt);
  for (const auto& [name, value] : std::vector<std::pair<std::string, Json>>{
           {"status", "dancing"}, {"taskId", 1}, {"createdAt", "yesterday"}, {"ttl", "x"}}) {
    Json bad = ToJson(Example().task);
    bad.If<JsonObject>()->Set(name, value);
    EXPECT_FALSE(TaskFromJson(bad)) << name;
  }
}

TEST(Records, SurviveTheirBytesWithWhatTheyDoNotKnow) {
  TaskRecord record = Example();
  record.variables = {{"b", 1}, {"a", JsonArray{nullptr}}};
  record.result = Json();
  record.error = TaskFault{.code = -1, .message = "m", .data = Json(1)};
  record.tool_name = "t";
  record.arguments = JsonObject{{"x", 1}};
  record.created_by = "s";
  record.idempotency_key = "k";
  record.restartable = true;
  record.lease = Lease{.worker = "w", .group = "g", .attempt = 2};
  record.context = JsonObject{{"c", 1}};
  record.inputs = {{.id = "q", .method = "m", .params = JsonObject(), .answer = Json(1)},
                   {.id = "r", .method = "m", .params = Json()}};
  record.further = {{"news", JsonArray{1}}};
  const StoredValue value = EncodeRecord(record);
  const Result<TaskRecord> read = DecodeRecord(value.data);
  ASSERT_TRUE(read);
  EXPECT_EQ(EncodeRecord(*read).data, value.data);
  EXPECT_EQ(read->result, Json());
  EXPECT_EQ(read->lease, record.lease);
  EXPECT_EQ(read->context, record.context);
  EXPECT_EQ(read->inputs, record.inputs);
  EXPECT_EQ(read->error, record.error);
  EXPECT_EQ(read->further, record.further);
  EXPECT_EQ(read->version, 0);
  EXPECT_EQ(value.data.find("version"), std::string::npos);
}

TEST(Records, TheOneQuestionOfOlderVersionsIsRead) {
  Json json = *Json::Parse(EncodeRecord(Example()).data);
  json.If<JsonObject>()->Set("input", JsonObject{{"id", "q"}, {"method", "m"}, {"params", 1}});
  const std::vector<InputRequest> inputs = DecodeRecord(json.ToText())->inputs;
  EXPECT_EQ(inputs, (std::vector<InputRequest>{{.id = "q", .method = "m", .params = 1}}));
}

TEST(Records, NullWithoutAFlagIsNoResult) {
  TaskRecord record = Example();
  EXPECT_FALSE(DecodeRecord(EncodeRecord(record).data)->result);
}

TEST(Records, NeedWhatTheFormatRequires) {
  const Json whole = *Json::Parse(EncodeRecord(Example()).data);
  for (const std::string_view name : {"task", "ownerId", "variables", "requestMethod"}) {
    Json json = whole;
    json.If<JsonObject>()->Erase(name);
    EXPECT_FALSE(DecodeRecord(json.ToText())) << name;
  }
  for (const std::string_view name : {"result", "expiresAt", "schema", "hasResult"}) {
    Json json = whole;
    json.If<JsonObject>()->Erase(name);
    EXPECT_TRUE(DecodeRecord(json.ToText())) << name;
  }
}

TEST(Records, AnyBytesAreReadOrRefused) {
  base::CheckProperty(500, [](const std::string& bytes) {
    RC_ASSERT(!DecodeRecord(bytes));
    RC_ASSERT(!DecodeHead(bytes));
  });
}

TEST(Records, ExpirySecondsAreRoundedUp) {
  TaskRecord record = Example();
  EXPECT_EQ(EncodeRecord(record).attributes.expires_at_seconds, 1'771'853'697);
  record.expires_at = TimePoint(std::chrono::seconds(5));
  EXPECT_EQ(EncodeRecord(record).attributes.expires_at_seconds, 5);
}

TEST(Transitions, TerminalStatusesLeadNowhere) {
  for (const TaskStatus from : kTaskStatuses) {
    EXPECT_EQ(ParseTaskStatus(NameOf(from)), from);
    for (const TaskStatus to : kTaskStatuses) {
      EXPECT_EQ(MayBecome(from, to), !IsTerminal(from) && from != to);
    }
  }
  EXPECT_EQ(ParseTaskStatus("Working"), std::nullopt);
}

}  // namespace
}  // namespace stator::tasks
