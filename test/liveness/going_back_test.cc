// A table that is being rewound or restored, and others meanwhile: a way back of many steps gives way
// to whoever reads and writes something else.

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "liveness/held_disk.h"

namespace stator::liveness {
namespace {

constexpr int kItems = 40;
// Fewer than the steps of a way back; more than a write needs that comes in between.
constexpr std::uint64_t kSomeSyncs = 4;

class GoingBack : public HeldDisk {
 protected:
  GoingBack() {
    Open(64 << 20,
         {.at_once = {.items = 2, .bytes = 1 << 10}, .per_step = {.items = 1, .bytes = 1}});
    MakeTable("others");
    EXPECT_TRUE(PutOther("before").Await().has_value());
    const UpdateContinuousBackupsInput recovery{
        .table_name = "things", .point_in_time_recovery_specification = {.enabled = true}};
    EXPECT_TRUE(db().UpdateContinuousBackups(recovery).has_value());
    clock().Advance(std::chrono::seconds(1));
    then_ = clock().Now();
    clock().Advance(std::chrono::seconds(1));
  }

  Answer<PutItemOutput> PutOther(const std::string& pk) {
    Answer<PutItemOutput> answer;
    db().StartPutItem({.table_name = "others", .item = {{"pk", pk}}}, answer.Expect());
    return answer;
  }

  bool HasOther(const std::string& pk) {
    return db()
        .GetItem({.table_name = "others", .key = {{"pk", pk}}, .consistent_read = true})
        .value()
        .item.has_value();
  }

  TableStatus StatusOf(const std::string& table) {
    return db().DescribeTable({.table_name = table}).value().table.table_status;
  }

  void Fill(std::size_t bytes) {
    for (int number = 0; number < kItems; ++number) {
      Put({{"pk", std::to_string(number)}, {"bytes", std::string(bytes, 'x')}});
    }
  }

  // A job has begun, and its next sync stands: others read, and write as soon as the disk does.
  void OthersGoOn() {
    disk().AwaitHeldSync();
    EXPECT_TRUE(HasOther("before"));
    Answer<PutItemOutput> put = PutOther("meanwhile");
    disk().LetSyncs(kSomeSyncs);
    EXPECT_TRUE(put.Await().has_value());
    EXPECT_TRUE(HasOther("meanwhile"));
    disk().AwaitHeldSync();
  }

  TimePoint then_;  // when "things" had nothing
};

TEST_F(GoingBack, OthersGoOnBesideARewind) {
  Fill(1);
  disk().HoldSyncs();
  Result<RewindTableOutput> rewound;
  std::thread asking(
      [&] { rewound = db().RewindTable({.table_name = "things", .rewind_date_time = then_}); });
  OthersGoOn();
  EXPECT_EQ(StatusOf("things"), TableStatus::kUpdating);
  for (int number = 0; number < kItems; ++number) {
    EXPECT_TRUE(Get(std::to_string(number)).has_value()) << "readers see what was before";
  }
  Answer<PutItemOutput> waiting = StartPut({{"pk", "new"}});
  EXPECT_FALSE(waiting.is_there()) << "writers of the table wait until it is done";
  disk().LetSyncs(1000);
  asking.join();
  ASSERT_TRUE(rewound.has_value()) << rewound.error().message;
  EXPECT_TRUE(rewound->rewind_in_progress);
  EXPECT_TRUE(waiting.Await().has_value());
  db().AwaitBackgroundJobs();
  EXPECT_EQ(Get("0"), std::nullopt);
  EXPECT_TRUE(Get("new").has_value());
  AwaitQuiet();
}

TEST_F(GoingBack, OthersGoOnBesideARestore) {
  Fill(300'000);  // so that each few are a batch
  disk().HoldSyncs();
  Result<RestoreTableToPointInTimeOutput> restored;
  std::thread asking([&] {
    restored = db().RestoreTableToPointInTime({.target_table_name = "restored",
                                               .source_table_name = "things",
                                               .use_latest_restorable_time = true});
  });
  OthersGoOn();
  EXPECT_EQ(StatusOf("restored"), TableStatus::kCreating);
  Answer<PutItemOutput> changed = StartPut({{"pk", "0"}, {"changed", true}});
  disk().LetSyncs(1);
  EXPECT_TRUE(Get("1").has_value());
  disk().LetSyncs(1000);
  EXPECT_TRUE(changed.Await().has_value()) << "also those of the table that is copied";
  asking.join();
  ASSERT_TRUE(restored.has_value()) << restored.error().message;
  db().AwaitBackgroundJobs();
  EXPECT_EQ(StatusOf("restored"), TableStatus::kActive);
  const auto item = db().GetItem({.table_name = "restored", .key = {{"pk", "0"}}});
  ASSERT_TRUE(item.has_value() && item->item.has_value());
  EXPECT_FALSE(item->item->contains("changed")) << "it was changed behind that moment";
  AwaitQuiet();
}

}  // namespace
}  // namespace stator::liveness
