// Claims: exactly one host records a fact under a key.

#include <atomic>
#include <thread>

#include "events/events_test.h"
#include "support/faulty_database.h"

namespace stator::events {
namespace {

using support::Fault;

class ClaimTest : public EventsTest {
 protected:
  static Claim MakeClaim(std::string payload = R"({"region":"eu"})") {
    return {.key = "migration:1", .event = Fact("Migrated", {"migration:1"}, std::move(payload))};
  }
};

TEST_F(ClaimTest, TheFirstAppendsAndTheOthersLearnOfIt) {
  const auto first = store_->ClaimKey(MakeClaim());
  ASSERT_TRUE(first.has_value()) << first.error().message;
  EXPECT_EQ(first->outcome, ClaimOutcome::kAppended);
  EXPECT_EQ(first->event.id, MakeClaimEventId("default", "migration:1"));
  auto other = Open(home_->database());
  const auto again = other->ClaimKey(MakeClaim(R"( {"region" : "eu"} )"));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->outcome, ClaimOutcome::kAlreadyCommitted);
  EXPECT_EQ(again->event, first->event);
  EXPECT_EQ(again->fingerprint, first->fingerprint);
  EXPECT_EQ(Read().size(), 1U);
  // The event that is stored is the one that readers find.
  EXPECT_EQ(Read({.query = EventQuery::Tagged("migration:1")})[0].id, first->event.id);
}

TEST_F(ClaimTest, AnotherOperationWithTheKeyIsAConflict) {
  const auto first = store_->ClaimKey(MakeClaim());
  const auto other = store_->ClaimKey(MakeClaim(R"({"region":"us"})"));
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().code, ErrorCode::kIdempotentParameterMismatch);
  const auto* conflict = dynamic_cast<const ClaimConflict*>(other.error().detail.get());
  ASSERT_NE(conflict, nullptr);
  EXPECT_EQ(conflict->event_id, first->event.id);
  EXPECT_EQ(conflict->stored_fingerprint, first->fingerprint);
  EXPECT_NE(conflict->fingerprint, first->fingerprint);
}

TEST_F(ClaimTest, OfTenAtOnceOneAppends) {
  std::atomic<int> appended = 0;
  std::atomic<int> already = 0;
  {
    std::vector<std::jthread> hosts;
    for (int host = 0; host < 10; ++host) {
      hosts.emplace_back([&] {
        auto store = EventStore::Open(home_->database(), Quiet({}), environment_);
        const auto claimed = store->ClaimKey(MakeClaim());
        ASSERT_TRUE(claimed.has_value()) << claimed.error().message;
        ++(claimed->outcome == ClaimOutcome::kAppended ? appended : already);
      });
    }
  }
  EXPECT_EQ(appended, 1);
  EXPECT_EQ(already, 9);
  EXPECT_EQ(Read().size(), 1U);
}

TEST_F(ClaimTest, ALostAnswerIsSettled) {
  support::FaultyDatabase database(home_->database());
  auto store = Open(database);
  database.Script("PutItem", {Fault::kLostAfter});
  const auto claimed = store->ClaimKey(MakeClaim());
  ASSERT_TRUE(claimed.has_value()) << claimed.error().message;
  EXPECT_EQ(claimed->outcome, ClaimOutcome::kAppended);
  EXPECT_EQ(Read().size(), 1U);
}

TEST_F(ClaimTest, ThrottlingIsRetried) {
  support::FaultyDatabase database(home_->database());
  auto store = Open(database);
  database.Script("PutItem", {Fault::kThrottled, Fault::kThrottled});
  EXPECT_EQ(store->ClaimKey(MakeClaim())->outcome, ClaimOutcome::kAppended);
}

TEST_F(ClaimTest, WhatCannotBeClaimedIsRefusedBeforeAnythingIsSent) {
  support::FaultyDatabase database(home_->database());
  auto store = Open(database);
  const std::size_t puts = database.calls("PutItem");
  Claim twice = MakeClaim();
  twice.event.tags = {"a:1", "a:1"};
  Claim nameless = MakeClaim();
  nameless.key = " ";
  Claim crowded = MakeClaim();
  for (int index = 0; index < 1001; ++index) {
    crowded.event.tags.push_back("t:" + std::to_string(index));
  }
  for (const Claim& claim : {twice, nameless, crowded, MakeClaim("not json"), MakeClaim("[1]")}) {
    const auto refused = store->ClaimKey(claim);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::kValidation);
  }
  EXPECT_EQ(database.calls("PutItem"), puts);
  EXPECT_EQ(database.calls("BatchWriteItem"), 0U);
}

}  // namespace
}  // namespace stator::events
