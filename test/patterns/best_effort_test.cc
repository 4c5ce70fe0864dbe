// Writes that may fail: best-effort, fired and forgotten, renewals.

#include "stator/patterns/best_effort.h"

#include <atomic>
#include <string>

#include "patterns/patterns_test.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/fire_and_forget.h"
#include "stator/patterns/renewals.h"
#include "stator/patterns/requests.h"
#include "stator/patterns/transaction.h"

namespace stator::patterns {
namespace {

const Item kKey = {{"pk", "x"}};

class BestEffortTest : public PatternsTest {
 protected:
  [[nodiscard]] auto Hook() {
    return [this](const BestEffortFailure& failure) {
      failures_.push_back(failure.purpose + ": " + failure.error.message);
    };
  }
  std::vector<std::string> failures_;
};

TEST_F(BestEffortTest, FailuresReachTheHookAndTheCountersOnly) {
  BestEffort best_effort(faulty(), {.on_failure = Hook()}, environment());
  const Item row = {{"pk", "x"}, {"expires_at", kNow + 9}};
  EXPECT_TRUE(best_effort.Put(kExpiringThings, row, "recent"));
  faulty().Script("PutItem", {Fault::kThrottled});
  EXPECT_FALSE(best_effort.Put(kExpiringThings, row, "recent"));
  EXPECT_FALSE(best_effort.Write(SelfHeals("the next one"), "count",
                                 [] { return Result<void>(Invalid("no")); }));
  EXPECT_EQ(failures_, (std::vector<std::string>{"recent: Rate exceeded", "count: no"}));
  EXPECT_EQ(best_effort.counts().written, 1U);
  EXPECT_EQ(best_effort.counts().failed, 2U);
}

TEST_F(BestEffortTest, AnItemWithoutAFutureExpiryIsRefused) {
  BestEffort best_effort(faulty(), {.on_failure = Hook()}, environment());
  EXPECT_FALSE(best_effort.Put(kExpiringThings, kKey, "no expiry"));
  EXPECT_FALSE(best_effort.Put(kExpiringThings, {{"pk", "x"}, {"expires_at", kNow}}, "dead"));
  EXPECT_FALSE(best_effort.Put(kExpiringThings, {{"pk", "x"}, {"expires_at", kNow * 1000}}, "ms"));
  EXPECT_FALSE(best_effort.Put(kThings, {{"pk", "x"}, {"expires_at", kNow + 9}}, "no layout"));
  EXPECT_FALSE(best_effort.Write(SelfHeals(""), "unsaid", [] { return Result<void>(); }));
  EXPECT_EQ(best_effort.counts().refused, 5U);
  EXPECT_EQ(failures_.size(), 5U);
  EXPECT_EQ(faulty().calls(), 0U);
}

TEST_F(BestEffortTest, ALostCompanionDoesNotFailTheTransaction) {
  BestEffort best_effort(faulty(), {.on_failure = Hook()}, environment());
  faulty().Script("PutItem", {Fault::kThrottled});
  Transaction transaction(faulty(), Idempotency::Token("request"), {}, environment());
  transaction.Insert({.table = kThings, .item = kKey}).AfterCommit([&] {
    best_effort.Put(kExpiringThings, {{"pk", "row"}, {"expires_at", kNow + 9}}, "index row");
  });
  EXPECT_TRUE(Succeeds(transaction.Commit()));
  EXPECT_TRUE(Get(kThings, kKey));
  EXPECT_FALSE(Get(kThings, {{"pk", "row"}}));
  EXPECT_EQ(failures_.size(), 1U);
}

class FireAndForgetTest : public BestEffortTest {
 protected:
  [[nodiscard]] FireAndForgetOptions ByHand(std::size_t waiting_max = 1000) {
    return {.waiting_max = waiting_max, .background_thread = false, .on_failure = Hook()};
  }
  [[nodiscard]] FireAndForget::Write Noting(std::string what) {
    return [this, what] {
      done_.push_back(what);
      return Result<void>();
    };
  }
  std::vector<std::string> done_;
};

TEST_F(FireAndForgetTest, SubmittingNeverWaitsAndANewerWriteReplacesAnOlder) {
  FireAndForget queue(ByHand(), environment());
  queue.Submit("a", "p", Noting("a1"));
  queue.Submit("b", "p", Noting("b1"));
  queue.Submit("", "p", Noting("1"));
  queue.Submit("", "p", Noting("2"));
  queue.Submit("a", "p", Noting("a2"));
  EXPECT_TRUE(done_.empty());
  EXPECT_TRUE(queue.Drain(1s));
  EXPECT_EQ(done_, (std::vector<std::string>{"a2", "b1", "1", "2"}));
  EXPECT_EQ(queue.counts().coalesced, 1U);
  EXPECT_EQ(queue.counts().done, 4U);
}

TEST_F(FireAndForgetTest, DropsTheOldestWhenTooManyWaitAndSaysSo) {
  FireAndForget queue(ByHand(2), environment());
  queue.Submit("a", "first", Noting("a"));
  queue.Submit("b", "second", Noting("b"));
  queue.Submit("c", "third", Noting("c"));
  EXPECT_EQ(failures_, (std::vector<std::string>{"first: too many writes were waiting"}));
  queue.Submit("b", "second", Noting("b2"));
  EXPECT_TRUE(queue.Drain(1s));
  EXPECT_EQ(done_, (std::vector<std::string>{"b2", "c"}));
}

TEST_F(FireAndForgetTest, FailuresReachTheHook) {
  FireAndForget queue(ByHand(), environment());
  queue.Submit("a", "note", [] { return Result<void>(Invalid("no")); });
  EXPECT_TRUE(queue.Drain(1s));
  EXPECT_EQ(failures_, (std::vector<std::string>{"note: no"}));
  EXPECT_EQ(queue.counts().failed, 1U);
}

TEST_F(FireAndForgetTest, DrainingHasAnEnd) {
  FireAndForget queue(ByHand(), environment());
  for (int i = 0; i < 5; ++i) {
    queue.Submit("", "slow", [this] {
      clock_.Advance(1s);
      return Result<void>();
    });
  }
  EXPECT_FALSE(queue.Drain(3s));
  EXPECT_EQ(queue.counts().done, 3U);
  EXPECT_TRUE(queue.Drain(3s));
}

TEST_F(FireAndForgetTest, WhatWaitsAtTheEndIsReported) {
  {
    FireAndForget(ByHand(), environment()).Submit("a", "note", Noting("a"));
  }
  EXPECT_EQ(failures_, (std::vector<std::string>{"note: the program ended before it was written"}));
  EXPECT_TRUE(done_.empty());
}

TEST_F(FireAndForgetTest, AThreadOfItsOwnDoesTheWork) {
  std::atomic<int> done = 0;
  FireAndForget queue({}, environment());
  for (int i = 0; i < 100; ++i) {
    queue.Submit("", "count", [&] {
      ++done;
      return Result<void>();
    });
  }
  EXPECT_TRUE(queue.Drain(1h));
  EXPECT_EQ(done, 100);
}

class RenewalsTest : public FireAndForgetTest {
 protected:
  [[nodiscard]] std::unique_ptr<Renewals> Make(Duration runway = 100s, Duration interval = 10s) {
    return Must(Renewals::Make(faulty(), kExpiringThings,
                               {.runway = runway, .interval = interval, .queue = ByHand()},
                               environment()));
  }
  [[nodiscard]] Item Thing(std::int64_t expiry) {
    const Item item = {{"pk", "x"}, {"expires_at", expiry}};
    Put(kThings, item);
    return item;
  }
  [[nodiscard]] AttributeValue Stored() { return Get(kThings, kKey)->at("expires_at"); }
};

TEST_F(RenewalsTest, RenewWhenLessThanHalfIsLeft) {
  const auto renewals = Make();
  EXPECT_FALSE(renewals->Touch(Thing(kNow + 60)));
  EXPECT_TRUE(renewals->Touch(Thing(kNow + 49)));
  EXPECT_TRUE(renewals->Drain(1s));
  EXPECT_EQ(Stored(), AttributeValue(kNow + 100));
}

TEST_F(RenewalsTest, AreOneWritePerItemHoweverOftenItIsUsed) {
  const auto renewals = Make();
  const Item item = Thing(kNow + 40);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(renewals->Touch(item));
  }
  EXPECT_TRUE(renewals->Drain(1s));
  EXPECT_EQ(faulty().calls("UpdateItem"), 1U);
  EXPECT_EQ(renewals->counts().coalesced, 99U);
}

TEST_F(RenewalsTest, NeverBringBackShortenOrMakeAnItem) {
  const auto renewals = Make();
  const Item item = Thing(kNow + 40);
  EXPECT_TRUE(renewals->Touch(item));
  (void)Thing(kNow);  // expired meanwhile
  EXPECT_TRUE(renewals->Drain(1s));
  EXPECT_EQ(Stored(), AttributeValue(kNow));
  EXPECT_TRUE(renewals->Touch(item));
  (void)Thing(kNow + 500);  // somebody gave it a longer life
  EXPECT_TRUE(renewals->Drain(1s));
  EXPECT_EQ(Stored(), AttributeValue(kNow + 500));
  EXPECT_TRUE(renewals->Touch(item));
  Remove(kThings, kKey);
  EXPECT_TRUE(renewals->Drain(1s));
  EXPECT_FALSE(Get(kThings, kKey));
  EXPECT_TRUE(failures_.empty()) << "none of these is a failure";
  EXPECT_FALSE(renewals->Touch({{"pk", "x"}, {"expires_at", kNow - 1}}));
  EXPECT_FALSE(renewals->Touch(kKey));
}

TEST_F(RenewalsTest, WantARunwayOfManyIntervals) {
  const auto make = [&](Duration runway, const TableLayout& layout) {
    return Renewals::Make(faulty(), layout, {.runway = runway, .interval = 10s, .queue = ByHand()},
                          environment())
        .has_value();
  };
  EXPECT_TRUE(make(100s, kExpiringThings));
  EXPECT_FALSE(make(99s, kExpiringThings));
  EXPECT_FALSE(make(100s, kThings));
}

TEST_F(RenewalsTest, ALostRenewalReachesTheHook) {
  const auto renewals = Make();
  faulty().Script("UpdateItem", {Fault::kLostBefore});
  EXPECT_TRUE(renewals->Touch(Thing(kNow + 40)));
  EXPECT_TRUE(renewals->Drain(1s));
  EXPECT_EQ(failures_.size(), 1U);
}

}  // namespace
}  // namespace stator::patterns
