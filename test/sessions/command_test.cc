// `stator sessions` on a directory of its own: what it prints, what it changes, what it refuses.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/command_line.h"
#include "cli/sessions_actions.h"
#include "cli/sessions_command.h"
#include "stator/blobs/blob_store.h"
#include "stator/home/open.h"
#include "stator/stores/sessions/media/records.h"
#include "stator/stores/sessions/media/workflow.h"
#include "stator/stores/sessions/session_store.h"
#include "stator/stores/sessions/session_table.h"

namespace stator::cli {
namespace {

using testing::HasSubstr;

constexpr const char* kSession = "0f8fad5b-d9cb-469f-a165-70867728950e";

class SessionsCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("sessions-cli-" + SystemRandom().Uuid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string Data() const { return (folder_ / "data").string(); }

  // A session with a group and a description, and a file.
  void Fill() {
    ASSERT_EQ(Run({"tables", "create", "--for", "sessions", "--data", Data()}), kSuccess);
    const auto database = Open(Data());
    ASSERT_TRUE(database) << database.error().message;
    const auto store =
        sessions::SessionStore::Open(**database, {.workflow = sessions::MediaWorkflow()});
    ASSERT_TRUE(store) << store.error().message;
    const auto session = store->Claim(kSession, "ann");
    ASSERT_TRUE(session) << session.error().message;
    ASSERT_TRUE(session->PutNew(sessions::PostGroup{.name = "Beach"}, "g1"));
    ASSERT_TRUE(session->PutNew(sessions::DescriptionJob{.caption = "Sun"}, "d1"));
    const auto blobs = OpenFileBlobs((folder_ / "blobs").string());
    ASSERT_TRUE(blobs) << blobs.error().message;
    const std::string folder = std::string(kSession) + "/enhanced";
    ASSERT_TRUE((*blobs)->Write(MakeBlobKey(folder, "bytes"), "bytes"));
  }

  int Run(const std::vector<std::string>& arguments) {
    const Command command = ParseCommandLine(arguments);
    const auto* parsed = std::get_if<SessionsArguments>(&command);
    const auto* tables = std::get_if<TablesArguments>(&command);
    if (parsed == nullptr && tables == nullptr) {
      return kUsage;
    }
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = parsed != nullptr ? RunSessions(*parsed) : RunTables(*tables);
    output_ = testing::internal::GetCapturedStdout();
    error_ = testing::internal::GetCapturedStderr();
    return code;
  }

  std::filesystem::path folder_;
  std::string output_;
  std::string error_;
};

TEST_F(SessionsCommandTest, ListsAndShows) {
  Fill();
  ASSERT_EQ(Run({"sessions", "ls", "--data", Data()}), kSuccess);
  EXPECT_THAT(output_, HasSubstr(std::string(kSession) + "  active  "));
  EXPECT_THAT(output_, HasSubstr("  ann\n"));
  ASSERT_EQ(Run({"sessions", "show", kSession, "--data", Data()}), kSuccess);
  EXPECT_THAT(output_, HasSubstr("group  g1  -  rev 1\n"));
  EXPECT_THAT(output_, HasSubstr("description  d1  pending  rev 1\n"));
  ASSERT_EQ(Run({"sessions", "show", kSession, "--data", Data(), "--json"}), kSuccess);
  EXPECT_THAT(output_, HasSubstr(R"("value":{"name":"Beach"})"));
}

TEST_F(SessionsCommandTest, InvalidatesAndExpires) {
  Fill();
  const std::string blobs = (folder_ / "blobs").string();
  ASSERT_EQ(Run({"sessions", "invalidate", kSession, "--data", Data(), "--after", "grouping"}),
            kSuccess);
  EXPECT_EQ(output_, "removed DESC#d1\n1 records and 0 files removed\n");
  ASSERT_EQ(Run({"sessions", "invalidate", kSession, "--data", Data(), "--from", "triage",
                 "--blobs", blobs, "--json"}),
            kSuccess);
  EXPECT_THAT(output_, HasSubstr(R"("blobsRemoved":1)"));
  EXPECT_THAT(output_, HasSubstr(R"("deleted":["GROUP#g1"])"));
  ASSERT_EQ(Run({"sessions", "expire", kSession, "--data", Data()}), kSuccess);
  ASSERT_EQ(Run({"sessions", "ls", "--data", Data()}), kSuccess);
  EXPECT_EQ(output_, "");
  EXPECT_EQ(Run({"sessions", "show", kSession, "--data", Data()}), kFailure);
  EXPECT_THAT(error_, HasSubstr("there is no such session"));
}

TEST_F(SessionsCommandTest, RefusesWhatMakesNoSense) {
  Fill();
  EXPECT_EQ(Run({"sessions"}), kUsage);
  EXPECT_EQ(Run({"sessions", "show"}), kUsage);
  EXPECT_EQ(Run({"sessions", "watch"}), kUsage);
  EXPECT_EQ(Run({"sessions", "watch", kSession, "--interval", "0"}), kUsage);
  EXPECT_EQ(Run({"sessions", "invalidate", kSession}), kUsage);
  EXPECT_EQ(Run({"sessions", "invalidate", kSession, "--from", "a", "--after", "b"}), kUsage);
  EXPECT_EQ(Run({"sessions", "invalidate", kSession, "--data", Data(), "--from", "dancing"}),
            kFailure);
  EXPECT_THAT(error_, HasSubstr("there is no step 'dancing'; there are triage, "));
}

// A job whose last worker died before it could end it.
TEST_F(SessionsCommandTest, HealsWhatNobodyEnded) {
  Fill();
  {
    const auto database = Open(Data());
    ASSERT_TRUE(database) << database.error().message;
    const auto store =
        sessions::SessionStore::Open(**database, {.workflow = sessions::MediaWorkflow()});
    const auto session = store->AsWorker(kSession);
    ASSERT_TRUE(session) << session.error().message;
    for (const char* id : {"enh-1", "enh-2"}) {
      ASSERT_TRUE(session->PutNewWithItems("enhancement", id, {{"status", "processing"}}, {}));
    }
  }
  ASSERT_EQ(Run({"sessions", "heal", kSession, "--data", Data()}), kSuccess) << error_;
  EXPECT_THAT(output_, HasSubstr(std::string(kSession) + "  enhancement  enh-1  0 of 0  finished"));
  EXPECT_THAT(output_, HasSubstr("enh-2"));
  ASSERT_EQ(Run({"sessions", "heal", "--data", Data(), "--json"}), kSuccess) << "all sessions";
  EXPECT_EQ(output_, "") << "there is nothing more to heal";
  EXPECT_EQ(Run({"sessions", "heal", "0f8fad5b-d9cb-469f-a165-70867728950f", "--data", Data()}),
            kFailure);
  EXPECT_THAT(error_, HasSubstr("there is no such session"));
}

// A record of a former epoch, as an invalidation leaves it that was cut off before it could remove.
TEST_F(SessionsCommandTest, SweepsWhatAnInvalidationLeft) {
  Fill();
  const Item key = {{"PK", "SESSION#" + std::string(kSession)}, {"SK", "DESC#d1"}};
  {
    const auto database = Open(Data());
    ASSERT_TRUE(database) << database.error().message;
    const auto left = (*database)->GetItem({.table_name = "sessions", .key = key});
    ASSERT_TRUE(left && left->item);
    const auto store =
        sessions::SessionStore::Open(**database, {.workflow = sessions::MediaWorkflow()});
    ASSERT_TRUE(store->AsWorker(kSession)->InvalidateFrom("description"));
    ASSERT_TRUE((*database)->PutItem({.table_name = "sessions", .item = *left->item}));
  }
  ASSERT_EQ(Run({"sessions", "sweep", "--data", Data()}), kSuccess) << error_;
  EXPECT_EQ(output_, std::string(kSession) + "  removed DESC#d1\n");
  ASSERT_EQ(Run({"sessions", "sweep", kSession, "--data", Data(), "--json"}), kSuccess);
  EXPECT_THAT(output_, HasSubstr(R"("deleted":[])"));
}

// Does something whenever the watch waits.
class BusyClock final : public Clock {
 public:
  explicit BusyClock(std::vector<std::function<void()>> steps) : steps_(std::move(steps)) {}
  [[nodiscard]] TimePoint Now() const override { return SystemClock().Now(); }
  [[nodiscard]] Duration Elapsed() const override { return elapsed_; }
  void SleepFor(Duration duration) override {
    elapsed_ += duration;
    if (next_ < steps_.size()) {
      steps_[next_++]();
    }
  }

 private:
  std::vector<std::function<void()>> steps_;
  std::size_t next_ = 0;
  Duration elapsed_ = Duration::zero();
};

TEST_F(SessionsCommandTest, WatchesUntilTheSessionEnds) {
  Fill();
  const auto database = Open(Data());
  ASSERT_TRUE(database) << database.error().message;
  const auto store =
      sessions::SessionStore::Open(**database, {.workflow = sessions::MediaWorkflow()});
  const auto session = store->AsWorker(kSession);
  BusyClock clock({[&] {
                     EXPECT_TRUE(session->Transition(
                         "description", "d1",
                         {.to = "processing", .worker = "w1", .lease = std::chrono::minutes(5)}));
                   },
                   [&] { EXPECT_TRUE(session->PutNew(sessions::PostGroup{}, "g2")); },
                   [&] { EXPECT_TRUE(session->Remove("group", "g1")); }, [] {},
                   [&] { EXPECT_TRUE(session->Expire()); }});
  std::vector<std::string> lines;
  const Result<void> watched = Watch(
      *store, {.session = kSession, .interval = std::chrono::milliseconds(100), .clock = &clock},
      [&](const std::string& line) { lines.push_back(line); });
  ASSERT_TRUE(watched) << watched.error().message;
  EXPECT_THAT(lines, testing::Contains(HasSubstr("is  description  d1  pending  rev 1")));
  EXPECT_THAT(lines, testing::Contains("changed  description  d1  processing  rev 2  worker w1"));
  EXPECT_THAT(lines, testing::Contains("new  group  g2  -  rev 1"));
  EXPECT_THAT(lines, testing::Contains("gone  group  g1  -  rev 1"));
  EXPECT_THAT(lines.back(), HasSubstr("ended: "));
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string& line) { return line.starts_with("changed"); }),
            1)
      << "what stays the same is not said again: " << testing::PrintToString(lines);
}

TEST_F(SessionsCommandTest, AWatchCanBeStopped) {
  Fill();
  const auto database = Open(Data());
  const auto store =
      sessions::SessionStore::Open(**database, {.workflow = sessions::MediaWorkflow()});
  std::stop_source stop;
  BusyClock clock({[&] { stop.request_stop(); }});
  std::size_t lines = 0;
  EXPECT_TRUE(Watch(*store, {.session = kSession, .stop = stop.get_token(), .clock = &clock},
                    [&](const std::string&) { ++lines; }));
  EXPECT_EQ(lines, 3U) << "the session and what it has, once";
}

// Looking into a place that is no database does not make one.
TEST_F(SessionsCommandTest, AMistypedPathStaysEmpty) {
  const std::string typo = (folder_ / "typo").string();
  for (const std::string action : {"ls", "show", "expire", "sweep", "heal"}) {
    std::vector<std::string> arguments = {"sessions", action, "--data", typo};
    if (action == "show" || action == "expire") {
      arguments.emplace_back(kSession);
    }
    EXPECT_EQ(Run(arguments), kFailure) << action;
    EXPECT_FALSE(std::filesystem::exists(typo)) << action;
  }
}

TEST_F(SessionsCommandTest, TakesAWorkflowOfOnesOwn) {
  Fill();
  const std::string file = (folder_ / "workflow.json").string();
  std::ofstream(file) << R"({"name": "small", "steps": [{"name": "grouping"}],
                             "kinds": [{"name": "bunch", "prefix": "GROUP#", "step": "grouping"}]})";
  ASSERT_EQ(Run({"sessions", "show", kSession, "--data", Data(), "--workflow", file}), kSuccess);
  EXPECT_THAT(output_, HasSubstr("bunch  g1"));
  EXPECT_THAT(output_, HasSubstr("1 items of unknown kinds"));
  std::ofstream(file) << "[]";
  EXPECT_EQ(Run({"sessions", "show", kSession, "--data", Data(), "--workflow", file}), kFailure);
  EXPECT_EQ(Run({"sessions", "show", kSession, "--data", Data(), "--workflow", file + "x"}),
            kFailure);
  EXPECT_THAT(error_, HasSubstr("cannot read"));
}

}  // namespace
}  // namespace stator::cli
