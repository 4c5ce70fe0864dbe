#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/patterns/requests.h"
#include "stator/stores/entities/detail/entity_core.h"
#include "stores/entities/cursor.h"
#include "stores/entities/failures.h"
#include "stores/entities/item_layout.h"

namespace stator::entities::detail {

Result<patterns::AccessPattern> EntityCore::PatternOf(const std::string& index) const {
  patterns::AccessPattern pattern{.name = entity().name + " " + index,
                                  .table = table(),
                                  .partition_key = entity().partition_key.attribute};
  if (index.empty()) {
    return pattern;
  }
  for (const IndexDescription& known : entity().indexes) {
    if (known.name == index) {
      pattern.index_name = index;
      pattern.partition_key = known.partition_key.attribute;
      pattern.local_index = known.local;
      return pattern;
    }
  }
  return Invalid("entity " + entity().name + " has no index " + index);
}

bool EntityCore::IsOurs(const Item& item) const {
  if (!layout_->keys().Matches(item)) {
    return false;
  }
  const AttributeValue* const key = item.Find(entity().partition_key.attribute);
  const auto* const text = key->If<std::string>();
  return text == nullptr || !(text->starts_with("UNIQUE#" + entity().name + "#") ||
                              text->starts_with("BACKFILL#" + entity().name + "#"));
}

std::string EntityCore::ScopeOf(std::string_view index, const AttributeValue& partition) const {
  Item scope{{"index", std::string(index)}, {"partition", partition}};
  return table().table_name + "\n" + patterns::KeyText(scope);
}

std::string EntityCore::CursorOf(const std::string& index, const AttributeValue& partition,
                                 const Item& next) const {
  return MakeCursor(ScopeOf(index, partition), next);
}

Result<patterns::LiveQuery> EntityCore::MakeQuery(
    std::string_view index, const Result<AttributeValue>& partition,
    const Result<patterns::Condition>& sort, const std::optional<Error>& wrong_filter,
    patterns::LiveQuery query, const std::optional<std::string>& start_after) const {
  if (wrong_filter) {
    return std::unexpected(*wrong_filter);
  }
  query.partition = TRY(partition);
  query.sort = TRY(sort);
  if (start_after) {
    query.start_after = TRY(ReadCursor(ScopeOf(index, query.partition), *start_after));
    const patterns::AccessPattern pattern = TRY(PatternOf(std::string(index)));
    const AttributeValue* const start = query.start_after->Find(pattern.partition_key);
    if (start == nullptr || *start != query.partition) {
      return Invalid("this is no cursor of this query");
    }
  }
  return query;
}

Result<patterns::LivePage> EntityCore::QueryOnce(const std::string& index,
                                                 const patterns::LiveQuery& query,
                                                 bool completes) const {
  Result<patterns::LivePage> page = QueryAll(index, query);
  if (!page) {
    return page;
  }
  std::erase_if(page->items, [&](const Item& item) { return !IsOurs(item); });
  if (completes) {
    TRY_VOID(Complete(index, page->items));
  }
  return page;
}

Result<void> EntityCore::Complete(const std::string& index, std::vector<Item>& items) const {
  std::vector<Item> keys;
  keys.reserve(items.size());
  for (const Item& item : items) {
    keys.push_back(TRY(patterns::KeyOf(table(), item)));
  }
  patterns::BatchReadOutcome read = batch_.Read(table(), keys, {.consistent_read = true});
  if (!read.complete()) {
    return std::unexpected(
        FromRead(read.error.value_or(Error{ErrorCode::kThrottled, "some keys were not read"})));
  }
  const auto& indexes = entity().indexes;
  const auto known = std::find_if(indexes.begin(), indexes.end(),
                                  [&](const auto& described) { return described.name == index; });
  const auto has_left = [&](const Item& before, const Item& now, const KeyDescription& key) {
    const AttributeValue* const was = before.Find(key.attribute);
    const AttributeValue* const is = now.Find(key.attribute);
    return was == nullptr || is == nullptr || *was != *is;
  };
  std::vector<Item> whole;
  for (std::size_t n = 0; n < items.size(); ++n) {
    std::optional<Item>& now = read.items[n];
    if (now && !has_left(items[n], *now, known->partition_key) &&
        (!known->sort_key || !has_left(items[n], *now, *known->sort_key))) {
      whole.push_back(*std::move(now));
    }
  }
  items = std::move(whole);
  return {};
}

Result<patterns::LivePage> EntityCore::QueryAll(const std::string& index,
                                                const patterns::LiveQuery& query) const {
  const patterns::AccessPattern pattern = TRY(PatternOf(index));
  patterns::LiveQuery asked = query;
  asked.filter = layout_->ConditionOf(query.filter);
  Result<patterns::LivePage> page = live_.QueryOnce(pattern, asked);
  if (!page) {
    return std::unexpected(FromRead(std::move(page).error()));
  }
  return *std::move(page);
}

Result<std::size_t> EntityCore::Count(const std::string& index,
                                      const patterns::LiveQuery& query) const {
  const patterns::AccessPattern pattern = TRY(PatternOf(index));
  patterns::LiveQuery asked = query;
  asked.filter = layout_->ConditionOf(query.filter);
  asked.attributes = table().key_attributes;
  asked.limit.reset();
  const std::size_t most = query.limit.value_or(static_cast<std::size_t>(-1));
  std::size_t count = 0;
  Result<void> walked = live_.ForEach(pattern, asked, [&](const Item& item) {
    count += IsOurs(item) ? 1 : 0;
    return count < most;
  });
  if (!walked) {
    return std::unexpected(FromRead(std::move(walked).error()));
  }
  return std::min(count, most);
}

}  // namespace stator::entities::detail
