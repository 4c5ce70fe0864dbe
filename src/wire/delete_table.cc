#include "stator/api/delete_table.h"

#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/table_description.h"

namespace stator::wire {

template <>
struct Shape<DeleteTableInput> {
  static constexpr std::string_view kName = "DeleteTableInput";
  static void Visit(auto& visit, auto& input) { visit.Required("TableName", input.table_name); }
};

template <>
struct Shape<DeleteTableOutput> {
  static constexpr std::string_view kName = "DeleteTableOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TableDescription", output.table_description);
  }
};

void Read(JsonObject body, Decoding& decoding, DeleteTableInput& input) {
  ReadBody(body, decoding, input);
}

void Append(const DeleteTableInput& input, std::string& out) {
  Codec<DeleteTableInput>::Append(input, out);
}

void Read(JsonObject body, Decoding& decoding, DeleteTableOutput& output) {
  ReadBody(body, decoding, output);
}

void Append(const DeleteTableOutput& output, std::string& out) {
  Codec<DeleteTableOutput>::Append(output, out);
}

}  // namespace stator::wire
