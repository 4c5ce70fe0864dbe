// The tables of a database as clients of an MCP server see them.

#include "hosting/table_tools.h"

#include "mcp/mcp_test.h"
#include "stator/home/open.h"

namespace stator::mcp {
namespace {

using testing::HasSubstr;

class TableToolsTest : public McpTest {
 protected:
  TableToolsTest() : database_(stator::Open("memory:").value()) {
    for (const char* const name : {"orders", "secrets"}) {
      EXPECT_TRUE(
          database_->CreateTable({.table_name = name,
                                  .attribute_definitions = {{"pk", ScalarAttributeType::kString},
                                                            {"sk", ScalarAttributeType::kNumber}},
                                  .key_schema = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
                                  .billing_mode = BillingMode::kPayPerRequest}));
    }
    Host({.hidden = {"secrets"}});
  }

  void Host(hosting::TableToolOptions options) {
    client_.reset();
    server_ = Serve(hosting::TableTools(*database_, std::move(options)));
    client_ = std::make_unique<TestClient>(*server_, tasks::Owner{.id = "ada"});
  }
  void Put(int number, std::size_t bytes) {
    ASSERT_TRUE(database_->PutItem(
        {.table_name = "orders",
         .item = {{"pk", "a"}, {"sk", number}, {"text", std::string(bytes, 'x')}}}));
  }
  // The structured content of an answer, or what was refused.
  Json Call(std::string_view tool, const std::string& arguments) {
    const Json answer = client_->Call(
        "tools/call", JsonObject{{"name", tool}, {"arguments", Json::Parse(arguments).value()}});
    const Json* const content = answer.Find("structuredContent");
    return content != nullptr ? *content : Json(TextOf(answer));
  }

  std::unique_ptr<Database> database_;
  std::unique_ptr<McpServer> server_;
  std::unique_ptr<TestClient> client_;
};

TEST_F(TableToolsTest, ReadsWhatIsThere) {
  Put(1, 3);
  EXPECT_EQ(Call("list_tables", "{}").ToText(), R"({"tables":["orders"]})");
  const Json described = Call("describe_table", R"({"table": "orders"})");
  EXPECT_EQ(described.Find("Table")->TextOf("TableName"), "orders");
  EXPECT_EQ(Call("get_item", R"({"table": "orders", "key": {"pk": "a", "sk": 1}})").ToText(),
            R"({"found":true,"item":{"pk":"a","sk":1,"text":"xxx"}})");
  EXPECT_EQ(Call("get_item", R"({"table": "orders", "key": {"pk": "b", "sk": 1}})").ToText(),
            R"({"found":false})");
  EXPECT_EQ(Call("query", R"({"table": "orders", "keyCondition": "pk = :p",
                              "values": {":p": {"S": "a"}}, "typed": true})")
                .ToText(),
            R"({"items":[{"pk":{"S":"a"},"sk":{"N":"1"},"text":{"S":"xxx"}}]})");
  EXPECT_EQ(Call("select", R"({"statement": "SELECT sk FROM orders WHERE pk = ?",
                               "parameters": ["a"]})")
                .ToText(),
            R"({"items":[{"sk":1}]})");
}

TEST_F(TableToolsTest, PagesLeadThroughAllItems) {
  for (int number = 0; number < 60; ++number) {
    Put(number, 10);
  }
  for (const std::string call :
       {R"("table": "orders", "keyCondition": "pk = :p", "values": {":p": "a"})",
        R"("statement": "SELECT * FROM orders WHERE pk = 'a'")"}) {
    std::size_t seen = 0;
    std::string next;
    int pages = 0;
    do {
      const Json page =
          Call(call.starts_with("\"table") ? "query" : "select", "{" + call + next + "}");
      ASSERT_NE(page.Find("items"), nullptr) << page.ToText();
      for (const Json& item : *page.Find("items")->If<JsonArray>()) {
        EXPECT_EQ(item.Find("sk")->ToInt64(), seen++);
      }
      const Json* const more = page.Find("next");
      next = more == nullptr ? "" : ", \"next\": " + more->ToText();
      ++pages;
    } while (!next.empty() && pages < 10);
    EXPECT_EQ(seen, 60);
    EXPECT_GE(pages, 3);
  }
}

TEST_F(TableToolsTest, AnAnswerIsBounded) {
  Host({.answer_bytes_max = 1000});
  for (int number = 0; number < 10; ++number) {
    Put(number, 200);
  }
  Put(10, 2000);
  const Json page =
      Call("query", R"({"table": "orders", "keyCondition": "pk = :p", "values": {":p": "a"}})");
  EXPECT_EQ(page.Find("items")->If<JsonArray>()->size(), 3);  // of 25, halved three times
  EXPECT_NE(page.Find("next"), nullptr);
  const std::string large = R"("table": "orders", "key": {"pk": "a", "sk": 10})";
  EXPECT_THAT(Call("get_item", "{" + large + "}").ToText(), HasSubstr("name the attributes"));
  EXPECT_EQ(Call("get_item", "{" + large + R"(, "projection": "sk"})").ToText(),
            R"({"found":true,"item":{"sk":10}})");
  EXPECT_THAT(Call("query", R"({"table": "orders", "keyCondition": "pk = :p AND sk = :s",
                                "values": {":p": "a", ":s": 10}})")
                  .ToText(),
              HasSubstr("name the attributes"));
}

TEST_F(TableToolsTest, NothingWritesUnlessThatWasAskedFor) {
  Put(1, 3);
  for (const std::string tool : {"put_item", "delete_item", "execute_statement"}) {
    EXPECT_EQ(CodeOf(client_->Call("tools/call", JsonObject{{"name", tool}})), -32602) << tool;
  }
  for (const std::string statement :
       {"DELETE FROM orders WHERE pk = 'a' AND sk = 1", "INSERT INTO orders VALUE {'pk': 'b'}",
        "UPDATE orders SET text = 'y' WHERE pk = 'a' AND sk = 1",
        "EXISTS(SELECT * FROM orders WHERE pk = 'a' AND sk = 1)",
        "SELECT * FROM orders; DELETE FROM orders WHERE pk = 'a' AND sk = 1", ""}) {
    const Json answer = Call("select", Json(JsonObject{{"statement", statement}}).ToText());
    EXPECT_TRUE(answer.Is<std::string>()) << statement << ": " << answer.ToText();
  }
  EXPECT_EQ(database_->GetItem({.table_name = "orders", .key = {{"pk", "a"}, {"sk", 1}}})
                ->item->at("text"),
            AttributeValue("xxx"));
}

TEST_F(TableToolsTest, WritesWhenThatWasAskedFor) {
  Host({.writable = true, .hidden = {"secrets"}});
  EXPECT_EQ(Call("put_item", R"({"table": "orders", "item": {"pk": "b", "sk": 1}})").ToText(),
            R"({"stored":true})");
  EXPECT_THAT(Call("put_item", R"({"table": "orders", "item": {"pk": "b", "sk": 1},
                                   "condition": "attribute_not_exists(pk) "
})")
                  .ToText(),
              HasSubstr("condition"));
  Call("execute_statement", R"({"statement": "UPDATE orders SET n = ? WHERE pk = 'b' AND sk = 1",
                                "parameters": [7]})");
  EXPECT_THAT(Call("get_item", R"({"table": "orders", "key": {"pk": "b", "sk": 1}})").ToText(),
              HasSubstr(R"("n":7)"));
  EXPECT_EQ(Call("delete_item", R"({"table": "orders", "key": {"pk": "b", "sk": 1}})").ToText(),
            R"({"existed":true})");
  EXPECT_THAT(Call("execute_statement", R"({"statement": "SELECT * FROM orders"})").ToText(),
              HasSubstr("INSERT"));
  EXPECT_THAT(
      Call("execute_statement", R"({"statement": "DELETE FROM secrets WHERE pk='a' AND sk=1"})")
          .ToText(),
      HasSubstr("there is no table secrets"));
}

TEST_F(TableToolsTest, HiddenTablesHaveNoOtherName) {
  for (const std::string name :
       {"secrets", "arn:aws:dynamodb:us-east-1:000000000000:table/secrets"}) {
    EXPECT_TRUE(
        Call("describe_table", Json(JsonObject{{"table", name}}).ToText()).Is<std::string>())
        << name;
    const std::string statement = "SELECT * FROM \"" + name + "\"";
    EXPECT_TRUE(
        Call("select", Json(JsonObject{{"statement", statement}}).ToText()).Is<std::string>())
        << name;
  }
}

TEST_F(TableToolsTest, HostileArgumentsAreRefusedInWords) {
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  for (const std::string arguments :
       {R"({"table": "../../etc/passwd", "key": {"pk": "a", "sk": 1}})",
        R"({"table": "orders\u0000x", "key": {"pk": "a", "sk": 1}})",
        R"({"table": "", "key": {"pk": "a", "sk": 1}})",
        R"({"table": "no", "key": {"pk": "a", "sk": 1}})",
        R"({"table": "orders", "key": {"pk": {"S": 3}, "sk": 1}, "typed": true})",
        R"({"table": "orders", "key": {"pk": "a", "sk": 1e400}})",
        R"({"table": "orders", "key": {"pk": "a", "sk": "1"}})",
        R"({"table": "orders", "key": {"pk": "a", "sk": 1}, "more": 1})"}) {
    EXPECT_TRUE(Call("get_item", arguments).Is<std::string>()) << arguments;
  }
  EXPECT_TRUE(Call("query", R"({"table": "orders", "keyCondition": "pk = :p",
                                "values": {":p": )" +
                                deep + "}}")
                  .Is<std::string>());
  EXPECT_THAT(Call("query", R"({"table": "orders", "keyCondition": "pk = :p",
                                "values": {":p": "a"}, "next": "{\"pk\""})")
                  .ToText(),
              HasSubstr("next must be"));
  EXPECT_TRUE(
      Call("select", R"({"statement": "SELECT * FROM orders", "next": "x"})").Is<std::string>());
}

}  // namespace
}  // namespace stator::mcp
