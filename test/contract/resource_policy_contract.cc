// PutResourcePolicy, GetResourcePolicy, DeleteResourcePolicy: what is kept, and what is refused. Who may
// do what is test/server/access_property_test.cc.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::HasSubstr;

constexpr char kInvalid[] = "One or more parameter values were invalid: Invalid policy document: ";

// Of one statement, for one user or for everybody.
std::string Policy(const std::string& effect, const std::string& principal,
                   const std::string& resource = "*") {
  return R"({"Version": "2012-10-17", "Statement": [{"Effect": ")" + effect +
         R"(", "Principal": )" + principal + R"(, "Action": "dynamodb:GetItem", "Resource": ")" +
         resource + R"("}]})";
}

class ResourcePolicy : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kNewAndOldImages});
    arn_ = Describe("things").table_arn;
  }

  std::string PutPolicy(const std::string& policy,
                        std::optional<std::string> expected = std::nullopt) {
    return Must(db().PutResourcePolicy(
                    {.resource_arn = arn_, .policy = policy, .expected_revision_id = expected}))
        .revision_id;
  }
  Result<GetResourcePolicyOutput> GetPolicy() {
    return db().GetResourcePolicy({.resource_arn = arn_});
  }

  std::string arn_;
  const std::string ann_ = Policy("Allow", R"({"AWS": "arn:aws:iam::000000000000:user/ann"})");
  const std::string nobody_ = Policy("Deny", R"("*")");
};

TEST_F(ResourcePolicy, IsPutReadReplacedAndDeleted) {
  EXPECT_TRUE(Fails(GetPolicy(), ErrorCode::kPolicyNotFound,
                    "Resource-based policy not found for the provided ResourceArn: " + arn_));
  const std::string first = PutPolicy(ann_);
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(Must(GetPolicy()).policy, ann_);
  EXPECT_EQ(Must(GetPolicy()).revision_id, first);
  EXPECT_EQ(PutPolicy(ann_), first);  // the same stays the same
  const std::string second = PutPolicy(nobody_);
  EXPECT_NE(second, first);
  EXPECT_EQ(Must(GetPolicy()).policy, nobody_);
  EXPECT_EQ(Must(db().DeleteResourcePolicy({.resource_arn = arn_})).revision_id, second);
  EXPECT_TRUE(FailsWith(GetPolicy(), ErrorCode::kPolicyNotFound));
  EXPECT_EQ(Must(db().DeleteResourcePolicy({.resource_arn = arn_})).revision_id, "");
}

TEST_F(ResourcePolicy, IsReplacedOnlyByWhoKnowsIt) {
  const auto put = [&](const std::string& policy, const std::string& expected) {
    return db().PutResourcePolicy(
        {.resource_arn = arn_, .policy = policy, .expected_revision_id = expected});
  };
  EXPECT_TRUE(FailsWith(put(ann_, "1709841168699"), ErrorCode::kPolicyNotFound));
  EXPECT_TRUE(FailsWith(GetPolicy(), ErrorCode::kPolicyNotFound));
  const std::string first = Must(put(ann_, "NO_POLICY")).revision_id;
  EXPECT_TRUE(FailsWith(put(nobody_, "NO_POLICY"), ErrorCode::kPolicyNotFound));
  const std::string second = Must(put(nobody_, first)).revision_id;
  EXPECT_TRUE(FailsWith(put(ann_, first), ErrorCode::kPolicyNotFound));
  const auto remove = [&](const std::string& expected) {
    return db().DeleteResourcePolicy({.resource_arn = arn_, .expected_revision_id = expected});
  };
  EXPECT_TRUE(FailsWith(remove(first), ErrorCode::kPolicyNotFound));
  EXPECT_EQ(Must(GetPolicy()).policy, nobody_);
  EXPECT_EQ(Must(remove(second)).revision_id, second);
  EXPECT_TRUE(FailsWith(remove(second), ErrorCode::kPolicyNotFound));
}

TEST_F(ResourcePolicy, OfAStreamIsItsOwn) {
  PutPolicy(ann_);
  const std::string stream = Describe("things").latest_stream_arn.value_or("");
  const auto get = [&] { return db().GetResourcePolicy({.resource_arn = stream}); };
  EXPECT_TRUE(FailsWith(get(), ErrorCode::kPolicyNotFound));
  const std::string policy = Policy("Deny", R"("*")", stream);
  const std::string revision =
      Must(db().PutResourcePolicy({.resource_arn = stream, .policy = policy})).revision_id;
  EXPECT_EQ(Must(get()).policy, policy);
  EXPECT_EQ(Must(GetPolicy()).policy, ann_);
  // Changes go on in the stream, and it keeps its policy when it takes none any more.
  Put("things", {{"pk", "a"}});
  Must(db().UpdateTable({.table_name = "things",
                         .stream_specification = StreamSpecification{.stream_enabled = false}}));
  home().Settle();
  EXPECT_EQ(Must(get()).policy, policy);
  EXPECT_EQ(Must(db().DeleteResourcePolicy({.resource_arn = stream})).revision_id, revision);
  EXPECT_TRUE(FailsWith(get(), ErrorCode::kPolicyNotFound));
}

TEST_F(ResourcePolicy, ComesWithANewTableAndGoesWithIt) {
  CreateTableInput input = TableInput({.name = "guarded", .keys = "pk:S"});
  input.resource_policy = "{}";
  EXPECT_TRUE(FailsWith(db().CreateTable(input), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(db().DescribeTable({.table_name = "guarded"}), ErrorCode::kTableNotFound));
  input.resource_policy = ann_;
  MakeTable(input);
  const std::string arn = Describe("guarded").table_arn;
  EXPECT_EQ(Must(db().GetResourcePolicy({.resource_arn = arn})).policy, ann_);
  Must(db().DeleteTable({.table_name = "guarded"}));
  home().Settle();
  input.resource_policy.reset();
  MakeTable(input);
  EXPECT_TRUE(FailsWith(db().GetResourcePolicy({.resource_arn = arn}), ErrorCode::kPolicyNotFound));
}

TEST_F(ResourcePolicy, IsRefusedWithWhatIsWrong) {
  const auto put = [&](const std::string& policy) {
    return db().PutResourcePolicy({.resource_arn = arn_, .policy = policy});
  };
  EXPECT_TRUE(Refused(put("{}"), kInvalid + std::string("a policy is a JSON object with a "
                                                        "Statement")));
  const auto no_json = put("{");
  EXPECT_TRUE(FailsWith(no_json, ErrorCode::kValidation));
  EXPECT_TRUE(Refused(put(Policy("Allow", R"("*")")),
                      kInvalid + std::string("statement 1 of the policy grants public access: name "
                                             "the accounts, users and roles in Principal, or those "
                                             "in a condition on aws:PrincipalArn or "
                                             "aws:PrincipalAccount")));
  const auto elsewhere = put(Policy("Deny", R"("*")", arn_ + "2"));
  ASSERT_TRUE(FailsWith(elsewhere, ErrorCode::kValidation));
  EXPECT_THAT(elsewhere.error().message, HasSubstr("which is not " + arn_));
  const std::string large(20 * 1024 + 1, ' ');
  EXPECT_TRUE(
      Refused(put(large),
              "One or more parameter values were invalid: the policy has 20481 bytes, which "
              "is more than the 20480 that it may have"));
  EXPECT_TRUE(Succeeds(put(ann_ + std::string(20 * 1024 - ann_.size(), ' '))));
}

TEST_F(ResourcePolicy, NeedsATableOrAStream) {
  const auto get = [&](const std::string& arn) {
    return db().GetResourcePolicy({.resource_arn = arn});
  };
  EXPECT_TRUE(FailsWith(get(arn_ + "2"), ErrorCode::kResourceNotFound));
  EXPECT_TRUE(
      FailsWith(get(arn_ + "/stream/2026-11-16T00:00:00.000"), ErrorCode::kResourceNotFound));
  EXPECT_TRUE(FailsWith(get(arn_ + "/index/by_date"), ErrorCode::kValidation));
  EXPECT_TRUE(Refused(get("things"), "ARNs must start with 'arn:': things"));
}

class KeptResourcePolicy : public ReopeningContractTest {};

TEST_F(KeptResourcePolicy, OutlivesTheDatabaseObject) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  const std::string table = Describe("things").table_arn;
  const std::string stream = Describe("things").latest_stream_arn.value_or("");
  std::vector<std::string> revisions;
  for (const std::string& arn : {table, stream}) {
    revisions.push_back(
        Must(db().PutResourcePolicy({.resource_arn = arn, .policy = Policy("Deny", R"("*")")}))
            .revision_id);
  }
  home().Reopen();
  EXPECT_EQ(Must(db().GetResourcePolicy({.resource_arn = table})).revision_id, revisions[0]);
  EXPECT_EQ(Must(db().GetResourcePolicy({.resource_arn = stream})).revision_id, revisions[1]);
}

}  // namespace
}  // namespace stator::contract
