// Optimistic locking when answers get lost: a write that was done is recognised, one that was not
// is done, and where nobody can tell nothing is done twice.

#include <string>

#include "patterns/patterns_test.h"
#include "stator/patterns/requests.h"
#include "stator/patterns/versioned_items.h"

namespace stator::patterns {
namespace {

const Item kKey = {{"pk", "x"}};

class LostAnswersTest : public PatternsTest {
 protected:
  [[nodiscard]] VersionedItems Items(std::size_t kept = 4) {
    return {faulty(), kThings, {.recent_writes_kept = kept}, environment()};
  }
  [[nodiscard]] VersionedItems Others() { return VersionedItems(db(), kThings); }

  [[nodiscard]] static Item WithN(int n) { return {{"pk", "x"}, {"n", n}}; }
  static void Increment(Item& item) { item["n"] = *Number::Add(*item.at("n").If<Number>(), 1); }
  void OthersIncrement(int times) {
    for (int i = 0; i < times; ++i) {
      EXPECT_TRUE(Succeeds(Others().Modify(kKey, Increment)));
    }
  }
  // The first attempt of the next update meets `fault`; before the second others write.
  void Lose(Fault fault, int others) {
    faulty().Script("UpdateItem", {fault});
    faulty().BeforeNext("UpdateItem", [] {});
    faulty().BeforeNext("UpdateItem", [this, others] { OthersIncrement(others); });
  }
};

TEST_F(LostAnswersTest, AnOwnRetriedWriteIsNoConflict) {
  Must(Items().Insert(WithN(1)));
  Lose(Fault::kLostAfter, 0);
  const VersionedItem mine = Must(Items().Modify(kKey, Increment));
  EXPECT_EQ(Content(mine), WithN(2));
  EXPECT_EQ(mine.revision.number, 2U) << "exactly one revision";
  EXPECT_EQ(faulty().calls("UpdateItem"), 2U);
}

TEST_F(LostAnswersTest, AWriteThatNeverArrivedIsSentAgain) {
  Must(Items().Insert(WithN(1)));
  Lose(Fault::kLostBefore, 0);
  EXPECT_EQ(Content(Must(Items().Modify(kKey, Increment))), WithN(2));
}

TEST_F(LostAnswersTest, AnOwnWriteIsRecognisedAlthoughOthersWroteOnTop) {
  Must(Items().Insert(WithN(1)));
  Lose(Fault::kLostAfter, 3);
  const VersionedItem mine = Must(Items().Modify(kKey, Increment));
  EXPECT_EQ(Content(mine), WithN(5)) << "one of mine and three of others";
}

TEST_F(LostAnswersTest, AWriteThatNeverArrivedIsComputedAgainWhenOthersWereFaster) {
  Must(Items().Insert(WithN(1)));
  Lose(Fault::kLostBefore, 2);
  EXPECT_EQ(Content(Must(Items().Modify(kKey, Increment))), WithN(4));
}

TEST_F(LostAnswersTest, WhatCannotBeToldIsAmbiguousAndNotDoneTwice) {
  for (const Fault fault : {Fault::kLostAfter, Fault::kLostBefore}) {
    Must(Items().Upsert(WithN(1)));
    Lose(fault, 5);
    const auto mine = Items().Modify(kKey, Increment);
    ASSERT_TRUE(FailsWith(mine, ErrorCode::kAmbiguous));
    EXPECT_EQ(mine.error().code, ErrorCode::kAmbiguous);
    EXPECT_EQ(Content(*Must(Others().Read(kKey))), WithN(fault == Fault::kLostAfter ? 7 : 6));
  }
}

TEST_F(LostAnswersTest, WithoutTheListOnlyTheLatestWriteIsRecognised) {
  Must(Items(0).Insert(WithN(1)));
  Lose(Fault::kLostAfter, 0);
  EXPECT_EQ(Content(Must(Items(0).Modify(kKey, Increment))), WithN(2));
  faulty().Script("UpdateItem", {Fault::kLostAfter});
  faulty().BeforeNext("UpdateItem", [] {});
  faulty().BeforeNext("UpdateItem", [&] {
    EXPECT_TRUE(
        Succeeds(VersionedItems(db(), kThings, {.recent_writes_kept = 0}).Modify(kKey, Increment)));
  });
  EXPECT_TRUE(FailsWith(Items(0).Modify(kKey, Increment), ErrorCode::kAmbiguous));
  EXPECT_EQ(Content(*Must(Others().Read(kKey))), WithN(4));
}

TEST_F(LostAnswersTest, AnItemThatWasMadeAnewMeanwhileIsAmbiguous) {
  Must(Items().Insert(WithN(1)));
  faulty().Script("UpdateItem", {Fault::kLostAfter});
  faulty().BeforeNext("UpdateItem", [] {});
  faulty().BeforeNext("UpdateItem", [&] {
    Remove(kThings, kKey);
    Must(Others().Insert(WithN(100)));
    OthersIncrement(1);
  });
  EXPECT_TRUE(FailsWith(Items().Modify(kKey, Increment), ErrorCode::kAmbiguous));
  EXPECT_EQ(Content(*Must(Others().Read(kKey))), WithN(101));
}

TEST_F(LostAnswersTest, AnItemThatVanishedMeanwhileIsAmbiguous) {
  Must(Items().Insert(WithN(1)));
  faulty().Script("UpdateItem", {Fault::kLostAfter});
  faulty().BeforeNext("UpdateItem", [] {});
  faulty().BeforeNext("UpdateItem", [&] { Remove(kThings, kKey); });
  EXPECT_TRUE(FailsWith(Items().Modify(kKey, Increment), ErrorCode::kAmbiguous));
}

TEST_F(LostAnswersTest, ALateWriteComesToNothing) {
  Must(Items().Insert(WithN(1)));
  faulty().Script("UpdateItem", {Fault::kLate});
  faulty().BeforeNext("UpdateItem", [] {});
  faulty().BeforeNext("UpdateItem", [&] { OthersIncrement(1); });
  EXPECT_EQ(Content(Must(Items().Modify(kKey, Increment))), WithN(3));
  faulty().ApplyLate();
  EXPECT_EQ(Content(*Must(Others().Read(kKey))), WithN(3));
}

TEST_F(LostAnswersTest, AnOwnRetriedInsertIsNoDuplicate) {
  faulty().Script("PutItem", {Fault::kLostAfter});
  EXPECT_EQ(Must(Items().Insert(WithN(1))).revision.number, 1U);
  Remove(kThings, kKey);
  faulty().Script("PutItem", {Fault::kLostAfter});
  faulty().BeforeNext("PutItem", [] {});
  faulty().BeforeNext("PutItem", [&] { OthersIncrement(2); });
  EXPECT_EQ(Content(Must(Items().Insert(WithN(1)))), WithN(3)) << "changed by others since";
}

TEST_F(LostAnswersTest, AnInsertThatMetAnotherAfterALostAnswerIsAmbiguous) {
  faulty().Script("PutItem", {Fault::kLostBefore});
  faulty().BeforeNext("PutItem", [] {});
  faulty().BeforeNext("PutItem", [&] { Must(Others().Insert(WithN(9))); });
  const auto mine = Items().Insert(WithN(1));
  ASSERT_TRUE(FailsWith(mine, ErrorCode::kAmbiguous));
  EXPECT_EQ(Content(*FactsOf(mine.error()).current), WithN(9));
}

TEST_F(LostAnswersTest, AnOwnRetriedRemoveIsDone) {
  VersionedItem seen = Must(Items().Insert(WithN(1)));
  faulty().Script("DeleteItem", {Fault::kLostAfter});
  EXPECT_TRUE(Succeeds(Items().Remove(seen)));
  EXPECT_TRUE(FailsWith(Items().Remove(seen), ErrorCode::kNotFound));
  seen = Must(Items().Insert(WithN(1)));
  faulty().Script("DeleteItem", {Fault::kLostBefore});
  EXPECT_TRUE(Succeeds(Items().Remove(seen)));
  EXPECT_FALSE(Get(kThings, kKey));
}

TEST_F(LostAnswersTest, ARemoveThatMetANewItemIsAmbiguousOneThatMetAChangeIsAConflict) {
  VersionedItem seen = Must(Items().Insert(WithN(1)));
  faulty().Script("DeleteItem", {Fault::kLostBefore});
  faulty().BeforeNext("DeleteItem", [] {});
  faulty().BeforeNext("DeleteItem", [&] { OthersIncrement(1); });
  EXPECT_TRUE(FailsWith(Items().Remove(seen), ErrorCode::kConflict));
  seen = *Must(Items().Read(kKey));
  faulty().Script("DeleteItem", {Fault::kLostAfter});
  faulty().BeforeNext("DeleteItem", [] {});
  faulty().BeforeNext("DeleteItem", [&] { Must(Others().Insert(WithN(5))); });
  EXPECT_TRUE(FailsWith(Items().Remove(seen), ErrorCode::kAmbiguous));
  EXPECT_TRUE(Get(kThings, kKey));
}

TEST_F(LostAnswersTest, APatchIsNeverSentTwiceAfterALostAnswer) {
  Must(Items().Insert(WithN(1)));
  faulty().Script("UpdateItem", {Fault::kLostAfter});
  EXPECT_EQ(Content(Must(Items().Patch(kKey, Update().Add("n", 1)))), WithN(2));
  faulty().Script("UpdateItem", {Fault::kLostBefore});
  EXPECT_TRUE(FailsWith(Items().Patch(kKey, Update().Add("n", 1)), ErrorCode::kAmbiguous));
  EXPECT_EQ(Content(*Must(Others().Read(kKey))), WithN(2));
  EXPECT_EQ(faulty().calls("UpdateItem"), 2U);
}

TEST_F(LostAnswersTest, APatchThatRefusesItsOwnRepetitionIsSentAgain) {
  Must(Items().Insert(WithN(1)));
  const Update update = Update().Set("n", 2);
  const Condition condition = Attribute("n") == 1;
  for (const Fault fault : {Fault::kLostBefore, Fault::kLostAfter}) {
    Must(Others().Modify(kKey, [](Item& item) { item.Set("n", 1); }));
    faulty().Script("UpdateItem", {fault});
    EXPECT_EQ(Content(Must(Items().Patch(kKey, update, condition, {.repeatable = true}))),
              WithN(2));
  }
  // Somebody else did the same in between: not this write, and not done twice.
  Must(Others().Modify(kKey, [](Item& item) { item.Set("n", 1); }));
  faulty().Script("UpdateItem", {Fault::kLostBefore});
  faulty().BeforeNext("UpdateItem", [] {});
  faulty().BeforeNext("UpdateItem", [this] { OthersIncrement(1); });
  EXPECT_TRUE(
      FailsWith(Items().Patch(kKey, update, condition, {.repeatable = true}), ErrorCode::kRefused));
}

TEST_F(LostAnswersTest, ThrottlingIsRetriedAndThenReported) {
  Must(Items().Insert(WithN(1)));
  faulty().Script("UpdateItem", {Fault::kThrottled, Fault::kConflict, Fault::kUnavailable});
  EXPECT_EQ(Content(Must(Items().Modify(kKey, Increment))), WithN(2));
  const VersionedItems items(faulty(), kThings, {.retry = Attempts(6)}, environment());
  faulty().Script("UpdateItem", std::vector<Fault>(6, Fault::kThrottled));
  EXPECT_TRUE(FailsWith(items.Modify(kKey, Increment), ErrorCode::kThrottled));
  faulty().Script("UpdateItem", std::vector<Fault>(6, Fault::kLostBefore));
  EXPECT_TRUE(FailsWith(items.Modify(kKey, Increment), ErrorCode::kAmbiguous));
  EXPECT_GT(clock_.Elapsed(), Duration::zero()) << "it waited in between";
}

}  // namespace
}  // namespace stator::patterns
