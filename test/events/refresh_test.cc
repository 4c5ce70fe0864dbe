// Reads beside appends of the same process: they see what was committed when they began, and do not
// wait for what was sent afterwards.

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <thread>
#include <utility>

#include "events/events_test.h"
#include "stator/api/forwarding_database.h"

namespace stator::events {
namespace {

constexpr std::chrono::minutes kLongest{2};

// The first slot is stored, but whoever sent it learns of it only when it is let go.
class HoldingDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<PutItemOutput> PutItem(const PutItemInput& input) override {
    Result<PutItemOutput> output = ForwardingDatabase::PutItem(input);
    if (output && input.item.Find("prev") != nullptr && !is_holding_.exchange(true)) {
      stored_.set_value();
      EXPECT_EQ(let_go_.get_future().wait_for(kLongest), std::future_status::ready);
    }
    return output;
  }

  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    ++keys_asked;
    if (before_read) {
      std::exchange(before_read, nullptr)();
    }
    Result<GetItemOutput> output = ForwardingDatabase::GetItem(input);
    if (after_read) {
      std::exchange(after_read, nullptr)();
    }
    return output;
  }

  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override {
    for (const auto& [table, request] : input.request_items) {
      keys_asked += request.keys.size();
    }
    return ForwardingDatabase::BatchGetItem(input);
  }

  bool AwaitStored() {
    return stored_.get_future().wait_for(kLongest) == std::future_status::ready;
  }
  void LetGo() { let_go_.set_value(); }

  std::atomic<std::size_t> keys_asked = 0;
  std::function<void()> before_read;  // the next one
  std::function<void()> after_read;

 private:
  std::atomic<bool> is_holding_ = false;
  std::promise<void> stored_;
  std::promise<void> let_go_;
};

class RefreshTest : public EventsTest {
 protected:
  void SetUp() override {
    EventsTest::SetUp();
    holding_ = std::make_unique<HoldingDatabase>(home_->database());
    host_ = Open(*holding_);
  }

  void BeginAppend() {
    writer_ = std::jthread([this] {
      const auto appended = host_->Append({Fact("A", {"x:1"})});
      EXPECT_TRUE(appended.has_value()) << appended.error().message;
    });
    ASSERT_TRUE(holding_->AwaitStored());
  }

  std::unique_ptr<HoldingDatabase> holding_;
  std::unique_ptr<EventStore> host_;
  std::jthread writer_;
};

TEST_F(RefreshTest, AReadSeesWhatWasStoredBeforeItBegan) {
  BeginAppend();
  // Another process sees it at once; this one when it knows that it is its own.
  EXPECT_EQ(Read().size(), 1U);
  holding_->after_read = [this] { holding_->LetGo(); };
  EXPECT_EQ(ReadFrom(*host_).size(), 1U);
}

TEST_F(RefreshTest, AReadDoesNotWaitForWhatWasSentAfterItBegan) {
  holding_->before_read = [this] { BeginAppend(); };
  auto read = std::async(std::launch::async, [this] { return ReadFrom(*host_).size(); });
  const bool ended = read.wait_for(kLongest) == std::future_status::ready;
  EXPECT_TRUE(ended) << "it waits for an append that began later";
  holding_->LetGo();
  EXPECT_EQ(read.get(), ended ? 0U : 1U);
  writer_.join();
  EXPECT_EQ(ReadFrom(*host_).size(), 1U);
}

TEST_F(RefreshTest, AReadSeesWhatAnotherProcessPutWhereOursShouldBe) {
  Append({Fact("B", {"x:2"})});
  // Ours is refused, so it is sent again behind the other; that one was there before the read began.
  BeginAppend();
  holding_->after_read = [this] { holding_->LetGo(); };
  EXPECT_EQ(ReadFrom(*host_).size(), 2U);
}

// A key costs a read unit, whether something is there or not.
TEST_F(RefreshTest, WhoFollowsAnotherProcessAsksForLittleMoreThanThereIs) {
  EXPECT_EQ(ReadFrom(*host_).size(), 0U);
  holding_->keys_asked = 0;
  EXPECT_EQ(ReadFrom(*host_).size(), 0U);
  EXPECT_EQ(holding_->keys_asked, 1U);
  Append({Fact("A", {"x:1"})});
  holding_->keys_asked = 0;
  EXPECT_EQ(ReadFrom(*host_).size(), 1U);
  EXPECT_EQ(holding_->keys_asked, 2U);
  constexpr std::size_t kMany = 150;
  for (std::size_t index = 0; index < kMany; ++index) {
    Append({Fact("A", {"x:1"})});
  }
  holding_->keys_asked = 0;
  EXPECT_EQ(ReadFrom(*host_).size(), 1 + kMany);
  EXPECT_LT(holding_->keys_asked, 2 * kMany);
}

}  // namespace
}  // namespace stator::events
