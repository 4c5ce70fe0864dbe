// The reserved words of PartiQL and what the grammar makes of them.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "partiql/token.h"

namespace stator::partiql {

// All in lower case.
bool IsKeyword(std::string_view word);

// INT is INTEGER, VARCHAR is CHARACTER VARYING: the word that the grammar uses, or `word` itself.
std::string_view Unaliased(std::string_view word);

// Words that are one token when they follow each other.
struct Phrase {
  std::string_view token;
  Token::Kind kind;
};
constexpr std::size_t kPhraseWordsMax = 4;
std::optional<Phrase> FindPhrase(std::span<const std::string_view> words);

// How tightly an infix operator binds; 0 for what is none.
int InfixPrecedence(const Token& token);
bool IsBinaryOperator(const Token& token);
bool IsUnaryOperator(const Token& token);
// Words that are operators: AND, IN, LIKE, NOT, ...
bool IsOperatorWord(std::string_view word);

constexpr int kNotPrecedence = 30;
// Set operators bind less tightly than the clauses of SELECT.
constexpr int kSelectPrecedence = 6;

// How many arguments a type name takes at most; nothing for what is no type name.
std::optional<std::size_t> TypeArguments(std::string_view word);

// Keywords that can be called: SIZE, EXISTS, COUNT, ...
bool IsFunctionKeyword(std::string_view word);
bool IsAggregate(std::string_view word);

}  // namespace stator::partiql
