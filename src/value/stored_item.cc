#include "value/stored_item.h"

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "base/check.h"
#include "value/dynamodb_json_scalars.h"
#include "value/value_builder.h"
#include "value/value_codec.h"
#include "value/value_reader.h"

namespace stator::value {
namespace {

struct MembersJson;
struct ListJson;
struct MapJson;

// Targets of value_reader.h that write DynamoDB JSON, as value/dynamodb_json_write.cc does. Behind the
// rows that they read is the padding of a StoredItem.
struct ValueJson {
  static constexpr bool kRowsWereChecked = true;

  value::JsonAppender& out;

  void OnNull() { value::AppendJsonNull(out); }
  void OnBool(bool value) { value::AppendJsonBool(value, out); }
  void OnString(std::string_view bytes) { out.AppendPaddedString(R"({"S":)", bytes, "}"); }
  void OnBinary(std::string_view bytes) {
    value::AppendScalar(R"({"B":)", value::BinaryView{bytes}, "}", out);
  }
  void OnNumber(const NumberParts& parts) { value::AppendScalar(R"({"N":)", parts, "}", out); }
  MembersJson OnStringSet(std::uint64_t count);
  MembersJson OnNumberSet(std::uint64_t count);
  MembersJson OnBinarySet(std::uint64_t count);
  ListJson OnList(std::uint64_t count);
  MapJson OnMap(std::uint64_t count);
  void OnEnd(const MembersJson& inside);
  void OnEnd(const ListJson& inside);
  void OnEnd(const MapJson& inside);
};

struct MembersJson {
  static constexpr bool kRowsWereChecked = true;

  value::JsonAppender& out;
  bool binary = false;
  bool first = true;

  void OnMember(std::string_view bytes) {
    if (binary) {
      Append(value::BinaryView{bytes});
    } else if (std::exchange(first, false)) {
      out.AppendPaddedString("", bytes, "");
    } else {
      out.AppendPaddedString(",", bytes, "");
    }
  }
  void OnMember(const Number& number) { Append(number); }

 private:
  template <class Member>
  void Append(const Member& member) {
    if (std::exchange(first, false)) {
      value::AppendScalar("", member, "", out);
    } else {
      value::AppendScalar(",", member, "", out);
    }
  }
};

struct ListJson : ValueJson {
  bool first = true;

  void OnElement() {
    if (!std::exchange(first, false)) {
      out.Append(",");
    }
  }
};

struct MapJson : ValueJson {
  bool first = true;

  void OnName(std::string_view name) {
    if (std::exchange(first, false)) {
      out.AppendPaddedString("{", name, ":");
    } else {
      out.AppendPaddedString(",", name, ":");
    }
  }
  void Close() const {
    if (first) {
      out.Append("{}");
    } else {
      out.Append("}");
    }
  }
};

MembersJson ValueJson::OnStringSet(std::uint64_t /*count*/) {
  out.Append(R"({"SS":[)");
  return {.out = out};
}
MembersJson ValueJson::OnNumberSet(std::uint64_t /*count*/) {
  out.Append(R"({"NS":[)");
  return {.out = out};
}
MembersJson ValueJson::OnBinarySet(std::uint64_t /*count*/) {
  out.Append(R"({"BS":[)");
  return {.out = out, .binary = true};
}
ListJson ValueJson::OnList(std::uint64_t /*count*/) {
  out.Append(R"({"L":[)");
  return {{out}};
}
MapJson ValueJson::OnMap(std::uint64_t /*count*/) {
  out.Append(R"({"M":)");
  return {{out}};
}
void ValueJson::OnEnd(const MembersJson& /*inside*/) {
  out.Append("]}");
}
void ValueJson::OnEnd(const ListJson& /*inside*/) {
  out.Append("]}");
}
void ValueJson::OnEnd(const MapJson& inside) {
  inside.Close();
  out.Append("}");
}

}  // namespace

// About what an entry takes besides its bytes: "":{"S":""},
constexpr std::size_t kJsonBytesPerEntry = 16;

namespace {

// In front of an object: the piece of memory that it is in, null when it stands alone.
template <class Piece>
char* PutHead(char* head, Piece* piece) {
  std::memcpy(head, &piece, sizeof(piece));
  return head + sizeof(piece);
}

}  // namespace

void* StoredItem::operator new(std::size_t object_bytes, Room room) {
  using Piece = ItemMemory::Piece;
  constexpr std::size_t kAlignment = alignof(StoredItem);
  static_assert(sizeof(Piece*) % kAlignment == 0);
  const std::size_t bytes =
      (sizeof(Piece*) + object_bytes + room.row_bytes + kAlignment - 1) / kAlignment * kAlignment;
  Piece* piece = nullptr;
  char* head = nullptr;
  if (room.memory == nullptr || !room.memory->Take(bytes, piece, head)) {
    head = static_cast<char*>(::operator new(bytes));
  }
  return PutHead(head, piece);
}

void StoredItem::operator delete(void* object) {
  ItemMemory::Piece* piece = nullptr;
  char* const head = static_cast<char*>(object) - sizeof(piece);
  std::memcpy(&piece, head, sizeof(piece));
  if (piece == nullptr) {
    ::operator delete(head);
  } else {
    ItemMemory::Release(*piece);
  }
}

bool ItemMemory::Take(std::size_t bytes, Piece*& piece, char*& room) {
  if (bytes > left_) [[unlikely]] {
    constexpr std::size_t kHeadBytes = 16;
    static_assert(sizeof(Piece) <= kHeadBytes);
    if (bytes > kPieceBytes / 2 || !std::exchange(has_first_, true)) {
      return false;
    }
    LeavePiece();
    char* const begin = static_cast<char*>(::operator new(kPieceBytes));
    piece_ = new (begin) Piece{.users = 1};
    at_ = begin + kHeadBytes;
    left_ = kPieceBytes - kHeadBytes;
  }
  piece = piece_;
  room = at_;
  at_ += bytes;
  left_ -= bytes;
  // Without an atomic addition: no other thread knows the piece yet.
  piece->users.store(piece->users.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return true;
}

void ItemMemory::LeavePiece() {
  if (piece_ == nullptr) {
    return;
  }
  const std::size_t users = piece_->users.load(std::memory_order_relaxed);
  if (users == 1) {
    Release(*piece_);
  } else {
    piece_->users.store(users - 1, std::memory_order_relaxed);
  }
  piece_ = nullptr;
}

void ItemMemory::Release(Piece& piece) {
  // The last user needs no atomic subtraction.
  if (piece.users.load(std::memory_order_acquire) == 1 ||
      piece.users.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    piece.~Piece();
    ::operator delete(&piece);
  }
}

std::unique_ptr<const StoredItem> StoredItem::Make(std::string_view row, std::size_t item_bytes,
                                                   ItemMemory* memory) {
  const Room room = {.row_bytes = row.size() + value::kPaddingBytes, .memory = memory};
  return std::unique_ptr<const StoredItem>(new (room) StoredItem(row, item_bytes));
}

StoredItem::StoredItem(std::string_view row, std::size_t item_bytes)
    : row_bytes_(row.size()), item_bytes_(item_bytes) {
  std::memcpy(this->row(), row.data(), row.size());
  std::memset(this->row() + row.size(), 0, value::kPaddingBytes);
}

std::size_t StoredItem::count() const {
  std::string_view rest = entries_bytes();
  std::uint64_t count = 0;
  CHECK(TakeVarint(rest, count));
  return static_cast<std::size_t>(count);
}

std::unique_ptr<const value::StoredMap> StoredItem::Clone() const {
  return Make(bytes(), item_bytes_);
}

void StoredItem::AppendDynamoDbJson(value::JsonAppender& out) const {
  std::string_view rest = entries_bytes();
  std::uint64_t count = 0;
  CHECK(TakeVarint(rest, count));
  out.Expect(row_bytes_ + kJsonBytesPerEntry * count);
  MapJson json{{out}};
  const bool read = ReadEntriesOf(rest, count, 0, json);
  CHECK_THAT(read && rest.empty(), "the row was checked");
  json.Close();
}

StoredItem::Entries StoredItem::Decode() const {
  std::string_view rest = entries_bytes();
  std::uint64_t count = 0;
  CHECK(TakeVarint(rest, count));
  EntriesBuilder builder(count);
  CHECK_THAT(ReadEntriesOf(rest, count, 0, builder), "the row was checked");
  return std::move(builder.entries);
}

std::optional<std::string_view> StoredItem::DecodeOne(std::string_view name,
                                                      std::string_view before,
                                                      std::optional<AttributeValue>& value) const {
  std::string_view rest = EntriesOf(bytes());
  if (before.data() != nullptr) {
    rest.remove_prefix(static_cast<std::size_t>(before.data() + before.size() - rest.data()));
    CHECK(SkipValue(rest));
  }
  const std::optional<std::string_view> found = FindEntry(rest, name);
  CHECK(!found || TakeValue(rest, value));
  return found;
}

}  // namespace stator::value
