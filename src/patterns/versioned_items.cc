#include "stator/patterns/versioned_items.h"

#include <memory>

#include "base/limits.h"
#include "base/try.h"
#include "patterns/expiry_check.h"
#include "patterns/write_conditions.h"
#include "stator/api/database.h"
#include "stator/patterns/expiry.h"
#include "stator/patterns/requests.h"
#include "value/size.h"

namespace stator::patterns {

namespace {

// A change of more attributes than this is written as a whole item: the text of an expression may
// have 4 KB, and each change takes about 15 bytes of it.
constexpr std::size_t kChangesMax = 150;

// An item of this size is allowed whatever its bookkeeping adds, so it need not be put together to
// be measured.
constexpr std::size_t kSurelySmallBytes = limits::kItemBytesMax / 2;

Error MakeError(ErrorCode code, std::string message, WriteFacts facts = {}) {
  return {.code = code,
          .message = std::move(message),
          .detail = std::make_shared<WriteDetail>(std::move(facts))};
}

Error Ambiguous(std::optional<VersionedItem> current) {
  return MakeError(ErrorCode::kAmbiguous,
                   "the answer to a write was lost, and the item does not tell whether it was done",
                   {.current = std::move(current)});
}

Error Overtaken(ErrorCode code, VersionedItem current) {
  return MakeError(code,
                   code == ErrorCode::kAlreadyExists ? "there is such an item already"
                                                     : "somebody else changed the item meanwhile",
                   {.current = std::move(current)});
}

Error Expired(VersionedItem current) {
  return MakeError(ErrorCode::kExpired, "the item has expired", {.current = std::move(current)});
}

std::unexpected<Error> NotFound() {
  return Fail(ErrorCode::kNotFound, "there is no such item");
}

}  // namespace

VersionedItems::VersionedItems(Database& database, TableLayout layout, Options options,
                               Environment environment)
    : database_(&database),
      versioning_(
          [&layout] {
            layout.versioned = true;
            return std::move(layout);
          }(),
          options.names, options.recent_writes_kept, options.rule),
      options_(std::move(options)),
      environment_(environment) {}

WriteStamp VersionedItems::MakeStamp() const {
  return {.write_id = MakeWriteId(*environment_.random), .at = environment_.clock->Now()};
}

WriteStamp VersionedItems::MakeStamp(const Idempotency& idempotency, const Item& key) const {
  if (idempotency.kind() != Idempotency::Kind::kToken) {
    return MakeStamp();
  }
  return {.write_id = MakeWriteId(idempotency.token(), versioning_.layout(), key),
          .at = environment_.clock->Now(),
          .of_token = true};
}

Result<void> VersionedItems::CheckIdempotency(const Idempotency& idempotency) {
  if (idempotency.kind() == Idempotency::Kind::kFromContent) {
    return Invalid("a single write is named by a token, not by its content");
  }
  return {};
}

std::optional<VersionedItem> VersionedItems::CurrentIn(const Error& error) const {
  const Item* item = FindItem(error);
  return item == nullptr ? std::nullopt : std::optional(versioning_.Read(*item));
}

bool VersionedItems::IsGone(const Item& current) const {
  // Most tables have no expiry, and then nobody has to ask for the time.
  const TableLayout& layout = versioning_.layout();
  return layout.expiry_attribute && IsExpired(current, layout, environment_.clock->Now());
}

template <class Send>
VersionedItems::Sent VersionedItems::SendUntilAnswered(Send&& send) const {
  bool maybe_done = false;
  Result<Item> stored = RetryWhile(options_.retry, environment_, send, [&](const Error& error) {
    maybe_done = maybe_done || MayHaveHappened(error.code);
    return IsTransient(error.code);
  });
  return {.stored = std::move(stored), .maybe_done = maybe_done};
}

// Success, or the failure that the caller gets to see.
Result<VersionedItem> VersionedItems::Explain(Sent sent, const WriteStamp& stamp,
                                              const Revision& seen) const {
  if (sent.stored) {
    return versioning_.Read(*std::move(sent.stored));
  }
  Error error = std::move(sent.stored).error();
  if (error.code != ErrorCode::kConditionFailed) {
    return std::unexpected(sent.maybe_done ? Ambiguous(std::nullopt)
                                           : ToWriteError(std::move(error)));
  }
  std::optional<VersionedItem> current = CurrentIn(error);
  if (!current) {
    return sent.maybe_done ? std::unexpected(Ambiguous(std::nullopt)) : NotFound();
  }
  if (sent.maybe_done || stamp.of_token) {
    const WriteFate fate = versioning_.FateOf(stamp.write_id, seen, &*current);
    if (fate == WriteFate::kApplied) {
      return *std::move(current);
    }
    if (fate == WriteFate::kUnknown && sent.maybe_done) {
      return std::unexpected(Ambiguous(std::move(current)));
    }
  }
  return std::unexpected(Overtaken(ErrorCode::kConflict, *std::move(current)));
}

Result<void> VersionedItems::CheckKey(const VersionedItem& seen, const Item& item) const {
  for (const std::string& name : versioning_.layout().key_attributes) {
    const AttributeValue* before = seen.item.Find(name);
    const AttributeValue* after = item.Find(name);
    if (before == nullptr || after == nullptr || *before != *after) {
      return Invalid("a change may not touch the key attribute " + name);
    }
  }
  return {};
}

Result<void> VersionedItems::CheckSize(const Item& stored) {
  if (!value::FitsIn(limits::kItemBytesMax, stored)) {
    const std::size_t bytes = value::SizeOfItem(stored);
    return std::unexpected(MakeError(ErrorCode::kTooLarge,
                                     "the item would have " + std::to_string(bytes) + " bytes of " +
                                         std::to_string(limits::kItemBytesMax) + " allowed",
                                     {.bytes = bytes}));
  }
  return {};
}

Result<std::optional<VersionedItem>> VersionedItems::Read(Item key,
                                                          const ReadOptions& options) const {
  // The one variable that is returned is made where the caller wants it.
  Result<std::optional<VersionedItem>> read(std::in_place, std::in_place);
  if (Result<bool> found = ReadInto(std::move(key), options, **read); !found) {
    read = std::unexpected(std::move(found).error());
  } else if (!*found) {
    read->reset();
  }
  return read;
}

Result<bool> VersionedItems::ReadInto(Item key, const ReadOptions& options,
                                      VersionedItem& found) const {
  const GetItemInput input{.table_name = versioning_.layout().table_name,
                           .key = std::move(key),
                           .consistent_read = options.consistent_read};
  Result<GetItemOutput> output =
      RetryTransient(options_.retry, environment_, [&] { return database_->GetItem(input); });
  if (!output) {
    return std::unexpected(std::move(output).error());
  }
  if (!output->item || (!options.include_expired && IsGone(*output->item))) {
    return false;
  }
  found.item = *std::move(output->item);
  found.revision = versioning_.RevisionOf(found.item);
  return true;
}

Result<VersionedItem> VersionedItems::Insert(Item item, const InsertOptions& options) const {
  const TableLayout& layout = versioning_.layout();
  TRY_VOID(CheckIdempotency(options.idempotency));
  for (const std::string& name : layout.key_attributes) {
    if (!item.contains(name)) {
      return std::unexpected(KeyOf(layout, item).error());
    }
  }
  TRY_VOID(CheckExpiry(layout, item));
  const WriteStamp stamp = options.idempotency.kind() == Idempotency::Kind::kToken
                               ? MakeStamp(options.idempotency, TRY(KeyOf(layout, item)))
                               : MakeStamp();
  PutItemInput input{.table_name = layout.table_name,
                     .item = versioning_.Stamped(std::move(item), nullptr, stamp)};
  TRY_VOID(CheckSize(input.item));
  Placeholders placeholders;
  input.condition_expression = AbsentText(layout, stamp.at, placeholders);
  input.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  std::move(placeholders).Fill(input);
  Sent sent = SendUntilAnswered([&]() -> Result<Item> {
    if (Result<PutItemOutput> output = database_->PutItem(input); !output) {
      return std::unexpected(std::move(output).error());
    }
    return std::move(input.item);
  });
  Result<VersionedItem> result = Explain(std::move(sent), stamp, {});
  if (!result && result.error().code == ErrorCode::kConflict) {
    if (const std::optional<VersionedItem>& current = FactsOf(result.error()).current; current) {
      return std::unexpected(Overtaken(ErrorCode::kAlreadyExists, *current));
    }
  }
  if (!result && result.error().code == ErrorCode::kTooLarge) {
    // A database may count otherwise than CheckSize, and only the item tells by how much.
    return std::unexpected(MakeError(ErrorCode::kTooLarge, result.error().message,
                                     {.bytes = value::SizeOfItem(input.item)}));
  }
  return result;
}

// One logical write over what was seen.
Result<VersionedItem> VersionedItems::WriteOver(const VersionedItem& seen, const Item& item,
                                                const Idempotency& idempotency) const {
  const TableLayout& layout = versioning_.layout();
  TRY_VOID(CheckKey(seen, item));
  TRY_VOID(CheckIdempotency(idempotency));
  const bool of_token = idempotency.kind() == Idempotency::Kind::kToken;
  const WriteStamp stamp =
      of_token ? MakeStamp(idempotency, TRY(KeyOf(layout, item))) : MakeStamp();
  if (of_token && versioning_.Carries(seen.item, stamp.write_id)) {
    return seen;
  }
  if (!value::FitsIn(kSurelySmallBytes, item)) {
    TRY_VOID(CheckSize(versioning_.Stamped(item, &seen, stamp)));
  }
  Placeholders placeholders;
  UpdateText changes(placeholders);
  versioning_.WriteChanges(seen, item, stamp, changes);
  if (changes.size() > kChangesMax) {
    return Explain(PutOver(seen, item, stamp), stamp, seen.revision);
  }
  UpdateItemInput input{.table_name = layout.table_name,
                        .key = KeyOf(layout, item).value_or(Item())};
  input.update_expression = std::move(changes).Take();
  // What expired since it was read stays so: a write must not bring it back.
  input.condition_expression = UnchangedText(versioning_, seen.revision, stamp.at, placeholders);
  input.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  std::move(placeholders).Fill(input);
  input.return_values = ReturnValues::kAllNew;
  Sent sent = SendUntilAnswered([&]() -> Result<Item> {
    Result<UpdateItemOutput> output = database_->UpdateItem(input);
    if (!output) {
      return std::unexpected(std::move(output).error());
    }
    return std::move(output->attributes).value_or(Item());
  });
  return Explain(std::move(sent), stamp, seen.revision);
}

// The same as a whole item. It also replaces what is not locked, so that has to be as it was seen,
// too.
VersionedItems::Sent VersionedItems::PutOver(const VersionedItem& seen, const Item& item,
                                             const WriteStamp& stamp) const {
  const TableLayout& layout = versioning_.layout();
  Condition condition = versioning_.Unchanged(seen.revision) && NotExpired(layout, stamp.at);
  if (layout.expiry_attribute) {
    const AttributeValue* expiry = seen.item.Find(*layout.expiry_attribute);
    const Attribute attribute(*layout.expiry_attribute);
    condition =
        std::move(condition) && (expiry == nullptr ? attribute.NotExists() : attribute == *expiry);
  }
  PutItemInput input =
      MakePut(layout.table_name, versioning_.Stamped(item, &seen, stamp), condition);
  return SendUntilAnswered([&]() -> Result<Item> {
    if (Result<PutItemOutput> output = database_->PutItem(input); !output) {
      return std::unexpected(std::move(output).error());
    }
    return std::move(input.item);
  });
}

Result<VersionedItem> VersionedItems::Replace(const VersionedItem& seen, const Item& item,
                                              const ReplaceOptions& options) const {
  Result<VersionedItem> result = WriteOver(seen, item, options.idempotency);
  for (int round = 0; !result && result.error().code == ErrorCode::kConflict; ++round) {
    const std::optional<VersionedItem> current = FactsOf(result.error()).current;
    if (current && IsGone(current->item)) {
      return std::unexpected(Expired(*current));
    }
    const bool again = options.repeat_when_same && round == 0 && current &&
                       versioning_.SameContent(current->item, seen.item);
    if (!again) {
      break;
    }
    result = WriteOver(*current, item, options.idempotency);
  }
  return result;
}

namespace {

// What a Modify starts from in one round, and what it came to.
struct Round {
  std::optional<VersionedItem> current;
  Item next = {};
};

}  // namespace

Result<VersionedItem> VersionedItems::Modify(const Item& key, const ItemChange& change,
                                             const ModifyOptions& options) const {
  TRY_VOID(CheckIdempotency(options.idempotency));
  const WriteStamp stamp = MakeStamp(options.idempotency, key);
  const auto read = [&](const Error* overtaken) -> Result<Round> {
    std::optional<VersionedItem> current;
    if (overtaken == nullptr) {
      current = TRY(FirstRead(key, options));
    } else if (overtaken->code != ErrorCode::kNotFound) {
      // Most failures bring what was in their way.
      current = FactsOf(*overtaken).current;
      if (!current) {
        current = TRY(FirstRead(key, {}));
      } else if (IsGone(current->item)) {
        current.reset();
      }
    }
    if (current || options.initial) {
      return Round{.current = std::move(current)};
    }
    return NotFound();
  };
  const auto apply = [&](Round& round) -> Result<std::optional<VersionedItem>> {
    if (stamp.of_token && round.current &&
        versioning_.Carries(round.current->item, stamp.write_id)) {
      return std::move(round.current);  // it was done before
    }
    round.next = round.current ? round.current->item : *options.initial;
    if (!round.current) {
      for (const auto& [name, value] : key) {
        round.next.Set(name, value);
      }
    }
    const Result<Verdict> verdict = change(round.next);
    if (!verdict) {
      return std::unexpected(MakeError(ErrorCode::kRefused, verdict.error().message,
                                       {.current = round.current, .cause = verdict.error()}));
    }
    if (round.current &&
        (*verdict == Verdict::kLeave || versioning_.SameContent(round.next, round.current->item))) {
      return std::move(round.current);
    }
    if (*verdict == Verdict::kLeave) {
      return NotFound();
    }
    return std::nullopt;
  };
  const auto write = [&](Round& round) {
    return round.current ? WriteOver(*round.current, round.next, options.idempotency)
                         : Insert(std::move(round.next), {.idempotency = options.idempotency});
  };
  return ReadModifyWrite(options.retry, environment_, read, apply, write);
}

Result<std::optional<VersionedItem>> VersionedItems::FirstRead(const Item& key,
                                                               const ModifyOptions& options) const {
  Result<std::optional<VersionedItem>> read =
      Read(key, {.consistent_read = options.consistent_read});
  if (read && !*read && !options.consistent_read && !options.initial) {
    read = Read(key);  // not found is a final answer, so it takes a consistent read
  }
  if (!read) {
    return std::unexpected(ToReadError(std::move(read).error()));
  }
  return read;
}

Result<VersionedItem> VersionedItems::Upsert(Item item) const {
  const Item key = TRY(KeyOf(versioning_.layout(), item));
  return Modify(key, [&item](Item& current) { current = item; }, {.initial = Item()});
}

Result<VersionedItem> VersionedItems::Patch(const Item& key, const Update& update,
                                            const Condition& condition,
                                            const PatchOptions& options) const {
  TRY_VOID(CheckIdempotency(options.idempotency));
  const WriteStamp stamp = MakeStamp(options.idempotency, key);
  std::optional<VersionedItem> full;
  for (Retry retry(options_.retry, environment_);;) {
    Result<VersionedItem> patched =
        PatchOnce(key, update, condition, options.repeatable || stamp.of_token, stamp,
                  full ? &*full : nullptr);
    if (patched || !stamp.of_token || patched.error().code != ErrorCode::kRefused) {
      return patched;
    }
    const std::optional<VersionedItem>& current = FactsOf(patched.error()).current;
    const bool was_full = current && versioning_.IsFull(current->item) &&
                          (!full || full->revision != current->revision);
    // What is known about the item now is worth one more request, whatever time there is.
    if (!was_full || (full && !retry.Wait())) {
      return patched;
    }
    full = *current;
  }
}

Condition VersionedItems::PatchCondition(const Condition& condition, const WriteStamp& stamp,
                                         const VersionedItem* full) const {
  return (full == nullptr ? versioning_.MayTake(stamp) : versioning_.Unchanged(full->revision)) &&
         condition;
}

Update VersionedItems::PatchChanges(const Update& update, const WriteStamp& stamp,
                                    const VersionedItem* full) const {
  Update changes = update;
  changes.Merge(versioning_.BlindChanges(stamp, full));
  return changes;
}

Result<VersionedItem> VersionedItems::PatchOnce(const Item& key, const Update& update,
                                                const Condition& condition, bool repeatable,
                                                const WriteStamp& stamp,
                                                const VersionedItem* full) const {
  const TableLayout& layout = versioning_.layout();
  UpdateItemInput input =
      MakeUpdate(layout.table_name, key, PatchChanges(update, stamp, full),
                 Present(layout, stamp.at) && PatchCondition(condition, stamp, full));
  input.return_values = ReturnValues::kAllNew;
  bool maybe_done = false;
  Result<UpdateItemOutput> output = RetryWhile(
      options_.retry, environment_, [&] { return database_->UpdateItem(input); },
      [&](const Error& error) {
        maybe_done = maybe_done || MayHaveHappened(error.code);
        // Sent again it might be done twice, unless something in the condition says that it was
        // not done yet.
        return MayHaveHappened(error.code) ? repeatable : IsTransient(error.code);
      });
  if (output) {
    return versioning_.Read(std::move(output->attributes).value_or(Item()));
  }
  return ExplainPatch(
      key, {.stored = std::unexpected(std::move(output).error()), .maybe_done = maybe_done}, stamp);
}

Result<VersionedItem> VersionedItems::ExplainPatch(const Item& key, Sent sent,
                                                   const WriteStamp& stamp) const {
  const Error error = std::move(sent.stored).error();
  if (error.code == ErrorCode::kConditionFailed) {
    std::optional<VersionedItem> current = CurrentIn(error);
    if (!current) {
      return NotFound();
    }
    if ((sent.maybe_done || stamp.of_token) &&
        versioning_.FateOf(stamp.write_id, {}, &*current) == WriteFate::kApplied) {
      return *std::move(current);
    }
    if (IsGone(current->item)) {
      return std::unexpected(Expired(*std::move(current)));
    }
    return std::unexpected(
        MakeError(ErrorCode::kRefused, error.message, {.current = std::move(current)}));
  }
  if (!sent.maybe_done) {
    return std::unexpected(ToWriteError(error));
  }
  const Result<std::optional<VersionedItem>> read = Read(key, {.include_expired = true});
  std::optional<VersionedItem> current = read.value_or(std::nullopt);
  if (current && versioning_.FateOf(stamp.write_id, {}, &*current) == WriteFate::kApplied) {
    return *std::move(current);
  }
  return std::unexpected(Ambiguous(std::move(current)));
}

Result<VersionedItem> VersionedItems::Overwrite(const Item& key, const Update& update) const {
  Update changes = update;
  changes.Merge(versioning_.BlindChanges(MakeStamp()));
  UpdateItemInput input = MakeUpdate(versioning_.layout().table_name, key, changes);
  input.return_values = ReturnValues::kAllNew;
  Sent sent = SendUntilAnswered([&]() -> Result<Item> {
    Result<UpdateItemOutput> output = database_->UpdateItem(input);
    if (!output) {
      return std::unexpected(std::move(output).error());
    }
    return std::move(output->attributes).value_or(Item());
  });
  if (!sent.stored) {
    return std::unexpected(sent.maybe_done ? Ambiguous(std::nullopt)
                                           : ToWriteError(std::move(sent.stored).error()));
  }
  return versioning_.Read(*std::move(sent.stored));
}

Result<void> VersionedItems::Remove(const VersionedItem& seen,
                                    const ReplaceOptions& options) const {
  const TableLayout& layout = versioning_.layout();
  const Item key = TRY(KeyOf(layout, seen.item));
  Revision revision = seen.revision;
  bool maybe_done = false;
  for (int round = 0;; ++round) {
    const DeleteItemInput input =
        MakeDelete(layout.table_name, key, versioning_.Unchanged(revision));
    Sent sent = SendUntilAnswered([&]() -> Result<Item> {
      if (Result<DeleteItemOutput> output = database_->DeleteItem(input); !output) {
        return std::unexpected(std::move(output).error());
      }
      return Item();
    });
    maybe_done = maybe_done || sent.maybe_done;
    if (sent.stored) {
      return {};
    }
    Error error = std::move(sent.stored).error();
    if (error.code != ErrorCode::kConditionFailed) {
      return std::unexpected(maybe_done ? Ambiguous(std::nullopt) : ToWriteError(std::move(error)));
    }
    std::optional<VersionedItem> current = CurrentIn(error);
    if (!current) {
      // Nobody can tell who removed it; after an attempt without an answer it most likely was us,
      // and what was asked for is the case.
      return maybe_done ? Result<void>() : NotFound();
    }
    if (maybe_done && versioning_.FateOf({}, revision, &*current) == WriteFate::kUnknown) {
      return std::unexpected(Ambiguous(std::move(current)));
    }
    if (options.repeat_when_same && round == 0 &&
        versioning_.SameContent(current->item, seen.item)) {
      revision = current->revision;
      continue;
    }
    return std::unexpected(Overtaken(ErrorCode::kConflict, *std::move(current)));
  }
}

Result<bool> VersionedItems::RemoveUnchecked(const Item& key) const {
  DeleteItemInput input = MakeDelete(versioning_.layout().table_name, key);
  input.return_values = ReturnValues::kAllOld;
  Sent sent = SendUntilAnswered([&]() -> Result<Item> {
    Result<DeleteItemOutput> output = database_->DeleteItem(input);
    if (!output) {
      return std::unexpected(std::move(output).error());
    }
    return std::move(output->attributes).value_or(Item());
  });
  if (!sent.stored) {
    return std::unexpected(std::move(sent.stored).error());
  }
  return !sent.stored->empty() || sent.maybe_done;
}

}  // namespace stator::patterns
