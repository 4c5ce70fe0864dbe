#include "base/free_memory.h"

#include <malloc.h>

namespace stator::base {

void ReturnFreeMemory() {
  malloc_trim(0);
}

void KeepNoLargeBlocks() {
  constexpr int kLargeBytes = 256 * 1024;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
}

}  // namespace stator::base
