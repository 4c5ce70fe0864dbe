// Transactions that commit or say why not. Their retries and tokens: idempotency_test.cc.

#include "stator/patterns/transaction.h"

#include <string>

#include "patterns/patterns_test.h"
#include "stator/patterns/versioned_items.h"

namespace stator::patterns {
namespace {

const Item kAnn = {{"pk", "ann"}};
const Item kBob = {{"pk", "bob"}};

class TransactionTest : public PatternsTest {
 protected:
  [[nodiscard]] Transaction Begin(Idempotency idempotency = Idempotency::None(),
                                  TransactionOptions options = {}) {
    return Transaction(faulty(), std::move(idempotency), std::move(options), environment());
  }
  [[nodiscard]] static PutAction Thing(const std::string& pk, std::string label = {}) {
    return {.table = kThings, .item = {{"pk", pk}, {"n", 1}}, .label = std::move(label)};
  }
};

template <class T>
const T* ReasonOf(const Result<Committed>& outcome, std::string_view label) {
  const Reason* reason = outcome ? nullptr : FindReason(outcome.error(), label);
  return reason == nullptr ? nullptr : std::get_if<T>(reason);
}

TEST_F(TransactionTest, MovesItemsOfSeveralTablesTogether) {
  Put(kThings, {{"pk", "team"}, {"members", 1}});
  Put(kThings, {{"pk", "old"}});
  Put(kThings, {{"pk", "whole"}, {"a", 1}});
  Transaction transaction = Begin();
  transaction.Insert(Thing("ann"))
      .Upsert({.table = kParts, .item = {{"pk", "ann"}, {"sk", "profile"}}})
      .Replace({.table = kThings, .item = {{"pk", "whole"}, {"b", 1}}})
      .Patch({.table = kThings, .key = {{"pk", "team"}}, .update = Update().Add("members", 1)})
      .PatchOrInsert({.table = kThings, .key = {{"pk", "total"}}, .update = Update().Add("n", 1)})
      .Remove({.table = kThings, .key = {{"pk", "old"}}})
      .RequireAbsent({.table = kThings, .key = {{"pk", "banned"}}});
  EXPECT_TRUE(Succeeds(transaction.Commit()));
  EXPECT_TRUE(Get(kThings, kAnn));
  EXPECT_TRUE(Get(kParts, {{"pk", "ann"}, {"sk", "profile"}}));
  EXPECT_EQ(Get(kThings, {{"pk", "whole"}}), (Item{{"pk", "whole"}, {"b", 1}}));
  EXPECT_EQ(Get(kThings, {{"pk", "team"}})->at("members"), AttributeValue(2));
  EXPECT_EQ(Get(kThings, {{"pk", "total"}})->at("n"), AttributeValue(1));
  EXPECT_FALSE(Get(kThings, {{"pk", "old"}}));
}

TEST_F(TransactionTest, LeavesNothingBehindWhenOneActionFails) {
  Put(kThings, kBob);
  Transaction transaction = Begin();
  transaction.Insert(Thing("ann", "ann")).Insert(Thing("bob", "bob"));
  EXPECT_TRUE(FailsWith(transaction.Commit(), ErrorCode::kTransactionCanceled));
  EXPECT_FALSE(Get(kThings, kAnn)) << "nothing is there to be rolled back";
}

TEST_F(TransactionTest, SaysWhichActionFailedAndShowsItsItem) {
  Put(kThings, {{"pk", "bob"}, {"state", "closed"}});
  Transaction transaction = Begin();
  transaction.Insert(Thing("ann", "ann"))
      .Patch({.table = kThings,
              .key = kBob,
              .update = Update().Set("n", 1),
              .condition = Attribute("state") == "open",
              .label = "bob"})
      .RequireExists({.table = kThings, .key = {{"pk", "cat"}}, .label = "cat"});
  const Result<Committed> outcome = transaction.Commit();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(FindReason(outcome.error(), "ann"), nullptr);
  ASSERT_NE(ReasonOf<ConditionFailed>(outcome, "bob"), nullptr);
  EXPECT_EQ(ReasonOf<ConditionFailed>(outcome, "bob")->item,
            (Item{{"pk", "bob"}, {"state", "closed"}}));
  ASSERT_NE(ReasonOf<ConditionFailed>(outcome, "cat"), nullptr);
  EXPECT_FALSE(ReasonOf<ConditionFailed>(outcome, "cat")->item);
  EXPECT_EQ(FirstConditionFailed(outcome.error())->label, "bob");
  EXPECT_FALSE(IsTransient(outcome.error().code)) << "a failed condition is an answer";
  EXPECT_EQ(faulty().calls("TransactWriteItems"), 1U) << "and nobody asks again";
  EXPECT_EQ(outcome.error().message, "canceled: bob: condition failed, cat: condition failed");
}

TEST_F(TransactionTest, ChecksWithoutWriting) {
  Put(kThings, kAnn);
  const auto commit = [&](auto&& add) {
    Transaction transaction = Begin();
    transaction.Upsert(Thing("other"));
    add(transaction);
    return transaction.Commit().has_value();
  };
  EXPECT_TRUE(commit([](Transaction& t) { t.RequireExists({.table = kThings, .key = kAnn}); }));
  EXPECT_FALSE(commit([](Transaction& t) { t.RequireExists({.table = kThings, .key = kBob}); }));
  EXPECT_FALSE(commit([](Transaction& t) { t.RequireAbsent({.table = kThings, .key = kAnn}); }));
  EXPECT_TRUE(commit([](Transaction& t) {
    t.Require({.table = kThings, .key = kAnn, .condition = Attribute("n").NotExists()});
  }));
  EXPECT_EQ(Get(kThings, kAnn), kAnn);
  EXPECT_FALSE(Get(kThings, kBob));
}

TEST_F(TransactionTest, ExpiredItemsAreAbsent) {
  Put(kThings, {{"pk", "ann"}, {"expires_at", kNow}});
  Transaction check = Begin();
  check.Upsert(Thing("other")).RequireExists({.table = kExpiringThings, .key = kAnn});
  EXPECT_FALSE(check.Commit());
  Transaction insert = Begin();
  insert.Insert({.table = kExpiringThings, .item = {{"pk", "ann"}, {"n", 2}}});
  EXPECT_TRUE(Succeeds(insert.Commit()));
}

TEST_F(TransactionTest, ExpireWritesTheCurrentSecondAndMakesNothing) {
  Put(kThings, {{"pk", "ann"}, {"expires_at", kNow + 99}});
  Transaction transaction = Begin();
  transaction.Expire({.table = kExpiringThings, .key = kAnn}).Upsert(Thing("other"));
  EXPECT_TRUE(Succeeds(transaction.Commit()));
  EXPECT_EQ(Get(kThings, kAnn)->at("expires_at"), AttributeValue(kNow));
  Transaction missing = Begin();
  missing.Expire({.table = kExpiringThings, .key = kBob});
  EXPECT_FALSE(missing.Commit());
  EXPECT_FALSE(Get(kThings, kBob));
  Transaction eternal = Begin();
  eternal.Expire({.table = kThings, .key = kAnn});
  EXPECT_TRUE(FailsWith(eternal.Commit(), ErrorCode::kValidation));
}

TEST_F(TransactionTest, InsertReplaceAndPatchSayWhatTheyAssume) {
  const auto commits = [&](auto&& add) {
    Transaction transaction = Begin(Idempotency::None(), {.force_transaction = true});
    add(transaction);
    return transaction.Commit().has_value();
  };
  const UpdateAction update{.table = kThings, .key = kAnn, .update = Update().Set("a", 1)};
  EXPECT_FALSE(commits([](Transaction& t) { t.Replace(Thing("ann")); }));
  EXPECT_FALSE(commits([&](Transaction& t) { t.Patch(update); }));
  EXPECT_FALSE(Get(kThings, kAnn));
  EXPECT_TRUE(commits([](Transaction& t) { t.Insert(Thing("ann")); }));
  EXPECT_FALSE(commits([](Transaction& t) { t.Insert(Thing("ann")); }));
  EXPECT_TRUE(commits([](Transaction& t) { t.Replace(Thing("ann")); }));
  EXPECT_TRUE(commits([&](Transaction& t) { t.Patch(update); }));
}

TEST_F(TransactionTest, OneActionIsOneConditionalWrite) {
  Transaction insert = Begin();
  insert.Insert(Thing("ann", "ann"));
  EXPECT_TRUE(Must(insert.Commit()).single_write);
  EXPECT_EQ(faulty().calls("PutItem"), 1U);
  const Result<Committed> again = insert.Commit();
  ASSERT_NE(ReasonOf<ConditionFailed>(again, "ann"), nullptr);
  EXPECT_EQ(ReasonOf<ConditionFailed>(again, "ann")->item->at("n"), AttributeValue(1));
  Transaction update = Begin();
  update.Patch({.table = kThings, .key = kAnn, .update = Update().Add("n", 1)});
  EXPECT_TRUE(Must(update.Commit()).single_write);
  Transaction remove = Begin();
  remove.Remove({.table = kThings, .key = kAnn, .condition = Attribute("n") == 2});
  EXPECT_TRUE(Must(remove.Commit()).single_write);
  EXPECT_FALSE(Get(kThings, kAnn));
  EXPECT_EQ(faulty().calls("TransactWriteItems"), 0U);
}

TEST_F(TransactionTest, OneActionStaysATransactionWhenItHasToBeOne) {
  Transaction forced = Begin(Idempotency::None(), {.force_transaction = true});
  forced.Upsert(Thing("a"));
  EXPECT_FALSE(Must(forced.Commit()).single_write);
  Transaction token = Begin(Idempotency::Token("request"));
  token.Upsert(Thing("a"));
  EXPECT_FALSE(Must(token.Commit()).single_write);
  Transaction check = Begin();
  check.RequireAbsent({.table = kThings, .key = kAnn});
  EXPECT_FALSE(Must(check.Commit()).single_write);
  EXPECT_EQ(faulty().calls("TransactWriteItems"), 3U);
}

TEST_F(TransactionTest, RefusesTwoActionsOnOneItemAndNamesBoth) {
  Transaction transaction = Begin();
  transaction.Upsert(Thing("a"))
      .Upsert(Thing("b"))
      .Remove({.table = kThings, .key = {{"pk", "a"}}});
  const Result<Committed> outcome = transaction.Commit();
  ASSERT_TRUE(FailsWith(outcome, ErrorCode::kValidation));
  EXPECT_EQ(outcome.error().message, "refused: actions 0 and 2 are on the same item");
  Transaction fine = Begin();
  fine.Upsert({.table = kParts, .item = {{"pk", "x"}, {"sk", "y"}}})
      .Upsert({.table = kParts, .item = {{"pk", "y"}, {"sk", "x"}}});
  EXPECT_TRUE(Succeeds(fine.Commit())) << "keys are compared whole and in order";
}

TEST_F(TransactionTest, TakesAHundredActionsOnOneTableAndNotOneMore) {
  Transaction hundred = Begin();
  for (int i = 0; i < 100; ++i) {
    hundred.Upsert(Thing("t" + std::to_string(i)));
  }
  EXPECT_TRUE(Succeeds(hundred.Commit()));
  EXPECT_EQ(All(kThings).size(), 100U);
  hundred.Upsert(Thing("one more"));
  EXPECT_TRUE(FailsWith(hundred.Commit(), ErrorCode::kValidation));
  EXPECT_EQ(faulty().calls("TransactWriteItems"), 1U);
}

TEST_F(TransactionTest, RefusesMoreThanFourMegabytesOfItems) {
  const auto with = [&](int items) {
    Transaction transaction = Begin();
    for (int i = 0; i < items; ++i) {
      transaction.Upsert(
          {.table = kThings,
           .item = {{"pk", std::to_string(i)}, {"b", std::string(399 * 1024, 'x')}}});
    }
    return transaction.Commit();
  };
  EXPECT_TRUE(FailsWith(with(11), ErrorCode::kValidation));
  EXPECT_EQ(faulty().calls("TransactWriteItems"), 0U);
  EXPECT_TRUE(Succeeds(with(10)));
}

TEST_F(TransactionTest, RefusesWhatMeansNothing) {
  EXPECT_TRUE(FailsWith(Begin().Commit(), ErrorCode::kValidation));
  EXPECT_TRUE(
      FailsWith(Begin().Require({.table = kThings, .key = kAnn}).Commit(), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(Begin().Patch({.table = kThings, .key = kAnn, .update = {}}).Commit(),
                        ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(Begin().Insert({.table = kThings, .item = {{"n", 1}}}).Commit(),
                        ErrorCode::kValidation));
  EXPECT_EQ(faulty().calls(), 0U);
}

TEST_F(TransactionTest, WhatComesAfterTheCommitCannotUndoIt) {
  int ran = 0;
  Transaction transaction = Begin();
  transaction.Insert(Thing("ann")).AfterCommit([&] { ++ran; });
  EXPECT_TRUE(Succeeds(transaction.Commit()));
  EXPECT_EQ(ran, 1);
  EXPECT_FALSE(transaction.Commit());
  EXPECT_EQ(ran, 1) << "only after a commit";
}

TEST_F(TransactionTest, CarriesVersionedWrites) {
  const VersionedItems items(faulty(), kThings, {}, environment());
  const VersionedItem ann = Must(items.Insert({{"pk", "ann"}, {"n", 1}}));
  const VersionedItem bob = Must(items.Insert({{"pk", "bob"}, {"n", 1}}));
  const VersionedItem cat = Must(items.Insert({{"pk", "cat"}, {"n", 1}}));
  const auto move = [&] {
    Transaction transaction = Begin();
    items.ReplaceIn(transaction, ann, {{"pk", "ann"}, {"n", 2}}, "ann");
    items.RemoveIn(transaction, bob, "bob");
    items.RequireIn(transaction, cat, "cat");
    items.InsertIn(transaction, {{"pk", "dan"}}, "dan");
    return transaction.Commit();
  };
  EXPECT_TRUE(Succeeds(move()));
  EXPECT_EQ(Must(items.Read(kAnn))->revision.number, 2U);
  EXPECT_FALSE(Get(kThings, kBob));
  EXPECT_EQ(Must(items.Read({{"pk", "dan"}}))->revision.number, 1U);
  const Result<Committed> stale = move();
  ASSERT_TRUE(FailsWith(stale, ErrorCode::kTransactionCanceled));
  EXPECT_NE(FindReason(stale.error(), "ann"), nullptr);
  EXPECT_NE(FindReason(stale.error(), "bob"), nullptr);
  EXPECT_EQ(FindReason(stale.error(), "cat"), nullptr);
  EXPECT_NE(FindReason(stale.error(), "dan"), nullptr);
}

}  // namespace
}  // namespace stator::patterns
