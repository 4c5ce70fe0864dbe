// What command_line.h promises: commands with their defaults, messages with their exit codes.

#include "cli/command_line.h"

#include <gtest/gtest.h>

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

TEST(CommandLine, CheckNamesItsDirectory) {
  const auto check = std::get<CheckArguments>(ParseCommandLine({"check", "data", "--json"}));
  EXPECT_EQ(check.path, "data");
  EXPECT_TRUE(check.json);
}

}  // namespace
}  // namespace stator::cli
