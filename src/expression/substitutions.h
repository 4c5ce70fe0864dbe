// ExpressionAttributeNames and ExpressionAttributeValues of one request: what the placeholders of
// all its expressions stand for, and which of them were used.
//
// ORDER OF ERRORS, as the service has it for one request:
//   1. CheckParameters: the two maps themselves.
//   2. Each expression in turn, wholly: its size, its syntax, its functions and reserved words
//      (parsing), then its placeholders, operand counts and types (binding). UpdateItem looks at
//      UpdateExpression before ConditionExpression; Query and Scan at FilterExpression, then
//      ProjectionExpression, and Query at KeyConditionExpression last.
//   3. CheckAllUsed: placeholders that no expression used; names before values.
//   4. What a key condition is made of: CompareKeys, then MatchKeySchema (key_condition.h).
//
// THREADS: one request is one thread's.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::expression {

class Substitutions {
 public:
  using Names = std::map<std::string, std::string>;

  // Null means that the request lacks the parameter. Both are borrowed: they must outlive this
  // object and everything that was bound with it.
  Substitutions(const Names* names, const Map* values);

  // Neither map is empty, keys are well-formed placeholders of bounded length, names are usable,
  // everything together is within 2 MB.
  [[nodiscard]] Result<void> CheckParameters() const;

  // That the values could be stored. What came in through DynamoDB JSON is known to be good; what
  // a program built may not be.
  [[nodiscard]] Result<void> CheckValues() const;

  // What a placeholder, given with its '#' or ':', stands for; marks it as used. Null when it is
  // not defined.
  const std::string* UseName(std::string_view placeholder);
  const AttributeValue* UseValue(std::string_view placeholder);

  [[nodiscard]] Result<void> CheckAllUsed() const;

 private:
  // One bit per entry, in the order of the map; grows past 64 entries only when there are more.
  class Marks {
   public:
    explicit Marks(std::size_t entries) : more_(entries > 64 ? entries - 64 : 0) {}
    void Set(std::size_t entry);
    [[nodiscard]] bool IsSet(std::size_t entry) const;

   private:
    std::uint64_t first_ = 0;
    std::vector<bool> more_;
  };

  [[nodiscard]] Result<void> CheckNames() const;
  template <class Entries>
  static Result<void> CheckUsed(std::string_view parameter, const Entries& entries,
                                const Marks& used);

  const Names* names_;
  const Map* values_;
  std::vector<const Names::value_type*> sorted_names_;  // only when there are many
  Marks used_names_;
  Marks used_values_;
};

}  // namespace stator::expression
