#include "hosting/table_tools.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "hosting/table_arguments.h"
#include "hosting/table_schemas.h"
#include "partiql/statement.h"
#include "stator/api/database.h"
#include "stator/mcp/content.h"
#include "value/dynamodb_json.h"
#include "wire/messages.h"

namespace stator::hosting {
namespace {

using mcp::ToolCall;
using tasks::Json;
using tasks::JsonArray;
using tasks::JsonObject;

// What the tools share.
struct Tables {
  Database& database;
  const TableToolOptions options;
};

using Function = Result<Json> (*)(const Tables& tables, const TableArguments& arguments);

struct Page {
  std::vector<Item> items;
  std::optional<std::string> next;
};

// Reads a page with up to that many items.
using ReadPage = std::function<Result<Page>(std::int32_t limit)>;

std::unexpected<Error> TooLarge(std::size_t bytes_max) {
  return Fail(ErrorCode::kTooLarge,
              "an item alone has more than the " + std::to_string(bytes_max) +
                  " bytes that an answer may have; name the attributes that you need");
}

// The items of a page, or nothing when they are too many bytes.
Result<std::optional<JsonArray>> Fitting(const std::vector<Item>& items, bool is_typed,
                                         std::size_t bytes_max) {
  JsonArray shown;
  std::size_t bytes = 0;
  for (const Item& item : items) {
    Json json = TRY(ToJson(item, is_typed));
    bytes += json.ToText().size();
    if (bytes > bytes_max) {
      return std::nullopt;
    }
    shown.push_back(std::move(json));
  }
  return shown;
}

Result<Json> ShowPage(const Tables& tables, const TableArguments& arguments, const ReadPage& read) {
  for (std::int32_t limit = arguments.Limit();; limit /= 2) {
    Page page = TRY(read(limit));
    std::optional<JsonArray> items =
        TRY(Fitting(page.items, arguments.is_typed(), tables.options.answer_bytes_max));
    if (items) {
      JsonObject shown{{"items", *std::move(items)}};
      if (page.next) {
        shown.Set("next", *std::move(page.next));
      }
      return shown;
    }
    if (limit == 1) {
      return TooLarge(tables.options.answer_bytes_max);
    }
  }
}

Result<Json> ListTables(const Tables& tables, const TableArguments& arguments) {
  const ListTablesOutput output = TRY(tables.database.ListTables(
      {.exclusive_start_table_name = arguments.Text("next"), .limit = 100}));
  JsonArray names;
  for (const std::string& name : output.table_names) {
    if (arguments.CheckTable(name)) {
      names.emplace_back(name);
    }
  }
  JsonObject shown{{"tables", std::move(names)}};
  if (output.last_evaluated_table_name) {
    shown.Set("next", *output.last_evaluated_table_name);
  }
  return shown;
}

Result<Json> DescribeTable(const Tables& tables, const TableArguments& arguments) {
  DescribeTableInput input;
  input.table_name = TRY(arguments.Table());
  const DescribeTableOutput output = TRY(tables.database.DescribeTable(input));
  std::string text;
  wire::Body<DescribeTableOutput>::Append(output, text);
  return Json::Parse(text);
}

Result<Json> GetItem(const Tables& tables, const TableArguments& arguments) {
  GetItemInput input;
  input.table_name = TRY(arguments.Table());
  input.key = TRY(arguments.ItemOf("key"));
  input.consistent_read = true;
  input.projection_expression = arguments.Text("projection");
  input.expression_attribute_names = TRY(arguments.Names());
  const GetItemOutput output = TRY(tables.database.GetItem(input));
  if (!output.item) {
    return Json(JsonObject{{"found", false}});
  }
  Json item = TRY(ToJson(*output.item, arguments.is_typed()));
  if (item.ToText().size() > tables.options.answer_bytes_max) {
    return TooLarge(tables.options.answer_bytes_max);
  }
  return Json(JsonObject{{"found", true}, {"item", std::move(item)}});
}

Result<Json> Query(const Tables& tables, const TableArguments& arguments) {
  QueryInput input;
  input.table_name = TRY(arguments.Table());
  input.index_name = arguments.Text("index");
  input.key_condition_expression = arguments.Text("keyCondition");
  input.filter_expression = arguments.Text("filter");
  input.projection_expression = arguments.Text("projection");
  input.expression_attribute_names = TRY(arguments.Names());
  input.expression_attribute_values = TRY(arguments.Values());
  input.scan_index_forward = !arguments.Flag("descending");
  input.exclusive_start_key = TRY(arguments.StartKey());
  return ShowPage(tables, arguments, [&](std::int32_t limit) -> Result<Page> {
    input.limit = limit;
    QueryOutput output = TRY(tables.database.Query(input));
    Page page{.items = std::move(output.items).value_or(std::vector<Item>()), .next = {}};
    if (output.last_evaluated_key) {
      page.next = value::ToDynamoDbJson(*output.last_evaluated_key);
    }
    return page;
  });
}

// The statement, if it reads or writes as the tool does, and a table that it may.
Result<std::string> StatementOf(const TableArguments& arguments, bool reads) {
  std::string text = arguments.Text("statement").value_or("");
  const std::shared_ptr<const partiql::Statement> statement = TRY(partiql::Translate(text));
  if (statement->is_read() != reads || statement->table().empty()) {
    return Invalid(reads ? "this tool takes a SELECT, which changes nothing"
                         : "this tool takes an INSERT, an UPDATE or a DELETE");
  }
  TRY_VOID(arguments.CheckTable(statement->table()));
  return text;
}

Result<Json> Select(const Tables& tables, const TableArguments& arguments) {
  ExecuteStatementInput input;
  input.statement = TRY(StatementOf(arguments, true));
  input.parameters = TRY(arguments.Parameters());
  input.next_token = arguments.Text("next");
  return ShowPage(tables, arguments, [&](std::int32_t limit) -> Result<Page> {
    input.limit = limit;
    ExecuteStatementOutput output = TRY(tables.database.ExecuteStatement(input));
    return Page{.items = std::move(output.items), .next = std::move(output.next_token)};
  });
}

Result<Json> ExecuteStatement(const Tables& tables, const TableArguments& arguments) {
  ExecuteStatementInput input;
  input.statement = TRY(StatementOf(arguments, false));
  input.parameters = TRY(arguments.Parameters());
  const ExecuteStatementOutput output = TRY(tables.database.ExecuteStatement(input));
  std::optional<JsonArray> items =
      TRY(Fitting(output.items, arguments.is_typed(), tables.options.answer_bytes_max));
  // It is done, whatever RETURNING would show.
  return items ? Json(JsonObject{{"items", *std::move(items)}})
               : Json(JsonObject{{"items", JsonArray()}, {"tooLargeToShow", true}});
}

Result<Json> PutItem(const Tables& tables, const TableArguments& arguments) {
  PutItemInput input;
  input.table_name = TRY(arguments.Table());
  input.item = TRY(arguments.ItemOf("item"));
  input.condition_expression = arguments.Text("condition");
  input.expression_attribute_names = TRY(arguments.Names());
  input.expression_attribute_values = TRY(arguments.Values());
  TRY_VOID(tables.database.PutItem(input));
  return Json(JsonObject{{"stored", true}});
}

Result<Json> DeleteItem(const Tables& tables, const TableArguments& arguments) {
  DeleteItemInput input;
  input.table_name = TRY(arguments.Table());
  input.key = TRY(arguments.ItemOf("key"));
  input.condition_expression = arguments.Text("condition");
  input.expression_attribute_names = TRY(arguments.Names());
  input.expression_attribute_values = TRY(arguments.Values());
  input.return_values = ReturnValues::kAllOld;
  const DeleteItemOutput output = TRY(tables.database.DeleteItem(input));
  return Json(JsonObject{{"existed", output.attributes.has_value()}});
}

struct NamedFunction {
  std::string_view tool;
  Function function;
};

constexpr NamedFunction kFunctions[] = {
    {"list_tables", ListTables}, {"describe_table", DescribeTable},
    {"get_item", GetItem},       {"query", Query},
    {"select", Select},          {"put_item", PutItem},
    {"delete_item", DeleteItem}, {"execute_statement", ExecuteStatement},
};

Function FunctionOf(std::string_view tool) {
  const auto* const named = std::ranges::find_if(
      kFunctions, [tool](const NamedFunction& each) { return each.tool == tool; });
  CHECK(named != std::end(kFunctions));
  return named->function;
}

}  // namespace

std::vector<mcp::Tool> TableTools(Database& database, TableToolOptions options) {
  const bool writable = options.writable;
  const auto tables = std::make_shared<const Tables>(database, std::move(options));
  std::vector<mcp::Tool> tools = TableToolSchemas(writable);
  for (mcp::Tool& tool : tools) {
    tool.run = [tables, function = FunctionOf(tool.name)](ToolCall& call) -> mcp::ToolResult {
      Result<Json> answer =
          function(*tables, TableArguments(call.arguments(), tables->options.hidden));
      return answer ? mcp::StructuredResult(*std::move(answer))
                    : mcp::ErrorResult(answer.error().message);
    };
  }
  return tools;
}

}  // namespace stator::hosting
