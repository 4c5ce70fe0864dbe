// What stream_sequencer.h promises: rising numbers, and an end that waits for the slowest writer.

#include "engine/stream_sequencer.h"

#include <gtest/gtest.h>

#include <optional>

namespace stator::engine {
namespace {

TEST(StreamSequencer, NumbersRiseFromWhereItWasStarted) {
  StreamSequencer sequencer;
  sequencer.StartBehind(41);
  const auto first = sequencer.Take();
  const auto second = sequencer.Take();
  EXPECT_EQ(first.sequence(), 42U);
  EXPECT_EQ(second.sequence(), 43U);
}

TEST(StreamSequencer, TheStableEndStopsAtTheLowestNumberInUse) {
  StreamSequencer sequencer;
  EXPECT_EQ(sequencer.StableEnd(), 1U);
  std::optional<StreamSequencer::Ticket> slow = sequencer.Take();
  {
    const auto quick = sequencer.Take();
  }
  EXPECT_EQ(sequencer.StableEnd(), 1U);
  slow.reset();
  EXPECT_EQ(sequencer.StableEnd(), 3U);
}

TEST(StreamSequencer, AMovedTicketIsReturnedOnce) {
  StreamSequencer sequencer;
  auto ticket = sequencer.Take();
  {
    const StreamSequencer::Ticket moved = std::move(ticket);
    EXPECT_EQ(sequencer.StableEnd(), 1U);
  }
  EXPECT_EQ(sequencer.StableEnd(), 2U);
}

}  // namespace
}  // namespace stator::engine
