#include "wire/sigv4_verify.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "base/digest.h"
#include "base/try.h"
#include "wire/http_date.h"
#include "wire/sigv4.h"
#include "wire/uri_text.h"

namespace stator::wire {
namespace {

constexpr std::size_t kCachedKeysMax = 256;
constexpr std::string_view kFamily = "AWS4-";  // of algorithms
constexpr std::string_view kAlgorithmParameter = "X-Amz-Algorithm";

// Parts of a request that are repeated in a message: printable, since they come from a stranger.
std::string Printable(std::string_view text) {
  std::string printable(text.substr(0, 1024));
  std::ranges::replace_if(
      printable, [](char character) { return character < ' ' || character > '~'; }, '?');
  return printable;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

// Cuts off and returns what stands before `separator`; everything when there is none.
std::string_view TakeUntil(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

// The parameters of either form, still as text.
struct Parameters {
  std::string_view algorithm;
  std::string_view credential;
  std::string_view signed_headers;
  std::string_view signature;
  std::string_view timestamp;
  std::string_view expires;
  std::string_view security_token;
  std::unique_ptr<const std::string> decoded_query;
};

std::unexpected<Error> Incomplete(std::string message) {
  return Fail(ErrorCode::kIncompleteSignature, std::move(message));
}

std::unexpected<Error> InvalidSignature(std::string message) {
  return Fail(ErrorCode::kInvalidSignature, std::move(message));
}

// Takes one "name=value" of an Authorization header.
Result<void> ReadPair(std::string_view pair, std::string_view authorization,
                      Parameters& parameters) {
  const std::size_t equals = pair.find('=');
  if (equals == std::string_view::npos) {
    return Incomplete("'" + Printable(pair) +
                      "' not a valid key=value pair (missing equal-sign) in Authorization "
                      "header: '" +
                      Printable(authorization) + "'.");
  }
  const std::string_view name = pair.substr(0, equals);
  const std::string_view value = pair.substr(equals + 1);
  if (name == "Credential") {
    parameters.credential = value;
  } else if (name == "SignedHeaders") {
    parameters.signed_headers = value;
  } else if (name == "Signature") {
    parameters.signature = value;
  }
  return {};
}

// Where the first of the characters is that stand between pairs, commas, blanks and tabs; the size of
// the text when there is none. Eight bytes at a time, because most of a head is looked at here.
std::size_t FindSeparator(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
  const auto zeros_of = [](std::uint64_t word) { return (word - kOnes) & ~word & (kOnes << 7U); };
  std::size_t at = 0;
  for (; text.size() - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof(word));
    static_assert(std::endian::native == std::endian::little);
    // The lowest mark is right; those above it may come of a borrow.
    if (const std::uint64_t found = zeros_of(word ^ kOnes * ',') | zeros_of(word ^ kOnes * ' ') |
                                    zeros_of(word ^ kOnes * '\t')) {
      return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
    }
  }
  while (at < text.size() && text[at] != ',' && text[at] != ' ' && text[at] != '\t') {
    ++at;
  }
  return at;
}

// Some separators may stand between two pairs, before the first and behind the last.
Result<void> ReadPairs(std::string_view pairs, std::string_view authorization,
                       Parameters& parameters) {
  while (!pairs.empty()) {
    const std::size_t end = FindSeparator(pairs);
    if (end > 0) {
      TRY_VOID(ReadPair(pairs.substr(0, end), authorization, parameters));
    }
    pairs.remove_prefix(std::min(end + 1, pairs.size()));
  }
  return {};
}

Result<Parameters> ReadHeaderForm(const HttpMessage& message, std::string_view authorization) {
  Parameters parameters;
  std::string_view rest = authorization;
  parameters.algorithm = TakeUntil(rest, ' ');
  TRY_VOID(ReadPairs(rest, authorization, parameters));
  parameters.timestamp = FindField(message, "x-amz-date");
  if (parameters.timestamp.empty()) {
    parameters.timestamp = FindField(message, "date");
  }
  parameters.security_token = FindField(message, "x-amz-security-token");

  std::string missing;
  const std::array<std::pair<std::string_view, std::string_view>, 3> required = {
      {{"Credential", parameters.credential},
       {"Signature", parameters.signature},
       {"SignedHeaders", parameters.signed_headers}}};
  for (const auto& [name, value] : required) {
    if (value.empty()) {
      missing.append("Authorization header requires '").append(name).append("' parameter. ");
    }
  }
  if (parameters.timestamp.empty()) {
    missing +=
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  }
  if (!missing.empty()) {
    return Incomplete(missing + "Authorization=" + Printable(authorization));
  }
  return parameters;
}

Result<Parameters> ReadQueryForm(const HttpMessage& message) {
  Parameters parameters;
  const std::array<std::pair<std::string_view, std::string_view*>, 7> known = {
      {{kAlgorithmParameter, &parameters.algorithm},
       {"X-Amz-Credential", &parameters.credential},
       {kSignatureParameter, &parameters.signature},
       {"X-Amz-SignedHeaders", &parameters.signed_headers},
       {"X-Amz-Date", &parameters.timestamp},
       {"X-Amz-Expires", &parameters.expires},
       {"X-Amz-Security-Token", &parameters.security_token}}};
  constexpr std::size_t kRequired = 5;

  // Two passes, because the views must not point into a string that still grows.
  std::string decoded;
  std::array<std::pair<std::size_t, std::size_t>, known.size()> places{};
  std::string_view rest = message.query;
  while (!rest.empty()) {
    std::string_view value = TakeUntil(rest, '&');
    const std::string name = PercentDecoded(TakeUntil(value, '='));
    const auto* const found =
        std::ranges::find(known, name, [](const auto& entry) { return entry.first; });
    if (found != known.end()) {
      const std::string text = PercentDecoded(value);
      places[static_cast<std::size_t>(found - known.begin())] = {decoded.size(), text.size()};
      decoded += text;
    }
  }
  parameters.decoded_query = std::make_unique<const std::string>(std::move(decoded));
  for (std::size_t at = 0; at < known.size(); ++at) {
    *known[at].second =
        std::string_view(*parameters.decoded_query).substr(places[at].first, places[at].second);
  }

  std::string missing;
  for (const auto& [name, value] : std::span(known).first(kRequired)) {
    if (value->empty()) {
      missing.append("AWS query-string parameters must include '").append(name).append("'. ");
    }
  }
  if (!missing.empty()) {
    return Incomplete(missing + "Re-examine the query-string parameters.");
  }
  return parameters;
}

Result<std::optional<std::chrono::seconds>> ReadExpires(std::string_view text) {
  if (text.empty()) {
    return std::nullopt;
  }
  constexpr std::int64_t kWeek = 7L * 24 * 3600;
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0 || seconds > kWeek) {
    return Incomplete("X-Amz-Expires must be a number of seconds from 0 to 604800. Got '" +
                      Printable(text) + "'.");
  }
  return std::chrono::seconds(seconds);
}

bool Names(std::string_view signed_headers, std::string_view lower_case_name) {
  while (!signed_headers.empty()) {
    if (EqualIgnoringCase(TakeUntil(signed_headers, ';'), lower_case_name)) {
      return true;
    }
  }
  return false;
}

// Signed headers are sorted and name each header once. Anything else is no signature of ours, and
// would let a short list repeat a long header many times over.
bool IsStrictlySorted(std::string_view signed_headers) {
  std::string_view previous = TakeUntil(signed_headers, ';');
  while (!signed_headers.empty()) {
    const std::string_view name = TakeUntil(signed_headers, ';');
    if (name <= previous) {
      return false;
    }
    previous = name;
  }
  return true;
}

Result<void> CheckTime(const PresentedSignature& presented, const SignatureRules& rules) {
  const std::string now = FormatBasicDate(rules.now);
  const std::string signed_at = FormatBasicDate(presented.signed_at);
  const std::string skew = std::to_string(rules.skew.count()) + " min.)";
  if (presented.signed_at > rules.now + rules.skew) {
    return InvalidSignature("Signature not yet current: " + signed_at + " is still later than " +
                            FormatBasicDate(rules.now + rules.skew) + " (" + now + " + " + skew);
  }
  const std::chrono::seconds lifetime = presented.expires.value_or(rules.skew);
  if (presented.signed_at + lifetime < rules.now) {
    const std::string period =
        presented.expires ? std::to_string(lifetime.count()) + " sec.)" : skew;
    return InvalidSignature("Signature expired: " + signed_at + " is now earlier than " +
                            FormatBasicDate(rules.now - lifetime) + " (" + now + " - " + period);
  }
  return {};
}

Result<void> CheckSignedHeaders(const HttpMessage& message, std::string_view signed_headers) {
  if (!Names(signed_headers, "host")) {
    return InvalidSignature(
        "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
  }
  // An unsigned target would let anyone on the way turn a read into a delete.
  constexpr std::string_view kTarget = "x-amz-target";
  if (!FindField(message, kTarget).empty() && !Names(signed_headers, kTarget)) {
    return InvalidSignature("'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.");
  }
  return {};
}

bool IsRegionName(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char character) {
    return (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9') ||
           character == '-';
  });
}

Result<void> CheckScope(const PresentedSignature& presented, const SignatureRules& rules) {
  std::string wrong;
  if (!IsRegionName(presented.region)) {
    wrong += "Credential should be scoped to a valid region, not '" + Printable(presented.region) +
             "'. ";
  }
  if (presented.service != rules.service) {
    wrong.append("Credential should be scoped to correct service: '").append(rules.service);
    wrong += "'. ";
  }
  if (presented.terminator != kScopeTerminator) {
    wrong.append("Credential should be scoped with a valid terminator: '").append(kScopeTerminator);
    wrong += "', not '" + Printable(presented.terminator) + "'. ";
  }
  const std::string timestamp = FormatBasicDate(presented.signed_at);
  if (presented.date != timestamp.substr(0, 8)) {
    wrong +=
        "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from "
        "HTTP: '" +
        Printable(presented.date) + "' != '" + timestamp.substr(0, 8) + "', from '" + timestamp +
        "'.";
  }
  if (!wrong.empty()) {
    return InvalidSignature(std::move(wrong));
  }
  return {};
}

Result<void> ReadCredential(std::string_view credential, PresentedSignature& presented) {
  std::string_view rest = credential;
  while (rest.ends_with('/')) {
    rest.remove_suffix(1);
  }
  if (std::ranges::count(rest, '/') != 4) {
    return Incomplete(
        "Credential must have exactly 5 slash-delimited elements, e.g. "
        "keyid/date/region/service/term, got '" +
        Printable(credential) + "'");
  }
  presented.access_key_id = TakeUntil(rest, '/');
  presented.date = TakeUntil(rest, '/');
  presented.region = TakeUntil(rest, '/');
  presented.service = TakeUntil(rest, '/');
  presented.terminator = rest;
  return {};
}

Result<TimePoint> ReadTimestamp(std::string_view text) {
  std::optional<TimePoint> time = ParseBasicDate(text);
  if (!time) {
    time = ParseHttpDate(text);
  }
  if (!time) {
    return Incomplete("Date must be in ISO-8601 'basic format'. Got '" + Printable(text) +
                      "'. See http://en.wikipedia.org/wiki/ISO_8601");
  }
  return *time;
}

bool HasQueryForm(const HttpMessage& message) {
  std::string_view rest = message.query;
  while (!rest.empty()) {
    std::string_view parameter = TakeUntil(rest, '&');
    if (PercentDecoded(TakeUntil(parameter, '=')) == kAlgorithmParameter) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool IsSigned(const HttpMessage& message) {
  return Trimmed(FindField(message, "authorization")).starts_with(kFamily) || HasQueryForm(message);
}

Result<PresentedSignature> ReadSignature(const HttpMessage& message, const SignatureRules* rules) {
  const std::string_view authorization = Trimmed(FindField(message, "authorization"));
  const bool in_query = HasQueryForm(message);
  if (!authorization.empty() && in_query) {
    return InvalidSignature(
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  }
  if (!in_query && !authorization.starts_with(kFamily)) {
    return Fail(ErrorCode::kMissingAuthenticationToken, "Request is missing Authentication Token");
  }
  Parameters parameters =
      TRY(in_query ? ReadQueryForm(message) : ReadHeaderForm(message, authorization));

  PresentedSignature presented;
  presented.signed_headers = parameters.signed_headers;
  presented.signature = parameters.signature;
  presented.timestamp = parameters.timestamp;
  presented.security_token = parameters.security_token;
  presented.decoded_query = std::move(parameters.decoded_query);
  presented.signed_at = TRY(ReadTimestamp(parameters.timestamp));
  presented.expires = TRY(ReadExpires(parameters.expires));
  if (rules != nullptr) {
    TRY_VOID(CheckTime(presented, *rules));
    TRY_VOID(CheckSignedHeaders(message, presented.signed_headers));
  }
  if (parameters.algorithm != kSignatureAlgorithm) {
    return Incomplete("Unsupported AWS 'algorithm': '" + Printable(parameters.algorithm) +
                      "' (only AWS4-HMAC-SHA256 for now). ");
  }
  TRY_VOID(ReadCredential(parameters.credential, presented));
  if (rules != nullptr) {
    TRY_VOID(CheckScope(presented, *rules));
  }
  return presented;
}

bool SignatureVerifier::IsGenuine(const HttpMessage& message, const PresentedSignature& presented,
                                  std::string_view payload, std::string_view secret_access_key) {
  if (!IsStrictlySorted(presented.signed_headers)) {
    return false;
  }
  const std::string canonical =
      CanonicalRequest(message, presented.signed_headers, Hex(base::Sha256Of(payload)));
  const SigningScope scope = {
      .date = presented.date, .region = presented.region, .service = presented.service};
  const std::string expected = Signature(KeyFor(presented, secret_access_key),
                                         FormatBasicDate(presented.signed_at), scope, canonical);
  return EqualInConstantTime(expected, presented.signature);
}

const Sha256Digest& SignatureVerifier::KeyFor(const PresentedSignature& presented,
                                              std::string_view secret) {
  const auto key = std::tie(presented.access_key_id, presented.date, presented.region);
  if (const auto found = keys_.find(key); found != keys_.end()) {
    return found->second;
  }
  if (keys_.size() >= kCachedKeysMax) {
    keys_.clear();
  }
  const SigningScope scope = {
      .date = presented.date, .region = presented.region, .service = presented.service};
  return keys_
      .emplace(std::tuple<std::string, std::string, std::string>(presented.access_key_id,
                                                                 presented.date, presented.region),
               DeriveSigningKey(secret, scope))
      .first->second;
}

bool EqualInConstantTime(std::string_view left, std::string_view right) {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

}  // namespace stator::wire
