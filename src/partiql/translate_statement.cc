#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "partiql/answer.h"
#include "partiql/translator.h"

namespace stator::partiql {

using TokenKind = Token::Kind;

namespace {

Result<void> CheckTableName(const std::string& name) {
  const bool fits = name.size() >= limits::kTableNameLengthMin &&
                    name.size() <= limits::kTableNameLengthMax &&
                    std::ranges::all_of(name, [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
                    });
  if (!fits) {
    return Invalid(
        "Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', "
        "'-', '_', '.'.");
  }
  return {};
}

std::unexpected<Error> RefusedProjection(const Select& select, Error error) {
  if (select.index) {
    auto detail = std::make_shared<RefusedProjectionDetail>();
    detail->table = select.table;
    detail->index = *select.index;
    error.detail = std::move(detail);
  }
  return std::unexpected(std::move(error));
}

std::string_view ExpressionName(const SyntaxTree& tree, const SyntaxNode& node) {
  using Kind = SyntaxNode::Kind;
  switch (node.kind) {
    case Kind::kAtom:
      return tree.TokenOf(node).is_name()                     ? "VariableReference"
             : tree.TokenOf(node).kind == TokenKind::kMissing ? "LiteralMissing"
                                                              : "Literal";
    case Kind::kList:
    case Kind::kBag:
      return "Seq";
    case Kind::kStruct:
      return "Struct";
    case Kind::kPath:
      return "Path";
    case Kind::kParameter:
      return "Parameter";
    case Kind::kCase:
      return tree.Child(node, 0).kind == Kind::kWhen ? "SearchedCase" : "SimpleCase";
    case Kind::kCast:
      return "Typed";
    case Kind::kAggregate:
    case Kind::kAggregateAll:
      return "CallAgg";
    case Kind::kCreateTable:
      return "CreateTable";
    case Kind::kDropTable:
      return "DropTable";
    case Kind::kCreateIndex:
      return "CreateIndex";
    case Kind::kDropIndex:
      return "DropIndex";
    case Kind::kExecute:
      return "Exec";
    case Kind::kDate:
      return "Date";
    case Kind::kTime:
      return "Time";
    default:
      return "IsType";
  }
}

}  // namespace

const std::string& Statement::table() const {
  static const std::string none;
  return std::visit(
      [](const auto& each) -> const std::string& {
        using Each = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<Each, Exists>) {
          return each.select.table;
        } else if constexpr (std::is_same_v<Each, Unsupported>) {
          return none;
        } else {
          return each.table;
        }
      },
      what);
}

Result<Statement> Translator::Run() {
  const Node& root = tree_.root();
  statement_.parameters = tree_.parameters;
  switch (root.kind) {
    case Kind::kSelect:
    case Kind::kSelectValue:
    case Kind::kPivot:
      statement_.what = TRY(TranslateSelect(root));
      break;
    case Kind::kInsert:
    case Kind::kInsertValue:
      statement_.what = TRY(TranslateInsert(root));
      break;
    case Kind::kFrom:
      if (tree_.Child(root, 0).kind == Kind::kDelete) {
        statement_.what = TRY(TranslateDelete(root));
      } else {
        statement_.what = TRY(TranslateUpdate(root));
      }
      break;
    case Kind::kSet:
    case Kind::kRemove:
    case Kind::kOperations:
      return Invalid("Only select from a single table or index is supported.");
    case Kind::kCall: {
      if (IsValue(root)) {
        return Invalid("Unsupported operation: Seq");
      }
      const bool exists = Lower(tree_.TokenOf(root).text) == "exists" &&
                          root.children.size() == 1 && tree_.Child(root, 0).kind == Kind::kSelect;
      if (exists) {
        statement_.what = Exists{.select = TRY(TranslateSelect(tree_.Child(root, 0)))};
      } else {
        statement_.what = Unsupported{};
      }
      break;
    }
    case Kind::kUnary:
    case Kind::kTernary:
      statement_.what = Unsupported{};
      break;
    case Kind::kBinary:
      if (tree_.TokenOf(root).text != "is") {
        statement_.what = Unsupported{};
        break;
      }
      [[fallthrough]];
    default:
      return Invalid("Unsupported operation: " + std::string(ExpressionName(tree_, root)));
  }
  return std::move(statement_);
}

Result<Select> Translator::TranslateSelect(const Node& node) {
  if (node.kind != Kind::kSelect) {
    return Invalid("Select projection doesn't support value or pivot keywords");
  }
  const Node& list = tree_.Child(node, 0);
  if (list.kind == Kind::kDistinct) {
    return Invalid("Unsupported token in expression: DISTINCT");
  }
  Select select;
  Source source = TRY(FromSource(tree_.Child(tree_.Child(node, 1), 0)));
  select.table = std::move(source.table);
  select.index = std::move(source.index);
  TRY_VOID(RefuseClauses(node));
  Result<std::vector<Projected>> projection = Projection(list);
  if (!projection) {
    return RefusedProjection(select, std::move(projection).error());
  }
  select.projection = *std::move(projection);
  select.where = TRY(OptionalWhere(node));
  if (const Node* order = tree_.Clause(node, Kind::kOrderBy)) {
    select.order = TRY(Order(*order));
  }
  return select;
}

Result<void> Translator::RefuseClauses(const Node& select) const {
  if (tree_.Clause(select, Kind::kGroupBy) != nullptr) {
    return Invalid("Unsupported clause: GROUP BY");
  }
  const auto refuse = [&](Kind kind, std::string_view name) -> Result<void> {
    const Node* clause = tree_.Clause(select, kind);
    if (clause == nullptr) {
      return {};
    }
    return Invalid("Unsupported clause: " + std::string(name) +
                   At(tree_.PositionOf(tree_.Child(*clause, 0))));
  };
  TRY_VOID(refuse(Kind::kHaving, "HAVING"));
  return refuse(Kind::kLimit, "LIMIT");
}

Result<std::vector<Projected>> Translator::Projection(const Node& list) const {
  std::vector<Projected> projection;
  std::vector<std::string> names;
  for (const std::uint32_t number : list.children) {
    const Node& item = tree_.nodes[number];
    if (item.kind == Kind::kSelectAll) {
      if (item.children.empty()) {
        return std::vector<Projected>();
      }
      return Invalid("Changing item's hierarchy while reading isn't supported");
    }
    if (item.kind == Kind::kAsAlias) {
      return Invalid("Aliasing is not supported");
    }
    if (!IsPath(item)) {
      return Invalid("Unexpected path component" + At(tree_.PositionOf(item)));
    }
    projection.push_back({.path = TRY(Path(item))});
    const std::string name = AnswerName(projection.back().path);
    if (std::ranges::find(names, name) != names.end()) {
      return Invalid("Duplicate identifiers in select clause: " + name);
    }
    names.push_back(name);
  }
  return projection;
}

Result<std::vector<SortKey>> Translator::Order(const Node& clause) const {
  std::vector<SortKey> order;
  for (const std::uint32_t number : clause.children) {
    const Node& key = tree_.nodes[number];
    const Node& of = tree_.Child(key, 0);
    if (of.kind != Kind::kAtom || !tree_.TokenOf(of).is_name()) {
      std::string type = NameOfKind(of);
      if (of.kind == Kind::kAtom && tree_.TokenOf(of).kind == TokenKind::kString) {
        type = '"' + type + '"';
      } else if (of.kind != Kind::kAtom ? IsValue(of)
                                        : tree_.TokenOf(of).kind == TokenKind::kMissing) {
        type = Upper(type);
      }
      return Invalid("Argument to ORDER BY must be of type VariableReference. Type: " + type);
    }
    const bool descending =
        key.token != SyntaxNode::kNoToken && tree_.TokenOf(key).kind == TokenKind::kDesc;
    order.push_back({.name = tree_.TokenOf(of).text, .descending = descending});
  }
  return order;
}

Result<Translator::Source> Translator::FromSource(const Node& node) const {
  if (node.kind == Kind::kAsAlias || node.kind == Kind::kAtAlias || node.kind == Kind::kByAlias) {
    return Invalid("Aliasing is not supported");
  }
  if (node.kind == Kind::kJoin || node.kind == Kind::kUnpivot) {
    return Invalid("Only select from a single table or index is supported.");
  }
  if (!IsPath(node)) {
    return Invalid("Unexpected from source");
  }
  if (node.kind == Kind::kPath && node.children.size() > 2) {
    return Invalid("A path may contain at most 2 components in the FROM clause");
  }
  const std::vector<PathElement> path = TRY(Path(node));
  if (path.back().is_index) {
    return Invalid("Invalid list expression in source.");
  }
  TRY_VOID(CheckTableName(path.front().name));
  Source source{.table = path.front().name, .index = std::nullopt};
  if (path.size() == 2) {
    source.index = path.back().name;
  }
  return source;
}

Result<std::string> Translator::WrittenTable(const Node& from_clause) const {
  const Source source = TRY(FromSource(tree_.Child(from_clause, 0)));
  if (source.index) {
    return Invalid("This operation is not supported on an index");
  }
  return source.table;
}

Result<std::optional<Where>> Translator::OptionalWhere(const Node& statement) {
  const Node* clause = tree_.Clause(statement, Kind::kWhere);
  if (clause == nullptr) {
    return std::nullopt;
  }
  return TRY(Condition(tree_.Child(*clause, 0)));
}

Result<Insert> Translator::TranslateInsert(const Node& node) {
  if (node.kind == Kind::kInsert) {
    return Invalid("Unsupported operation: InsertOp");
  }
  if (tree_.Clause(node, Kind::kReturning) != nullptr) {
    return Invalid("RETURNING is not supported in INSERT");
  }
  const Node& target = tree_.Child(node, 0);
  if (target.kind == Kind::kPath) {
    return Invalid(
        "FROM clause may only contain a single table name in data manipulation statements" +
        At(tree_.PositionOf(tree_.Child(target, 0))));
  }
  if (tree_.Clause(node, Kind::kInsertAt) != nullptr) {
    return Invalid("AT is not supported in insert statements." + At(tree_.PositionOf(node)));
  }
  if (tree_.Clause(node, Kind::kOnConflict) != nullptr) {
    return Invalid("Unsupported clause: ON CONFLICT");
  }
  Insert insert;
  insert.table = TRY(Path(target)).front().name;
  TRY_VOID(CheckTableName(insert.table));
  const Node& value = tree_.Child(node, 1);
  if (value.kind != Kind::kStruct) {
    return Invalid(
        "Unsupported format in item expression. Please use struct format {...} to express item "
        "values for insert statement." +
        At(tree_.PositionOf(value)));
  }
  std::vector<std::string> seen;
  for (const std::uint32_t number : value.children) {
    const Node& member = tree_.nodes[number];
    const Node& key = tree_.Child(member, 0);
    std::string name = TRY(ItemKey(key, seen));
    const Node& of = tree_.Child(member, 1);
    insert.item.emplace_back(std::move(name), TRY(Slot(of)));
  }
  return insert;
}

Result<Delete> Translator::TranslateDelete(const Node& node) {
  Delete deletion;
  deletion.table = TRY(WrittenTable(tree_.Child(node, 1)));
  deletion.where = TRY(OptionalWhere(node));
  deletion.returning = TRY(Returning(node));
  if (deletion.returning && *deletion.returning != ReturnValues::kAllOld) {
    const Node& element = tree_.Child(*tree_.Clause(node, Kind::kReturning), 0);
    std::string words = Upper(tree_.TokenOf(element).text);
    std::ranges::replace(words, '_', ' ');
    return Invalid("Invalid returning clause: RETURNING " + words +
                   " *. Only RETURNING ALL OLD * is allowed in DELETE statements.");
  }
  return deletion;
}

Result<std::optional<ReturnValues>> Translator::Returning(const Node& statement) const {
  const Node* clause = tree_.Clause(statement, Kind::kReturning);
  if (clause == nullptr) {
    return std::nullopt;
  }
  if (clause->children.size() > 1) {
    return Invalid("Invalid syntax with multiple returning elements in RETURNING clause");
  }
  const Node& element = tree_.Child(*clause, 0);
  if (!element.children.empty()) {
    return Invalid("Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause");
  }
  const std::string& word = tree_.TokenOf(element).text;
  if (word == "all_old") {
    return ReturnValues::kAllOld;
  }
  if (word == "all_new") {
    return ReturnValues::kAllNew;
  }
  return word == "modified_old" ? ReturnValues::kUpdatedOld : ReturnValues::kUpdatedNew;
}

Result<std::shared_ptr<const Statement>> Translate(std::string_view text) {
  const SyntaxTree tree = TRY(Parse(text));
  return std::make_shared<const Statement>(TRY(Translator(tree).Run()));
}

}  // namespace stator::partiql
