#include "event_server/protobuf.h"

#include "base/try.h"
#include "value/check_value.h"

namespace stator::event_server {
namespace {

constexpr unsigned kKindBits = 3;
constexpr std::uint64_t kFieldNumberMax = (1U << 29U) - 1;

std::unexpected<Error> Malformed(std::string what) {
  return Fail(ErrorCode::kSerialization, "the message is no Protocol Buffer: " + std::move(what));
}

std::unexpected<Error> WrongKind(std::uint32_t number) {
  return Malformed("field " + std::to_string(number) + " is of another kind");
}

void AppendKey(std::uint32_t number, FieldKind kind, std::string& out) {
  AppendVarint(std::uint64_t{number} << kKindBits | static_cast<std::uint64_t>(kind), out);
}

}  // namespace

Result<std::uint64_t> Field::Varint() const {
  if (kind != FieldKind::kVarint) {
    return WrongKind(number);
  }
  return varint;
}

Result<bool> Field::Flag() const {
  return TRY(Varint()) != 0;
}

Result<std::uint32_t> Field::Varint32() const {
  return static_cast<std::uint32_t>(TRY(Varint()));
}

Result<std::string_view> Field::Bytes() const {
  if (kind != FieldKind::kBytes) {
    return WrongKind(number);
  }
  return bytes;
}

Result<std::string> Field::Text() const {
  const std::string_view text = TRY(Bytes());
  if (!value::IsUtf8(text)) {
    return Malformed("field " + std::to_string(number) + " is not UTF-8");
  }
  return std::string(text);
}

Result<std::uint64_t> MessageFields::TakeVarint() {
  constexpr std::size_t kBytesMax = 10;
  constexpr unsigned kBits = 7;
  std::uint64_t value = 0;
  for (std::size_t index = 0; index < kBytesMax && index < left_.size(); ++index) {
    const auto byte = static_cast<unsigned char>(left_[index]);
    // The tenth byte has room for one bit.
    if (index + 1 == kBytesMax && byte > 1) {
      break;
    }
    value |= std::uint64_t{byte & 0x7FU} << (kBits * static_cast<unsigned>(index));
    if ((byte & 0x80U) == 0) {
      left_.remove_prefix(index + 1);
      return value;
    }
  }
  return Malformed("a number has no end");
}

Result<std::string_view> MessageFields::TakeBytes(std::uint64_t size) {
  if (size > left_.size()) {
    return Malformed("a value goes beyond the end");
  }
  const std::string_view bytes = left_.substr(0, static_cast<std::size_t>(size));
  left_.remove_prefix(bytes.size());
  return bytes;
}

Result<std::optional<Field>> MessageFields::Next() {
  if (left_.empty()) {
    return std::nullopt;
  }
  const std::uint64_t key = TRY(TakeVarint());
  const std::uint64_t number = key >> kKindBits;
  if (number == 0 || number > kFieldNumberMax) {
    return Malformed("there is no field " + std::to_string(number));
  }
  Field field{.number = static_cast<std::uint32_t>(number)};
  switch (key & ((1U << kKindBits) - 1)) {
    case static_cast<std::uint64_t>(FieldKind::kVarint):
      field.varint = TRY(TakeVarint());
      return field;
    case static_cast<std::uint64_t>(FieldKind::kEightBytes):
      field.kind = FieldKind::kEightBytes;
      field.bytes = TRY(TakeBytes(8));
      return field;
    case static_cast<std::uint64_t>(FieldKind::kBytes): {
      const std::uint64_t size = TRY(TakeVarint());
      field.kind = FieldKind::kBytes;
      field.bytes = TRY(TakeBytes(size));
      return field;
    }
    case static_cast<std::uint64_t>(FieldKind::kFourBytes):
      field.kind = FieldKind::kFourBytes;
      field.bytes = TRY(TakeBytes(4));
      return field;
    default:
      return Malformed("field " + std::to_string(number) + " is of a kind that nobody knows");
  }
}

void AppendVarint(std::uint64_t value, std::string& out) {
  while (value > 0x7FU) {
    out.push_back(static_cast<char>((value & 0x7FU) | 0x80U));
    value >>= 7U;
  }
  out.push_back(static_cast<char>(value));
}

void AppendVarintField(std::uint32_t number, std::uint64_t value, std::string& out) {
  AppendKey(number, FieldKind::kVarint, out);
  AppendVarint(value, out);
}

void AppendBytesField(std::uint32_t number, std::string_view bytes, std::string& out) {
  AppendKey(number, FieldKind::kBytes, out);
  AppendVarint(bytes.size(), out);
  out += bytes;
}

}  // namespace stator::event_server
