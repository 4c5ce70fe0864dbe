// Messages of Protocol Buffers as bytes, without a compiler for their descriptions.
//
// FORMAT: a message is fields in any order. A field is a number, its key, and a value. Numbers are
// varints: seven bits a byte, the lowest first, with the highest bit set in all but the last byte. A key
// is the field's number times 8 plus the kind of the value: 0 a varint, 1 eight bytes, 2 a length and
// as many bytes (text, bytes, messages), 5 four bytes. Fields that are missing are 0, false or empty.
//
// A reader skips fields that it does not know. Every length is compared with what is there.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator::event_server {

enum class FieldKind : std::uint8_t {
  kVarint = 0,
  kEightBytes = 1,
  kBytes = 2,
  kFourBytes = 5,
};

// One field of a message; its bytes belong to the message. All that is read of it fails with
// kSerialization when it is of another kind.
struct Field {
  std::uint32_t number = 0;
  FieldKind kind = FieldKind::kVarint;
  std::uint64_t varint = 0;
  std::string_view bytes = {};

  [[nodiscard]] Result<std::uint64_t> Varint() const;
  [[nodiscard]] Result<bool> Flag() const;
  // What does not fit is cut off, as everywhere.
  [[nodiscard]] Result<std::uint32_t> Varint32() const;
  // A message, or any bytes.
  [[nodiscard]] Result<std::string_view> Bytes() const;
  // UTF-8.
  [[nodiscard]] Result<std::string> Text() const;
};

class MessageFields {
 public:
  explicit MessageFields(std::string_view message) : left_(message) {}

  // Nothing at the end. Fails with kSerialization for what is no message; must not be called again
  // then.
  Result<std::optional<Field>> Next();

 private:
  Result<std::uint64_t> TakeVarint();
  Result<std::string_view> TakeBytes(std::uint64_t size);

  std::string_view left_;
};

void AppendVarint(std::uint64_t value, std::string& out);
// Fields. Those that are 0 or empty are written, too: who wants them left out leaves them out.
void AppendVarintField(std::uint32_t number, std::uint64_t value, std::string& out);
void AppendBytesField(std::uint32_t number, std::string_view bytes, std::string& out);

}  // namespace stator::event_server
