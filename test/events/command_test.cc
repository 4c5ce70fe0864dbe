// `stator tables --for events` and `stator events project`, as the program runs them: what they
// print and return, with large states in a directory and in a real S3 server.
//
// Without the server's npm packages its test is skipped, unless STATOR_NEEDS_S3 is set.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdlib.h>

#include "blobs/s3_process.h"
#include "cli/command_line.h"
#include "cli/events_command.h"
#include "stator/base/random.h"
#include "stator/blobs/open_blobs.h"
#include "stator/home/open.h"
#include "stator/stores/events/checkpoint_store.h"
#include "stator/stores/events/projection_status.h"
#include "stator/stores/events/subscription.h"
#include "value/plain_json.h"

namespace stator::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

struct Ran {
  int code = 0;
  std::string printed;
};

class EventsCommandTest : public testing::Test {
 public:
  EventsCommandTest(const EventsCommandTest&) = delete;
  EventsCommandTest& operator=(const EventsCommandTest&) = delete;

 protected:
  EventsCommandTest() { fs::create_directories(folder_); }
  ~EventsCommandTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  // `stator events ...`, or `stator tables ... --for events`, with the data of this test where
  // `--data` says DATA.
  Ran Run(std::vector<std::string> arguments) {
    if (arguments.front() == "tables") {
      arguments.insert(arguments.begin() + 2, {"--for", "events"});
    } else {
      arguments.insert(arguments.begin(), "events");
    }
    for (std::string& argument : arguments) {
      argument = argument == "DATA" ? data() : argument;
    }
    const Command command = ParseCommandLine(std::move(arguments));
    if (const auto* message = std::get_if<Message>(&command)) {
      return {message->exit_code, message->text};
    }
    testing::internal::CaptureStdout();
    const auto* tables = std::get_if<TablesArguments>(&command);
    const int code =
        tables != nullptr ? RunTables(*tables) : RunEvents(std::get<EventsArguments>(command));
    std::fflush(stdout);
    return {code, testing::internal::GetCapturedStdout()};
  }

  // What a run prints as one document.
  Map RunForJson(std::vector<std::string> arguments) {
    const Ran ran = Run(std::move(arguments));
    EXPECT_EQ(ran.code, kSuccess) << ran.printed;
    const auto document = value::ValueFromPlainJson(ran.printed);
    EXPECT_TRUE(document.has_value()) << ran.printed;
    return document && document->If<Map>() != nullptr ? *document->If<Map>() : Map();
  }

  // Leaves a state that is too large for an item in these blobs.
  void SaveLargeState(BlobStore& blobs) {
    const auto database = Open(data());
    ASSERT_TRUE(database.has_value()) << database.error().message;
    auto store = events::EventStore::Open(**database, {});
    ASSERT_TRUE(store.has_value()) << store.error().message;
    const auto saved = events::CheckpointStore(*store, &blobs)
                           .Save({.projector = "p",
                                  .version = "v1",
                                  .cursor = events::Cursor(events::SortableId()),
                                  .state = state_});
    ASSERT_TRUE(saved.has_value()) << saved.error().message;
  }

  void ExpectCommandsToUse(const std::string& location) {
    const Ran checked = Run({"project", "p", "--data", "DATA", "--check", "--blobs", location});
    EXPECT_EQ(checked.code, kSuccess);
    EXPECT_THAT(checked.printed, HasSubstr(R"("offloaded":true)"));
    EXPECT_THAT(checked.printed, HasSubstr(R"("readable":true)"));
    const Ran shown = Run({"project", "p", "--data", "DATA", "--state", "v1", "--blobs", location});
    EXPECT_EQ(shown.code, kSuccess);
    EXPECT_EQ(shown.printed, state_);
    // Without the blobs the state cannot be read.
    const Ran without = Run({"project", "p", "--data", "DATA", "--check"});
    EXPECT_EQ(without.code, kFailure);
    EXPECT_THAT(without.printed, HasSubstr(R"("readable":false)"));
    EXPECT_EQ(Run({"project", "p", "--data", "DATA", "--sweep", "--blobs", location}).printed,
              "0 blobs removed\n");
    EXPECT_EQ(Run({"project", "p", "--data", "DATA", "--check", "--blobs", location}).code,
              kSuccess);
  }

  [[nodiscard]] std::string data() const { return folder_ / "data"; }

  const fs::path folder_ =
      fs::temp_directory_path() / ("stator-events-command-" + SystemRandom().Uuid());
  const std::string state_ = [] {
    std::string bytes(500'000, '\0');
    SeededRandom random(3);
    for (char& byte : bytes) {
      byte = static_cast<char>(random.Below(256));
    }
    return bytes;
  }();
};

TEST_F(EventsCommandTest, PrintsTheTablesInThreeWays) {
  const Ran calls = Run({"tables", "print"});
  EXPECT_EQ(calls.code, kSuccess);
  EXPECT_THAT(calls.printed, HasSubstr(R"("operation": "CreateTable")"));
  EXPECT_THAT(calls.printed, HasSubstr(R"("operation": "UpdateContinuousBackups")"));
  EXPECT_THAT(Run({"tables", "print", "--no-recovery"}).printed,
              Not(HasSubstr("UpdateContinuousBackups")));
  const Map formation = RunForJson(
      {"tables", "print", "--as", "cloudformation", "--events-table", "journal", "--stream"});
  const Map& resources = *formation.at("Resources").If<Map>();
  EXPECT_EQ(resources.size(), 3U);
  const Map& journal = *resources.at("JournalTable").If<Map>()->at("Properties").If<Map>();
  EXPECT_EQ(journal.at("TableName"), AttributeValue("journal"));
  EXPECT_EQ(journal.at("StreamSpecification"),
            AttributeValue(Map{{"StreamViewType", "KEYS_ONLY"}}));
  const Map terraform = RunForJson({"tables", "print", "--as", "terraform"});
  const Map& tables = *terraform.at("resource").If<Map>()->at("aws_dynamodb_table").If<Map>();
  EXPECT_EQ(tables.size(), 3U);
}

TEST_F(EventsCommandTest, PrintsThePoliciesOfUsersReadersAndProvisioners) {
  const std::string user = Run({"tables", "policy", "--region", "eu-central-1"}).printed;
  EXPECT_THAT(user, HasSubstr("arn:aws:dynamodb:eu-central-1:*:table/SekibanEvents/index/GSI1"));
  EXPECT_THAT(user, HasSubstr("dynamodb:PutItem"));
  EXPECT_THAT(user, Not(HasSubstr("dynamodb:CreateTable")));
  EXPECT_THAT(user, Not(HasSubstr("ContinuousBackups")));
  EXPECT_THAT(Run({"tables", "policy", "--read-only"}).printed, Not(HasSubstr("PutItem")));
  EXPECT_THAT(Run({"tables", "policy", "--auto-create"}).printed,
              HasSubstr("dynamodb:CreateTable"));
  EXPECT_THAT(Run({"tables", "policy", "--stream"}).printed, HasSubstr("/stream/*"));
  const std::string provisioner = Run({"tables", "policy", "--provisioning"}).printed;
  EXPECT_THAT(provisioner, HasSubstr("dynamodb:UpdateContinuousBackups"));
  EXPECT_THAT(provisioner, Not(HasSubstr("dynamodb:PutItem")));
}

TEST_F(EventsCommandTest, MakesAndVerifiesTheTables) {
  EXPECT_EQ(Run({"tables", "verify", "--data", "DATA"}).code, kFailure);
  EXPECT_FALSE(fs::exists(data()));
  const Ran made = Run({"tables", "create", "--data", "DATA", "--no-recovery"});
  EXPECT_EQ(made.code, kSuccess);
  EXPECT_EQ(made.printed,
            "table SekibanEvents is made\ntable SekibanTags is made\n"
            "table SekibanProjectionStates is made\n");
  EXPECT_EQ(Run({"tables", "verify", "--data", "DATA", "--no-recovery"}).code, kSuccess);
  const Ran differs = Run({"tables", "verify", "--data", "DATA", "--no-recovery", "--stream"});
  EXPECT_EQ(differs.code, kFailure);
  EXPECT_THAT(differs.printed, HasSubstr("table SekibanEvents differs: the stream"));
  const Ran recovery = Run({"tables", "apply", "--data", "DATA", "--json"});
  EXPECT_EQ(recovery.code, kSuccess);
  EXPECT_THAT(recovery.printed, HasSubstr(R"("kind":"recovery","refusal":"","safe":true)"));
  EXPECT_EQ(Run({"tables", "verify", "--data", "DATA"}).code, kSuccess);
  EXPECT_EQ(Run({"ls", "--data", "DATA"}).code, kSuccess);
}

TEST_F(EventsCommandTest, ReadsLargeStatesInADirectory) {
  const std::string directory = folder_ / "blobs";
  const auto blobs = OpenBlobs(directory);
  ASSERT_TRUE(blobs.has_value());
  SaveLargeState(**blobs);
  ExpectCommandsToUse(directory);
  EXPECT_EQ(Run({"project", "p", "--data", "DATA", "--sweep"}).code, kUsage);
}

TEST_F(EventsCommandTest, KeepsLargePayloadsInADirectory) {
  const std::string directory = folder_ / "payloads";
  const std::string large(500'000, 'x');
  EXPECT_EQ(Run({"append", "A", "--data", "DATA", "--payload", large}).code, kFailure);
  EXPECT_EQ(Run({"append", "A", "--data", "DATA", "--payload", large, "--blobs", directory}).code,
            kSuccess);
  EXPECT_EQ(Run({"export", "--data", "DATA"}).code, kFailure);
  EXPECT_THAT(Run({"export", "--data", "DATA", "--blobs", directory}).printed, HasSubstr(large));
  EXPECT_EQ(Run({"verify", "--data", "DATA", "--blobs", directory}).code, kSuccess);
  EXPECT_EQ(Run({"sweep", "--data", "DATA", "--blobs", directory}).printed, "0 payloads removed\n");
  EXPECT_EQ(Run({"sweep", "--data", "DATA"}).code, kUsage);
}

TEST_F(EventsCommandTest, AnImportSaysWhetherAllOfTheExportCame) {
  for (const char* type : {"A", "B", "C"}) {
    ASSERT_EQ(Run({"append", type, "--data", "DATA", "--payload", "{}"}).code, kSuccess);
  }
  const std::string lines = Run({"export", "--data", "DATA"}).printed;
  const std::string whole = folder_ / "whole.jsonl";
  const std::string broken = folder_ / "broken.jsonl";
  std::ofstream(whole) << lines;
  std::ofstream(broken) << lines.substr(0, lines.find('\n') + 1);
  EXPECT_EQ(Run({"import", broken, "--data", "DATA", "--service", "s"}).code, kFailure);
  EXPECT_EQ(Run({"import", broken, "--data", "DATA", "--service", "s", "--without-end"}).code,
            kSuccess);
  const Ran imported = Run({"import", whole, "--data", "DATA", "--service", "s"});
  EXPECT_EQ(imported.code, kSuccess);
  EXPECT_THAT(imported.printed, HasSubstr("2 events appended, 3 lines\n"));
  EXPECT_THAT(imported.printed, HasSubstr("the store has what was exported: 3 events, SHA-256 "));
  EXPECT_EQ(Run({"export", "--data", "DATA", "--service", "s"}).printed, lines);
  ASSERT_EQ(Run({"append", "D", "--data", "DATA", "--service", "s"}).code, kSuccess);
  EXPECT_THAT(Run({"import", whole, "--data", "DATA", "--service", "s"}).printed,
              Not(HasSubstr("what was exported")));
}

TEST_F(EventsCommandTest, AMisspeltServiceOrProjectorIsAnError) {
  ASSERT_EQ(Run({"append", "A", "--data", "DATA", "--service", "school"}).code, kSuccess);
  ASSERT_EQ(Run({"append", "A", "--data", "DATA", "--service", "shop"}).code, kSuccess);
  EXPECT_EQ(Run({"services", "--data", "DATA"}).printed, "school\nshop\n");
  EXPECT_EQ(Run({"ls", "--data", "DATA", "--service", "school"}).code, kSuccess);
  EXPECT_EQ(Run({"ls", "--data", "DATA", "--service", "shool"}).code, kFailure);
  EXPECT_EQ(Run({"tags", "--data", "DATA"}).code, kFailure);
  EXPECT_EQ(Run({"project", "typo", "--data", "DATA", "--service", "shop"}).code, kFailure);
}

TEST_F(EventsCommandTest, ErasesSubjects) {
  ASSERT_EQ(Run({"append", "A", "--data", "DATA", "--subject", "s7", "--payload", "secret"}).code,
            kSuccess);
  EXPECT_THAT(Run({"export", "--data", "DATA"}).printed,
              HasSubstr(R"("payload":"secret","position":1)"));
  EXPECT_EQ(Run({"erase", "s77", "--data", "DATA"}).code, kFailure);
  EXPECT_EQ(Run({"erase", "s7", "--data", "DATA", "--service", "typo"}).code, kFailure);
  const Ran erased =
      Run({"erase", "s7", "--data", "DATA", "--by", "me", "--reason", "asked for it"});
  EXPECT_EQ(erased.code, kSuccess);
  EXPECT_THAT(erased.printed, HasSubstr("  s7  by me: asked for it\n"));
  EXPECT_EQ(Run({"erasures", "--data", "DATA"}).printed, erased.printed);
  EXPECT_THAT(Run({"erasures", "--data", "DATA", "--json"}).printed,
              HasSubstr(R"("reason":"asked for it","subject":"s7")"));
  const std::string line = Run({"export", "--data", "DATA"}).printed;
  EXPECT_THAT(line, HasSubstr(R"("erased":true)"));
  EXPECT_THAT(line, Not(HasSubstr("secret")));
  EXPECT_EQ(Run({"append", "A", "--data", "DATA", "--subject", "s7"}).code, kFailure);
  EXPECT_EQ(Run({"verify", "--data", "DATA"}).code, kSuccess);
}

TEST_F(EventsCommandTest, RedactsOneEventAndSaysSo) {
  ASSERT_EQ(Run({"append", "A", "--data", "DATA", "--payload", "secret"}).code, kSuccess);
  ASSERT_EQ(Run({"append", "A", "--data", "DATA", "--payload", "plain"}).code, kSuccess);
  const std::string line = Run({"export", "--data", "DATA"}).printed;
  const std::string id = line.substr(line.find(R"("id":")") + 6, 36);
  EXPECT_EQ(Run({"redact", "nobody", "--data", "DATA"}).code, kFailure);
  EXPECT_EQ(Run({"redact", id, "--data", "DATA", "--service", "typo"}).code, kFailure);
  const Ran redacted =
      Run({"redact", id, "--data", "DATA", "--by", "me", "--reason", "a password"});
  EXPECT_EQ(redacted.code, kSuccess);
  EXPECT_THAT(redacted.printed, HasSubstr("  1  " + id + "  by me: a password\n"));
  EXPECT_EQ(Run({"redact", id, "--data", "DATA"}).printed, redacted.printed);
  EXPECT_EQ(Run({"redactions", "--data", "DATA"}).printed, redacted.printed);
  EXPECT_THAT(Run({"redactions", "--data", "DATA", "--json"}).printed,
              HasSubstr(R"("position":1,"reason":"a password")"));
  const std::string lines = Run({"export", "--data", "DATA"}).printed;
  EXPECT_THAT(lines, Not(HasSubstr("secret")));
  EXPECT_THAT(lines, HasSubstr("plain"));
  EXPECT_EQ(Run({"verify", "--data", "DATA"}).code, kSuccess);
}

TEST_F(EventsCommandTest, ListsProjectorsWithTheirPositionsAndLag) {
  ASSERT_EQ(Run({"append", "A", "--data", "DATA"}).code, kSuccess);
  EXPECT_EQ(Run({"projectors", "--data", "DATA"}).printed, "");
  {
    const auto database = Open(data());
    auto store = events::EventStore::Open(**database, {});
    ASSERT_TRUE(events::CheckpointStore(*store)
                    .Save({.projector = "seats",
                           .version = "2",
                           .cursor = events::Cursor(**store->FindLastId()),
                           .events = 1})
                    .has_value());
    ASSERT_TRUE(events::StatusRegistry(*store)
                    .Write({.projector = "mails", .version = "1", .instance = "h"}, 0)
                    .has_value());
  }
  ASSERT_EQ(Run({"append", "A", "--data", "DATA"}).code, kSuccess);
  EXPECT_EQ(Run({"projectors", "--data", "DATA"}).printed,
            "         0         2 behind  1 running  mails 1\n"
            "         1         1 behind  0 running  seats 2\n");
  EXPECT_THAT(Run({"projectors", "--data", "DATA", "--json"}).printed,
              HasSubstr(R"("behind":1,"position":1,"projector":"seats","runners":0,"savedAt":")"));
}

TEST_F(EventsCommandTest, TakesOptionsFromAFileAndTheEnvironment) {
  const std::string file = folder_ / "options.json";
  const auto write = [&](const char* text) { std::ofstream(file) << text; };
  write(R"({"service_id":"school","events_table_name":"journal"})");
  ASSERT_EQ(Run({"append", "A", "--data", "DATA", "--options", file}).code, kSuccess);
  EXPECT_EQ(Run({"services", "--data", "DATA", "--options", file}).printed, "school\n");
  EXPECT_EQ(Run({"services", "--data", "DATA"}).code, kFailure) << "another table";
  // A variable counts more, and a flag more than that.
  ASSERT_EQ(setenv("STATOR_EVENTS_SERVICE_ID", "shop", 1), 0);
  ASSERT_EQ(setenv("STATOR_EVENTS_OPTIONS", file.c_str(), 1), 0);
  EXPECT_EQ(Run({"append", "A", "--data", "DATA"}).code, kSuccess);
  EXPECT_EQ(Run({"append", "A", "--data", "DATA", "--service", "zoo"}).code, kSuccess);
  EXPECT_EQ(Run({"services", "--data", "DATA"}).printed, "school\nshop\nzoo\n");
  ASSERT_EQ(unsetenv("STATOR_EVENTS_SERVICE_ID"), 0);
  ASSERT_EQ(unsetenv("STATOR_EVENTS_OPTIONS"), 0);
  write(R"({"service":"school"})");
  const Ran typo = Run({"ls", "--data", "DATA", "--options", file});
  EXPECT_EQ(typo.code, kUsage);
  EXPECT_THAT(typo.printed, HasSubstr("there is no option service"));
  EXPECT_EQ(Run({"ls", "--data", "DATA", "--options", folder_ / "none"}).code, kUsage);
  ASSERT_EQ(setenv("STATOR_EVENTS_SERVICE", "shop", 1), 0);
  EXPECT_THAT(Run({"ls", "--data", "DATA"}).printed, HasSubstr("STATOR_EVENTS_SERVICE "));
  ASSERT_EQ(unsetenv("STATOR_EVENTS_SERVICE"), 0);
}

TEST_F(EventsCommandTest, LooksAfterSubscriptions) {
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "subscriptions");
    words.insert(words.end(), {"--data", "DATA"});
    return Run(std::move(words));
  };
  ASSERT_EQ(Run({"append", "A", "--data", "DATA"}).code, kSuccess);
  EXPECT_EQ(run({"create", "mails", "--type", "A", "--attempts", "1"}).code, kSuccess);
  EXPECT_EQ(run({"create", "mails", "--type", "B"}).code, kFailure);
  EXPECT_EQ(run({"create", "late", "--from-now"}).code, kSuccess);
  {
    const auto database = Open(data());
    auto store = events::EventStore::Open(**database, {});
    const auto consumer = events::Consumer::Open(*store, "mails");
    const auto taken = (*consumer)->Take();
    ASSERT_EQ(taken->size(), 1U);
    ASSERT_TRUE((*consumer)->Fail(taken->front(), "no server").has_value());
  }
  EXPECT_EQ(run({"ls"}).printed,
            "late: 0 behind, 0 leased, 0 waiting, 0 parked\n"
            "mails: 0 behind, 0 leased, 0 waiting, 1 parked\n");
  EXPECT_THAT(run({"parked", "mails", "--json"}).printed, HasSubstr(R"("reason":"no server")"));
  EXPECT_EQ(run({"replay", "mails"}).code, kUsage);
  EXPECT_EQ(run({"replay", "mails", "7"}).code, kFailure);
  EXPECT_EQ(run({"replay", "mails", "--all"}).printed, "1 events\n");
  EXPECT_THAT(run({"show", "mails"}).printed, HasSubstr("1 waiting, 0 parked"));
  EXPECT_EQ(run({"drop", "mails", "1"}).code, kFailure);
  EXPECT_EQ(run({"show", "typo"}).code, kFailure);
  EXPECT_EQ(run({"rm", "mails"}).code, kSuccess);
  EXPECT_EQ(run({"rm", "mails"}).code, kFailure);
}

TEST_F(EventsCommandTest, ReadsLargeStatesInS3) {
  const S3ServerProcess server;
  if (!server.port()) {
    ASSERT_EQ(getenv("STATOR_NEEDS_S3"), nullptr) << "s3rver is missing";
    GTEST_SKIP() << "s3rver is not installed: npm ci in test/blobs";
  }
  ASSERT_EQ(setenv("AWS_ACCESS_KEY_ID", "S3RVER", 1), 0);
  ASSERT_EQ(setenv("AWS_SECRET_ACCESS_KEY", "S3RVER", 1), 0);
  const std::string location = "s3://blobs/states?region=eu-central-1&endpoint=http://127.0.0.1:" +
                               std::to_string(*server.port());
  const auto blobs = OpenBlobs(location);
  ASSERT_TRUE(blobs.has_value());
  SaveLargeState(**blobs);
  ExpectCommandsToUse(location);
  ASSERT_EQ(unsetenv("AWS_ACCESS_KEY_ID"), 0);
  ASSERT_EQ(unsetenv("AWS_SECRET_ACCESS_KEY"), 0);
}

}  // namespace
}  // namespace stator::cli
