#include "api/statement_text.h"

#include <algorithm>
#include <cctype>

namespace stator::api {
namespace {

void SkipThrough(std::string_view end, std::string_view& text) {
  const std::size_t at = text.find(end);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
}

bool SkipBlank(std::string_view& text) {
  if (text.starts_with("--")) {
    SkipThrough("\n", text);
    return true;
  }
  if (text.starts_with("/*")) {
    text.remove_prefix(2);
    SkipThrough("*/", text);
    return true;
  }
  constexpr std::string_view kBlanks = " \t\v\f\r\n(";
  if (!text.empty() && kBlanks.contains(text.front())) {
    text.remove_prefix(1);
    return true;
  }
  return false;
}

bool IsLetter(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_' ||
         character == '$';
}

}  // namespace

bool IsSelect(std::string_view statement) {
  constexpr std::string_view kSelect = "select";
  while (SkipBlank(statement)) {
  }
  const std::string_view word = statement.substr(0, kSelect.size());
  const bool is_whole = statement.size() == word.size() || !IsLetter(statement[word.size()]);
  return is_whole && std::ranges::equal(word, kSelect, [](char left, char right) {
           return std::tolower(static_cast<unsigned char>(left)) == right;
         });
}

bool IsSelect(const ExecuteStatementInput& input) {
  return IsSelect(input.statement);
}

bool IsSelect(const BatchExecuteStatementInput& input) {
  return std::ranges::all_of(
      input.statements, [](const BatchStatementRequest& each) { return IsSelect(each.statement); });
}

bool IsSelect(const ExecuteTransactionInput& input) {
  return std::ranges::all_of(input.transact_statements, [](const ParameterizedStatement& each) {
    return IsSelect(each.statement);
  });
}

}  // namespace stator::api
