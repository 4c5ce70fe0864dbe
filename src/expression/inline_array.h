// An array whose length is fixed when it is made and which needs no allocation when it is short.
// Binding an expression fills one with names and one with values; typical expressions have few.

#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace stator::expression {

template <class T, std::size_t kInline>
class InlineArray {
  static_assert(std::is_trivially_copyable_v<T>, "moving copies the inline elements");

 public:
  InlineArray() = default;
  explicit InlineArray(std::size_t size) : size_(size) {
    if (size > kInline) {
      heap_ = std::make_unique<T[]>(size);
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T& operator[](std::size_t index) { return data()[index]; }
  [[nodiscard]] const T& operator[](std::size_t index) const { return data()[index]; }
  [[nodiscard]] std::span<const T> span() const { return {data(), size_}; }

 private:
  [[nodiscard]] T* data() { return heap_ ? heap_.get() : inline_.data(); }
  [[nodiscard]] const T* data() const { return heap_ ? heap_.get() : inline_.data(); }

  std::size_t size_ = 0;
  std::array<T, kInline> inline_ = {};
  std::unique_ptr<T[]> heap_;
};

}  // namespace stator::expression
