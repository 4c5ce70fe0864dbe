// Making, looking at and removing subscriptions, and what is parked.

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/requests.h"
#include "stator/stores/events/subscription.h"
#include "stores/events/event_store_core.h"
#include "stores/events/item_fields.h"
#include "stores/events/page_cursor.h"
#include "stores/events/parked_rows.h"
#include "stores/events/read_retry.h"
#include "stores/events/subscription_state.h"
#include "value/check_value.h"

namespace stator::events {
namespace {

constexpr int kInFlightMost = 1000;

Result<void> CheckName(const std::string& name) {
  constexpr std::size_t kNameBytesMax = 128;
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (name.empty() || name.size() > kNameBytesMax || !value::IsUtf8(name) ||
      std::any_of(name.begin(), name.end(), is_control)) {
    return Invalid(
        "the name of a subscription has 1 to 128 bytes of UTF-8 without control characters");
  }
  return {};
}

Result<void> CheckSubscription(const EventStore& store, const SubscriptionOptions& options) {
  TRY_VOID(CheckQuery(options.query));
  if (store.options().read_only) {
    return Invalid("the event store was opened for reading only");
  }
  const Duration moment = std::chrono::milliseconds(1);
  if (options.lease < moment || options.retry_wait < Duration::zero() ||
      options.retry_wait_max < options.retry_wait) {
    return Invalid(
        "a subscription's lease has a millisecond at least, and its longest wait is not "
        "shorter than the first");
  }
  if (options.attempts_max < 1 || options.in_flight_max < 1 ||
      options.in_flight_max > kInFlightMost) {
    return Invalid("a subscription has 1 attempt at least, and 1 to 1000 events in flight");
  }
  return {};
}

bool SameOptions(const SubscriptionOptions& left, const SubscriptionOptions& right) {
  Item one;
  Item other;
  EncodeState({.options = left, .cursor = {}, .out = {}}, one);
  EncodeState({.options = right, .cursor = {}, .out = {}}, other);
  return one == other;
}

Result<std::vector<Item>> ReadPartition(EventStore& store, const std::string& partition,
                                        const std::string& prefix) {
  EventStoreCore& core = EventStoreCoreOf(store);
  PageCursor cursor(core, {.table_name = core.options.projection_states_table_name,
                           .partition_attribute = "pk",
                           .partition = partition,
                           .sort_attribute = "sk",
                           .consistent = true});
  std::vector<Item> items;
  for (const Item* item = TRY(cursor.Peek()); item != nullptr; item = TRY(cursor.Peek())) {
    if (TextOr(*item, "sk").starts_with(prefix)) {
      items.push_back(*item);
    }
    cursor.Pop();
  }
  return items;
}

Result<bool> RemoveItem(EventStore& store, const Item& key) {
  DeleteItemInput remove = patterns::MakeDelete(store.options().projection_states_table_name, key);
  remove.return_values = ReturnValues::kAllOld;
  const DeleteItemOutput output =
      TRY(RetryRead(EventStoreCoreOf(store), [&] { return store.database().DeleteItem(remove); }));
  return output.attributes.has_value();
}

}  // namespace

Result<void> Subscriptions::Create(const std::string& name, const SubscriptionOptions& options) {
  TRY_VOID(CheckName(name));
  TRY_VOID(CheckSubscription(*store_, options));
  const EventStoreCore& core = EventStoreCoreOf(*store_);
  // First, so that every one that exists is listed.
  TRY_VOID(RetryRead(EventStoreCoreOf(*store_), [&] {
    return store_->database().PutItem({.table_name = core.options.projection_states_table_name,
                                       .item = core.keys.SubscriptionEntry(name)});
  }));
  Item item = core.keys.Subscription(name);
  EncodeState({.options = options, .cursor = {}, .out = {}}, item);
  const auto made = StatesOf(*store_).Insert(item);
  if (made) {
    return {};
  }
  if (made.error().code != ErrorCode::kAlreadyExists) {
    return std::unexpected(made.error());
  }
  if (!SameOptions(TRY(ReadState(*store_, name)).options, options)) {
    return stator::Fail(ErrorCode::kAlreadyExists,
                        "there is a subscription " + name + " with other options");
  }
  return {};
}

Result<bool> Subscriptions::Remove(const std::string& name) {
  const EventStoreCore& core = EventStoreCoreOf(*store_);
  const bool there = TRY(RemoveItem(*store_, core.keys.Subscription(name)));
  for (const Item& parked :
       TRY(ReadPartition(*store_, core.keys.SubscriptionPartition(name), "PARKED#"))) {
    TRY_VOID(RemoveItem(*store_, {{"pk", parked.at("pk")}, {"sk", parked.at("sk")}}));
  }
  TRY_VOID(RemoveItem(*store_, core.keys.SubscriptionEntry(name)));
  return there;
}

Result<std::vector<std::string>> Subscriptions::List() {
  std::vector<std::string> names;
  for (const Item& entry :
       TRY(ReadPartition(*store_, EventStoreCoreOf(*store_).keys.SubscriptionsPartition(), ""))) {
    names.push_back(TextOr(entry, "sk"));
  }
  return names;
}

Result<SubscriptionInfo> Subscriptions::Describe(const std::string& name) {
  SubscriptionState state = TRY(ReadState(*store_, name));
  SubscriptionInfo info{.name = name, .options = std::move(state.options), .cursor = state.cursor};
  const std::int64_t now = NowMs(*store_);
  for (const OutEntry& entry : state.out) {
    const bool is_leased = !entry.consumer.empty() && entry.until_ms > now;
    ++(entry.parked ? info.parked : is_leased ? info.leased : info.waiting);
  }
  info.parked += TRY(ListParked(name)).size();
  std::optional<Cursor> from = state.cursor;
  if (!from && info.options.since) {
    from = Cursor(*info.options.since);
  }
  info.behind = TRY(store_->CountEvents(from));
  return info;
}

Result<std::vector<ParkedEvent>> Subscriptions::ListParked(const std::string& name) {
  const SubscriptionState state = TRY(ReadState(*store_, name));
  TRY_VOID(ParkMarked(*store_, name, state));
  return ReadParked(*store_, EventStoreCoreOf(*store_).keys.SubscriptionPartition(name), "PARKED#");
}

Result<void> Subscriptions::Replay(const std::string& name, std::uint64_t position) {
  const std::vector<ParkedEvent> all = TRY(ListParked(name));
  const auto parked = std::find_if(
      all.begin(), all.end(), [&](const ParkedEvent& event) { return event.position == position; });
  if (parked == all.end()) {
    return stator::Fail(ErrorCode::kNotFound,
                        "the event at position " + std::to_string(position) + " is not parked");
  }
  // Out first: rather twice than not at all.
  TRY_VOID(ChangeState(*store_, name, [&](SubscriptionState& state) -> Result<bool> {
    const bool is_out = std::any_of(state.out.begin(), state.out.end(), [&](const OutEntry& entry) {
      return entry.position == position;
    });
    if (!is_out && static_cast<int>(state.out.size()) >= state.options.in_flight_max) {
      return stator::Fail(ErrorCode::kLimitExceeded,
                          "as many events are out as may be; acknowledge some first");
    }
    if (!is_out) {
      state.out.push_back({.position = position, .event_id = parked->event_id});
    }
    return !is_out;
  }));
  return Drop(name, position);
}

Result<void> Subscriptions::Drop(const std::string& name, std::uint64_t position) {
  return RemoveParked(*store_, EventStoreCoreOf(*store_).keys.Parked(name, position), position);
}

}  // namespace stator::events
