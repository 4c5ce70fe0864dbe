#include "stator/patterns/update.h"

#include <iterator>

namespace stator::patterns {

namespace {

ExpressionPiece Text(std::string text) {
  return {ExpressionPiece::Text{std::move(text)}};
}

void Append(const ExpressionPieces& more, ExpressionPieces& pieces) {
  pieces.insert(pieces.end(), more.begin(), more.end());
}

ExpressionPieces Call(const char* function, const ExpressionPieces& first,
                      const ExpressionPieces& second) {
  ExpressionPieces pieces = {Text(std::string(function) + "(")};
  Append(first, pieces);
  pieces.push_back(Text(", "));
  Append(second, pieces);
  pieces.push_back(Text(")"));
  return pieces;
}

ExpressionPieces PathAndValue(const Attribute& attribute, const char* between,
                              const ExpressionPieces& value) {
  ExpressionPieces pieces;
  pieces.reserve(attribute.pieces().size() + 1 + value.size());
  Append(attribute.pieces(), pieces);
  pieces.push_back(Text(between));
  Append(value, pieces);
  return pieces;
}

ExpressionPieces ValuePieces(AttributeValue value) {
  return {{ExpressionPiece::Value{std::move(value)}}};
}

}  // namespace

UpdateValue IfNotExists(const Attribute& attribute, const UpdateValue& value) {
  return UpdateValue(Call("if_not_exists", attribute.pieces(), value.pieces()));
}

UpdateValue Sum(const UpdateValue& left, const UpdateValue& right) {
  ExpressionPieces pieces = left.pieces();
  pieces.push_back(Text(" + "));
  Append(right.pieces(), pieces);
  return UpdateValue(std::move(pieces));
}

UpdateValue ListAppend(const UpdateValue& first, const UpdateValue& second) {
  return UpdateValue(Call("list_append", first.pieces(), second.pieces()));
}

Update& Update::Set(const Attribute& attribute, const UpdateValue& value) {
  sets_.push_back(PathAndValue(attribute, " = ", value.pieces()));
  return *this;
}

Update& Update::SetIfMissing(const Attribute& attribute, const UpdateValue& value) {
  return Set(attribute, IfNotExists(attribute, value));
}

Update& Update::Append(const Attribute& attribute, List members) {
  return Set(attribute, ListAppend(IfNotExists(attribute, List{}), std::move(members)));
}

Update& Update::Add(const Attribute& attribute, AttributeValue value) {
  adds_.push_back(PathAndValue(attribute, " ", ValuePieces(std::move(value))));
  return *this;
}

Update& Update::Remove(const Attribute& attribute) {
  removes_.push_back(attribute.pieces());
  return *this;
}

Update& Update::Delete(const Attribute& attribute, AttributeValue members) {
  deletes_.push_back(PathAndValue(attribute, " ", ValuePieces(std::move(members))));
  return *this;
}

Update Update::Inside(std::string_view map) const {
  const auto inside = [&](const std::vector<ExpressionPieces>& changes) {
    std::vector<ExpressionPieces> moved;
    moved.reserve(changes.size());
    for (const ExpressionPieces& change : changes) {
      moved.push_back(PiecesInside(map, change));
    }
    return moved;
  };
  Update update;
  update.sets_ = inside(sets_);
  update.removes_ = inside(removes_);
  update.adds_ = inside(adds_);
  update.deletes_ = inside(deletes_);
  return update;
}

Update& Update::Merge(const Update& other) {
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): `other` may be this very object.
  const Update copy = other;
  const auto join = [](const std::vector<ExpressionPieces>& more,
                       std::vector<ExpressionPieces>& changes) {
    changes.insert(changes.end(), more.begin(), more.end());
  };
  join(copy.sets_, sets_);
  join(copy.removes_, removes_);
  join(copy.adds_, adds_);
  join(copy.deletes_, deletes_);
  return *this;
}

bool Update::empty() const {
  return sets_.empty() && removes_.empty() && adds_.empty() && deletes_.empty();
}

}  // namespace stator::patterns
