// Reads one statement of a policy.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::policy {

class StatementReader {
 public:
  // `number` is for messages. `variables` are those of the caller whose policy it is; null when the
  // policy is attached to a resource, so that they are known only when somebody asks.
  StatementReader(const Map& entries, std::size_t number, const Variables* variables)
      : entries_(entries),
        where_("statement " + std::to_string(number) + " of the policy"),
        variables_(variables) {}

  [[nodiscard]] Result<Policy::Statement> Read() const;

 private:
  using Texts = std::vector<std::string>;

  [[nodiscard]] bool is_attached() const { return variables_ == nullptr; }
  [[nodiscard]] std::unexpected<Error> Malformed(std::string_view problem) const {
    return Invalid(where_ + std::string(problem));
  }

  [[nodiscard]] Result<void> RefuseUnknown() const;
  [[nodiscard]] Result<bool> ReadEffect() const;
  [[nodiscard]] Result<Policy::Patterns> ReadPatterns(std::string_view name,
                                                      std::string_view negated_name) const;
  [[nodiscard]] Result<void> CheckActions(const Texts& patterns) const;
  [[nodiscard]] Result<Policy::Principals> ReadPrincipals() const;
  [[nodiscard]] Result<void> ReadPrincipal(const std::string& text,
                                           Policy::Principals& principals) const;
  Result<void> ReadConditions(Policy::Statement& statement) const;
  // Whether it is one on who asks.
  Result<bool> ReadCallerCondition(std::string_view name, const Map& keys,
                                   Policy::Statement& statement) const;
  [[nodiscard]] Result<bool> ReadBoolean(const AttributeValue& value) const;
  [[nodiscard]] Result<Texts> ReadTexts(const AttributeValue& value, std::string_view name) const;
  [[nodiscard]] Result<std::string> ReadText(const AttributeValue& value,
                                             std::string_view name) const;
  [[nodiscard]] Result<std::string> Substituted(std::string_view text) const;

  const Map& entries_;
  const std::string where_;
  const Variables* variables_;
};

}  // namespace stator::policy
