// The console's answers: who gets them, and with which guards.

#include "console/console.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "console/assets.h"
#include "stator/api/database.h"

namespace stator::console {
namespace {

using server::Page;

class DenyingAuthorizer final : public wire::Authorizer {
 public:
  [[nodiscard]] Result<void> Authorize(const wire::AccessQuestion& question) const override {
    if (question.action == allowed) {
      return {};
    }
    return Fail(ErrorCode::kAccessDenied, "not allowed: " + std::string(question.action));
  }

  std::string allowed;
};

// Refuses everything, and remembers that it was asked.
class EmptyDatabase final : public Database {
 public:
  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    asked.push_back(input.table_name);
    return GetItemOutput{};
  }

  std::vector<std::string> asked;
};

class ConsoleTest : public testing::Test {
 protected:
  Page Get(std::string_view path, std::string_view query = "", std::string_view method = "GET") {
    const wire::HttpMessage message = {
        .method = method, .path = path, .query = query, .fields = {}};
    return console_.Answer({.message = message,
                            .accepts_gzip = true,
                            .admission = admission_,
                            .metrics_text = metrics_});
  }

  Page Post(std::string_view path, std::string_view body, std::span<const wire::HttpField> fields) {
    const wire::HttpMessage message = {
        .method = "POST", .path = path, .query = "", .fields = fields};
    return console_.Answer({.message = message,
                            .accepts_gzip = true,
                            .admission = admission_,
                            .metrics_text = metrics_,
                            .body = body});
  }

  void SetCaller(const wire::Authorizer* authorizer) {
    admission_ = server::Admission{
        .caller = {.access_key_id = "AK\"ID", .region = "us-east-1", .authorizer = authorizer}};
  }

  // Remembers what it was asked for; an item "a" has two versions.
  Sources MakeSources() {
    Sources sources;
    sources.item_versions = [this](const std::string& table, const Item& key,
                                   std::optional<TimePoint> before) -> Result<ItemVersions> {
      versions_asked_.push_back(table + " " + key.at("pk").If<std::string>()->c_str() +
                                (before ? " before" : ""));
      if (table != "shop") {
        return Fail(ErrorCode::kTableNotFound, "no such table");
      }
      return ItemVersions{.versions = {{.since = TimePoint(Duration(7)), .item = std::nullopt},
                                       {.since = std::nullopt, .item = Item{{"pk", "a"}}}},
                          .has_more = false};
    };
    Result<sessions::Workflow> print = sessions::Workflow::Make(
        {.name = "print", .steps = {{.name = "layout"}, {.name = "bind", .after = {"layout"}}}});
    sources.workflows.push_back(*std::move(print));
    sources.entities = {R"({"schema":{},"history":[]})", "{}"};
    return sources;
  }

  std::vector<std::string> versions_asked_;
  ManualClock clock_{TimePoint(std::chrono::seconds(1440938160))};
  server::RequestInspector inspector_;
  EmptyDatabase database_;
  Console console_{{.version = "2.0",
                    .location = "./da\"ta",
                    .kind = "files",
                    .durability = "durable",
                    .region = "us-east-1",
                    .demands_signatures = true},
                   MakeSources(),
                   inspector_,
                   database_,
                   clock_};
  Result<server::Admission> admission_ = Fail(ErrorCode::kMissingAuthenticationToken, "nobody");
  const std::function<std::string()> metrics_ = [] { return std::string("numbers"); };
};

TEST_F(ConsoleTest, HasItsPrefixAndNothingElse) {
  EXPECT_TRUE(console_.Has("/_stator"));
  EXPECT_TRUE(console_.Has("/_stator/tables/x"));
  EXPECT_FALSE(console_.Has("/"));
  EXPECT_FALSE(console_.Has("/_statorx"));
}

TEST_F(ConsoleTest, EveryAnswerForbidsForeignScripts) {
  for (const std::string_view path :
       {"/_stator/", "/_stator/assets/none.js", "/_stator/api/home"}) {
    const Page page = Get(path);
    EXPECT_NE(page.fields.find("default-src 'none'; script-src 'self'"), std::string::npos) << path;
    EXPECT_NE(page.fields.find("X-Content-Type-Options: nosniff\r\n"), std::string::npos) << path;
    EXPECT_NE(page.fields.find("Cross-Origin-Resource-Policy: same-origin\r\n"), std::string::npos);
  }
}

TEST_F(ConsoleTest, ShowsThePageToEverybodyAtAnyAddressOfAView) {
  EXPECT_EQ(Get("/_stator/").status, 200);
  EXPECT_EQ(Get("/_stator/tables/%2F..").status, 200);
  EXPECT_EQ(Get("/_stator/assets/../index.html").status, 404);
  EXPECT_EQ(Get("/_stator/", "", "POST").status, 405);
}

TEST_F(ConsoleTest, SaysSoWhenItWasBuiltWithoutItsPage) {
  if (!Assets().empty()) {
    GTEST_SKIP() << "this build has the page";
  }
  const Page page = Get("/_stator/tables");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.body.find("built without its console"), std::string::npos);
  EXPECT_NE(page.body.find("./dev build"), std::string::npos);
  EXPECT_EQ(Get("/_stator/assets/index.js").status, 404);
}

TEST_F(ConsoleTest, TellsNothingToWhoIsNotAdmitted) {
  for (const std::string_view path :
       {"home", "requests", "requests/x", "metrics", "workflows", "entities", "other"}) {
    const Page page = Get("/_stator/api/" + std::string(path));
    EXPECT_EQ(page.status, 401) << path;
    EXPECT_EQ(page.body, R"({"error":{"code":"SignatureNeeded","message":"nobody"}})");
  }
}

TEST_F(ConsoleTest, AsksThePolicyForEachAction) {
  DenyingAuthorizer authorizer;
  SetCaller(&authorizer);
  EXPECT_EQ(Get("/_stator/api/home").status, 200);
  EXPECT_EQ(Get("/_stator/api/metrics").status, 403);
  EXPECT_EQ(Get("/_stator/api/requests").status, 403);
  EXPECT_EQ(Get("/_stator/api/requests/x").status, 403);
  EXPECT_EQ(Get("/_stator/api/workflows").status, 403);
  EXPECT_EQ(Get("/_stator/api/entities").status, 403);
  EXPECT_FALSE(inspector_.IsWatched(clock_.Elapsed()));
  authorizer.allowed = "stator:ReadSessions";
  EXPECT_EQ(Get("/_stator/api/workflows").status, 200);
  authorizer.allowed = "stator:ReadEntities";
  EXPECT_EQ(Get("/_stator/api/entities").body, R"({"entities":[{"schema":{},"history":[]},{}]})");
  authorizer.allowed = "stator:ReadMetrics";
  EXPECT_EQ(Get("/_stator/api/metrics").body, "numbers");
  authorizer.allowed = "stator:ReadRequests";
  EXPECT_EQ(Get("/_stator/api/requests").status, 200);
  EXPECT_TRUE(inspector_.IsWatched(clock_.Elapsed()));
}

TEST_F(ConsoleTest, SaysWhereItIs) {
  SetCaller(nullptr);
  EXPECT_EQ(
      Get("/_stator/api/home").body,
      R"({"version":"2.0","location":"./da\"ta","kind":"files","durability":"durable",)"
      R"("region":"us-east-1","demands_signatures":true,"read_only":false,"tells_versions":true,"caller":"AK\"ID"})");
  EXPECT_EQ(Get("/_stator/api/other").status, 404);
}

TEST_F(ConsoleTest, ListsRequestsAndTheirBodies) {
  SetCaller(nullptr);
  inspector_.Add(0, {.time = TimePoint(Duration(5000)),
                     .duration = Duration(220),
                     .operation = "PutItem",
                     .outcome = "ConditionalCheckFailedException",
                     .status = 400,
                     .write_units = 1.5,
                     .request_bytes = 912,
                     .answer_bytes = 118,
                     .is_own = true,
                     .id = server::ShortText<52>("ID1"),
                     .remote = server::ShortText<56>("127.0.0.1:1"),
                     .access_key_id = server::ShortText<64>("A\xff\"<b>"),
                     .bodies = server::KeepBodies("", "{\"a\":\"\xff\"}", "{}")});
  EXPECT_EQ(Get("/_stator/api/requests").body,
            R"({"requests":[{"id":"ID1","at":5000,"operation":"PutItem",)"
            R"("error":"ConditionalCheckFailedException","status":400,"us":220,"read_units":0,)"
            R"("write_units":1.5,"bytes_in":912,"bytes_out":118,"remote":"127.0.0.1:1",)"
            R"("caller":"A?\"<b>","has_body":true,"own":true}]})");
  EXPECT_EQ(Get("/_stator/api/requests", "after=5000").body, R"({"requests":[]})");
  EXPECT_EQ(Get("/_stator/api/requests", "after=x").status, 400);
  EXPECT_EQ(Get("/_stator/api/requests", "before=1").status, 400);
  EXPECT_EQ(Get("/_stator/api/requests/ID1").body,
            R"({"head":"","request":"{\"a\":\"?\"}","answer":"{}","cut":false})");
  EXPECT_EQ(Get("/_stator/api/requests/ID2").status, 404);
}

constexpr std::array kChangeFields = {
    wire::HttpField{.name = "X-Stator-Console", .value = "1"},
    wire::HttpField{.name = "Content-Type", .value = "application/json"}};
constexpr std::string_view kCancel = "/_stator/api/tasks/cancel";
constexpr std::string_view kTask = R"({"table":"work","owner":"o","task":"t"})";

TEST_F(ConsoleTest, ChangesAreForWhomTheServerAdmitsAndTheirOwnPage) {
  EXPECT_EQ(Post(kCancel, kTask, kChangeFields).status, 401);
  SetCaller(nullptr);
  EXPECT_EQ(Post(kCancel, kTask, std::span(kChangeFields).first(1)).status, 400);
  EXPECT_EQ(Post(kCancel, kTask, std::span(kChangeFields).last(1)).status, 400);
  EXPECT_EQ(Post(kCancel, "", kChangeFields).status, 400);
  EXPECT_EQ(Post(kCancel, R"({"table":"work","owner":"o"})", kChangeFields).status, 400);
  EXPECT_EQ(Post("/_stator/api/tasks/other", kTask, kChangeFields).status, 405);
  EXPECT_EQ(Post("/_stator/tasks", kTask, kChangeFields).status, 405);
  EXPECT_TRUE(database_.asked.empty());
  const Page page = Post(kCancel, kTask, kChangeFields);
  EXPECT_EQ(page.status, 404);
  EXPECT_EQ(page.outcome, "NotFound");
  EXPECT_EQ(database_.asked, std::vector<std::string>{"work"});
}

TEST_F(ConsoleTest, ChangesNeedTheActionAndWhatTheStoreDoes) {
  DenyingAuthorizer authorizer;
  SetCaller(&authorizer);
  authorizer.allowed = "dynamodb:GetItem";
  EXPECT_EQ(Post(kCancel, kTask, kChangeFields).status, 403);
  authorizer.allowed = "stator:ChangeTasks";
  const Page page = Post(kCancel, kTask, kChangeFields);
  EXPECT_EQ(page.status, 403);
  EXPECT_TRUE(page.body.contains("not allowed: dynamodb:GetItem")) << page.body;
  EXPECT_TRUE(database_.asked.empty());
}

TEST_F(ConsoleTest, OnlyWhatMayWaitLeavesTheThreadsThatServe) {
  for (const std::string_view path : {"tasks/cancel", "sessions/invalidate", "item-history"}) {
    EXPECT_TRUE(console_.Waits("/_stator/api/" + std::string(path))) << path;
  }
  for (const std::string_view path : {"/", "/_stator/", "/_stator/api/home", "/tasks/cancel"}) {
    EXPECT_FALSE(console_.Waits(path)) << path;
  }
}

constexpr std::string_view kInvalidate = "/_stator/api/sessions/invalidate";

TEST_F(ConsoleTest, InvalidatesStepsOfAWorkflowThatItKnows) {
  SetCaller(nullptr);
  const auto asked = [&](std::string_view rest) {
    return Post(kInvalidate, R"({"table":"s","session":"x",)" + std::string(rest) + "}",
                kChangeFields);
  };
  for (const std::string_view rest :
       {R"("workflow":"print")", R"("workflow":"print","from":"layout","after":"layout")",
        R"("workflow":"other","from":"layout")", R"("workflow":"print","from":"none")",
        R"("from":"layout")"}) {
    EXPECT_EQ(asked(rest).status, 400) << rest;
  }
  EXPECT_TRUE(database_.asked.empty());
  EXPECT_EQ(asked(R"("workflow":"print","from":"layout")").status, 404);
  EXPECT_EQ(database_.asked, std::vector<std::string>{"s"});
  DenyingAuthorizer authorizer;
  SetCaller(&authorizer);
  EXPECT_EQ(asked(R"("workflow":"print","from":"layout")").status, 403);
  authorizer.allowed = "stator:ChangeSessions";
  const Page page = asked(R"("workflow":"print","from":"layout")");
  EXPECT_EQ(page.status, 403);
  EXPECT_TRUE(page.body.contains("not allowed: dynamodb:GetItem")) << page.body;
  EXPECT_EQ(database_.asked.size(), 1U);
}

constexpr std::string_view kHistory = "/_stator/api/item-history";

TEST_F(ConsoleTest, TellsTheVersionsOfAnItemToWhomMayReadIt) {
  constexpr std::string_view kItem = R"({"table":"shop","key":{"pk":{"S":"a"}}})";
  EXPECT_EQ(Post(kHistory, kItem, kChangeFields).status, 401);
  SetCaller(nullptr);
  EXPECT_EQ(Post(kHistory, kItem, std::span(kChangeFields).first(1)).status, 400);
  EXPECT_EQ(Post(kHistory, kItem, kChangeFields).body,
            R"({"versions":[{"since":7,"item":null},{"since":null,"item":{"pk":{"S":"a"}}}],)"
            R"("more":false})");
  EXPECT_EQ(
      Post(kHistory, R"({"table":"none","key":{"pk":{"S":"b"}},"before":9})", kChangeFields).status,
      404);
  EXPECT_EQ(versions_asked_, (std::vector<std::string>{"shop a", "none b before"}));
  for (const std::string_view body :
       {"", "{}", R"({"table":"shop"})", R"({"table":"shop","key":{"pk":"a"}})",
        R"({"table":"shop","key":{"pk":{"S":"a"}},"before":-1})",
        R"({"table":"shop","key":{"pk":{"S":"a"}},"before":"1"})"}) {
    EXPECT_EQ(Post(kHistory, body, kChangeFields).status, 400) << body;
  }
  DenyingAuthorizer authorizer;
  SetCaller(&authorizer);
  EXPECT_EQ(Post(kHistory, kItem, kChangeFields).status, 403);
  EXPECT_EQ(versions_asked_.size(), 2U);
  authorizer.allowed = "dynamodb:GetItem";
  EXPECT_EQ(Post(kHistory, kItem, kChangeFields).status, 200);
}

}  // namespace
}  // namespace stator::console
