// The fold of a projection: safe and served state, whatever order events come in.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/property.h"
#include "stator/stores/events/projection.h"

namespace stator::events {
namespace {

// The payloads of its events, in the order in which they were applied.
class Transcript final : public Projection {
 public:
  Result<void> Apply(const Event& event) override {
    if (event.payload == "poison") {
      return Fail(ErrorCode::kSerialization, "cannot read it");
    }
    text += event.payload;
    return {};
  }
  [[nodiscard]] std::unique_ptr<Projection> Clone() const override {
    return std::make_unique<Transcript>(*this);
  }
  [[nodiscard]] Result<std::string> Save() const override { return text; }
  Result<void> Load(std::string_view bytes) override {
    text = bytes;
    return {};
  }
  std::string text;
};

SortableId At(std::uint64_t ticks) {
  return SortableId::FromParts(ticks, 0);
}

Event At(std::uint64_t ticks, std::string payload) {
  return {.id = "id-" + payload + std::to_string(ticks),
          .sortable_id = At(ticks),
          .type = "T",
          .payload = std::move(payload),
          .tags = {}};
}

std::string SavedText(const Result<const Projection*>& state) {
  return state ? *(*state)->Save() : "FAILED";
}

class SafeFoldTest : public testing::Test {
 protected:
  std::string Safe() const { return SavedText(fold_.Safe()); }
  std::string Served() const { return SavedText(fold_.Served()); }

  SafeFold fold_{std::make_unique<Transcript>()};
};

TEST_F(SafeFoldTest, OldEventsAreSafeAtOnce) {
  ASSERT_TRUE(fold_.Add({At(1, "a"), At(2, "b")}, At(10)).has_value());
  EXPECT_EQ(Safe(), "ab");
  EXPECT_EQ(Served(), "ab");
  EXPECT_TRUE(fold_.is_safe());
  EXPECT_EQ(fold_.cursor().sortable_id, At(2));
}

TEST_F(SafeFoldTest, YoungEventsAreServedAndDoNotMoveTheCheckpoint) {
  ASSERT_TRUE(fold_.Add({At(1, "a"), At(20, "b")}, At(10)).has_value());
  EXPECT_EQ(Safe(), "a");
  EXPECT_EQ(Served(), "ab");
  EXPECT_FALSE(fold_.is_safe());
  EXPECT_EQ(fold_.cursor().sortable_id, At(1));
  EXPECT_EQ(fold_.safe_events(), 1U);
  EXPECT_EQ(fold_.served_events(), 2U);
  ASSERT_TRUE(fold_.Promote(At(20)).has_value());
  EXPECT_EQ(Safe(), "ab");
  EXPECT_TRUE(fold_.is_safe());
}

TEST_F(SafeFoldTest, ALateEventTakesItsPlace) {
  ASSERT_TRUE(fold_.Add({At(20, "b"), At(40, "d")}, At(10)).has_value());
  ASSERT_TRUE(fold_.Add({At(30, "c"), At(15, "a")}, At(10)).has_value());
  EXPECT_EQ(Safe(), "");
  EXPECT_EQ(Served(), "abcd");
  ASSERT_TRUE(fold_.Promote(At(30)).has_value());
  EXPECT_EQ(Safe(), "abc");
  EXPECT_EQ(Served(), "abcd");
}

TEST_F(SafeFoldTest, RepetitionsCountOnce) {
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(fold_.Add({At(20, "b"), At(5, "a"), At(20, "b")}, At(10)).has_value());
  }
  EXPECT_EQ(Served(), "ab");
  EXPECT_EQ(fold_.served_events(), 2U);
}

TEST_F(SafeFoldTest, AnEventBehindTheSafePositionDemandsARebuild) {
  ASSERT_TRUE(fold_.Add({At(5, "b")}, At(10)).has_value());
  const auto late = fold_.Add({At(4, "a")}, At(10));
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(fold_.must_be_rebuilt());
  EXPECT_EQ(Served(), "FAILED");
}

TEST_F(SafeFoldTest, AFaultSticksAndBlocksReads) {
  ASSERT_TRUE(fold_.Add({At(1, "a")}, At(10)).has_value());
  const auto poisoned = fold_.Add({At(2, "poison"), At(3, "c")}, At(10));
  ASSERT_FALSE(poisoned.has_value());
  EXPECT_EQ(poisoned.error().code, ErrorCode::kSerialization);
  EXPECT_NE(poisoned.error().message.find("id-poison2"), std::string::npos);
  EXPECT_EQ(fold_.Add({At(4, "d")}, At(10)).error().message, poisoned.error().message);
  EXPECT_FALSE(fold_.Promote(At(10)).has_value());
  EXPECT_EQ(Served(), "FAILED");
  EXPECT_EQ(Safe(), "FAILED");
  EXPECT_EQ(fold_.cursor().sortable_id, At(1));
}

TEST_F(SafeFoldTest, GoesOnWhereItWasSaved) {
  fold_.Resume(Cursor(At(7), "id-x7"), 3);
  ASSERT_TRUE(fold_.Add({At(8, "d")}, At(10)).has_value());
  EXPECT_EQ(fold_.safe_events(), 4U);
  EXPECT_FALSE(fold_.Add({At(6, "c")}, At(10)).has_value());
}

TEST(SafeFolds, AnyOrderGivesWhatAReplayGives) {
  base::CheckProperty(200, [] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 12);
    std::vector<Event> events;
    std::string expected;
    for (std::size_t index = 0; index < count; ++index) {
      const std::string letter(1, static_cast<char>('a' + index));
      events.push_back(At(100 + index, letter));
      expected += letter;
    }
    SafeFold fold(std::make_unique<Transcript>());
    // Until time passes, nothing is safe; batches overlap and come in any order.
    const auto batches = *rc::gen::container<std::vector<std::vector<std::size_t>>>(
        rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, count)));
    for (const auto& batch : batches) {
      std::vector<Event> added;
      for (const std::size_t index : batch) {
        added.push_back(events[index]);
      }
      RC_ASSERT(fold.Add(added, At(0)).has_value());
    }
    RC_ASSERT(fold.Add(events, At(0)).has_value());
    RC_ASSERT(SavedText(fold.Served()) == expected);
    const auto safe = *rc::gen::inRange<std::size_t>(0, count + 1);
    RC_ASSERT(fold.Promote(At(99 + safe)).has_value());
    RC_ASSERT(SavedText(fold.Safe()) == expected.substr(0, safe));
    RC_ASSERT(SavedText(fold.Served()) == expected);
    RC_ASSERT(fold.is_safe() == (safe == count));
  });
}

}  // namespace
}  // namespace stator::events
