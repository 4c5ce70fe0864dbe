#include "expression/substitutions.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "value/placeholders.h"
#include "value/size.h"

namespace stator::expression {
namespace {

// A placeholder with its '#' or ':' has at most this many bytes; AWS's developer guide, "Quotas",
// section "Expression parameters".
constexpr std::size_t kPlaceholderBytesMax = 255;

// Up to so many names are searched one by one, which needs no table.
constexpr std::size_t kNamesWalked = 16;

bool IsPlaceholder(std::string_view key, char mark) {
  return key.size() > 1 && key[0] == mark && std::ranges::all_of(key.substr(1), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_';
         });
}

Result<void> CheckKey(std::string_view parameter, std::string_view key, char mark) {
  const bool is_placeholder = IsPlaceholder(key, mark);
  if (is_placeholder && key.size() <= kPlaceholderBytesMax) {
    return {};
  }
  std::string message(parameter);
  message += " contains invalid key: ";
  if (key.empty()) {
    message += "The expression attribute map contains an empty key;";
    return Invalid(std::move(message));
  }
  if (!is_placeholder) {
    message += "Syntax error; key: \"" + std::string(key) + '"';
    return Invalid(std::move(message));
  }
  message += "The expression attribute map contains a key that is too long;";
  if (mark == '#') {  // The service tells the size for names only.
    message += " size of key: " + std::to_string(key.size());
  }
  return Invalid(std::move(message));
}

Result<void> CheckName(std::string_view key, std::string_view name) {
  std::string_view wrong;
  if (name.empty()) {
    wrong = "Empty attribute name";
  } else if (name.size() > limits::kAttributeNameBytesMax) {
    wrong = "Attribute name is too large, must be less than 65536 bytes";
  } else {
    return {};
  }
  return Invalid("ExpressionAttributeNames contains invalid value: " + std::string(wrong) +
                 " for key " + std::string(key));
}

}  // namespace

void Substitutions::Marks::Set(std::size_t entry) {
  if (entry < 64) {
    first_ |= std::uint64_t{1} << entry;
  } else {
    more_[entry - 64] = true;
  }
}

bool Substitutions::Marks::IsSet(std::size_t entry) const {
  return entry < 64 ? ((first_ >> entry) & 1U) != 0 : more_[entry - 64];
}

// The keys of the entries that are not marked.
template <class Entries>
Result<void> Substitutions::CheckUsed(std::string_view parameter, const Entries& entries,
                                      const Marks& used) {
  std::string unused;
  std::size_t number = 0;
  for (const auto& entry : entries) {
    if (!used.IsSet(number++)) {
      unused += unused.empty() ? "" : ", ";
      unused += entry.first;
    }
  }
  if (unused.empty()) {
    return {};
  }
  return Invalid("Value provided in " + std::string(parameter) + " unused in expressions: keys: {" +
                 unused + '}');
}

Substitutions::Substitutions(const Names* names, const Map* values)
    : names_(names),
      values_(values),
      used_names_(names == nullptr ? 0 : names->size()),
      used_values_(values == nullptr ? 0 : values->size()) {
  if (names_ == nullptr || names_->size() <= kNamesWalked) {
    return;
  }
  sorted_names_.reserve(names_->size());
  for (const auto& entry : *names_) {
    sorted_names_.push_back(&entry);
  }
}

Result<void> Substitutions::CheckParameters() const {
  TRY_VOID(CheckNames());
  if (values_ == nullptr) {
    return {};
  }
  if (values_->empty()) {
    return Invalid("ExpressionAttributeValues must not be empty");
  }
  std::size_t bytes = 0;
  for (const auto& [key, value] : *values_) {
    TRY_VOID(CheckKey("ExpressionAttributeValues", key, ':'));
    bytes += key.size() + value::SizeOf(value);
  }
  if (bytes > limits::kExpressionSubstitutionBytesMax) {
    return Invalid("ExpressionAttributeValues exceeds max size");
  }
  return {};
}

Result<void> Substitutions::CheckNames() const {
  if (names_ == nullptr) {
    return {};
  }
  if (names_->empty()) {
    return Invalid("ExpressionAttributeNames must not be empty");
  }
  std::size_t bytes = 0;
  for (const auto& [key, name] : *names_) {
    TRY_VOID(CheckKey("ExpressionAttributeNames", key, '#'));
    TRY_VOID(CheckName(key, name));
    bytes += key.size() + name.size();
  }
  if (bytes > limits::kExpressionSubstitutionBytesMax) {
    return Invalid("ExpressionAttributeNames exceeds max size");
  }
  return {};
}

Result<void> Substitutions::CheckValues() const {
  if (values_ == nullptr) {
    return {};
  }
  for (const auto& [key, value] : *values_) {
    // Only transactions ask, and have the words of before.
    if (const Result<void> good = value::CheckPlaceholder(value, value::Words::kOlder); !good) {
      return Invalid("ExpressionAttributeValues contains invalid value: " + good.error().message +
                     " for key " + key);
    }
  }
  return {};
}

const std::string* Substitutions::UseName(std::string_view placeholder) {
  if (names_ == nullptr) {
    return nullptr;
  }
  if (!sorted_names_.empty()) {
    const auto entry = std::ranges::lower_bound(
        sorted_names_, placeholder, {},
        [](const Names::value_type* pair) { return std::string_view(pair->first); });
    if (entry == sorted_names_.end() || (*entry)->first != placeholder) {
      return nullptr;
    }
    used_names_.Set(static_cast<std::size_t>(std::distance(sorted_names_.begin(), entry)));
    return &(*entry)->second;
  }
  std::size_t entry = 0;
  for (const auto& [key, name] : *names_) {
    if (key == placeholder) {
      used_names_.Set(entry);
      return &name;
    }
    ++entry;
  }
  return nullptr;
}

const AttributeValue* Substitutions::UseValue(std::string_view placeholder) {
  if (values_ == nullptr) {
    return nullptr;
  }
  const auto entry = std::ranges::lower_bound(
      *values_, placeholder, {}, [](const auto& pair) { return std::string_view(pair.first); });
  if (entry == values_->end() || entry->first != placeholder) {
    return nullptr;
  }
  used_values_.Set(static_cast<std::size_t>(std::distance(values_->begin(), entry)));
  return &entry->second;
}

Result<void> Substitutions::CheckAllUsed() const {
  if (names_ != nullptr) {
    TRY_VOID(CheckUsed("ExpressionAttributeNames", *names_, used_names_));
  }
  if (values_ != nullptr) {
    TRY_VOID(CheckUsed("ExpressionAttributeValues", *values_, used_values_));
  }
  return {};
}

}  // namespace stator::expression
