// Values at the border of what an item may hold, and names that expressions reserve.

#include <string>

#include "entities/entities_test.h"

namespace stator::entities {
namespace {

constexpr std::size_t kItemBytesMax = 400 * 1024;

class EntityLimitsTest : public EntitiesTest {
 protected:
  // An account whose item has this many bytes.
  Account OfSize(const Accounts& accounts, std::size_t bytes) {
    Account account = {.id = "big"};
    Must(accounts.Upsert(account));
    account.holder.assign(bytes - SizeOf("big"), 'x');
    Must(accounts.RemoveUnchecked({"big"}));
    return account;
  }
  // As DynamoDB counts: names and values, numbers by their digits.
  std::size_t SizeOf(const std::string& id) {
    std::size_t bytes = 0;
    const Item item = Get("account", {{"pk", "ACCOUNT#" + id}}).value_or(Item());
    for (const auto& [name, value] : item) {
      bytes += name.size();
      if (const auto* text = value.If<std::string>()) {
        bytes += text->size();
      } else if (const auto* number = value.If<Number>()) {
        bytes += (number->ToString().size() + 1) / 2 + 1;
      } else {
        bytes += 3 + 1 + 16;  // a list of one write id
      }
    }
    return bytes;
  }
};

TEST_F(EntityLimitsTest, AnItemMayHave400KilobytesAndNotOneByteMore) {
  const Accounts accounts = Open<Accounts>();
  // Numbers are counted slightly differently by each home; search the border.
  Account account = OfSize(accounts, kItemBytesMax);
  std::size_t largest = 0;
  for (std::size_t size = account.holder.size() - 12; size <= account.holder.size() + 12; ++size) {
    Account tried = account;
    tried.holder.resize(size, 'x');
    const auto inserted = accounts.Insert(tried);
    if (inserted) {
      largest = size;
      Must(accounts.RemoveUnchecked({"big"}));
    } else {
      ASSERT_TRUE(FailsWith(inserted, ErrorCode::kTooLarge));
      EXPECT_EQ(HttpStatus(inserted.error().code), 413);
      EXPECT_NEAR(static_cast<double>(FactsOf(inserted.error()).bytes), kItemBytesMax, 12);
      EXPECT_EQ(size, largest + 1) << "the first that is too large follows the last that is not";
      break;
    }
  }
  ASSERT_GT(largest, 0U);
  account.holder.resize(largest, 'x');
  Versioned<Account> stored = Must(accounts.Insert(account));
  EXPECT_EQ(MustFind(accounts.ReadStrong({"big"})).data.holder.size(), largest);
  stored.data.holder += 'x';
  const auto updated = accounts.Update(stored);
  ASSERT_TRUE(FailsWith(updated, ErrorCode::kTooLarge));
  EXPECT_NEAR(static_cast<double>(FactsOf(updated.error()).bytes), kItemBytesMax, 200);
  EXPECT_TRUE(FailsWith(accounts.Patch({"big"}, Set<&Account::note>(std::string(10'000, 'n'))),
                        ErrorCode::kTooLarge));
}

TEST_F(EntityLimitsTest, NumbersOf38DigitsSurvive) {
  const Orders orders = Open<Orders>();
  for (const char* text :
       {"12345678901234567890123456789012345678", "-0.00000000012345678901234567890123456789",
        "9.9999999999999999999999999999999999999E+125", "1E-130"}) {
    const Number total = *Number::Parse(text);
    const Order order = {.customer = "ann", .number = 1, .total = total};
    Must(orders.Upsert(order));
    EXPECT_EQ(MustFind(orders.ReadStrong({"ann", 1U})).data.total, total) << text;
    Must(orders.Modify({"ann", 1U}, [](Order& changed) { changed.state += "x"; }));
    EXPECT_EQ(MustFind(orders.ReadStrong({"ann", 1U})).data.total, total) << text;
  }
  const Accounts accounts = Open<Accounts>();
  constexpr std::int64_t kBig = 9'007'199'254'740'993;  // beyond what a double can hold
  Must(accounts.Insert({.id = "a1", .balance = kBig}));
  EXPECT_EQ(MustFind(accounts.ReadStrong({"a1"})).data.balance, kBig);
}

TEST_F(EntityLimitsTest, ReservedWordsWorkInEveryVerb) {
  const Reserveds things = Open<Reserveds>();
  Reserved thing = {.key = "k1", .name = "n", .status = "s", .type = "t", .items = {"a", "b"}};
  Versioned<Reserved> stored =
      Must(things.Insert(thing, {.expiry = *Expiry::FromSeconds(kNow + 60)}));
  EXPECT_EQ(stored.data, thing);
  stored.data.language = "en";
  stored.data.items.insert("c");
  stored = Must(things.Update(stored));
  stored = Must(things.Modify({"k1"}, [](Reserved& r) { r.token = true; }));
  stored = Must(things.Patch(
      {"k1"}, Add<&Reserved::total>(2).Set<&Reserved::status>("z").Remove<&Reserved::language>(),
      Where<&Reserved::type>() == "t" && Where<&Reserved::token>() == true));
  EXPECT_EQ(stored.data, (Reserved{.key = "k1",
                                   .name = "n",
                                   .status = "z",
                                   .type = "t",
                                   .total = 2,
                                   .items = {"a", "b", "c"},
                                   .token = true}));
  EXPECT_TRUE(Succeeds(things.Touch({"k1"}, *Expiry::FromSeconds(kNow + 90))));
  EXPECT_EQ(Must(things.Count({"k1"}, {.filter = Where<&Reserved::name>() == "n"})), 1U);
  int found = 0;
  for (const auto& read : things.QueryIndex<"by_status">({"z"})) {
    found += read->data.token ? 1 : 0;
  }
  EXPECT_EQ(found, 1);
  EXPECT_EQ(Must(things.ReadMany({{"k1"}}))[0]->data.total, 2);
  EXPECT_EQ(Must(things.ReadTogether({{"k1"}}))[0]->data.total, 2);
  Must(things.Upsert(thing));
  EXPECT_EQ(MustFind(things.ReadStrong({"k1"})).data, thing);
  EXPECT_TRUE(Succeeds(things.Expire({"k1"})));
  Must(things.Insert(thing));
  EXPECT_TRUE(Succeeds(things.Remove(MustFind(things.ReadStrong({"k1"})))));
  EXPECT_FALSE(Must(things.RemoveUnchecked({"k1"})));
}

}  // namespace
}  // namespace stator::entities
