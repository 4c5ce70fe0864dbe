// Transfers between accounts: whoever reads all accounts at one moment sees the same sum.

#include <gtest/gtest.h>

#include <atomic>

#include "concurrency/stage.h"
#include "stator/base/random.h"

namespace stator::concurrency {
namespace {

constexpr int kAccounts = 8;
constexpr int kStart = 100;
constexpr int kThreads = 8;

class Bank : public ConcurrencyTest {
 protected:
  void SetUp() override {
    MakeTable("accounts");
    MakeTable("savings");
    for (int number = 0; number < kAccounts; ++number) {
      Must(db().PutItem({.table_name = TableOf(number),
                         .item = {{"pk", std::to_string(number)}, {"balance", kStart}}}));
    }
  }

  static std::string TableOf(int account) { return account % 2 == 0 ? "accounts" : "savings"; }

  static TransactUpdate Move(int account, int amount) {
    return {.table_name = TableOf(account),
            .key = {{"pk", std::to_string(account)}},
            .update_expression = "SET balance = balance + :amount",
            .condition_expression = "balance >= :least",
            .expression_attribute_values = Map{{":amount", amount}, {":least", -amount}}};
  }

  // Whether it was done; a balance never goes below zero.
  bool Transfer(int from, int to, int amount) {
    const auto result =
        db().TransactWriteItems({.transact_items = {Move(from, -amount), Move(to, amount)}});
    if (!result && result.error().code != ErrorCode::kTransactionCanceled) {
      FailMust(result.error());
    }
    return result.has_value();
  }

  std::int64_t SumByTransaction() {
    TransactGetItemsInput input;
    for (int number = 0; number < kAccounts; ++number) {
      input.transact_items.push_back(
          {.table_name = TableOf(number), .key = {{"pk", std::to_string(number)}}});
    }
    std::int64_t sum = 0;
    for (const auto& item : Must(db().TransactGetItems(input)).responses) {
      const std::int64_t balance = IntegerOf(*item, "balance");
      EXPECT_GE(balance, 0);
      sum += balance;
    }
    return sum;
  }
};

TEST_P(Bank, TheSumIsTheSameAtEveryMoment) {
  const int transfers = 60 * Effort();
  std::atomic<int> writers = kThreads / 2;
  std::atomic<int> done = 0;
  InParallel(kThreads, [&](int thread) {
    if (thread >= kThreads / 2) {
      do {
        EXPECT_EQ(SumByTransaction(), kAccounts * kStart);
      } while (writers > 0);
      return;
    }
    SeededRandom random(static_cast<std::uint64_t>(thread));
    for (int number = 0; number < transfers; ++number) {
      const int from = static_cast<int>(random.Below(kAccounts));
      const int to = (from + 1 + static_cast<int>(random.Below(kAccounts - 1))) % kAccounts;
      done += Transfer(from, to, static_cast<int>(random.Below(60))) ? 1 : 0;
    }
    --writers;
  });
  EXPECT_EQ(SumByTransaction(), kAccounts * kStart);
  EXPECT_GT(done, 0);
}

TEST_P(Bank, OnePageOfAScanIsOneMoment) {
  // Within one table the sum stays, because these transfers stay in it.
  const int transfers = 60 * Effort();
  std::atomic<int> writers = 4;
  InParallel(6, [&](int thread) {
    if (thread >= 4) {
      do {
        const ScanOutput page = Must(db().Scan({.table_name = "accounts"}));
        std::int64_t sum = 0;
        for (const Item& item : *page.items) {
          sum += IntegerOf(item, "balance");
        }
        EXPECT_EQ(sum, kAccounts / 2 * kStart);
      } while (writers > 0);
      return;
    }
    SeededRandom random(static_cast<std::uint64_t>(thread) + 100);
    for (int number = 0; number < transfers; ++number) {
      const int from = 2 * static_cast<int>(random.Below(kAccounts / 2));
      const int to = (from + 2) % kAccounts;
      Transfer(from, to, static_cast<int>(random.Below(60)));
    }
    --writers;
  });
}

INSTANTIATE_TEST_SUITE_P(Homes, Bank, testing::Values(Home::kMemory, Home::kFiles), NameOfHome);

}  // namespace
}  // namespace stator::concurrency
