// Scans of whole tables, and backfills: what they migrate, leave alone, report, and how they go on
// after an interruption.

#include <stop_token>
#include <string>

#include "entities/entities_test.h"

namespace stator::entities {
namespace {

class MaintenanceTest : public EntitiesTest {
 protected:
  // `count` documents of each version.
  void PutDocuments(int count) {
    for (int n = 0; n < count; ++n) {
      for (int version = 1; version <= 3; ++version) {
        const std::string id = "d" + std::to_string(n) + "v" + std::to_string(version);
        Item item = {{"pk", "DOC#" + id},
                     {"id", id},
                     {"title", "t"},
                     {"rev", 1},
                     {"write_id", "w"},
                     {"data_version", version},
                     {version == 1 ? "words" : "length", n}};
        if (version == 3) {
          item.Set("language", "de");
        }
        Put("document", item);
      }
    }
  }
  int CountOfVersion(int version) {
    int count = 0;
    for (const Item& item : All("document")) {
      const AttributeValue* stored = item.Find("data_version");
      count += stored != nullptr && *stored == AttributeValue(version) ? 1 : 0;
    }
    return count;
  }

  Documents documents_ = Open<Documents>();
};

TEST_F(MaintenanceTest, AScanSeesEveryEntityAndNothingElse) {
  Users users = Open<Users>();
  for (int n = 0; n < 20; ++n) {
    const std::string id = std::to_string(n);
    Must(users.Insert({.id = id, .email = id + "@example.org"}));
  }
  for (const int segments : {1, 3}) {
    std::set<std::string> seen;
    const MaintenanceScan scan(users, {.segments = segments});
    const auto progress = Must(scan.ForEach(
        [&](const Versioned<User>& user) { return seen.insert(user.data.id).second; }));
    EXPECT_EQ(seen.size(), 20U);
    EXPECT_EQ(progress.taken, 20U);
    EXPECT_EQ(progress.scanned, 40U) << "guards are read and left out";
    EXPECT_GT(progress.units, 0);
  }
}

TEST_F(MaintenanceTest, AScanCanBeStoppedAndLeavesOutWhatExpired) {
  Orders orders = Open<Orders>();
  for (std::uint32_t n = 0; n < 10; ++n) {
    Must(orders.Insert({.customer = "ann", .number = n},
                       {.expiry = *Expiry::FromSeconds(kNow + (n < 4 ? 5 : 500))}));
  }
  clock_.Advance(10s);
  int seen = 0;
  Must(MaintenanceScan(orders).ForEach([&](const Versioned<Order>&) { return ++seen > 0; }));
  EXPECT_EQ(seen, 6);
  seen = 0;
  Must(MaintenanceScan(orders).ForEach([&](const Versioned<Order>&) { return ++seen < 2; }));
  EXPECT_EQ(seen, 2);
}

TEST_F(MaintenanceTest, ARateIsKept) {
  PutDocuments(20);
  const Duration before = clock_.Elapsed();
  const MaintenanceScan scan(documents_,
                             {.segments = 1, .units_per_second = 0.5, .page_items_max = 10});
  const auto progress = Must(scan.ForEach([](const Versioned<Document>&) { return true; }));
  EXPECT_GE(clock_.Elapsed() - before,
            std::chrono::duration_cast<Duration>(
                std::chrono::duration<double>(progress.units / 0.5 - 0.001)));
}

TEST_F(MaintenanceTest, ADryRunCountsVersionsAndWritesNothing) {
  PutDocuments(5);
  const std::vector<Item> before = All("document");
  const BackfillReport report = Must(Backfill(documents_, {.dry_run = true}));
  EXPECT_EQ(report.versions, (std::map<std::uint16_t, std::uint64_t>{{1, 5}, {2, 5}, {3, 5}}));
  EXPECT_EQ(report.migrated, 0U);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(All("document"), before);
  EXPECT_NE(report.Text().find("version 1: 5\n"), std::string::npos);
}

TEST_F(MaintenanceTest, ABackfillLeavesNoOldVersion) {
  PutDocuments(10);
  std::uint64_t reported = 0;
  BackfillOptions options{.scan = {.segments = 3, .page_items_max = 4}};
  options.scan.on_progress = [&](const ScanProgress& progress) { reported = progress.scanned; };
  const BackfillReport report = Must(Backfill(documents_, options));
  EXPECT_EQ(report.migrated, 20U);
  EXPECT_TRUE(report.complete);
  EXPECT_GE(reported, 30U);
  EXPECT_EQ(CountOfVersion(3), 30);
  for (const Item& item : All("document")) {
    if (item.contains("id")) {
      EXPECT_FALSE(item.contains("words"));
    }
  }
  EXPECT_EQ(MustFind(documents_.ReadStrong({"d7v1"})).data,
            (Document{.id = "d7v1", .title = "t", .length = 7, .language = "en"}));
  const BackfillReport again = Must(Backfill(documents_, options));
  EXPECT_EQ(again.migrated, 0U);
  EXPECT_FALSE(again.resumed) << "the one before was complete";
}

TEST_F(MaintenanceTest, AnInterruptedBackfillGoesOnWhereItStopped) {
  PutDocuments(10);
  std::stop_source stop;
  BackfillOptions options{.scan = {.segments = 1, .page_items_max = 5, .stop = stop.get_token()}};
  int pages = 0;
  options.scan.on_progress = [&](const ScanProgress&) {
    if (++pages == 2) {
      stop.request_stop();
    }
  };
  const BackfillReport first = Must(Backfill(documents_, options));
  EXPECT_FALSE(first.complete);
  EXPECT_EQ(first.progress.scanned, 10U);
  const BackfillReport second =
      Must(Backfill(documents_, {.scan = {.segments = 1, .page_items_max = 5}}));
  EXPECT_TRUE(second.resumed);
  EXPECT_TRUE(second.complete);
  EXPECT_LE(second.progress.scanned, 21U) << "the rest, and the checkpoint itself";
  EXPECT_EQ(second.migrated, 20U) << "over both runs";
  EXPECT_EQ(CountOfVersion(3), 30);
}

TEST_F(MaintenanceTest, AFailingTableKeepsTheCheckpoint) {
  PutDocuments(10);
  faulty().Script("Scan", std::vector<Fault>{Fault::kNone});
  BackfillOptions options{.scan = {.segments = 1, .page_items_max = 5}};
  options.scan.on_progress = [&](const ScanProgress&) {
    faulty().Script("Scan", std::vector<Fault>(1000, Fault::kUnavailable));
  };
  EXPECT_FALSE(Backfill(documents_, options));
  options.scan.on_progress = {};
  const BackfillReport second = Must(Backfill(Others<Documents>(), options));
  EXPECT_TRUE(second.resumed);
  EXPECT_EQ(CountOfVersion(3), 30);
}

TEST_F(MaintenanceTest, ABackfillLosesToWritersAndReportsWhatItCannotRead) {
  PutDocuments(2);
  Put("document", {{"pk", "DOC#bad"}, {"id", "bad"}, {"title", 5}, {"data_version", 2}});
  faulty().BeforeNext("UpdateItem", [&] {
    for (const char* id : {"d0v1", "d1v1", "d0v2", "d1v2"}) {
      Must(Others<Documents>().Modify({id}, [](Document& document) { document.length = 99; }));
    }
  });
  const BackfillReport report = Must(Backfill(documents_, {.scan = {.segments = 1}}));
  EXPECT_EQ(report.migrated + report.lost, 4U);
  EXPECT_GE(report.lost, 1U);
  EXPECT_EQ(report.failed, 1U);
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_NE(report.problems[0].key.find("DOC#bad"), std::string::npos);
  EXPECT_EQ(MustFind(documents_.ReadStrong({"d0v1"})).data.length, 99);
}

TEST_F(MaintenanceTest, AProgramThatWritesAnOlderVersionCannotBackfill) {
  EXPECT_FALSE(Backfill(Open<RollingDocuments>()));
}

}  // namespace
}  // namespace stator::entities
