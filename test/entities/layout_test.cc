// What is in the table: the items of each layout and naming, attribute by attribute (a changed byte
// here is a changed format), and how each reads what the other wrote.

#include <string>

#include "entities/entities_test.h"

namespace stator::entities {
namespace {

constexpr std::int64_t kNowMs = kNow * 1000;

// The same session, flat and with the plain names it never had.
struct FlatSession : Session {};
BOOST_DESCRIBE_STRUCT(FlatSession, (Session), ())

// An account that keeps what it does not know in a member.
struct Keeper : Account {
  UnknownAttributes rest;
};
BOOST_DESCRIBE_STRUCT(Keeper, (Account), (rest))

}  // namespace

template <>
struct EntityTraits<Keeper> : EntityTraits<Account> {};

template <>
struct EntityTraits<FlatSession> : EntityTraits<Session> {
  static constexpr Layout kLayout = Layout::kFlat;
};

namespace {

using FlatSessions = Repository<FlatSession, kAllVerbs, "by_user">;

std::chrono::sys_seconds InAMinute() {
  return std::chrono::sys_seconds(std::chrono::seconds(kNow + 60));
}

class LayoutTest : public EntitiesTest {
 protected:
  static Item SessionKey() { return {{"session_id", "s1"}}; }
  static Session MakeSession() {
    return {.id = "s1", .user = "ann", .expires = InAMinute(), .values = {{"a", "1"}}};
  }
};

TEST_F(LayoutTest, AFlatItemIsReadableInAConsole) {
  const Accounts accounts = Open<Accounts>();
  const auto account = Must(accounts.Insert({.id = "a1", .holder = "Ann", .balance = 5}));
  EXPECT_EQ(*Get("account", {{"pk", "ACCOUNT#a1"}}), (Item{{"pk", "ACCOUNT#a1"},
                                                           {"id", "a1"},
                                                           {"holder", "Ann"},
                                                           {"balance", 5},
                                                           {"data_version", 1},
                                                           {"rev", 1},
                                                           {"write_id", account.write_id()},
                                                           {"write_ids", List{account.write_id()}},
                                                           {"last_write", kNowMs}}));
}

TEST_F(LayoutTest, IndexAttributesAndTimesStandBesideTheFields) {
  const Orders orders = Open<Orders>();
  const auto order = Must(orders.Insert(
      {.customer = "ann", .number = 17, .courier = "bob", .total = *Number::Parse("9.90")},
      {.expiry = *Expiry::FromSeconds(kNow + 60)}));
  EXPECT_EQ(order.created_at(), clock_.Now());
  EXPECT_EQ(order.expiry()->seconds(), kNow + 60);
  const Item stored = *Get("order", {{"pk", "CUSTOMER#ann"}, {"sk", "ORDER#00000017"}});
  EXPECT_EQ(stored.at("state_order"), AttributeValue("ann#00000017"));
  EXPECT_EQ(stored.at("courier_key"), AttributeValue("COURIER#bob"));
  EXPECT_EQ(stored.at("created_at"), AttributeValue(kNowMs));
  EXPECT_EQ(stored.at("expires_at"), AttributeValue(kNow + 60));
  EXPECT_TRUE(order.extra().empty()) << testing::PrintToString(order.extra());

  clock_.Advance(1s);
  const auto changed =
      Must(orders.Modify({"ann", 17U}, [](Order& changing) { changing.courier.reset(); }));
  EXPECT_EQ(changed.created_at(), TimePoint(std::chrono::seconds(kNow)));
  EXPECT_EQ(changed.expiry()->seconds(), kNow + 60);
  EXPECT_FALSE(
      Get("order", {{"pk", "CUSTOMER#ann"}, {"sk", "ORDER#00000017"}})->contains("courier_key"))
      << "an order without a courier is in no courier's index";
}

TEST_F(LayoutTest, UpsertKeepsTheTimeOfCreationAndDropsTheExpiry) {
  const Orders orders = Open<Orders>();
  Must(
      orders.Upsert({.customer = "ann", .number = 1}, {.expiry = *Expiry::FromSeconds(kNow + 60)}));
  clock_.Advance(5s);
  const auto again = Must(orders.Upsert({.customer = "ann", .number = 1}));
  EXPECT_EQ(again.created_at(), TimePoint(std::chrono::seconds(kNow)));
  EXPECT_EQ(again.last_write(), clock_.Now());
  EXPECT_FALSE(again.expiry());
}

TEST_F(LayoutTest, ANestedItemHasItsFieldsInOneMap) {
  const Sessions sessions = Open<Sessions>();
  const auto session = Must(sessions.Insert(MakeSession()));
  const Map values = {{"a", "1"}};
  EXPECT_EQ(*Get("session", SessionKey()), (Item{{"session_id", "s1"},
                                                 {"data", Map{{"id", "s1"},
                                                              {"user", "ann"},
                                                              {"expires", kNow + 60},
                                                              {"values", AttributeValue(values)}}},
                                                 {"user", "ann"},
                                                 {"expires", kNow + 60},
                                                 {"values", AttributeValue(values)},
                                                 {"_v", 1},
                                                 {"_rev", 1},
                                                 {"_wid", session.write_id()},
                                                 {"_wids", List{session.write_id()}},
                                                 {"_lw", kNowMs}}));
  EXPECT_EQ(session.expiry()->seconds(), kNow + 60);
  EXPECT_TRUE(session.extra().empty());
}

TEST_F(LayoutTest, ANestedItemCanBeChangedPatchedAndRenewed) {
  const Sessions sessions = Open<Sessions>();
  Must(sessions.Insert(MakeSession()));
  Must(sessions.Modify({"s1"}, [](Session& session) { session.user = "bob"; }));
  EXPECT_EQ(Get("session", SessionKey())->at("user"), AttributeValue("bob")) << "the copy, too";
  EXPECT_TRUE(FailsWith(sessions.Patch({"s1"}, Set<&Session::user>("x")), ErrorCode::kValidation))
      << "it has a copy";
  ASSERT_TRUE(Succeeds(sessions.Touch({"s1"}, *Expiry::FromSeconds(kNow + 600))));
  const auto read = MustFind(sessions.Read({"s1"}));
  EXPECT_EQ(read.data.expires, std::chrono::sys_seconds(std::chrono::seconds(kNow + 600)))
      << "the renewal is seen in the field";
  EXPECT_EQ(Must(sessions.Modify({"s1"}, [](Session& s) { s.values["b"] = "2"; })).expiry(),
            Expiry::FromSeconds(kNow + 600).value());
}

TEST_F(LayoutTest, EachLayoutReadsAndConvertsTheOther) {
  const Sessions nested = Open<Sessions>();
  const FlatSessions flat = Open<FlatSessions>();
  Must(nested.Insert(MakeSession()));
  Item unknown = *Get("session", SessionKey());
  unknown.Set("beside", "x");
  (*unknown.Find("data")->If<Map>())["inside"] = "y";
  Put("session", unknown);

  EXPECT_EQ(MustFind(flat.Read({"s1"})).data.values.at("a"), "1");
  Must(flat.Modify({"s1"}, [](FlatSession& session) { session.user = "bob"; }));
  Item stored = *Get("session", SessionKey());
  EXPECT_FALSE(stored.contains("data"));
  EXPECT_EQ(stored.at("id"), AttributeValue("s1"));
  EXPECT_EQ(stored.at("beside"), AttributeValue("x"));
  EXPECT_EQ(stored.at("inside"), AttributeValue("y"));

  EXPECT_EQ(MustFind(nested.Read({"s1"})).data.user, "bob");
  Must(nested.Modify({"s1"}, [](Session& session) { session.user = "eve"; }));
  stored = *Get("session", SessionKey());
  EXPECT_TRUE(stored.contains("data"));
  EXPECT_FALSE(stored.contains("id"));
  EXPECT_EQ(stored.at("data").If<Map>()->at("inside"), AttributeValue("y"));
  EXPECT_EQ(MustFind(flat.Read({"s1"})).data.user, "eve");
}

TEST_F(LayoutTest, APatchOfTheOtherLayoutConvertsFirst) {
  const FlatSessions flat = Open<FlatSessions>();
  const Sessions nested = Open<Sessions>();
  Must(flat.Insert({MakeSession()}));
  EXPECT_EQ(Must(nested.Patch({"s1"}, FieldUpdate<Session>(Update().Set("added", 1)))).data.user,
            "ann");
  EXPECT_TRUE(Get("session", SessionKey())->contains("data"));
  EXPECT_EQ(Must(flat.Patch({"s1"},
                            FieldUpdate<FlatSession>(Update().Set(Attribute("values")["b"], "2"))))
                .data.values.size(),
            2U);
  EXPECT_FALSE(Get("session", SessionKey())->contains("data"));
}

TEST_F(LayoutTest, AConditionOfAPatchMeansTheFieldsWhereverTheyAre) {
  const Sessions nested = Open<Sessions>();
  Must(nested.Insert(MakeSession()));
  const auto refused = nested.Patch({"s1"}, FieldUpdate<Session>(Update().Remove("nothing")),
                                    Where<&Session::user>() == "nobody");
  EXPECT_TRUE(FailsWith(refused, ErrorCode::kRefused));
  EXPECT_TRUE(Succeeds(nested.Patch({"s1"}, FieldUpdate<Session>(Update().Set("added", 1)),
                                    Where<&Session::user>() == "ann")));
  EXPECT_EQ(MustFind(nested.Read({"s1"})).extra(), (Item{{"added", 1}}));
}

TEST_F(LayoutTest, AMemberForUnknownAttributesHoldsNothingOfTheStoresOwn) {
  using Keepers = Repository<Keeper, kAllVerbs>;
  const Keepers keepers = Open<Keepers>();
  Keeper keeper{{.id = "a1", .holder = "Ann"}, {}};
  keeper.rest.attributes = {{"colour", "red"}};
  Versioned<Keeper> seen = Must(keepers.Insert(keeper));
  EXPECT_EQ(seen.data.rest.attributes, keeper.rest.attributes);
  Must(keepers.Modify({"a1"}, [](Keeper& changing) { changing.balance = 5; }));
  Must(keepers.Modify({"a1"}, [](Keeper& changing) { changing.balance = 0; }));
  EXPECT_EQ(MustFind(keepers.Read({"a1"})).data.rest.attributes, keeper.rest.attributes);
  // Others only rewrote it: their revisions make no other value of it.
  seen.data.holder = "Bob";
  EXPECT_EQ(Must(keepers.Update(seen)).rev(), 4U);
}

TEST_F(LayoutTest, AFlatItemWithAnUnknownMapCalledDataIsNoNestedOne) {
  const Accounts accounts = Open<Accounts>();
  Must(accounts.Insert({.id = "a1", .holder = "Ann"}));
  Item item = *Get("account", {{"pk", "ACCOUNT#a1"}});
  item.Set("data", AttributeValue(Map{{"from", "the future"}}));
  Put("account", item);
  EXPECT_EQ(MustFind(accounts.Read({"a1"})).data.holder, "Ann");
}

}  // namespace
}  // namespace stator::entities
