#include "partiql/answer.h"

#include <algorithm>
#include <utility>

namespace stator::partiql {
namespace {

const AttributeValue* Find(const std::vector<PathElement>& path, const Item& item) {
  const AttributeValue* value = item.Find(path.front().name);
  for (std::size_t i = 1; value != nullptr && i < path.size(); ++i) {
    if (path[i].is_index) {
      const auto* list = value->If<List>();
      value = list != nullptr && path[i].index < list->size() ? &(*list)[path[i].index] : nullptr;
    } else {
      const auto* map = value->If<Map>();
      value = map != nullptr ? map->Find(path[i].name) : nullptr;
    }
  }
  return value;
}

// The first element after the list indexes that the name shows; the end when there are none.
std::size_t NamedEnd(const std::vector<PathElement>& path) {
  const auto index = std::ranges::find_if(path, &PathElement::is_index);
  const auto end = std::find_if(index, path.end(), [](const auto& each) { return !each.is_index; });
  return static_cast<std::size_t>(end - path.begin());
}

}  // namespace

std::string AnswerName(const std::vector<PathElement>& path) {
  const std::size_t end = NamedEnd(path);
  std::size_t begin = end - 1;
  while (path[begin].is_index) {
    --begin;
  }
  std::string name = path[begin].name;
  for (std::size_t i = begin + 1; i < end; ++i) {
    name += '[' + std::to_string(path[i].index) + ']';
  }
  return name;
}

Item Answer(const std::vector<Projected>& projection, const Item& item) {
  Item answer;
  for (const Projected& projected : projection) {
    const AttributeValue* found = Find(projected.path, item);
    if (found == nullptr) {
      continue;
    }
    AttributeValue value = *found;
    for (std::size_t i = projected.path.size(); i-- > NamedEnd(projected.path);) {
      if (projected.path[i].is_index) {
        value = AttributeValue(List{std::move(value)});
      } else {
        Map map;
        map.Set(projected.path[i].name, std::move(value));
        value = AttributeValue(std::move(map));
      }
    }
    answer.Set(AnswerName(projected.path), std::move(value));
  }
  return answer;
}

}  // namespace stator::partiql
