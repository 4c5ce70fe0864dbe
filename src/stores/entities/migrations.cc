#include "stator/stores/entities/migrations.h"

#include <algorithm>

namespace stator::entities {

namespace {

std::vector<std::uint16_t> KeysOf(const std::map<std::uint16_t, MigrationStep>& steps) {
  std::vector<std::uint16_t> keys;
  keys.reserve(steps.size());
  for (const auto& [from, step] : steps) {
    keys.push_back(from);
  }
  return keys;
}

const MigrationStep* FindStep(const std::map<std::uint16_t, MigrationStep>& steps,
                              std::uint16_t from) {
  const auto found = steps.find(from);
  return found == steps.end() ? nullptr : &found->second;
}

bool Has(const std::vector<std::uint16_t>& steps, std::uint16_t from) {
  return std::binary_search(steps.begin(), steps.end(), from);
}

std::unexpected<Error> BadStep(const EntityDescription& entity, int from, int to, const char* why) {
  return Invalid("entity " + entity.name + ": the step from version " + std::to_string(from) +
                 " to " + std::to_string(to) + " " + why);
}

}  // namespace

Migrations& Migrations::Up(std::uint16_t from, MigrationStep step) {
  ups_.insert_or_assign(from, std::move(step));
  return *this;
}

Migrations& Migrations::Down(std::uint16_t from, MigrationStep step) {
  downs_.insert_or_assign(from, std::move(step));
  return *this;
}

std::vector<std::uint16_t> Migrations::ups() const {
  return KeysOf(ups_);
}
std::vector<std::uint16_t> Migrations::downs() const {
  return KeysOf(downs_);
}

const MigrationStep* Migrations::FindUp(std::uint16_t from) const {
  return FindStep(ups_, from);
}
const MigrationStep* Migrations::FindDown(std::uint16_t from) const {
  return FindStep(downs_, from);
}

Result<void> CheckVersions(const EntityDescription& entity) {
  for (int from = entity.oldest_version; from < entity.data_version; ++from) {
    if (!Has(entity.up_steps, static_cast<std::uint16_t>(from))) {
      return BadStep(entity, from, from + 1, "is missing");
    }
  }
  for (int from = entity.data_version; from > entity.write_as; --from) {
    if (!Has(entity.down_steps, static_cast<std::uint16_t>(from))) {
      return BadStep(entity, from, from - 1, "is missing, and the program writes the older one");
    }
  }
  for (const std::uint16_t from : entity.up_steps) {
    if (from < entity.oldest_version || from >= entity.data_version) {
      return BadStep(entity, from, from + 1, "leads from or to a version that is not read");
    }
  }
  for (const std::uint16_t from : entity.down_steps) {
    if (from <= entity.oldest_version || from > entity.data_version) {
      return BadStep(entity, from, from - 1, "leads from or to a version that is not read");
    }
  }
  return {};
}

void Rename(Item& item, std::string_view from, std::string to) {
  if (AttributeValue* value = item.Find(from); value != nullptr) {
    AttributeValue moved = std::move(*value);
    item.Erase(from);
    item.Set(std::move(to), std::move(moved));
  }
}

}  // namespace stator::entities
