// Optimistic locking: what VersionedItems promises when nothing gets lost. With lost answers:
// lost_answers_test.cc; under many threads: modify_property_test.cc.

#include "stator/patterns/versioned_items.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "patterns/patterns_test.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"

namespace stator::patterns {
namespace {

const Item kKey = {{"pk", "x"}};

class VersionedItemsTest : public PatternsTest {
 protected:
  [[nodiscard]] VersionedItems Items(TableLayout layout = kThings) {
    return {faulty(), std::move(layout), {}, environment()};
  }
  VersionedItem Inserted(Item item) { return Must(Items().Insert(std::move(item))); }
  [[nodiscard]] static Item WithN(int n) { return {{"pk", "x"}, {"n", n}}; }

  static void Increment(Item& item) { item["n"] = *Number::Add(*item.at("n").If<Number>(), 1); }
};

TEST_F(VersionedItemsTest, CountsRevisions) {
  const VersionedItem first = Inserted(WithN(1));
  EXPECT_EQ(first.revision.number, 1U);
  const VersionedItem second = Must(Items().Replace(first, WithN(2)));
  EXPECT_EQ(second.revision.number, 2U);
  EXPECT_NE(second.revision.write_id, first.revision.write_id);
  EXPECT_EQ(Content(second), WithN(2));
  EXPECT_EQ(Must(Items().Read(kKey)), second);
  EXPECT_EQ(Get(kThings, kKey)->at("rev"), AttributeValue(2));
}

TEST_F(VersionedItemsTest, WhatAnItemSaysOfItsBookkeepingComesToNothing) {
  const VersionedItem first = Inserted({{"pk", "x"}, {"n", 1}, {"rev", 70}, {"write_id", "mine"}});
  EXPECT_EQ(first.revision.number, 1U);
  EXPECT_NE(first.revision.write_id, "mine");
  const auto forge = [](Item& item) {
    item["rev"] = 99;
    item["recent_writes"] = "none";
  };
  EXPECT_EQ(Must(Items().Modify(kKey, forge)), first) << "nothing to write";
  const VersionedItem second = Must(Items().Modify(kKey, [&forge](Item& item) {
    forge(item);
    Increment(item);
  }));
  EXPECT_EQ(second.revision.number, 2U);
  EXPECT_EQ(second.item.at("recent_writes"),
            AttributeValue(List{second.revision.write_id, first.revision.write_id}));
  EXPECT_EQ(Content(Must(Items().Replace(second, WithN(3)))), WithN(3)) << "it need not be there";
}

TEST_F(VersionedItemsTest, InsertShowsTheItemThatIsThere) {
  const VersionedItem first = Inserted(WithN(1));
  const auto again = Items().Insert(WithN(2));
  ASSERT_TRUE(FailsWith(again, ErrorCode::kAlreadyExists));
  EXPECT_EQ(FactsOf(again.error()).current, first);
}

TEST_F(VersionedItemsTest, AStaleReplaceIsAConflictThatShowsTheItem) {
  const VersionedItem seen = Inserted(WithN(1));
  const VersionedItem newer = Must(Items().Replace(seen, WithN(2)));
  const auto stale = Items().Replace(seen, WithN(3));
  ASSERT_TRUE(FailsWith(stale, ErrorCode::kConflict));
  EXPECT_EQ(FactsOf(stale.error()).current, newer);
  EXPECT_EQ(Must(Items().Read(kKey)), newer);
  // One write each: the item came with the error, so nobody read again.
  EXPECT_EQ(faulty().calls("GetItem"), 1U);
}

TEST_F(VersionedItemsTest, AReplaceSucceedsWhenOnlyTheBookkeepingMoved) {
  const VersionedItem seen = Inserted(WithN(1));
  VersionedItem other = Must(Items().Replace(seen, WithN(2)));
  other = Must(Items().Replace(other, WithN(1)));
  const VersionedItem mine = Must(Items().Replace(seen, WithN(5)));
  EXPECT_EQ(mine.revision.number, 4U);
}

TEST_F(VersionedItemsTest, AReplaceOfAnItemThatIsGoneIsNotFound) {
  const VersionedItem seen = Inserted(WithN(1));
  Remove(kThings, kKey);
  EXPECT_TRUE(FailsWith(Items().Replace(seen, WithN(2)), ErrorCode::kNotFound));
  EXPECT_FALSE(Get(kThings, kKey));
}

TEST_F(VersionedItemsTest, AnItemThatWasMadeAnewIsAnother) {
  const VersionedItem seen = Inserted(WithN(1));
  Remove(kThings, kKey);
  const VersionedItem other = Inserted({{"pk", "x"}, {"n", 1}, {"other", true}});
  EXPECT_EQ(other.revision.number, seen.revision.number);
  EXPECT_TRUE(FailsWith(Items().Replace(seen, WithN(2)), ErrorCode::kConflict));
  EXPECT_TRUE(FailsWith(Items().Remove(seen), ErrorCode::kConflict));
}

TEST_F(VersionedItemsTest, KeepsAttributesThatItDoesNotKnow) {
  VersionedItem seen = Inserted(WithN(1));
  Must(db().UpdateItem(MakeUpdate("things", kKey, Update().Set("expires_at", 99))));
  seen = Must(Items().Replace(seen, WithN(2)));
  EXPECT_EQ(Content(seen), (Item{{"pk", "x"}, {"n", 2}, {"expires_at", 99}}));
}

TEST_F(VersionedItemsTest, RemovesAttributesThatTheNewItemLacks) {
  const VersionedItem seen = Inserted({{"pk", "x"}, {"n", 1}, {"note", "x"}});
  EXPECT_EQ(Content(Must(Items().Replace(seen, WithN(1)))), WithN(1));
}

TEST_F(VersionedItemsTest, ModifyComputesTheChangeAgainOnWhatOthersLeft) {
  Inserted(WithN(1));
  faulty().BeforeNext("UpdateItem", [&] {
    const auto other = VersionedItems(db(), kThings).Modify(kKey, Increment);
    EXPECT_TRUE(Succeeds(other));
  });
  const VersionedItem mine = Must(Items().Modify(kKey, Increment));
  EXPECT_EQ(Content(mine), WithN(3));
  EXPECT_EQ(mine.revision.number, 3U);
  EXPECT_EQ(faulty().calls("GetItem"), 1U) << "the conflict brought the item";
}

TEST_F(VersionedItemsTest, ModifyGivesUpWhenItsTimeIsOver) {
  Inserted(WithN(1));
  for (int i = 0; i < 3; ++i) {
    faulty().BeforeNext("UpdateItem", [&] {
      EXPECT_TRUE(Succeeds(VersionedItems(db(), kThings).Modify(kKey, Increment)));
    });
  }
  const auto mine = Items().Modify(kKey, Increment, {.retry = Attempts(3)});
  ASSERT_TRUE(FailsWith(mine, ErrorCode::kConflict));
  EXPECT_EQ(Content(*FactsOf(mine.error()).current), WithN(4));
}

TEST_F(VersionedItemsTest, EightWritersOfOneItemAllSucceed) {
  constexpr int kWriters = 8;
  constexpr int kTimes = 5;
  Inserted(WithN(0));
  std::atomic<int> failed = 0;
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&] {
        const VersionedItems items(db(), kThings);  // on the clock of the machine
        for (int time = 0; time < kTimes; ++time) {
          failed += items.Modify(kKey, Increment) ? 0 : 1;
        }
      });
    }
  }
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(Content(*Must(Items().Read(kKey))), WithN(kWriters * kTimes));
}

TEST_F(VersionedItemsTest, ModifyWritesNothingWhenNothingChanges) {
  const VersionedItem seen = Inserted(WithN(1));
  EXPECT_EQ(Must(Items().Modify(kKey, [](Item&) {})), seen);
  EXPECT_EQ(Must(Items().Modify(kKey,
                                [](Item& item) {
                                  item["n"] = 7;
                                  return Verdict::kLeave;
                                })),
            seen);
  EXPECT_EQ(faulty().calls("UpdateItem"), 0U);
}

TEST_F(VersionedItemsTest, ModifyPassesOnTheRefusalOfTheChange) {
  const VersionedItem seen = Inserted(WithN(1));
  const auto refused =
      Items().Modify(kKey, [](Item&) -> Result<Verdict> { return Invalid("not enough money"); });
  ASSERT_TRUE(FailsWith(refused, ErrorCode::kRefused));
  EXPECT_EQ(refused.error().message, "not enough money");
  EXPECT_EQ(FactsOf(refused.error()).current, seen);
}

TEST_F(VersionedItemsTest, ModifyOfAMissingItemIsNotFoundOrBegins) {
  EXPECT_TRUE(FailsWith(Items().Modify(kKey, Increment), ErrorCode::kNotFound));
  EXPECT_FALSE(Get(kThings, kKey)) << "an update must not make the item";
  const VersionedItem begun = Must(Items().Modify(kKey, Increment, {.initial = Item{{"n", 0}}}));
  EXPECT_EQ(Content(begun), WithN(1));
  EXPECT_EQ(begun.revision.number, 1U);
}

TEST_F(VersionedItemsTest, ModifyThatBeginsMeetsAnotherThatBegan) {
  faulty().BeforeNext("PutItem", [&] {
    EXPECT_TRUE(Succeeds(
        VersionedItems(db(), kThings).Modify(kKey, Increment, {.initial = Item{{"n", 0}}})));
  });
  EXPECT_EQ(Content(Must(Items().Modify(kKey, Increment, {.initial = Item{{"n", 0}}}))), WithN(2));
}

TEST_F(VersionedItemsTest, ModifyMayNotTouchTheKey) {
  Inserted(WithN(1));
  EXPECT_TRUE(FailsWith(Items().Modify(kKey, [](Item& item) { item["pk"] = "y"; }),
                        ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(Items().Modify(kKey, [](Item& item) { item.Erase("pk"); }),
                        ErrorCode::kValidation));
}

TEST_F(VersionedItemsTest, ARenewedExpiryIsNeitherAConflictNorUndone) {
  Must(Items().Insert({{"pk", "x"}, {"n", 1}, {"expires_at", kNow + 10}}));
  faulty().BeforeNext("UpdateItem", [&] {
    Must(db().UpdateItem(MakeUpdate("things", kKey, Update().Set("expires_at", kNow + 99))));
  });
  const VersionedItem mine = Must(Items(kExpiringThings).Modify(kKey, Increment));
  EXPECT_EQ(Content(mine), (Item{{"pk", "x"}, {"n", 2}, {"expires_at", kNow + 99}}));
  EXPECT_EQ(faulty().calls("UpdateItem"), 1U);
}

TEST_F(VersionedItemsTest, AChangeOfVeryManyAttributesIsWrittenWhole) {
  Inserted(WithN(1));
  const auto widen = [](Item& item) {
    for (int i = 0; i < 400; ++i) {
      item["a" + std::to_string(i)] = i;
    }
  };
  EXPECT_EQ(Content(Must(Items().Modify(kKey, widen))).size(), 402U);
  EXPECT_EQ(Content(*Must(Items().Read(kKey))).size(), 402U);
  EXPECT_EQ(Must(Items().Read(kKey))->revision.number, 2U);
}

TEST_F(VersionedItemsTest, TooLargeAnItemIsToldFromAWrongOne) {
  const Item large = {{"pk", "x"}, {"blob", std::string(400 * 1024, 'x')}};
  EXPECT_TRUE(FailsWith(Items().Insert(large), ErrorCode::kTooLarge));
  const VersionedItem seen = Inserted(WithN(1));
  EXPECT_TRUE(FailsWith(Items().Replace(seen, large), ErrorCode::kTooLarge));
  EXPECT_TRUE(FailsWith(Items().Insert({{"n", 1}}), ErrorCode::kValidation));
}

TEST_F(VersionedItemsTest, RemoveWantsTheItemThatWasSeen) {
  const VersionedItem seen = Inserted(WithN(1));
  const VersionedItem newer = Must(Items().Replace(seen, WithN(2)));
  const auto stale = Items().Remove(seen);
  ASSERT_TRUE(FailsWith(stale, ErrorCode::kConflict));
  EXPECT_EQ(FactsOf(stale.error()).current, newer);
  EXPECT_TRUE(Succeeds(Items().Remove(newer)));
  EXPECT_TRUE(FailsWith(Items().Remove(newer), ErrorCode::kNotFound));
  EXPECT_FALSE(Must(Items().RemoveUnchecked(kKey)));
}

TEST_F(VersionedItemsTest, UpsertReplacesAndStillCounts) {
  Inserted({{"pk", "x"}, {"old", 1}});
  const VersionedItem mine = Must(Items().Upsert(WithN(5)));
  EXPECT_EQ(Content(mine), WithN(5));
  EXPECT_EQ(mine.revision.number, 2U);
  Remove(kThings, kKey);
  EXPECT_EQ(Must(Items().Upsert(WithN(6))).revision.number, 1U);
}

TEST_F(VersionedItemsTest, PatchCountsWithoutReadingAndMakesNoItem) {
  EXPECT_TRUE(FailsWith(Items().Patch(kKey, Update().Add("n", 1)), ErrorCode::kNotFound));
  EXPECT_FALSE(Get(kThings, kKey));
  Inserted(WithN(1));
  const VersionedItem mine = Must(Items().Patch(kKey, Update().Add("n", 5)));
  EXPECT_EQ(Content(mine), WithN(6));
  EXPECT_EQ(mine.revision.number, 2U);
  EXPECT_TRUE(FailsWith(Items().Patch(kKey, Update().Add("n", 1), Attribute("n") < 6),
                        ErrorCode::kRefused));
}

TEST_F(VersionedItemsTest, AdoptsItemsThatWereWrittenWithoutRevisions) {
  Put(kThings, WithN(1));
  const VersionedItem seen = *Must(Items().Read(kKey));
  EXPECT_EQ(seen.revision.number, 0U);
  EXPECT_EQ(Must(Items().Replace(seen, WithN(2))).revision.number, 1U);
  EXPECT_TRUE(FailsWith(Items().Replace(seen, WithN(3)), ErrorCode::kConflict));
  Remove(kThings, kKey);
  EXPECT_TRUE(FailsWith(Items().Replace(seen, WithN(3)), ErrorCode::kNotFound));
}

TEST_F(VersionedItemsTest, AnExpiredItemIsNoneAndAnInsertTakesItsPlace) {
  Must(Items(kExpiringThings).Insert({{"pk", "x"}, {"n", 1}, {"expires_at", kNow + 10}}));
  EXPECT_TRUE(Must(Items(kExpiringThings).Read(kKey)));
  clock_.Advance(10s);
  EXPECT_FALSE(Must(Items(kExpiringThings).Read(kKey)));
  EXPECT_TRUE(Must(Items(kExpiringThings).Read(kKey, {.include_expired = true})));
  EXPECT_TRUE(FailsWith(Items(kExpiringThings).Modify(kKey, Increment), ErrorCode::kNotFound));
  EXPECT_TRUE(
      FailsWith(Items(kExpiringThings).Patch(kKey, Update().Add("n", 1)), ErrorCode::kExpired));
  EXPECT_EQ(Must(Items(kExpiringThings).Insert(WithN(7))).revision.number, 1U);
}

// It was alive when it was read; a write does not bring it back.
TEST_F(VersionedItemsTest, WhatExpiresBetweenReadAndWriteStaysExpired) {
  const VersionedItems items = Items(kExpiringThings);
  const VersionedItem seen = Must(items.Insert({{"pk", "x"}, {"n", 1}, {"expires_at", kNow + 10}}));
  clock_.Advance(10s);
  const Item later = {{"pk", "x"}, {"n", 2}, {"expires_at", kNow + 1000}};
  EXPECT_TRUE(FailsWith(items.Replace(seen, later), ErrorCode::kExpired));
  EXPECT_EQ(Must(items.Read(kKey, {.include_expired = true}))->item, seen.item);
}

TEST_F(VersionedItemsTest, FailuresHaveTheStatusThatAHandlerAnswers) {
  EXPECT_EQ(HttpStatus(ErrorCode::kNotFound), 404);
  EXPECT_EQ(HttpStatus(ErrorCode::kConflict), 409);
  EXPECT_EQ(HttpStatus(ErrorCode::kAlreadyExists), 409);
  EXPECT_EQ(HttpStatus(ErrorCode::kExpired), 410);
  EXPECT_EQ(HttpStatus(ErrorCode::kTooLarge), 413);
  EXPECT_EQ(HttpStatus(ErrorCode::kThrottled), 429);
  EXPECT_EQ(HttpStatus(ErrorCode::kValidation), 400);
  EXPECT_EQ(HttpStatus(ErrorCode::kAmbiguous), 503);
}

}  // namespace
}  // namespace stator::patterns
