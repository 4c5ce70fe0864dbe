// Working on a subscription.

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/patterns/versioning.h"
#include "stator/stores/events/subscription.h"
#include "stores/events/append_waiter.h"
#include "stores/events/parked_rows.h"
#include "stores/events/payload_blobs.h"
#include "stores/events/subscription_state.h"

namespace stator::events {
namespace {

std::int64_t CountMs(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

std::int64_t WaitMsOf(const SubscriptionOptions& options, int attempts) {
  Duration wait = options.retry_wait;
  for (int attempt = 1; attempt < attempts && wait < options.retry_wait_max; ++attempt) {
    wait *= 2;
  }
  return CountMs(std::min(wait, options.retry_wait_max));
}

// What failed or lapsed waits, or is parked if that was often enough.
void GiveBack(const SubscriptionOptions& options, std::int64_t now, const std::string& reason,
              OutEntry& entry) {
  entry.lease.clear();
  entry.consumer.clear();
  entry.until_ms = now + WaitMsOf(options, entry.attempts);
  if (entry.attempts >= options.attempts_max) {
    entry.parked = ShortReason(reason);
  }
}

// Entries that can be dealt out now get the lease; those whose lease ran out too often are parked.
std::size_t LeaseAgain(SubscriptionState& state, std::int64_t now, const OutEntry& lease,
                       std::size_t most) {
  std::size_t leased = 0;
  for (OutEntry& entry : state.out) {
    if (entry.parked || entry.until_ms > now) {
      continue;
    }
    if (!entry.consumer.empty() && entry.attempts >= state.options.attempts_max) {
      GiveBack(state.options, now, "its lease ran out, last of " + entry.consumer, entry);
      continue;
    }
    if (leased < most) {
      ++leased;
      ++entry.attempts;
      entry.lease = lease.lease;
      entry.consumer = lease.consumer;
      entry.until_ms = lease.until_ms;
    }
  }
  return leased;
}

// What follows in the log.
Result<std::vector<Event>> LeaseNew(EventStore& store, SubscriptionState& state,
                                    const OutEntry& lease, std::size_t most) {
  const auto room = static_cast<std::size_t>(state.options.in_flight_max);
  most = std::min(most, room > state.out.size() ? room - state.out.size() : 0);
  if (most == 0) {
    return std::vector<Event>();
  }
  ReadOptions read{
      .query = state.options.query, .since = state.cursor, .limit = most, .load_payloads = false};
  if (!read.since && state.options.since) {
    read.since = Cursor(*state.options.since);
  }
  std::vector<Event> events = TRY(store.ReadList(read));
  for (const Event& event : events) {
    state.cursor = event.cursor();
    state.out.push_back({.position = event.position,
                         .event_id = event.id,
                         .attempts = 1,
                         .until_ms = lease.until_ms,
                         .lease = lease.lease,
                         .consumer = lease.consumer});
  }
  return events;
}

// The event of an entry, of which this round may have read all but a large payload.
Result<Event> ReadEntry(EventStore& store, const OutEntry& entry, std::vector<Event>& fresh) {
  const auto found = std::find_if(fresh.begin(), fresh.end(), [&](const Event& event) {
    return event.position == entry.position;
  });
  if (found == fresh.end()) {
    return store.ReadEvent(entry.event_id);
  }
  TRY_VOID(LoadPayload(EventStoreCoreOf(store), *found));
  return std::move(*found);
}

bool IsOf(const OutEntry& entry, const Delivery& delivery) {
  return entry.position == delivery.event.position;
}

// Does something to the entries of deliveries. One that is gone was acknowledged, perhaps by an
// attempt whose answer was lost. Fails with kLeaseLost when one is somebody else's.
Result<void> ChangeEntries(EventStore& store, const std::string& subscription,
                           const std::vector<Delivery>& deliveries,
                           const std::function<bool(const SubscriptionOptions&, OutEntry&)>& keep) {
  std::vector<std::uint64_t> lost;
  const SubscriptionState state =
      TRY(ChangeState(store, subscription, [&](SubscriptionState& now) -> Result<bool> {
        lost.clear();
        bool changed = false;
        for (const Delivery& delivery : deliveries) {
          const auto entry = std::find_if(now.out.begin(), now.out.end(),
                                          [&](const OutEntry& out) { return IsOf(out, delivery); });
          if (entry == now.out.end()) {
            continue;
          }
          if (entry->lease != delivery.lease) {
            lost.push_back(entry->position);
            continue;
          }
          changed = true;
          if (!keep(now.options, *entry)) {
            now.out.erase(entry);
          }
        }
        return changed;
      }));
  TRY_VOID(ParkMarked(store, subscription, state));
  if (!lost.empty()) {
    return stator::Fail(ErrorCode::kLeaseLost, "the lease of the event at position " +
                                                   std::to_string(lost.front()) +
                                                   " ran out, and somebody else may have it now");
  }
  return {};
}

}  // namespace

Consumer::Consumer(EventStore& store, std::string subscription, ConsumerOptions options)
    : store_(&store), subscription_(std::move(subscription)), options_(std::move(options)) {}
Consumer::~Consumer() = default;

Result<std::unique_ptr<Consumer>> Consumer::Open(EventStore& store, std::string subscription,
                                                 ConsumerOptions options) {
  if (options.batch == 0 || options.name.empty()) {
    return Invalid("a consumer has a name and takes at least one event at a time");
  }
  if (store.options().read_only) {
    return Invalid("the event store was opened for reading only");
  }
  TRY_VOID(ReadState(store, subscription));
  std::unique_ptr<Consumer> consumer(
      new Consumer(store, std::move(subscription), std::move(options)));
  consumer->waiter_ =
      TRY(AppendWaiter::Open(EventStoreCoreOf(store),
                             {consumer->options_.poll_interval, consumer->options_.stream_interval},
                             consumer->options_.use_stream));
  return consumer;
}

Result<std::vector<Delivery>> Consumer::Take() {
  OutEntry lease{.lease = patterns::MakeWriteId(*store_->environment().random),
                 .consumer = options_.name};
  std::vector<Event> fresh;
  const auto take = [&](SubscriptionState& now) -> Result<bool> {
    const std::vector<OutEntry> before = now.out;
    const std::int64_t time = NowMs(*store_);
    lease.until_ms = time + CountMs(now.options.lease);
    const std::size_t again = LeaseAgain(now, time, lease, options_.batch);
    fresh = TRY(LeaseNew(*store_, now, lease, options_.batch - again));
    return now.out != before;
  };
  const SubscriptionState state = TRY(ChangeState(*store_, subscription_, take));
  TRY_VOID(ParkMarked(*store_, subscription_, state));
  std::vector<Delivery> deliveries;
  for (const OutEntry& entry : state.out) {
    if (entry.lease != lease.lease) {
      continue;
    }
    Delivery delivery{.event = {}, .attempt = entry.attempts, .lease = entry.lease};
    delivery.event.position = entry.position;
    if (Result<Event> event = ReadEntry(*store_, entry, fresh)) {
      delivery.event = *std::move(event);
      deliveries.push_back(std::move(delivery));
    } else if (patterns::IsTransient(event.error().code)) {
      return std::unexpected(event.error());
    } else {
      // One that cannot be read must not be in the way of the others.
      TRY_VOID(Fail(delivery, event.error().message));
    }
  }
  std::sort(deliveries.begin(), deliveries.end(), [](const Delivery& left, const Delivery& right) {
    return left.event.position < right.event.position;
  });
  return deliveries;
}

Result<std::vector<Delivery>> Consumer::Next(const std::stop_token& stop) {
  do {
    std::vector<Delivery> deliveries = TRY(Take());
    if (!deliveries.empty()) {
      return deliveries;
    }
  } while (waiter_->Wait(stop));
  return std::vector<Delivery>();
}

Result<void> Consumer::Acknowledge(const std::vector<Delivery>& deliveries) {
  return ChangeEntries(*store_, subscription_, deliveries,
                       [](const SubscriptionOptions&, OutEntry&) { return false; });
}

Result<void> Consumer::Fail(const Delivery& delivery, const std::string& reason) {
  return ChangeEntries(*store_, subscription_, {delivery},
                       [&](const SubscriptionOptions& options, OutEntry& entry) {
                         GiveBack(options, NowMs(*store_), reason, entry);
                         return true;
                       });
}

Result<void> Consumer::Renew(const std::vector<Delivery>& deliveries) {
  return ChangeEntries(*store_, subscription_, deliveries,
                       [&](const SubscriptionOptions& options, OutEntry& entry) {
                         entry.until_ms = NowMs(*store_) + CountMs(options.lease);
                         return true;
                       });
}

Result<void> Consumer::Run(const std::stop_token& stop,
                           const std::function<Result<void>(const Event&)>& work) {
  while (!stop.stop_requested()) {
    const std::vector<Delivery> deliveries = TRY(Next(stop));
    std::vector<Delivery> done;
    std::vector<Delivery> left;
    for (const Delivery& delivery : deliveries) {
      if (stop.stop_requested()) {
        left.push_back(delivery);
        continue;
      }
      if (const Result<void> worked = work(delivery.event)) {
        done.push_back(delivery);
      } else if (const Result<void> failed = Fail(delivery, worked.error().message);
                 !failed && failed.error().code != ErrorCode::kLeaseLost) {
        return failed;
      }
    }
    if (const Result<void> noted = Acknowledge(done);
        !noted && noted.error().code != ErrorCode::kLeaseLost) {
      return noted;
    }
    // It was no attempt: others have it at once.
    TRY_VOID(ChangeEntries(*store_, subscription_, left,
                           [](const SubscriptionOptions&, OutEntry& entry) {
                             --entry.attempts;
                             entry.lease.clear();
                             entry.consumer.clear();
                             entry.until_ms = 0;
                             return true;
                           }));
  }
  return {};
}

}  // namespace stator::events
