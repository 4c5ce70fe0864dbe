// Who may do what, through the whole server side: random policies, requests of every operation in
// every spelling of what they name, the real engine. A request is refused exactly when the second
// evaluator, asked for what IAM's documentation says that the operation needs, refuses.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "access_requests.h"
#include "base/property.h"
#include "engine/engine.h"
#include "policy/reference_policy.h"
#include "server/credentials.h"
#include "wire/handler.h"
#include "wire/operations.h"

namespace stator::server {
namespace {

using policy::Decision;
using policy::Policy;
using policy::ToJson;

class AccessProperty : public testing::Test {
 protected:
  void SetUp() override {
    engine::EngineOptions options;
    options.store.in_memory = true;
    engine_ = engine::Engine::Open(options).value();
    handler_ = std::make_unique<wire::DatabaseHandler>(*engine_);
    for (const std::string& table : kTables) {
      // Protected, so that no request takes it away.
      const wire::Answer made =
          Send("DynamoDB_20120810.CreateTable",
               R"({"TableName":)" + Quoted(table) +
                   R"(,"BillingMode":"PAY_PER_REQUEST","DeletionProtectionEnabled":true,)"
                   R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
                   R"({"AttributeName":"holder","AttributeType":"S"}],)"
                   R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
                   R"("GlobalSecondaryIndexes":[{"IndexName":"by-owner","Projection":)"
                   R"({"ProjectionType":"ALL"},"KeySchema":[{"AttributeName":"holder",)"
                   R"("KeyType":"HASH"}]}]})",
               nullptr);
      ASSERT_EQ(made.status, 200) << made.body;
    }
  }

  wire::Answer Send(std::string_view target, std::string body, const wire::Authorizer* authorizer) {
    body.reserve(body.size() + wire::kBodyPaddingBytes);
    std::promise<wire::Answer> answered;
    handler_->Handle(
        {.target = target,
         .body = body,
         .caller = {.access_key_id = "AKID", .region = "us-east-1", .authorizer = authorizer}},
        [&](wire::Answer answer) { answered.set_value(std::move(answer)); });
    return answered.get_future().get();
  }

  // Attaches policies to some of the tables, and takes those of the others away.
  std::map<std::string, ReferencePolicy> AttachPolicies() {
    std::map<std::string, ReferencePolicy> attached;
    for (const std::string& table : kTables) {
      if (*rc::gen::inRange(0, 3) == 0) {
        RC_ASSERT(engine_->DeleteResourcePolicy({.resource_arn = Arn(table)}).has_value());
        continue;
      }
      attached[Arn(table)] = AnyAttachedPolicy(table);
      const auto put = engine_->PutResourcePolicy(
          {.resource_arn = Arn(table), .policy = ToJson(attached[Arn(table)])});
      RC_LOG() << (put ? "" : put.error().message) << "\n";
      RC_ASSERT(put.has_value());
    }
    return attached;
  }

  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<wire::DatabaseHandler> handler_;
};

// The table whose policy counts for a resource.
std::string OwnerOf(const std::string& resource) {
  const std::size_t index = resource.find("/index/");
  return resource.substr(0, index);
}

// The policies of tables count beside those of callers, also for callers who have none.
TEST_F(AccessProperty, WhatIsAttachedToATableCounts) {
  constexpr int kRounds = 60;
  constexpr int kRequests = 40;
  int refused = 0;
  int served = 0;
  base::CheckProperty(kRounds, [&] {
    const std::map<std::string, ReferencePolicy> attached = AttachPolicies();
    const bool has_own = *rc::gen::inRange(0, 4) > 0;
    const ReferencePolicy own =
        has_own ? AnyPolicy()
                : ReferencePolicy{{.allows = true, .actions = {"*"}, .resources = {"*"}}};
    const Principal principal(
        "ann", {.access_key_id = "AKID", .secret_access_key = "s"},
        has_own ? std::optional(Policy::Parse(ToJson(own)).value()) : std::nullopt);
    for (int left = kRequests; left > 0; --left) {
      const auto operations = wire::AllOperations();
      const wire::Operation& operation =
          operations[*rc::gen::inRange<std::size_t>(0, operations.size())];
      // These take policies away that the next request is judged by.
      if (operation.name == "DeleteResourcePolicy" || operation.name == "RestoreCheckpoint") {
        continue;
      }
      const Asked asked =
          Makers()
              .find(operation.name)
              ->second(std::string(operation.action_prefix()).append(operation.name));
      const bool is_allowed = std::ranges::all_of(asked.needs, [&](const ReferenceQuestion& need) {
        const auto of_resource = attached.find(OwnerOf(need.resource));
        return Evaluate(own,
                        of_resource == attached.end() ? ReferencePolicy() : of_resource->second,
                        need,
                        {.account = std::string(kAccountOfAll), .user = "ann"}) == Decision::kAllow;
      });
      const wire::Answer answer = Send(operation.target, asked.body, &principal);
      RC_LOG() << ToJson(own) << "\n"
               << operation.name << " " << asked.body << "\n"
               << answer.body << "\n";
      const bool is_refused =
          (answer.error == "AccessDeniedException" && answer.body.contains(":user/ann ")) ||
          answer.body.contains(R"("Code":"AccessDenied")");
      RC_ASSERT(is_refused == !is_allowed);
      (is_allowed ? served : refused) += 1;
    }
  });
  EXPECT_GT(refused, 100);
  EXPECT_GT(served, 100);
}

TEST_F(AccessProperty, APolicyThatLocksItsOwnerOutIsConfirmed) {
  const Principal ann("ann", {.access_key_id = "AKID", .secret_access_key = "s"}, std::nullopt);
  const auto put = [&](std::string_view further) {
    return Send("DynamoDB_20120810.PutResourcePolicy",
                R"({"ResourceArn":)" + Quoted(Arn("orders")) +
                    R"(,"Policy":"{\"Statement\":{\"Effect\":\"Deny\",\"Principal\":\"*\",)"
                    R"(\"Action\":\"dynamodb:*\",\"Resource\":\"*\"}}")" +
                    std::string(further) + "}",
                &ann);
  };
  const wire::Answer refused = put("");
  EXPECT_EQ(refused.error, "ValidationException");
  EXPECT_TRUE(refused.body.contains("ConfirmRemoveSelfResourceAccess")) << refused.body;
  EXPECT_EQ(put(R"(,"ConfirmRemoveSelfResourceAccess":true)").status, 200);
  const wire::Answer locked = put("");
  EXPECT_EQ(locked.error, "AccessDeniedException");
  EXPECT_TRUE(locked.body.contains("with an explicit deny in a resource-based policy"))
      << locked.body;
  // Whoever has the directory, or serves it without credentials, takes it away.
  EXPECT_TRUE(engine_->DeleteResourcePolicy({.resource_arn = Arn("orders")}).has_value());
  EXPECT_EQ(put(R"(,"ConfirmRemoveSelfResourceAccess":true)").status, 200);
}

TEST_F(AccessProperty, EveryOperationSaysWhatItNeeds) {
  for (const wire::Operation& operation : wire::AllOperations()) {
    EXPECT_TRUE(Makers().contains(operation.name)) << operation.name;
  }
}

TEST_F(AccessProperty, ARequestIsRefusedExactlyWhenThePolicyRefuses) {
  const char* const full = std::getenv("STATOR_TEST_FULL");
  const bool is_full = full != nullptr && std::string_view(full) == "1";
  int refused = 0;
  int served = 0;
  base::CheckProperty(is_full ? 100'000 : 4'000, [&] {
    const ReferencePolicy reference = AnyPolicy();
    const std::string json = ToJson(reference);
    const Principal principal("ann", {.access_key_id = "AKID", .secret_access_key = "s"},
                              Policy::Parse(json).value());
    const auto operations = wire::AllOperations();
    const wire::Operation& operation =
        operations[*rc::gen::inRange<std::size_t>(0, operations.size())];
    const auto maker = Makers().find(operation.name);
    RC_PRE(maker != Makers().end());
    const Asked asked =
        maker->second(std::string(operation.action_prefix()).append(operation.name));
    const bool is_allowed = std::ranges::all_of(asked.needs, [&](const ReferenceQuestion& need) {
      return Evaluate(reference, need) == Decision::kAllow;
    });
    const wire::Answer answer = Send(operation.target, asked.body, &principal);
    RC_LOG() << json << "\n" << operation.name << " " << asked.body << "\n" << answer.body << "\n";
    // A policy's refusal names the user; the engine's own, of another account's ARN, does not. The
    // statements of a batch are refused one by one.
    const bool is_refused =
        (answer.error == "AccessDeniedException" && answer.body.contains(":user/ann ")) ||
        answer.body.contains(R"("Code":"AccessDenied")");
    RC_ASSERT(is_refused == !is_allowed);
    RC_ASSERT(!answer.body.contains("SerializationException"));
    (is_allowed ? served : refused) += 1;
  });
  // Both happen often, or nothing was tried.
  EXPECT_GT(refused, 500);
  EXPECT_GT(served, 500);
}

// A Deny that names the server's region holds for whoever signs for another.
TEST_F(AccessProperty, ADenyCannotBeSpelledAway) {
  const Principal principal(
      "ann", {.access_key_id = "AKID", .secret_access_key = "s"},
      Policy::Parse(ToJson({{.allows = true, .actions = {"*"}, .resources = {"*"}},
                            {.allows = false, .actions = {"*"}, .resources = {Arn("secret*")}}}))
          .value());
  for (const std::string_view name :
       {"secret", "arn:aws:dynamodb:eu-west-1:000000000000:table/secret",
        "arn:aws:dynamodb:us-east-1:999999999999:table/secret"}) {
    const std::string body =
        R"({"TableName":")" + std::string(name) + R"(","Key":{"pk":{"S":"a"}}})";
    EXPECT_EQ(Send("DynamoDB_20120810.GetItem", body, &principal).error, "AccessDeniedException")
        << name;
  }
}

}  // namespace
}  // namespace stator::server
