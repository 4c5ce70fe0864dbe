// What command_line.h promises: commands with their defaults, messages with their exit codes.

#include "cli/command_line.h"

#include <gtest/gtest.h>

#include <stdlib.h>

namespace stator::cli {
namespace {

Message MessageOf(std::vector<std::string> arguments) {
  return std::get<Message>(ParseCommandLine(std::move(arguments)));
}

TEST(CommandLine, ServeHasDefaultsThatWork) {
  const auto serve = std::get<ServeArguments>(ParseCommandLine({"serve"}));
  EXPECT_EQ(serve.host, "127.0.0.1");
  EXPECT_EQ(serve.port, 8000);
  EXPECT_FALSE(serve.memory);
  EXPECT_FALSE(serve.relaxed);
}

TEST(CommandLine, ServeTakesItsFlagsAndThoseOfDynamoDbLocal) {
  const auto serve = std::get<ServeArguments>(
      ParseCommandLine({"-inMemory", "-port", "0", "--durability", "relaxed"}));
  EXPECT_TRUE(serve.memory);
  EXPECT_TRUE(serve.relaxed);
  EXPECT_EQ(serve.port, 0);
}

TEST(CommandLine, ServeTakesLimitsWithUnits) {
  const auto serve = std::get<ServeArguments>(ParseCommandLine(
      {"serve", "--max-body", "1MB", "--max-request-memory", "64 mb", "--idle-timeout", "5"}));
  EXPECT_EQ(serve.body_bytes_max, 1 << 20);
  EXPECT_EQ(serve.request_memory_max, 64 << 20);
  EXPECT_EQ(serve.idle_seconds, 5);
  EXPECT_EQ(serve.header_bytes_max, 16 * 1024);
}

TEST(CommandLine, LimitsOfNothingAreRefused) {
  for (const char* const limit :
       {"--max-connections", "--max-body", "--max-header", "--max-request-memory", "--idle-timeout",
        "--head-timeout", "--request-timeout", "--write-timeout"}) {
    const Message message = MessageOf({"serve", limit, "0"});
    EXPECT_EQ(message.exit_code, kUsage) << limit;
    EXPECT_TRUE(message.text.contains(limit)) << message.text;
  }
}

TEST(CommandLine, DataAndMemoryExcludeEachOther) {
  EXPECT_EQ(MessageOf({"serve", "--data", "d", "--memory"}).exit_code, kUsage);
}

TEST(CommandLine, HelpAndVersionAreNoErrors) {
  EXPECT_EQ(MessageOf({"--version"}).exit_code, kSuccess);
  const Message help = MessageOf({"serve", "--help"});
  EXPECT_EQ(help.exit_code, kSuccess);
  EXPECT_NE(help.text.find("Example"), std::string::npos);
}

TEST(CommandLine, WhatMakesNoSenseIsRefusedWithTheUsageCode) {
  EXPECT_EQ(MessageOf({}).exit_code, kUsage);
  EXPECT_EQ(MessageOf({"dance"}).exit_code, kUsage);
  EXPECT_EQ(MessageOf({"serve", "--port", "notaport"}).exit_code, kUsage);
  EXPECT_EQ(MessageOf({"serve", "--port", "70000"}).exit_code, kUsage);
  EXPECT_EQ(MessageOf({"check"}).exit_code, kUsage);
}

TEST(CommandLine, WhoMistypesACommandIsToldTheCommands) {
  const std::string unknown = MessageOf({"dance"}).text;
  EXPECT_TRUE(unknown.starts_with("stator: 'dance' is no command of 'stator'; there are serve,"))
      << unknown;
  EXPECT_NE(unknown.find(", tasks"), std::string::npos) << unknown;
  EXPECT_TRUE(MessageOf({}).text.starts_with("stator: 'stator' needs a command; there are serve"));
  EXPECT_TRUE(
      MessageOf({"tasks", "list", "--data", "x"})
          .text.starts_with("stator: 'list' is no command of 'stator tasks'; there are "
                            "ls, show, cancel, retry, sweep, purge, owners, stats, lapsed, dead, "
                            "schedules, schedule\n"));
  const std::string option = MessageOf({"tasks", "ls", "--colour"}).text;
  EXPECT_NE(option.find("--colour"), std::string::npos) << option;
}

TEST(CommandLine, CheckNamesItsDirectory) {
  const auto check = std::get<CheckArguments>(ParseCommandLine({"check", "data", "--json"}));
  EXPECT_EQ(check.path, "data");
  EXPECT_TRUE(check.json);
  EXPECT_EQ(check.repair_into, "");
  const auto repair =
      std::get<CheckArguments>(ParseCommandLine({"check", "--repair-into", "saved", "data"}));
  EXPECT_EQ(repair.repair_into, "saved");
  EXPECT_EQ(repair.path, "data");
}

TEST(CommandLine, TasksTakesOneActionWithItsOptions) {
  const auto purge =
      std::get<TasksArguments>(ParseCommandLine({"tasks", "purge", "--data", "aws:", "--dry-run"}));
  EXPECT_EQ(purge.action, TasksAction::kPurge);
  EXPECT_EQ(purge.data, "aws:");
  EXPECT_EQ(purge.table, "pmcp_tasks");
  EXPECT_TRUE(purge.dry_run);
  const auto show = std::get<TasksArguments>(ParseCommandLine({"tasks", "show", "id", "--json"}));
  EXPECT_EQ(show.action, TasksAction::kShow);
  EXPECT_EQ(show.task, "id");
  EXPECT_EQ(show.owner, "local");
  EXPECT_EQ(MessageOf({"tasks"}).exit_code, kUsage);
  EXPECT_EQ(MessageOf({"tasks", "show"}).exit_code, kUsage);
}

TEST(CommandLine, TablesAreThoseOfAStoreOrAnEntity) {
  const auto print = std::get<TablesArguments>(
      ParseCommandLine({"tables", "print", "--for", "tasks", "--as", "cdk"}));
  EXPECT_EQ(print.action, TablesAction::kPrint);
  EXPECT_EQ(print.store, (std::vector<std::string>{"tasks"}));
  EXPECT_EQ(print.common.format, "cdk");
  const auto entity = std::get<TablesArguments>(
      ParseCommandLine({"tables", "verify", "--for", "entity", "account", "--json"}));
  EXPECT_EQ(entity.store, (std::vector<std::string>{"entity", "account"}));
  EXPECT_TRUE(entity.common.json);
  EXPECT_EQ(MessageOf({"tables", "print"}).exit_code, kUsage);
  EXPECT_EQ(MessageOf({"tables", "print", "--for", "chairs"}).exit_code, kUsage);
  EXPECT_EQ(MessageOf({"tables", "--for", "tasks"}).exit_code, kUsage);
}

TEST(CommandLine, AFlagIsStrongerThanTheVariable) {
  ASSERT_EQ(setenv("STATOR_DATABASE", "memory:", 1), 0);
  const auto tasks = std::get<TasksArguments>(ParseCommandLine({"tasks", "ls", "--data", "aws:"}));
  const auto events =
      std::get<EventsArguments>(ParseCommandLine({"events", "ls", "--data", "aws:"}));
  const auto without_flag = std::get<TasksArguments>(ParseCommandLine({"tasks", "ls"}));
  ASSERT_EQ(unsetenv("STATOR_DATABASE"), 0);
  EXPECT_EQ(tasks.data, "aws:");
  EXPECT_EQ(events.data, "aws:");
  EXPECT_EQ(without_flag.data, "memory:");
}

TEST(CommandLine, McpIsStdioUnlessAPortIsGiven) {
  EXPECT_FALSE(std::get<McpArguments>(ParseCommandLine({"mcp"})).http_port);
  const auto http = std::get<McpArguments>(
      ParseCommandLine({"mcp", "--http", "0", "--lease", "0.5", "--data", "memory:"}));
  EXPECT_EQ(http.http_port, 0);
  EXPECT_EQ(http.lease_seconds, 0.5);
  EXPECT_EQ(http.data, "memory:");
  EXPECT_EQ(MessageOf({"mcp", "--lease", "0"}).exit_code, kUsage);
}

TEST(CommandLine, EventsHaveCommandsOfTheirOwn) {
  const auto list = std::get<EventsArguments>(
      ParseCommandLine({"events", "ls", "--data", "memory:", "--tag", "course:c1", "--type", "A",
                        "--limit", "3", "--backwards"}));
  EXPECT_EQ(list.action, EventsAction::kList);
  EXPECT_EQ(list.data, "memory:");
  EXPECT_EQ(list.tags, std::vector<std::string>{"course:c1"});
  EXPECT_EQ(list.types, std::vector<std::string>{"A"});
  EXPECT_EQ(list.limit, 3U);
  EXPECT_TRUE(list.backwards);
  const auto append =
      std::get<EventsArguments>(ParseCommandLine({"events", "append", "Defined", "--if-none"}));
  EXPECT_EQ(append.action, EventsAction::kAppend);
  EXPECT_EQ(append.name, "Defined");
  EXPECT_TRUE(append.no_match);
  EXPECT_EQ(MessageOf({"events"}).exit_code, kUsage);
  EXPECT_EQ(MessageOf({"events", "show"}).exit_code, kUsage);
}

TEST(CommandLine, ShellTakesStatementsInFrontOfALocation) {
  const auto shell = std::get<ShellArguments>(
      ParseCommandLine({"shell", "-c", "SELECT 1", "-c", "\\d", "memory:", "--json"}));
  EXPECT_EQ(shell.location, "memory:");
  EXPECT_EQ(shell.statements, (std::vector<std::string>{"SELECT 1", "\\d"}));
  EXPECT_TRUE(shell.json);
  EXPECT_EQ(MessageOf({"shell", "--json", "--csv"}).exit_code, kUsage);
  EXPECT_EQ(std::get<ShellArguments>(ParseCommandLine({"shell"})).location, "stator-data");
}

}  // namespace
}  // namespace stator::cli
