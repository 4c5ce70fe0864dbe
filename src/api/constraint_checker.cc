#include "api/constraint_checker.h"

#include <algorithm>

#include "base/limits.h"

namespace stator::api {
namespace {

constexpr LengthRange kNameLength = {limits::kTableNameLengthMin, limits::kTableNameLengthMax};
// [model] of every TableName parameter that takes an ARN too.
constexpr LengthRange kNameOrArnLength = {1, 1024};
constexpr std::string_view kNamePattern =
    "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";

// An answer need not repeat a request of megabytes.
constexpr std::size_t kQuotedBytesMax = 4096;

bool IsInsideCharacter(char character) {
  return (static_cast<unsigned char>(character) & 0xC0U) == 0x80U;
}

bool IsNameCharacter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') || character == '_' || character == '.' ||
         character == '-';
}

std::string NotInSet(std::string_view set) {
  return "Failed to satisfy constraint: Member must satisfy enum value set: [" + std::string(set) +
         "]";
}

bool MatchesNamePattern(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsNameCharacter);
}

}  // namespace

void ConstraintChecker::Text(std::string_view name, std::optional<std::string_view> value,
                             LengthRange length) {
  if (!Readable(name) || !value) {
    return;
  }
  // A text has at least one byte for each unit, and at most three.
  if (value->size() > length.maximum || value->size() < 3 * length.minimum) {
    CheckLength(name, LengthOf(*value), length, *value);
  }
}

void ConstraintChecker::Pattern(std::string_view name, std::optional<std::string_view> value,
                                std::string_view pattern, bool (*matches)(std::string_view text)) {
  if (Readable(name) && value && !matches(*value)) {
    Add(name, *value, "Member must satisfy regular expression pattern: " + std::string(pattern));
  }
}

void ConstraintChecker::Name(std::string_view name, std::optional<std::string_view> value) {
  if (!Readable(name) || !value) {
    return;
  }
  // Names are not among what has newer words.
  ConstraintChecker older(violations_, path_);
  const bool matches = MatchesNamePattern(*value);
  if (!matches) {
    older.Add(name, *value, kNamePattern);
  }
  older.CheckLength(name, matches ? value->size() : LengthOf(*value), kNameLength, *value);
}

void ConstraintChecker::AtLeast(std::string_view name, std::optional<std::int64_t> value,
                                std::int64_t minimum) {
  Within(name, value, minimum, INT64_MAX);
}

void ConstraintChecker::Within(std::string_view name, std::optional<std::int64_t> value,
                               std::int64_t minimum, std::int64_t maximum) {
  if (!Readable(name) || !value) {
    return;
  }
  if (*value < minimum) {
    Add(name, std::to_string(*value),
        "Member must have value greater than or equal to " + std::to_string(minimum));
  }
  if (*value > maximum) {
    Add(name, std::to_string(*value),
        "Member must have value less than or equal to " + std::to_string(maximum));
  }
}

void ConstraintChecker::Length(std::string_view name, std::size_t size, LengthRange length,
                               std::string_view printed) {
  if (Readable(name)) {
    CheckLength(name, size, length, printed);
  }
}

void ConstraintChecker::Texts(std::string_view name,
                              const std::optional<std::vector<std::string>>& values,
                              LengthRange length) {
  if (Readable(name) && values &&
      (values->size() < length.minimum || values->size() > length.maximum)) {
    CheckLength(name, values->size(), length, Printed(*values));
  }
}

void ConstraintChecker::ReadNewer(std::string_view name, std::string_view set) {
  if (layer_ == Layer::kOlder) {
    Read(name);
  } else if (violations_.HasUnreadable()) {
    (void)violations_.ReportAs(PathOf(name), NotInSet(set));
  }
}

void ConstraintChecker::ReadNewerAlone(std::string_view name, std::string_view set) {
  if (layer_ == Layer::kOlder) {
    Read(name);
    return;
  }
  if (!violations_.HasUnreadable()) {
    return;
  }
  const std::string message = NotInSet(set);
  if (violations_.ReportAs(PathOf(name), message)) {
    violations_.AddAlone((layer_ == Layer::kEnveloped ? "1 validation error detected: " : "") +
                         message);
  }
}

void ConstraintChecker::Add(std::string_view name, std::string_view printed,
                            std::string_view constraint) {
  if (layer_ != Layer::kOlder) {
    violations_.AddAlone("1 validation error detected: Value at '" + std::string(name) +
                         "' failed to satisfy constraint: " + std::string(constraint));
    return;
  }
  violations_.Add(PathOf(name).ToString(), Quoted(printed), constraint);
}

void ConstraintChecker::CheckLength(std::string_view name, std::size_t size, LengthRange length,
                                    std::string_view printed) {
  if (size < length.minimum) {
    Add(name, printed,
        "Member must have length greater than or equal to " + std::to_string(length.minimum));
  }
  if (size > length.maximum) {
    Add(name, printed,
        "Member must have length less than or equal to " + std::to_string(length.maximum));
  }
}

void CheckTableLength(ConstraintChecker& checker, std::string_view name_or_arn) {
  checker.Text("TableName", name_or_arn, kNameOrArnLength);
}

void CheckTableName(ConstraintChecker& checker, std::string_view name_or_arn) {
  if (checker.violations().empty() && !LooksLikeArn(name_or_arn)) {
    checker.Name("TableName", name_or_arn);
  }
}

void CheckTableNameAtOnce(ConstraintChecker& checker, std::string_view name_or_arn) {
  if (!LooksLikeArn(name_or_arn)) {
    checker.Name("TableName", name_or_arn);
  }
}

void CheckTableLengthOfTableOperation(ConstraintChecker& checker, std::string_view name_or_arn) {
  Violations& violations = checker.violations();
  if (violations.ReportUnreadable(checker.PathOf("TableName"))) {
    violations.AddAlone("The parameter 'TableName' is required but was not present in the request");
    return;
  }
  CheckTableLength(checker, name_or_arn);
}

bool LooksLikeArn(std::string_view name_or_arn) {
  return name_or_arn.starts_with("arn:");
}

std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  if (text.size() <= kQuotedBytesMax) {
    return quoted.append(text).append("'");
  }
  std::size_t end = kQuotedBytesMax;
  while (end > 0 && IsInsideCharacter(text[end])) {
    --end;
  }
  return quoted.append(text.substr(0, end)).append("...'");
}

std::string Printed(std::span<const std::string> texts) {
  std::string printed = "[";
  for (const std::string& text : texts) {
    printed.append(printed.size() == 1 ? "" : ", ").append(text);
  }
  printed += ']';
  return printed;
}

std::string PrintedCount(std::size_t members) {
  return members == 0 ? "[]" : "[" + std::to_string(members) + " members]";
}

std::size_t LengthOf(std::string_view text) {
  std::size_t units = 0;
  for (const char character : text) {
    units += IsInsideCharacter(character) ? 0U : 1U;
    units += static_cast<unsigned char>(character) >= 0xF0U ? 1U : 0U;  // four bytes are two units
  }
  return units;
}

}  // namespace stator::api
