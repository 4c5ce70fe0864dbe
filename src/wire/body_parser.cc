#include "wire/body_parser.h"

#include "wire/exchange.h"

namespace stator::wire {
namespace {

// A parser takes about five times the bytes of the largest body that it has seen. Most bodies are
// of a few kilobytes, few above this; with some ten threads the memory kept stays small.
constexpr std::size_t kKeptBodyBytes = 128 * 1024;

static_assert(kBodyPaddingBytes >= simdjson::SIMDJSON_PADDING);

}  // namespace

BodyParser& BodyParser::OfThisThread() {
  static thread_local BodyParser parser;
  return parser;
}

Result<simdjson::dom::element> BodyParser::Parse(std::string_view body) {
  simdjson::dom::element root;
  if (body.empty() ||
      parser_.parse(body.data(), body.size(), false).get(root) != simdjson::SUCCESS) {
    return Fail(ErrorCode::kSerialization, "");
  }
  return root;
}

void BodyParser::Finish() {
  if (parser_.capacity() > kKeptBodyBytes) {
    parser_ = simdjson::dom::parser();
  }
}

}  // namespace stator::wire
