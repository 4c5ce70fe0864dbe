#include <utility>

#include "base/try.h"
#include "partiql/parser.h"

namespace stator::partiql {

using TokenKind = Token::Kind;

namespace {

bool BeginsOperation(std::string_view word) {
  return word == "insert_into" || word == "set" || word == "remove";
}

}  // namespace

Parser::Parsed Parser::Operation() {
  if (Word() == "insert_into") {
    return Insert();
  }
  if (Word() == "set") {
    Skip();
    std::vector<Node> assignments = TRY(CommaList(&Parser::Assignment));
    return Make(Kind::kSet, SyntaxNode::kNoToken, std::move(assignments));
  }
  if (Word() == "remove") {
    Skip();
    const Node target = TRY(SimplePath());
    return Make(Kind::kRemove, SyntaxNode::kNoToken, {target});
  }
  return Fail("Expected data manipulation");
}

Parser::Parsed Parser::Operations() {
  std::vector<Node> operations;
  while (BeginsOperation(Word())) {
    operations.push_back(TRY(Operation()));
  }
  if (operations.empty()) {
    return Fail("Expected data manipulation");
  }
  if (operations.size() == 1) {
    return operations.front();
  }
  return Make(Kind::kOperations, SyntaxNode::kNoToken, std::move(operations));
}

Parser::Parsed Parser::Insert() {
  Skip();
  std::vector<Node> children = {TRY(SimplePath())};
  if (Word() != "value") {
    children.push_back(TRY(Expression()));
    return Make(Kind::kInsert, SyntaxNode::kNoToken, std::move(children));
  }
  Skip();
  children.push_back(TRY(Expression()));
  if (Word() == "at") {
    Skip();
    const Node place = TRY(Expression());
    children.push_back(TRY(Make(Kind::kInsertAt, SyntaxNode::kNoToken, {place})));
  }
  if (Word() == "on_conflict") {
    children.push_back(TRY(OnConflict()));
  }
  if (Word() == "returning") {
    children.push_back(TRY(Returning()));
  }
  return Make(Kind::kInsertValue, SyntaxNode::kNoToken, std::move(children));
}

Parser::Parsed Parser::OnConflict() {
  Skip();
  if (Word() != "where") {
    return Fail("invalid ON CONFLICT syntax");
  }
  Skip();
  const Node condition = TRY(Expression());
  if (Word() != "do_nothing") {
    return Fail("invalid ON CONFLICT syntax");
  }
  Skip();
  return Make(Kind::kOnConflict, SyntaxNode::kNoToken, {condition});
}

Parser::Parsed Parser::Update() {
  Skip();
  const Node table = TRY(SimplePath());
  const Node source = TRY(Aliased(table));
  const Node operation = TRY(Operations());
  return Write(source, operation);
}

Parser::Parsed Parser::Delete() {
  const std::uint32_t token = HeadNumber();
  Skip();
  if (Word() != "from") {
    return Fail("Expected FROM after DELETE");
  }
  Skip();
  const Node table = TRY(SimplePath());
  const Node source = TRY(Aliased(table));
  const Node operation = TRY(Make(Kind::kDelete, token));
  return Write(source, operation);
}

Parser::Parsed Parser::Write(Node source, Node operation) {
  const Node from = TRY(Make(Kind::kFromClause, SyntaxNode::kNoToken, {source}));
  std::vector<Node> children = {operation, from};
  TRY_VOID(WhereAndReturning(children));
  return Make(Kind::kFrom, SyntaxNode::kNoToken, std::move(children));
}

Result<void> Parser::WhereAndReturning(std::vector<Node>& clauses) {
  if (Word() == "where") {
    const std::uint32_t token = HeadNumber();
    Skip();
    const Node condition = TRY(Expression());
    clauses.push_back(TRY(Make(Kind::kWhere, token, {condition})));
  }
  if (Word() == "returning") {
    clauses.push_back(TRY(Returning()));
  }
  return {};
}

Parser::Parsed Parser::FromFirst() {
  Skip();
  const Node from = TRY(FromClause(-1));
  std::vector<Node> clauses;
  if (Word() == "where") {
    const std::uint32_t token = HeadNumber();
    Skip();
    const Node condition = TRY(Expression());
    clauses.push_back(TRY(Make(Kind::kWhere, token, {condition})));
  }
  const Node operation = TRY(Operations());
  if (Word() == "returning") {
    clauses.push_back(TRY(Returning()));
  }
  std::vector<Node> children = {operation, from};
  children.insert(children.end(), clauses.begin(), clauses.end());
  return Make(Kind::kFrom, SyntaxNode::kNoToken, std::move(children));
}

Parser::Parsed Parser::Returning() {
  Skip();
  std::vector<Node> elements = TRY(CommaList(&Parser::ReturningElement));
  return Make(Kind::kReturning, SyntaxNode::kNoToken, std::move(elements));
}

Parser::Parsed Parser::ReturningElement() {
  const std::string_view word = Word();
  if (word != "modified_old" && word != "modified_new" && word != "all_old" && word != "all_new") {
    return Fail("Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.");
  }
  const std::uint32_t token = HeadNumber();
  Skip();
  if (Is(TokenKind::kStar)) {
    Skip();
    return Make(Kind::kReturningElement, token);
  }
  const Node column = TRY(Expression());
  const SyntaxNode& node = At(column);
  if (node.kind == Kind::kPath && node.children.size() > 2) {
    return Fail("More than two paths in RETURNING columns.");
  }
  if (node.kind != Kind::kPath && node.kind != Kind::kAtom) {
    return Fail("Unsupported syntax in RETURNING columns.");
  }
  return Make(Kind::kReturningElement, token, {column});
}

// Writes stand at the top of a statement, one of them, or several in a list.
Result<void> Parser::CheckTopLevel() const {
  struct Visit {
    const SyntaxNode* node;
    int level;
    bool seen;       // a node that belongs to the top, above
    bool seen_list;  // kOperations, above
  };
  std::vector<Visit> left = {
      {.node = &tree_.nodes.back(), .level = 0, .seen = false, .seen_list = false}};
  while (!left.empty()) {
    const Visit visit = left.back();
    left.pop_back();
    const Kind kind = visit.node->kind;
    const bool write = kind == Kind::kInsert || kind == Kind::kInsertValue ||
                       kind == Kind::kRemove || kind == Kind::kSet || kind == Kind::kDelete ||
                       kind == Kind::kOperations;
    const bool other = kind == Kind::kCreateTable || kind == Kind::kDropTable ||
                       kind == Kind::kCreateIndex || kind == Kind::kDropIndex ||
                       kind == Kind::kExecute;
    const bool top = other || (write && !visit.seen_list);
    if (top && (visit.seen || visit.level > (write ? 1 : 0))) {
      const bool named = visit.node->token != SyntaxNode::kNoToken;
      return Fail("Keyword " + (named ? tree_.TokenOf(*visit.node).text : std::string("null")) +
                  " only expected at the top level in the query");
    }
    for (auto child = visit.node->children.rbegin(); child != visit.node->children.rend();
         ++child) {
      left.push_back({.node = &tree_.nodes[*child],
                      .level = visit.level + 1,
                      .seen = visit.seen || top,
                      .seen_list = visit.seen_list || kind == Kind::kOperations});
    }
  }
  return {};
}

}  // namespace stator::partiql
