#include "stator/home/open.h"

#include <array>
#include <string>

#include "base/check.h"
#include "home/homes.h"

namespace stator {
namespace home {
namespace {

std::array<Opener, 2>& Openers() {
  static std::array<Opener, 2> openers = {};
  return openers;
}

bool IsRemote(std::string_view location) {
  return location.starts_with("http://") || location.starts_with("https://") ||
         location.starts_with("aws:");
}

}  // namespace

RegisteredHome::RegisteredHome(Kind kind, Opener opener) {
  Opener& known = Openers()[static_cast<std::size_t>(kind)];
  CHECK(known == nullptr);
  known = opener;
}

}  // namespace home

Result<std::unique_ptr<Database>> Open(std::string_view location, const OpenOptions& options) {
  const bool is_remote = home::IsRemote(location);
  const home::Kind kind = is_remote ? home::Kind::kRemote : home::Kind::kEmbedded;
  const home::Opener opener = home::Openers()[static_cast<std::size_t>(kind)];
  if (opener == nullptr) {
    return Invalid("cannot open '" + std::string(location) + "': this program was linked without " +
                   (is_remote ? "stator::client" : "stator::database"));
  }
  return opener(location, options);
}

}  // namespace stator
