// Which part of a partition a query wants, by the fields of the sort key's template.
//
//   "ORDER#{number:08}"
//   orders.Query({"ann"}, {.sort = SortKey<Order>::Between(10, 19)});
//
//   "{customer}#{number:08}", of an index
//   orders.QueryIndex<"by_state">({"open"}, {.sort = SortKey<Order, "by_state">::Of("ann")});
//
// A sort key is given by its first fields, as many as you like: {"ann", 10}, {"ann"}. A range that
// ends at {"ann"} has everything of ann in it.
//
// Ranges stay among the items whose sort keys begin as the template does, so in a table that
// entities share they read none of others; except for Before, which DynamoDB cannot bound from
// below.
//
// A key that cannot be made (entity_key.h) fails when the query is used, with kValidation.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/patterns/expression.h"
#include "stator/stores/entities/detail/key_maker.h"
#include "stator/stores/entities/entity_key.h"
#include "stator/stores/entities/index_name.h"

namespace stator::entities {

// Of which items of a partition. The default: of all of them.
template <Entity T, IndexName kIndex = "">
class SortRange {
 public:
  SortRange() = default;
  // By the name of the attribute.
  explicit SortRange(patterns::Condition condition) : condition_(std::move(condition)) {}
  explicit SortRange(Result<patterns::Condition> condition) : condition_(std::move(condition)) {}

  [[nodiscard]] const Result<patterns::Condition>& condition() const { return condition_; }

 private:
  Result<patterns::Condition> condition_;
};

namespace detail {

enum class SortBound : std::uint8_t { kOf, kBeginsWith, kFrom, kAfter, kTo, kBefore };

// The first fields of a sort key, or why they are none.
using FirstFields = Result<std::vector<NamedField>>;

Result<patterns::Condition> MakeSortCondition(const AttributeMaker& maker, SortBound bound,
                                              const FirstFields& fields);
Result<patterns::Condition> MakeSortCondition(const AttributeMaker& maker, const FirstFields& low,
                                              const FirstFields& high);

// Whether the text of the template sorts as its fields do.
template <class T>
constexpr bool SortsAsFields(std::string_view text) {
  const bool alone = !FieldAlone(text).empty();
  while (!text.empty()) {
    TemplatePart part;
    if (!TakePart(text, part)) {
      return false;
    }
    if (!alone && part.digits == 0 && IsNumber(TypeOfField<T>(part.field))) {
      return false;
    }
  }
  return true;
}

}  // namespace detail

template <Entity T, IndexName kIndex = "">
class SortKey {
  static_assert(kIndex.view().empty() || detail::HasIndex<T>(kIndex.view()),
                "stator: the entity has no such index");
  static_assert(detail::SortKeyOf<T, kIndex>().has_value(),
                "stator: there is no sort key to make a range of");
  static constexpr KeyTemplate kKey =
      detail::SortKeyOf<T, kIndex>().value_or(KeyTemplate{.text = ""});
  static constexpr auto kFields = detail::MakePartitionFields<T>(kKey.text);
  using Range = SortRange<T, kIndex>;
  using Bound = detail::SortBound;

 public:
  // NOLINTBEGIN(google-explicit-constructor): {"ann", 10} is a sort key.
  template <class... Arguments>
    requires(!(std::same_as<std::remove_cvref_t<Arguments>, SortKey> || ...))
  SortKey(Arguments&&... first)
      : fields_(detail::EncodeFirst<T, kFields>(std::forward<Arguments>(first)...)) {}
  // NOLINTEND(google-explicit-constructor)

  // Those with exactly these first fields.
  static Range Of(const SortKey& key) { return Make(Bound::kOf, key); }
  // Those with these first fields, of which the last one, a text, is only a beginning.
  static Range BeginsWith(const SortKey& key) { return Make(Bound::kBeginsWith, key); }
  // With these or greater, only greater, these or less, only less.
  static Range From(const SortKey& key) { return MakeOrdered(Bound::kFrom, key); }
  static Range After(const SortKey& key) { return MakeOrdered(Bound::kAfter, key); }
  static Range To(const SortKey& key) { return MakeOrdered(Bound::kTo, key); }
  static Range Before(const SortKey& key) { return MakeOrdered(Bound::kBefore, key); }
  // Both ends belong to it.
  static Range Between(const SortKey& low, const SortKey& high) {
    CheckOrder();
    return Range(detail::MakeSortCondition(Maker(), low.fields_, high.fields_));
  }

 private:
  static const detail::AttributeMaker& Maker() {
    static const detail::AttributeMaker maker(
        detail::DescribeKey<T>(kKey, kIndex.view().empty() ? "sk" : detail::FieldAlone(kKey.text)));
    return maker;
  }
  static Range Make(Bound bound, const SortKey& key) {
    return Range(detail::MakeSortCondition(Maker(), bound, key.fields_));
  }
  static Range MakeOrdered(Bound bound, const SortKey& key) {
    CheckOrder();
    return Make(bound, key);
  }
  static constexpr void CheckOrder() {
    static_assert(detail::SortsAsFields<T>(kKey.text),
                  "stator: numbers in a text sort as numbers only when they are filled up with "
                  "zeros, as {number:08} is");
  }

  detail::FirstFields fields_;
};

}  // namespace stator::entities
