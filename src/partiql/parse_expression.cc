#include <algorithm>
#include <utility>

#include "base/try.h"
#include "partiql/parser.h"
#include "partiql/words.h"

namespace stator::partiql {

using TokenKind = Token::Kind;

Parser::Parser(std::vector<Token> tokens) {
  for (const Token& token : tokens) {
    tree_.parameters += token.kind == TokenKind::kParameter ? 1 : 0;
  }
  tree_.tokens = std::move(tokens);
}

Result<SyntaxTree> Parser::Run() {
  const Node root = TRY(Expression());
  if (!AtEnd()) {
    return Fail(Is(TokenKind::kSemicolon)
                    ? "Unexpected token after semicolon. (Only one query is allowed.)"
                    : "Unexpected token after expression");
  }
  // The root is the last node made, except for groups, which are what they hold.
  if (root + 1 != tree_.nodes.size()) {
    tree_.nodes.push_back(At(root));
  }
  TRY_VOID(CheckTopLevel());
  return std::move(tree_);
}

bool Parser::AtEnd(std::size_t ahead) const {
  return Is(TokenKind::kEnd, ahead) ||
         (Is(TokenKind::kSemicolon, ahead) && Is(TokenKind::kEnd, ahead + 1));
}

Result<void> Parser::Expect(TokenKind kind, std::string_view name) {
  if (!Is(kind)) {
    return Fail("Expected " + std::string(name));
  }
  Skip();
  return {};
}

Result<void> Parser::ExpectWord(std::string_view word) {
  if (Word() != word) {
    std::string upper(word);
    std::ranges::transform(upper, upper.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return Fail("Expected " + upper + " keyword");
  }
  Skip();
  return {};
}

Parser::Parsed Parser::Make(Kind kind, std::uint32_t token, std::vector<Node> children) {
  std::uint32_t depth = 0;
  for (const Node child : children) {
    depth = std::max(depth, At(child).depth);
  }
  if (++depth > SyntaxTree::kDepthMax) {
    return Invalid("The expression contains too many operators; operator count: 301");
  }
  tree_.nodes.push_back(
      {.kind = kind, .token = token, .depth = depth, .children = std::move(children)});
  return static_cast<Node>(tree_.nodes.size() - 1);
}

Parser::Parsed Parser::MakeFromHead(Kind kind) {
  const std::uint32_t token = HeadNumber();
  Skip();
  return Make(kind, token);
}

Parser::Parsed Parser::Expression(int precedence) {
  Node left = TRY(UnaryTerm());
  while (precedence < InfixPrecedence(Head()) && !Is(TokenKind::kEnd)) {
    const std::uint32_t op = HeadNumber();
    const Token& token = Head();
    const bool ternary = !IsBinaryOperator(token);
    if (ternary && InfixPrecedence(token) == 0) {
      break;
    }
    const Node right = TRY(RightSide(token));
    if (ternary) {
      left = TRY(BetweenOrLike(op, left, right));
    } else {
      left = TRY(Make(Kind::kBinary, op, {left, right}));
    }
  }
  return left;
}

Parser::Parsed Parser::RightSide(const Token& op) {
  const std::string_view word = op.word();
  if (word == "is" || word == "is_not") {
    Skip();
    return Type();
  }
  if ((word == "in" || word == "not_in") && Is(TokenKind::kLeftParen, 1) && Word(2) != "select" &&
      Word(2) != "values") {
    Skip();
    const std::uint32_t token = HeadNumber();
    Skip();
    std::vector<Node> members = TRY(CommaList(&Parser::PlainExpression));
    TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
    return Make(Kind::kList, token, std::move(members));
  }
  if (Is(TokenKind::kEnd, 1)) {
    return Fail("Missing right-hand side expression of infix operator");
  }
  const int precedence = InfixPrecedence(op);
  Skip();
  return Expression(precedence);
}

// What stands behind the second operand of BETWEEN and LIKE.
Parser::Parsed Parser::BetweenOrLike(std::uint32_t op, Node left, Node right) {
  const std::string word(tree_.tokens[op].text);
  const int precedence = InfixPrecedence(tree_.tokens[op]);
  const bool between = word == "between" || word == "not_between";
  if (!between && Word() != "escape") {
    return Make(Kind::kBinary, op, {left, right});
  }
  TRY_VOID(ExpectWord(between ? "and" : "escape"));
  if (AtEnd()) {
    return Fail(between ? "Expected expression after AND" : "Expected expression after ESCAPE");
  }
  const Node third = TRY(Expression(precedence));
  return Make(Kind::kTernary, op, {left, right, third});
}

Parser::Parsed Parser::UnaryTerm() {
  // Every level of nesting comes through here.
  if (depth_ >= SyntaxTree::kDepthMax) {
    return TooDeep();
  }
  ++depth_;
  Parsed term = [this]() -> Parsed {
    if (!IsUnaryOperator(Head())) {
      return PathTerm();
    }
    const std::uint32_t op = HeadNumber();
    Skip();
    if (tree_.tokens[op].text == "not") {
      const Node condition = TRY(Expression(kNotPrecedence));
      return Make(Kind::kUnary, op, {condition});
    }
    const Node operand = TRY(UnaryTerm());
    if (At(operand).kind == Kind::kAtom && tree_.TokenOf(At(operand)).kind == TokenKind::kNumber) {
      return Folded(tree_.tokens[op], operand);
    }
    return Make(Kind::kUnary, op, {operand});
  }();
  --depth_;
  return term;
}

// A number with its sign is a literal at the place of the number.
Parser::Parsed Parser::Folded(const Token& op, Node term) {
  if (op.text == "-") {
    std::string& text = tree_.tokens[At(term).token].text;
    if (text.starts_with('-')) {
      text.erase(0, 1);
    } else {
      text.insert(0, "-");
    }
  }
  return term;
}

Parser::Parsed Parser::PathTerm() {
  const Node start = TRY(Term());
  return PathSteps(start, false);
}

Parser::Parsed Parser::SimplePath() {
  if (!Head().is_name()) {
    return Fail("Expected identifier for simple path");
  }
  const Node start = TRY(MakeFromHead(Kind::kAtom));
  return PathSteps(start, true);
}

Parser::Parsed Parser::PathSteps(Node start, bool simple) {
  std::vector<Node> path = {start};
  while (true) {
    if (Is(TokenKind::kDot)) {
      path.push_back(TRY(DotStep(simple)));
    } else if (Is(TokenKind::kLeftBracket)) {
      path.push_back(TRY(BracketStep(simple)));
    } else {
      break;
    }
  }
  return path.size() == 1 ? Parsed(start) : Make(Kind::kPath, SyntaxNode::kNoToken, path);
}

Parser::Parsed Parser::DotStep(bool simple) {
  Skip();
  if (Head().is_name()) {
    return MakeFromHead(Kind::kPathName);
  }
  if (!Is(TokenKind::kStar)) {
    return Fail("Invalid path dot component");
  }
  if (simple) {
    return Fail("Invalid path dot component for simple path");
  }
  return MakeFromHead(Kind::kPathStar);
}

Parser::Parsed Parser::BracketStep(bool simple) {
  const std::uint32_t bracket = HeadNumber();
  Skip();
  const Node index = Is(TokenKind::kStar) ? TRY(MakeFromHead(Kind::kPathAll)) : TRY(Expression());
  TRY_VOID(Expect(TokenKind::kRightBracket, "RIGHT_BRACKET"));
  const SyntaxNode& node = At(index);
  const bool literal = node.token != SyntaxNode::kNoToken && tree_.TokenOf(node).is_literal();
  if (simple && node.kind != Kind::kAtom && !literal) {
    return Fail("Invalid path component for simple path");
  }
  return Make(Kind::kPathIndex, bracket, {index});
}

Parser::Parsed Parser::Term() {
  const std::uint32_t head = HeadNumber();
  const std::size_t before = tree_.nodes.size();
  const Node node = TRY([this]() -> Parsed {
    switch (Head().kind) {
      case TokenKind::kOperator:
        return TermOfOperator();
      case TokenKind::kKeyword:
        return TermOfKeyword();
      case TokenKind::kLeftParen:
        return Group();
      case TokenKind::kLeftBracket:
        return Sequence(Kind::kList, TokenKind::kRightBracket, "RIGHT_BRACKET");
      case TokenKind::kLeftDoubleAngle:
        return Sequence(Kind::kBag, TokenKind::kRightDoubleAngle, "RIGHT_DOUBLE_ANGLE_BRACKET");
      case TokenKind::kLeftCurly:
        return Sequence(Kind::kStruct, TokenKind::kRightCurly, "RIGHT_CURLY");
      case TokenKind::kIdentifier:
      case TokenKind::kQuotedIdentifier:
        return Is(TokenKind::kLeftParen, 1) ? Call() : MakeFromHead(Kind::kAtom);
      case TokenKind::kParameter:
        return MakeFromHead(Kind::kParameter);
      case TokenKind::kString:
      case TokenKind::kNumber:
      case TokenKind::kBool:
      case TokenKind::kIon:
      case TokenKind::kNull:
      case TokenKind::kMissing:
        return MakeFromHead(Kind::kAtom);
      default:
        return Fail("Unexpected term");
    }
  }());
  // What has no token of its own stands where it begins. A group is what it holds, and stays where
  // that is.
  if (node >= before && At(node).token == SyntaxNode::kNoToken) {
    At(node).token = head;
  }
  return node;
}

Parser::Parsed Parser::TermOfOperator() {
  if (Head().text != "@") {
    return Fail("Unexpected operator");
  }
  Skip();
  if (!Head().is_name()) {
    return Fail("Identifier must follow @-operator");
  }
  return MakeFromHead(Kind::kAtom);
}

Parser::Parsed Parser::Group() {
  Skip();
  std::vector<Node> members = TRY(CommaList(&Parser::PlainExpression));
  TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
  if (members.size() == 1) {
    return members.front();
  }
  return Make(Kind::kList, SyntaxNode::kNoToken, std::move(members));
}

Parser::Parsed Parser::Sequence(Kind kind, TokenKind close, std::string_view close_name) {
  Skip();
  if (Is(close)) {
    Skip();
    return Make(kind, SyntaxNode::kNoToken);
  }
  std::vector<Node> members =
      TRY(CommaList(kind == Kind::kStruct ? &Parser::Member : &Parser::PlainExpression));
  TRY_VOID(Expect(close, close_name));
  return Make(kind, SyntaxNode::kNoToken, std::move(members));
}

Result<std::vector<Parser::Node>> Parser::CommaList(Method item) {
  std::vector<Node> items;
  while (true) {
    items.push_back(TRY((this->*item)()));
    if (!Is(TokenKind::kComma)) {
      return items;
    }
    Skip();
  }
}

Parser::Parsed Parser::Member() {
  const Node key = TRY(Expression());
  TRY_VOID(Expect(TokenKind::kColon, "COLON"));
  const Node value = TRY(Expression());
  return Make(Kind::kMember, SyntaxNode::kNoToken, {key, value});
}

Parser::Parsed Parser::Assignment() {
  const Node target = TRY(SimplePath());
  if (Word() != "=") {
    return Fail("Expected '='");
  }
  Skip();
  const Node value = TRY(Expression());
  return Make(Kind::kAssignment, SyntaxNode::kNoToken, {target, value});
}

Parser::Parsed Parser::Type() {
  const std::uint32_t name = HeadNumber();
  const std::optional<std::size_t> arguments_max = TypeArguments(Word());
  if (!arguments_max) {
    return Fail("Expected type name");
  }
  Skip();
  std::vector<Node> arguments;
  if (Is(TokenKind::kLeftParen)) {
    Skip();
    arguments = TRY(CommaList(&Parser::PlainExpression));
    TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
  }
  if (arguments.size() > *arguments_max) {
    return Fail("CAST for " + tree_.tokens[name].text + " must have arity of 0.." +
                std::to_string(*arguments_max));
  }
  for (const Node argument : arguments) {
    const SyntaxNode& node = At(argument);
    const bool number =
        node.kind == Kind::kAtom && tree_.TokenOf(node).kind == TokenKind::kNumber &&
        tree_.TokenOf(node).text.find_first_not_of("0123456789") == std::string::npos;
    if (!number) {
      return Fail("Type parameter must be an unsigned integer literal");
    }
  }
  return Make(Kind::kType, name, std::move(arguments));
}

Result<SyntaxTree> Parse(std::string_view statement) {
  std::vector<Token> tokens = TRY(Tokenize(statement));
  return Parser(std::move(tokens)).Run();
}

}  // namespace stator::partiql
