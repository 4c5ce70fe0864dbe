// Entities that expire: nobody sees them afterwards, whether or not the database has removed them.

#include <string>

#include "entities/entities_test.h"
#include "stator/patterns/fire_and_forget.h"

namespace stator::entities {
namespace {

const Order kOrder = {.customer = "ann", .number = 1};

Expiry In(std::int64_t seconds) {
  return *Expiry::FromSeconds(kNow + seconds);
}

class EntityExpiryTest : public EntitiesTest {
 protected:
  static Item Key() { return {{"pk", "CUSTOMER#ann"}, {"sk", "ORDER#00000001"}}; }

  Orders orders_ = Open<Orders>();
};

TEST_F(EntityExpiryTest, AnExpiredEntityIsNotThere) {
  const auto inserted = Must(orders_.Insert(kOrder, {.expiry = In(60)}));
  clock_.Advance(60s);
  EXPECT_TRUE(Get("order", Key())) << "the database still has it";
  EXPECT_FALSE(Must(orders_.Read({"ann", 1U})));
  EXPECT_FALSE(Must(orders_.ReadStrong({"ann", 1U})));
  EXPECT_FALSE(Must(orders_.Exists({"ann", 1U})));
  EXPECT_FALSE(Must(orders_.ReadMany({{"ann", 1U}}))[0]);
  EXPECT_FALSE(Must(orders_.ReadTogether({{"ann", 1U}}))[0]);
  EXPECT_EQ(Must(orders_.Count({"ann"})), 0U);
  for (const auto& order : orders_.Query({"ann"})) {
    ADD_FAILURE() << order->data.number;
  }
  for (const auto& order : orders_.QueryIndex<"by_state">({"open"})) {
    ADD_FAILURE() << order->data.number;
  }
  EXPECT_EQ(Must(orders_.Count({"ann"}, {.include_expired = true})), 1U);
  EXPECT_TRUE(FailsWith(orders_.Update(inserted), ErrorCode::kExpired));
  EXPECT_TRUE(FailsWith(orders_.Modify({"ann", 1U}, [](Order& order) { order.state = "done"; }),
                        ErrorCode::kNotFound));
  EXPECT_TRUE(FailsWith(orders_.Patch({"ann", 1U}, Set<&Order::total>(1)), ErrorCode::kExpired));
}

TEST_F(EntityExpiryTest, AnInsertTakesItsPlace) {
  Must(orders_.Insert(kOrder, {.expiry = In(60)}));
  EXPECT_TRUE(FailsWith(orders_.Insert(kOrder), ErrorCode::kAlreadyExists));
  clock_.Advance(60s);
  const auto again = Must(orders_.Insert(kOrder));
  EXPECT_EQ(again.rev(), 1U);
  EXPECT_FALSE(again.expiry());
  EXPECT_TRUE(Must(orders_.Read({"ann", 1U})));
}

TEST_F(EntityExpiryTest, ExpireEndsALifeNowAndNotInThePast) {
  Must(orders_.Insert(kOrder));
  ASSERT_TRUE(Succeeds(orders_.Expire({"ann", 1U})));
  EXPECT_EQ(Get("order", Key())->at("expires_at"), AttributeValue(kNow)) << "never 0";
  EXPECT_FALSE(Must(orders_.Read({"ann", 1U})));
  EXPECT_TRUE(FailsWith(orders_.Expire({"ann", 1U}), ErrorCode::kExpired));
  EXPECT_TRUE(FailsWith(orders_.Expire({"ann", 2U}), ErrorCode::kNotFound));
}

TEST_F(EntityExpiryTest, ExpireOfWhatWasSeenChecksThatItIsStillSo) {
  const auto seen = Must(orders_.Insert(kOrder));
  Must(orders_.Modify({"ann", 1U}, [](Order& order) { order.state = "paid"; }));
  EXPECT_TRUE(FailsWith(orders_.ExpireSeen(seen), ErrorCode::kConflict));
  const auto current = MustFind(orders_.ReadStrong({"ann", 1U}));
  EXPECT_TRUE(Succeeds(orders_.ExpireSeen(current, In(5))));
  EXPECT_EQ(MustFind(orders_.ReadStrong({"ann", 1U})).rev(), current.rev() + 1);
  clock_.Advance(5s);
  EXPECT_FALSE(Must(orders_.ReadStrong({"ann", 1U})));
}

TEST_F(EntityExpiryTest, ATouchCausesNoConflictAndIsNotUndone) {
  Versioned<Order> mine = Must(orders_.Insert(kOrder, {.expiry = In(60)}));
  ASSERT_TRUE(Succeeds(Others<Orders>().Touch({"ann", 1U}, In(600))));
  mine.data.state = "paid";
  const auto updated = Must(orders_.Update(mine));
  EXPECT_EQ(updated.rev(), 2U) << "the touch counts as none";
  EXPECT_EQ(updated.expiry(), In(600));
  EXPECT_EQ(faulty().calls("UpdateItem"), 1U);
  EXPECT_EQ(MustFind(orders_.ReadStrong({"ann", 1U})).expiry(), In(600));
}

TEST_F(EntityExpiryTest, ATouchNeitherMakesNorRevivesAnything) {
  EXPECT_TRUE(FailsWith(orders_.Touch({"ann", 1U}, In(60)), ErrorCode::kNotFound));
  EXPECT_FALSE(Get("order", Key()));
  Must(orders_.Insert(kOrder, {.expiry = In(60)}));
  clock_.Advance(60s);
  EXPECT_TRUE(FailsWith(orders_.Touch({"ann", 1U}, In(600)), ErrorCode::kExpired));
  Must(orders_.Insert(kOrder));
  EXPECT_TRUE(FailsWith(orders_.Touch({"ann", 1U}, In(600)), ErrorCode::kValidation))
      << "what lives for ever is not made mortal by the way";
}

TEST_F(EntityExpiryTest, ATouchIsSentUntilItIsAnswered) {
  Must(orders_.Insert(kOrder, {.expiry = In(60)}));
  faulty().Script("UpdateItem", {Fault::kLostAfter, Fault::kThrottled, Fault::kLostBefore});
  EXPECT_TRUE(Succeeds(orders_.Touch({"ann", 1U}, In(600))));
  EXPECT_EQ(MustFind(orders_.Read({"ann", 1U})).expiry(), In(600));
}

TEST_F(EntityExpiryTest, ATouchInTheBackgroundDelaysNobody) {
  Must(orders_.Insert(kOrder, {.expiry = In(60)}));
  patterns::FireAndForget background({.background_thread = false}, environment());
  orders_.TouchInBackground(background, {"ann", 1U}, In(300));
  orders_.TouchInBackground(background, {"ann", 1U}, In(600));
  orders_.TouchInBackground(background, {"ann", 2U}, In(600));
  EXPECT_EQ(MustFind(orders_.Read({"ann", 1U})).expiry(), In(60));
  EXPECT_TRUE(background.Drain(1h));
  EXPECT_EQ(MustFind(orders_.Read({"ann", 1U})).expiry(), In(600));
  EXPECT_EQ(background.counts().coalesced, 1U);
  EXPECT_EQ(background.counts().failed, 1U) << "there is no second order";
}

TEST_F(EntityExpiryTest, AnUpdateCanChangeTheExpiry) {
  const auto order = Must(orders_.Insert(kOrder));
  const auto updated = Must(orders_.Update(order, {.expiry = In(60)}));
  EXPECT_EQ(updated.expiry(), In(60));
  const Accounts accounts = Open<Accounts>();
  EXPECT_TRUE(FailsWith(accounts.Insert({.id = "a1"}, {.expiry = In(60)}), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(accounts.Touch({"a1"}, In(60)), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(accounts.Expire({"a1"}), ErrorCode::kValidation));
}

// Reserved lives for a day unless a write says otherwise.
TEST_F(EntityExpiryTest, ANewEntityHasTheLifeOfItsKind) {
  const Reserveds all = Open<Reserveds>();
  constexpr std::int64_t kDay = 86'400;
  EXPECT_EQ(Must(all.Insert({.key = "a", .status = "open"})).expiry(), In(kDay));
  EXPECT_EQ(Must(all.Insert({.key = "b", .status = "open"}, {.expiry = In(60)})).expiry(), In(60));
  EXPECT_FALSE(Must(all.Insert({.key = "c", .status = "open"}, {.forever = true})).expiry());
  EXPECT_EQ(Must(all.Upsert({.key = "d", .status = "open"})).expiry(), In(kDay));

  patterns::Transaction transaction(db(), patterns::Idempotency::None(), {}, environment());
  EXPECT_EQ(Must(all.InsertIn(transaction, {.key = "e", .status = "open"})).expiry(), In(kDay));
  ASSERT_TRUE(transaction.Commit().has_value());
  EXPECT_EQ(MustFind(all.Read({"e"})).expiry(), In(kDay));

  clock_.Advance(std::chrono::seconds(kDay));
  EXPECT_FALSE(Must(all.Read({"a"})));
  EXPECT_TRUE(Must(all.Read({"c"})));
}

TEST_F(EntityExpiryTest, AnUpsertBeginsALifeAndAnUpdateLeavesIt) {
  const Reserveds all = Open<Reserveds>();
  constexpr std::int64_t kDay = 86'400;
  Must(all.Insert({.key = "a", .status = "open"}, {.expiry = In(60)}));
  clock_.Advance(10s);
  EXPECT_EQ(Must(all.Modify({"a"}, [](Reserved& it) { it.name = "x"; })).expiry(), In(60));
  EXPECT_EQ(Must(all.Upsert({.key = "a", .status = "open"})).expiry(), In(10 + kDay));
  EXPECT_FALSE(Must(all.Upsert({.key = "a", .status = "open"}, {.forever = true})).expiry());
  EXPECT_FALSE(Get("reserved", {{"key", "a"}})->contains("ttl"));
}

TEST_F(EntityExpiryTest, ForeverContradictsAnExpiryAndAnEntityWithoutOne) {
  const Reserveds all = Open<Reserveds>();
  EXPECT_TRUE(
      FailsWith(all.Insert({.key = "a", .status = "open"}, {.expiry = In(60), .forever = true}),
                ErrorCode::kValidation));
  EXPECT_TRUE(
      FailsWith(Open<Accounts>().Insert({.id = "a1"}, {.forever = true}), ErrorCode::kValidation));
  EXPECT_FALSE(Must(all.Read({"a"})));
}

}  // namespace
}  // namespace stator::entities
