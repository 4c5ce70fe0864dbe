// The last line of an export (maintenance.h).

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "stator/stores/events/maintenance.h"

namespace stator::events {

// Takes the lines of events, without their "\n", one after the other.
class LineDigest {
 public:
  void Add(std::string_view line);
  // Once, and nothing behind it.
  ExportEnd Finish();

 private:
  std::uint64_t lines_ = 0;
  base::DigestSum sum_{base::DigestSum::Algorithm::kSha256};
};

std::string FormatEndLine(const ExportEnd& end);
// Nothing for a line that is to be one of an event; fails with kSerialization for one that begins as an
// end and is none.
Result<std::optional<ExportEnd>> ParseEndLine(std::string_view line);

}  // namespace stator::events
