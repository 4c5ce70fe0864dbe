#include <algorithm>
#include <memory>

#include "base/digest.h"
#include "base/hex.h"
#include "base/try.h"
#include "stator/stores/events/append.h"
#include "stator/stores/events/event_store.h"
#include "stores/events/append_events.h"
#include "stores/events/unicode_text.h"
#include "stores/events/uuid_text.h"
#include "value/check_value.h"

namespace stator::events {
namespace {

constexpr std::size_t kClaimKeyBytesMax = 512;

void AppendInt(std::size_t number, std::string& out) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>((number >> static_cast<unsigned>(shift)) & 0xFFU));
  }
}

void AppendField(std::string_view text, std::string& out) {
  AppendInt(text.size(), out);
  out += text;
}

std::unexpected<Error> MakeClaimConflict(const std::string& event_id, std::string stored,
                                         const std::string& fingerprint) {
  auto detail = std::make_shared<ClaimConflict>();
  detail->event_id = event_id;
  detail->stored_fingerprint = std::move(stored);
  detail->fingerprint = fingerprint;
  return std::unexpected(Error{.code = ErrorCode::kIdempotentParameterMismatch,
                               .message = "the key is claimed by another operation",
                               .detail = std::move(detail)});
}

}  // namespace

Result<std::string> NormalizeClaimKey(std::string_view key) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t first = key.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return Invalid("the key of a claim is empty");
  }
  key = key.substr(first, key.find_last_not_of(kBlanks) - first + 1);
  // No text becomes less than a third of its bytes, so nothing longer needs to be looked at.
  if (key.size() > 3 * kClaimKeyBytesMax || !value::IsUtf8(key)) {
    return Invalid("the key of a claim has at most 512 bytes of UTF-8");
  }
  std::string normalized = ToFormC(key);
  if (normalized.size() > kClaimKeyBytesMax) {
    return Invalid("the key of a claim has at most 512 bytes of UTF-8");
  }
  return normalized;
}

std::string MakeClaimEventId(std::string_view service_id, std::string_view normalized_key) {
  std::string content;
  AppendInt(1, content);
  AppendField("sekiban.dcb.conditional-append.storage-identity.v1", content);
  AppendField(service_id, content);
  AppendField(normalized_key, content);
  return MakeUuidTextFromMemory(base::Sha256(content));
}

std::string MakeClaimFingerprint(std::string_view service_id, std::string_view normalized_key,
                                 std::string_view type_identity, std::string_view canonical_payload,
                                 std::vector<std::string> tags) {
  std::sort(tags.begin(), tags.end());
  std::string content;
  AppendInt(2, content);
  AppendInt(1, content);
  AppendField("sekiban.dcb.conditional-append.unique-key", content);
  AppendField(service_id, content);
  AppendField(normalized_key, content);
  AppendField(type_identity, content);
  AppendField(canonical_payload, content);
  AppendInt(tags.size(), content);
  for (const std::string& tag : tags) {
    AppendField(tag, content);
  }
  return base::HexOf(base::Sha256(content));
}

Result<Claimed> EventStore::ClaimKey(const Claim& claim) {
  if (core_->options.read_only) {
    return Invalid("the event store was opened for reading only");
  }
  if (!claim.event.subject.empty()) {
    return Invalid("a claim has no subject: its fingerprint would be left when that is erased");
  }
  const std::string key = TRY(NormalizeClaimKey(claim.key));
  const std::string payload = TRY(MakeCanonicalJson(claim.event.payload));
  const std::string& type = claim.type_identity.empty() ? claim.event.type : claim.type_identity;
  const std::string& service = core_->options.service_id;
  std::vector<std::string> tags = claim.event.tags;
  std::sort(tags.begin(), tags.end());
  if (std::adjacent_find(tags.begin(), tags.end()) != tags.end()) {
    return Invalid("the event of a claim has a tag twice");
  }
  const ClaimedId id{.event_id = MakeClaimEventId(service, key),
                     .fingerprint = MakeClaimFingerprint(service, key, type, payload, tags)};
  const Landed landed = TRY(AppendEvents(*core_, {claim.event}, {}, id));
  const LoggedAppend& logged = landed.append.logged();
  const Event& event = landed.append.slot->events[logged.first];
  const bool redacted = event.erased && logged.claim.empty();
  if (landed.found && !redacted && logged.claim != id.fingerprint) {
    return MakeClaimConflict(id.event_id, logged.claim, id.fingerprint);
  }
  return Claimed{
      .outcome = landed.found ? ClaimOutcome::kAlreadyCommitted : ClaimOutcome::kAppended,
      .event = {event.id, event.sortable_id, event.position},
      .fingerprint = id.fingerprint};
}

}  // namespace stator::events
