// Access tokens as an identity server signs them: JSON Web Tokens (RFC 9068, RFC 7519), checked
// against a set of public keys (JWKS, RFC 7517). Nothing in a token is believed before its signature
// was checked, and the key says with which algorithm that is done, not the token.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hosting/public_key.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::hosting {

struct NamedKey {
  std::string id;  // empty when the set gives none
  PublicKey key;
};
using KeySet = std::vector<NamedKey>;

// Keys of other kinds and for other uses are passed over. Fails when the text is no set, or has none
// that can be used.
Result<KeySet> ParseKeySet(std::string_view text);

struct TokenRules {
  std::string issuer;
  std::string owner_claim = "sub";
  Duration leeway = std::chrono::seconds(60);  // between the clocks of the machines
};

struct AccessToken {
  std::string owner;
  std::vector<std::string> scopes;
  TimePoint expires;
};

// ERRORS: kNotFound when no key of the set has signed it, as far as the token's key id tells;
// kValidation for what is no token; kInvalidSignature, kExpiredToken, kAccessDenied (another issuer,
// another audience, no owner).
Result<AccessToken> VerifyToken(std::string_view token, const KeySet& keys, const TokenRules& rules,
                                std::string_view audience, TimePoint now);

}  // namespace stator::hosting
