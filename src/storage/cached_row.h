// A row that the store keeps in memory (row_cache.h): its key and its value in one piece, so that who
// finds it has it. It lives as long as the cache or a reader holds it.
//
// THREADS: key, value and note from any; what is the cache's, under the mutex of its shard.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace stator::storage {

class RowPtr;

class CachedRow {
 public:
  CachedRow(const CachedRow&) = delete;
  CachedRow& operator=(const CachedRow&) = delete;

  static RowPtr Make(std::uint64_t hash, std::string_view key, std::string_view value);

  [[nodiscard]] std::uint64_t hash() const { return hash_; }
  [[nodiscard]] std::string_view key() const { return {text(), key_bytes_}; }
  [[nodiscard]] std::string_view value() const { return {text() + key_bytes_, value_bytes_}; }
  // All that it takes, with its share of the cache's own memory.
  [[nodiscard]] std::size_t bytes() const;

  // What a reader has found out about the value and wants to be told again; 0 at first. The store
  // makes nothing of it.
  [[nodiscard]] std::uint32_t note() const { return note_.load(std::memory_order_relaxed); }
  void SetNote(std::uint32_t note) const { note_.store(note, std::memory_order_relaxed); }

  // The cache's: its neighbours, and whether it was asked for since room was needed.
  CachedRow* next_in_bucket = nullptr;
  CachedRow* newer = nullptr;
  CachedRow* older = nullptr;
  bool was_asked_for = false;

 private:
  friend class RowPtr;

  CachedRow(std::uint64_t hash, std::string_view key, std::string_view value);
  ~CachedRow() = default;
  void Destroy();
  [[nodiscard]] const char* text() const { return reinterpret_cast<const char*>(this + 1); }

  std::atomic<std::uint32_t> references_ = 0;
  mutable std::atomic<std::uint32_t> note_ = 0;
  const std::uint32_t key_bytes_;
  const std::uint32_t value_bytes_;
  const std::uint64_t hash_;
};

// Holds a row, or none.
class RowPtr {
 public:
  RowPtr() = default;
  explicit RowPtr(CachedRow* row) : row_(row) {
    if (row_ != nullptr) {
      row_->references_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  RowPtr(RowPtr&& other) noexcept : row_(std::exchange(other.row_, nullptr)) {}
  RowPtr& operator=(RowPtr&& other) noexcept {
    std::swap(row_, other.row_);
    return *this;
  }
  ~RowPtr() {
    // The last one sees what the others did with it.
    if (row_ != nullptr && row_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      row_->Destroy();
    }
  }

  [[nodiscard]] const CachedRow* operator->() const { return row_; }
  [[nodiscard]] bool operator==(std::nullptr_t) const { return row_ == nullptr; }

  // What it held becomes the caller's, who gives it to Adopt.
  [[nodiscard]] CachedRow* Release() { return std::exchange(row_, nullptr); }
  [[nodiscard]] static RowPtr Adopt(CachedRow* row) {
    RowPtr adopted;
    adopted.row_ = row;
    return adopted;
  }

 private:
  CachedRow* row_ = nullptr;
};

}  // namespace stator::storage
