// A parser by operator precedence over the tokens of a statement. Statements are terms of
// expressions, as in the public PartiQL parser, because its messages show it: `SLECT * FROM T` is a
// product whose right side is a statement that begins with FROM.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "partiql/syntax.h"
#include "partiql/token.h"
#include "stator/base/result.h"

namespace stator::partiql {

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens);
  Result<SyntaxTree> Run();

 private:
  using Kind = SyntaxNode::Kind;
  using Node = std::uint32_t;  // number in SyntaxTree::nodes
  using Parsed = Result<Node>;
  using Method = Parsed (Parser::*)();

  // Tokens.
  [[nodiscard]] const Token& Head(std::size_t ahead = 0) const {
    return tree_.tokens[std::min(at_ + ahead, tree_.tokens.size() - 1)];
  }
  [[nodiscard]] std::string_view Word(std::size_t ahead = 0) const { return Head(ahead).word(); }
  [[nodiscard]] bool Is(Token::Kind kind, std::size_t ahead = 0) const {
    return Head(ahead).kind == kind;
  }
  [[nodiscard]] std::uint32_t HeadNumber() const { return static_cast<std::uint32_t>(at_); }
  void Skip() { at_ = std::min(at_ + 1, tree_.tokens.size() - 1); }
  [[nodiscard]] bool AtEnd(std::size_t ahead = 0) const;
  Result<void> Expect(Token::Kind kind, std::string_view name);
  Result<void> ExpectWord(std::string_view word);

  // Nodes.
  Parsed Make(Kind kind, std::uint32_t token, std::vector<Node> children = {});
  Parsed MakeFromHead(Kind kind);
  SyntaxNode& At(Node node) { return tree_.nodes[node]; }
  static std::unexpected<Error> Fail(std::string_view detail) { return NotWellFormed(detail); }
  static std::unexpected<Error> TooDeep() {
    return Fail("Nested deeper than " + std::to_string(SyntaxTree::kDepthMax) + " levels");
  }

  // Expressions (parse_expression.cc).
  Parsed Expression(int precedence = -1);
  Parsed RightSide(const Token& op);
  Parsed BetweenOrLike(std::uint32_t op, Node left, Node right);
  Parsed UnaryTerm();
  Parsed Folded(const Token& op, Node term);
  Parsed PathTerm();
  Parsed SimplePath();
  Parsed PathSteps(Node start, bool simple);
  Parsed DotStep(bool simple);
  Parsed BracketStep(bool simple);
  Parsed Term();
  Parsed TermOfOperator();
  Parsed Group();
  Parsed Sequence(Kind kind, Token::Kind close, std::string_view close_name);
  Parsed Type();
  Result<std::vector<Node>> CommaList(Method item);
  Parsed PlainExpression() { return Expression(); }
  Parsed Member();
  Parsed Assignment();

  // Statements (parse_statement.cc).
  Parsed TermOfKeyword();
  Parsed Select();
  Parsed SelectItem();
  Parsed CheckedSelectPath(Node path);
  Parsed Pivot();
  Parsed AfterProjection(Kind kind, Node projection, std::uint32_t token);
  Result<void> SelectClauses(std::vector<Node>& clauses);
  Parsed SortKey();
  Parsed GroupBy();
  Parsed GroupKey();
  Parsed Let();
  Parsed LetItem();
  Parsed FromClause(int precedence);
  Parsed FromSource(int precedence, bool with_joins);
  Parsed Join(Node left, int precedence);
  Parsed Aliased(Node of);
  Parsed OptionalAlias(Node of, Token::Kind word, Kind kind, std::string_view name);

  // Writes (parse_write.cc).
  Parsed Operation();
  Parsed Operations();
  Parsed Insert();
  Parsed OnConflict();
  Parsed Update();
  Parsed Delete();
  Parsed FromFirst();
  Parsed Write(Node source, Node operation);
  Result<void> WhereAndReturning(std::vector<Node>& clauses);
  Parsed Returning();
  Parsed ReturningElement();

  // Forms of their own (parse_forms.cc).
  Parsed Call();
  Parsed CallArguments(Kind kind, std::uint32_t name);
  Parsed AggregateCall(std::uint32_t name);
  Parsed Case();
  Parsed Cast();
  Parsed Date();
  Parsed Time();
  Parsed Values();
  Parsed Row();
  Parsed Substring();
  Parsed Trim();
  Parsed Extract();
  Parsed DateFunction();
  Result<void> DatePart();
  Parsed Create();
  Parsed Drop();
  Parsed Name(std::string_view otherwise);
  Parsed Execute();

  [[nodiscard]] Result<void> CheckTopLevel() const;

  SyntaxTree tree_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;  // of terms within terms
};

}  // namespace stator::partiql
