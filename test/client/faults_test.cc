// A client behind a proxy that loses, damages and repeats, against an engine that can be asked what
// really happened. The property is the same for every kind of write: a success was applied exactly
// once, an error other than kAmbiguous was not applied, an ambiguous write was applied once or not.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/check.h"
#include "client/faulty_proxy.h"
#include "homes/embedded_home.h"
#include "server/server.h"
#include "stator/home/open.h"
#include "wire/handler.h"

namespace stator::client {
namespace {

constexpr int kThreads = 4;
constexpr int kAttemptsMax = 4;

int Rounds() {
  return std::getenv("STATOR_TEST_FULL") == nullptr ? 60 : 1000;
}

int Seeds() {
  return std::getenv("STATOR_TEST_FULL") == nullptr ? 2 : 20;
}

// Of a write: done for sure, perhaps, or not. Counted by all threads.
struct Tally {
  std::atomic<int> done = 0;
  std::atomic<int> ambiguous = 0;
  std::atomic<int> refused = 0;

  template <class Output>
  void Count(const Result<Output>& result) {
    if (result) {
      ++done;
    } else if (result.error().code == ErrorCode::kAmbiguous) {
      ++ambiguous;
    } else {
      ++refused;
    }
  }
};

class FaultTest : public testing::TestWithParam<int> {
 protected:
  void Start(std::vector<Fault> faults) {
    storage::StoreOptions store;
    store.in_memory = true;
    embedded_ = homes::MakeEmbeddedDatabase(store);
    handler_ = std::make_unique<wire::DatabaseHandler>(embedded_->database());
    auto server = server::Server::Start({.port = 0, .threads = 1}, *handler_);
    CHECK_THAT(server.has_value(), server.error().message);
    server_ = *std::move(server);
    const auto seed = static_cast<std::uint64_t>(GetParam());
    proxy_ = std::make_unique<FaultyProxy>(server_->endpoint(), seed, std::move(faults), 4);
    OpenOptions options;
    options.clock = &clock_;
    options.client.environment = [](const std::string&) { return std::nullopt; };
    options.client.attempts_max = kAttemptsMax;
    options.client.attempt_timeout = FaultyProxy::kDelayed - std::chrono::milliseconds(100);
    options.client.on_call = [this](const ClientCall& call) {
      ++calls_;
      attempts_ += call.attempts;
      most_attempts_ = std::max(most_attempts_.load(), call.attempts);
    };
    auto opened = Open(proxy_->url(), options);
    CHECK_THAT(opened.has_value(), opened.error().message);
    client_ = *std::move(opened);
    ASSERT_TRUE(truth().CreateTable({
        .table_name = "things",
        .attribute_definitions = {{"pk", ScalarAttributeType::kString}},
        .key_schema = {{"pk", KeyType::kHash}},
        .billing_mode = BillingMode::kPayPerRequest,
    }));
    embedded_->Settle();
  }

  void TearDown() override {
    EXPECT_LE(most_attempts_, kAttemptsMax);
    EXPECT_FALSE(proxy_->happened().empty()) << "the proxy spoiled nothing";
  }

  // Runs `work(thread, round)` on several threads.
  static void Everywhere(const std::function<void(int, int)>& work) {
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&work, thread] {
        for (int round = 0; round < Rounds(); ++round) {
          work(thread, round);
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }

  // The number `attribute` of an item, read behind the client's back; 0 when there is none.
  std::int64_t NumberOf(const std::string& pk, const std::string& attribute) {
    const auto read = truth().GetItem({.table_name = "things", .key = {{"pk", pk}}});
    return read && read->item ? NumberIn(*read->item, attribute) : 0;
  }

  static std::int64_t NumberIn(const Item& item, const std::string& attribute) {
    const AttributeValue* const value = item.Find(attribute);
    const Number* const number = value == nullptr ? nullptr : value->If<Number>();
    return number == nullptr ? 0 : number->ToInt64().value_or(0);
  }

  Database& client() { return *client_; }
  Database& truth() { return embedded_->database(); }

  std::atomic<int> calls_ = 0;
  std::atomic<int> attempts_ = 0;
  std::atomic<int> most_attempts_ = 0;

 private:
  ManualClock clock_{TimePoint(std::chrono::seconds(1'794'744'000))};  // never waits
  std::unique_ptr<homes::TestDatabase> embedded_;
  std::unique_ptr<wire::DatabaseHandler> handler_;
  std::unique_ptr<server::Server> server_;
  std::unique_ptr<FaultyProxy> proxy_;
  std::unique_ptr<Database> client_;
};

const std::vector<Fault> kAllButDuplicates = {
    Fault::kRefuseBefore, Fault::kBreakBefore, Fault::kBreakAfter, Fault::kLoseBefore,
    Fault::kLoseAfter,    Fault::kTruncate,    Fault::kCorrupt};

TEST_P(FaultTest, ACounterCountsEachSuccessOnce) {
  Start(kAllButDuplicates);
  Tally tally;
  Everywhere([&](int /*thread*/, int /*round*/) {
    tally.Count(client().UpdateItem({.table_name = "things",
                                     .key = {{"pk", "counter"}},
                                     .update_expression = "ADD #n :one",
                                     .expression_attribute_names = AttributeNames{{"#n", "n"}},
                                     .expression_attribute_values = Map{{":one", 1}}}));
  });
  const std::int64_t counted = NumberOf("counter", "n");
  EXPECT_GE(counted, tally.done);
  EXPECT_LE(counted, tally.done + tally.ambiguous);
  EXPECT_GT(tally.done, 0);
  EXPECT_GT(tally.ambiguous, 0);
}

// Writers that take turns by a revision: each success moves it by one.
TEST_P(FaultTest, NoOptimisticUpdateIsLost) {
  Start(kAllButDuplicates);
  Tally tally;
  Everywhere([&](int thread, int round) {
    const auto read = client().GetItem(
        {.table_name = "things", .key = {{"pk", "shared"}}, .consistent_read = true});
    if (!read) {
      return;
    }
    const std::int64_t revision = read->item ? NumberIn(*read->item, "rev") : 0;
    PutItemInput input{.table_name = "things",
                       .item = {{"pk", "shared"},
                                {"rev", revision + 1},
                                {"by", std::to_string(thread) + "/" + std::to_string(round)}},
                       .condition_expression = "attribute_not_exists(#pk)",
                       .expression_attribute_names = AttributeNames{{"#pk", "pk"}}};
    if (revision > 0) {
      input.condition_expression = "#rev = :rev";
      input.expression_attribute_names = AttributeNames{{"#rev", "rev"}};
      input.expression_attribute_values = Map{{":rev", revision}};
    }
    tally.Count(client().PutItem(input));
  });
  const std::int64_t revision = NumberOf("shared", "rev");
  EXPECT_GE(revision, tally.done);
  EXPECT_LE(revision, tally.done + tally.ambiguous);
  EXPECT_GT(tally.done, 0);
}

TEST_P(FaultTest, ASuccessfulPutIsThereAndARefusedOneIsNot) {
  std::vector<Fault> faults = kAllButDuplicates;
  faults.push_back(Fault::kDuplicate);
  Start(faults);
  Everywhere([&](int thread, int round) {
    const std::string pk = std::to_string(thread) + "/" + std::to_string(round);
    const auto written = client().PutItem({.table_name = "things", .item = {{"pk", pk}, {"n", 7}}});
    const bool is_there = NumberOf(pk, "n") == 7;
    if (written) {
      EXPECT_TRUE(is_there) << pk;
    } else if (written.error().code != ErrorCode::kAmbiguous) {
      EXPECT_FALSE(is_there) << pk << ": " << written.error().message;
    }
  });
}

TEST_P(FaultTest, ATransactionIsDoneOnceAlsoWhenItIsSentTwice) {
  std::vector<Fault> faults = kAllButDuplicates;
  faults.push_back(Fault::kDuplicate);
  Start(faults);
  Tally tally;
  Everywhere([&](int thread, int /*round*/) {
    const auto add = [](const std::string& pk) {
      return TransactUpdate{.table_name = "things",
                            .key = {{"pk", pk}},
                            .update_expression = "ADD #n :one",
                            .expression_attribute_names = AttributeNames{{"#n", "n"}},
                            .expression_attribute_values = Map{{":one", 1}}};
    };
    tally.Count(client().TransactWriteItems(
        {.transact_items = {add("all"), add("of " + std::to_string(thread))}}));
  });
  std::int64_t apart = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    apart += NumberOf("of " + std::to_string(thread), "n");
  }
  const std::int64_t together = NumberOf("all", "n");
  EXPECT_EQ(together, apart);
  EXPECT_GE(together, tally.done);
  EXPECT_LE(together, tally.done + tally.ambiguous);
  EXPECT_GT(tally.done, tally.ambiguous);
}

TEST_P(FaultTest, AReadIsRightOrFails) {
  std::vector<Fault> faults = kAllButDuplicates;
  faults.push_back(Fault::kDuplicate);
  Start(faults);
  const Item item = {{"pk", "a"}, {"text", std::string(500, 'x')}};
  ASSERT_TRUE(truth().PutItem({.table_name = "things", .item = item}));
  std::atomic<int> read_well = 0;
  Everywhere([&](int /*thread*/, int /*round*/) {
    const auto read = client().GetItem({.table_name = "things", .key = {{"pk", "a"}}});
    if (read) {
      EXPECT_EQ(read->item, item);
      ++read_well;
    } else {
      EXPECT_NE(read.error().code, ErrorCode::kAmbiguous);
    }
  });
  EXPECT_GT(read_well, 0);
}

// In real time, hence few.
TEST_P(FaultTest, AnswersThatComeTooLateAreAmbiguous) {
  Start({Fault::kDelay});
  Tally tally;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 3; ++round) {
        tally.Count(client().UpdateItem({.table_name = "things",
                                         .key = {{"pk", "counter"}},
                                         .update_expression = "ADD #n :one",
                                         .expression_attribute_names = AttributeNames{{"#n", "n"}},
                                         .expression_attribute_values = Map{{":one", 1}}}));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  const std::int64_t counted = NumberOf("counter", "n");
  EXPECT_GE(counted, tally.done);
  EXPECT_LE(counted, tally.done + tally.ambiguous);
  EXPECT_EQ(tally.refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FaultTest, testing::Range(1, 1 + Seeds()));

}  // namespace
}  // namespace stator::client
