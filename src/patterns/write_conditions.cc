#include "patterns/write_conditions.h"

#include "stator/patterns/expiry.h"

namespace stator::patterns {

namespace {

void AppendExpired(const std::string& attribute, TimePoint now, Placeholders& placeholders,
                   std::string& text) {
  placeholders.AppendName(attribute, text);
  text += " <= ";
  placeholders.AppendValue(EpochSeconds(now), text);
}

}  // namespace

std::string AbsentText(const TableLayout& layout, TimePoint now, Placeholders& placeholders) {
  std::string text = "attribute_not_exists(";
  placeholders.AppendName(layout.key_attributes.front(), text);
  text += ')';
  if (layout.expiry_attribute) {
    text += " OR ";
    AppendExpired(*layout.expiry_attribute, now, placeholders, text);
  }
  return text;
}

std::string UnchangedText(const Versioning& versioning, const Revision& seen, TimePoint now,
                          Placeholders& placeholders) {
  const TableLayout& layout = versioning.layout();
  if (seen.number == 0 || seen.write_id.empty()) {
    return placeholders.Compile(versioning.Unchanged(seen) && NotExpired(layout, now)).value_or("");
  }
  std::string text;
  placeholders.AppendName(versioning.names().revision, text);
  text += " = ";
  placeholders.AppendValue(seen.number, text);
  text += " AND ";
  placeholders.AppendName(versioning.names().write_id, text);
  text += " = ";
  placeholders.AppendValue(seen.write_id, text);
  if (layout.expiry_attribute) {
    text += " AND NOT ";
    AppendExpired(*layout.expiry_attribute, now, placeholders, text);
  }
  return text;
}

}  // namespace stator::patterns
