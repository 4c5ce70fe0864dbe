#include "base/free_memory.h"

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <link.h>
#include <malloc.h>
#include <unistd.h>

namespace stator::base {
namespace {

// Of one file that is loaded. Pages that can be written, or could be until the loader was done with
// them, hold what is nowhere else; those of the other segments are the file's.
int ReturnCodeOf(dl_phdr_info* file, std::size_t /*bytes*/, void* page_bytes) {
  const std::uintptr_t page = *static_cast<const std::uintptr_t*>(page_bytes);
  for (const ElfW(Phdr)* segment = file->dlpi_phdr; segment != file->dlpi_phdr + file->dlpi_phnum;
       ++segment) {
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) {
      continue;
    }
    // Whole pages only: what shares one with another segment stays.
    const std::uintptr_t address = file->dlpi_addr + segment->p_vaddr;
    const std::uintptr_t begin = (address + page - 1) / page * page;
    const std::uintptr_t end = (address + segment->p_filesz) / page * page;
    if (begin < end) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): where the loader put it.
      madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
    }
  }
  return 0;
}

}  // namespace

void ReturnFreeMemory() {
  malloc_trim(0);
}

void ReturnCode() {
  auto page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  dl_iterate_phdr(&ReturnCodeOf, &page_bytes);
}

void KeepNoLargeBlocks() {
  constexpr int kLargeBytes = 256 * 1024;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
}

}  // namespace stator::base
