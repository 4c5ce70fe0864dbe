#include "hosting/table_schemas.h"

#include <initializer_list>
#include <string_view>
#include <utility>

#include "hosting/table_arguments.h"

namespace stator::hosting {
namespace {

using tasks::Json;
using tasks::JsonArray;
using tasks::JsonObject;

Json Text(std::string_view description) {
  return JsonObject{{"type", "string"}, {"description", description}};
}

Json Flag(std::string_view description) {
  return JsonObject{{"type", "boolean"}, {"description", description}};
}

Json Object(std::string_view description) {
  return JsonObject{{"type", "object"}, {"description", description}};
}

Json Table() {
  return Text("The name of the table");
}

Json Typed() {
  return Flag(
      "Values in arguments and answer are DynamoDB JSON ({\"S\": \"x\"}) instead of plain JSON; "
      "exact for sets and binaries");
}

Json Key() {
  return Object("The attributes of the table's key: {\"pk\": \"a\", \"sk\": 1}");
}

Json Names() {
  return JsonObject{{"type", "object"},
                    {"additionalProperties", JsonObject{{"type", "string"}}},
                    {"description", "What placeholders of names stand for: {\"#n\": \"name\"}"}};
}

Json Values() {
  return Object("What placeholders of values stand for: {\":v\": 3}");
}

Json Projection() {
  return Text("The attributes that are wanted, as a projection expression: a, b.c, #n");
}

Json Condition() {
  return Text("A condition expression that must hold of the item that is there");
}

Json Next() {
  return Text("Of the page before, to go on behind it");
}

Json Limit() {
  return JsonObject{{"type", "integer"},
                    {"minimum", 1},
                    {"maximum", kPageItemsMax},
                    {"default", kPageItems},
                    {"description", "How many items are read, before a filter"}};
}

Json Parameters() {
  return JsonObject{{"type", "array"},
                    {"description", "What the question marks stand for, in their order"}};
}

// All that is named in `required` must be among the properties.
Json Arguments(JsonObject properties, std::initializer_list<std::string_view> required) {
  JsonArray names;
  for (const std::string_view name : required) {
    names.emplace_back(name);
  }
  return JsonObject{{"type", "object"},
                    {"properties", std::move(properties)},
                    {"required", std::move(names)},
                    {"additionalProperties", false}};
}

Json PageOf(std::string_view member, std::string_view type) {
  return JsonObject{
      {"type", "object"},
      {"properties",
       JsonObject{{std::string(member),
                   JsonObject{{"type", "array"}, {"items", JsonObject{{"type", type}}}}},
                  {"next", Text("There may be more: the argument of the next call")}}},
      {"required", JsonArray{member}}};
}

mcp::Tool Reads(std::string_view name, std::string_view title, std::string_view description,
                Json input, Json output) {
  return {.name = std::string(name),
          .description = std::string(description),
          .input_schema = std::move(input),
          .title = std::string(title),
          .output_schema = std::move(output),
          .annotations = JsonObject{{"readOnlyHint", true}, {"openWorldHint", false}},
          .scopes = {"tables.read"}};
}

mcp::Tool Writes(std::string_view name, std::string_view title, std::string_view description,
                 Json input) {
  return {
      .name = std::string(name),
      .description = std::string(description),
      .input_schema = std::move(input),
      .title = std::string(title),
      .output_schema = JsonObject{{"type", "object"}},
      .annotations =
          JsonObject{{"readOnlyHint", false}, {"destructiveHint", true}, {"openWorldHint", false}},
      .scopes = {"tables.write"}};
}

void AddReads(std::vector<mcp::Tool>& tools) {
  tools.push_back(Reads("list_tables", "List tables", "Names of the tables, up to 100 a page",
                        Arguments({{"next", Next()}}, {}), PageOf("tables", "string")));
  tools.push_back(Reads("describe_table", "Describe a table",
                        "Keys, indexes, attribute types, item count and settings of a table",
                        Arguments({{"table", Table()}}, {"table"}),
                        JsonObject{{"type", "object"}, {"required", JsonArray{"Table"}}}));
  tools.push_back(Reads("get_item", "Get an item", "Reads one item by its whole key",
                        Arguments({{"table", Table()},
                                   {"key", Key()},
                                   {"projection", Projection()},
                                   {"names", Names()},
                                   {"typed", Typed()}},
                                  {"table", "key"}),
                        JsonObject{{"type", "object"}, {"required", JsonArray{"found"}}}));
  tools.push_back(Reads(
      "query", "Query a table",
      "Reads items of one partition key, of a table or an index, in the order of the sort key",
      Arguments(
          {{"table", Table()},
           {"index", Text("The name of an index, to read that instead")},
           {"keyCondition", Text("A key condition expression: pk = :p AND begins_with(sk, :s)")},
           {"filter", Text("A filter expression: price > :p")},
           {"projection", Projection()},
           {"names", Names()},
           {"values", Values()},
           {"descending", Flag("From the highest sort key down")},
           {"limit", Limit()},
           {"next", Next()},
           {"typed", Typed()}},
          {"table", "keyCondition"}),
      PageOf("items", "object")));
  tools.push_back(Reads(
      "select", "Select with PartiQL",
      "Runs a SELECT of PartiQL as DynamoDB has it: SELECT a, b FROM \"orders\" WHERE pk = ? AND "
      "price > 3. Without the partition key in WHERE it reads the whole table, page by page",
      Arguments({{"statement", Text("The statement; only SELECT")},
                 {"parameters", Parameters()},
                 {"limit", Limit()},
                 {"next", Next()},
                 {"typed", Typed()}},
                {"statement"}),
      PageOf("items", "object")));
}

void AddWrites(std::vector<mcp::Tool>& tools) {
  tools.push_back(Writes("put_item", "Put an item",
                         "Stores an item and replaces the one with the same key",
                         Arguments({{"table", Table()},
                                    {"item", Object("All attributes of the item")},
                                    {"condition", Condition()},
                                    {"names", Names()},
                                    {"values", Values()},
                                    {"typed", Typed()}},
                                   {"table", "item"})));
  tools.push_back(Writes("delete_item", "Delete an item", "Deletes one item by its whole key",
                         Arguments({{"table", Table()},
                                    {"key", Key()},
                                    {"condition", Condition()},
                                    {"names", Names()},
                                    {"values", Values()},
                                    {"typed", Typed()}},
                                   {"table", "key"})));
  tools.push_back(Writes(
      "execute_statement", "Change with PartiQL",
      "Runs an INSERT, UPDATE or DELETE of PartiQL, which changes one item",
      Arguments(
          {{"statement", Text("The statement")}, {"parameters", Parameters()}, {"typed", Typed()}},
          {"statement"})));
}

}  // namespace

std::vector<mcp::Tool> TableToolSchemas(bool writable) {
  std::vector<mcp::Tool> tools;
  AddReads(tools);
  if (writable) {
    AddWrites(tools);
  }
  return tools;
}

}  // namespace stator::hosting
