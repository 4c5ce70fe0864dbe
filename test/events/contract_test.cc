// The contract that implementations of dcb.events test themselves with, case by case, on one small
// log: what a read gives by type, by tag, from a position and backwards, and when an append under a
// condition fails. README.md says which case is where.

#include <string_view>

#include "events/events_test.h"

namespace stator::events {
namespace {

class ContractTest : public EventsTest {
 protected:
  // a to f: of the types A, B, A, C, A, B; all of tag x:1, all but b and c of y:1.
  void AppendSix() {
    constexpr std::string_view kTypes = "ABACAB";
    std::vector<NewEvent> events;
    for (std::size_t index = 0; index < kTypes.size(); ++index) {
      Texts tags = {"x:1"};
      if (index != 1 && index != 2) {
        tags.emplace_back("y:1");
      }
      events.push_back(Fact(std::string(1, kTypes[index]), std::move(tags),
                            std::string(1, static_cast<char>('a' + index))));
    }
    all_ = Append(std::move(events)).events;
  }

  // a to h, of tags that resemble each other and of the types 1, 2, 3, 1, 2, 2, 1, 3.
  void AppendEight() {
    const std::vector<Texts> tags = {
        {"x:1"},    {"x:1", "y:1"},    {"y:1", "x:1"},        {"y:1"},
        {"y:1not"}, {"x:1", "y:not1"}, {"y:1", "x:1", "z:1"}, {"y:1n", "x:not1", "z:2"}};
    constexpr std::string_view kTypes = "12312213";
    for (std::size_t index = 0; index < tags.size(); ++index) {
      all_.push_back(Append({Fact(std::string(1, kTypes[index]), tags[index],
                                  std::string(1, static_cast<char>('a' + index)))})
                         .events[0]);
    }
  }

  // The payloads, one behind the other.
  std::string Letters(const ReadOptions& options = {}) {
    std::string letters;
    for (const Event& event : Read(options)) {
      letters += event.payload;
    }
    return letters;
  }

  // The last event that matches, which other stores offer as a part of a query.
  std::string LastOf(const EventQuery& query) {
    return Letters({.query = query, .limit = 1, .backwards = true});
  }

  // What excludes the event before the one at this position (1, 2, ...).
  [[nodiscard]] std::optional<Cursor> From(std::size_t position) const {
    return position == 1 ? std::nullopt : std::optional<Cursor>(all_.at(position - 2).sortable_id);
  }

  std::vector<AppendedEvent> all_;
};

TEST_F(ContractTest, AnEmptyStoreGivesNothing) {
  EXPECT_EQ(Letters(), "");
  EXPECT_EQ(Letters({.backwards = true}), "");
  EXPECT_EQ(Letters({.query = EventQuery::Tagged("x:1")}), "");
}

TEST_F(ContractTest, EverythingIsGivenWithItsPlace) {
  AppendSix();
  const std::vector<Event> events = Read();
  ASSERT_EQ(events.size(), 6U);
  for (std::size_t index = 0; index < events.size(); ++index) {
    EXPECT_EQ(events[index].position, index + 1);
    EXPECT_EQ(events[index].id, all_[index].id);
  }
  EXPECT_EQ(events[0].type, "A");
  EXPECT_EQ(events[0].tags, (Texts{"x:1", "y:1"}));
  EXPECT_EQ(events[1].tags, Texts{"x:1"});
  EXPECT_EQ(Letters(), "abcdef");
  EXPECT_EQ(Letters({.backwards = true}), "fedcba");
}

TEST_F(ContractTest, AReadBeginsWhereItIsTold) {
  AppendSix();
  EXPECT_EQ(Letters({.since = From(4)}), "def");
  EXPECT_EQ(Letters({.since = Cursor(SortableId::Max())}), "");
  EXPECT_EQ(Letters({.until = all_[3].sortable_id, .backwards = true}), "dcba");
  EXPECT_EQ(Letters({.until = all_[0].sortable_id, .backwards = true}), "a");
}

TEST_F(ContractTest, TagsOfAnItemMustAllBeThereAndItemsAreAlternatives) {
  AppendEight();
  EXPECT_EQ(Letters({.query = EventQuery::Tagged("y:1")}), "bcdg");
  EXPECT_EQ(Letters({.query = EventQuery{{.tags = {"x:1"}}, {.tags = {"y:1"}}}}), "abcdfg");
  const EventQuery both{{.tags = {"x:1", "y:1"}}};
  EXPECT_EQ(Letters({.query = both}), "bcg");
  EXPECT_EQ(LastOf(both), "g");
}

TEST_F(ContractTest, TypesOfAnItemAreAlternatives) {
  AppendSix();
  EXPECT_EQ(Letters({.query = EventQuery{{.types = {"A", "B"}}}}), "abcef");
  EXPECT_EQ(Letters({.query = EventQuery{{.types = {"A"}}}}), "ace");
  EXPECT_EQ(LastOf(EventQuery{{.types = {"A"}}}), "e");
  EXPECT_EQ(Letters({.query = EventQuery{{.types = {"Unknown"}}}}), "");
}

TEST_F(ContractTest, TypesAndTagsMustBothMatch) {
  AppendSix();
  const QueryItem a_of_y{.types = {"A"}, .tags = {"y:1"}};
  const QueryItem b_of_x{.types = {"B"}, .tags = {"x:1"}};
  EXPECT_EQ(Letters({.query = EventQuery{a_of_y}}), "ae");
  EXPECT_EQ(LastOf(EventQuery{a_of_y}), "e");
  EXPECT_EQ(LastOf(EventQuery{b_of_x}), "f");
  EXPECT_EQ(Letters({.query = EventQuery{a_of_y, b_of_x}}), "abef");
}

TEST_F(ContractTest, WhereAReadBeginsDoesNotChangeWhatMatches) {
  AppendEight();
  const EventQuery query{{.types = {"2", "1"}, .tags = {"x:1"}}};
  EXPECT_EQ(Letters({.query = query}), "abfg");
  EXPECT_EQ(Letters({.query = query, .backwards = true}), "gfba");
  EXPECT_EQ(Letters({.query = query, .since = From(3)}), "fg");
  EXPECT_EQ(Letters({.query = query, .until = all_[2].sortable_id, .backwards = true}), "ba");
}

TEST_F(ContractTest, WhatIsAppendedDuringAReadIsForTheNext) {
  AppendSix();
  auto stream = store_->Read({});
  ASSERT_TRUE(stream.has_value()) << stream.error().message;
  std::string letters;
  for (auto event = stream->Next(); event.has_value() && *event; event = stream->Next()) {
    letters += (*event)->payload;
    if ((*event)->position == 3) {
      Append({Fact("A", {"x:1"}, "g"), Fact("B", {"z:1"}, "h")});
    }
  }
  EXPECT_EQ(letters, "abcdef");
  EXPECT_EQ(Letters({.since = Cursor(all_.back().sortable_id)}), "gh");
}

TEST_F(ContractTest, AnAppendBehindTheLastMatchIsAccepted) {
  AppendSix();
  const EventQuery query{{.types = {"A"}, .tags = {"y:1"}}};
  const std::vector<Event> last = Read({.query = query, .limit = 1, .backwards = true});
  ASSERT_EQ(last.size(), 1U);
  Append({Fact("A", {"y:1"}, "g")}, When(query, last[0].sortable_id));
  EXPECT_EQ(Letters({.query = query}), "aeg");
}

TEST_F(ContractTest, AConditionThatNothingMatchesHolds) {
  const EventQuery query{{.types = {"Unknown"}, .tags = {"y:1"}}};
  Append({Fact("A", {}, "a")}, When(query, SortableId::Max()));
  Append({Fact("A", {}, "b")}, When(query));
  EXPECT_EQ(Letters(), "ab");
}

TEST_F(ContractTest, AnAppendFailsWhenSomethingMatchesBehindWhatWasRead) {
  AppendSix();
  const EventQuery query = EventQuery::Tagged("y:1");
  const std::vector<Event> last = Read({.query = query, .limit = 1, .backwards = true});
  ASSERT_EQ(last.size(), 1U);
  const AppendedEvent newer = Append({Fact("A", {"y:1"}, "g")}).events[0];
  const auto refused = store_->Append({Fact("Any", {})}, When(query, last[0].sortable_id));
  ASSERT_FALSE(refused.has_value());
  const AppendConflict* conflict = FindConflict(refused.error());
  ASSERT_NE(conflict, nullptr) << refused.error().message;
  EXPECT_EQ(conflict->event_id, newer.id);
  EXPECT_EQ(Letters(), "abcdefg");
}

TEST_F(ContractTest, AnAppendFailsWhenNothingWasReadAndSomethingMatches) {
  AppendSix();
  const auto refused =
      store_->Append({Fact("Any", {})}, When(EventQuery{{.types = {"A"}, .tags = {"y:1"}}}));
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(FindConflict(refused.error()), nullptr) << refused.error().message;
  EXPECT_EQ(Letters(), "abcdef");
}

}  // namespace
}  // namespace stator::events
