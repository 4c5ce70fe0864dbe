// Making, reading, changing and removing records.

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "sessions/sessions_test.h"

namespace stator::sessions {
namespace {

class RecordsTest : public SessionsTest {};

TEST_F(RecordsTest, ANewRecordIsStoredAsTheOlderSystemStoresIt) {
  const Session session = Claim();
  const Typed<DescriptionJob> job = Must(session.PutNew(
      DescriptionJob{.group_label = "Beach", .media_keys = {"a.jpg", "b.jpg"}, .caption = "Sun"}));
  EXPECT_TRUE(job.record.id.starts_with("desc-"));
  EXPECT_EQ(job.record.id.size(), 5 + 32);
  Item item = Raw("DESC#" + job.record.id).value_or(Item());
  EXPECT_EQ(item, (Item{{"PK", "SESSION#" + session.id()},
                        {"SK", "DESC#" + job.record.id},
                        {"status", "pending"},
                        {"groupLabel", "Beach"},
                        {"mediaKeys", List{"a.jpg", "b.jpg"}},
                        {"caption", "Sun"},
                        {"expiresAt", kStart + kDay},
                        {"type", "description"},
                        {"schema", 1},
                        {"epoch", session.EpochOf("description")},
                        {"rev", 1},
                        {"write_id", job.record.stored.revision.write_id},
                        {"recent_writes", List{job.record.stored.revision.write_id}}}));
}

TEST_F(RecordsTest, AnIdIsTakenOnce) {
  const Session session = Claim();
  Must(session.PutNew("selection", "sel-1", {{"error", "first"}}));
  const auto again = session.PutNew("selection", "sel-1", {{"error", "second"}});
  ASSERT_THAT(again, FailsWith(ErrorCode::kAlreadyExists));
  ASSERT_TRUE(FactsOf(again.error()).current);
  EXPECT_EQ(TextIn(FactsOf(again.error()).current->value, "error"), "first");
  EXPECT_EQ(TextIn(Must(session.Get("selection", "sel-1")).value, "error"), "first");
}

TEST_F(RecordsTest, AnIdOfAnExpiredRecordIsFree) {
  const Session session = Claim();
  Must(session.PutNew("fingerprint", "abc", {{"filename", "a.jpg"}}));
  clock_.Advance(4h);
  EXPECT_THAT(session.Get("fingerprint", "abc"), FailsWith(ErrorCode::kNotFound));
  EXPECT_TRUE(session.PutNew("fingerprint", "abc", {{"filename", "b.jpg"}}));
}

TEST_F(RecordsTest, RefusesWhatCannotBeARecord) {
  const Session session = Claim();
  EXPECT_THAT(session.PutNew("dance", "1", {}), FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(session.PutNew("group", "a#b", {}), FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(session.PutNew("group", "a\n", {}), FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(session.PutNew("group", std::string(600, 'x'), {}),
              FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(session.PutNew("group", "g", {{"epoch", 7}}), FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(session.PutNew("group", "g", {{"rev", 7}}), FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(session.PutNew("selection", "s", {{"status", "complete"}}),
              FailsWith(ErrorCode::kIllegalTransition));
  EXPECT_THAT(Keys(), ElementsAre("META"));
  EXPECT_THAT(session.Get("group", ""), FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(session.Get("enhancement", "enh-1#I#a"), FailsWith(ErrorCode::kValidation));
}

TEST_F(RecordsTest, ReplaceNeedsTheRecordAsItWasSeen) {
  const Session session = Claim();
  Typed<PostGroup> first = Must(session.PutNew(PostGroup{.name = "Beach"}, "g1"));
  Typed<PostGroup> second = first;
  first.value.caption = "Sun";
  EXPECT_EQ(Must(session.Replace(first)).record.revision(), 2);
  second.value.caption = "Rain";
  const auto late = session.Replace(second);
  ASSERT_THAT(late, FailsWith(ErrorCode::kConflict));
  ASSERT_TRUE(FactsOf(late.error()).current);
  EXPECT_EQ(TextIn(FactsOf(late.error()).current->value, "caption"), "Sun");
}

TEST_F(RecordsTest, ReplaceKeepsWhatANewerProgramAdded) {
  const Session session = Claim();
  Must(session.PutNew("group", "g1", {{"name", "Beach"}, {"colour", "blue"}}));
  Typed<PostGroup> group = Must(session.Get<PostGroup>("g1"));
  group.value.name = "Sea";
  Must(session.Replace(group));
  EXPECT_EQ(TextIn(*Raw("GROUP#g1"), "colour"), "blue");
  EXPECT_EQ(TextIn(*Raw("GROUP#g1"), "name"), "Sea");
}

TEST_F(RecordsTest, ModifyIsComputedAgainOnWhatOthersLeft) {
  const Session session = Claim();
  Must(session.PutNew(PostGroup{.name = "Beach"}, "g1"));
  faulty().BeforeNext("UpdateItem", [&] {
    const Session other = Must(OtherStore().Claim(kSessionId, "ann"));
    Must(other.Modify<PostGroup>("g1", [](PostGroup& group) { group.media_keys = {"a"}; }));
  });
  const auto changed =
      session.Modify<PostGroup>("g1", [](PostGroup& group) { group.media_keys.push_back("b"); });
  EXPECT_THAT(Must(changed).value.media_keys, ElementsAre("a", "b"));
}

TEST_F(RecordsTest, ModifyWritesNothingWhenNothingChanges) {
  const Session session = Claim();
  Must(session.PutNew(PostGroup{.name = "Beach"}, "g1"));
  const std::size_t before = faulty().calls("UpdateItem");
  EXPECT_EQ(Must(session.Modify<PostGroup>("g1", [](PostGroup&) {})).record.revision(), 1);
  EXPECT_EQ(faulty().calls("UpdateItem"), before);
  EXPECT_THAT(session.Modify<PostGroup>("none", [](PostGroup&) {}),
              FailsWith(ErrorCode::kNotFound));
}

TEST_F(RecordsTest, EightWritersOfOneRecordAllSucceed) {
  constexpr int kWriters = 8;
  // On the clock of the machine: whoever waits lets others go on.
  const SessionStore store = Must(SessionStore::Open(db(), {.workflow = MediaWorkflow()}));
  const Session session = Must(store.Claim(kSessionId, "ann"));
  Must(session.PutNew(PostGroup{.name = "Beach"}, "g1"));
  std::atomic<int> failed = 0;
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&, writer] {
        const auto changed = session.Modify<PostGroup>("g1", [writer](PostGroup& group) {
          group.media_keys.push_back(std::to_string(writer) + ".jpg");
        });
        failed += changed ? 0 : 1;
      });
    }
  }
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(Must(session.Get<PostGroup>("g1")).value.media_keys.size(), kWriters);
}

TEST_F(RecordsTest, AModifyMayRefuse) {
  const Session session = Claim();
  Must(session.PutNew(PostGroup{.name = "Beach"}, "g1"));
  const auto refused = session.Modify(
      "group", "g1",
      [](Item& /*item*/) -> Result<patterns::Verdict> { return Invalid("not today"); });
  ASSERT_THAT(refused, FailsWith(ErrorCode::kRefused));
  EXPECT_EQ(refused.error().message, "not today");
}

TEST_F(RecordsTest, TheSessionHasAttributesOfItsOwn) {
  const Session session = Claim();
  Must(session.ModifyMeta([](Item& item) {
    item.Set("tripContext", "Norway");
    item.Set("uploadedKeys", List{"a.jpg"});
  }));
  const Typed<MediaSession> meta = Must(Decode<MediaSession>(session.Meta()));
  EXPECT_EQ(meta.value.trip_context, "Norway");
  EXPECT_THAT(meta.value.uploaded_keys, ElementsAre("a.jpg"));
  EXPECT_EQ(meta.value.owner_sub, "ann");
  EXPECT_THAT(session.ModifyMeta([](Item& item) { item.Set("status", "whatever"); }),
              FailsWith(ErrorCode::kIllegalTransition));
  // It cannot be given away.
  Must(session.ModifyMeta([](Item& item) { item.Set("ownerSub", "bob"); }));
  EXPECT_TRUE(store_->Claim(kSessionId, "ann"));
}

TEST_F(RecordsTest, ListsAKindWithoutPartsItemsAndNeighbours) {
  const Session session = Claim();
  Must(session.PutNewWithItems("enhancement", "enh-1", {{"status", "processing"}}, MakeItems(3),
                               ItemsLayout::kChildren));
  Must(session.PutNew("enhancement", "enh-2", {}));
  Must(session.PutNew("file", "job/a.jpg", {{"status", "valid"}}));
  Must(session.PutNew("fingerprint", "abc", {{"filename", "a.jpg"}}));
  EXPECT_THAT(IdsOf(Must(session.List("enhancement"))), ElementsAre("enh-1", "enh-2"));
  EXPECT_THAT(IdsOf(Must(session.List("file"))), ElementsAre("job/a.jpg"));
  EXPECT_EQ(Must(session.Count("enhancement")), 2);
  EXPECT_THAT(Must(session.List("group")), IsEmpty());
}

TEST_F(RecordsTest, TheWholeSessionIsOneQuery) {
  const Session session = Claim();
  Must(session.PutNew(PostGroup{.name = "Beach"}, "g1"));
  Must(session.PutNew(PostGroup{.name = "Sea"}, "g2"));
  Must(session.PutNew(SelectionJob{.selected = {{.rank = 1, .filename = "a.jpg"}}}, "sel-1"));
  PutRaw({{"note", "of another program"}, {"expiresAt", Now() + kDay}}, "NOTE#1");
  const std::size_t before = faulty().calls();
  const Summary summary = Must(session.Load());
  EXPECT_EQ(faulty().calls(), before + 1);
  EXPECT_EQ(summary.session.state, "active");
  EXPECT_EQ(summary.records.size(), 3);
  const std::vector<Typed<PostGroup>> groups = Must(summary.Of<PostGroup>());
  ASSERT_EQ(groups.size(), 2);
  EXPECT_EQ(groups[1].value.name, "Sea");
  EXPECT_EQ(Must(summary.Of<SelectionJob>())[0].value.selected[0].filename, "a.jpg");
  ASSERT_EQ(summary.unknown.size(), 1);
  EXPECT_EQ(TextIn(summary.unknown[0], "note"), "of another program");
}

TEST_F(RecordsTest, ARecordThatItsStructDoesNotFitIsReportedByItsPlace) {
  const Session session = Claim();
  Must(session.PutNew("selection", "sel-1",
                      {{"selected", List{Map{{"rank", 1}}, Map{{"rank", "first"}}}}}));
  const auto typed = session.Get<SelectionJob>("sel-1");
  ASSERT_THAT(typed, FailsWith(ErrorCode::kCorruption));
  EXPECT_EQ(FactsOf(typed.error()).path, "selected[1].rank");
  EXPECT_TRUE(session.Get("selection", "sel-1"));
}

TEST_F(RecordsTest, RemoveSaysWhetherThereWasOne) {
  const Session session = Claim();
  Must(session.PutNew(PostGroup{.name = "Beach"}, "g1"));
  EXPECT_TRUE(Must(session.Remove("group", "g1")));
  EXPECT_FALSE(Must(session.Remove("group", "g1")));
  EXPECT_EQ(Raw("GROUP#g1"), std::nullopt);
  EXPECT_TRUE(session.PutNew(PostGroup{.name = "Beach"}, "g1"));
}

TEST_F(RecordsTest, IdsMadeLaterSortBehind) {
  const std::string first = store_->MakeRecordId("triage");
  clock_.Advance(std::chrono::milliseconds(1));
  const std::string second = store_->MakeRecordId("triage");
  EXPECT_LT(first, second);
  EXPECT_TRUE(first.starts_with("triage-"));
  EXPECT_EQ(first.size(), 7 + 32);
  EXPECT_EQ(store_->MakeSessionId().size(), 36);
}

TEST_F(RecordsTest, AWorkflowOfOnesOwnWorksTheSame) {
  const Result<Workflow> workflow =
      Workflow::Make({.name = "print",
                      .partition_prefix = "PRINT#",
                      .steps = {{.name = "layout"},
                                {.name = "cover"},
                                {.name = "bind", .after = {"layout", "cover"}}},
                      .kinds = {{.name = "layout", .prefix = "L#", .step = "layout"},
                                {.name = "cover", .prefix = "C#", .step = "cover"},
                                {.name = "bind", .prefix = "B#", .step = "bind"}}});
  ASSERT_TRUE(workflow) << workflow.error().message;
  UseWorkflow(*workflow);
  const Session session = Claim("ann", "book 7");
  for (const std::string kind : {"layout", "cover", "bind"}) {
    Must(session.PutNew(kind, "1", {}));
  }
  EXPECT_THAT(Must(session.InvalidateFrom("cover")).deleted, ElementsAre("B#1", "C#1"));
  EXPECT_THAT(IdsOf(Must(session.Load()).records), ElementsAre("1"));
  EXPECT_TRUE(session.Get("layout", "1"));
}

}  // namespace
}  // namespace stator::sessions
