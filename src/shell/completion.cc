#include "shell/completion.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "partiql/words.h"
#include "shell/printable.h"

namespace stator::shell {
namespace {

constexpr std::string_view kBetweenWords = " \t\n,()[]{}<>=+-*;.";

constexpr auto kWords =
    std::to_array<std::string_view>({"ALL",          "AND",      "ASC",
                                     "BETWEEN",      "BY",       "DELETE",
                                     "DESC",         "EXPLAIN",  "FALSE",
                                     "FROM",         "IN",       "INSERT",
                                     "INTO",         "IS",       "MISSING",
                                     "MODIFIED",     "NEW",      "NOT",
                                     "NULL",         "OLD",      "OR",
                                     "ORDER",        "REMOVE",   "RETURNING",
                                     "SELECT",       "SET",      "TRUE",
                                     "UPDATE",       "VALUE",    "WHERE",
                                     "begins_with",  "contains", "attribute_exists",
                                     "list_append",  "set_add",  "attribute_not_exists",
                                     "set_delete",   "size",     "attribute_type",
                                     "if_not_exists"});
constexpr auto kCommands = std::to_array<std::string_view>(
    {"\\asof", "\\csv", "\\d", "\\help", "\\json", "\\q", "\\table", "\\timing"});

char Lower(char character) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
}

bool Continues(std::string_view candidate, std::string_view word) {
  return candidate.size() >= word.size() &&
         std::ranges::equal(candidate.substr(0, word.size()), word, {}, Lower, Lower);
}

// Whether a statement can have the name without quotes.
bool IsPlain(std::string_view name) {
  const auto begins = [](char character) {
    return std::isalpha(static_cast<unsigned char>(character)) != 0 || character == '_';
  };
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), Lower);
  return !name.empty() && begins(name.front()) && std::ranges::all_of(name, [&](char character) {
    return begins(character) || std::isdigit(static_cast<unsigned char>(character)) != 0;
  }) && !partiql::IsKeyword(lower);
}

// Whether what follows is a table.
bool EndsBeforeTable(std::string_view line) {
  constexpr auto kBeforeTables = std::to_array<std::string_view>({"from", "into", "update", "\\d"});
  const std::size_t end = line.find_last_not_of(" \t") + 1;
  const std::string_view last = line.substr(0, end);
  const std::size_t begin = last.find_last_of(" \t") + 1;
  return end < line.size() && std::ranges::any_of(
                                  kBeforeTables,
                                  [&](std::string_view word) {
                                    return std::ranges::equal(last.substr(begin), word, {}, Lower);
                                  });
}

}  // namespace

Word WordAtEnd(std::string_view line) {
  char quote = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char character = line[at];
    if (quote != 0) {
      begin = character == quote ? at + 1 : begin;
      quote = character == quote ? '\0' : quote;
    } else if (character == '\'' || character == '"') {
      quote = character;
      begin = at + 1;
    } else if (kBetweenWords.contains(character)) {
      begin = at + 1;
    }
  }
  const std::string_view before = line.substr(0, quote == 0 ? begin : begin - 1);
  return {.text = std::string(line.substr(begin)),
          .is_quoted = quote == '"',
          .is_text = quote == '\'',
          .is_table = EndsBeforeTable(before)};
}

std::vector<std::string> CompletionsOf(const Word& word, const std::vector<std::string>& names) {
  std::vector<std::string> found;
  if (word.is_text) {
    return found;
  }
  const auto add = [&](std::string_view candidate) {
    if (candidate.size() > word.text.size() && Continues(candidate, word.text)) {
      found.emplace_back(candidate);
    }
  };
  if (word.text.starts_with('\\')) {
    std::ranges::for_each(kCommands, add);
    return found;
  }
  for (const std::string& name : names) {
    if (Printable(name) != name || name.contains('"') || !Continues(name, word.text)) {
      continue;
    }
    if (word.is_quoted) {
      found.push_back(name + '"');
    } else if (IsPlain(name)) {
      add(name);
    } else {
      found.push_back('"' + name + '"');
    }
  }
  if (!word.text.empty() && !word.is_quoted && !word.is_table) {
    std::ranges::for_each(kWords, add);
  }
  std::ranges::sort(found);
  const auto twice = std::ranges::unique(found);
  found.erase(twice.begin(), twice.end());
  return found;
}

std::string CommonBeginning(const std::vector<std::string>& words) {
  std::string common = words.empty() ? "" : words.front();
  for (const std::string& word : words) {
    common.erase(std::ranges::mismatch(common, word).in1, common.end());
  }
  return common;
}

}  // namespace stator::shell
