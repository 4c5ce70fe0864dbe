// From the tree of the grammar to a Statement. Refusals are in the order in which DynamoDB Local
// walks: what is selected, from where, the condition, the other clauses.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "partiql/statement.h"
#include "partiql/syntax.h"
#include "stator/base/result.h"

namespace stator::partiql {

class Translator {
 public:
  explicit Translator(const SyntaxTree& tree) : tree_(tree) {}
  Result<Statement> Run();

 private:
  using Kind = SyntaxNode::Kind;
  using Node = SyntaxNode;

  // Statements (translate_statement.cc).
  Result<Select> TranslateSelect(const Node& node);
  Result<std::vector<Projected>> Projection(const Node& list) const;
  Result<std::vector<SortKey>> Order(const Node& clause) const;
  Result<Insert> TranslateInsert(const Node& node);
  Result<Update> TranslateUpdate(const Node& node);
  Result<Delete> TranslateDelete(const Node& node);
  [[nodiscard]] Result<void> RefuseClauses(const Node& select) const;
  struct Source {
    std::string table;
    std::optional<std::string> index;
  };
  [[nodiscard]] Result<Source> FromSource(const Node& node) const;
  Result<std::string> WrittenTable(const Node& from_clause) const;
  Result<std::optional<ReturnValues>> Returning(const Node& statement) const;
  Result<std::optional<Where>> OptionalWhere(const Node& statement);

  // Values (translate_value.cc).
  struct Place;  // inside of a value, for messages
  Result<AttributeValue> Value(const Node& node, const Place& place) const;
  Result<AttributeValue> Atom(const Node& node, const Place& place) const;
  Result<AttributeValue> ListValue(const Node& node, const Place& place) const;
  Result<AttributeValue> MapValue(const Node& node, const Place& place) const;
  Result<AttributeValue> SetValue(const Node& node, const Place& place) const;
  Result<AttributeValue> LiteralOf(const Node& node) const;
  Result<std::string> MapKey(const Node& key, std::vector<std::string>& seen, const Node& map,
                             const Place& place) const;
  // A key of the outermost map of an INSERT.
  Result<std::string> ItemKey(const Node& key, std::vector<std::string>& seen) const;
  [[nodiscard]] bool IsValue(const Node& node) const;
  Result<ValueSlot> Slot(const Node& node);
  [[nodiscard]] std::uint32_t ParameterNumber(const Node& node) const;
  [[nodiscard]] std::string NameOfKind(const Node& node) const;

  // Paths.
  Result<std::vector<PathElement>> Path(const Node& node) const;
  Result<PathElement> PathStep(const Node& step) const;
  [[nodiscard]] bool IsPath(const Node& node) const;

  // Conditions and updates (translate_condition.cc, translate_update.cc).
  friend class ConditionTranslator;
  friend class UpdateTranslator;
  Result<Where> Condition(const Node& node);

  const SyntaxTree& tree_;
  Statement statement_;
};

// Adds a path to the symbols of an expression.
expression::Path AddPath(const std::vector<PathElement>& path, expression::Symbols& symbols);

std::string Lower(std::string_view text);
std::string Upper(std::string_view text);

}  // namespace stator::partiql
