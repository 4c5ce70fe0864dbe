#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "partiql/parser.h"
#include "partiql/words.h"

namespace stator::partiql {

using TokenKind = Token::Kind;

namespace {

bool HasForm(std::string_view text, std::string_view form) {
  return text.size() == form.size() && std::ranges::equal(text, form, [](char c, char wanted) {
           return wanted == '9' ? c >= '0' && c <= '9' : c == wanted;
         });
}

bool IsDatePart(std::string_view word) {
  constexpr std::array<std::string_view, 8> kParts = {
      "year", "month", "day", "hour", "minute", "second", "timezone_hour", "timezone_minute"};
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return std::ranges::find(kParts, lower) != kParts.end();
}

std::string_view LiteralType(const Token& token) {
  switch (token.kind) {
    case TokenKind::kNumber:
      return token.text.find_first_of(".eE") == std::string::npos ? "INT" : "DECIMAL";
    case TokenKind::kParameter:
      return "INT";
    case TokenKind::kBool:
      return "BOOL";
    case TokenKind::kString:
      return "STRING";
    case TokenKind::kNull:
    case TokenKind::kMissing:
      return "NULL";
    default:
      return "SYMBOL";
  }
}

}  // namespace

Parser::Parsed Parser::Call() {
  const std::uint32_t name = HeadNumber();
  Skip();
  Skip();
  return IsAggregate(tree_.tokens[name].text) ? AggregateCall(name)
                                              : CallArguments(Kind::kCall, name);
}

Parser::Parsed Parser::CallArguments(Kind kind, std::uint32_t name) {
  if (Is(TokenKind::kStar)) {
    return Fail(tree_.tokens[name].text + "(*) is not allowed");
  }
  std::vector<Node> arguments;
  if (!Is(TokenKind::kRightParen)) {
    arguments = TRY(CommaList(&Parser::PlainExpression));
  }
  TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
  return Make(kind, name, std::move(arguments));
}

Parser::Parsed Parser::AggregateCall(std::uint32_t name) {
  const bool count = tree_.tokens[name].text == "count";
  if (count && Is(TokenKind::kStar)) {
    Skip();
    TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
    return Make(Kind::kAggregateAll, name);
  }
  if (count && Is(TokenKind::kRightParen)) {
    return Fail("Aggregate functions are always unary");
  }
  const std::string quantifier(Word());
  if (quantifier == "distinct" || quantifier == "all") {
    Skip();
    if (count && Is(TokenKind::kStar)) {
      return Fail(quantifier == "all" ? "COUNT(ALL *) is not supported"
                                      : "COUNT(DISTINCT *) is not supported");
    }
  }
  const Node call = TRY(CallArguments(Kind::kAggregate, name));
  if (!count && At(call).children.size() != 1) {
    return Fail("Aggregate functions are always unary");
  }
  return call;
}

Parser::Parsed Parser::Case() {
  Skip();
  std::vector<Node> children;
  if (Word() != "when") {
    children.push_back(TRY(Expression()));
  }
  const std::size_t value = children.size();
  while (Word() == "when") {
    Skip();
    const Node condition = TRY(Expression());
    TRY_VOID(ExpectWord("then"));
    const Node result = TRY(Expression());
    children.push_back(TRY(Make(Kind::kWhen, SyntaxNode::kNoToken, {condition, result})));
  }
  if (children.size() == value) {
    return Fail("Expected a WHEN clause in CASE");
  }
  if (Word() == "else") {
    Skip();
    const Node result = TRY(Expression());
    children.push_back(TRY(Make(Kind::kElse, SyntaxNode::kNoToken, {result})));
  }
  TRY_VOID(ExpectWord("end"));
  return Make(Kind::kCase, SyntaxNode::kNoToken, std::move(children));
}

Parser::Parsed Parser::Cast() {
  Skip();
  if (!Is(TokenKind::kLeftParen)) {
    return Fail("Missing left parenthesis after CAST");
  }
  const std::uint32_t token = HeadNumber();
  Skip();
  const Node value = TRY(Expression());
  TRY_VOID(Expect(TokenKind::kAs, "AS"));
  const Node type = TRY(Type());
  TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
  return Make(Kind::kCast, token, {value, type});
}

Parser::Parsed Parser::Date() {
  Skip();
  if (!Is(TokenKind::kString)) {
    return Fail("Expected date string followed by the keyword DATE, found " +
                std::string(LiteralType(Head())));
  }
  if (!HasForm(Head().text, "9999-99-99")) {
    return Fail("Expected DATE string to be of the format yyyy-MM-dd");
  }
  return MakeFromHead(Kind::kDate);
}

Parser::Parsed Parser::Time() {
  Skip();
  if (Is(TokenKind::kLeftParen)) {
    Skip();
    if (!Is(TokenKind::kNumber) || !HasForm(Head().text, "9")) {
      return Fail("Expected integer value between 0 and 9 for precision");
    }
    Skip();
    TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
  }
  if (Is(TokenKind::kKeyword)) {
    TRY_VOID(ExpectWord("with"));
    TRY_VOID(ExpectWord("time"));
    TRY_VOID(ExpectWord("zone"));
  }
  if (!Is(TokenKind::kString)) {
    return Fail("Expected time string followed by the keyword TIME OR TIME WITH TIME ZONE, found " +
                std::string(LiteralType(Head())));
  }
  if (!HasForm(std::string_view(Head().text).substr(0, 8), "99:99:99")) {
    return Fail(
        "Invalid format for time string. Expected format is \"TIME [(p)] [WITH TIME ZONE] "
        "HH:MM:SS[.ddddd...][+|-HH:MM]\"");
  }
  return MakeFromHead(Kind::kTime);
}

Parser::Parsed Parser::Values() {
  Skip();
  std::vector<Node> rows = TRY(CommaList(&Parser::Row));
  return Make(Kind::kBag, SyntaxNode::kNoToken, std::move(rows));
}

Parser::Parsed Parser::Row() {
  if (!Is(TokenKind::kLeftParen)) {
    return Fail("Expected LEFT_PAREN for row value constructor");
  }
  const std::uint32_t token = HeadNumber();
  Skip();
  std::vector<Node> members = TRY(CommaList(&Parser::PlainExpression));
  TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
  return Make(Kind::kList, token, std::move(members));
}

Parser::Parsed Parser::Substring() {
  const std::uint32_t name = HeadNumber();
  Skip();
  TRY_VOID(Expect(TokenKind::kLeftParen, "LEFT_PAREN"));
  std::vector<Node> arguments = {TRY(Expression())};
  const bool words = Word() == "from";
  if (!words && !Is(TokenKind::kComma)) {
    return Fail("Expected KEYWORD 'from' OR COMMA");
  }
  Skip();
  arguments.push_back(TRY(Expression()));
  if (Is(words ? TokenKind::kFor : TokenKind::kComma)) {
    Skip();
    arguments.push_back(TRY(Expression()));
    TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
  } else if (Is(TokenKind::kRightParen)) {
    Skip();
  } else {
    const Node last = arguments.back();
    const bool atom = At(last).kind == Kind::kAtom;
    return Fail(atom ? "Expected ATOM" : "Expected CALL");
  }
  return Make(Kind::kCall, name, std::move(arguments));
}

Parser::Parsed Parser::Trim() {
  const std::uint32_t name = HeadNumber();
  Skip();
  TRY_VOID(Expect(TokenKind::kLeftParen, "LEFT_PAREN"));
  std::vector<Node> arguments;
  std::string first = Is(TokenKind::kIdentifier) ? Head().text : "";
  std::ranges::transform(first, first.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (first == "both" || first == "leading" || first == "trailing") {
    Skip();
    if (Word() != "from") {
      arguments.push_back(TRY(Expression()));
      TRY_VOID(ExpectWord("from"));
    } else {
      Skip();
    }
    arguments.push_back(TRY(Expression()));
  } else {
    if (Word() != "from") {
      arguments.push_back(TRY(Expression()));
    }
    if (Word() == "from") {
      Skip();
      arguments.push_back(TRY(Expression()));
    }
  }
  TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
  return Make(Kind::kCall, name, std::move(arguments));
}

Result<void> Parser::DatePart() {
  if (!Is(TokenKind::kIdentifier) || !IsDatePart(Head().text)) {
    return Fail(
        "Expected one of: [year, month, day, hour, minute, second, timezone_hour, "
        "timezone_minute]");
  }
  Skip();
  return {};
}

Parser::Parsed Parser::Extract() {
  const std::uint32_t name = HeadNumber();
  Skip();
  TRY_VOID(Expect(TokenKind::kLeftParen, "LEFT_PAREN"));
  TRY_VOID(DatePart());
  TRY_VOID(ExpectWord("from"));
  const Node of = TRY(Expression());
  TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
  return Make(Kind::kCall, name, {of});
}

Parser::Parsed Parser::DateFunction() {
  const std::uint32_t name = HeadNumber();
  Skip();
  TRY_VOID(Expect(TokenKind::kLeftParen, "LEFT_PAREN"));
  TRY_VOID(DatePart());
  TRY_VOID(Expect(TokenKind::kComma, "COMMA"));
  const Node first = TRY(Expression());
  TRY_VOID(Expect(TokenKind::kComma, "COMMA"));
  const Node second = TRY(Expression());
  TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
  return Make(Kind::kCall, name, {first, second});
}

Parser::Parsed Parser::Name(std::string_view otherwise) {
  return Head().is_name() ? MakeFromHead(Kind::kAtom) : Parsed(Fail(otherwise));
}

Parser::Parsed Parser::Create() {
  Skip();
  Node created = 0;
  if (Word() == "table") {
    Skip();
    const Node name = TRY(Name("Expected identifier!"));
    created = TRY(Make(Kind::kCreateTable, SyntaxNode::kNoToken, {name}));
  } else if (Word() == "index") {
    Skip();
    if (Word() != "on") {
      return Fail("Expected ON");
    }
    Skip();
    std::vector<Node> children = {TRY(Name("Index target must be an identifier"))};
    if (!Is(TokenKind::kLeftParen)) {
      return Fail("Expected parenthesis for keys");
    }
    Skip();
    const std::vector<Node> keys = TRY(CommaList(&Parser::SimplePath));
    TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
    children.insert(children.end(), keys.begin(), keys.end());
    created = TRY(Make(Kind::kCreateIndex, SyntaxNode::kNoToken, std::move(children)));
  } else {
    return Fail("Unexpected token following CREATE");
  }
  return AtEnd() ? Parsed(created) : Fail("Unexpected tokens after CREATE statement!");
}

Parser::Parsed Parser::Drop() {
  Skip();
  Node dropped = 0;
  if (Word() == "table") {
    Skip();
    const Node name = TRY(Name("Expected identifier!"));
    dropped = TRY(Make(Kind::kDropTable, SyntaxNode::kNoToken, {name}));
  } else if (Word() == "index") {
    Skip();
    const Node name = TRY(Name("Expected identifier!"));
    if (Word() != "on") {
      return Fail("Expected ON");
    }
    Skip();
    const Node table = TRY(Name("Table target must be an identifier"));
    dropped = TRY(Make(Kind::kDropIndex, SyntaxNode::kNoToken, {name, table}));
  } else {
    return Fail("Unexpected token following DROP");
  }
  return AtEnd() ? Parsed(dropped) : Fail("Unexpected tokens after DROP statement!");
}

Parser::Parsed Parser::Execute() {
  Skip();
  if (Is(TokenKind::kEnd)) {
    return Fail("No stored procedure provided");
  }
  for (std::size_t ahead = 0; at_ + ahead < tree_.tokens.size(); ++ahead) {
    if (Word(ahead) == "exec") {
      return Fail("EXEC call found at unexpected location");
    }
  }
  const std::uint32_t name = HeadNumber();
  Skip();
  if (Is(TokenKind::kEnd)) {
    return Make(Kind::kExecute, name);
  }
  if (Is(TokenKind::kLeftParen)) {
    return Fail("Unexpected LEFT_PAREN found following stored procedure call");
  }
  std::vector<Node> arguments = TRY(CommaList(&Parser::PlainExpression));
  return Make(Kind::kExecute, name, std::move(arguments));
}

}  // namespace stator::partiql
