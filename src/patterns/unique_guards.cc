#include "stator/patterns/unique_guards.h"

#include <utility>

#include "base/base64.h"
#include "base/digest.h"
#include "base/try.h"
#include "stator/api/database.h"

namespace stator::patterns {

namespace {

constexpr char kOwner[] = "owner";
constexpr std::size_t kValueBytesMax = 900;

struct ValueText {
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const Number& number) const { return number.ToString(); }
  std::string operator()(const Binary& binary) const { return base::EncodeBase64(binary.bytes); }
  template <class Other>
  std::string operator()(const Other&) const {
    return "";
  }
};

bool IsScalar(const AttributeValue& value) {
  return value.Is<std::string>() || value.Is<Number>() || value.Is<Binary>();
}

}  // namespace

UniqueGuards::UniqueGuards(TableLayout guard_table, std::string scope,
                           std::vector<std::string> attributes,
                           std::optional<std::string> item_expiry_attribute)
    : guard_table_(std::move(guard_table)),
      scope_(std::move(scope)),
      attributes_(std::move(attributes)),
      item_expiry_attribute_(std::move(item_expiry_attribute)) {}

Item UniqueGuards::GuardKey(const std::string& attribute, const AttributeValue& value) const {
  std::string text = value.Visit(ValueText());
  std::string type(TypeName(value.type()));
  if (text.size() > kValueBytesMax) {
    text = base::EncodeBase64(base::Sha256(text));
    type += "-SHA256";
  }
  Item key = {{guard_table_.key_attributes.front(),
               "UNIQUE#" + scope_ + "#" + attribute + "#" + type + "#" + text}};
  if (guard_table_.key_attributes.size() > 1) {
    key.Set(guard_table_.key_attributes[1], "UNIQUE");
  }
  return key;
}

void UniqueGuards::AddTake(Transaction& transaction, const std::string& attribute, const Item& item,
                           const std::string& owner, bool may_have) const {
  const AttributeValue& value = item.at(attribute);
  if (!IsScalar(value)) {
    transaction.Refuse(
        {ErrorCode::kValidation, "only strings, numbers and binaries can be unique; " + attribute +
                                     " is of type " + std::string(TypeName(value.type()))});
    return;
  }
  Item guard = GuardKey(attribute, value);
  guard.Set(kOwner, owner);
  if (guard_table_.expiry_attribute && item_expiry_attribute_) {
    if (const AttributeValue* expiry = item.Find(*item_expiry_attribute_)) {
      guard.Set(*guard_table_.expiry_attribute, *expiry);
    }
  }
  PutAction take{.table = guard_table_, .item = std::move(guard), .label = "unique " + attribute};
  if (may_have) {
    take.condition = ItemNotExists(guard_table_) || Attribute(kOwner) == owner;
    transaction.Upsert(std::move(take));
  } else {
    transaction.Insert(std::move(take));
  }
}

void UniqueGuards::AddGive(Transaction& transaction, const std::string& attribute, const Item& item,
                           const std::string& owner) const {
  const AttributeValue& value = item.at(attribute);
  if (!IsScalar(value)) {
    return;
  }
  // A guard that was swept is no obstacle; one that others hold is.
  transaction.Remove({.table = guard_table_,
                      .key = GuardKey(attribute, value),
                      .condition = ItemNotExists(guard_table_) || Attribute(kOwner) == owner,
                      .label = "unique " + attribute});
}

void UniqueGuards::AddInsert(Transaction& transaction, const Item& item,
                             const std::string& owner) const {
  for (const std::string& attribute : attributes_) {
    if (item.contains(attribute)) {
      AddTake(transaction, attribute, item, owner);
    }
  }
}

void UniqueGuards::AddChange(Transaction& transaction, const Item& before, const Item& after,
                             const std::string& owner) const {
  for (const std::string& attribute : attributes_) {
    const AttributeValue* old = before.Find(attribute);
    const AttributeValue* now = after.Find(attribute);
    if (old != nullptr && now != nullptr && *old == *now) {
      continue;
    }
    if (old != nullptr) {
      AddGive(transaction, attribute, before, owner);
    }
    if (now != nullptr) {
      AddTake(transaction, attribute, after, owner);
    }
  }
}

void UniqueGuards::AddRemove(Transaction& transaction, const Item& item,
                             const std::string& owner) const {
  for (const std::string& attribute : attributes_) {
    if (item.contains(attribute)) {
      AddGive(transaction, attribute, item, owner);
    }
  }
}

Result<bool> UniqueGuards::AreHeld(Database& database, const Item& item,
                                   const std::string& owner) const {
  for (const std::string& attribute : attributes_) {
    const AttributeValue* const value = item.Find(attribute);
    if (value == nullptr || !IsScalar(*value)) {
      continue;
    }
    const GetItemOutput guard = TRY(database.GetItem({.table_name = guard_table_.table_name,
                                                      .key = GuardKey(attribute, *value),
                                                      .consistent_read = true}));
    const AttributeValue* const held_by = guard.item ? guard.item->Find(kOwner) : nullptr;
    if (held_by == nullptr || *held_by != AttributeValue(owner)) {
      return false;
    }
  }
  return true;
}

void UniqueGuards::AddHold(Transaction& transaction, const Item& item,
                           const std::string& owner) const {
  for (const std::string& attribute : attributes_) {
    if (item.contains(attribute)) {
      AddTake(transaction, attribute, item, owner, /*may_have=*/true);
    }
  }
}

}  // namespace stator::patterns
