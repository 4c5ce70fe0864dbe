// A statement as a tree of its grammar. The grammar is that of PartiQL at large and knows nothing
// of DynamoDB: a statement is an expression, and much that has a tree here is refused later
// (translate.h).
//
// INVARIANTS
//
//   (1) Nodes stand after their children; the root is last. So every walk ends.
//   (2) No walk needs more than kDepthMax levels.

#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "partiql/token.h"
#include "stator/base/result.h"

namespace stator::partiql {

struct SyntaxNode {
  enum class Kind : std::uint8_t {
    kAtom,       // a literal, NULL, MISSING or a name
    kParameter,  // ?
    kPath,       // what it starts from, then its steps
    kPathName,   // .name
    kPathStar,   // .*
    kPathIndex,  // [child]
    kPathAll,    // [*]
    kUnary,
    kBinary,
    kTernary,
    kType,
    kList,
    kBag,
    kStruct,
    kMember,  // key, value
    kCall,
    kAggregate,
    kAggregateAll,  // COUNT(*)
    kCase,
    kWhen,
    kElse,
    kCast,
    kDate,
    kTime,
    kArguments,
    kSelect,       // what to select, FROM, clauses
    kSelectValue,  // the same with SELECT VALUE
    kPivot,
    kDistinct,
    kSelectAll,  // *; with a child: child.*
    kAsAlias,
    kAtAlias,
    kByAlias,
    kUnpivot,
    kJoin,
    kFromClause,
    kLet,
    kWhere,
    kOrderBy,
    kSortKey,
    kGroupBy,
    kHaving,
    kLimit,
    kInsert,       // INSERT INTO target values
    kInsertValue,  // INSERT INTO target VALUE value, clauses
    kInsertAt,
    kOnConflict,
    kSet,
    kAssignment,
    kRemove,
    kDelete,
    kOperations,  // several of SET and REMOVE
    kFrom,        // an operation, FROM, clauses: UPDATE, DELETE and FROM ... SET
    kReturning,
    kReturningElement,  // the token is "all_old", ...; the child is the column, none for *
    kCreateTable,
    kDropTable,
    kCreateIndex,
    kDropIndex,
    kExecute,
  };
  static constexpr std::uint32_t kNoToken = std::numeric_limits<std::uint32_t>::max();

  Kind kind = Kind::kAtom;
  std::uint32_t token = kNoToken;
  std::uint32_t depth = 1;  // of the tree below and with it
  std::vector<std::uint32_t> children;
};

struct SyntaxTree {
  // Parentheses, brackets and chains of operators. A condition has at most 300 operators.
  static constexpr std::uint32_t kDepthMax = 350;

  std::vector<Token> tokens;
  std::vector<SyntaxNode> nodes;
  std::uint32_t parameters = 0;  // question marks

  [[nodiscard]] const SyntaxNode& root() const { return nodes.back(); }
  [[nodiscard]] const SyntaxNode& Child(const SyntaxNode& node, std::size_t index) const {
    return nodes[node.children[index]];
  }
  // Null when the node has none of that kind among its children.
  [[nodiscard]] const SyntaxNode* Clause(const SyntaxNode& node, SyntaxNode::Kind kind) const {
    for (const std::uint32_t child : node.children) {
      if (nodes[child].kind == kind) {
        return &nodes[child];
      }
    }
    return nullptr;
  }
  // The token of a node that has one.
  [[nodiscard]] const Token& TokenOf(const SyntaxNode& node) const { return tokens[node.token]; }
  [[nodiscard]] Position PositionOf(const SyntaxNode& node) const {
    return node.token == SyntaxNode::kNoToken ? Position() : tokens[node.token].position;
  }
};

// Fails with the words of the public PartiQL parser behind "Statement wasn't well formed, can't be
// processed: ".
Result<SyntaxTree> Parse(std::string_view statement);

}  // namespace stator::partiql
