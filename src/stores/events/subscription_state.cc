#include "stores/events/subscription_state.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stores/events/event_store_core.h"
#include "stores/events/item_fields.h"
#include "stores/events/parked_rows.h"

namespace stator::events {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

List ToList(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

std::vector<std::string> TextsOf(const Map& map, std::string_view name) {
  std::vector<std::string> texts;
  const AttributeValue* value = map.Find(name);
  const List* list = value == nullptr ? nullptr : value->If<List>();
  for (const AttributeValue& text : list == nullptr ? List() : *list) {
    if (const auto* plain = text.If<std::string>()) {
      texts.push_back(*plain);
    }
  }
  return texts;
}

Result<List> ListField(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  const List* list = value == nullptr ? nullptr : value->If<List>();
  if (list == nullptr) {
    return Fail(ErrorCode::kCorruption, "a subscription has no usable " + std::string(name));
  }
  return *list;
}

Result<Map> MapOf(const AttributeValue& value) {
  const Map* map = value.If<Map>();
  if (map == nullptr) {
    return Fail(ErrorCode::kCorruption, "an entry of a subscription is no map");
  }
  return *map;
}

Map EncodeEntry(const OutEntry& entry) {
  Map map{{"p", entry.position}, {"i", entry.event_id}, {"a", entry.attempts},
          {"u", entry.until_ms}, {"l", entry.lease},    {"c", entry.consumer}};
  if (entry.parked) {
    map.Set("r", *entry.parked);
  }
  return map;
}

Result<OutEntry> DecodeEntry(const Map& map) {
  OutEntry entry{.position = TRY(CountField(map, "p")), .event_id = TRY(TextField(map, "i"))};
  entry.attempts = static_cast<int>(TRY(CountField(map, "a")));
  entry.until_ms = static_cast<std::int64_t>(TRY(CountField(map, "u")));
  entry.lease = TextOr(map, "l");
  entry.consumer = TextOr(map, "c");
  if (map.contains("r")) {
    entry.parked = TextOr(map, "r");
  }
  return entry;
}

}  // namespace

std::int64_t NowMs(const EventStore& store) {
  return duration_cast<milliseconds>(store.environment().clock->Now().time_since_epoch()).count();
}

void EncodeState(const SubscriptionState& state, Item& item) {
  const auto ms = [](Duration duration) { return duration_cast<milliseconds>(duration).count(); };
  List query;
  for (const QueryItem& wanted : state.options.query.items) {
    query.emplace_back(Map{{"types", ToList(wanted.types)}, {"tags", ToList(wanted.tags)}});
  }
  List out;
  for (const OutEntry& entry : state.out) {
    out.emplace_back(EncodeEntry(entry));
  }
  item.Set("query", std::move(query));
  item.Set("since", state.options.since.value_or(SortableId()).ToText());
  item.Set("leaseMs", ms(state.options.lease));
  item.Set("attemptsMax", state.options.attempts_max);
  item.Set("retryWaitMs", ms(state.options.retry_wait));
  item.Set("retryWaitMaxMs", ms(state.options.retry_wait_max));
  item.Set("inFlightMax", state.options.in_flight_max);
  if (state.cursor) {
    item.Set("last", state.cursor->sortable_id.ToText());
    item.Set("lastId", state.cursor->event_id);
    item.Set("lastPosition", state.cursor->position);
  }
  item.Set("out", std::move(out));
}

Result<SubscriptionState> DecodeState(const Item& item) {
  SubscriptionState state;
  for (const AttributeValue& value : TRY(ListField(item, "query"))) {
    const Map map = TRY(MapOf(value));
    state.options.query.items.push_back(
        {.types = TextsOf(map, "types"), .tags = TextsOf(map, "tags")});
  }
  if (const SortableId since = TRY(IdField(item, "since")); since != SortableId()) {
    state.options.since = since;
  }
  const auto span = [&](std::string_view name) -> Result<Duration> {
    return Duration(milliseconds(TRY(CountField(item, name))));
  };
  state.options.lease = TRY(span("leaseMs"));
  state.options.attempts_max = static_cast<int>(TRY(CountField(item, "attemptsMax")));
  state.options.retry_wait = TRY(span("retryWaitMs"));
  state.options.retry_wait_max = TRY(span("retryWaitMaxMs"));
  state.options.in_flight_max = static_cast<int>(TRY(CountField(item, "inFlightMax")));
  if (item.contains("last")) {
    state.cursor =
        Cursor(TRY(IdField(item, "last")), TextOr(item, "lastId"), CountOr(item, "lastPosition"));
  }
  for (const AttributeValue& value : TRY(ListField(item, "out"))) {
    const Map map = TRY(MapOf(value));
    state.out.push_back(TRY(DecodeEntry(map)));
  }
  return state;
}

patterns::VersionedItems StatesOf(EventStore& store) {
  return {store.database(),
          EventStoreCoreOf(store).states_table,
          {.retry = store.options().retry},
          store.environment()};
}

Result<SubscriptionState> ReadState(EventStore& store, const std::string& name) {
  const auto found = TRY(StatesOf(store).Read(EventStoreCoreOf(store).keys.Subscription(name)));
  if (!found) {
    return Fail(ErrorCode::kNotFound, "there is no subscription " + name);
  }
  return DecodeState(found->item);
}

Result<SubscriptionState> ChangeState(
    EventStore& store, const std::string& name,
    const std::function<Result<bool>(SubscriptionState&)>& change) {
  SubscriptionState state;
  const auto apply = [&](Item& item) -> Result<patterns::Verdict> {
    state = TRY(DecodeState(item));
    const bool write = TRY(change(state));
    EncodeState(state, item);
    return write ? patterns::Verdict::kWrite : patterns::Verdict::kLeave;
  };
  const auto changed = StatesOf(store).Modify(EventStoreCoreOf(store).keys.Subscription(name),
                                              apply, {.retry = store.options().retry});
  if (!changed && changed.error().code == ErrorCode::kNotFound) {
    return Fail(ErrorCode::kNotFound, "there is no subscription " + name);
  }
  if (!changed) {
    return std::unexpected(changed.error());
  }
  return state;
}

Result<void> ParkMarked(EventStore& store, const std::string& name,
                        const SubscriptionState& state) {
  std::vector<std::uint64_t> parked;
  for (const OutEntry& entry : state.out) {
    if (!entry.parked) {
      continue;
    }
    TRY_VOID(WriteParked(store, EventStoreCoreOf(store).keys.Parked(name, entry.position),
                         {.position = entry.position,
                          .event_id = entry.event_id,
                          .attempts = entry.attempts,
                          .reason = *entry.parked}));
    parked.push_back(entry.position);
  }
  if (parked.empty()) {
    return {};
  }
  TRY_VOID(ChangeState(store, name, [&](SubscriptionState& now) -> Result<bool> {
    return std::erase_if(now.out, [&](const OutEntry& entry) {
             return entry.parked &&
                    std::find(parked.begin(), parked.end(), entry.position) != parked.end();
           }) > 0;
  }));
  return {};
}

}  // namespace stator::events
