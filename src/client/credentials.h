// Who signs: access keys, and where they come from. Secrets never stand in an error or a log.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "wire/sigv4.h"

namespace stator::client {

struct Credentials {
  wire::AccessKey key;
  std::optional<TimePoint> expiration = std::nullopt;  // absent: good for ever
};

// One place where credentials may be found.
//
// THREADS: called by one thread at a time.
class CredentialsProvider {
 public:
  CredentialsProvider() = default;
  CredentialsProvider(const CredentialsProvider&) = delete;
  CredentialsProvider& operator=(const CredentialsProvider&) = delete;
  virtual ~CredentialsProvider() = default;

  // Nothing when this place is not configured, so that the next one may be asked; an error when it
  // is and fails, which ends the search: another identity than the configured one would be worse.
  virtual Result<std::optional<Credentials>> Fetch() = 0;
};

class StaticCredentials final : public CredentialsProvider {
 public:
  explicit StaticCredentials(Credentials credentials) : credentials_(std::move(credentials)) {}

  Result<std::optional<Credentials>> Fetch() override { return credentials_; }

 private:
  const Credentials credentials_;
};

// Keeps what a provider found and asks it again before that expires.
//
// THREADS: may be used from many threads; while one of them fetches, the others use the old
// credentials as long as these are good.
class CredentialsCache {
 public:
  // The clock must outlive the cache.
  CredentialsCache(std::unique_ptr<CredentialsProvider> provider, Clock& clock);

  // Fails with kMissingAuthenticationToken when there are none, or as the provider fails.
  Result<std::shared_ptr<const Credentials>> Get();

  // Forgets credentials that the endpoint has called expired, so that Get fetches again.
  void Invalidate(const std::shared_ptr<const Credentials>& refused);

 private:
  // Whether they can still be used, and whether it is time for new ones.
  [[nodiscard]] bool IsGood(const Credentials& credentials) const;
  [[nodiscard]] bool IsFresh(const Credentials& credentials) const;

  Result<std::shared_ptr<const Credentials>> Fetch() STATOR_REQUIRES(fetching_);

  const std::unique_ptr<CredentialsProvider> provider_;
  Clock& clock_;

  Mutex fetching_;  // held by the one who fetches; taken before mutex_
  Mutex mutex_;
  std::shared_ptr<const Credentials> current_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::client
