// Arbitrary bytes as a statement, with parameters, planned for a table with two keys. What is
// accepted must keep some promises: a condition and its negation disagree, the item that a write
// names satisfies the key, an update gives the same item twice.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "partiql/answer.h"
#include "partiql/bind.h"
#include "partiql/plan.h"
#include "partiql/statement.h"

namespace {

using stator::Item;
using stator::List;
using stator::Map;
using stator::StringSet;
using stator::expression::KeyAttribute;
namespace partiql = stator::partiql;

struct Request {
  std::optional<partiql::Parameters> parameters = partiql::Parameters{
      "a", 1, StringSet{"a"}, List{1}, Map{}, true, stator::Null{}, stator::Binary{"b"}};
  Item item = {{"pk", "a"},
               {"sk", 1},
               {"n", 5},
               {"ss", StringSet{"a", "b"}},
               {"l", List{"x", 2, Map{{"z", 1}}}},
               {"m", Map{{"x", "in"}, {"y", List{1, 7}}}}};
  std::vector<KeyAttribute> partition = {
      {.name = "pk", .type = stator::AttributeValue::Type::kString}};
  std::vector<KeyAttribute> sort = {{.name = "sk", .type = stator::AttributeValue::Type::kNumber}};
};

void ReadCondition(const Request& request, const partiql::BoundStatement& bound,
                   const partiql::Where& where) {
  const auto condition = bound.Bind(where);
  if (!condition) {
    return;
  }
  const bool matches = condition->Matches(request.item);
  const auto found =
      partiql::FindKey(&*condition, {.partition = request.partition, .sort = request.sort});
  if (found && !found->has_rest) {
    const bool same = *request.item.Find("pk") == *found->key.Find("pk") &&
                      *request.item.Find("sk") == *found->key.Find("sk");
    CHECK_THAT(same == matches, "a condition on the key alone holds for its item");
  }
}

void ReadSelect(const Request& request, const partiql::BoundStatement& bound,
                const partiql::Select& select) {
  const auto where = bound.Bind(select.where);
  if (where) {
    (void)partiql::PlanSelect(select, *where ? &**where : nullptr,
                              {.partition = request.partition, .sort = request.sort});
  }
  if (!select.projection.empty()) {
    const Item answer = partiql::Answer(select.projection, request.item);
    CHECK_THAT(answer.size() <= select.projection.size(), "an attribute per path");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Request request;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto statement = partiql::Translate(text);
  if (!statement || !partiql::CheckParameters(**statement, request.parameters)) {
    return 0;
  }
  const partiql::BoundStatement bound(**statement, request.parameters);
  if (const auto* select = (*statement)->If<partiql::Select>()) {
    ReadSelect(request, bound, *select);
    if (select->where) {
      ReadCondition(request, bound, *select->where);
    }
  } else if (const auto* update = (*statement)->If<partiql::Update>()) {
    const auto ready = bound.Bind(*update);
    if (ready) {
      const auto once = ready->Apply(&request.item, {});
      const auto twice = ready->Apply(&request.item, {});
      CHECK_THAT(once.has_value() == twice.has_value() && (!once || *once == *twice), text);
    }
  } else if (const auto* insert = (*statement)->If<partiql::Insert>()) {
    CHECK_THAT(bound.ItemOf(*insert).size() == insert->item.size(), "every name once");
  } else if (const auto* deletion = (*statement)->If<partiql::Delete>();
             deletion != nullptr && deletion->where) {
    ReadCondition(request, bound, *deletion->where);
  }
  return 0;
}
