#include "stores/events/subject_keys.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/batch.h"
#include "stator/patterns/requests.h"
#include "stores/events/event_store_core.h"
#include "stores/events/item_fields.h"
#include "stores/events/read_retry.h"
#include "value/check_value.h"

namespace stator::events {
namespace {

constexpr std::size_t kSubjectBytesMax = 256;

// So that a payload cannot be passed off as one of another subject or service.
std::string AboutOf(const EventStoreCore& core, const std::string& subject) {
  return core.options.service_id + "\n" + subject;
}

Result<base::SealingKey> KeyField(const Item& row) {
  const AttributeValue* value = row.Find("key");
  const Binary* binary = value == nullptr ? nullptr : value->If<Binary>();
  base::SealingKey key;
  if (binary == nullptr || binary->bytes.size() != key.size()) {
    return Fail(ErrorCode::kCorruption, "the key of a subject is none");
  }
  std::copy(binary->bytes.begin(), binary->bytes.end(), key.begin());
  return key;
}

std::unexpected<Error> WasErased(const std::string& subject) {
  return Fail(ErrorCode::kExpired,
              "subject " + subject + " was erased; nothing can be appended about it");
}

}  // namespace

Result<void> CheckSubject(const std::string& subject) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (subject.empty() || subject.size() > kSubjectBytesMax || !value::IsUtf8(subject) ||
      std::any_of(subject.begin(), subject.end(), is_control)) {
    return Invalid("a subject has 1 to 256 bytes of UTF-8 without control characters");
  }
  return {};
}

std::string SealPayload(const EventStoreCore& core, const base::SealingKey& key,
                        const std::string& subject, const std::string& payload) {
  return base::Seal(key, payload, AboutOf(core, subject), *core.environment.random);
}

std::optional<SubjectKeys::Known> SubjectKeys::FindKnown(const std::string& subject) {
  const Duration now = core_->environment.clock->Elapsed();
  const MutexLock lock(mutex_);
  const auto known = known_.find(subject);
  if (known == known_.end() ||
      (known->second.key && now - known->second.read_at > core_->options.subject_keys_kept)) {
    return std::nullopt;
  }
  return known->second;
}

Result<SubjectKeys::Known> SubjectKeys::RememberRow(const std::string& subject, const Item& row) {
  constexpr std::size_t kKnownMax = 100'000;
  Known known{.key = std::nullopt, .read_at = core_->environment.clock->Elapsed()};
  if (!row.contains("erasedAt")) {
    known.key = TRY(KeyField(row));
  }
  const MutexLock lock(mutex_);
  if (known_.size() >= kKnownMax) {
    known_.clear();
  }
  known_.insert_or_assign(subject, known);
  return known;
}

Result<std::optional<SubjectKeys::Known>> SubjectKeys::Read(const std::string& subject) {
  const GetItemOutput output = TRY(RetryRead(*core_, [&] {
    return core_->database->GetItem({.table_name = core_->options.events_table_name,
                                     .key = core_->keys.Subject(subject),
                                     .consistent_read = true});
  }));
  if (!output.item) {
    return std::nullopt;
  }
  return TRY(RememberRow(subject, *output.item));
}

void SubjectKeys::Forget(const std::string& subject) {
  const MutexLock lock(mutex_);
  known_.erase(subject);
}

Result<void> SubjectKeys::Prefetch(std::vector<std::string> subjects) {
  std::sort(subjects.begin(), subjects.end());
  subjects.erase(std::unique(subjects.begin(), subjects.end()), subjects.end());
  std::erase_if(subjects, [this](const std::string& subject) { return FindKnown(subject); });
  if (subjects.empty()) {
    return {};
  }
  std::vector<Item> keys;
  keys.reserve(subjects.size());
  for (const std::string& subject : subjects) {
    keys.push_back(core_->keys.Subject(subject));
  }
  patterns::BatchReadOutcome rows =
      patterns::BatchReader(*core_->database, core_->MakeReadOptions(), core_->environment)
          .Read(core_->events_table, keys, {.consistent_read = true});
  if (!rows.complete()) {
    return std::unexpected(rows.error.value_or(
        Error{.code = ErrorCode::kUnavailable, .message = "keys of subjects could not be read"}));
  }
  for (std::size_t index = 0; index < subjects.size(); ++index) {
    if (rows.items[index]) {
      static_cast<void>(TRY(RememberRow(subjects[index], *rows.items[index])));
    }
  }
  return {};
}

// Of two that make one at the same time, the second takes that of the first.
Result<base::SealingKey> SubjectKeys::MakeKey(const std::string& subject) {
  base::SealingKey key;
  core_->environment.random->Fill(std::as_writable_bytes(std::span(key)));
  Item row = core_->keys.Subject(subject);
  row.Set("key", Binary{std::string(key.begin(), key.end())});
  const auto put = RetryRead(*core_, [&] {
    return core_->database->PutItem(patterns::MakePut(core_->options.events_table_name, row,
                                                      patterns::Attribute("pk").NotExists()));
  });
  if (!put && put.error().code != ErrorCode::kConditionFailed) {
    return std::unexpected(put.error());
  }
  const Item* there = put ? &row : patterns::FindItem(put.error());
  const std::optional<Known> known =
      there != nullptr ? TRY(RememberRow(subject, *there)) : TRY(Read(subject));
  if (!known) {
    return Fail(ErrorCode::kCorruption, "the key of subject " + subject + " vanished");
  }
  return known->key ? Result<base::SealingKey>(*known->key) : WasErased(subject);
}

Result<KeyBySubject> SubjectKeys::ForAppending(const std::vector<NewEvent>& events) {
  std::vector<std::string> subjects;
  for (const NewEvent& event : events) {
    if (!event.subject.empty()) {
      TRY_VOID(CheckSubject(event.subject));
      subjects.push_back(event.subject);
    }
  }
  KeyBySubject keys;
  if (subjects.empty()) {
    return keys;
  }
  TRY_VOID(Prefetch(subjects));
  for (const std::string& subject : subjects) {
    if (!keys.contains(subject)) {
      const std::optional<Known> known = FindKnown(subject);
      if (known && !known->key) {
        return WasErased(subject);
      }
      keys[subject] = known ? *known->key : TRY(MakeKey(subject));
    }
  }
  return keys;
}

Result<void> SubjectKeys::Open(Event& event) {
  if (event.subject.empty() || event.erased) {
    return {};
  }
  std::optional<Known> known = FindKnown(event.subject);
  if (!known) {
    known = TRY(Read(event.subject));
  }
  if (!known) {
    return Fail(ErrorCode::kNotFound, "the key of subject " + event.subject +
                                          " is not in the table, and no record that it was erased");
  }
  if (!known->key) {
    event.payload.clear();
    event.erased = true;
    return {};
  }
  std::optional<std::string> plain =
      base::Unseal(*known->key, event.payload, AboutOf(*core_, event.subject));
  if (!plain) {
    return Fail(ErrorCode::kCorruption, "the payload of event " + event.id +
                                            " cannot be opened with the key of its subject");
  }
  event.payload = *std::move(plain);
  return {};
}

}  // namespace stator::events
