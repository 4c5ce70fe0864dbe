// For tests: what an operation brings beside its header and its line in the list: constraints and
// shapes.

#include "api/constraint_checker.h"
#include "api/constraints.h"
#include "api/shape_constraints.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::api {

void CheckConstraints(const EchoTextInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Text("Text", input.text, {1, 5});
}

}  // namespace stator::api

namespace stator::wire {

template <>
struct Shape<EchoTextInput> {
  static constexpr std::string_view kName = "EchoTextInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Required("Text", input.text);
  }
};

template <>
struct Shape<EchoTextOutput> {
  static constexpr std::string_view kName = "EchoTextOutput";
  static void Visit(auto& visit, auto& output) { visit.Required("Text", output.text); }
};

template struct Body<EchoTextInput>;
template struct Body<EchoTextOutput>;

}  // namespace stator::wire
