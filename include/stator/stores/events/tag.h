// Tags say what an event is about: "course:c1", "student:s7". The part before the first colon is
// the group. And service ids, which keep tenants apart.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"

namespace stator::events {

// Which tags a store accepts.
enum class TagRule : std::uint8_t {
  // 1 to 256 bytes of UTF-8 without control characters; a colon is not needed. E-mail addresses and
  // the like can be tags.
  kOpen,
  // group:content, both of A-Z a-z 0-9 _ . -, at most 40 and 80 characters.
  kStrict,
};

enum class TagProblemKind : std::uint8_t {
  kFormat,  // no colon
  kGroupEmpty,
  kContentEmpty,
  kGroupCharacters,
  kContentCharacters,
  kGroupTooLong,
  kContentTooLong,
  kTextInvalid,  // kOpen only: empty, too long, not UTF-8, control characters
};

struct TagProblem {
  std::string tag;
  TagProblemKind kind;

  friend bool operator==(const TagProblem&, const TagProblem&) = default;
};

// Everything that is wrong with all of them.
std::vector<TagProblem> FindTagProblems(const std::vector<std::string>& tags, TagRule rule);

// Fails with kValidation and a message that names every problem.
Result<void> CheckTags(const std::vector<std::string>& tags, TagRule rule);

// What stands before the first colon; the whole tag when there is none.
std::string_view GroupOf(std::string_view tag);

// In lower case, 1 to 64 of a-z 0-9 -. Fails with kValidation for anything else, blanks around it
// included.
Result<std::string> NormalizeServiceId(std::string_view text);

}  // namespace stator::events
