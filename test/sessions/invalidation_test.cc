// Invalidation: who goes, who stays, what is reported, and that nothing comes back.

#include <filesystem>
#include <set>

#include "sessions/sessions_test.h"
#include "stator/api/forwarding_database.h"

namespace stator::sessions {
namespace {

const std::vector<std::string> kSteps = {"triage",   "selection",   "enhancement", "grouping",
                                         "download", "description", "publish"};
// Of each step, in the same order.
const std::vector<std::pair<std::string, std::string>> kKinds = {
    {"triage", "TRIAGE#1"},  {"selection", "SELECTION#1"}, {"enhancement", "ENHANCE#1"},
    {"group", "GROUP#1"},    {"download", "DOWNLOAD#1"},   {"description", "DESC#1"},
    {"publish", "PUBLISH#1"}};

class InvalidationTest : public SessionsTest {
 protected:
  void SetUp() override {
    SessionsTest::SetUp();
    folder_ = std::filesystem::temp_directory_path() / ("sessions-blobs-" + SystemRandom().Uuid());
    auto blobs = OpenFileBlobs(folder_.string());
    ASSERT_TRUE(blobs) << blobs.error().message;
    blobs_ = *std::move(blobs);
    UseOptions({.blobs = blobs_.get()});
  }
  void TearDown() override {
    blobs_.reset();
    std::filesystem::remove_all(folder_);
  }

  // One record of every kind, and a file in every folder.
  Session FullSession() {
    const Session session = Claim();
    for (const auto& [kind, key] : kKinds) {
      Must(session.PutNew(kind, "1", {}));
    }
    for (const std::string kind : {"fbprep", "file", "fingerprint"}) {
      Must(session.PutNew(kind, "1", {}));
    }
    for (const std::string name : {"enhanced", "thumbnails", "originals"}) {
      Store(name, "bytes of " + name);
    }
    return session;
  }
  void Store(const std::string& name, const std::string& bytes) {
    const auto stored =
        blobs_->Write(MakeBlobKey(std::string(kSessionId) + "/" + name, bytes), bytes);
    ASSERT_TRUE(stored) << stored.error().message;
  }
  std::size_t BlobsIn(const std::string& name) {
    return blobs_->List(std::string(kSessionId) + "/" + name)
        .value_or(std::vector<std::string>())
        .size();
  }
  static std::vector<std::string> KeysBehind(std::size_t first) {
    std::vector<std::string> keys;
    for (std::size_t at = first; at < kKinds.size(); ++at) {
      keys.push_back(kKinds[at].second);
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }
  // Every cell of the table: which kinds are gone, and whether the folders are.
  void CheckCells(const Session& session, std::size_t first) {
    for (std::size_t at = 0; at < kKinds.size(); ++at) {
      const auto& [kind, key] = kKinds[at];
      const bool gone = at >= first;
      EXPECT_EQ(Raw(key) == std::nullopt, gone) << key;
      EXPECT_EQ(!session.Get(kind, "1"), gone) << key;
    }
    const std::size_t enhanced = first <= 2 ? 0 : 1;
    EXPECT_EQ(BlobsIn("enhanced"), enhanced);
    EXPECT_EQ(BlobsIn("thumbnails"), enhanced);
    EXPECT_EQ(BlobsIn("originals"), 1);
    for (const std::string kind : {"fbprep", "file", "fingerprint"}) {
      EXPECT_TRUE(session.Get(kind, "1")) << kind;
    }
    EXPECT_TRUE(session.Meta());
  }

  std::filesystem::path folder_;
  std::unique_ptr<BlobStore> blobs_;
};

class CascadeTest : public InvalidationTest, public testing::WithParamInterface<std::size_t> {};

TEST_P(CascadeTest, FromAStepTakesItAndAllBehindIt) {
  const Session session = FullSession();
  const Invalidation done = Must(session.InvalidateFrom(kSteps[GetParam()]));
  EXPECT_EQ(done.deleted, KeysBehind(GetParam()));
  EXPECT_EQ(done.steps,
            std::vector<std::string>(kSteps.begin() + static_cast<std::ptrdiff_t>(GetParam()),
                                     kSteps.end()));
  EXPECT_EQ(done.blobs_removed, GetParam() <= 2 ? 2 : 0);
  CheckCells(session, GetParam());
}

TEST_P(CascadeTest, AfterAStepTakesOnlyThoseBehindIt) {
  const Session session = FullSession();
  const Invalidation done = Must(session.InvalidateAfter(kSteps[GetParam()]));
  EXPECT_EQ(done.deleted, KeysBehind(GetParam() + 1));
  CheckCells(session, GetParam() + 1);
}

INSTANTIATE_TEST_SUITE_P(Steps, CascadeTest,
                         testing::Range(std::size_t{0}, std::size_t{kSteps.size()}),
                         [](const testing::TestParamInfo<std::size_t>& step) {
                           return kSteps[step.param];
                         });

TEST_F(InvalidationTest, AnUnknownStepIsRefusedAndTheKnownOnesAreNamed) {
  const Session session = FullSession();
  const auto refused = session.InvalidateFrom("dancing");
  ASSERT_THAT(refused, FailsWith(ErrorCode::kValidation));
  EXPECT_THAT(refused.error().message, testing::HasSubstr("triage, selection, enhancement"));
  EXPECT_THAT(session.InvalidateAfter(""), FailsWith(ErrorCode::kValidation));
  EXPECT_TRUE(session.Get("triage", "1"));
}

TEST_F(InvalidationTest, AnEmptySessionHasNothingToDelete) {
  EXPECT_THAT(Must(Claim().InvalidateFrom("triage")).deleted, IsEmpty());
}

TEST_F(InvalidationTest, TheFenceIsOneWriteHoweverManyRecordsThereAre) {
  const Session session = FullSession();
  faulty().SetRates({.unprocessed = 1});
  const std::size_t before = faulty().calls("UpdateItem");
  static_cast<void>(session.InvalidateFrom("triage"));
  EXPECT_EQ(faulty().calls("UpdateItem"), before + 1);
}

TEST_F(InvalidationTest, NewRecordsBelongToTheNewEpoch) {
  const Session session = FullSession();
  Must(session.InvalidateFrom("grouping"));
  Must(session.PutNew("group", "1", {{"name", "new"}}));
  EXPECT_EQ(TextIn(Must(session.Get("group", "1")).value, "name"), "new");
  EXPECT_THAT(Must(session.Sweep()).deleted, IsEmpty());
  EXPECT_TRUE(session.Get("group", "1"));
}

TEST_F(InvalidationTest, WhatTheDatabaseDoesNotDeleteIsInvisibleAndNamed) {
  const Session session = FullSession();
  faulty().SetRates({.throttled = 1});
  faulty().Script("UpdateItem", {Fault::kNone});
  faulty().Script("Query", {Fault::kNone});
  const auto partly = session.InvalidateFrom("download");
  ASSERT_THAT(partly, FailsWith(ErrorCode::kIncomplete));
  EXPECT_THAT(FactsOf(partly.error()).remaining,
              UnorderedElementsAre("DOWNLOAD#1", "DESC#1", "PUBLISH#1"));
  faulty().SetRates({});
  for (const std::string kind : {"download", "description", "publish"}) {
    EXPECT_THAT(session.Get(kind, "1"), FailsWith(ErrorCode::kNotFound));
  }
  EXPECT_EQ(Must(session.Load()).hidden, 3);
  EXPECT_THAT(Must(session.Sweep()).deleted,
              UnorderedElementsAre("DOWNLOAD#1", "DESC#1", "PUBLISH#1"));
  EXPECT_EQ(Must(session.Load()).hidden, 0);
}

TEST_F(InvalidationTest, MoreThanABatchAndMoreThanAPageGo) {
  const Session session = Claim();
  std::set<std::string> keys;
  for (int number = 0; number < 30; ++number) {
    const std::string id = "d" + std::to_string(number);
    Must(session.PutNew("description", id, {{"rawResponse", std::string(50'000, 'x')}}));
    keys.insert("DESC#" + id);
  }
  EXPECT_EQ(Must(session.Count("description")), 30);
  const Invalidation done = Must(session.InvalidateFrom("description"));
  EXPECT_EQ(std::set<std::string>(done.deleted.begin(), done.deleted.end()), keys);
  EXPECT_THAT(Keys(), ElementsAre("META"));
}

TEST_F(InvalidationTest, UnprocessedDeletesAreSentAgain) {
  const Session session = FullSession();
  faulty().SetRates({.unprocessed = 0.8});
  EXPECT_EQ(Must(session.InvalidateFrom("triage")).deleted, KeysBehind(0));
}

// Some of the batches get through, then the database is gone.
TEST_F(InvalidationTest, WhatRemainsIsExactlyWhatIsThere) {
  const Session session = Claim();
  for (int number = 0; number < 60; ++number) {
    Must(session.PutNew("download", "d" + std::to_string(number), {}));
  }
  faulty().BeforeNext("BatchWriteItem", [] {});
  faulty().BeforeNext("BatchWriteItem", [&] { faulty().SetRates({.unavailable = 1}); });
  const auto partly = session.InvalidateFrom("download");
  faulty().SetRates({});
  ASSERT_THAT(partly, FailsWith(ErrorCode::kIncomplete));
  std::vector<std::string> left = Keys();
  std::erase(left, "META");
  EXPECT_FALSE(left.empty());
  EXPECT_LT(left.size(), 60);
  EXPECT_THAT(FactsOf(partly.error()).remaining, testing::UnorderedElementsAreArray(left));
}

// Groups have names that come again; the sweep must not take the new one for the old.
TEST_F(InvalidationTest, ASweepLeavesARecordThatTookThePlaceOfAnOldOne) {
  const Session session = Claim();
  Must(session.PutNew("group", "beach", {{"name", "old"}}));
  faulty().BeforeNext("DeleteItem", [&] {
    const SessionStore other = OtherStore();
    Must(Must(other.Claim(kSessionId, "ann")).PutNew("group", "beach", {{"name", "new"}}));
  });
  Must(session.InvalidateFrom("grouping"));
  EXPECT_EQ(TextIn(Must(Claim().Get("group", "beach")).value, "name"), "new");
}

// A second invalidation, and a new record behind it, while the first still sweeps.
TEST_F(InvalidationTest, ASweepThatIsBehindTheTimesLeavesWhatIsNewer) {
  const Session session = Claim();
  Must(session.PutNew("download", "d1", {}));
  faulty().BeforeNext("Query", [&] {
    const SessionStore other = OtherStore();
    const Session second = Must(other.Claim(kSessionId, "ann"));
    Must(second.InvalidateFrom("download"));
    Must(second.PutNew("download", "d2", {}));
  });
  Must(session.InvalidateFrom("download"));
  EXPECT_THAT(IdsOf(Must(Claim().List("download"))), ElementsAre("d2"));
}

TEST_F(InvalidationTest, ASessionThatWasClaimedBeforeMakesNothingForTheOldEpoch) {
  const Session slow = Claim();
  Must(Claim().InvalidateFrom("selection"));
  EXPECT_THAT(slow.PutNew("enhancement", "", {}), FailsWith(ErrorCode::kStale));
  EXPECT_THAT(slow.PutNewWithItems("enhancement", "", {}, MakeItems(2)),
              FailsWith(ErrorCode::kStale));
  EXPECT_TRUE(slow.PutNew("triage", "", {}));
  Must(slow.Refresh());
  EXPECT_TRUE(slow.PutNew("enhancement", "", {}));
}

TEST_F(InvalidationTest, ALostAnswerDoesNotPutUpTheFenceTwice) {
  const Session session = Claim();
  const std::int64_t before = session.EpochOf("publish");
  faulty().Script("UpdateItem", {Fault::kLostAfter});
  Must(session.InvalidateFrom("publish"));
  EXPECT_EQ(session.EpochOf("publish"), before + 1);
  faulty().Script("UpdateItem", {Fault::kLostBefore});
  EXPECT_THAT(session.InvalidateFrom("publish"), FailsWith(ErrorCode::kAmbiguous));
}

TEST_F(InvalidationTest, FilesThatAreWrittenBehindTheFenceStay) {
  const Session session = FullSession();
  faulty().BeforeNext("Query", [&] { Store("enhanced", "of the new run"); });
  EXPECT_EQ(Must(session.InvalidateFrom("enhancement")).blobs_removed, 2);
  EXPECT_EQ(BlobsIn("enhanced"), 1);
}

TEST_F(InvalidationTest, ExpiringASessionTakesItsFiles) {
  const Session session = FullSession();
  EXPECT_EQ(Must(session.Expire()).blobs_removed, 3);
  EXPECT_EQ(BlobsIn("originals"), 0);
}

// Blobs that cannot be removed are named, too.
class StubbornBlobs final : public BlobStore {
 public:
  explicit StubbornBlobs(BlobStore& next) : next_(&next) {}
  [[nodiscard]] std::string_view provider() const override { return next_->provider(); }
  [[nodiscard]] std::string place() const override { return next_->place(); }
  Result<void> Write(const std::string& key, std::string_view bytes) override {
    return next_->Write(key, bytes);
  }
  Result<std::string> Read(const std::string& key) override { return next_->Read(key); }
  Result<void> Remove(const std::string& /*key*/) override {
    return Fail(ErrorCode::kUnavailable, "not now");
  }
  Result<std::vector<BlobInfo>> Describe(const std::string& folder) override {
    return next_->Describe(folder);
  }
  Result<std::size_t> RemoveUnfinished(TimePoint before) override {
    return next_->RemoveUnfinished(before);
  }

 private:
  BlobStore* next_;
};

TEST_F(InvalidationTest, FilesThatCannotBeRemovedAreNamed) {
  FullSession();
  StubbornBlobs stubborn(*blobs_);
  UseOptions({.blobs = &stubborn});
  const auto partly = Claim().InvalidateFrom("enhancement");
  ASSERT_THAT(partly, FailsWith(ErrorCode::kIncomplete));
  EXPECT_EQ(FactsOf(partly.error()).remaining.size(), 2);
  EXPECT_THAT(Claim().Get("enhancement", "1"), FailsWith(ErrorCode::kNotFound));
  UseOptions({});
}

}  // namespace
}  // namespace stator::sessions
