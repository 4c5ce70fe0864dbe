// A power cut at every write while events are appended and what lies behind the log is written: index, mark
// and view. Nothing acknowledged is lost, nothing is there twice, and whoever comes next finishes what was
// begun.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "machine.h"
#include "seeds.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/maintenance.h"

namespace stator::crash {
namespace {

using events::EventStore;

constexpr std::uint64_t kWritesMax = 500;
constexpr int kAppends = 9;
// So that the index has several chunks, the last of which ends before the last append.
constexpr int kChunkSlots = 2;

// An event store on a machine that can lose its power. The store belongs to one life of the engine.
class EventMachine {
 public:
  explicit EventMachine(std::uint64_t seed) : machine_(seed) {}

  [[nodiscard]] bool Start() {
    const Result<void> started = machine_.Start();
    EXPECT_TRUE(started.has_value()) << started.error().message;
    if (!started) {
      return false;
    }
    auto store = EventStore::Open(
        machine_.engine(),
        {.background = false, .chunk_slots = kChunkSlots, .retry = {.budget = Duration::zero()}},
        {.clock = &clock_, .random = &random_});
    EXPECT_TRUE(store.has_value()) << store.error().message;
    store_ = store ? std::make_unique<EventStore>(*std::move(store)) : nullptr;
    return store_ != nullptr;
  }

  // The numbers of the appends that were acknowledged.
  std::set<int> AppendAll() {
    std::set<int> acknowledged;
    for (int number = 0; number < kAppends; ++number) {
      if (Append(number)) {
        acknowledged.insert(number);
      }
    }
    return acknowledged;
  }

  // Two events, the same however often it is done.
  Result<events::Appended> Append(int number) {
    const std::string text = std::to_string(number);
    return store_->Append({{.type = "A", .payload = text, .tags = {"all:1", "own:" + text}},
                           {.type = "B", .payload = text, .tags = {"all:1"}}},
                          {.append_id = "append " + text});
  }

  void LosePower(Random* torn) {
    store_.reset();
    machine_.LosePower(torn);
  }

  [[nodiscard]] EventStore& store() const { return *store_; }
  [[nodiscard]] storage::FaultyDisk& disk() const { return machine_.disk(); }

 private:
  Machine machine_;
  ManualClock clock_{kNow};
  SeededRandom random_{11};
  std::unique_ptr<EventStore> store_;
};

void ExpectClean(EventStore& store) {
  const auto report = events::VerifyEvents(store);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_TRUE(report->clean()) << report->problems.front();
}

// Each append whole or not at all, those that were acknowledged for certain, in places without a hole.
void ExpectKept(EventStore& store, const std::set<int>& acknowledged) {
  const auto all = store.ReadList({.query = events::EventQuery::Tagged("all:1")});
  ASSERT_TRUE(all.has_value()) << all.error().message;
  std::multiset<std::string> payloads;
  for (std::size_t index = 0; index < all->size(); ++index) {
    EXPECT_EQ((*all)[index].position, index + 1);
    payloads.insert((*all)[index].payload);
  }
  for (int number = 0; number < kAppends; ++number) {
    const std::size_t found = payloads.count(std::to_string(number));
    EXPECT_TRUE(found == 2 || (found == 0 && !acknowledged.contains(number))) << number;
  }
}

// Whether everything was done before the disk failed at write number `writes`.
bool CutAt(std::uint64_t writes, Random* torn) {
  EventMachine machine(writes);
  if (!machine.Start()) {
    return false;
  }
  machine.disk().FailWritesAfter(writes);
  const std::set<int> acknowledged = machine.AppendAll();
  const bool viewed = events::CatchUpView(machine.store()).has_value();
  const bool done = viewed && acknowledged.size() == kAppends;
  machine.LosePower(torn);

  if (!machine.Start()) {
    return false;
  }
  ExpectKept(machine.store(), acknowledged);
  ExpectClean(machine.store());
  std::set<int> again;
  for (int number = 0; number < kAppends; ++number) {
    const auto repeated = machine.Append(number);
    EXPECT_TRUE(repeated.has_value()) << repeated.error().message;
    EXPECT_TRUE(!repeated || repeated->repeated || !acknowledged.contains(number)) << number;
    again.insert(number);
  }
  EXPECT_TRUE(events::CatchUpView(machine.store()).has_value());
  ExpectKept(machine.store(), again);
  ExpectClean(machine.store());
  const auto behind = events::ReadBehind(machine.store());
  EXPECT_TRUE(behind && behind->events == 2 * kAppends && behind->viewed_events == behind->events);
  return done;
}

TEST(EventsCutTest, NothingAcknowledgedIsLostAtAnyWrite) {
  std::uint64_t writes = 0;
  while (!CutAt(writes, nullptr)) {
    ASSERT_FALSE(HasFailure()) << "at write " << writes;
    ASSERT_LT(++writes, kWritesMax);
  }
  // Each append is a write at least; those of the index and the view come on top.
  EXPECT_GT(writes, std::uint64_t{kAppends});
}

// The same on disks that keep parts of what was not synced.
TEST(EventsCutTest, NothingAcknowledgedIsLostWhenPartsAreKept) {
  for (const std::uint64_t seed : Seeds(8, 200)) {
    SCOPED_TRACE(Trace(seed));
    SeededRandom random(seed);
    CutAt(random.Below(60), &random);
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
}  // namespace stator::crash
