// The bytes that a connection has read and not yet used: one piece of memory, head and body behind
// each other, with room for wire::kBodyPaddingBytes behind the last byte. Grows as bytes arrive,
// not as a client announces them; shrinks when a large request is done.

#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>

namespace stator::server {

class Buffer {
 public:
  static constexpr std::size_t kSmall = 4096;  // most requests fit, and an idle connection keeps it

  Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() = default;

  [[nodiscard]] char* data() { return memory_.get(); }
  [[nodiscard]] std::string_view bytes() const { return {memory_.get(), filled_}; }
  [[nodiscard]] std::size_t filled() const { return filled_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  // Where the next bytes go; padding not included. Never empty after Reserve(filled() + 1).
  [[nodiscard]] std::span<char> room() { return {memory_.get() + filled_, capacity_ - filled_}; }

  void Advance(std::size_t count) { filled_ += count; }
  void Truncate(std::size_t filled) { filled_ = filled; }

  // Makes room for `total` bytes in all. May move the memory.
  void Reserve(std::size_t total);

  // Forgets the first `count` bytes and moves the others to the front.
  void Consume(std::size_t count);

  // Gives memory back that a large request left. May move the memory.
  void Shrink();

 private:
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };

  void Resize(std::size_t capacity);

  std::unique_ptr<char, Free> memory_;
  std::size_t capacity_ = 0;  // without the padding
  std::size_t filled_ = 0;
};

}  // namespace stator::server
