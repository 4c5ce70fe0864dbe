#include "base/spare_text.h"

#include <cstddef>
#include <utility>

namespace stator::base {
namespace {

constexpr std::size_t kKeptBytesMax = 32 << 10;

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): what a thread has kept.
thread_local std::string kept;

}  // namespace

std::string TakeSpareText() {
  return std::exchange(kept, {});
}

void KeepSpareText(std::string&& text) {
  if (text.capacity() > kept.capacity() && text.capacity() <= kKeptBytesMax) {
    kept = std::move(text);
    kept.clear();
  }
}

}  // namespace stator::base
