// Policies beside the second evaluator, and policies that are no policies. The bytes are read as a
// small language: a first line of statements, a second of questions. What must hold: both
// evaluators agree, and a text that is read as a policy at all is evaluated without harm.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "server/policy.h"
#include "server/reference_policy.h"

namespace {

using stator::server::Policy;
using stator::server::ReferencePolicy;
using stator::server::ReferenceQuestion;
using stator::server::ReferenceStatement;

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

void CompareWithReference(std::string_view text) {
  Bytes bytes(text);
  ReferencePolicy reference;
  for (unsigned left = bytes.Next() % 5; left > 0; --left) {
    reference.push_back(StatementFrom(bytes));
  }
  const auto policy = Policy::Parse(stator::server::ToJson(reference));
  CHECK_THAT(policy.has_value(), policy.error().message);
  do {
    const ReferenceQuestion question = {.action = bytes.Text(kPlain, 0),
                                        .resource = bytes.Text(kPlain, 0),
                                        .leading_keys = bytes.Texts(kPlain, 0)};
    CHECK(policy->Evaluate(question.action, question.resource, question.leading_keys) ==
          stator::server::Evaluate(reference, question));
  } while (!bytes.IsAtEnd());
}

void ReadAsDocument(std::string_view text) {
  const auto policy = Policy::Parse(text, {{"aws:username", "ann"}});
  if (policy) {
    (void)policy->Evaluate("dynamodb:GetItem", "arn:aws:dynamodb:us-east-1:1:table/t");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CompareWithReference(text);
  ReadAsDocument(text);
  return 0;
}
