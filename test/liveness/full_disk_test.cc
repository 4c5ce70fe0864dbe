// A disk that is full, under the whole engine: what was acknowledged stays, what failed is not there,
// and everything goes on when there is room, also the jobs that had failed meanwhile.

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "liveness/held_disk.h"

namespace stator::liveness {
namespace {

class FullDisk : public HeldDisk {
 protected:
  FullDisk() { Open(); }

  // Fills the disk; the first write that meets that is refused.
  void FillUp() {
    disk().FillUpAfter(0);
    EXPECT_EQ(StartPut({{"pk", "failed"}}).Await().error().code, ErrorCode::kIo);
  }

  void MakeRoom() {
    disk().Heal();
    Result<void> done = db().RunHousekeeping();
    // The thread that commits may not have ended its round yet.
    for (int tries = 0; !done && tries < 1000; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      done = db().RunHousekeeping();
    }
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
};

TEST_F(FullDisk, EverythingQueuedFailsAndNothingIsBuiltOnIt) {
  Put({{"pk", "hot"}, {"n", 1}});
  disk().HoldSyncs();
  Answer<UpdateItemOutput> first = StartCount("hot");
  disk().AwaitHeldSync();
  std::vector<Answer<UpdateItemOutput>> behind;
  for (int call = 0; call < 8; ++call) {
    behind.push_back(StartCount("hot"));
  }
  Answer<PutItemOutput> refusal = StartPut({{"pk", "hot"}}, "attribute_not_exists(pk)");
  disk().FillUpAfter(0);
  disk().LetSyncs(1);
  EXPECT_TRUE(first.Await().has_value()) << "it was on the disk";
  for (Answer<UpdateItemOutput>& each : behind) {
    EXPECT_EQ(each.Await().error().code, ErrorCode::kIo);
  }
  EXPECT_FALSE(refusal.Await().has_value());
  AwaitQuiet();
  MakeRoom();
  EXPECT_EQ(NumberIn(*Get("hot"), "n"), 2);
  EXPECT_EQ(NumberIn(*StartCount("hot").Await().value().attributes, "n"), 3);
  LosePower();
  EXPECT_EQ(NumberIn(*Get("hot"), "n"), 3);
}

TEST_F(FullDisk, ReadsAreServedMeanwhile) {
  Put({{"pk", "before"}});
  FillUp();
  EXPECT_TRUE(Get("before").has_value());
  EXPECT_FALSE(Get("failed").has_value());
  EXPECT_FALSE(db().Health().has_value());
  EXPECT_FALSE(db().RunHousekeeping().has_value());
  MakeRoom();
  EXPECT_TRUE(db().Health().has_value());
  Put({{"pk", "after"}});
  EXPECT_TRUE(Get("before").has_value() && Get("after").has_value());
  EXPECT_FALSE(Get("failed").has_value());
}

TEST_F(FullDisk, AnIndexThatWasBeingMadeIsFinished) {
  Put({{"pk", "item"}, {"g", "x"}});
  disk().HoldSyncs();
  std::thread update([this] {
    EXPECT_TRUE(
        db().UpdateTable({.table_name = "things",
                          .attribute_definitions =
                              std::vector<AttributeDefinition>{{"g", ScalarAttributeType::kString}},
                          .global_secondary_index_updates = std::vector<GlobalSecondaryIndexUpdate>{
                              GlobalSecondaryIndex{.index_name = "by_g",
                                                   .key_schema = {{"g", KeyType::kHash}},
                                                   .projection = {ProjectionType::kAll}}}}));
  });
  disk().AwaitHeldSync();
  disk().FillUpAfter(0);
  disk().LetSyncs(1000);
  update.join();
  db().AwaitBackgroundJobs();
  MakeRoom();
  db().AwaitBackgroundJobs();
  const auto found = db().Query({.table_name = "things",
                                 .index_name = "by_g",
                                 .key_condition_expression = "g = :x",
                                 .expression_attribute_values = Map{{":x", "x"}}});
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(found->count, 1);
}

}  // namespace
}  // namespace stator::liveness
