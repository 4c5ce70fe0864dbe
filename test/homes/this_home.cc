#include <map>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "homes/home.h"

namespace stator::homes {
namespace {

std::map<std::string, Home, std::less<>>& Homes() {
  static std::map<std::string, Home, std::less<>> homes;
  return homes;
}

const Home* chosen = nullptr;

}  // namespace

RegisteredHome::RegisteredHome(Home home) {
  std::string name = home.name;
  CHECK(Homes().emplace(std::move(name), std::move(home)).second);
}

const Home& ThisHome() {
  CHECK(chosen != nullptr);
  return *chosen;
}

bool ChooseHome(std::string_view name) {
  const auto home = Homes().find(name);
  if (home == Homes().end()) {
    return false;
  }
  chosen = &home->second;
  chosen->prepare();
  return true;
}

std::string NamesOfHomes() {
  std::string names;
  for (const auto& [name, home] : Homes()) {
    names += (names.empty() ? "" : " ") + name;
  }
  return names;
}

}  // namespace stator::homes
