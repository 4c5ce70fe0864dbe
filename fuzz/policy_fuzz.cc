// Policies beside the second evaluator, and policies that are no policies. The bytes are read as a
// small language: a first line of statements, a second of questions. What must hold: both
// evaluators agree, and a text that is read as a policy at all is evaluated without harm.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "policy/policy.h"
#include "policy/reference_policy.h"

namespace {

using stator::policy::Identity;
using stator::policy::Policy;
using stator::policy::ReferenceCaller;
using stator::policy::ReferencePolicy;
using stator::policy::ReferenceQuestion;
using stator::policy::ReferenceStatement;

class Bytes {
 public:
  explicit Bytes(std::string_view text) : text_(text) {}

  [[nodiscard]] bool IsAtEnd() const { return text_.empty(); }

  unsigned Next() {
    if (text_.empty()) {
      return 0;
    }
    const auto byte = static_cast<unsigned char>(text_.front());
    text_.remove_prefix(1);
    return byte;
  }

  std::string Text(std::string_view letters, std::size_t size_min) {
    std::string text;
    const std::size_t size = size_min + Next() % 6;
    while (text.size() < size) {
      text += letters[Next() % letters.size()];
    }
    return text;
  }

  std::vector<std::string> Texts(std::string_view letters, std::size_t count_min) {
    std::vector<std::string> texts;
    const std::size_t count = count_min + Next() % 3;
    while (texts.size() < count) {
      texts.push_back(Text(letters, count_min));
    }
    return texts;
  }

 private:
  std::string_view text_;
};

constexpr std::string_view kPattern = "ab*?A";
constexpr std::string_view kPlain = "abA";

ReferenceStatement StatementFrom(Bytes& bytes) {
  const unsigned bits = bytes.Next();
  ReferenceStatement statement = {.allows = (bits & 1U) != 0,
                                  .is_not_action = (bits & 2U) != 0,
                                  .actions = bytes.Texts(kPattern, 1),
                                  .is_not_resource = (bits & 4U) != 0,
                                  .resources = bytes.Texts(kPattern, 1)};
  if ((bits & 8U) != 0) {
    statement.conditions.push_back({.is_like = false, .leading_keys = bytes.Texts(kPattern, 1)});
  }
  if ((bits & 16U) != 0) {
    statement.conditions.push_back({.is_like = true, .leading_keys = bytes.Texts(kPattern, 1)});
  }
  return statement;
}

stator::policy::Question AskedAs(const ReferenceQuestion& question) {
  return {.action = question.action,
          .resource = question.resource,
          .leading_keys = question.leading_keys};
}

void CompareWithReference(std::string_view text) {
  Bytes bytes(text);
  ReferencePolicy reference;
  for (unsigned left = bytes.Next() % 5; left > 0; --left) {
    reference.push_back(StatementFrom(bytes));
  }
  const auto policy = Policy::Parse(stator::policy::ToJson(reference));
  CHECK_THAT(policy.has_value(), policy.error().message);
  do {
    const ReferenceQuestion question = {.action = bytes.Text(kPlain, 0),
                                        .resource = bytes.Text(kPlain, 0),
                                        .leading_keys = bytes.Texts(kPlain, 0)};
    CHECK(policy->Evaluate(AskedAs(question)) == stator::policy::Evaluate(reference, question));
  } while (!bytes.IsAtEnd());
}

constexpr std::string_view kActions[] = {"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:*",
                                         "dynamodb:g*"};

ReferenceCaller CallerFrom(Bytes& bytes) {
  const unsigned bits = bytes.Next();
  return {.account = (bits & 1U) != 0 ? "000000000000" : "111122223333",
          .user = (bits & 2U) != 0 ? "ann" : "ben"};
}

ReferenceStatement AttachedStatementFrom(Bytes& bytes) {
  ReferenceStatement statement = StatementFrom(bytes);
  statement.actions = {std::string(kActions[bytes.Next() % std::size(kActions)])};
  const unsigned bits = bytes.Next();
  statement.principal.emplace().is_anybody = (bits & 1U) != 0;
  if ((bits & 2U) != 0) {
    statement.principal->accounts.push_back(CallerFrom(bytes).account);
  } else {
    statement.principal->users.push_back(CallerFrom(bytes));
  }
  if ((bits & 4U) != 0) {
    statement.caller = {.is_like = (bits & 8U) != 0,
                        .is_negated = (bits & 16U) != 0,
                        .arns = {CallerFrom(bytes).Arn(), bytes.Text("arn:*?", 1)}};
  }
  return statement;
}

// That of a caller and that of a resource together.
void CompareTwo(std::string_view text) {
  Bytes bytes(text);
  ReferencePolicy own;
  for (unsigned left = bytes.Next() % 3; left > 0; --left) {
    own.push_back(StatementFrom(bytes));
    own.back().actions = {std::string(kActions[bytes.Next() % std::size(kActions)])};
  }
  ReferencePolicy other;
  for (unsigned left = 1 + bytes.Next() % 3; left > 0; --left) {
    other.push_back(AttachedStatementFrom(bytes));
  }
  const auto identity = Policy::Parse(stator::policy::ToJson(own));
  const auto attached = Policy::ParseAttached(stator::policy::ToJson(other));
  CHECK_THAT(identity.has_value(), identity.error().message);
  CHECK_THAT(attached.has_value(), attached.error().message);
  do {
    const ReferenceQuestion question = {.action = std::string(kActions[bytes.Next() % 2]),
                                        .resource = bytes.Text(kPlain, 0),
                                        .leading_keys = bytes.Texts(kPlain, 0)};
    const ReferenceCaller caller = CallerFrom(bytes);
    const Identity who = {
        .arn = caller.Arn(), .principal_arn = caller.Arn(), .account = caller.account};
    stator::policy::Question asked = AskedAs(question);
    asked.attached = &*attached;
    CHECK(stator::policy::Decide(&*identity, who, asked).decision ==
          stator::policy::Evaluate(own, other, question, caller));
  } while (!bytes.IsAtEnd());
}

constexpr std::string_view kTable = "arn:aws:dynamodb:us-east-1:000000000000:table/t";

void ReadAsDocument(std::string_view text) {
  const auto policy = Policy::Parse(text, {{"aws:username", "ann"}});
  if (policy) {
    (void)policy->Evaluate({"dynamodb:GetItem", kTable});
  }
  const auto attached = Policy::ParseAttached(text);
  if (attached) {
    const Identity who = {.arn = "arn:aws:iam::000000000000:user/ann",
                          .principal_arn = "arn:aws:iam::000000000000:user/ann",
                          .account = "000000000000",
                          .variables = {{"aws:username", "ann"}}};
    (void)attached->CheckFor(kTable);
    (void)attached->Evaluate({"dynamodb:GetItem", kTable}, &who);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CompareWithReference(text);
  CompareTwo(text);
  ReadAsDocument(text);
  return 0;
}
