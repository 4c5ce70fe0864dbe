#include <array>
#include <utility>

#include "base/try.h"
#include "partiql/parser.h"
#include "partiql/words.h"

namespace stator::partiql {

using TokenKind = Token::Kind;

Parser::Parsed Parser::TermOfKeyword() {
  struct Form {
    std::string_view word;
    Method parse;
  };
  static constexpr std::array<Form, 20> kForms = {{
      {"insert_into", &Parser::Operation},
      {"set", &Parser::Operation},
      {"remove", &Parser::Operation},
      {"update", &Parser::Update},
      {"delete", &Parser::Delete},
      {"case", &Parser::Case},
      {"cast", &Parser::Cast},
      {"select", &Parser::Select},
      {"create", &Parser::Create},
      {"drop", &Parser::Drop},
      {"pivot", &Parser::Pivot},
      {"from", &Parser::FromFirst},
      {"values", &Parser::Values},
      {"substring", &Parser::Substring},
      {"trim", &Parser::Trim},
      {"extract", &Parser::Extract},
      {"date_add", &Parser::DateFunction},
      {"date_diff", &Parser::DateFunction},
      {"date", &Parser::Date},
      {"time", &Parser::Time},
  }};
  const std::string_view word = Word();
  for (const Form& form : kForms) {
    if (form.word == word) {
      return (this->*form.parse)();
    }
  }
  if (word == "exec") {
    return Execute();
  }
  if (IsFunctionKeyword(word) && Is(TokenKind::kLeftParen, 1)) {
    return Call();
  }
  return Fail("Unexpected keyword");
}

Parser::Parsed Parser::Select() {
  const std::uint32_t token = HeadNumber();
  Skip();
  const bool distinct = Word() == "distinct";
  if (distinct || Word() == "all") {
    Skip();
  }
  Kind kind = Kind::kSelect;
  Node projection = 0;
  if (Word() == "value") {
    Skip();
    kind = Kind::kSelectValue;
    projection = TRY(Expression());
  } else {
    std::vector<Node> items = TRY(CommaList(&Parser::SelectItem));
    for (const Node item : items) {
      if (items.size() > 1 && At(item).kind == Kind::kSelectAll && At(item).children.empty()) {
        return Fail(
            "Other expressions may not be present in the select list when '*' is used without dot "
            "notation.");
      }
    }
    projection = TRY(Make(Kind::kArguments, SyntaxNode::kNoToken, std::move(items)));
  }
  if (distinct) {
    projection = TRY(Make(Kind::kDistinct, SyntaxNode::kNoToken, {projection}));
  }
  return AfterProjection(kind, projection, token);
}

Parser::Parsed Parser::SelectItem() {
  if (Is(TokenKind::kStar)) {
    return MakeFromHead(Kind::kSelectAll);
  }
  Node item = TRY(Expression());
  if (At(item).kind == Kind::kPath) {
    item = TRY(CheckedSelectPath(item));
  }
  return OptionalAlias(item, TokenKind::kAs, Kind::kAsAlias, "AS");
}

// a.b.* selects everything below; a star anywhere else in a path selects nothing.
Parser::Parsed Parser::CheckedSelectPath(Node path) {
  const std::vector<Node> steps = At(path).children;
  bool bracket = false;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const SyntaxNode& step = At(steps[i]);
    const bool last = i + 1 == steps.size();
    if (step.kind == Kind::kPathIndex) {
      bracket = true;
      if (At(step.children.front()).kind == Kind::kPathAll) {
        return Fail("Invalid use of * in select list");
      }
    }
    if (step.kind == Kind::kPathStar && !last) {
      return Fail("Invalid use of * in select list");
    }
  }
  if (At(steps.back()).kind != Kind::kPathStar) {
    return path;
  }
  if (bracket) {
    return Fail("Cannot use [] and * together in SELECT list expression");
  }
  return Make(Kind::kSelectAll, SyntaxNode::kNoToken, {path});
}

Parser::Parsed Parser::Pivot() {
  const std::uint32_t token = HeadNumber();
  Skip();
  const Node value = TRY(Expression());
  TRY_VOID(ExpectWord("at"));
  const Node name = TRY(Expression());
  const Node member = TRY(Make(Kind::kMember, SyntaxNode::kNoToken, {name, value}));
  return AfterProjection(Kind::kPivot, member, token);
}

Parser::Parsed Parser::AfterProjection(Kind kind, Node projection, std::uint32_t token) {
  if (Word() != "from") {
    return Fail("Expected FROM after SELECT list");
  }
  Skip();
  std::vector<Node> children = {projection, TRY(FromClause(kSelectPrecedence))};
  TRY_VOID(SelectClauses(children));
  return Make(kind, token, std::move(children));
}

Result<void> Parser::SelectClauses(std::vector<Node>& clauses) {
  const auto single = [&](std::string_view word, Kind kind) -> Result<void> {
    if (Word() == word) {
      const std::uint32_t token = HeadNumber();
      Skip();
      const Node expression = TRY(Expression(kSelectPrecedence));
      clauses.push_back(TRY(Make(kind, token, {expression})));
    }
    return {};
  };
  if (Word() == "let") {
    clauses.push_back(TRY(Let()));
  }
  TRY_VOID(single("where", Kind::kWhere));
  if (Word() == "order") {
    Skip();
    TRY_VOID(Expect(TokenKind::kBy, "BY"));
    std::vector<Node> keys = TRY(CommaList(&Parser::SortKey));
    clauses.push_back(TRY(Make(Kind::kOrderBy, SyntaxNode::kNoToken, std::move(keys))));
  }
  if (Word() == "group") {
    clauses.push_back(TRY(GroupBy()));
  }
  TRY_VOID(single("having", Kind::kHaving));
  return single("limit", Kind::kLimit);
}

// Its token is ASC or DESC when there is one.
Parser::Parsed Parser::SortKey() {
  const Node key = TRY(Expression());
  std::uint32_t direction = SyntaxNode::kNoToken;
  if (Is(TokenKind::kAsc) || Is(TokenKind::kDesc)) {
    direction = HeadNumber();
    Skip();
  }
  return Make(Kind::kSortKey, direction, {key});
}

Parser::Parsed Parser::GroupBy() {
  Skip();
  if (Word() == "partial") {
    Skip();
  }
  TRY_VOID(Expect(TokenKind::kBy, "BY"));
  std::vector<Node> keys = TRY(CommaList(&Parser::GroupKey));
  for (const Node key : keys) {
    if (At(key).token != SyntaxNode::kNoToken && tree_.TokenOf(At(key)).is_literal()) {
      return Fail("Literals (including ordinals) not supported in GROUP BY");
    }
  }
  if (Word() == "group") {
    Skip();
    TRY_VOID(ExpectWord("as"));
    if (!Head().is_name()) {
      return Fail("Expected identifier for GROUP name");
    }
    Skip();
  }
  return Make(Kind::kGroupBy, SyntaxNode::kNoToken, std::move(keys));
}

Parser::Parsed Parser::GroupKey() {
  const Node key = TRY(Expression(kSelectPrecedence));
  return OptionalAlias(key, TokenKind::kAs, Kind::kAsAlias, "AS");
}

Parser::Parsed Parser::Let() {
  Skip();
  std::vector<Node> items = TRY(CommaList(&Parser::LetItem));
  return Make(Kind::kLet, SyntaxNode::kNoToken, std::move(items));
}

Parser::Parsed Parser::LetItem() {
  const Node value = TRY(Expression());
  if (!Is(TokenKind::kAs)) {
    return Fail("Expected AS following LET expr");
  }
  return OptionalAlias(value, TokenKind::kAs, Kind::kAsAlias, "AS");
}

Parser::Parsed Parser::FromClause(int precedence) {
  const Node source = TRY(FromSource(precedence, true));
  return Make(Kind::kFromClause, SyntaxNode::kNoToken, {source});
}

Parser::Parsed Parser::FromSource(int precedence, bool with_joins) {
  Node source = 0;
  const bool plain_group =
      Is(TokenKind::kLeftParen) && !Head(1).is_literal() && Word(1) != "select";
  if (Word() == "unpivot") {
    const std::uint32_t token = HeadNumber();
    Skip();
    const Node of = TRY(Expression(precedence));
    source = TRY(Make(Kind::kUnpivot, token, {of}));
  } else if (plain_group) {
    // Like UnaryTerm, a level of nesting.
    if (depth_ >= SyntaxTree::kDepthMax) {
      return TooDeep();
    }
    ++depth_;
    Skip();
    const Parsed inner = FromSource(precedence, true);
    --depth_;
    if (!inner) {
      return inner;
    }
    source = *inner;
    TRY_VOID(Expect(TokenKind::kRightParen, "RIGHT_PAREN"));
  } else {
    source = TRY(Expression(precedence));
  }
  source = TRY(Aliased(source));
  const auto joins = [this] {
    return Is(TokenKind::kComma) || (Is(TokenKind::kKeyword) && Word().ends_with("join"));
  };
  while (with_joins && joins()) {
    source = TRY(Join(source, precedence));
  }
  return source;
}

Parser::Parsed Parser::Join(Node left, int precedence) {
  const std::uint32_t token = HeadNumber();
  const bool conditional =
      Is(TokenKind::kKeyword) && Word().find("cross") == std::string_view::npos;
  Skip();
  const Node right = TRY(FromSource(precedence, conditional && Is(TokenKind::kLeftParen)));
  if (!conditional) {
    return Make(Kind::kJoin, token, {left, right});
  }
  if (Word() != "on") {
    return Fail("Expected 'ON'");
  }
  Skip();
  const Node condition = TRY(Expression(precedence));
  return Make(Kind::kJoin, token, {left, right, condition});
}

Parser::Parsed Parser::Aliased(Node of) {
  of = TRY(OptionalAlias(of, TokenKind::kAs, Kind::kAsAlias, "AS"));
  of = TRY(OptionalAlias(of, TokenKind::kAt, Kind::kAtAlias, "AT"));
  return OptionalAlias(of, TokenKind::kBy, Kind::kByAlias, "BY");
}

// The word AS may be left out, the others not.
Parser::Parsed Parser::OptionalAlias(Node of, TokenKind word, Kind kind, std::string_view name) {
  if (Is(word)) {
    Skip();
    if (!Head().is_name()) {
      return Fail("Expected identifier for " + std::string(name) + "-alias");
    }
  } else if (word != TokenKind::kAs || !Head().is_name()) {
    return of;
  }
  const std::uint32_t alias = HeadNumber();
  Skip();
  return Make(kind, alias, {of});
}

}  // namespace stator::partiql
