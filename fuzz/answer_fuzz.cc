// What a client reads from others: answers of every operation and errors, documents of credentials,
// shared configuration files. The first byte chooses the reader, the rest is the text. What must
// hold: readers end and refuse, and an answer that was read can be written and read again, to the
// same bytes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/check.h"
#include "client/credentials_document.h"
#include "client/profiles.h"
#include "wire/body_parser.h"
#include "wire/error_answer.h"
#include "wire/exchange.h"
#include "wire/messages.h"

namespace {

using stator::wire::BodyParser;

template <class Output>
bool Read(std::string body, Output& output) {
  body.reserve(body.size() + stator::wire::kBodyPaddingBytes);
  const auto json = BodyParser::OfThisThread().Parse(body);
  simdjson::dom::object object;
  if (!json || json->get(object) != simdjson::SUCCESS) {
    return false;
  }
  stator::wire::Decoding decoding;
  stator::wire::Body<Output>::Read(object, decoding, output);
  return decoding.FinishAnswer().has_value();
}

template <class Output>
void ReadAnswer(const std::string& text) {
  Output output{};
  if (std::is_empty_v<Output> || !Read(text, output)) {
    return;  // Of an empty one the bytes do not matter.
  }
  std::string written;
  stator::wire::Body<Output>::Append(output, written);
  Output again{};
  CHECK_THAT(Read(written, again), written);
  std::string rewritten;
  stator::wire::Body<Output>::Append(again, rewritten);
  CHECK_THAT(written == rewritten, written);
}

void ReadError(const std::string& text) {
  std::string body = text;
  body.reserve(body.size() + stator::wire::kBodyPaddingBytes);
  for (const int status : {400, 500}) {
    (void)stator::wire::ErrorFrom(
        {.status = status,
         .body = body,
         .type = {},
         .operation = &stator::api::OperationOf<stator::UpdateTableInput>::kOperation});
  }
}

void ReadCredentials(const std::string& text) {
  (void)stator::client::CredentialsFromJson(text, "fuzz");
  (void)stator::client::CredentialsFromXml(text, "fuzz");
  (void)stator::client::ParseTimestamp(text);
}

void ReadProfiles(const std::string& text) {
  (void)stator::client::Profiles::Parse(text, text);
}

constexpr std::array kReaders = {
    &ReadError,
    &ReadCredentials,
    &ReadProfiles,
#define STATOR_OPERATION(Name, ...) &ReadAnswer<stator::Name##Output>,
#include "stator/api/operations.inc"
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  kReaders[data[0] % kReaders.size()](text);
  return 0;
}
