#include "stator/stores/entities/shared_table.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "base/try.h"
#include "stator/stores/entities/entity_traits.h"

namespace stator::entities {
namespace {

// One place of a template: a character, a digit, or a field of any text.
struct Place {
  enum class Kind : unsigned char { kCharacter, kDigit, kAnyText } kind;
  char character = '\0';
};

std::vector<Place> PlacesOf(std::string_view text) {
  std::vector<Place> places;
  while (!text.empty()) {
    detail::TemplatePart part;
    if (!detail::TakePart(text, part)) {
      break;
    }
    for (const char character : part.text) {
      places.push_back({.kind = Place::Kind::kCharacter, .character = character});
    }
    if (!part.field.empty() && part.digits == 0) {
      places.push_back({.kind = Place::Kind::kAnyText});
    }
    places.insert(places.end(), part.digits, {.kind = Place::Kind::kDigit});
  }
  return places;
}

bool MayBeEqual(const Place& left, const Place& right) {
  const auto is_digit = [](const Place& place) {
    return place.kind == Place::Kind::kDigit || (place.character >= '0' && place.character <= '9');
  };
  if (left.kind == Place::Kind::kCharacter && right.kind == Place::Kind::kCharacter) {
    return left.character == right.character;
  }
  return is_digit(left) && is_digit(right);
}

// Whether there is a text that both templates can make.
bool Overlap(const KeyDescription& left, const KeyDescription& right) {
  if (left.type != right.type || left.type != ScalarAttributeType::kString) {
    return left.type == right.type;
  }
  const std::vector<Place> lefts = PlacesOf(left.text);
  const std::vector<Place> rights = PlacesOf(right.text);
  const auto is_any = [](const std::vector<Place>& places, std::size_t at) {
    return at < places.size() && places[at].kind == Place::Kind::kAnyText;
  };
  // reached[i][j]: what is behind the i-th place of the one and the j-th of the other can be equal.
  std::vector<std::vector<bool>> reached(lefts.size() + 1,
                                         std::vector<bool>(rights.size() + 1, false));
  for (std::size_t i = lefts.size() + 1; i-- > 0;) {
    for (std::size_t j = rights.size() + 1; j-- > 0;) {
      const bool left_ended = i == lefts.size();
      const bool right_ended = j == rights.size();
      bool can = left_ended && right_ended;
      if (is_any(lefts, i)) {
        can = can || reached[i + 1][j] || (!right_ended && reached[i][j + 1]);
      }
      if (is_any(rights, j)) {
        can = can || reached[i][j + 1] || (!left_ended && reached[i + 1][j]);
      }
      if (!left_ended && !right_ended && !is_any(lefts, i) && !is_any(rights, j)) {
        can = can || (MayBeEqual(lefts[i], rights[j]) && reached[i + 1][j + 1]);
      }
      reached[i][j] = can;
    }
  }
  return reached[0][0];
}

// The template without the names of its fields.
std::string FormOf(std::string_view text) {
  std::string form;
  while (!text.empty()) {
    detail::TemplatePart part;
    if (!detail::TakePart(text, part)) {
      break;
    }
    form += part.text;
    if (!part.field.empty()) {
      form += "{:" + std::to_string(part.digits) + "}";
    }
  }
  return form;
}

bool HaveSameAttribute(const KeyDescription& left, const KeyDescription& right) {
  return left.attribute == right.attribute && left.type == right.type;
}

Result<void> CheckPair(const EntityDescription& left, const EntityDescription& right) {
  const std::string both = "entities " + left.name + " and " + right.name;
  if (left.name == right.name) {
    return Invalid("two entities of one table are called " + left.name);
  }
  if (!HaveSameAttribute(left.partition_key, right.partition_key) ||
      left.sort_key.has_value() != right.sort_key.has_value() ||
      (left.sort_key && !HaveSameAttribute(*left.sort_key, *right.sort_key))) {
    return Invalid(both + " have other key attributes, so they cannot be in one table");
  }
  if (Overlap(left.partition_key, right.partition_key) &&
      (!left.sort_key || Overlap(*left.sort_key, *right.sort_key))) {
    return Invalid(both + " may have the same key, so they cannot be in one table");
  }
  return {};
}

}  // namespace

Result<void> CheckShared(const std::vector<EntityDescription>& entities) {
  for (std::size_t left = 0; left < entities.size(); ++left) {
    for (std::size_t right = left + 1; right < entities.size(); ++right) {
      TRY_VOID(CheckPair(entities[left], entities[right]));
    }
  }
  return {};
}

Result<void> CheckSamePartitions(const std::vector<EntityDescription>& entities) {
  for (const EntityDescription& entity : entities) {
    const EntityDescription& first = entities.front();
    if (FormOf(entity.partition_key.text) != FormOf(first.partition_key.text)) {
      return Invalid("entities " + first.name + " and " + entity.name +
                     " are in other partitions, so no query brings both");
    }
  }
  return {};
}

}  // namespace stator::entities
