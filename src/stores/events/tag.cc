#include "stator/stores/events/tag.h"

#include <algorithm>

#include "value/check_value.h"

namespace stator::events {
namespace {

constexpr std::size_t kOpenTagBytesMax = 256;
constexpr std::size_t kGroupCharactersMax = 40;
constexpr std::size_t kContentCharactersMax = 80;
constexpr std::size_t kServiceIdCharactersMax = 64;

bool IsAlphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool IsStrictText(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return IsAlphanumeric(c) || c == '_' || c == '.' || c == '-'; });
}

bool IsOpenTag(std::string_view tag) {
  const auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  };
  return !tag.empty() && tag.size() <= kOpenTagBytesMax && value::IsUtf8(tag) &&
         std::none_of(tag.begin(), tag.end(), is_control);
}

void FindStrictProblems(const std::string& tag, std::vector<TagProblem>& problems) {
  const std::size_t colon = tag.find(':');
  if (colon == std::string::npos) {
    problems.push_back({tag, TagProblemKind::kFormat});
    return;
  }
  const auto look = [&](std::string_view part, std::size_t longest, TagProblemKind empty,
                        TagProblemKind characters, TagProblemKind too_long) {
    if (part.empty()) {
      problems.push_back({tag, empty});
    }
    if (!IsStrictText(part)) {
      problems.push_back({tag, characters});
    }
    if (part.size() > longest) {
      problems.push_back({tag, too_long});
    }
  };
  look(std::string_view(tag).substr(0, colon), kGroupCharactersMax, TagProblemKind::kGroupEmpty,
       TagProblemKind::kGroupCharacters, TagProblemKind::kGroupTooLong);
  look(std::string_view(tag).substr(colon + 1), kContentCharactersMax,
       TagProblemKind::kContentEmpty, TagProblemKind::kContentCharacters,
       TagProblemKind::kContentTooLong);
}

std::string_view Describe(TagProblemKind kind) {
  switch (kind) {
    case TagProblemKind::kFormat:
      return "is not group:content";
    case TagProblemKind::kGroupEmpty:
      return "has an empty group";
    case TagProblemKind::kContentEmpty:
      return "has an empty content";
    case TagProblemKind::kGroupCharacters:
      return "has a group with other characters than A-Z a-z 0-9 _ . -";
    case TagProblemKind::kContentCharacters:
      return "has a content with other characters than A-Z a-z 0-9 _ . -";
    case TagProblemKind::kGroupTooLong:
      return "has a group of more than 40 characters";
    case TagProblemKind::kContentTooLong:
      return "has a content of more than 80 characters";
    case TagProblemKind::kTextInvalid:
      break;
  }
  return "is not 1 to 256 bytes of UTF-8 without control characters";
}

}  // namespace

std::vector<TagProblem> FindTagProblems(const std::vector<std::string>& tags, TagRule rule) {
  std::vector<TagProblem> problems;
  for (const std::string& tag : tags) {
    if (rule == TagRule::kStrict) {
      FindStrictProblems(tag, problems);
    } else if (!IsOpenTag(tag)) {
      problems.push_back({tag, TagProblemKind::kTextInvalid});
    }
  }
  return problems;
}

Result<void> CheckTags(const std::vector<std::string>& tags, TagRule rule) {
  std::string message;
  for (const TagProblem& problem : FindTagProblems(tags, rule)) {
    const bool printable = problem.kind != TagProblemKind::kTextInvalid;
    message += message.empty() ? "" : "; ";
    message += printable ? "tag \"" + problem.tag + "\" " : std::string("a tag ");
    message += Describe(problem.kind);
  }
  if (!message.empty()) {
    return Invalid(std::move(message));
  }
  return {};
}

std::string_view GroupOf(std::string_view tag) {
  return tag.substr(0, tag.find(':'));
}

Result<std::string> NormalizeServiceId(std::string_view text) {
  std::string id(text);
  for (char& c : id) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  const bool right =
      !id.empty() && id.size() <= kServiceIdCharactersMax &&
      std::all_of(id.begin(), id.end(), [](char c) { return IsAlphanumeric(c) || c == '-'; });
  if (!right) {
    return Invalid("a service id has 1 to 64 characters of a-z 0-9 -");
  }
  return id;
}

}  // namespace stator::events
