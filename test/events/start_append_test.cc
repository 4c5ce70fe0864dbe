// Appends with a completion: each is answered exactly once, by a thread of the store and never within
// the call, whatever becomes of it; and what many of them are told is true.

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <latch>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <semaphore>
#include <thread>

#include "events/events_test.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/event_log.h"
#include "stores/events/event_store_core.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

using support::Fault;
using support::FaultyDatabase;

// What completions are told, by number.
class Answers {
 public:
  explicit Answers(std::size_t count)
      : answers_(count), left_(static_cast<std::ptrdiff_t>(count)) {}

  Completion<Appended> Expect(std::size_t number) {
    return [this, number](Result<Appended> answer) {
      {
        const std::scoped_lock lock(mutex_);
        EXPECT_FALSE(answers_[number].has_value()) << "answered twice: " << number;
        answers_[number] = std::move(answer);
      }
      left_.count_down();
    };
  }

  // When all have come.
  std::vector<Result<Appended>> Await() {
    left_.wait();
    return Take();
  }
  std::vector<Result<Appended>> Take() {
    const std::scoped_lock lock(mutex_);
    std::vector<Result<Appended>> all;
    for (std::optional<Result<Appended>>& answer : answers_) {
      EXPECT_TRUE(answer.has_value()) << "not answered: " << all.size();
      all.push_back(answer ? *std::move(answer) : Result<Appended>());
    }
    return all;
  }

 private:
  std::mutex mutex_;
  std::vector<std::optional<Result<Appended>>> answers_;
  std::latch left_;
};

class StartAppendTest : public EventsTest {
 protected:
  static Result<Appended> Await(EventStore& store, std::vector<NewEvent> events,
                                AppendOptions options = {}) {
    Answers answers(1);
    store.StartAppend(std::move(events), std::move(options), answers.Expect(0));
    return answers.Await().front();
  }

  void ExpectWhole(std::size_t events) {
    const auto report = VerifyEvents(*store_);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_TRUE(report->clean()) << report->problems.front();
    EXPECT_EQ(report->events, events);
  }
};

TEST_F(StartAppendTest, AnswersAsTheCallThatWaits) {
  const auto appended = Await(*store_, {Fact("A", {"x:1"}, "one"), Fact("B", {"x:2"}, "two")},
                              {.append_id = "first"});
  ASSERT_TRUE(appended.has_value()) << appended.error().message;
  ASSERT_EQ(appended->events.size(), 2U);
  EXPECT_FALSE(appended->repeated);
  EXPECT_EQ(store_->ReadEvent(appended->events[1].id)->payload, "two");
  EXPECT_EQ(appended->events[1].position, 2U);

  const auto again = Await(*store_, {Fact("A", {"x:1"}, "one"), Fact("B", {"x:2"}, "two")},
                           {.append_id = "first"});
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(again->events, appended->events);
  EXPECT_EQ(Await(*store_, {Fact("C", {})}, {.append_id = "first"}).error().code,
            ErrorCode::kIdempotentParameterMismatch);

  const auto refused = Await(*store_, {Fact("C", {"x:1"})}, When(EventQuery::Tagged("x:1")));
  ASSERT_FALSE(refused.has_value());
  ASSERT_NE(FindConflict(refused.error()), nullptr);
  EXPECT_EQ(FindConflict(refused.error())->event_id, appended->events[0].id);

  EXPECT_EQ(Await(*store_, {Fact("", {})}).error().code, ErrorCode::kValidation);
  const auto nothing = Await(*store_, {});
  ASSERT_TRUE(nothing.has_value());
  EXPECT_TRUE(nothing->events.empty());
  auto reader = Open(home_->database(), {.read_only = true});
  EXPECT_EQ(Await(*reader, {Fact("A", {})}).error().code, ErrorCode::kValidation);
  ExpectWhole(2);
}

TEST_F(StartAppendTest, OneThreadHasManyUnderWayAndTheyShareSlots) {
  constexpr std::size_t kAppends = 50;
  FaultyDatabase faulty(home_->database());
  auto store = Open(faulty, {.chunk_slots = 100});
  Answers answers(kAppends);
  std::binary_semaphore all_wait(0);
  const std::size_t puts = faulty.calls("PutItem");
  faulty.BeforeNext("PutItem", [&] { all_wait.acquire(); });
  for (std::size_t number = 0; number < kAppends; ++number) {
    const std::string tag = "x:" + std::to_string(number);
    store->StartAppend({Fact("A", {tag}, std::to_string(number))}, When(EventQuery::Tagged(tag)),
                       answers.Expect(number));
  }
  all_wait.release();
  const auto all = answers.Await();
  for (std::size_t number = 0; number < kAppends; ++number) {
    ASSERT_TRUE(all[number].has_value()) << all[number].error().message;
    EXPECT_EQ(store->ReadEvent(all[number]->events[0].id)->payload, std::to_string(number));
  }
  // The one that was held up, those that went meanwhile, and all others.
  EXPECT_LE(faulty.calls("PutItem") - puts, 12U);
  ExpectWhole(kAppends);
}

TEST_F(StartAppendTest, WhatTheDatabaseRefusesIsAnsweredOnce) {
  constexpr std::size_t kAppends = 10;
  struct Case {
    support::FaultRates rates;
    ErrorCode code;
  };
  for (const Case& each : {Case{{.unavailable = 1}, ErrorCode::kUnavailable},
                           Case{{.lost_before = 1}, ErrorCode::kAmbiguous}}) {
    FaultyDatabase faulty(home_->database());
    auto store = Open(faulty, {.chunk_slots = 100});
    faulty.SetRates(each.rates);
    Answers answers(kAppends);
    for (std::size_t number = 0; number < kAppends; ++number) {
      store->StartAppend({Fact("A", {"x:1"})}, {}, answers.Expect(number));
    }
    std::size_t first = 0;
    for (const Result<Appended>& answer : answers.Await()) {
      ASSERT_FALSE(answer.has_value());
      first += answer.error().code == each.code ? 1 : 0;
      EXPECT_TRUE(answer.error().code == each.code ||
                  answer.error().code == ErrorCode::kUnavailable)
          << answer.error().message;
    }
    EXPECT_GE(first, 1U);
    // It goes on when the database does.
    faulty.SetRates({});
    EXPECT_TRUE(Await(*store, {Fact("A", {"y:1"})}).has_value());
  }
  EXPECT_EQ(Read({.query = EventQuery::Tagged("y:1")}).size(), 2U);
}

TEST_F(StartAppendTest, LostRacesAndOldFactsAreDecidedAgain) {
  constexpr std::size_t kAppends = 40;
  // Chunks of one slot: what was looked up in the index is soon too old.
  auto one = Open(home_->database(), {.chunk_slots = 1});
  auto other = Open(home_->database(), {.chunk_slots = 1});
  Answers answers(2 * kAppends);
  for (std::size_t number = 0; number < kAppends; ++number) {
    const std::string tag = "x:" + std::to_string(number);
    one->StartAppend({Fact("A", {tag})}, When(EventQuery::Tagged(tag)), answers.Expect(number));
    other->StartAppend({Fact("B", {tag})}, When(EventQuery::Tagged(tag)),
                       answers.Expect(kAppends + number));
  }
  const auto all = answers.Await();
  for (std::size_t number = 0; number < kAppends; ++number) {
    EXPECT_NE(all[number].has_value(), all[kAppends + number].has_value()) << number;
  }
  ExpectWhole(kAppends);
}

TEST_F(StartAppendTest, AStoreThatEndsAnswersWhatIsUnderWay) {
  constexpr std::size_t kAppends = 30;
  FaultyDatabase faulty(home_->database());
  auto store = Open(faulty, {.chunk_slots = 100});
  Answers answers(kAppends);
  std::binary_semaphore ending(0);
  faulty.BeforeNext("PutItem", [&] { ending.acquire(); });
  for (std::size_t number = 0; number < kAppends; ++number) {
    store->StartAppend({Fact("A", {"x:1"})}, {}, answers.Expect(number));
  }
  std::jthread ends([&] { store.reset(); });
  ending.release();
  ends.join();
  // All are there without waiting for them.
  for (const Result<Appended>& answer : answers.Take()) {
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
  }
  ExpectWhole(kAppends);
}

// Appends again in its completion, until it is refused or has done it often enough.
class Chain {
 public:
  Chain(EventStore& store, int length, std::string type)
      : store_(&store), left_(length), type_(std::move(type)) {}

  void Go() {
    store_->StartAppend({Fact(type_, {})}, {}, [this](const Result<Appended>& answer) {
      thread_local int depth = 0;
      EXPECT_EQ(++depth, 1) << "a completion within another";
      accepted += answer ? 1 : 0;
      last = answer ? std::nullopt : std::optional<ErrorCode>(answer.error().code);
      const bool closed = last == ErrorCode::kUnavailable;
      if (!closed && --left_ > 0) {
        Go();
      } else {
        ended.count_down();
      }
      --depth;
    });
  }

  int accepted = 0;
  std::optional<ErrorCode> last;
  std::latch ended{1};

 private:
  EventStore* store_;
  int left_;
  std::string type_;
};

TEST_F(StartAppendTest, ACompletionThatAppendsAgainAddsNothingToTheStack) {
  const bool full = std::getenv("STATOR_TEST_FULL") != nullptr;
  const bool memory = homes::ThisHome().name == "memory";
  const int length = !memory ? 200 : full ? 100'000 : 1'000;
  auto store = Open(home_->database(), {.chunk_slots = 256});
  Chain chain(*store, length, "A");
  chain.Go();
  chain.ended.wait();
  EXPECT_EQ(chain.accepted, length);
  // What is known at once is not told within the call, either.
  Chain invalid(*store, length, "");
  invalid.Go();
  invalid.ended.wait();
  EXPECT_EQ(invalid.accepted, 0);
  EXPECT_EQ(invalid.last, ErrorCode::kValidation);
}

TEST_F(StartAppendTest, AChainWithoutEndEndsWithTheStore) {
  auto store = Open(home_->database(), {.chunk_slots = 256});
  Chain chain(*store, std::numeric_limits<int>::max(), "A");
  chain.Go();
  EXPECT_TRUE(store->Append({Fact("B", {})}).has_value());
  store.reset();
  EXPECT_TRUE(chain.ended.try_wait());
  EXPECT_EQ(chain.last, ErrorCode::kUnavailable);
}

TEST_F(StartAppendTest, ACompletionMayAppendAndWait) {
  constexpr std::size_t kAppends = 20;
  Answers answers(kAppends);
  for (std::size_t number = 0; number < kAppends; ++number) {
    store_->StartAppend(
        {Fact("A", {})}, {},
        [this, tell = answers.Expect(number)](const Result<Appended>& answer) mutable {
          ASSERT_TRUE(answer.has_value()) << answer.error().message;
          tell(store_->Append({Fact("B", {})}));
        });
  }
  for (const Result<Appended>& answer : answers.Await()) {
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
  }
  ExpectWhole(2 * kAppends);
}

// Writers of three tags, of two stores, from several threads; each decides on what it was told last.
class StartedWriters {
 public:
  struct Told {
    std::string tag;
    SortableId after;
    std::optional<AppendedEvent> event;  // of an accepted one
    std::optional<SortableId> conflict;  // of a refused one
  };

  StartedWriters(std::size_t writers, int appends)
      : appends_(appends), ended_(static_cast<std::ptrdiff_t>(writers)) {}

  void Go(EventStore& store, std::size_t writer, int number, SortableId after) {
    if (number == appends_) {
      ended_.count_down();
      return;
    }
    const std::string tag = "t:" + std::to_string(writer % 3);
    store.StartAppend({Fact("A", {tag})}, When(EventQuery::Tagged(tag), after),
                      [this, &store, writer, number, tag, after](const Result<Appended>& answer) {
                        Told told{.tag = tag, .after = after, .event = {}, .conflict = {}};
                        SortableId next = after;
                        if (answer) {
                          told.event = answer->events[0];
                          next = answer->last();
                        } else if (const auto* conflict = FindConflict(answer.error())) {
                          told.conflict = conflict->sortable_id;
                          next = conflict->sortable_id;
                        } else {
                          ADD_FAILURE() << answer.error().message;
                        }
                        {
                          const std::scoped_lock lock(mutex_);
                          told_.push_back(std::move(told));
                        }
                        Go(store, writer, number + 1, next);
                      });
  }

  const std::vector<Told>& Await() {
    ended_.wait();
    return told_;
  }

 private:
  const int appends_;
  std::latch ended_;
  std::mutex mutex_;
  std::vector<Told> told_;
};

TEST_F(StartAppendTest, WhatManyAreToldIsTrue) {
  constexpr std::size_t kWriters = 24;
  const int appends = std::getenv("STATOR_TEST_FULL") != nullptr ? 300 : 25;
  auto other = Open(home_->database());
  StartedWriters writers(kWriters, appends);
  {
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (std::size_t writer = thread; writer < kWriters; writer += 4) {
          writers.Go(writer < kWriters * 2 / 3 ? *store_ : *other, writer, 0, SortableId());
        }
        // Beside those that wait.
        for (int number = 0; number < appends; ++number) {
          EXPECT_TRUE(store_->Append({Fact("B", {"u:1"})}).has_value());
        }
      });
    }
  }
  const auto& told = writers.Await();
  ASSERT_EQ(told.size(), kWriters * static_cast<std::size_t>(appends));
  std::map<std::string, std::vector<SortableId>> logs;  // by tag
  std::size_t accepted = 0;
  for (const Event& event : Read()) {
    logs[event.tags.front()].push_back(event.sortable_id);
  }
  for (const StartedWriters::Told& each : told) {
    const std::vector<SortableId>& log = logs[each.tag];
    const auto next = std::upper_bound(log.begin(), log.end(), each.after);
    ASSERT_NE(next, log.end());
    accepted += each.event ? 1 : 0;
    // The first one behind what it had seen is its own, or the one that it was refused for.
    EXPECT_EQ(*next, each.event ? each.event->sortable_id : *each.conflict);
  }
  EXPECT_GT(accepted, 0U);
  ExpectWhole(accepted + 4 * static_cast<std::size_t>(appends));
}

}  // namespace
}  // namespace stator::events
