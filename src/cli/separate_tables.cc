#include "cli/separate_tables.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "base/work.h"
#include "wire/error_names.h"

namespace stator::cli {
namespace {

// It becomes a name of a directory.
bool IsPlain(std::string_view text) {
  return !text.empty() && text.size() <= 128 && std::ranges::all_of(text, [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
           (each >= '0' && each <= '9') || each == '-';
  });
}

}  // namespace

Result<wire::Handler*> SeparateTables::Find(const wire::Caller& caller) {
  if (caller.access_key_id.empty()) {
    return &unsigned_requests_;
  }
  if (!IsPlain(caller.access_key_id) || !IsPlain(caller.region)) {
    return Fail(ErrorCode::kUnrecognizedClient, "The Access Key ID or security token is invalid.");
  }
  std::string name(caller.access_key_id);
  name.append("_").append(caller.region);
  if (wire::Handler* const open = FindOpen(name)) {
    return open;
  }
  TRY_VOID(base::AskToWait());  // Opening reads and writes files.
  const MutexLock opening(opening_);
  if (wire::Handler* const open = FindOpen(name)) {
    return open;
  }
  if (opened_ == kSeparateCallersMax) {
    return Fail(ErrorCode::kLimitExceeded,
                "This server keeps tables of their own for at most " +
                    std::to_string(kSeparateCallersMax) +
                    " access keys and regions; start it with -sharedDb, or ask with fewer");
  }
  auto tables = std::make_unique<Tables>(TRY(open_(name)), like_dynamodb_local_);
  ++opened_;
  const MutexLock lock(mutex_);
  return &tables_.emplace(name, std::move(tables)).first->second->handler;
}

wire::Handler* SeparateTables::FindOpen(const std::string& name) {
  const MutexLock lock(mutex_);
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : &found->second->handler;
}

void SeparateTables::Handle(const wire::Request& request, Done done) {
  const Result<wire::Handler*> handler = Find(request.caller);
  if (!handler) {
    return done(wire::AnswerFor(handler.error()));
  }
  (*handler)->Handle(request, std::move(done));
}

Result<void> SeparateTables::Close() {
  const MutexLock lock(mutex_);
  Result<void> closed;
  for (const auto& [name, tables] : tables_) {
    Result<void> one = tables->engine->Close();
    if (closed && !one) {
      closed = std::move(one);
    }
  }
  return closed;
}

}  // namespace stator::cli
