// Erasing what events say about a person, from a log that otherwise never changes: all that was
// appended about a subject, by deleting its key, or the payload of one event.
//
// An event that is appended with a subject (NewEvent::subject) has its payload sealed with a key of
// that subject. EraseSubject deletes the key: from then on nobody can read those payloads, wherever
// they are: in the log, its index, its view, the blob store and copies of them. The events stay,
// with type, tags, metadata and place, so that positions, conditions and everything that counts
// events hold as before; reads give them with an empty payload and `erased`.
//
//   store.Append({{.type = "Enrolled", .payload = form, .tags = {"student:s7"}, .subject = "s7"}});
//   EraseSubject(store, "s7", {.by = "privacy@school", .reason = "asked for it"});
//
// What is not sealed: types, tags, metadata and the subject's name. Name people by numbers there. States
// of projections are not erased either: rebuild those that keep what they should not. A copy of the
// events table, such as a backup, has the keys that it had.
//
// An erased subject stays erased: nothing more can be appended about it. Processes that know its key
// forget it within EventStoreOptions::subject_keys_kept; what they append until then is erased, too.
//
// RedactEvent takes the payload of one event out of the log, its index, its view and the blob store,
// with or without a subject, for what should never have been written: a password, a name in the wrong
// place. Reads give the event as those of an erased subject. Other processes that have it in memory
// give it for up to subject_keys_kept. It costs a few dozen requests; prefer subjects for what is
// likely to be erased. Backups and the history of a table have what they had.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_store.h"

namespace stator::events {

struct EraseOptions {
  std::string by = {};      // who erases
  std::string reason = {};  // and why, for the record
  // Also a subject about which nothing was appended, or whose key got lost. Without it that is
  // kNotFound, since it is more likely a typo.
  bool unknown = false;
};

// The record that it happened.
struct Erasure {
  std::string subject;
  std::string erased_at;  // ISO 8601
  std::string by = {};
  std::string reason = {};

  friend bool operator==(const Erasure&, const Erasure&) = default;
};

// Once: whoever repeats it gets the record of the first.
Result<Erasure> EraseSubject(EventStore& store, std::string_view subject,
                             const EraseOptions& options = {});

// Sorted by subject.
Result<std::vector<Erasure>> ListErasures(EventStore& store);

struct RedactOptions {
  std::string by = {};      // who redacts
  std::string reason = {};  // and why, for the record
};

// The record that it happened.
struct Redaction {
  std::string event_id;
  std::uint64_t position = 0;
  std::string redacted_at = {};  // ISO 8601
  std::string by = {};
  std::string reason = {};

  friend bool operator==(const Redaction&, const Redaction&) = default;
};

// Once: whoever repeats it gets the record of the first, and everything is looked at again, which
// completes what was cut off. Fails with kNotFound when there is no such event, and with kValidation
// when it has no payload.
Result<Redaction> RedactEvent(EventStore& store, std::string_view event_id,
                              const RedactOptions& options = {});

// In the order of the log.
Result<std::vector<Redaction>> ListRedactions(EventStore& store);

}  // namespace stator::events
