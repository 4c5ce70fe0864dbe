// Patterns that are made of others: guarded batch, cascade delete, counted insert, unique guards,
// self-healing references.

#include <string>

#include "patterns/patterns_test.h"
#include "stator/patterns/cascade_delete.h"
#include "stator/patterns/counted.h"
#include "stator/patterns/guarded_batch.h"
#include "stator/patterns/prune.h"
#include "stator/patterns/requests.h"
#include "stator/patterns/unique_guards.h"

namespace stator::patterns {
namespace {

std::vector<WriteRequest> Puts(int count) {
  std::vector<WriteRequest> writes;
  for (int i = 0; i < count; ++i) {
    writes.emplace_back(PutRequest{{{"pk", "t" + std::to_string(i)}}});
  }
  return writes;
}

class GuardedBatchTest : public PatternsTest {
 protected:
  GuardedBatchOutcome Write(const std::string& token, int count = 60) {
    return WriteGuarded(faulty(),
                        {.guard_table = kExpiringParts,
                         .guard_key = kGuard,
                         .token = token,
                         .writes = {{kThings, Puts(count)}},
                         .batch = {.parallelism = 1, .retry = Attempts(2)}},
                        environment());
  }
  const Item kGuard = {{"pk", "import"}, {"sk", "guard"}};
};

TEST_F(GuardedBatchTest, WritesOnce) {
  EXPECT_EQ(Write("job 1").state, GuardedBatchState::kDone);
  EXPECT_EQ(All(kThings).size(), 60U);
  EXPECT_EQ(faulty().calls("BatchWriteItem"), 3U);
  EXPECT_EQ(Write("job 1").state, GuardedBatchState::kAlreadyDone);
  const GuardedBatchOutcome other = Write("job 2");
  EXPECT_EQ(other.state, GuardedBatchState::kTaken);
  EXPECT_EQ(other.other_token, "job 1");
  EXPECT_TRUE(other.other_done);
  EXPECT_EQ(faulty().calls("BatchWriteItem"), 3U);
}

TEST_F(GuardedBatchTest, GoesOnUnderTheSameTokenOnly) {
  faulty().Script("BatchWriteItem", {Fault::kNone, Fault::kThrottled, Fault::kThrottled});
  const GuardedBatchOutcome first = Write("job 1");
  EXPECT_EQ(first.state, GuardedBatchState::kIncomplete);
  EXPECT_EQ(first.remaining[0].writes.size(), 35U);
  const GuardedBatchOutcome other = Write("job 2");
  EXPECT_EQ(other.state, GuardedBatchState::kTaken);
  EXPECT_FALSE(other.other_done);
  EXPECT_EQ(Write("job 1").state, GuardedBatchState::kDone);
  EXPECT_EQ(All(kThings).size(), 60U);
}

TEST_F(GuardedBatchTest, AGuardThatWasLeftAloneGivesWay) {
  faulty().Script("BatchWriteItem", {Fault::kThrottled, Fault::kThrottled});
  EXPECT_EQ(Write("job 1").state, GuardedBatchState::kIncomplete);
  clock_.Advance(15min + 1s);
  EXPECT_EQ(Write("job 2").state, GuardedBatchState::kDone);
}

TEST_F(GuardedBatchTest, AWriterThatWasOvertakenIsTold) {
  faulty().BeforeNext("UpdateItem", [&] {
    clock_.Advance(16min);
    Put(kParts, {{"pk", "import"},
                 {"sk", "guard"},
                 {"guard_token", "job 2"},
                 {"guard_state", "writing"},
                 {"expires_at", kNow + 9999}});
  });
  const GuardedBatchOutcome outcome = Write("job 1");
  EXPECT_EQ(outcome.state, GuardedBatchState::kOvertaken);
  EXPECT_EQ(outcome.other_token, "job 2");
}

TEST_F(GuardedBatchTest, LostAnswersOfTheGuardDoNotMatter) {
  faulty().Script("PutItem", {Fault::kLostAfter});
  faulty().Script("UpdateItem", {Fault::kLostAfter});
  EXPECT_EQ(Write("job 1").state, GuardedBatchState::kDone);
}

TEST_F(GuardedBatchTest, WithoutItsGuardNothingIsWritten) {
  faulty().Script("PutItem", std::vector<Fault>(100, Fault::kThrottled));
  const GuardedBatchOutcome outcome = Write("job 1");
  EXPECT_EQ(outcome.state, GuardedBatchState::kFailed);
  ASSERT_TRUE(outcome.error);
  ASSERT_EQ(outcome.remaining.size(), 1U);
  EXPECT_EQ(outcome.remaining[0].writes.size(), 60U);
  EXPECT_EQ(faulty().calls("BatchWriteItem"), 0U);
}

TEST_F(GuardedBatchTest, AGuardMustExpire) {
  EXPECT_EQ(WriteGuarded(faulty(), {.guard_table = kParts,
                                    .guard_key = kGuard,
                                    .token = "job",
                                    .writes = {{kThings, Puts(1)}}})
                .state,
            GuardedBatchState::kFailed);
  EXPECT_EQ(Write("job", 1).state, GuardedBatchState::kDone);
  EXPECT_EQ(Get(kParts, kGuard)->at("expires_at"), AttributeValue(kNow + 7 * 24 * 3600));
}

class CascadeDeleteTest : public PatternsTest {
 protected:
  void SetUp() override {
    Put(kParts, kSentinel);
    for (int i = 0; i < 60; ++i) {
      Put(kParts, {{"pk", "x"}, {"sk", "CHILD#" + std::to_string(i)}, {"expires_at", 1}});
    }
  }
  [[nodiscard]] CascadeDeleteInput Input() {
    const AccessPattern pattern{.name = "everything of a session",
                                .table = kExpiringParts,
                                .partition_key = "pk",
                                .sort_key = "sk"};
    return {.children = {Must(KeysOfPartition(db(), pattern, "x", kSentinel, environment()))},
            .sentinel_table = kExpiringParts,
            .sentinel = kSentinel,
            .batch = {.parallelism = 1, .retry = Attempts(2)}};
  }
  const Item kSentinel = {{"pk", "x"}, {"sk", "META"}};
};

TEST_F(CascadeDeleteTest, RemovesTheChildrenAndTheSentinelLast) {
  faulty().BeforeNext("DeleteItem", [&] { EXPECT_EQ(All(kParts).size(), 1U); });
  const CascadeDeleteOutcome outcome = CascadeDelete(faulty(), Input(), environment());
  EXPECT_TRUE(outcome.complete());
  EXPECT_EQ(outcome.children_removed, 60U) << "expired ones, too";
  EXPECT_TRUE(All(kParts).empty());
}

TEST_F(CascadeDeleteTest, KeepsTheSentinelWhileAChildIsLeft) {
  faulty().Script("BatchWriteItem",
                  {Fault::kNone, Fault::kNone, Fault::kThrottled, Fault::kThrottled});
  const CascadeDeleteOutcome outcome = CascadeDelete(faulty(), Input(), environment());
  EXPECT_FALSE(outcome.complete());
  EXPECT_EQ(outcome.remaining[0].keys.size(), 10U);
  EXPECT_TRUE(Get(kParts, kSentinel));
  EXPECT_EQ(faulty().calls("DeleteItem"), 0U);
  EXPECT_TRUE(CascadeDelete(faulty(), Input(), environment()).complete());
}

TEST_F(CascadeDeleteTest, TheSentinelMayHaveACondition) {
  CascadeDeleteInput input = Input();
  input.sentinel_condition = Attribute("state") == "closed";
  const CascadeDeleteOutcome outcome = CascadeDelete(faulty(), std::move(input), environment());
  EXPECT_FALSE(outcome.complete());
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->code, ErrorCode::kConditionFailed);
  EXPECT_TRUE(Get(kParts, kSentinel));
}

class CountedTest : public PatternsTest {
 protected:
  [[nodiscard]] static Counted Post(const std::string& pk) {
    return {.table = kThings,
            .item = {{"pk", pk}},
            .counter_table = kThings,
            .counter_key = {{"pk", "user"}},
            .counter_attribute = "posts"};
  }
  void ExpectPosts(int n) {
    EXPECT_EQ(Get(kThings, {{"pk", "user"}})->at("posts"), AttributeValue(n));
  }
};

TEST_F(CountedTest, TheCounterMovesWithTheItemAndOnlyWithIt) {
  const auto insert = [&](const std::string& pk, const std::string& request) {
    return CountedInsert(faulty(), Idempotency::Token(request), Post(pk), environment());
  };
  EXPECT_TRUE(Succeeds(insert("a", "1")));
  EXPECT_TRUE(Succeeds(insert("b", "2")));
  ExpectPosts(2);
  const Result<Committed> again = insert("a", "3");
  ASSERT_FALSE(again);
  EXPECT_NE(FindReason(again.error(), "item"), nullptr);
  ExpectPosts(2);
  faulty().Script("TransactWriteItems", {Fault::kLostAfter});
  EXPECT_TRUE(Succeeds(insert("c", "4")));
  ExpectPosts(3);
}

TEST_F(CountedTest, ARemoveCountsDownOnce) {
  EXPECT_TRUE(Succeeds(CountedInsert(faulty(), Idempotency::Token("1"), Post("a"), environment())));
  EXPECT_TRUE(Succeeds(CountedRemove(faulty(), Idempotency::Token("2"), Post("a"), environment())));
  ExpectPosts(0);
  const Result<Committed> again =
      CountedRemove(faulty(), Idempotency::Token("3"), Post("a"), environment());
  ASSERT_FALSE(again);
  EXPECT_NE(FindReason(again.error(), "item"), nullptr);
  ExpectPosts(0);
}

class UniqueGuardsTest : public PatternsTest {
 protected:
  [[nodiscard]] Result<Committed> Insert(const std::string& pk, const std::string& email,
                                         AttributeValue expiry = Null()) {
    Item user = {{"pk", pk}, {"email", email}};
    if (!expiry.Is<Null>()) {
      user.Set("expires_at", std::move(expiry));
    }
    Transaction transaction(faulty(), Idempotency::None(), {}, environment());
    transaction.Insert({.table = kExpiringThings, .item = user, .label = "user"});
    guards_.AddInsert(transaction, user, pk);
    return transaction.Commit();
  }
  [[nodiscard]] Result<Committed> Change(const std::string& pk, const std::string& email) {
    const Item before = Get(kThings, {{"pk", pk}}).value_or(Item());
    const Item after = {{"pk", pk}, {"email", email}};
    Transaction transaction(faulty(), Idempotency::None(), {}, environment());
    transaction.Replace({.table = kThings, .item = after, .label = "user"});
    guards_.AddChange(transaction, before, after, pk);
    return transaction.Commit();
  }
  [[nodiscard]] Result<Committed> RemoveUser(const std::string& pk) {
    const Item before = Get(kThings, {{"pk", pk}}).value_or(Item());
    Transaction transaction(faulty(), Idempotency::None(), {}, environment());
    transaction.Remove({.table = kThings, .key = {{"pk", pk}}, .label = "user"});
    guards_.AddRemove(transaction, before, pk);
    return transaction.Commit();
  }

  UniqueGuards guards_{kExpiringParts, "user", {"email", "phone"}, "expires_at"};
};

TEST_F(UniqueGuardsTest, TwoItemsCannotShareAValue) {
  EXPECT_TRUE(Succeeds(Insert("ann", "a@x")));
  const Result<Committed> taken = Insert("bob", "a@x");
  ASSERT_FALSE(taken);
  EXPECT_EQ(FindReason(taken.error(), "user"), nullptr);
  ASSERT_NE(FindReason(taken.error(), "unique email"), nullptr);
  EXPECT_EQ(std::get<ConditionFailed>(*FindReason(taken.error(), "unique email")).item->at("owner"),
            AttributeValue("ann"));
  EXPECT_FALSE(Get(kThings, {{"pk", "bob"}}));
}

TEST_F(UniqueGuardsTest, AChangeFreesTheOldValueAndTakesTheNew) {
  EXPECT_TRUE(Succeeds(Insert("ann", "a@x")));
  EXPECT_TRUE(Succeeds(Insert("bob", "b@x")));
  EXPECT_FALSE(Change("ann", "b@x"));
  EXPECT_TRUE(Succeeds(Change("ann", "c@x")));
  EXPECT_TRUE(Succeeds(Change("ann", "c@x"))) << "nothing to take";
  EXPECT_TRUE(Succeeds(Change("bob", "a@x")));
}

TEST_F(UniqueGuardsTest, ARemovedItemHoldsNoValue) {
  EXPECT_TRUE(Succeeds(Insert("ann", "a@x")));
  EXPECT_TRUE(Succeeds(RemoveUser("ann")));
  EXPECT_TRUE(All(kParts).empty());
  EXPECT_TRUE(Succeeds(Insert("bob", "a@x")));
}

TEST_F(UniqueGuardsTest, AnExpiredItemHoldsNoValue) {
  EXPECT_TRUE(Succeeds(Insert("ann", "a@x", kNow + 5)));
  EXPECT_FALSE(Insert("bob", "a@x"));
  clock_.Advance(5s);
  EXPECT_TRUE(Succeeds(Insert("bob", "a@x")));
}

TEST_F(UniqueGuardsTest, LongValuesFitAndTypesDiffer) {
  EXPECT_TRUE(Succeeds(Insert("ann", std::string(5000, 'a'))));
  EXPECT_FALSE(Insert("bob", std::string(5000, 'a')));
  EXPECT_TRUE(Succeeds(Insert("bob", std::string(5000, 'b'))));
  EXPECT_NE(guards_.GuardKey("email", "1"), guards_.GuardKey("email", 1));
  Transaction transaction(faulty(), Idempotency::None(), {}, environment());
  guards_.AddInsert(transaction, {{"email", List{}}}, "cat");
  EXPECT_TRUE(FailsWith(transaction.Commit(), ErrorCode::kValidation));
}

class PrunerTest : public PatternsTest {
 protected:
  [[nodiscard]] Pruner Make(std::size_t checked_max = 100) {
    return Pruner(faulty(),
                  {.holder = kParts,
                   .attribute = "posts",
                   .target = kExpiringThings,
                   .key_of = [](const AttributeValue& id) { return Item{{"pk", id}}; },
                   .checked_max = checked_max},
                  environment());
  }
  void SetUp() override {
    Put(kThings, {{"pk", "a"}});
    Put(kThings, {{"pk", "c"}, {"expires_at", kNow}});
    Put(kThings, {{"pk", "e"}, {"expires_at", kNow + 9999}});
  }
  [[nodiscard]] AttributeValue Posts() { return Get(kParts, kHolder)->at("posts"); }
  void Hold(AttributeValue posts) {
    Item holder = kHolder;
    holder.Set("posts", std::move(posts));
    Put(kParts, holder);
  }
  const Item kHolder = {{"pk", "user"}, {"sk", "posts"}};
};

TEST_F(PrunerTest, RemovesFromASetExactlyWhatIsGone) {
  Hold(StringSet{"a", "b", "c", "d", "e"});
  faulty().BeforeNext("UpdateItem", [&] {
    Must(db().UpdateItem(MakeUpdate("parts", kHolder, Update().Add("posts", StringSet{"new"}))));
  });
  Pruner pruner = Make();
  const PruneOutcome outcome = Must(pruner.Prune(kHolder));
  EXPECT_EQ(outcome.checked, 5U);
  EXPECT_EQ(outcome.removed, 3U) << "the expired one is gone, too";
  EXPECT_EQ(Posts(), AttributeValue(StringSet{"a", "e", "new"}));
}

TEST_F(PrunerTest, ReplacesAListOnlyIfNobodyChangedIt) {
  Hold(List{"a", "b", "a"});
  faulty().BeforeNext("UpdateItem", [&] { Hold(List{"a", "b", "a", "new"}); });
  Pruner pruner = Make();
  EXPECT_TRUE(Must(pruner.Prune(kHolder)).changed);
  EXPECT_EQ(Posts(), AttributeValue(List{"a", "b", "a", "new"}));
  clock_.Advance(1min);
  EXPECT_EQ(Must(pruner.Prune(kHolder)).removed, 2U);
  EXPECT_EQ(Posts(), AttributeValue(List{"a", "a"}));
}

TEST_F(PrunerTest, DoesALittleAtATimeAndNotTooOften) {
  Hold(StringSet{"a", "b", "c", "d", "e"});
  Pruner pruner = Make(2);
  EXPECT_EQ(Must(pruner.Prune(kHolder)).checked, 2U);
  EXPECT_TRUE(Must(pruner.Prune(kHolder)).too_early);
  for (int i = 0; i < 3; ++i) {
    clock_.Advance(1min);
    EXPECT_LE(Must(pruner.Prune(kHolder)).checked, 2U);
  }
  EXPECT_EQ(Posts(), AttributeValue(StringSet{"a", "e"}));
}

TEST_F(PrunerTest, WritesNothingWhenAllIsWell) {
  Hold(StringSet{"a", "e"});
  Pruner pruner = Make();
  EXPECT_EQ(Must(pruner.Prune(kHolder)).removed, 0U);
  EXPECT_EQ(faulty().calls("UpdateItem"), 0U);
  EXPECT_EQ(Must(pruner.Prune({{"pk", "nobody"}, {"sk", "posts"}})).checked, 0U);
}

TEST_F(PrunerTest, RemovesNothingWhenItCannotRead) {
  Hold(StringSet{"a", "b"});
  faulty().Script("BatchGetItem", std::vector<Fault>(100, Fault::kThrottled));
  Pruner pruner = Make();
  EXPECT_FALSE(pruner.Prune(kHolder));
  EXPECT_EQ(Posts(), AttributeValue(StringSet{"a", "b"}));
}

}  // namespace
}  // namespace stator::patterns
