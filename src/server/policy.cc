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
  StatementReader(const Map& entries, std::size_t number, const Policy::Variables& variables)
      : entries_(entries),
        where_("statement " + std::to_string(number) + " of the policy"),
        variables_(variables) {}

  [[nodiscard]] Result<Policy::Statement> Read() const {
    TRY_VOID(RefuseUnknown());
    Policy::Statement statement;
    statement.allows = TRY(ReadEffect());
    statement.actions = TRY(ReadPatterns("Action", "NotAction"));
    statement.resources = TRY(ReadPatterns("Resource", "NotResource"));
    for (std::string& pattern : statement.actions.any_of) {
      pattern = wire::LowerCase(pattern);
    }
    TRY_VOID(ReadConditions(statement));
    return statement;
  }

 private:
  [[nodiscard]] std::unexpected<Error> Malformed(std::string_view problem) const {
    return Invalid(where_ + std::string(problem));
  }

  [[nodiscard]] Result<void> RefuseUnknown() const {
    constexpr std::array<std::string_view, 7> kKnown = {
        "Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Condition"};
    for (const auto& [name, value] : entries_) {
      if (std::ranges::find(kKnown, name) == kKnown.end()) {
        return Malformed(" has '" + name + "', which is not supported");
      }
    }
    return {};
  }

  [[nodiscard]] Result<bool> ReadEffect() const {
    const AttributeValue* const effect = entries_.Find("Effect");
    const auto* const text = effect == nullptr ? nullptr : effect->If<std::string>();
    if (text == nullptr || (*text != "Allow" && *text != "Deny")) {
      return Malformed(" needs an Effect of Allow or Deny");
    }
    return *text == "Allow";
  }

  [[nodiscard]] Result<Policy::Patterns> ReadPatterns(std::string_view name,
                                                      std::string_view negated_name) const {
    const AttributeValue* const plain = entries_.Find(name);
    const AttributeValue* const negated = entries_.Find(negated_name);
    if ((plain == nullptr) == (negated == nullptr)) {
      return Malformed(" needs one of " + std::string(name) + " and " + std::string(negated_name));
    }
    Policy::Patterns patterns;
    patterns.negated = negated != nullptr;
    patterns.any_of = TRY(ReadTexts(patterns.negated ? *negated : *plain, name));
    return patterns;
  }

  Result<void> ReadConditions(Policy::Statement& statement) const {
    const AttributeValue* const given = entries_.Find("Condition");
    if (given == nullptr) {
      return {};
    }
    const auto* const operators = given->If<Map>();
    if (operators == nullptr) {
      return Malformed(" has a Condition that is no object");
    }
    for (const auto& [name, keys] : *operators) {
      const auto* const values = keys.If<Map>();
      const auto only = [&](std::string_view key) {
        return values != nullptr && values->size() == 1 ? values->Find(key) : nullptr;
      };
      const bool has_wildcards = name == "ForAllValues:StringLike";
      const AttributeValue* const leading_keys = only("dynamodb:LeadingKeys");
      const AttributeValue* const full_table_scan = only("dynamodb:FullTableScan");
      if ((has_wildcards || name == "ForAllValues:StringEquals") && leading_keys != nullptr) {
        statement.conditions.push_back(
            {.any_of = TRY(ReadTexts(*leading_keys, "Condition")), .has_wildcards = has_wildcards});
      } else if (name == "Bool" && full_table_scan != nullptr) {
        statement.full_table_scan = TRY(ReadBoolean(*full_table_scan));
      } else {
        return Malformed(" has a Condition that is not supported: " + name);
      }
    }
    return {};
  }

  // true or "true", or a list of just that.
  [[nodiscard]] Result<bool> ReadBoolean(const AttributeValue& value) const {
    const auto* const list = value.If<List>();
    const AttributeValue& only = list != nullptr && list->size() == 1 ? list->front() : value;
    if (const auto* const boolean = only.If<bool>()) {
      return *boolean;
    }
    const auto* const text = only.If<std::string>();
    if (text == nullptr || (*text != "true" && *text != "false")) {
      return Malformed(" has a Condition that is neither true nor false");
    }
    return *text == "true";
  }

  // One text, or a list of them.
  [[nodiscard]] Result<std::vector<std::string>> ReadTexts(const AttributeValue& value,
                                                           std::string_view name) const {
    std::vector<std::string> texts;
    if (const auto* const list = value.If<List>()) {
      for (const AttributeValue& element : *list) {
        texts.push_back(TRY(ReadText(element, name)));
      }
    } else {
      texts.push_back(TRY(ReadText(value, name)));
    }
    return texts;
  }

  [[nodiscard]] Result<std::string> ReadText(const AttributeValue& value,
                                             std::string_view name) const {
    const auto* const text = value.If<std::string>();
    if (text == nullptr || text->empty()) {
      return Malformed(" has a " + std::string(name) + " that is no text");
    }
    if (name == "Action" && text->contains("${")) {
      return Malformed(" uses a policy variable, which is not supported");
    }
    return Substituted(*text);
  }

  [[nodiscard]] Result<std::string> Substituted(std::string_view text) const {
    std::string result;
    for (std::size_t start = text.find("${"); start != std::string_view::npos;
         start = text.find("${")) {
      const std::size_t end = text.find('}', start);
      const auto found = end == std::string_view::npos
                             ? variables_.end()
                             : variables_.find(text.substr(start + 2, end - start - 2));
      if (found == variables_.end()) {
        return Malformed(" uses a policy variable, which is not supported");
      }
      result.append(text.substr(0, start)).append(found->second);
      text.remove_prefix(end + 1);
    }
    return result.append(text);
  }

  const Map& entries_;
  const std::string where_;
  const Policy::Variables& variables_;
};

namespace {

bool MatchesAny(const std::vector<std::string>& patterns, std::string_view text) {
  return std::ranges::any_of(
      patterns, [&](const std::string& pattern) { return MatchesWildcards(pattern, text); });
}

}  // namespace

Result<Policy> Policy::Parse(std::string_view json, const Variables& variables) {
  const AttributeValue document = TRY(value::ValueFromPlainJson(json));
  const auto* const root = document.If<Map>();
  const AttributeValue* const statements = root == nullptr ? nullptr : root->Find("Statement");
  if (statements == nullptr) {
    return Invalid("a policy is a JSON object with a Statement");
  }
  Policy policy;
  if (const auto* const one = statements->If<Map>()) {
    policy.statements_.push_back(TRY(StatementReader(*one, 1, variables).Read()));
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
        TRY(StatementReader(*entries, policy.statements_.size() + 1, variables).Read()));
  }
  return policy;
}

Policy::Decision Policy::Evaluate(const wire::AccessQuestion& question) const {
  const std::string lower_action = wire::LowerCase(question.action);
  Decision decision = Decision::kImplicitDeny;
  for (const Statement& statement : statements_) {
    const bool action_matches =
        MatchesAny(statement.actions.any_of, lower_action) != statement.actions.negated;
    const bool resource_matches =
        MatchesAny(statement.resources.any_of, question.resource) != statement.resources.negated;
    const auto holds = [&](const KeyCondition& condition) {
      return std::ranges::all_of(question.leading_keys, [&](const std::string& key) {
        return condition.has_wildcards
                   ? MatchesAny(condition.any_of, key)
                   : std::ranges::find(condition.any_of, key) != condition.any_of.end();
      });
    };
    const bool scan_matches =
        !statement.full_table_scan || statement.full_table_scan == question.full_table_scan;
    if (!action_matches || !resource_matches || !scan_matches ||
        !std::ranges::all_of(statement.conditions, holds)) {
      continue;
    }
    if (!statement.allows) {
      return Decision::kExplicitDeny;
    }
    decision = Decision::kAllow;
  }
  return decision;
}

bool Policy::AsksForKeys() const {
  return std::ranges::any_of(statements_, [](const Statement& statement) {
    return !statement.conditions.empty() || statement.full_table_scan.has_value();
  });
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
