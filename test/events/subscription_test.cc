// Persistent subscriptions: what is dealt out to whom, how often, and what becomes of what nobody can
// work on. The clock moves only when the test says so, or somebody sleeps.

#include "stator/stores/events/subscription.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <thread>

#include "events/events_test.h"
#include "stator/base/mutex.h"
#include "stator/blobs/blob_store.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

using std::chrono::seconds;

class SubscriptionTest : public EventsTest {
 protected:
  void SetUp() override {
    EventsTest::SetUp();
    subscriptions_ = std::make_unique<Subscriptions>(*store_);
  }

  void Create(const SubscriptionOptions& options = {}) {
    const auto created = subscriptions_->Create("mails", options);
    ASSERT_TRUE(created.has_value()) << created.error().message;
  }

  std::unique_ptr<Consumer> OpenConsumer(const std::string& name, std::size_t batch = 10) {
    auto consumer = Consumer::Open(*store_, "mails", {.name = name, .batch = batch});
    EXPECT_TRUE(consumer.has_value()) << consumer.error().message;
    return consumer ? *std::move(consumer) : nullptr;
  }

  void AppendSome(int from, int count) {
    for (int number = from; number < from + count; ++number) {
      Append({Fact("A", {"x:1"}, std::to_string(number))});
    }
  }

  static std::vector<Delivery> Take(Consumer& consumer) {
    auto deliveries = consumer.Take();
    EXPECT_TRUE(deliveries.has_value()) << deliveries.error().message;
    return deliveries.value_or(std::vector<Delivery>());
  }

  static Texts Payloads(const std::vector<Delivery>& deliveries) {
    Texts payloads;
    for (const Delivery& delivery : deliveries) {
      payloads.push_back(delivery.event.payload);
    }
    return payloads;
  }

  SubscriptionInfo Describe() {
    const auto info = subscriptions_->Describe("mails");
    EXPECT_TRUE(info.has_value()) << info.error().message;
    return info.value_or(SubscriptionInfo());
  }

  std::unique_ptr<Subscriptions> subscriptions_;
};

TEST_F(SubscriptionTest, EachEventIsOneConsumersUntilItIsAcknowledged) {
  AppendSome(1, 5);
  Append({Fact("B", {"x:1"}, "other")});
  Create({.query = EventQuery{{.types = {"A"}}}});
  auto ann = OpenConsumer("ann", 2);
  auto bob = OpenConsumer("bob", 2);
  const std::vector<Delivery> first = Take(*ann);
  EXPECT_EQ(Payloads(first), (Texts{"1", "2"}));
  EXPECT_EQ(Payloads(Take(*bob)), (Texts{"3", "4"}));
  EXPECT_EQ(Payloads(Take(*ann)), (Texts{"5"}));
  EXPECT_TRUE(Take(*bob).empty());
  EXPECT_EQ(Describe().leased, 5U);
  ASSERT_TRUE(ann->Acknowledge(first).has_value());
  EXPECT_EQ(Describe().leased, 3U);
  // Once more does no harm.
  EXPECT_TRUE(ann->Acknowledge(first).has_value());
  AppendSome(6, 1);
  EXPECT_EQ(Payloads(Take(*bob)), (Texts{"6"}));
}

TEST_F(SubscriptionTest, ALeaseThatRunsOutIsSomebodyElses) {
  AppendSome(1, 2);
  Create({.lease = seconds(10)});
  auto ann = OpenConsumer("ann");
  auto bob = OpenConsumer("bob");
  const std::vector<Delivery> hers = Take(*ann);
  clock_.Advance(seconds(9));
  ASSERT_TRUE(ann->Renew(hers).has_value());
  clock_.Advance(seconds(9));
  EXPECT_TRUE(Take(*bob).empty());
  clock_.Advance(seconds(2));
  EXPECT_EQ(Describe().waiting, 2U);
  const std::vector<Delivery> his = Take(*bob);
  EXPECT_EQ(Payloads(his), (Texts{"1", "2"}));
  EXPECT_EQ(his.front().attempt, 2);
  EXPECT_EQ(ann->Acknowledge(hers).error().code, ErrorCode::kLeaseLost);
  EXPECT_EQ(ann->Renew(hers).error().code, ErrorCode::kLeaseLost);
  EXPECT_TRUE(bob->Acknowledge(his).has_value());
  // They are done; what she says does not matter any more.
  EXPECT_TRUE(ann->Acknowledge(hers).has_value());
  EXPECT_EQ(Describe().leased + Describe().waiting, 0U);
}

TEST_F(SubscriptionTest, WhatFailsComesAgainLaterEachTimeAndIsParkedAtLast) {
  AppendSome(1, 2);
  Create({.attempts_max = 3, .retry_wait = seconds(1), .retry_wait_max = seconds(60)});
  auto ann = OpenConsumer("ann");
  std::vector<Delivery> taken = Take(*ann);
  ASSERT_EQ(taken.size(), 2U);
  ASSERT_TRUE(ann->Acknowledge({taken[1]}).has_value());
  for (const int wait : {1, 2}) {
    ASSERT_TRUE(ann->Fail(taken[0], "no server").has_value());
    EXPECT_TRUE(Take(*ann).empty());
    clock_.Advance(seconds(wait) - std::chrono::milliseconds(1));
    EXPECT_TRUE(Take(*ann).empty());
    clock_.Advance(std::chrono::milliseconds(1));
    taken = Take(*ann);
    ASSERT_EQ(Payloads(taken), (Texts{"1"})) << wait;
  }
  EXPECT_EQ(taken[0].attempt, 3);
  ASSERT_TRUE(ann->Fail(taken[0], "no server, " + std::string(1000, 'x')).has_value());
  clock_.Advance(std::chrono::hours(1));
  EXPECT_TRUE(Take(*ann).empty());
  const auto parked = subscriptions_->ListParked("mails");
  ASSERT_EQ(parked->size(), 1U);
  EXPECT_EQ(parked->front().position, 1U);
  EXPECT_EQ(parked->front().attempts, 3);
  EXPECT_TRUE(parked->front().reason.starts_with("no server"));
  EXPECT_EQ(parked->front().reason.size(), 500U);
  EXPECT_EQ(Describe().parked, 1U);
  AppendSome(3, 1);
  EXPECT_EQ(Payloads(Take(*ann)), (Texts{"3"}));
}

TEST_F(SubscriptionTest, AConsumerThatDiesEachTimeParksItsEvent) {
  AppendSome(1, 1);
  Create({.lease = seconds(1), .attempts_max = 2});
  auto ann = OpenConsumer("ann");
  for (int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_EQ(Take(*ann).size(), 1U);
    clock_.Advance(seconds(10));
  }
  EXPECT_TRUE(Take(*ann).empty());
  const auto parked = subscriptions_->ListParked("mails");
  ASSERT_EQ(parked->size(), 1U);
  EXPECT_TRUE(parked->front().reason.contains("ann")) << parked->front().reason;
}

TEST_F(SubscriptionTest, WhatIsParkedCanBeReplayedAndDropped) {
  AppendSome(1, 2);
  Create({.attempts_max = 1});
  auto ann = OpenConsumer("ann");
  for (const Delivery& delivery : Take(*ann)) {
    ASSERT_TRUE(ann->Fail(delivery, "bad").has_value());
  }
  ASSERT_EQ(subscriptions_->ListParked("mails")->size(), 2U);
  ASSERT_TRUE(subscriptions_->Replay("mails", 1).has_value());
  EXPECT_EQ(subscriptions_->Replay("mails", 1).error().code, ErrorCode::kNotFound);
  const std::vector<Delivery> again = Take(*ann);
  ASSERT_EQ(Payloads(again), (Texts{"1"}));
  EXPECT_EQ(again[0].attempt, 1);
  ASSERT_TRUE(ann->Acknowledge(again).has_value());
  ASSERT_TRUE(subscriptions_->Drop("mails", 2).has_value());
  EXPECT_EQ(subscriptions_->Drop("mails", 2).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(subscriptions_->ListParked("mails")->empty());
  EXPECT_TRUE(Take(*ann).empty());
}

TEST_F(SubscriptionTest, NoMoreAreOutThanMayBe) {
  AppendSome(1, 4);
  Create({.in_flight_max = 1});
  auto ann = OpenConsumer("ann");
  for (int number = 1; number <= 4; ++number) {
    const std::vector<Delivery> one = Take(*ann);
    ASSERT_EQ(Payloads(one), (Texts{std::to_string(number)})) << "in order, one by one";
    EXPECT_TRUE(Take(*ann).empty());
    ASSERT_TRUE(ann->Acknowledge(one).has_value());
  }
}

TEST_F(SubscriptionTest, BeginsWhereItIsTold) {
  AppendSome(1, 3);
  Create({.since = Read()[1].sortable_id});
  EXPECT_EQ(Describe().behind, 1U);
  auto ann = OpenConsumer("ann");
  EXPECT_EQ(Payloads(Take(*ann)), (Texts{"3"}));
  EXPECT_EQ(Describe().behind, 0U);
}

TEST_F(SubscriptionTest, AreMadeOnceListedAndRemoved) {
  Create({.attempts_max = 2});
  EXPECT_TRUE(subscriptions_->Create("mails", {.attempts_max = 2}).has_value());
  EXPECT_EQ(subscriptions_->Create("mails", {.attempts_max = 3}).error().code,
            ErrorCode::kAlreadyExists);
  ASSERT_TRUE(subscriptions_->Create("a#strange/name").has_value());
  EXPECT_EQ(*subscriptions_->List(), (Texts{"a#strange/name", "mails"}));
  for (const auto& [name, options] : std::map<std::string, SubscriptionOptions>{
           {"", {}},
           {"new\nline", {}},
           {std::string(129, 'x'), {}},
           {"lease", {.lease = Duration::zero()}},
           {"attempts", {.attempts_max = 0}},
           {"flight", {.in_flight_max = 1001}},
           {"query", {.query = EventQuery{{.tags = {""}}}}}}) {
    EXPECT_EQ(subscriptions_->Create(name, options).error().code, ErrorCode::kValidation) << name;
  }
  AppendSome(1, 1);
  auto ann = OpenConsumer("ann");
  ASSERT_TRUE(*subscriptions_->Remove("mails"));
  EXPECT_FALSE(*subscriptions_->Remove("mails"));
  EXPECT_EQ(ann->Take().error().code, ErrorCode::kNotFound);
  EXPECT_EQ(subscriptions_->Describe("mails").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Consumer::Open(*store_, "typo").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(*subscriptions_->List(), (Texts{"a#strange/name"}));
}

TEST_F(SubscriptionTest, AnEventThatCannotBeReadIsParkedAndInNobodysWay) {
  const auto directory =
      std::filesystem::temp_directory_path() / ("stator-parked-" + SystemRandom().Uuid());
  auto blobs = *OpenFileBlobs(directory.string());
  store_ = Open(home_->database(), {.blobs = blobs.get()});
  subscriptions_ = std::make_unique<Subscriptions>(*store_);
  Append({Fact("A", {}, std::string(500'000, 'x'))});
  AppendSome(2, 1);
  ASSERT_TRUE(blobs->Remove(blobs->Describe("default")->front().key).has_value());
  Create({.attempts_max = 1});
  auto ann = OpenConsumer("ann");
  EXPECT_EQ(Payloads(Take(*ann)), (Texts{"2"}));
  EXPECT_EQ(subscriptions_->ListParked("mails")->size(), 1U);
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
}

TEST_F(SubscriptionTest, RunWorksUntilItIsToldToStopAndGivesBackWhatItDidNotBegin) {
  AppendSome(1, 4);
  Create({.attempts_max = 2, .retry_wait = seconds(1)});
  auto ann = OpenConsumer("ann");
  std::stop_source stop;
  Texts seen;
  const auto ran = ann->Run(stop.get_token(), [&](const Event& event) -> Result<void> {
    seen.push_back(event.payload);
    if (event.payload == "3") {
      stop.request_stop();
    }
    return event.payload == "1" ? Result<void>(stator::Fail(ErrorCode::kRefused, "no"))
                                : Result<void>();
  });
  ASSERT_TRUE(ran.has_value()) << ran.error().message;
  EXPECT_EQ(seen, (Texts{"1", "2", "3"}));
  auto bob = OpenConsumer("bob");
  const std::vector<Delivery> rest = Take(*bob);
  ASSERT_EQ(Payloads(rest), (Texts{"4"}));
  EXPECT_EQ(rest[0].attempt, 1);
  clock_.Advance(seconds(1));
  EXPECT_EQ(Payloads(Take(*bob)), (Texts{"1"}));
}

// Whatever becomes of requests and answers: every event is worked on, and none by two at a time.
TEST_F(SubscriptionTest, ManyConsumersWorkOnEveryEventAlthoughAnswersGetLost) {
  constexpr int kEvents = 60;
  AppendSome(0, kEvents);
  Create({.lease = std::chrono::hours(1), .attempts_max = 1000, .retry_wait = {}});
  support::FaultyDatabase faulty(home_->database());
  Mutex mutex;
  std::map<std::string, int> done;
  std::atomic<int> left = kEvents;
  {
    std::vector<std::jthread> threads;
    for (int number = 0; number < 3; ++number) {
      threads.emplace_back([&, number] {
        SeededRandom random(static_cast<std::uint64_t>(number));
        patterns::Environment environment{.clock = &SystemClock(), .random = &random};
        auto store = EventStore::Open(faulty, Quiet({}), environment);
        ASSERT_TRUE(store.has_value()) << store.error().message;
        auto consumer =
            Consumer::Open(*store, "mails", {.name = std::to_string(number), .batch = 3});
        ASSERT_TRUE(consumer.has_value()) << consumer.error().message;
        faulty.SetRates({.lost_before = 0.03, .lost_after = 0.05, .unavailable = 0.03});
        for (int round = 0; round < 2000 && left > 0; ++round) {
          const auto taken = (*consumer)->Take();
          for (const Delivery& delivery : taken.value_or(std::vector<Delivery>())) {
            const MutexLock lock(mutex);
            left -= done[delivery.event.payload]++ == 0 ? 1 : 0;
          }
          if (taken) {
            static_cast<void>((*consumer)->Acknowledge(*taken));
          }
        }
      });
    }
  }
  EXPECT_EQ(done.size(), static_cast<std::size_t>(kEvents));
  for (const auto& [payload, count] : done) {
    EXPECT_EQ(count, 1) << payload;
  }
}

}  // namespace
}  // namespace stator::events
