// Persistent subscriptions: events dealt out to whoever works on them, each until it was
// acknowledged.
//
//   Subscriptions(store).Create("mails", {.query = {{.types = {"Subscribed"}}}});
//   auto consumer = Consumer::Open(store, "mails", {.name = "host-1"});
//   (*consumer)->Run(stop, [](const Event& event) -> Result<void> { return SendMail(event); });
//
// Any number of consumers, in any number of processes, share a subscription. What one takes is leased
// to it. What it neither acknowledges nor renews in time, and what it fails, is dealt out again, later
// each time; after `attempts_max` times it is parked, and waits for somebody to look (ListParked,
// Replay, Drop). So every event is worked on at least once, and one that nobody can work on keeps
// nobody from the others. Events go out in their order; with several consumers or a failure they are
// not finished in it, unless in_flight_max is 1.
//
// HOW: one item has the place in the log and what is out, and every step is one conditional write of
// it. COST: two requests for taking, two for acknowledging, however many events; the item grows with
// what is out.
// ERRORS: kNotFound when there is no such subscription; kLeaseLost for an event that was meanwhile
// given to somebody else.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/stores/events/event.h"
#include "stator/stores/events/event_query.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/parked_event.h"

namespace stator::events {

class AppendWaiter;

// Recorded when it is made. Times count in milliseconds.
struct SubscriptionOptions {
  EventQuery query = {};
  std::optional<SortableId> since = std::nullopt;  // exclusive; absent: from the first event
  Duration lease = std::chrono::seconds(30);
  int attempts_max = 5;
  // Before an event that failed is dealt out again; twice as long each time.
  Duration retry_wait = std::chrono::seconds(1);
  Duration retry_wait_max = std::chrono::minutes(5);
  int in_flight_max = 500;  // 1 to 1000
};

struct SubscriptionInfo {
  std::string name;
  SubscriptionOptions options;
  std::optional<Cursor> cursor;  // behind the last event that was ever dealt out
  std::uint64_t behind = 0;      // events of the store behind it, whether they match or not
  std::uint64_t leased = 0;
  std::uint64_t waiting = 0;  // to be dealt out again
  std::uint64_t parked = 0;
};

// THREADS: every method may be called from many threads. The store must outlive it.
class Subscriptions {
 public:
  explicit Subscriptions(EventStore& store) : store_(&store) {}

  // Once more with the same options does nothing; with others it is kAlreadyExists. A name has 1 to
  // 128 bytes of UTF-8 without control characters.
  Result<void> Create(const std::string& name, const SubscriptionOptions& options = {});
  // With what is parked. Whether there was one.
  Result<bool> Remove(const std::string& name);
  // Sorted.
  Result<std::vector<std::string>> List();
  Result<SubscriptionInfo> Describe(const std::string& name);

  // By position.
  Result<std::vector<ParkedEvent>> ListParked(const std::string& name);
  // Deals a parked event out again, as if for the first time; kNotFound when it is not parked.
  Result<void> Replay(const std::string& name, std::uint64_t position);
  // Forgets that it is parked.
  Result<void> Drop(const std::string& name, std::uint64_t position);

 private:
  EventStore* store_;
};

struct Delivery {
  Event event;
  int attempt = 1;    // the how manieth time it is dealt out
  std::string lease;  // which Take gave it
};

struct ConsumerOptions {
  std::string name = "consumer";  // for people who look
  std::size_t batch = 10;
  Duration poll_interval = std::chrono::seconds(1);  // as of followers (event_follower.h)
  Duration stream_interval = std::chrono::milliseconds(250);
  bool use_stream = true;
};

// THREADS: one at a time, but Renew. The store must outlive it.
class Consumer {
 public:
  static Result<std::unique_ptr<Consumer>> Open(EventStore& store, std::string subscription,
                                                ConsumerOptions options = {});
  Consumer(const Consumer&) = delete;
  Consumer& operator=(const Consumer&) = delete;
  ~Consumer();

  // What there is to do now, perhaps nothing.
  Result<std::vector<Delivery>> Take();
  // Waits for it. Empty only when it was told to stop.
  Result<std::vector<Delivery>> Next(const std::stop_token& stop);

  // They are done. Those that somebody else has now are kLeaseLost, after the others were noted.
  Result<void> Acknowledge(const std::vector<Delivery>& deliveries);
  // It was not possible. The first 500 bytes of the reason are kept.
  Result<void> Fail(const Delivery& delivery, const std::string& reason);
  // Begins their leases anew; kLeaseLost as above.
  Result<void> Renew(const std::vector<Delivery>& deliveries);

  // Takes, calls `work` for each, acknowledges or fails it, until it is told to stop. What was taken
  // and not begun then is given back. Fails when the store does.
  Result<void> Run(const std::stop_token& stop,
                   const std::function<Result<void>(const Event&)>& work);

 private:
  Consumer(EventStore& store, std::string subscription, ConsumerOptions options);

  EventStore* store_;
  std::string subscription_;
  ConsumerOptions options_;
  std::unique_ptr<AppendWaiter> waiter_;
};

}  // namespace stator::events
