// What an operation has because of its line in the list (CMakeLists.txt here adds the line).

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/constraints.h"
#include "client/client.h"
#include "stator/api/forwarding_database.h"
#include "stator/api/observed_database.h"
#include "wire/handler.h"
#include "wire/operations.h"

namespace stator {
namespace {

class Home final : public Database {
 public:
  Result<EchoTextOutput> EchoText(const EchoTextInput& input) override {
    if (Result<void> good = api::CheckConstraints(input); !good) {
      return std::unexpected(std::move(good).error());
    }
    return EchoTextOutput{.text = input.text + input.text};
  }
};

// It was written before the operation came.
class OldHome final : public Database {};

class Questions final : public wire::Authorizer {
 public:
  [[nodiscard]] Result<void> Authorize(const wire::AccessQuestion& question) const override {
    asked = std::string(question.action).append(" ").append(question.resource);
    return Fail(ErrorCode::kAccessDenied, "no");
  }
  mutable std::string asked;
};

wire::Answer Ask(Database& database, std::string body, const wire::Authorizer* authorizer = nullptr,
                 std::string_view target = "DynamoDB_20120810.EchoText") {
  wire::DatabaseHandler handler(database);
  wire::Answer answer;
  body.reserve(body.size() + wire::kBodyPaddingBytes);
  handler.Handle({.target = target,
                  .body = body,
                  .caller = {.access_key_id = "", .region = "here", .authorizer = authorizer}},
                 [&answer](wire::Answer given) { answer = std::move(given); });
  return answer;
}

// The network between a client and a server, without the network.
class Wire final : public transport::Transport {
 public:
  explicit Wire(Database& database) : database_(database) {}

  Result<transport::HttpResponse> Send(const transport::HttpRequest& request) override {
    std::string target;
    for (const auto& [name, value] : request.fields) {
      if (name == "x-amz-target") {
        target = value;
      }
    }
    const wire::Answer answer = Ask(database_, std::string(request.body), nullptr, target);
    return transport::HttpResponse{.status = answer.status, .fields = {}, .body = answer.body};
  }

 private:
  Database& database_;
};

std::unique_ptr<client::Client> ClientOf(Database& database) {
  client::RequestSender::Parts parts{.endpoints = {.dynamodb_url = "http://d.example",
                                                   .streams_url = "http://s.example",
                                                   .region = "here"},
                                     .options = {},
                                     .transport = std::make_shared<Wire>(database)};
  parts.credentials = std::make_unique<client::StaticCredentials>(
      client::Credentials{.key = {.access_key_id = "AKID", .secret_access_key = "secret"}});
  return std::make_unique<client::Client>(std::move(parts));
}

TEST(AddedOperation, IsAnsweredUnderItsName) {
  Home home;
  const wire::Answer answer = Ask(home, R"({"TableName":"tbl","Text":"ab"})");
  EXPECT_EQ(answer.body, R"({"Text":"abab"})");
  EXPECT_EQ(answer.operation, "EchoText");
  EXPECT_EQ(answer.status, 200);
}

TEST(AddedOperation, IsCheckedAsOthersAre) {
  Home home;
  EXPECT_TRUE(Ask(home, R"({"TableName":"tbl"})").body.contains("'text' failed to satisfy"));
  EXPECT_TRUE(Ask(home, R"({"TableName":"tbl","Text":"abcdef"})").body.contains("1 validation"));
  EXPECT_EQ(Ask(home, R"({"TableName":"tbl","Text":1})").error, "SerializationException");
}

TEST(AddedOperation, NeedsThePermissionOfItsName) {
  Home home;
  const Questions questions;
  EXPECT_EQ(Ask(home, R"({"TableName":"tbl","Text":"ab"})", &questions).error,
            "AccessDeniedException");
  EXPECT_EQ(questions.asked, "dynamodb:EchoText arn:aws:dynamodb:here:000000000000:table/tbl");
}

TEST(AddedOperation, GoesThroughTheClient) {
  Home home;
  const auto client = ClientOf(home);
  const auto echoed = client->EchoText({.table_name = "tbl", .text = "cd"});
  ASSERT_TRUE(echoed) << echoed.error().message;
  EXPECT_EQ(echoed->text, "cdcd");
  EXPECT_EQ(client->EchoText({.table_name = "tbl"}).error().code, ErrorCode::kValidation);
}

TEST(AddedOperation, IsPassedOnAndObserved) {
  Home home;
  std::vector<std::string> told;
  ForwardingDatabase forwarding(home);
  ObservedDatabase observed(
      forwarding, [&told](const ObservedCall& call) { told.emplace_back(call.operation); });
  EXPECT_EQ(observed.EchoText({.table_name = "tbl", .text = "x"})->text, "xx");
  EXPECT_EQ(told, std::vector<std::string>{"EchoText"});
}

TEST(AddedOperation, IsRefusedByADatabaseThatDoesNotHaveIt) {
  OldHome home;
  EXPECT_EQ(home.EchoText({}).error().code, ErrorCode::kUnknownOperation);
  EXPECT_EQ(home.EchoText({}).error().message, "EchoText is unknown to this database");
  EXPECT_EQ(ClientOf(home)->EchoText({.table_name = "tbl", .text = "x"}).error().code,
            ErrorCode::kUnknownOperation);
}

}  // namespace
}  // namespace stator
