#include "policy/statement_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/lower_case.h"
#include "base/try.h"
#include "policy/actions.h"

namespace stator::policy {
namespace {

constexpr std::size_t kAccountDigits = 12;

bool IsAccount(std::string_view text) {
  return text.size() == kAccountDigits &&
         std::ranges::all_of(text, [](char each) { return each >= '0' && each <= '9'; });
}

// The account and what follows in arn:PARTITION:SERVICE::ACCOUNT:REST; nothing for another text.
struct PrincipalArn {
  std::string_view service;
  std::string_view account;
  std::string_view rest;
};
std::optional<PrincipalArn> SplitArn(std::string_view text) {
  std::array<std::string_view, 5> parts;
  for (std::string_view& part : parts) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
      return std::nullopt;
    }
    part = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  if (parts[0] != "arn" || !parts[1].starts_with("aws") || !parts[3].empty() ||
      !IsAccount(parts[4])) {
    return std::nullopt;
  }
  return PrincipalArn{.service = parts[2], .account = parts[4], .rest = text};
}

// A name behind "user/" and the like, without wildcards.
bool IsNamed(std::string_view rest, std::string_view kind) {
  return rest.size() > kind.size() && rest.starts_with(kind) &&
         rest.find_first_of("*?$ ") == std::string_view::npos;
}

// A comparison with what the caller is.
struct Comparison {
  bool has_wildcards = false;
  bool negated = false;
};
std::optional<Comparison> FindComparison(std::string_view name) {
  if (name == "StringEquals" || name == "StringNotEquals") {
    return Comparison{.has_wildcards = false, .negated = name == "StringNotEquals"};
  }
  if (name == "StringLike" || name == "ArnEquals" || name == "ArnLike") {
    return Comparison{.has_wildcards = true, .negated = false};
  }
  if (name == "StringNotLike" || name == "ArnNotEquals" || name == "ArnNotLike") {
    return Comparison{.has_wildcards = true, .negated = true};
  }
  return std::nullopt;
}

// Those that attached policies may use.
bool IsVariable(std::string_view name) {
  return name == "aws:username" || name.starts_with("aws:PrincipalTag/");
}

}  // namespace

Result<Policy::Statement> StatementReader::Read() const {
  TRY_VOID(RefuseUnknown());
  Policy::Statement statement;
  statement.allows = TRY(ReadEffect());
  if (is_attached()) {
    statement.principals = TRY(ReadPrincipals());
  }
  statement.actions = TRY(ReadPatterns("Action", "NotAction"));
  statement.resources = TRY(ReadPatterns("Resource", "NotResource"));
  if (is_attached()) {
    TRY_VOID(CheckActions(statement.actions.any_of));
  }
  for (std::string& pattern : statement.actions.any_of) {
    pattern = base::LowerCase(pattern);
  }
  TRY_VOID(ReadConditions(statement));
  return statement;
}

Result<void> StatementReader::RefuseUnknown() const {
  constexpr std::array<std::string_view, 7> kKnown = {
      "Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Condition"};
  for (const auto& [name, value] : entries_) {
    const bool is_known =
        std::ranges::find(kKnown, name) != kKnown.end() || (is_attached() && name == "Principal");
    if (!is_known) {
      return Malformed(" has '" + name + "', which is not supported");
    }
  }
  return {};
}

Result<bool> StatementReader::ReadEffect() const {
  const AttributeValue* const effect = entries_.Find("Effect");
  const auto* const text = effect == nullptr ? nullptr : effect->If<std::string>();
  if (text == nullptr || (*text != "Allow" && *text != "Deny")) {
    return Malformed(" needs an Effect of Allow or Deny");
  }
  return *text == "Allow";
}

Result<Policy::Patterns> StatementReader::ReadPatterns(std::string_view name,
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

// The service refuses names of actions that it does not have, and so do we: a misspelt one would
// allow or deny nothing.
Result<void> StatementReader::CheckActions(const Texts& patterns) const {
  for (const std::string& pattern : patterns) {
    const std::string lower = base::LowerCase(pattern);
    const bool is_known = std::ranges::any_of(kActions, [&](std::string_view action) {
      return MatchesWildcards(lower, "dynamodb:" + base::LowerCase(action));
    });
    if (!is_known) {
      return Invalid("The following action names are invalid: \"" + pattern + "\"");
    }
  }
  return {};
}

Result<Policy::Principals> StatementReader::ReadPrincipals() const {
  const AttributeValue* const given = entries_.Find("Principal");
  if (given == nullptr) {
    return Malformed(" needs a Principal");
  }
  Policy::Principals principals;
  if (const auto* const text = given->If<std::string>()) {
    if (*text != "*") {
      return Malformed(R"( has a Principal that is neither "*" nor {"AWS": ...})");
    }
    principals.anybody = true;
    return principals;
  }
  const auto* const kinds = given->If<Map>();
  if (kinds == nullptr || kinds->empty()) {
    return Malformed(R"( has a Principal that is neither "*" nor {"AWS": ...})");
  }
  for (const auto& [kind, value] : *kinds) {
    const Texts texts = TRY(ReadTexts(value, "Principal"));
    if (kind == "Service") {
      continue;  // No service of AWS ever asks here.
    }
    if (kind != "AWS") {
      return Malformed(" has a Principal of the kind '" + kind + "', which is not supported");
    }
    for (const std::string& text : texts) {
      TRY_VOID(ReadPrincipal(text, principals));
    }
  }
  return principals;
}

Result<void> StatementReader::ReadPrincipal(const std::string& text,
                                            Policy::Principals& principals) const {
  const std::optional<PrincipalArn> arn = SplitArn(text);
  if (text == "*") {
    principals.anybody = true;
  } else if (IsAccount(text)) {
    principals.accounts.push_back(text);
  } else if (arn && arn->service == "iam" && arn->rest == "root") {
    principals.accounts.emplace_back(arn->account);
  } else if (arn && ((arn->service == "iam" &&
                      (IsNamed(arn->rest, "user/") || IsNamed(arn->rest, "role/"))) ||
                     (arn->service == "sts" && IsNamed(arn->rest, "assumed-role/")))) {
    principals.arns.push_back(text);
  } else {
    return Invalid("Invalid principal in policy: " + text +
                   " is neither an account nor the ARN of a user or a role");
  }
  return {};
}

Result<void> StatementReader::ReadConditions(Policy::Statement& statement) const {
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
    } else if (values == nullptr || !TRY(ReadCallerCondition(name, *values, statement))) {
      return Malformed(" has a Condition that is not supported: " + name);
    }
  }
  return {};
}

Result<bool> StatementReader::ReadCallerCondition(std::string_view name, const Map& keys,
                                                  Policy::Statement& statement) const {
  const std::optional<Comparison> comparison = FindComparison(name);
  if (!is_attached() || !comparison || keys.empty()) {
    return false;
  }
  for (const auto& [key, value] : keys) {
    const bool on_account = key == "aws:PrincipalAccount";
    if (!on_account && key != "aws:PrincipalArn") {
      return false;
    }
    statement.caller_conditions.push_back({.on_account = on_account,
                                           .any_of = TRY(ReadTexts(value, "Condition")),
                                           .has_wildcards = comparison->has_wildcards,
                                           .negated = comparison->negated});
  }
  return true;
}

// true or "true", or a list of just that.
Result<bool> StatementReader::ReadBoolean(const AttributeValue& value) const {
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
Result<StatementReader::Texts> StatementReader::ReadTexts(const AttributeValue& value,
                                                          std::string_view name) const {
  Texts texts;
  if (const auto* const list = value.If<List>()) {
    for (const AttributeValue& element : *list) {
      texts.push_back(TRY(ReadText(element, name)));
    }
  } else {
    texts.push_back(TRY(ReadText(value, name)));
  }
  if (texts.empty() && is_attached()) {
    return Malformed(" has a " + std::string(name) + " of nothing");
  }
  return texts;
}

Result<std::string> StatementReader::ReadText(const AttributeValue& value,
                                              std::string_view name) const {
  const auto* const text = value.If<std::string>();
  if (text == nullptr || text->empty()) {
    return Malformed(" has a " + std::string(name) + " that is no text");
  }
  if ((name == "Action" || name == "Principal") && text->contains("${")) {
    return Malformed(" uses a policy variable, which is not supported");
  }
  return Substituted(*text);
}

// Of an attached policy the variables stay until somebody asks, and must be such as callers have.
Result<std::string> StatementReader::Substituted(std::string_view text) const {
  std::string result;
  for (std::size_t start = text.find("${"); start != std::string_view::npos;
       start = text.find("${")) {
    const std::size_t end = text.find('}', start);
    const std::string_view name = text.substr(start + 2, end - start - 2);
    const bool is_closed = end != std::string_view::npos;
    result.append(text.substr(0, start));
    if (is_closed && is_attached() && IsVariable(name)) {
      result.append(text.substr(start, end + 1 - start));
    } else if (is_closed && !is_attached() && variables_->contains(name)) {
      result.append(variables_->find(name)->second);
    } else {
      return Malformed(" uses a policy variable, which is not supported");
    }
    text.remove_prefix(end + 1);
  }
  return result.append(text);
}

}  // namespace stator::policy
