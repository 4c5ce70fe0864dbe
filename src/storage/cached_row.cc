#include "storage/cached_row.h"

#include <new>

namespace stator::storage {
namespace {

// What the allocator and the place in the cache take, about.
constexpr std::size_t kOverhead = 32;

}  // namespace

RowPtr CachedRow::Make(std::uint64_t hash, std::string_view key, std::string_view value) {
  void* const memory = ::operator new(sizeof(CachedRow) + key.size() + value.size());
  return RowPtr(new (memory) CachedRow(hash, key, value));
}

CachedRow::CachedRow(std::uint64_t hash, std::string_view key, std::string_view value)
    : key_bytes_(static_cast<std::uint32_t>(key.size())),
      value_bytes_(static_cast<std::uint32_t>(value.size())),
      hash_(hash) {
  char* const text = reinterpret_cast<char*>(this + 1);
  key.copy(text, key.size());
  value.copy(text + key.size(), value.size());
}

void CachedRow::Destroy() {
  this->~CachedRow();
  ::operator delete(this);
}

std::size_t CachedRow::bytes() const {
  return sizeof(CachedRow) + key_bytes_ + value_bytes_ + kOverhead;
}

}  // namespace stator::storage
