#include "expression/words.h"

#include <utility>

namespace stator::expression {

std::string_view LongTypeName(AttributeValue::Type type) {
  using Type = AttributeValue::Type;
  switch (type) {
    case Type::kNull:
      return "NULL";
    case Type::kBool:
      return "BOOLEAN";
    case Type::kString:
      return "STRING";
    case Type::kNumber:
      return "NUMBER";
    case Type::kBinary:
      return "BINARY";
    case Type::kStringSet:
      return "STRING_SET";
    case Type::kNumberSet:
      return "NUMBER_SET";
    case Type::kBinarySet:
      return "BINARY_SET";
    case Type::kList:
      return "LIST";
    case Type::kMap:
      return "MAP";
  }
  std::unreachable();
}

}  // namespace stator::expression
