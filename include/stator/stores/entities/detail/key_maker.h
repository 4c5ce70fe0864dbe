// Key attributes from fields, by templates that were taken apart once.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/entities/entity_description.h"
#include "stator/stores/entities/entity_traits.h"
#include "stator/value/attribute_value.h"

namespace stator::entities::detail {

// A field by its stored name.
struct NamedField {
  std::string_view name;
  AttributeValue value = {};
};

class AttributeMaker {
 public:
  explicit AttributeMaker(const KeyDescription& key);

  [[nodiscard]] const std::string& attribute() const { return attribute_; }

  // Nothing when a field is missing. Fails with kValidation when the text would be that of other
  // fields, too, or the fields have other types.
  [[nodiscard]] Result<std::optional<AttributeValue>> Make(const Item& fields) const;
  [[nodiscard]] Result<std::optional<AttributeValue>> Make(
      std::span<const NamedField> fields) const;

  // What an attribute begins with whose first fields are these: up to the next field, or, when it is
  // `open`, only to the end of the last of them. All of them, in the order of the template.
  struct Beginning {
    AttributeValue value = {};
    bool whole = false;  // nothing follows
  };
  [[nodiscard]] Result<Beginning> Begin(std::span<const NamedField> fields, bool open) const;
  // The text before the first field.
  [[nodiscard]] std::string_view lead() const;

  // Whether the template can have made this value.
  [[nodiscard]] bool Matches(const AttributeValue& value) const;

 private:
  friend class KeyMaker;

  // Whether no field is missing.
  template <class Fields>
  [[nodiscard]] Result<bool> MakeInto(const Fields& fields, AttributeValue& made) const;
  template <class Fields>
  [[nodiscard]] Result<std::optional<AttributeValue>> MakeOf(const Fields& fields) const;

  struct Part {
    std::string text;   // behind the field
    std::string field;  // empty in the first part of a template that begins with text
    std::size_t digits = 0;
    bool last = false;  // no field follows
  };

  [[nodiscard]] static Result<void> CheckEnd(const Part& part, std::string_view text,
                                             std::size_t begin, std::size_t end);

  std::string attribute_;
  ScalarAttributeType type_;
  bool alone_;
  std::vector<Part> parts_;
};

class KeyMaker {
 public:
  KeyMaker(const KeyDescription& partition_key, const std::optional<KeyDescription>& sort_key);

  // The key of an entity with these fields.
  [[nodiscard]] Result<Item> Make(const Item& fields) const;
  [[nodiscard]] Result<Item> Make(std::span<const NamedField> fields) const;

  // Whether the item can be one of the entity, by its key: in a table of several entities those of
  // the others are not (shared_table.h).
  [[nodiscard]] bool Matches(const Item& item) const;

 private:
  template <class Fields>
  [[nodiscard]] Result<Item> MakeOf(const Fields& fields) const;

  std::vector<AttributeMaker> makers_;
};

template <class T>
std::optional<KeyDescription> DescribeSortKey() {
  if constexpr (HasSortKey<T>()) {
    return DescribeKey<T>(EntityTraits<T>::kSortKey, "sk");
  } else {
    return std::nullopt;
  }
}

template <class T>
const KeyMaker& KeyMakerOf() {
  static const KeyMaker maker(DescribeKey<T>(EntityTraits<T>::kPartitionKey, "pk"),
                              DescribeSortKey<T>());
  return maker;
}

}  // namespace stator::entities::detail
