#include "schema/compare_types.h"

#include <cstdint>
#include <string>

namespace stator::schema {
namespace {

// How the values that are allowed relate.
enum class Relation : std::uint8_t { kSame, kMore, kFewer, kOther };

Relation Combine(Relation left, Relation right) {
  if (left == right || right == Relation::kSame) {
    return left;
  }
  return left == Relation::kSame ? right : Relation::kOther;
}

// `is_upper`: whether a greater number allows more. No number is no limit.
Relation CompareLimits(const std::optional<Number>& before, const std::optional<Number>& after,
                       bool is_upper) {
  if (before == after) {
    return Relation::kSame;
  }
  if (!before || !after) {
    return before ? Relation::kMore : Relation::kFewer;
  }
  return (*after > *before) == is_upper ? Relation::kMore : Relation::kFewer;
}

Relation CompareRange(const Map& before, const Map& after, std::string_view min,
                      std::string_view max) {
  return Combine(CompareLimits(NumberAt(before, min), NumberAt(after, min), /*is_upper=*/false),
                 CompareLimits(NumberAt(before, max), NumberAt(after, max), /*is_upper=*/true));
}

Relation ComparePatterns(const Map& before, const Map& after) {
  const std::string old_pattern = TextAt(before, "pattern");
  const std::string new_pattern = TextAt(after, "pattern");
  if (old_pattern == new_pattern) {
    return Relation::kSame;
  }
  // Which of two patterns allows more cannot be told.
  return new_pattern.empty() ? Relation::kMore : Relation::kFewer;
}

// How many digits a format keeps; the exact number of DynamoDB keeps most.
int PrecisionOf(const Map& schema) {
  const std::string format = TextAt(schema, "format");
  if (format == "float") {
    return 0;
  }
  return format == "double" ? 1 : 2;
}

bool IsBinaryFormat(const std::string& format) {
  return format.empty() || format == "float" || format == "double";
}

// Whether all integers of the schema are exact in the floating format of the other.
bool FitsFormat(const Map& integer, const Map& number) {
  constexpr std::int64_t kDoubleMax = std::int64_t{1} << 53;
  constexpr std::int64_t kFloatMax = std::int64_t{1} << 24;
  const int precision = PrecisionOf(number);
  if (precision == 2) {
    return true;
  }
  const Number max(precision == 1 ? kDoubleMax : kFloatMax);
  const std::optional<Number> least = NumberAt(integer, "minimum");
  const std::optional<Number> greatest = NumberAt(integer, "maximum");
  return least && greatest && *least >= max.Negated() && *greatest <= max;
}

std::optional<Change> ChangeOf(Relation relation) {
  switch (relation) {
    case Relation::kSame:
      return std::nullopt;
    case Relation::kMore:
      return Change::kTypeWidened;
    case Relation::kFewer:
      return Change::kConstraintTightened;
    case Relation::kOther:
      break;
  }
  return Change::kTypeChanged;
}

std::optional<Change> CompareNumbers(const Map& before, const Map& after) {
  const std::string old_format = TextAt(before, "format");
  const std::string new_format = TextAt(after, "format");
  if (old_format != new_format && !(IsBinaryFormat(old_format) && IsBinaryFormat(new_format))) {
    return Change::kTypeChanged;
  }
  const bool was_integer = KindOf(before) == Kind::kInteger;
  const bool is_integer = KindOf(after) == Kind::kInteger;
  if (was_integer && !is_integer) {
    return FitsFormat(before, after) ? Change::kTypeWidened : Change::kTypeChanged;
  }
  if (!was_integer && is_integer) {
    return Change::kTypeChanged;
  }
  if (PrecisionOf(before) != PrecisionOf(after)) {
    return PrecisionOf(before) < PrecisionOf(after) ? Change::kTypeWidened : Change::kTypeChanged;
  }
  const Relation relation = CompareRange(before, after, "minimum", "maximum");
  if (relation == Relation::kFewer && HasLimitsOfType(before) && HasLimitsOfType(after)) {
    return Change::kTypeChanged;
  }
  return ChangeOf(relation);
}

std::optional<Change> CompareText(const Map& before, const Map& after) {
  if (TextAt(before, "format") != TextAt(after, "format")) {
    return Change::kTypeChanged;
  }
  return ChangeOf(Combine(CompareRange(before, after, "minLength", "maxLength"),
                          ComparePatterns(before, after)));
}

bool IsNumber(Kind kind) {
  return kind == Kind::kInteger || kind == Kind::kNumber;
}

bool IsSequence(Kind kind) {
  return kind == Kind::kList || kind == Kind::kSet;
}

}  // namespace

std::optional<Change> CompareTypes(const Map& before, const Map& after) {
  const Kind old_kind = KindOf(before);
  const Kind new_kind = KindOf(after);
  if (IsNumber(old_kind) && IsNumber(new_kind)) {
    return CompareNumbers(before, after);
  }
  if (old_kind != new_kind) {
    const bool widened = new_kind == Kind::kAnything ||
                         (old_kind == Kind::kEnum && new_kind == Kind::kText) ||
                         (old_kind == Kind::kStruct && new_kind == Kind::kDictionary &&
                          !after.contains("additionalProperties"));
    return widened ? Change::kTypeWidened : Change::kTypeChanged;
  }
  if (old_kind == Kind::kText || old_kind == Kind::kBytes) {
    return CompareText(before, after);
  }
  if (IsSequence(old_kind)) {
    return ChangeOf(CompareRange(before, after, "minItems", "maxItems"));
  }
  if (old_kind == Kind::kUnknown && !(before == after)) {
    return Change::kTypeChanged;
  }
  return std::nullopt;
}

}  // namespace stator::schema
