#include "api/member_path.h"

namespace stator::api {

std::string MemberPath::ToString() const {
  std::string text;
  AppendTo(text);
  return text;
}

void MemberPath::AppendTo(std::string& out) const {
  if (parent_ != nullptr) {
    parent_->AppendTo(out);
    out += '.';
  }
  switch (kind_) {
    case Kind::kMember:
      if (!name_.empty()) {
        // The service's own code has the first letter small, whatever follows: sSESpecification.
        const char first = name_.front();
        out += first >= 'A' && first <= 'Z' ? static_cast<char>(first - 'A' + 'a') : first;
        out += name_.substr(1);
      }
      return;
    case Kind::kElement:
      out += std::to_string(index_ + 1);
      break;
    case Kind::kEntry:
      out += name_;
      break;
  }
  out += ".member";
}

}  // namespace stator::api
