#include "mcp/seal.h"

#include "base/base64.h"
#include "wire/sha256.h"

namespace stator::mcp {
namespace {

constexpr std::string_view kPrefix = "v1.";

std::string SignatureOf(std::string_view key, std::string_view text) {
  return std::string(wire::AsBytes(wire::HmacSha256(key, text)));
}

// Takes as long for a near miss as for any other.
bool AreEqual(std::string_view left, std::string_view right) {
  unsigned int difference = left.size() == right.size() ? 0 : 1;
  for (std::size_t at = 0; at < left.size() && at < right.size(); ++at) {
    difference |= static_cast<unsigned char>(left[at]) ^ static_cast<unsigned char>(right[at]);
  }
  return difference == 0;
}

}  // namespace

std::string Sealer::Seal(const tasks::Json& content) const {
  const std::string text = content.ToText();
  return std::string(kPrefix) + base::EncodeBase64(text) + "." +
         base::EncodeBase64(SignatureOf(keys_.front(), text));
}

std::optional<tasks::Json> Sealer::Open(std::string_view sealed) const {
  if (!sealed.starts_with(kPrefix)) {
    return std::nullopt;
  }
  sealed.remove_prefix(kPrefix.size());
  const std::size_t dot = sealed.find('.');
  if (dot == sealed.npos) {
    return std::nullopt;
  }
  const std::optional<std::string> text = base::DecodeBase64(sealed.substr(0, dot));
  const std::optional<std::string> signature = base::DecodeBase64(sealed.substr(dot + 1));
  if (!text || !signature) {
    return std::nullopt;
  }
  for (const std::string& key : keys_) {
    if (AreEqual(SignatureOf(key, *text), *signature)) {
      Result<tasks::Json> content = tasks::Json::Parse(*text);
      return content ? std::optional(*std::move(content)) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace stator::mcp
