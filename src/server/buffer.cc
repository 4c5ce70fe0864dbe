#include "server/buffer.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "wire/exchange.h"

namespace stator::server {

Buffer::Buffer() {
  Resize(kSmall);
}

void Buffer::Reserve(std::size_t total) {
  if (total > capacity_) {
    Resize(total);
  }
}

void Buffer::Consume(std::size_t count) {
  CHECK(count <= filled_);
  filled_ -= count;
  if (filled_ > 0) {
    std::memmove(memory_.get(), memory_.get() + count, filled_);
  }
}

void Buffer::Shrink() {
  constexpr std::size_t kKept = 16 * kSmall;  // not worth giving back
  if (capacity_ > kKept) {
    Resize(std::max(kSmall, filled_));
  }
}

void Buffer::Resize(std::size_t capacity) {
  // realloc moves the pages of a large block instead of copying its bytes.
  auto* const memory =
      static_cast<char*>(std::realloc(memory_.get(), capacity + wire::kBodyPaddingBytes));
  CHECK_THAT(memory != nullptr, "out of memory");
  static_cast<void>(memory_.release());
  memory_.reset(memory);
  capacity_ = capacity;
}

}  // namespace stator::server
