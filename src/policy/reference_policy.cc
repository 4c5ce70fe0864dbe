// For tests: what reference_policy.h declares.

#include "policy/reference_policy.h"

#include <algorithm>
#include <cctype>

#include "value/json_text.h"

namespace stator::policy {
namespace {

// '*' stands for any text, also none, '?' for one character; by trying everything.
bool IsLike(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) {
    return text.empty();
  }
  if (pattern.front() == '*') {
    return IsLike(pattern.substr(1), text) || (!text.empty() && IsLike(pattern, text.substr(1)));
  }
  const bool fits = !text.empty() && (pattern.front() == '?' || pattern.front() == text.front());
  return fits && IsLike(pattern.substr(1), text.substr(1));
}

std::string Lowered(std::string text) {
  for (char& character : text) {
    character = static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
  }
  return text;
}

bool AppliesToAction(const ReferenceStatement& statement, const std::string& action) {
  bool is_listed = false;
  for (const std::string& pattern : statement.actions) {
    is_listed = is_listed || IsLike(Lowered(pattern), Lowered(action));
  }
  return is_listed != statement.is_not_action;
}

bool AppliesToResource(const ReferenceStatement& statement, const std::string& resource) {
  bool is_listed = false;
  for (const std::string& pattern : statement.resources) {
    is_listed = is_listed || IsLike(pattern, resource);
  }
  return is_listed != statement.is_not_resource;
}

// ForAllValues: every value of the request is one of the policy's. So it holds of no values.
bool Holds(const ReferenceCondition& condition, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    bool is_listed = false;
    for (const std::string& listed : condition.leading_keys) {
      is_listed = is_listed || (condition.is_like ? IsLike(listed, key) : listed == key);
    }
    if (!is_listed) {
      return false;
    }
  }
  return true;
}

bool AppliesToCaller(const ReferenceStatement& statement, const ReferenceCaller& caller) {
  if (statement.caller) {
    bool is_listed = false;
    for (const std::string& arn : statement.caller->arns) {
      is_listed = is_listed ||
                  (statement.caller->is_like ? IsLike(arn, caller.Arn()) : arn == caller.Arn());
    }
    if (is_listed == statement.caller->is_negated) {
      return false;
    }
  }
  if (!statement.principal) {
    return true;
  }
  bool is_listed = statement.principal->is_anybody;
  for (const ReferenceCaller& user : statement.principal->users) {
    is_listed = is_listed || user.Arn() == caller.Arn();
  }
  for (const std::string& account : statement.principal->accounts) {
    is_listed = is_listed || (!statement.allows && account == caller.account);
  }
  return is_listed;
}

bool Applies(const ReferenceStatement& statement, const ReferenceQuestion& question,
             const ReferenceCaller& caller) {
  if (!AppliesToCaller(statement, caller)) {
    return false;
  }
  for (const ReferenceCondition& condition : statement.conditions) {
    if (!Holds(condition, question.leading_keys)) {
      return false;
    }
  }
  // Bool: what the request does not have is neither true nor false.
  if (statement.full_table_scan && (!question.full_table_scan.has_value() ||
                                    *question.full_table_scan != *statement.full_table_scan)) {
    return false;
  }
  return AppliesToAction(statement, question.action) &&
         AppliesToResource(statement, question.resource);
}

std::string ListOf(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts) {
    json += json.size() > 1 ? "," : "";
    value::AppendJsonString(text, json);
  }
  return json + "]";
}

std::string ToJson(const ReferencePrincipal& principal) {
  if (principal.is_anybody && principal.accounts.empty() && principal.users.empty()) {
    return R"("*")";
  }
  std::vector<std::string> texts = principal.accounts;
  for (const ReferenceCaller& user : principal.users) {
    texts.push_back(user.Arn());
  }
  if (principal.is_anybody) {
    texts.emplace_back("*");
  }
  return R"({"AWS":)" + ListOf(texts) + "}";
}

std::string ToJson(const ReferenceStatement& statement) {
  std::string json = R"({"Effect":")";
  json += statement.allows ? "Allow" : "Deny";
  json += statement.is_not_action ? R"(","NotAction":)" : R"(","Action":)";
  json += ListOf(statement.actions);
  json += statement.is_not_resource ? R"(,"NotResource":)" : R"(,"Resource":)";
  json += ListOf(statement.resources);
  if (statement.principal) {
    json += R"(,"Principal":)" + ToJson(*statement.principal);
  }
  if (!statement.conditions.empty() || statement.full_table_scan || statement.caller) {
    json += R"(,"Condition":{)";
    if (statement.caller) {
      json += statement.caller->is_negated ? R"("StringNot)" : R"("String)";
      json += statement.caller->is_like ? R"(Like":)" : R"(Equals":)";
      json += R"({"aws:PrincipalArn":)" + ListOf(statement.caller->arns) + "}";
    }
    if (statement.full_table_scan) {
      json += json.ends_with('{') ? "" : ",";
      json += R"("Bool":{"dynamodb:FullTableScan":[")";
      json += *statement.full_table_scan ? R"(true"]})" : R"(false"]})";
    }
    for (const ReferenceCondition& condition : statement.conditions) {
      json += json.ends_with('{') ? "" : ",";
      json += condition.is_like ? R"("ForAllValues:StringLike")" : R"("ForAllValues:StringEquals")";
      json += R"(:{"dynamodb:LeadingKeys":)" + ListOf(condition.leading_keys) + "}";
    }
    json += "}";
  }
  return json + "}";
}

}  // namespace

Decision Evaluate(const ReferencePolicy& policy, const ReferenceQuestion& question,
                  const ReferenceCaller& caller) {
  bool is_allowed = false;
  bool is_denied = false;
  for (const ReferenceStatement& statement : policy) {
    const bool applies = Applies(statement, question, caller);
    is_allowed = is_allowed || (applies && statement.allows);
    is_denied = is_denied || (applies && !statement.allows);
  }
  if (is_denied) {
    return Decision::kExplicitDeny;
  }
  return is_allowed ? Decision::kAllow : Decision::kImplicitDeny;
}

Decision Evaluate(const ReferencePolicy& of_identity, const ReferencePolicy& of_resource,
                  const ReferenceQuestion& question, const ReferenceCaller& caller) {
  ReferencePolicy both = of_identity;
  both.insert(both.end(), of_resource.begin(), of_resource.end());
  return Evaluate(both, question, caller);
}

std::string ToJson(const ReferencePolicy& policy) {
  std::string json = R"({"Version":"2012-10-17","Statement":[)";
  for (const ReferenceStatement& statement : policy) {
    json += json.ends_with('[') ? "" : ",";
    json += ToJson(statement);
  }
  return json + "]}";
}

}  // namespace stator::policy
