#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/try.h"
#include "expression/key_condition.h"

namespace stator::expression {
namespace {

using Kind = KeyComparison::Kind;

const KeyComparison* Find(std::span<const KeyComparison> comparisons, std::string_view attribute) {
  const auto found = std::ranges::find(comparisons, attribute, &KeyComparison::attribute);
  return found == comparisons.end() ? nullptr : &*found;
}

std::unexpected<Error> NotSupported() {
  return Invalid("Query key condition not supported");
}

std::unexpected<Error> Missed(const KeyAttribute& attribute) {
  return Invalid("Query condition missed key schema element: " + std::string(attribute.name));
}

std::size_t BytesOf(const AttributeValue& value) {
  if (const auto* text = value.If<std::string>()) {
    return text->size();
  }
  const auto* binary = value.If<Binary>();
  return binary != nullptr ? binary->bytes.size() : 1;
}

Error EmptyValue(const KeySchema& schema, const KeyAttribute& attribute,
                 const AttributeValue& value) {
  std::string empty = "The AttributeValue for a key attribute cannot contain an empty ";
  empty += value.Is<std::string>() ? "string value." : "binary value.";
  std::string message = "One or more parameter values are not valid. ";
  if (schema.index_name.empty()) {
    message += empty + " Key: " + std::string(attribute.name);
  } else {
    message += "A value specified for a secondary index key is not supported. " + empty +
               " IndexName: " + std::string(schema.index_name) +
               ", IndexKey: " + std::string(attribute.name);
  }
  return {.code = ErrorCode::kValidation, .message = std::move(message)};
}

// A value that an attribute of the key could have.
Result<void> CheckValue(const KeySchema& schema, const KeyAttribute& attribute,
                        const AttributeValue& value, bool is_sort) {
  if (value.type() != attribute.type) {
    return Invalid(
        "One or more parameter values were invalid: Condition parameter type does not match "
        "schema type");
  }
  const std::size_t bytes = BytesOf(value);
  if (bytes == 0) {
    return std::unexpected(EmptyValue(schema, attribute, value));
  }
  if (is_sort && bytes > limits::kSortKeyBytesMax) {
    return Invalid(
        "One or more parameter values were invalid: Aggregated size of all range keys has "
        "exceeded the size limit of 1024 bytes");
  }
  return {};
}

Result<void> CheckComparison(const KeySchema& schema, const KeyAttribute& attribute,
                             const KeyComparison& comparison, bool is_sort) {
  if (comparison.kind == Kind::kNotIndexable) {
    return is_sort ? Invalid("Attempted conditional constraint is not an indexable operation")
                   : NotSupported();
  }
  TRY_VOID(CheckValue(schema, attribute, *comparison.value, is_sort));
  if (comparison.second != nullptr) {
    TRY_VOID(CheckValue(schema, attribute, *comparison.second, is_sort));
  }
  return {};
}

void AppendName(std::string_view name, std::string& names) {
  names += names.empty() ? "" : ", ";
  names += name;
}

// The attributes, as a list of names, that are not compared with '='.
std::string NotEqual(std::span<const KeyAttribute> attributes,
                     std::span<const KeyComparison> comparisons) {
  std::string names;
  for (const KeyAttribute& attribute : attributes) {
    const KeyComparison* comparison = Find(comparisons, attribute.name);
    if (comparison == nullptr || comparison->kind != Kind::kEqual) {
      AppendName(attribute.name, names);
    }
  }
  return names;
}

// The rules of keys with one partition attribute and at most one sort attribute, in the order in
// which the service looks at them.
Result<void> CheckSimpleKey(std::span<const KeyComparison> comparisons, const KeySchema& schema) {
  const std::size_t attributes = 1 + schema.sort.size();
  if (comparisons.size() > attributes) {
    return Invalid("The number of query conditions (" + std::to_string(comparisons.size()) +
                   ") exceeds the number of key attributes defined in the schema (" +
                   std::to_string(attributes) + ")");
  }
  const KeyAttribute& partition = schema.partition.front();
  const KeyComparison* equal = Find(comparisons, partition.name);
  if (equal == nullptr) {
    return Missed(partition);
  }
  TRY_VOID(CheckComparison(schema, partition, *equal, false));
  if (equal->kind != Kind::kEqual) {
    return NotSupported();
  }
  if (comparisons.size() == 1) {
    return {};
  }
  const KeyAttribute& sort = schema.sort.front();
  const KeyComparison* range = Find(comparisons, sort.name);
  if (range == nullptr) {
    return Missed(sort);
  }
  return CheckComparison(schema, sort, *range, true);
}

// The rules of keys with more attributes.
Result<void> CheckCompositeKey(std::span<const KeyComparison> comparisons,
                               const KeySchema& schema) {
  if (comparisons.size() > schema.partition.size() + schema.sort.size()) {
    return NotSupported();
  }
  if (const std::string missing = NotEqual(schema.partition, comparisons); !missing.empty()) {
    return Invalid("HASH key attributes " + missing +
                   " must have equality conditions specified in the query");
  }
  std::size_t known = schema.partition.size();
  for (std::size_t i = schema.sort.size(); i-- > 0;) {
    if (Find(comparisons, schema.sort[i].name) == nullptr) {
      continue;
    }
    ++known;
    const std::string missing = NotEqual(schema.sort.first(i), comparisons);
    if (!missing.empty()) {
      return Invalid("RANGE key attributes " + missing +
                     " must have equality conditions specified in the query because a condition "
                     "is present on key attribute " +
                     std::string(schema.sort[i].name));
    }
  }
  if (known < comparisons.size()) {
    const auto absent = std::ranges::find_if(schema.sort, [&](const KeyAttribute& attribute) {
      return Find(comparisons, attribute.name) == nullptr;
    });
    return absent == schema.sort.end() ? Result<void>(NotSupported()) : Missed(*absent);
  }
  for (const KeyAttribute& attribute : schema.partition) {
    TRY_VOID(CheckComparison(schema, attribute, *Find(comparisons, attribute.name), false));
  }
  for (const KeyAttribute& attribute : schema.sort) {
    const KeyComparison* comparison = Find(comparisons, attribute.name);
    if (comparison == nullptr) {
      break;
    }
    TRY_VOID(CheckComparison(schema, attribute, *comparison, true));
  }
  return {};
}

}  // namespace

Result<MatchedKeyCondition> MatchKeySchema(std::span<const KeyComparison> comparisons,
                                           const KeySchema& schema) {
  const bool simple = schema.partition.size() == 1 && schema.sort.size() <= 1;
  TRY_VOID(simple ? CheckSimpleKey(comparisons, schema) : CheckCompositeKey(comparisons, schema));
  MatchedKeyCondition range;
  range.partition.reserve(schema.partition.size());
  for (const KeyAttribute& attribute : schema.partition) {
    range.partition.push_back(Find(comparisons, attribute.name)->value);
  }
  for (const KeyAttribute& attribute : schema.sort) {
    const KeyComparison* comparison = Find(comparisons, attribute.name);
    if (comparison == nullptr) {
      break;
    }
    if (comparison->kind != Kind::kEqual) {
      range.sort_range = *comparison;
      range.sort_range->attribute = attribute.name;
      break;
    }
    range.sort_equal.push_back(comparison->value);
  }
  return range;
}

}  // namespace stator::expression
