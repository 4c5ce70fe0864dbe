#include "stator/stores/entities/sort_key.h"

#include <string>

#include "base/try.h"

namespace stator::entities::detail {
namespace {

using patterns::Attribute;
using patterns::Condition;
using Beginning = AttributeMaker::Beginning;

// The least text that is greater than all that begin with `text`; nothing when its last byte has
// no next one that is a character.
std::optional<std::string> AfterAll(std::string_view text) {
  if (text.empty() || static_cast<unsigned char>(text.back()) >= 0x7E) {
    return std::nullopt;
  }
  std::string next(text);
  ++next.back();
  return next;
}

// What is not less than anything that begins so.
AttributeValue UpperOf(const Beginning& high) {
  const auto* text = high.value.If<std::string>();
  if (high.whole || text == nullptr) {
    return high.value;
  }
  return AfterAll(*text).value_or(*text + "\xF4\x8F\xBF\xBF");
}

Condition FromTo(const Attribute& attribute, const AttributeMaker& maker, AttributeValue low) {
  const std::optional<std::string> end =
      low.Is<std::string>() ? AfterAll(maker.lead()) : std::nullopt;
  return end ? attribute.Between(low, AttributeValue(*end)) : attribute >= low;
}

Result<Condition> MakeBound(const AttributeMaker& maker, SortBound bound, const Beginning& key) {
  const Attribute attribute(maker.attribute());
  const auto* text = key.value.If<std::string>();
  switch (bound) {
    case SortBound::kOf:
      return key.whole || text == nullptr ? attribute == key.value
                                          : attribute.BeginsWith(key.value);
    case SortBound::kBeginsWith:
      if (text == nullptr) {
        return Invalid("the sort key is no text, so it has no beginning");
      }
      return attribute.BeginsWith(key.value);
    case SortBound::kFrom:
      return FromTo(attribute, maker, key.value);
    case SortBound::kAfter:
      if (text == nullptr || maker.lead().empty()) {
        return key.whole ? attribute > key.value : attribute > UpperOf(key);
      }
      // The least text behind it.
      return FromTo(attribute, maker, key.whole ? AttributeValue(*text + '\0') : UpperOf(key));
    case SortBound::kTo:
      return text == nullptr || maker.lead().empty()
                 ? attribute <= UpperOf(key)
                 : attribute.Between(AttributeValue(std::string(maker.lead())), UpperOf(key));
    case SortBound::kBefore:
      break;
  }
  return attribute < key.value;
}

}  // namespace

Result<Condition> MakeSortCondition(const AttributeMaker& maker, SortBound bound,
                                    const FirstFields& fields) {
  if (!fields) {
    return std::unexpected(fields.error());
  }
  const Beginning key = TRY(maker.Begin(*fields, bound == SortBound::kBeginsWith));
  if (const auto* text = key.value.If<std::string>();
      key.value.Is<Null>() || (text != nullptr && text->empty())) {
    return Invalid("a range of sort keys needs a field");
  }
  return MakeBound(maker, bound, key);
}

Result<Condition> MakeSortCondition(const AttributeMaker& maker, const FirstFields& low,
                                    const FirstFields& high) {
  if (!low || !high) {
    return std::unexpected(low ? high.error() : low.error());
  }
  const Beginning first = TRY(maker.Begin(*low, false));
  const Beginning last = TRY(maker.Begin(*high, false));
  return Attribute(maker.attribute()).Between(first.value, UpperOf(last));
}

}  // namespace stator::entities::detail
