#include "partiql/words.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace stator::partiql {
namespace {

// One text, because a list of 253 strings would fill pages.
constexpr std::string_view kKeywords =
    "absolute action add all allocate alter and any are as asc assertion at authorization avg bag "
    "begin between bigint bit bit_length blob bool boolean by can_cast can_lossless_cast cascade "
    "cascaded case cast catalog char char_length character character_length check clob close "
    "coalesce collate collation column commit conflict connect connection constraint constraints "
    "continue convert corresponding count create cross current current_date current_time "
    "current_timestamp current_user cursor date date_add date_diff deallocate dec decimal declare "
    "default deferrable deferred delete desc describe descriptor diagnostics disconnect distinct "
    "do domain double drop else end escape except exception exec execute exists external extract "
    "false fetch first float for foreign found from full get global go goto grant group having "
    "identity immediate in index indicator initially inner input insensitive insert int int2 int4 "
    "int8 integer integer2 integer4 integer8 intersect interval into is isolation join key "
    "language last left let level like limit list local lower match max min missing modified "
    "module names national natural nchar new next no not nothing null nullif numeric octet_length "
    "of offset old on only open option or order outer output overlaps pad partial pivot position "
    "precision prepare preserve primary prior privileges procedure public read real references "
    "relative remove restrict returning revoke right rollback rows schema scroll section select "
    "session session_user set sexp size smallint some space sql sqlcode sqlerror sqlstate string "
    "struct substring sum symbol system_user table temporary then time timestamp to transaction "
    "translate translation trim true tuple union unique unknown unpivot update upper usage user "
    "using value values varchar varying view when whenever where with work write zone";

struct PhraseWords {
  std::array<std::string_view, kPhraseWordsMax> words;
  Phrase phrase;
};

using Kind = Token::Kind;

constexpr std::array kPhrases = {
    PhraseWords{{"not", "in"}, {"not_in", Kind::kOperator}},
    PhraseWords{{"is", "not"}, {"is_not", Kind::kOperator}},
    PhraseWords{{"not", "between"}, {"not_between", Kind::kOperator}},
    PhraseWords{{"not", "like"}, {"not_like", Kind::kOperator}},
    PhraseWords{{"union", "all"}, {"union_all", Kind::kOperator}},
    PhraseWords{{"intersect", "all"}, {"intersect_all", Kind::kOperator}},
    PhraseWords{{"except", "all"}, {"except_all", Kind::kOperator}},
    PhraseWords{{"character", "varying"}, {"character_varying", Kind::kKeyword}},
    PhraseWords{{"double", "precision"}, {"double_precision", Kind::kKeyword}},
    PhraseWords{{"cross", "join"}, {"cross_join", Kind::kKeyword}},
    PhraseWords{{"inner", "join"}, {"inner_join", Kind::kKeyword}},
    PhraseWords{{"inner", "cross", "join"}, {"cross_join", Kind::kKeyword}},
    PhraseWords{{"left", "join"}, {"left_join", Kind::kKeyword}},
    PhraseWords{{"left", "outer", "join"}, {"left_join", Kind::kKeyword}},
    PhraseWords{{"left", "cross", "join"}, {"left_cross_join", Kind::kKeyword}},
    PhraseWords{{"left", "outer", "cross", "join"}, {"left_cross_join", Kind::kKeyword}},
    PhraseWords{{"right", "join"}, {"right_join", Kind::kKeyword}},
    PhraseWords{{"right", "outer", "join"}, {"right_join", Kind::kKeyword}},
    PhraseWords{{"right", "cross", "join"}, {"right_cross_join", Kind::kKeyword}},
    PhraseWords{{"right", "outer", "cross", "join"}, {"right_cross_join", Kind::kKeyword}},
    PhraseWords{{"full", "join"}, {"outer_join", Kind::kKeyword}},
    PhraseWords{{"outer", "join"}, {"outer_join", Kind::kKeyword}},
    PhraseWords{{"full", "outer", "join"}, {"outer_join", Kind::kKeyword}},
    PhraseWords{{"full", "cross", "join"}, {"outer_cross_join", Kind::kKeyword}},
    PhraseWords{{"outer", "cross", "join"}, {"outer_cross_join", Kind::kKeyword}},
    PhraseWords{{"full", "outer", "cross", "join"}, {"outer_cross_join", Kind::kKeyword}},
    PhraseWords{{"insert", "into"}, {"insert_into", Kind::kKeyword}},
    PhraseWords{{"on", "conflict"}, {"on_conflict", Kind::kKeyword}},
    PhraseWords{{"do", "nothing"}, {"do_nothing", Kind::kKeyword}},
    PhraseWords{{"modified", "old"}, {"modified_old", Kind::kKeyword}},
    PhraseWords{{"modified", "new"}, {"modified_new", Kind::kKeyword}},
    PhraseWords{{"all", "old"}, {"all_old", Kind::kKeyword}},
    PhraseWords{{"all", "new"}, {"all_new", Kind::kKeyword}},
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kAliases = {{
    {"varchar", "character_varying"},
    {"char", "character"},
    {"dec", "decimal"},
    {"int", "integer"},
    {"int2", "smallint"},
    {"integer2", "smallint"},
    {"int4", "integer4"},
    {"int8", "integer8"},
    {"bigint", "integer8"},
    {"bool", "boolean"},
}};

constexpr std::array<std::pair<std::string_view, int>, 27> kPrecedences = {{
    {"union", 5},  {"union_all", 5},  {"intersect", 5}, {"intersect_all", 5},
    {"except", 5}, {"except_all", 5}, {"or", 10},       {"and", 20},
    {"=", 40},     {"<>", 40},        {"is", 40},       {"is_not", 40},
    {"in", 40},    {"not_in", 40},    {"<", 50},        {"<=", 50},
    {">", 50},     {">=", 50},        {"between", 50},  {"not_between", 50},
    {"like", 50},  {"not_like", 50},  {"+", 60},        {"-", 60},
    {"||", 60},    {"/", 70},         {"%", 70},
}};
constexpr int kStarPrecedence = 70;

// Operators that parse as infix ones and have a third operand, or can have one.
bool IsTernary(std::string_view word) {
  return word == "between" || word == "not_between" || word == "like" || word == "not_like";
}

}  // namespace

bool IsKeyword(std::string_view word) {
  static const std::unordered_set<std::string_view> keywords = [] {
    std::unordered_set<std::string_view> set;
    for (std::size_t begin = 0; begin < kKeywords.size();) {
      const std::size_t end = std::min(kKeywords.find(' ', begin), kKeywords.size());
      set.insert(kKeywords.substr(begin, end - begin));
      begin = end + 1;
    }
    return set;
  }();
  return keywords.contains(word);
}

std::string_view Unaliased(std::string_view word) {
  const auto* alias = std::ranges::find(kAliases, word, &decltype(kAliases)::value_type::first);
  return alias == kAliases.end() ? word : alias->second;
}

std::optional<Phrase> FindPhrase(std::span<const std::string_view> words) {
  for (const PhraseWords& candidate : kPhrases) {
    std::size_t count = 0;
    while (count < candidate.words.size() && !candidate.words[count].empty()) {
      ++count;
    }
    if (count == words.size() && std::equal(words.begin(), words.end(), candidate.words.begin())) {
      return candidate.phrase;
    }
  }
  return std::nullopt;
}

int InfixPrecedence(const Token& token) {
  if (token.kind == Kind::kStar) {
    return kStarPrecedence;
  }
  if (token.kind != Kind::kOperator) {
    return 0;
  }
  const auto* entry =
      std::ranges::find(kPrecedences, token.text, &decltype(kPrecedences)::value_type::first);
  return entry == kPrecedences.end() ? 0 : entry->second;
}

bool IsBinaryOperator(const Token& token) {
  return InfixPrecedence(token) > 0 && !IsTernary(token.text);
}

bool IsUnaryOperator(const Token& token) {
  return token.kind == Kind::kOperator &&
         (token.text == "+" || token.text == "-" || token.text == "not");
}

bool IsOperatorWord(std::string_view word) {
  constexpr std::array<std::string_view, 10> kWords = {
      "and", "or", "is", "in", "not", "like", "union", "intersect", "except", "between"};
  return std::ranges::find(kWords, word) != kWords.end();
}

std::optional<std::size_t> TypeArguments(std::string_view word) {
  static const std::unordered_map<std::string_view, std::size_t> arguments = {
      {"missing", 0},   {"null", 0},     {"boolean", 0}, {"smallint", 0},
      {"integer4", 0},  {"integer8", 0}, {"integer", 0}, {"float", 1},
      {"real", 0},      {"decimal", 2},  {"numeric", 2}, {"double_precision", 0},
      {"timestamp", 0}, {"date", 0},     {"time", 1},    {"character", 1},
      {"string", 0},    {"symbol", 0},   {"clob", 0},    {"character_varying", 1},
      {"blob", 0},      {"struct", 0},   {"tuple", 0},   {"list", 0},
      {"sexp", 0},      {"bag", 0},
  };
  const auto entry = arguments.find(word);
  return entry == arguments.end() ? std::nullopt : std::optional(entry->second);
}

bool IsFunctionKeyword(std::string_view word) {
  constexpr std::array<std::string_view, 17> kNames = {
      "exists",       "count",       "avg",
      "max",          "min",         "sum",
      "substring",    "char_length", "character_length",
      "octet_length", "bit_length",  "upper",
      "lower",        "size",        "sexp",
      "list",         "bag"};
  return std::ranges::find(kNames, word) != kNames.end();
}

bool IsAggregate(std::string_view word) {
  constexpr std::array<std::string_view, 5> kNames = {"count", "avg", "max", "min", "sum"};
  return std::ranges::find(kNames, word) != kNames.end();
}

}  // namespace stator::partiql
