// The kinds of constraints that DynamoDB's model puts on members of requests, each with its words.
// Members are named as on the wire ("TableName").

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/layers.h"
#include "api/member_path.h"
#include "api/violations.h"

namespace stator::api {

struct LengthRange {
  std::size_t minimum = 0;
  std::size_t maximum = SIZE_MAX;
};

// Checks the members of the structure at one place of the request, in the order of the calls.
class ConstraintChecker {
 public:
  // Both must outlive it. A null path is the request itself.
  explicit ConstraintChecker(Violations& violations, const MemberPath* path = nullptr)
      : violations_(violations), path_(path) {}
  // Of a request whose operation has that layer. Beyond the older one the first length or range that
  // is wrong is reported alone, without the value.
  ConstraintChecker(Violations& violations, Layer layer)
      : violations_(violations), path_(nullptr), layer_(layer) {}

  [[nodiscard]] Violations& violations() { return violations_; }
  [[nodiscard]] MemberPath PathOf(std::string_view name) const {
    return MemberPath::Member(path_, name);
  }

  // Reports a member that could not be read. False when it was so: what the struct holds there
  // means nothing then.
  bool Readable(std::string_view name) { return !violations_.ReportUnreadable(PathOf(name)); }

  // Anything that has no constraint but that it can be read: enumerators, required structures.
  void Read(std::string_view name) { (void)Readable(name); }

  // An enumerator whose refusal has newer words; `set` is how they list what there is. Alone it
  // leaves nothing else to say.
  void ReadNewer(std::string_view name, std::string_view set);
  void ReadNewerAlone(std::string_view name, std::string_view set);

  void Text(std::string_view name, std::optional<std::string_view> value, LengthRange length);

  // `matches` is what the pattern says, which is only quoted.
  void Pattern(std::string_view name, std::optional<std::string_view> value,
               std::string_view pattern, bool (*matches)(std::string_view text));

  // Of tables and indexes, 3 to 255 characters of a small alphabet.
  void Name(std::string_view name, std::optional<std::string_view> value);

  void AtLeast(std::string_view name, std::optional<std::int64_t> value, std::int64_t minimum);
  void Within(std::string_view name, std::optional<std::int64_t> value, std::int64_t minimum,
              std::int64_t maximum);

  // `printed` is the list in the words of the service's messages.
  void Length(std::string_view name, std::size_t size, LengthRange length,
              std::string_view printed);
  void Texts(std::string_view name, const std::optional<std::vector<std::string>>& values,
             LengthRange length);

 private:
  void Add(std::string_view name, std::string_view printed, std::string_view constraint);
  void CheckLength(std::string_view name, std::size_t size, LengthRange length,
                   std::string_view printed);

  Violations& violations_;
  const MemberPath* path_;
  Layer layer_ = Layer::kOlder;
};

// A TableName parameter takes a name or an ARN. The model only bounds its length; whether a name is
// one is said after everything else was found right, so these two belong to the start and to the
// end of the checks.
void CheckTableLength(ConstraintChecker& checker, std::string_view name_or_arn);
void CheckTableName(ConstraintChecker& checker, std::string_view name_or_arn);
// A name that is wrong is reported with everything else there, not behind it.
void CheckTableNameAtOnce(ConstraintChecker& checker, std::string_view name_or_arn);

// Operations on tables say it in other words when there is none.
void CheckTableLengthOfTableOperation(ConstraintChecker& checker, std::string_view name_or_arn);

bool LooksLikeArn(std::string_view name_or_arn);

// 'text', as messages quote values.
std::string Quoted(std::string_view text);
// [a, b], as messages print lists.
std::string Printed(std::span<const std::string> texts);
// For lists that would fill pages: [26 members].
std::string PrintedCount(std::size_t members);

// Characters as the service counts them, in units of UTF-16.
std::size_t LengthOf(std::string_view text);

}  // namespace stator::api
