// The members of JSON objects in the order in which they are to be read.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <simdjson.h>
#include <string_view>
#include <utility>
#include <vector>

namespace stator::value {

// In which order a map's entries are read. The result is the same, but what there is to complain
// about comes up in that order too.
enum class FieldOrder : std::uint8_t {
  kByName,      // cheap: entries are made in their final place
  kAsDocument,  // as the service goes through them
};

// A name and what stands behind it, in the order of names. Names differ early, so their first
// bytes, as a number that sorts like them, decide most comparisons.
struct Field {
  std::uint64_t prefix = 0;
  std::string_view name;
  simdjson::dom::element content;

  friend bool operator<(const Field& left, const Field& right) {
    if (left.prefix != right.prefix) {
      return left.prefix < right.prefix;
    }
    const int names = left.name.compare(right.name);
    // The parser keeps its strings in the order of the document.
    return names != 0 ? names < 0 : left.name.data() < right.name.data();
  }
};

// A stack: each object that is being read has its fields above those of the one that it stands in.
class FieldStack {
 public:
  FieldStack() { fields_.reserve(kUsualFields); }
  FieldStack(const FieldStack&) = delete;
  FieldStack& operator=(const FieldStack&) = delete;

  [[nodiscard]] std::size_t size() const { return fields_.size(); }
  // A copy: the stack grows while the field is read.
  [[nodiscard]] Field at(std::size_t place) const { return fields_[place]; }

  // Puts the members of an object on top; by name, those that have the same name as a later one are
  // left out.
  void Push(const simdjson::dom::object& json, FieldOrder order);
  // Takes them off again.
  void DropTo(std::size_t size) { fields_.resize(size); }

 private:
  // Room for the names of an ordinary item and of the maps inside; more is allocated.
  static constexpr std::size_t kUsualFields = 48;

  // Memory for the fields of most items where the stack is, and elsewhere for more.
  class UsualMemory final : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
      if (bytes > sizeof(bytes_) || std::exchange(is_taken_, true)) {
        return std::pmr::new_delete_resource()->allocate(bytes, alignment);
      }
      return bytes_.data();
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
      if (memory != bytes_.data()) {
        std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
      }
    }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
      return this == &other;
    }

    alignas(Field) std::array<std::byte, kUsualFields * sizeof(Field)> bytes_;
    bool is_taken_ = false;
  };

  UsualMemory memory_;
  std::pmr::vector<Field> fields_{&memory_};
};

}  // namespace stator::value
