#include "server/policy.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/try.h"
#include "stator/value/attribute_value.h"
#include "value/plain_json.h"
#include "wire/http_message.h"

namespace stator::server {

// Reads one statement; knows its number for messages.
class StatementReader {
 public:
  StatementReader(const Map& entries, std::size_t number)
      : entries_(entries), where_("statement " + std::to_string(number) + " of the policy") {}

  Result<Policy::Statement> Read() const {
    TRY_VOID(RefuseUnknown());
    Policy::Statement statement;
    statement.allows = TRY(ReadEffect());
    statement.actions = TRY(ReadPatterns("Action", "NotAction"));
    statement.resources = TRY(ReadPatterns("Resource", "NotResource"));
    for (std::string& pattern : statement.actions.any_of) {
      pattern = wire::LowerCase(pattern);
    }
    return statement;
  }

 private:
  [[nodiscard]] std::unexpected<Error> Wrong(std::string_view problem) const {
    return Invalid(where_ + std::string(problem));
  }

  [[nodiscard]] Result<void> RefuseUnknown() const {
    constexpr std::array<std::string_view, 6> kKnown = {"Sid",       "Effect",   "Action",
                                                        "NotAction", "Resource", "NotResource"};
    for (const auto& [name, value] : entries_) {
      if (std::ranges::find(kKnown, name) == kKnown.end()) {
        return Wrong(" has '" + name + "', which is not supported");
      }
    }
    return {};
  }

  [[nodiscard]] Result<bool> ReadEffect() const {
    const AttributeValue* const effect = entries_.Find("Effect");
    const auto* const text = effect == nullptr ? nullptr : effect->If<std::string>();
    if (text == nullptr || (*text != "Allow" && *text != "Deny")) {
      return Wrong(" needs an Effect of Allow or Deny");
    }
    return *text == "Allow";
  }

  [[nodiscard]] Result<Policy::Patterns> ReadPatterns(std::string_view name,
                                                      std::string_view negated_name) const {
    const AttributeValue* const plain = entries_.Find(name);
    const AttributeValue* const negated = entries_.Find(negated_name);
    if ((plain == nullptr) == (negated == nullptr)) {
      return Wrong(" needs one of " + std::string(name) + " and " + std::string(negated_name));
    }
    Policy::Patterns patterns;
    patterns.negated = negated != nullptr;
    const AttributeValue& value = patterns.negated ? *negated : *plain;
    if (const auto* const list = value.If<List>()) {
      for (const AttributeValue& element : *list) {
        TRY_VOID(AddPattern(element, name, patterns));
      }
    } else {
      TRY_VOID(AddPattern(value, name, patterns));
    }
    return patterns;
  }

  [[nodiscard]] Result<void> AddPattern(const AttributeValue& value, std::string_view name,
                                        Policy::Patterns& patterns) const {
    const auto* const text = value.If<std::string>();
    if (text == nullptr || text->empty()) {
      return Wrong(" has a " + std::string(name) + " that is no text");
    }
    if (text->contains("${")) {
      return Wrong(" uses a policy variable, which is not supported");
    }
    patterns.any_of.push_back(*text);
    return {};
  }

  const Map& entries_;
  const std::string where_;
};

namespace {

bool MatchesAny(const std::vector<std::string>& patterns, std::string_view text) {
  return std::ranges::any_of(
      patterns, [&](const std::string& pattern) { return MatchesWildcards(pattern, text); });
}

}  // namespace

Result<Policy> Policy::Parse(std::string_view json) {
  const AttributeValue document = TRY(value::ValueFromPlainJson(json));
  const auto* const root = document.If<Map>();
  const AttributeValue* const statements = root == nullptr ? nullptr : root->Find("Statement");
  if (statements == nullptr) {
    return Invalid("a policy is a JSON object with a Statement");
  }
  Policy policy;
  if (const auto* const one = statements->If<Map>()) {
    policy.statements_.push_back(TRY(StatementReader(*one, 1).Read()));
    return policy;
  }
  const auto* const list = statements->If<List>();
  if (list == nullptr) {
    return Invalid("the Statement of a policy is an object or a list of objects");
  }
  for (const AttributeValue& element : *list) {
    const auto* const entries = element.If<Map>();
    if (entries == nullptr) {
      return Invalid("the Statement of a policy is an object or a list of objects");
    }
    policy.statements_.push_back(
        TRY(StatementReader(*entries, policy.statements_.size() + 1).Read()));
  }
  return policy;
}

Policy::Verdict Policy::Evaluate(std::string_view action, std::string_view resource) const {
  const std::string lower_action = wire::LowerCase(action);
  Verdict verdict = Verdict::kImplicitDeny;
  for (const Statement& statement : statements_) {
    const bool action_matches =
        MatchesAny(statement.actions.any_of, lower_action) != statement.actions.negated;
    const bool resource_matches =
        MatchesAny(statement.resources.any_of, resource) != statement.resources.negated;
    if (!action_matches || !resource_matches) {
      continue;
    }
    if (!statement.allows) {
      return Verdict::kExplicitDeny;
    }
    verdict = Verdict::kAllow;
  }
  return verdict;
}

bool MatchesWildcards(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t in_pattern = 0;
  std::size_t star = std::string_view::npos;  // the last one seen, and how much it stood for
  std::size_t star_text = 0;
  while (at < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = in_pattern++;
      star_text = at;
    } else if (in_pattern < pattern.size() &&
               (pattern[in_pattern] == '?' || pattern[in_pattern] == text[at])) {
      ++in_pattern;
      ++at;
    } else if (star != std::string_view::npos) {
      in_pattern = star + 1;
      at = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

}  // namespace stator::server
