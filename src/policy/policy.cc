#include "policy/policy.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/lower_case.h"
#include "base/try.h"
#include "policy/statement_reader.h"
#include "stator/value/attribute_value.h"
#include "value/plain_json.h"

namespace stator::policy {
namespace {

// With what the caller's variables stand for; nothing when it uses one that the caller lacks.
// Identity-based policies have none left when they are evaluated.
std::optional<std::string> Substituted(std::string_view text, const Variables& variables) {
  std::string result;
  for (std::size_t start = text.find("${"); start != std::string_view::npos;
       start = text.find("${")) {
    const std::size_t end = text.find('}', start);
    const auto found = variables.find(text.substr(start + 2, end - start - 2));
    if (found == variables.end()) {
      return std::nullopt;
    }
    result.append(text.substr(0, start)).append(found->second);
    text.remove_prefix(end + 1);
  }
  return result.append(text);
}

bool MatchesAny(const std::vector<std::string>& patterns, std::string_view text, bool has_wildcards,
                const Identity* caller) {
  const auto fits = [&](std::string_view pattern) {
    return has_wildcards ? MatchesWildcards(pattern, text) : pattern == text;
  };
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    if (caller == nullptr || !pattern.contains("${")) {
      return fits(pattern);
    }
    const std::optional<std::string> meant = Substituted(pattern, caller->variables);
    return meant && fits(*meant);
  });
}

// Whether a pattern can mean a resource or, of a table, one of its indexes.
bool CanMean(std::string_view pattern, std::string_view arn) {
  const std::size_t index = pattern.find("/index/");
  return pattern.contains("${") || MatchesWildcards(pattern, arn) ||
         MatchesWildcards(pattern, std::string(arn) + "/index/any") ||
         (index != std::string_view::npos && MatchesWildcards(pattern.substr(0, index), arn));
}

}  // namespace

Result<Policy> Policy::Parse(std::string_view json, const Variables& variables) {
  return Read(json, &variables);
}

Result<Policy> Policy::ParseAttached(std::string_view json) {
  Policy policy = TRY(Read(json, nullptr));
  if (policy.statements_.empty()) {
    return Invalid("a policy needs a statement");
  }
  return policy;
}

Result<Policy> Policy::Read(std::string_view json, const Variables* variables) {
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

Result<void> Policy::CheckFor(std::string_view resource_arn) const {
  for (std::size_t at = 0; at < statements_.size(); ++at) {
    const Statement& statement = statements_[at];
    const std::string where = "statement " + std::to_string(at + 1) + " of the policy";
    for (const std::string& pattern : statement.resources.any_of) {
      if (!statement.resources.negated && !CanMean(pattern, resource_arn)) {
        return Invalid(where + " has the Resource " + pattern + ", which is not " +
                       std::string(resource_arn) + " nor an index of it");
      }
    }
    const bool is_limited =
        std::ranges::any_of(statement.caller_conditions, [](const CallerCondition& condition) {
          return !condition.negated &&
                 std::ranges::none_of(condition.any_of, [](const std::string& text) {
                   return text.find_first_of("*?$") != std::string::npos;
                 });
        });
    if (statement.allows && statement.principals && statement.principals->anybody && !is_limited) {
      return Invalid(where +
                     " grants public access: name the accounts, users and roles in Principal, "
                     "or those in a condition on aws:PrincipalArn or aws:PrincipalAccount");
    }
  }
  return {};
}

bool Policy::IsAbout(const Statement& statement, const Identity& caller) {
  const Principals& principals = *statement.principals;
  const auto has = [](const std::vector<std::string>& texts, const std::string& text) {
    return std::ranges::find(texts, text) != texts.end();
  };
  return principals.anybody || has(principals.arns, caller.arn) ||
         has(principals.arns, caller.principal_arn) ||
         (!statement.allows && has(principals.accounts, caller.account));
}

bool Policy::Matches(const Statement& statement, const Question& question,
                     std::string_view lower_action, const Identity* caller) {
  const auto is_key_listed = [&](const KeyCondition& condition) {
    return std::ranges::all_of(question.leading_keys, [&](const std::string& key) {
      return MatchesAny(condition.any_of, key, condition.has_wildcards, caller);
    });
  };
  const auto is_caller_listed = [&](const CallerCondition& condition) {
    return MatchesAny(condition.any_of,
                      condition.on_account ? caller->account : caller->principal_arn,
                      condition.has_wildcards, caller) != condition.negated;
  };
  return MatchesAny(statement.actions.any_of, lower_action, true, nullptr) !=
             statement.actions.negated &&
         MatchesAny(statement.resources.any_of, question.resource, true, caller) !=
             statement.resources.negated &&
         (!statement.principals || (caller != nullptr && IsAbout(statement, *caller))) &&
         (!statement.full_table_scan || statement.full_table_scan == question.full_table_scan) &&
         std::ranges::all_of(statement.conditions, is_key_listed) &&
         std::ranges::all_of(statement.caller_conditions, is_caller_listed);
}

Decision Policy::Evaluate(const Question& question, const Identity* caller) const {
  const std::string lower_action = base::LowerCase(question.action);
  Decision decision = Decision::kImplicitDeny;
  for (const Statement& statement : statements_) {
    if (!Matches(statement, question, lower_action, caller)) {
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

Verdict Decide(const Policy* own, const Identity& caller, const Question& question) {
  const Decision of_caller = own == nullptr ? Decision::kAllow : own->Evaluate(question);
  if (of_caller == Decision::kExplicitDeny || question.attached == nullptr) {
    return {.decision = of_caller};
  }
  const Decision of_resource = question.attached->Evaluate(question, &caller);
  if (of_resource == Decision::kExplicitDeny) {
    return {.decision = Decision::kExplicitDeny, .is_of_resource = true};
  }
  const bool is_allowed = of_caller == Decision::kAllow || of_resource == Decision::kAllow;
  return {.decision = is_allowed ? Decision::kAllow : Decision::kImplicitDeny};
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

}  // namespace stator::policy
