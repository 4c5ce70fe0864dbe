// Records that are too large for an item.

#include "base/limits.h"
#include "sessions/sessions_test.h"
#include "value/size.h"

namespace stator::sessions {
namespace {

class SpillTest : public SessionsTest {
 protected:
  static List Elements(int count, std::size_t bytes, char filler = 'x') {
    List list;
    for (int number = 0; number < count; ++number) {
      list.emplace_back(Map{{"media", number}, {"reason", std::string(bytes, filler)}});
    }
    return list;
  }
  std::vector<std::string> PartKeys() {
    std::vector<std::string> keys = Keys();
    std::erase_if(keys, [](const std::string& key) { return !key.contains("#P#"); });
    return keys;
  }
};

TEST_F(SpillTest, LargeListsAreKeptInItemsOfTheirOwn) {
  const Session session = Claim();
  const List keep = Elements(60, 10'000);
  const List discard = Elements(60, 10'000, 'y');
  Must(session.PutNew("triage", "t1", {{"keep", keep}, {"discard", discard}, {"model", "m"}}));
  EXPECT_EQ(PartKeys().size(), 4);
  const Item header = *Raw("TRIAGE#t1");
  EXPECT_FALSE(header.contains("keep"));
  EXPECT_LT(value::SizeOfItem(header), 1000);
  EXPECT_EQ(NumberIn(*Raw(PartKeys()[0]), "expiresAt"), kStart + kDay);

  for (const Record& record : {Must(session.Get("triage", "t1")), Must(session.List("triage"))[0],
                               Must(session.Load()).records[0]}) {
    EXPECT_EQ(record.value.at("keep"), AttributeValue(keep));
    EXPECT_EQ(record.value.at("discard"), AttributeValue(discard));
    EXPECT_EQ(TextIn(record.value, "model"), "m");
  }
  EXPECT_EQ(Must(session.Load()).hidden, 0);
  EXPECT_EQ(Must(session.Get<TriageJob>("t1")).value.keep.size(), 60);
}

TEST_F(SpillTest, OnlyAsManyListsAsItTakes) {
  const Session session = Claim();
  Must(session.PutNew("triage", "t1",
                      {{"keep", Elements(60, 10'000)}, {"discard", Elements(2, 10)}}));
  EXPECT_TRUE(Raw("TRIAGE#t1")->contains("discard"));
  EXPECT_FALSE(Raw("TRIAGE#t1")->contains("keep"));
}

TEST_F(SpillTest, AChangeWritesNewPartsAndRemovesTheOld) {
  const Session session = Claim();
  Must(session.PutNew("triage", "t1", {{"keep", Elements(60, 10'000)}}));
  const std::vector<std::string> before = PartKeys();
  const Record changed = Must(session.Modify(
      "triage", "t1", [](Item& item) { item.Find("keep")->If<List>()->pop_back(); }));
  EXPECT_EQ(changed.value.at("keep").If<List>()->size(), 59);
  const std::vector<std::string> after = PartKeys();
  EXPECT_EQ(after.size(), before.size());
  EXPECT_NE(after, before);
  EXPECT_EQ(Must(session.Get("triage", "t1")).value.at("keep").If<List>()->size(), 59);
}

TEST_F(SpillTest, ARecordThatBecomesSmallIsOneItemAgain) {
  const Session session = Claim();
  Must(session.PutNew("triage", "t1", {{"keep", Elements(60, 10'000)}}));
  Must(session.Modify("triage", "t1",
                      [](Item& item) { item.Set("keep", List{Map{{"media", 1}}}); }));
  EXPECT_THAT(PartKeys(), IsEmpty());
  EXPECT_TRUE(Raw("TRIAGE#t1")->contains("keep"));
  EXPECT_FALSE(Raw("TRIAGE#t1")->contains("spilled"));
}

TEST_F(SpillTest, TransitionsLeaveThePartsAlone) {
  const Session session = Claim();
  Must(session.PutNew("triage", "t1", {{"status", "processing"}, {"keep", Elements(60, 10'000)}}));
  Must(session.FailRecord("triage", "t1", "no"));
  EXPECT_EQ(Must(session.Get("triage", "t1")).value.at("keep").If<List>()->size(), 60);
}

// The header is written last: who fails before has changed nothing.
TEST_F(SpillTest, AWriterThatFailsLeavesTheRecordAsItWas) {
  const Session session = Claim();
  Must(session.PutNew("triage", "t1", {{"keep", Elements(60, 10'000)}}));
  faulty().BeforeNext("BatchWriteItem", [&] { faulty().SetRates({.unavailable = 1}); });
  EXPECT_FALSE(session.Modify("triage", "t1",
                              [](Item& item) { item.Set("keep", Elements(50, 10'000, 'z')); }));
  faulty().SetRates({});
  EXPECT_EQ(Must(session.Get("triage", "t1")).value.at("keep"),
            AttributeValue(Elements(60, 10'000)));
}

TEST_F(SpillTest, AWriterThatLosesTheRaceDoesNotHarmTheWinner) {
  const Session session = Claim();
  const Record seen = Must(session.PutNew("triage", "t1", {{"keep", Elements(60, 10'000)}}));
  Must(session.Modify("triage", "t1", [](Item& item) { item.Set("keep", Elements(55, 10'000)); }));
  Item late = seen.value;
  late.Set("keep", Elements(70, 10'000, 'l'));
  EXPECT_THAT(session.Replace(seen, late), FailsWith(ErrorCode::kConflict));
  EXPECT_EQ(Must(session.Get("triage", "t1")).value.at("keep"),
            AttributeValue(Elements(55, 10'000)));
  EXPECT_EQ(PartKeys().size(), 2);
}

TEST_F(SpillTest, AReaderBetweenTwoVersionsReadsAgain) {
  const Session session = Claim();
  Must(session.PutNew("triage", "t1", {{"keep", Elements(60, 10'000)}}));
  // Behind the read of the record, before that of its parts.
  faulty().BeforeNext("BatchGetItem", [] {});
  faulty().BeforeNext("BatchGetItem", [&] {
    const SessionStore other = OtherStore();
    Must(Must(other.Claim(kSessionId, "ann")).Modify("triage", "t1", [](Item& item) {
      item.Set("keep", Elements(61, 10'000, 'n'));
    }));
  });
  EXPECT_EQ(Must(session.Get("triage", "t1")).value.at("keep"),
            AttributeValue(Elements(61, 10'000, 'n')));
}

TEST_F(SpillTest, WhatCannotBeCutIsRefusedAndNamed) {
  const Session session = Claim();
  const auto raw = session.PutNew("description", "d", {{"rawResponse", std::string(420'000, 'x')}});
  ASSERT_THAT(raw, FailsWith(ErrorCode::kTooLarge));
  EXPECT_EQ(FactsOf(raw.error()).path, "rawResponse");
  EXPECT_GT(FactsOf(raw.error()).bytes, limits::kItemBytesMax);
  EXPECT_EQ(HttpStatus(raw.error().code), 413);
  const auto element = session.PutNew(
      "triage", "t", {{"keep", List{Map{}, Map{{"reason", std::string(420'000, 'x')}}}}});
  ASSERT_THAT(element, FailsWith(ErrorCode::kTooLarge));
  EXPECT_THAT(FactsOf(element.error()).path, testing::HasSubstr(".reason"));
  EXPECT_THAT(Keys(), ElementsAre("META"));
}

TEST_F(SpillTest, TheLimitIsExact) {
  const Session session = Claim();
  // Finds by halving the largest record that is taken; the table takes it, too.
  std::size_t low = 300'000;
  std::size_t high = 420'000;
  int number = 0;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    const auto made = session.PutNew("description", "d" + std::to_string(number++),
                                     {{"rawResponse", std::string(middle, 'x')}});
    if (made) {
      low = middle;
    } else {
      ASSERT_THAT(made, FailsWith(ErrorCode::kTooLarge));
      high = middle;
    }
  }
  EXPECT_GT(low, limits::kItemBytesMax - 1000);
  EXPECT_LT(low, limits::kItemBytesMax);
}

TEST_F(SpillTest, LargeRecordsAreReportedBeforeTheyAreTooLarge) {
  std::vector<std::pair<std::string, std::size_t>> reported;
  UseOptions({.on_large = [&](std::string_view key, std::size_t bytes) {
    reported.emplace_back(key, bytes);
  }});
  const Session session = Claim();
  Must(session.PutNew("description", "small", {{"rawResponse", std::string(290'000, 'x')}}));
  EXPECT_THAT(reported, IsEmpty());
  Must(session.PutNew("description", "large", {{"rawResponse", std::string(320'000, 'x')}}));
  ASSERT_EQ(reported.size(), 1);
  EXPECT_EQ(reported[0].first, "DESC#large");
}

TEST_F(SpillTest, ResultsThatDoNotFitAnyMoreAreRefusedAsTooLarge) {
  const Session session = Claim();
  Must(session.PutNewWithItems("enhancement", "e", {{"status", "processing"}}, MakeItems(3)));
  const Map large{{"phase1Text", std::string(250'000, 'x')}};
  Must(session.CompleteItem("enhancement", "e", MakeItems(3)[0].id, large));
  EXPECT_THAT(session.CompleteItem("enhancement", "e", MakeItems(3)[1].id, large),
              FailsWith(ErrorCode::kTooLarge));
  EXPECT_EQ(Must(session.Get("enhancement", "e")).progress->done, 1);
}

TEST_F(SpillTest, PartsGoWithTheirRecord) {
  const Session session = Claim();
  Must(session.PutNew("triage", "t1", {{"keep", Elements(60, 10'000)}}));
  Must(session.PutNew("triage", "t2", {{"keep", Elements(60, 10'000)}}));
  EXPECT_TRUE(Must(session.Remove("triage", "t1")));
  EXPECT_EQ(PartKeys().size(), 2);
  Must(session.InvalidateFrom("triage"));
  EXPECT_THAT(Keys(), ElementsAre("META"));
}

TEST_F(SpillTest, PartsAreRenewedWithTheirRecord) {
  Must(Claim().PutNew("triage", "t1", {{"keep", Elements(60, 10'000)}}));
  clock_.Advance(20h);
  Claim();
  EXPECT_EQ(NumberIn(*Raw(PartKeys()[0]), "expiresAt"), Now() + kDay);
  EXPECT_EQ(NumberIn(*Raw("TRIAGE#t1"), "expiresAt"), Now() + kDay);
}

}  // namespace
}  // namespace stator::sessions
