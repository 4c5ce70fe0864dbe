#include "stator/stores/entities/repo_error.h"

#include <array>
#include <utility>

namespace stator::entities::detail {

namespace {

struct Words {
  int status;
  const char* name;
};

// In the order of FailureKind.
constexpr std::array kWords = {
    Words{404, "NotFound"},       Words{409, "AlreadyExists"}, Words{409, "Conflict"},
    Words{410, "Gone"},           Words{500, "FutureVersion"}, Words{500, "MissingMigration"},
    Words{500, "Corrupt"},        Words{413, "TooLarge"},      Words{429, "Throttled"},
    Words{400, "InvalidRequest"}, Words{422, "Refused"},       Words{409, "NotUnique"},
    Words{503, "Transport"},
};
static_assert(kWords.size() == static_cast<std::size_t>(FailureKind::kTransport) + 1);

const Words& WordsOf(FailureKind kind) {
  return kWords.at(static_cast<std::size_t>(kind));
}

}  // namespace

int HttpStatus(FailureKind kind) {
  return WordsOf(kind).status;
}

std::string Describe(FailureKind kind, const std::string& more) {
  const std::string name = WordsOf(kind).name;
  return more.empty() ? name : name + ": " + more;
}

}  // namespace stator::entities::detail
