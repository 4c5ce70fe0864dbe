// Items that are worked on in parallel, in both layouts.

#include <atomic>
#include <random>
#include <thread>

#include "sessions/sessions_test.h"

namespace stator::sessions {
namespace {

class ItemsTest : public SessionsTest, public testing::WithParamInterface<ItemsLayout> {
 protected:
  Record MakeJob(const Session& session, int count, const std::string& id = "enh-1") {
    return Must(session.PutNewWithItems("enhancement", id, {{"status", "processing"}},
                                        MakeItems(count), GetParam()));
  }
  static Map Done(const std::string& enhanced) {
    return {{"phase", "complete"}, {"enhancedKey", enhanced}};
  }
};

TEST_P(ItemsTest, AllArePendingAtFirst) {
  const Session session = Claim();
  const Record job = MakeJob(session, 3);
  EXPECT_EQ(job.state, "processing");
  EXPECT_EQ(job.progress, (Progress{.total = 3, .done = 0}));
  EXPECT_THAT(Must(session.Pending("enhancement", "enh-1")),
              ElementsAre("uploads/photo-0.jpg", "uploads/photo-1.jpg", "uploads/photo-2.jpg"));
  const std::vector<ItemState> items = Must(session.Items("enhancement", "enh-1"));
  EXPECT_EQ(TextIn(items[1].input, "filename"), "photo-1.jpg");
  EXPECT_FALSE(items[1].done);
  const Typed<EnhancementJob> typed = Must(session.Get<EnhancementJob>("enh-1"));
  EXPECT_EQ(typed.value.total_count, 3);
}

TEST_P(ItemsTest, TheLastResultEndsTheJob) {
  const Session session = Claim();
  MakeJob(session, 2);
  const Completion first =
      Must(session.CompleteItem("enhancement", "enh-1", "uploads/photo-1.jpg", Done("e1")));
  EXPECT_FALSE(first.finished);
  EXPECT_EQ(first.progress, (Progress{.total = 2, .done = 1}));
  EXPECT_THAT(Must(session.Pending("enhancement", "enh-1")), ElementsAre("uploads/photo-0.jpg"));
  const Completion last =
      Must(session.CompleteItem("enhancement", "enh-1", "uploads/photo-0.jpg", Done("e0")));
  EXPECT_TRUE(last.finished);
  const Record job = Must(session.Get("enhancement", "enh-1"));
  EXPECT_EQ(job.state, "complete");
  EXPECT_EQ(job.progress, (Progress{.total = 2, .done = 2}));
  for (const ItemState& item : Must(session.Items("enhancement", "enh-1"))) {
    EXPECT_TRUE(item.done);
    EXPECT_EQ(TextIn(item.result, "phase"), "complete");
  }
}

TEST_P(ItemsTest, ARepeatedResultCountsOnceAndTheFirstStays) {
  const Session session = Claim();
  MakeJob(session, 2);
  Must(session.CompleteItem("enhancement", "enh-1", "uploads/photo-0.jpg", Done("first")));
  const Completion again =
      Must(session.CompleteItem("enhancement", "enh-1", "uploads/photo-0.jpg", Done("second")));
  EXPECT_TRUE(again.already_done);
  EXPECT_EQ(again.progress.done, 1);
  EXPECT_EQ(TextIn(Must(session.Items("enhancement", "enh-1"))[0].result, "enhancedKey"), "first");
  Must(session.CompleteItem("enhancement", "enh-1", "uploads/photo-1.jpg", Done("e1")));
  const Completion late =
      Must(session.CompleteItem("enhancement", "enh-1", "uploads/photo-1.jpg", Done("late")));
  EXPECT_TRUE(late.already_done);
  EXPECT_FALSE(late.finished);
}

TEST_P(ItemsTest, AWorkerInAnotherProcessKnowsNothingAboutTheLayout) {
  MakeJob(Claim(), 1);
  const Session worker = Worker();
  EXPECT_TRUE(
      Must(worker.CompleteItem("enhancement", "enh-1", "uploads/photo-0.jpg", Done("e"))).finished);
  EXPECT_TRUE(Must(Worker().CompleteItem("enhancement", "enh-1", "uploads/photo-0.jpg", Done("e")))
                  .already_done);
}

TEST_P(ItemsTest, RefusesItemsThatTheJobDoesNotHave) {
  const Session session = Claim();
  MakeJob(session, 2);
  EXPECT_THAT(session.CompleteItem("enhancement", "enh-1", "other.jpg", {}),
              FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(session.CompleteItem("enhancement", "enh-1", "", {}),
              FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(session.CompleteItem("selection", "sel-1", "a", {}),
              FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(session.CompleteItem("enhancement", "none", "a", {}), FailsWith(ErrorCode::kStale));
  EXPECT_THAT(
      session.PutNewWithItems("enhancement", "", {}, {{.id = "a"}, {.id = "a"}}, GetParam()),
      FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(session.PutNewWithItems("group", "", {}, {{.id = "a"}}, GetParam()),
              FailsWith(ErrorCode::kValidation));
  EXPECT_EQ(Must(session.Get("enhancement", "enh-1")).progress->done, 0);
}

TEST_P(ItemsTest, ResultsAreTakenInTheWorkingStateOnly) {
  const Session session = Claim();
  Must(session.PutNewWithItems("enhancement", "enh-1", {}, MakeItems(1), GetParam()));
  const auto early = session.CompleteItem("enhancement", "enh-1", "uploads/photo-0.jpg", {});
  ASSERT_THAT(early, FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_EQ(FactsOf(early.error()).state, "pending");
  Must(session.FailRecord("enhancement", "enh-1", "no"));
  EXPECT_THAT(session.CompleteItem("enhancement", "enh-1", "uploads/photo-0.jpg", {}),
              FailsWith(ErrorCode::kIllegalTransition));
}

TEST_P(ItemsTest, AFailedItemIsAResultThatSaysSo) {
  const Session session = Claim();
  MakeJob(session, 1);
  EXPECT_TRUE(
      Must(session.FailItem("enhancement", "enh-1", "uploads/photo-0.jpg", "blurred")).finished);
  const ItemState item = Must(session.Items("enhancement", "enh-1"))[0];
  EXPECT_EQ(TextIn(item.result, "phase"), "error");
  EXPECT_EQ(TextIn(item.result, "error"), "blurred");
}

TEST_P(ItemsTest, AJobWithoutItemsIsEndedByHealing) {
  const Session session = Claim();
  MakeJob(session, 0);
  EXPECT_TRUE(Must(session.Heal("enhancement", "enh-1")).finished);
  EXPECT_EQ(Must(session.Get("enhancement", "enh-1")).state, "complete");
}

// The worker of the last item died between its result and the end of the job.
TEST_P(ItemsTest, HealingEndsWhatShouldHaveEndedAndCorrectsTheCount) {
  const Session session = Claim();
  MakeJob(session, 2);
  Must(session.CompleteItem("enhancement", "enh-1", "uploads/photo-0.jpg", Done("e0")));
  const auto spoiled = db().UpdateItem({.table_name = "sessions",
                                        .key = Key("ENHANCE#enh-1"),
                                        .update_expression = "SET completedCount = :n",
                                        .expression_attribute_values = Map{{":n", 0}}});
  ASSERT_TRUE(spoiled) << spoiled.error().message;
  EXPECT_EQ(Must(session.Heal("enhancement", "enh-1")).progress.done, 1);
  EXPECT_EQ(Must(session.Get("enhancement", "enh-1")).progress->done, 1);

  const bool map = GetParam() == ItemsLayout::kMap;
  // The result gets through, what follows it does not.
  faulty().Script("UpdateItem", map ? std::vector<Fault>{Fault::kNone} : std::vector<Fault>{});
  faulty().BeforeNext(map ? "UpdateItem" : "GetItem",
                      [&] { faulty().SetRates({.unavailable = 1}); });
  if (map) {
    EXPECT_THAT(session.CompleteItem("enhancement", "enh-1", "uploads/photo-1.jpg", Done("e1")),
                FailsWith(ErrorCode::kUnavailable));
  } else {
    EXPECT_FALSE(session.CompleteItem("enhancement", "enh-1", "uploads/photo-1.jpg", Done("e1")));
  }
  faulty().SetRates({});
  EXPECT_EQ(Must(session.Get("enhancement", "enh-1")).state, "processing");
  EXPECT_TRUE(Must(session.Heal("enhancement", "enh-1")).finished);
  EXPECT_EQ(Must(session.Get("enhancement", "enh-1")).state, "complete");
  EXPECT_FALSE(Must(session.Heal("enhancement", "enh-1")).finished);
}

// A job that is worked on again, after feedback, is not ended by what is left of its first run.
TEST_P(ItemsTest, ALateRepetitionDoesNotEndASecondRun) {
  const Session session = Claim();
  MakeJob(session, 1);
  EXPECT_TRUE(Must(session.CompleteItem("enhancement", "enh-1", "uploads/photo-0.jpg", Done("e")))
                  .finished);
  Must(session.Transition("enhancement", "enh-1", {.to = "processing"}));
  EXPECT_TRUE(Must(session.CompleteItem("enhancement", "enh-1", "uploads/photo-0.jpg", Done("e")))
                  .already_done);
  EXPECT_FALSE(Must(session.Heal("enhancement", "enh-1")).finished);
  const Record job = Must(session.Get("enhancement", "enh-1"));
  EXPECT_EQ(job.state, "processing");
  EXPECT_EQ(job.progress, (Progress{.total = 1, .done = 1}));
  EXPECT_THAT(Must(session.Pending("enhancement", "enh-1")), IsEmpty());
}

TEST_P(ItemsTest, ItemsGoWithTheirJob) {
  const Session session = Claim();
  MakeJob(session, 3);
  EXPECT_TRUE(Must(session.Remove("enhancement", "enh-1")));
  EXPECT_THAT(Keys(), ElementsAre("META"));
}

TEST_P(ItemsTest, ALostAnswerOfAResultIsNoSecondResult) {
  const Session session = Claim();
  MakeJob(session, 2);
  faulty().Script(GetParam() == ItemsLayout::kMap ? "UpdateItem" : "TransactWriteItems",
                  {Fault::kLostAfter});
  const Completion completion =
      Must(session.CompleteItem("enhancement", "enh-1", "uploads/photo-0.jpg", Done("e0")));
  EXPECT_EQ(completion.progress.done, 1);
  EXPECT_FALSE(completion.already_done);
}

TEST_P(ItemsTest, ParallelResultsWithRepetitionsCompleteExactlyOnce) {
  constexpr int kItems = 24;
  const Session session = Claim();
  MakeJob(session, kItems);
  std::atomic<int> finished = 0;
  std::atomic<int> counted = 0;
  {
    std::vector<std::jthread> threads;
    for (int worker = 0; worker < 4; ++worker) {
      threads.emplace_back([&, worker] {
        const Session mine = Worker();
        std::vector<int> order(kItems);
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), std::mt19937(static_cast<unsigned>(worker)));
        for (const int item : order) {
          const Completion completion =
              Must(mine.CompleteItem("enhancement", "enh-1", MakeItems(kItems)[item].id,
                                     Done("by " + std::to_string(worker))));
          finished += completion.finished ? 1 : 0;
          counted += completion.already_done ? 0 : 1;
        }
      });
    }
  }
  EXPECT_EQ(finished, 1);
  EXPECT_EQ(counted, kItems);
  const Record job = Must(session.Get("enhancement", "enh-1"));
  EXPECT_EQ(job.state, "complete");
  EXPECT_EQ(job.progress, (Progress{.total = kItems, .done = kItems}));
  EXPECT_EQ(Must(session.Items("enhancement", "enh-1")).size(), kItems);
}

INSTANTIATE_TEST_SUITE_P(Layouts, ItemsTest,
                         testing::Values(ItemsLayout::kMap, ItemsLayout::kChildren),
                         [](const testing::TestParamInfo<ItemsLayout>& layout) {
                           return layout.param == ItemsLayout::kMap ? "Map" : "Children";
                         });

class ItemsLayoutTest : public SessionsTest {};

TEST_F(ItemsLayoutTest, ResultsEndUpInTheListThatTheOlderSystemReads) {
  const Session session = Claim();
  Must(session.PutNewWithItems("enhancement", "enh-1", {{"status", "processing"}}, MakeItems(2)));
  Must(session.CompleteItem("enhancement", "enh-1", "uploads/photo-1.jpg",
                            {{"phase", "complete"}, {"enhancedKey", "e1"}}));
  Must(session.FailItem("enhancement", "enh-1", "uploads/photo-0.jpg", "blurred"));
  const EnhancementJob job = Must(session.Get<EnhancementJob>("enh-1")).value;
  EXPECT_EQ(job.status, "complete");
  EXPECT_EQ(job.total_count, 2);
  EXPECT_EQ(job.completed_count, 2);
  ASSERT_EQ(job.items.size(), 2);
  EXPECT_EQ(job.items[0].key, "uploads/photo-0.jpg");
  EXPECT_EQ(job.items[0].filename, "photo-0.jpg");
  EXPECT_EQ(job.items[0].error, "blurred");
  EXPECT_EQ(job.items[1].enhanced_key, "e1");
  const Item raw = Raw("ENHANCE#enh-1").value_or(Item());
  EXPECT_FALSE(raw.contains("results"));
  EXPECT_FALSE(raw.contains("pending"));
}

TEST_F(ItemsLayoutTest, ManyItemsBecomeItemsOfTheTable) {
  UseOptions({.map_items_max = 5});
  const Session session = Claim();
  Must(session.PutNewWithItems("enhancement", "small", {}, MakeItems(5)));
  EXPECT_THAT(Keys(), ElementsAre("ENHANCE#small", "META"));
  Must(session.PutNewWithItems("enhancement", "large", {}, MakeItems(60)));
  EXPECT_EQ(Keys().size(), 2 + 1 + 60);
  EXPECT_EQ(NumberIn(*Raw("ENHANCE#large#I#uploads/photo-7.jpg"), "expiresAt"), kStart + kDay);
}

TEST_F(ItemsLayoutTest, AJobIsNotThereBeforeAllOfItsItemsAre) {
  const Session session = Claim();
  std::optional<ErrorCode> seen;
  // Between the record and its items.
  faulty().BeforeNext("TransactWriteItems", [] {});
  faulty().BeforeNext("TransactWriteItems", [&] {
    const SessionStore other = OtherStore();
    const Session reader = Must(other.Claim(kSessionId, "ann"));
    const auto early = reader.Get("enhancement", "enh-1");
    seen = early ? std::optional<ErrorCode>() : early.error().code;
    EXPECT_THAT(Must(reader.List("enhancement")), IsEmpty());
    EXPECT_EQ(Must(reader.Count("enhancement")), 0);
    EXPECT_THAT(reader.Transition("enhancement", "enh-1", {.to = "error"}),
                FailsWith(ErrorCode::kStale));
  });
  EXPECT_TRUE(
      session.PutNewWithItems("enhancement", "enh-1", {}, MakeItems(150), ItemsLayout::kChildren));
  EXPECT_EQ(seen, ErrorCode::kNotFound);
  EXPECT_EQ(Must(session.Items("enhancement", "enh-1")).size(), 150);
}

// Written a second time, when an item has its result, they would take it away.
TEST_F(ItemsLayoutTest, ItemsThatArriveTwiceKeepTheirResults) {
  const Session session = Claim();
  faulty().Script("TransactWriteItems", {Fault::kNone, Fault::kLate});
  Must(session.PutNewWithItems("enhancement", "enh-1", {{"status", "processing"}}, MakeItems(2),
                               ItemsLayout::kChildren));
  Must(session.CompleteItem("enhancement", "enh-1", MakeItems(2)[0].id, {{"phase", "complete"}}));
  faulty().ApplyLate();
  EXPECT_THAT(Must(session.Pending("enhancement", "enh-1")), ElementsAre(MakeItems(2)[1].id));
}

}  // namespace
}  // namespace stator::sessions
