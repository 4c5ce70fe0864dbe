// The sixteen pitfalls that were found in the history of the system that this store replaces, one
// test each: the sequence that went wrong there, and what happens here.

#include <atomic>
#include <thread>

#include "expression/reserved_words.h"
#include "sessions/sessions_test.h"
#include "stator/api/forwarding_database.h"

namespace stator::sessions {
namespace {

class PitfallsTest : public SessionsTest {
 protected:
  static constexpr const char* kJob = "enh-1";

  Session WithJob(int items, ItemsLayout layout = ItemsLayout::kMap) {
    const Session session = Claim();
    Must(session.PutNewWithItems("enhancement", kJob, {{"status", "processing"}}, MakeItems(items),
                                 layout));
    return session;
  }
};

// P1: workers that read, changed and put the whole record took each other's results away.
TEST_F(PitfallsTest, P01ParallelWorkersDoNotClobberEachOther) {
  const Session session = WithJob(15);
  {
    std::vector<std::jthread> workers;
    for (int worker = 0; worker < 15; ++worker) {
      workers.emplace_back([&, worker] {
        const std::string id = MakeItems(15)[static_cast<std::size_t>(worker)].id;
        Must(Worker().CompleteItem("enhancement", kJob, id, {{"enhancedKey", "of " + id}}));
      });
    }
  }
  const std::vector<ItemState> items = Must(session.Items("enhancement", kJob));
  ASSERT_EQ(items.size(), 15);
  for (const ItemState& item : items) {
    EXPECT_EQ(TextIn(item.result, "enhancedKey"), "of " + item.id);
  }
}

// P2: putting a record with a new phase set its counter back.
TEST_F(PitfallsTest, P02AStatusChangeDoesNotResetCounters) {
  const Session session = WithJob(3);
  const Record before_results = Must(session.Get("enhancement", kJob));
  Must(session.CompleteItem("enhancement", kJob, MakeItems(3)[0].id, {}));
  Must(session.CompleteItem("enhancement", kJob, MakeItems(3)[1].id, {}));
  EXPECT_THAT(session.Replace(before_results, before_results.value),
              FailsWith(ErrorCode::kConflict));
  Must(session.FailRecord("enhancement", kJob, "no network"));
  EXPECT_EQ(Must(session.Get("enhancement", kJob)).progress->done, 2);
  Must(session.Transition("enhancement", kJob, {.to = "processing"}));
  EXPECT_TRUE(Must(session.CompleteItem("enhancement", kJob, MakeItems(3)[2].id, {})).finished);
}

// P3: {id, status: error} as a whole record erased captions, histories, items.
TEST_F(PitfallsTest, P03AnErrorKeepsEverythingElse) {
  const Session session = Claim();
  Must(session.PutNew(DescriptionJob{.status = "processing",
                                     .caption = "Sun",
                                     .hashtags = {"#sea"},
                                     .history = {{"warmer", "Sunny"}}},
                      "d1"));
  Must(session.FailRecord("description", "d1", "model is away"));
  const DescriptionJob job = Must(session.Get<DescriptionJob>("d1")).value;
  EXPECT_EQ(job.status, "error");
  EXPECT_EQ(job.error, "model is away");
  EXPECT_EQ(job.caption, "Sun");
  EXPECT_EQ(job.history.size(), 1);
  // And what has ended well does not fail afterwards.
  Must(session.Transition("description", "d1", {.to = "processing"}));
  Must(session.Transition("description", "d1", {.to = "complete"}));
  EXPECT_THAT(session.FailRecord("description", "d1", "late"),
              FailsWith(ErrorCode::kIllegalTransition));
}

// Looks at every expression on its way.
class ExpressionWatch final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<UpdateItemOutput> UpdateItem(const UpdateItemInput& input) override {
    Look(input.update_expression.value_or(""));
    Look(input.condition_expression.value_or(""));
    return ForwardingDatabase::UpdateItem(input);
  }
  Result<QueryOutput> Query(const QueryInput& input) override {
    Look(input.key_condition_expression.value_or(""));
    Look(input.filter_expression.value_or(""));
    Look(input.projection_expression.value_or(""));
    return ForwardingDatabase::Query(input);
  }
  Result<DeleteItemOutput> DeleteItem(const DeleteItemInput& input) override {
    Look(input.condition_expression.value_or(""));
    return ForwardingDatabase::DeleteItem(input);
  }
  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override {
    for (const TransactWriteItem& item : input.transact_items) {
      std::visit(
          [this](const auto& write) {
            if constexpr (requires { write.update_expression; }) {
              Look(write.update_expression);
            }
            if constexpr (requires { write.condition_expression.value(); }) {
              Look(write.condition_expression.value_or(""));
            }
          },
          item);
    }
    return ForwardingDatabase::TransactWriteItems(input);
  }

  int looked_at = 0;

 private:
  // Names stand behind a #; bare words are functions and keywords of the language only.
  void Look(const std::string& expression) {
    ++looked_at;
    static const std::set<std::string> kLanguage = {"SET",
                                                    "ADD",
                                                    "REMOVE",
                                                    "DELETE",
                                                    "AND",
                                                    "OR",
                                                    "NOT",
                                                    "IN",
                                                    "BETWEEN",
                                                    "attribute_exists",
                                                    "attribute_not_exists",
                                                    "begins_with",
                                                    "contains",
                                                    "size",
                                                    "if_not_exists",
                                                    "list_append",
                                                    "attribute_type"};
    std::string word;
    char before = ' ';
    for (const char character : expression + " ") {
      if (std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_') {
        word += character;
        continue;
      }
      const bool placeholder = before == '#' || before == ':';
      EXPECT_TRUE(word.empty() || placeholder || kLanguage.contains(word))
          << word << " in " << expression;
      word.clear();
      before = character;
    }
  }
};

// P4: SET items[i] - ITEMS is a reserved word.
TEST_F(PitfallsTest, P04NoAttributeNameStandsInAnExpression) {
  ASSERT_TRUE(expression::IsReservedWord("items"));
  ExpressionWatch watch(db());
  const SessionStore store = OtherStore(&watch);
  const Session session = Must(store.Claim(kSessionId, "ann"));
  for (const ItemsLayout layout : {ItemsLayout::kMap, ItemsLayout::kChildren}) {
    const std::string id = layout == ItemsLayout::kMap ? "a" : "b";
    Must(session.PutNewWithItems("enhancement", id, {{"status", "processing"}}, MakeItems(1),
                                 layout));
    Must(session.TakeLease("enhancement", id, "w", 1min));
    Must(session.CompleteItem("enhancement", id, MakeItems(1)[0].id, {}));
  }
  Must(session.PutNew("group", "g", {{"name", "x"}}));
  Must(session.Modify("group", "g", [](Item& item) { item.Set("name", "y"); }));
  Must(session.Load());
  Must(session.InvalidateFrom("triage"));
  Must(session.Expire());
  EXPECT_GT(watch.looked_at, 30);
}

// P5: video 0 and photo 0 had the same place in the list.
TEST_F(PitfallsTest, P05ItemsAreAddressedByTheirIdNotByTheirPlace) {
  const Session session = Claim();
  Must(session.PutNewWithItems("enhancement", kJob, {{"status", "processing"}},
                               {{.id = "photo/0"}, {.id = "video/0"}}));
  Must(session.CompleteItem("enhancement", kJob, "video/0", {{"enhancedKey", "v"}}));
  Must(session.CompleteItem("enhancement", kJob, "photo/0", {{"enhancedKey", "p"}}));
  const EnhancementJob job = Must(session.Get<EnhancementJob>(kJob)).value;
  ASSERT_EQ(job.items.size(), 2);
  EXPECT_EQ(job.items[0].enhanced_key, "p");
  EXPECT_EQ(job.items[1].enhanced_key, "v");
}

// P6: a retried message counted twice, and the job was complete too early.
TEST_F(PitfallsTest, P06ARetriedCompletionCountsOnce) {
  const Session session = WithJob(3);
  for (int delivery = 0; delivery < 4; ++delivery) {
    Must(session.CompleteItem("enhancement", kJob, MakeItems(3)[0].id, {}));
  }
  // First reported as failed, then done by the retry.
  Must(session.FailItem("enhancement", kJob, MakeItems(3)[1].id, "timeout"));
  EXPECT_TRUE(Must(session.CompleteItem("enhancement", kJob, MakeItems(3)[1].id, {})).already_done);
  const Record job = Must(session.Get("enhancement", kJob));
  EXPECT_EQ(job.state, "processing");
  EXPECT_EQ(job.progress->done, 2);
}

// P7: an index past the end appends, and an empty list is not there at all.
TEST_F(PitfallsTest, P07ThePlaceOfAResultExistsFromTheBeginning) {
  const Session session = WithJob(1);
  EXPECT_THAT(session.CompleteItem("enhancement", kJob, "7", {}),
              FailsWith(ErrorCode::kValidation));
  EXPECT_TRUE(Must(session.CompleteItem("enhancement", kJob, MakeItems(1)[0].id, {})).finished);
  EXPECT_EQ(Must(session.Get<EnhancementJob>(kJob)).value.items.size(), 1);
}

// P8: an update behind an invalidation made a job without expiry that never went away.
TEST_F(PitfallsTest, P08ALateWorkerMakesNoZombie) {
  for (const ItemsLayout layout : {ItemsLayout::kMap, ItemsLayout::kChildren}) {
    const Session session = Claim();
    const std::string job = store_->MakeRecordId("enhancement");
    Must(session.PutNewWithItems("enhancement", job, {{"status", "processing"}}, MakeItems(2),
                                 layout));
    const Session worker = Worker();
    Must(worker.CompleteItem("enhancement", job, MakeItems(2)[1].id, {}));
    Must(session.InvalidateFrom("selection"));
    EXPECT_THAT(worker.CompleteItem("enhancement", job, MakeItems(2)[0].id, {}),
                FailsWith(ErrorCode::kStale));
    EXPECT_THAT(worker.Transition("enhancement", job, {.to = "complete"}),
                FailsWith(ErrorCode::kStale));
    EXPECT_THAT(worker.FailRecord("enhancement", job, "late"), FailsWith(ErrorCode::kStale));
    EXPECT_THAT(worker.TakeLease("enhancement", job, "w", 1min), FailsWith(ErrorCode::kStale));
    EXPECT_THAT(Keys(), ElementsAre("META"));
  }
}

// P9: what was written between the query and the deletes survived.
TEST_F(PitfallsTest, P09WhatIsWrittenDuringAnInvalidationDoesNotSurviveIt) {
  const Session session = WithJob(2);
  const Session late = Worker();
  // Behind the fence and before the deletes: results, states, and new jobs of the old epoch.
  std::vector<ErrorCode> kinds;
  faulty().BeforeNext("BatchWriteItem", [&] {
    static_cast<void>(late.CompleteItem("enhancement", kJob, MakeItems(2)[0].id, {}));
    const auto made = late.PutNew("enhancement", "enh-2", {});
    kinds.push_back(made ? ErrorCode::kValidation : made.error().code);
    // What got written is seen by nobody, even now.
    EXPECT_THAT(Claim().Get("enhancement", kJob), FailsWith(ErrorCode::kNotFound));
  });
  Must(session.InvalidateFrom("enhancement"));
  EXPECT_THAT(kinds, ElementsAre(ErrorCode::kStale));
  EXPECT_THAT(Keys(), ElementsAre("META"));
}

// P10: the "latest" job was the one whose random id sorted last.
TEST_F(PitfallsTest, P10TheLatestJobIsTheOneThatWasMadeLast) {
  const Session session = Claim();
  EXPECT_THAT(session.Latest("triage"), FailsWith(ErrorCode::kNotFound));
  Must(session.PutNew("triage", "zzz", {{"model", "first"}}));
  Must(session.PutNew("triage", "aaa", {{"model", "second"}}));
  EXPECT_EQ(Must(session.Latest<TriageJob>()).value.model, "second");
  Must(session.InvalidateFrom("triage"));
  EXPECT_THAT(session.Latest("triage"), FailsWith(ErrorCode::kNotFound));
}

// P11: fingerprints were counted as files.
TEST_F(PitfallsTest, P11FingerprintsAreNoFiles) {
  const Session session = Claim();
  Must(session.PutNew(FileResult{.status = "valid"}, *MakeFileId("triage-1", "a.jpg")));
  Must(session.PutNew(FingerprintClaim{.filename = "a.jpg"}, "2cf24dba"));
  EXPECT_EQ(Must(session.Count("file")), 1);
  EXPECT_EQ(Must(session.List<FileResult>()).size(), 1);
  EXPECT_EQ(Must(Must(session.Load()).Of<FingerprintClaim>()).size(), 1);
}

// P12: check, then put: two identical files were both processed.
TEST_F(PitfallsTest, P12OfIdenticalFilesExactlyOneIsProcessed) {
  const Session session = Claim();
  std::atomic<int> claimed = 0;
  std::atomic<int> known = 0;
  {
    std::vector<std::jthread> workers;
    for (int worker = 0; worker < 6; ++worker) {
      workers.emplace_back([&, worker] {
        const auto claim = Worker().PutNew(
            FingerprintClaim{.filename = std::to_string(worker) + ".jpg"}, "2cf24dba");
        claimed += claim ? 1 : 0;
        known += !claim && claim.error().code == ErrorCode::kAlreadyExists &&
                         FactsOf(claim.error()).current
                     ? 1
                     : 0;
      });
    }
  }
  EXPECT_EQ(claimed, 1);
  EXPECT_EQ(known, 5);
}

// P13: counting read one page.
TEST_F(PitfallsTest, P13CountsGoThroughAllPages) {
  const Session session = Claim();
  for (int number = 0; number < 24; ++number) {
    Must(session.PutNew("file", "j/" + std::to_string(number) + ".jpg",
                        {{"metadata", Map{{"exif", std::string(60'000, 'x')}}}}));
  }
  EXPECT_EQ(Must(session.Count("file")), 24);
  EXPECT_EQ(Must(session.List("file")).size(), 24);
  EXPECT_EQ(Must(session.Load()).records.size(), 24);
}

// P14: whoever died behind `processing` left it so for ever.
TEST_F(PitfallsTest, P14FeedbackIsTakenUpOnceAndCanBeTakenOver) {
  const Session session = Claim();
  Must(session.PutNew("description", "d", {{"status", "processing"}}));
  Must(session.Transition("description", "d", {.to = "complete"}));
  const TransitionInput feedback{
      .to = "processing", .from = {"complete"}, .worker = "w1", .lease = 5min};
  Must(session.Transition("description", "d", feedback));
  EXPECT_THAT(session.Transition("description", "d", feedback),
              FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(session.TakeLease("description", "d", "w2", 5min), FailsWith(ErrorCode::kLeaseHeld));
  clock_.Advance(5min);
  Must(session.TakeLease("description", "d", "w2", 5min));
  EXPECT_TRUE(session.Transition("description", "d", {.to = "complete", .worker = "w2"}));
}

// Remembers how it was read.
class ReadWatch final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<GetItemOutput> GetItem(const GetItemInput& input) override {
    weak += input.consistent_read == true ? 0 : 1;
    return ForwardingDatabase::GetItem(input);
  }
  Result<QueryOutput> Query(const QueryInput& input) override {
    weak += input.consistent_read == true ? 0 : 1;
    return ForwardingDatabase::Query(input);
  }
  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override {
    for (const auto& [table, keys] : input.request_items) {
      weak += keys.consistent_read == true ? 0 : 1;
    }
    return ForwardingDatabase::BatchGetItem(input);
  }

  int weak = 0;
};

// P15: an eventually consistent poll may see the state go back.
TEST_F(PitfallsTest, P15PollsReadConsistently) {
  ReadWatch watch(db());
  const SessionStore store = OtherStore(&watch);
  const Session session = Must(store.Claim(kSessionId, "ann"));
  Must(session.PutNewWithItems("enhancement", kJob, {{"status", "processing"}}, MakeItems(2),
                               ItemsLayout::kChildren));
  std::uint64_t revision = 0;
  for (int poll = 0; poll < 2; ++poll) {
    Must(session.CompleteItem("enhancement", kJob, MakeItems(2)[static_cast<std::size_t>(poll)].id,
                              {}));
    const Record job = Must(session.Get("enhancement", kJob));
    EXPECT_GT(job.revision(), revision);
    revision = job.revision();
  }
  Must(session.List("enhancement"));
  Must(session.Items("enhancement", kJob));
  Must(session.Latest("enhancement"));
  Must(session.Count("enhancement"));
  Must(session.Load());
  EXPECT_EQ(watch.weak, 0);
}

// P16: any text could become a state.
TEST_F(PitfallsTest, P16StatesAreThoseOfTheMachine) {
  const Session session = WithJob(1);
  EXPECT_THAT(session.Transition("enhancement", kJob, {.to = "whatever"}),
              FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(session.Modify("enhancement", kJob, [](Item& item) { item.Set("status", "done"); }),
              FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(session.ModifyMeta([](Item& item) { item.Set("status", "done"); }),
              FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(session.PutNew("publish", "p", {{"status", "published"}}),
              FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_EQ(TextIn(*Raw("META"), "status"), "active");
}

}  // namespace
}  // namespace stator::sessions
