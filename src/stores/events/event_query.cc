#include "stator/stores/events/event_query.h"

#include <algorithm>

namespace stator::events {
namespace {

constexpr std::size_t kQueryItemsMax = 100;
constexpr std::size_t kPartsMax = 100;

bool Contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool HasEmpty(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(), [](const auto& text) { return text.empty(); });
}

}  // namespace

bool QueryItem::Matches(const std::string& type, const std::vector<std::string>& tags_of) const {
  return (types.empty() || Contains(types, type)) &&
         std::all_of(tags.begin(), tags.end(),
                     [&](const std::string& tag) { return Contains(tags_of, tag); });
}

bool EventQuery::matches_all() const {
  return items.empty() || std::any_of(items.begin(), items.end(),
                                      [](const auto& item) { return item.matches_all(); });
}

bool EventQuery::Matches(const Event& event) const {
  return items.empty() || std::any_of(items.begin(), items.end(), [&](const QueryItem& item) {
           return item.Matches(event.type, event.tags);
         });
}

Result<void> CheckQuery(const EventQuery& query) {
  if (query.items.size() > kQueryItemsMax) {
    return Invalid("a query has at most 100 items");
  }
  for (const QueryItem& item : query.items) {
    if (item.types.size() > kPartsMax || item.tags.size() > kPartsMax) {
      return Invalid("an item of a query has at most 100 types and 100 tags");
    }
    if (HasEmpty(item.types) || HasEmpty(item.tags)) {
      return Invalid("a type or tag of a query is empty");
    }
  }
  return {};
}

}  // namespace stator::events
