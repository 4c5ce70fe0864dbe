// What a stranger claims about a signature, in header and in query form: reading it never fails
// otherwise than with an error of the three that there are, and no claim is ever genuine.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "wire/sigv4_verify.h"

namespace {

using stator::ErrorCode;

// Cuts the next line off.
std::string_view TakeLine(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

void Check(const stator::wire::HttpMessage& message, const stator::wire::SignatureRules* rules) {
  auto presented = stator::wire::ReadSignature(message, rules);
  if (!presented) {
    const ErrorCode code = presented.error().code;
    CHECK(code == ErrorCode::kMissingAuthenticationToken ||
          code == ErrorCode::kIncompleteSignature || code == ErrorCode::kInvalidSignature);
    for (const char character : presented.error().message) {
      CHECK(character >= ' ' && character <= '~');
    }
    return;
  }
  stator::wire::SignatureVerifier verifier;
  CHECK(!verifier.IsGenuine(message, *presented, "{}", "a secret that nobody can guess"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view query = TakeLine(text);
  const std::string_view path = TakeLine(text);
  const std::string_view date = TakeLine(text);
  const std::string_view token = TakeLine(text);
  const std::array<stator::wire::HttpField, 4> fields = {
      {{.name = "host", .value = "h"},
       {.name = "X-Amz-Date", .value = date},
       {.name = "X-Amz-Token", .value = token},
       {.name = "Authorization", .value = text}}};
  const stator::wire::HttpMessage message = {
      .method = "POST", .path = path, .query = query, .fields = fields};
  const stator::wire::SignatureRules rules = {
      .now = stator::TimePoint(std::chrono::seconds(1440938160))};
  Check(message, &rules);
  Check(message, nullptr);
  return 0;
}
