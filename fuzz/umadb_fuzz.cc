// What clients of UmaDB's service send: bodies of requests, cut anywhere, and the messages in them. The
// first byte says where the body is cut. What must hold: readers end and refuse, memory grows with what
// came, and fields that were read can be written and read again.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "event_server/protobuf.h"
#include "event_server/umadb_messages.h"
#include "grpc/message_reader.h"

namespace {

using stator::event_server::Field;
using stator::event_server::FieldKind;
using stator::event_server::MessageFields;

void ReadFields(std::string_view message) {
  MessageFields fields(message);
  while (true) {
    const auto field = fields.Next();
    if (!field || !*field) {
      return;
    }
    std::string written;
    if ((*field)->kind == FieldKind::kVarint) {
      stator::event_server::AppendVarintField((*field)->number, (*field)->varint, written);
    } else {
      stator::event_server::AppendBytesField((*field)->number, (*field)->bytes, written);
    }
    MessageFields again(written);
    const auto same = again.Next();
    CHECK(same && *same);
    CHECK((*same)->number == (*field)->number && (*same)->varint == (*field)->varint);
    CHECK((*same)->bytes == (*field)->bytes);
  }
}

void ReadBody(std::string_view body, std::size_t cut) {
  constexpr std::size_t kBytesMax = 1000;
  stator::grpc::MessageReader reader(kBytesMax);
  const std::string_view first = body.substr(0, std::min(cut, body.size()));
  if (reader.Take(first) || reader.Take(body.substr(first.size())) || reader.End()) {
    return;
  }
  CHECK(reader.size() <= kBytesMax);
  std::string framed;
  stator::grpc::AppendFramed(reader.TakeMessage(), framed);
  CHECK(framed == body);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  ReadBody(bytes, data[0]);
  ReadFields(bytes);
  (void)stator::event_server::ParseUmadbRead(bytes);
  (void)stator::event_server::ParseUmadbAppend(bytes);
  (void)stator::event_server::ParseHealthCheck(bytes);
  return 0;
}
