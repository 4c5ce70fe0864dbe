#include "stator/mapping/detail/struct_codec.h"

#include <cstring>
#include <vector>

#include "base/check.h"
#include "stator/mapping/detail/enum_codec.h"

namespace stator::mapping {
namespace {

bool IsAmong(std::span<const std::string_view> names, std::string_view name) {
  return std::binary_search(names.begin(), names.end(), name);
}

// Without the order of the two, which == of the library computes.
bool IsSame(std::string_view left, std::string_view right) {
  return left.size() == right.size() && std::memcmp(left.data(), right.data(), left.size()) == 0;
}

unsigned char FirstOf(std::string_view name) {
  return name.empty() ? 0 : static_cast<unsigned char>(name.front());
}

// Negative, zero or positive. Most names that differ do so in their first byte, for which nobody
// has to be called. `first` is that of `right`.
int Order(const std::string& left, std::string_view right, unsigned char first) {
  const int firsts = static_cast<unsigned char>(left[0]) - first;  // that of an empty string is 0
  return firsts != 0 ? firsts : left.compare(right);
}

// Long enough for any name that somebody would give an enumerator; what is longer is something
// else.
constexpr std::size_t kShownNameMax = 64;

template <class Value, class MapType>
Value* FindAlias(MapType& map, const FieldOptions& options) {
  for (const std::string_view alias : options.aliases) {
    Value* stored = alias.empty() ? nullptr : map.Find(alias);
    if (stored != nullptr) {
      return stored;
    }
  }
  return nullptr;
}

// The value of the field's attribute. `at` moves through the map with the fields, as both are
// sorted.
template <class Value, class MapType, class Iterator>
Value* TakeStored(MapType& map, Iterator& at, const FieldOptions& options) {
  const auto end = map.end();
  const unsigned char first = FirstOf(options.name);
  for (; at != end; ++at) {
    const int order = Order(at->first, options.name, first);
    if (order == 0) {
      return &(at++)->second;
    }
    if (order > 0) {
      break;
    }
  }
  return FindAlias<Value>(map, options);
}

template <class Value>
bool DecodeField(Value* stored, const DecodeStep<Value>& step, void* member, Problem& problem) {
  if (stored != nullptr) {
    return step.decode(*stored, *step.options, member, problem);
  }
  if (step.may_be_absent) {
    // What was empty was written as nothing.
    // NOLINTNEXTLINE(misc-const-correctness): a decoder of what may be changed takes it as such.
    std::remove_const_t<Value> nothing;
    return step.decode(nothing, *step.options, member, problem);
  }
  if (step.options->required.value_or(true)) {
    return problem.Missing(step.type.has_value() ? TypeName(*step.type) : "a value");
  }
  return true;
}

template <class Value, class MapType>
bool Decode(MapType& map, std::span<const DecodeStep<Value>> steps, void* object,
            Problem& problem) {
  auto at = map.begin();
  const auto end = map.end();
  for (const DecodeStep<Value>& step : steps) {
    // Mostly the next attribute is the next field.
    Value* stored = at != end && IsSame(at->first, step.options->name)
                        ? &(at++)->second
                        : TakeStored<Value>(map, at, *step.options);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the object is not const.
    if (!DecodeField(stored, step, const_cast<void*>(step.member(object)), problem)) {
      return problem.At(step.options->name);
    }
  }
  return true;
}

}  // namespace

bool EncodeFields(const void* object, std::span<const EncodeStep> steps, std::size_t room, Map& out,
                  Problem& problem) {
  std::vector<Map::value_type> entries;
  entries.reserve(steps.size() + room);
  for (const EncodeStep& step : steps) {
    const void* member = step.member(object);
    if (step.is_default != nullptr && step.is_default(member)) {
      continue;
    }
    AttributeValue& encoded = entries.emplace_back(step.options->name, AttributeValue()).second;
    switch (step.encode(member, *step.options, encoded, problem)) {
      case Encoded::kValue:
        break;
      case Encoded::kAbsent:
        entries.pop_back();
        break;
      case Encoded::kFailed:
        return problem.At(step.options->name);
    }
  }
  CHECK(out.AssignSorted(std::move(entries)));  // the steps are in the order of the names
  return true;
}

bool DecodeFields(const Map& map, std::span<const DecodeStep<const AttributeValue>> steps,
                  void* object, Problem& problem) {
  return Decode(map, steps, object, problem);
}

bool DecodeFields(Map& map, std::span<const DecodeStep<AttributeValue>> steps, void* object,
                  Problem& problem) {
  return Decode(map, steps, object, problem);
}

const AttributeValue* FindStored(const Map& map, const FieldOptions& options) {
  auto at = map.begin();
  return TakeStored<const AttributeValue>(map, at, options);
}

Item AttributesBeside(const Map& map, std::span<const std::string_view> known,
                      std::string_view ignored) {
  Item unknown;
  for (const auto& [name, value] : map) {
    if (name != ignored && !IsAmong(known, name)) {
      unknown.Append(name, value);
    }
  }
  return unknown;
}

bool AddUnknown(const Item& unknown, std::span<const std::string_view> known, Map& map,
                Problem& problem) {
  if (unknown.empty()) {
    return true;
  }
  std::vector<Map::value_type> entries(std::make_move_iterator(map.begin()),
                                       std::make_move_iterator(map.end()));
  for (const auto& [name, value] : unknown) {
    if (IsAmong(known, name)) {
      problem.WrongType("no unknown attribute with the name of a field", value);
      return problem.At(name);
    }
    entries.emplace_back(name, value);
  }
  map.Assign(std::move(entries));
  return true;
}

void CarryAttributes(const Map& from, std::span<const std::string_view> known, Map& to) {
  auto field = known.begin();
  for (const auto& [name, value] : from) {
    // Both are sorted, and mostly the next attribute is the next field.
    int order = -1;
    for (; field != known.end(); ++field) {
      order = Order(name, *field, FirstOf(*field));
      if (order <= 0) {
        break;
      }
    }
    if (field != known.end() && order == 0) {
      ++field;
    } else if (!to.contains(name)) {
      to.Set(name, value);
    }
  }
}

bool RefuseEnumerator(const AttributeValue& found, std::span<const std::string_view> names,
                      Problem& problem) {
  std::string expected = "S, one of";
  for (const std::string_view name : names) {
    expected.append(expected.ends_with(" of") ? " " : ", ").append(name);
  }
  const auto* text = found.If<std::string>();
  if (text == nullptr || text->size() > kShownNameMax) {
    return problem.WrongType(std::move(expected), found);
  }
  return problem.Expected(std::move(expected), "\"" + *text + "\"");
}

}  // namespace stator::mapping
