// The sessions of the HTTP transport by their ids.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mcp/session.h"
#include "stator/base/mutex.h"
#include "stator/mcp/http.h"

namespace stator::mcp {

class HttpSessions {
 public:
  HttpSessions(McpServer& server, const HttpOptions& options)
      : server_(server), options_(options) {}

  // False when there are too many, even without those that have been idle for long.
  bool Add(std::shared_ptr<Session> session) {
    RemoveIdle();
    const MutexLock lock(mutex_);
    if (sessions_.size() >= options_.sessions_max) {
      return false;
    }
    std::string id = session->id();
    sessions_.emplace(std::move(id), Entry{.session = std::move(session), .used = Now()});
    return true;
  }

  // Null when there is none, or when it belongs to somebody else.
  std::shared_ptr<Session> Find(const std::string& id, const tasks::Owner& owner) {
    const MutexLock lock(mutex_);
    const auto found = sessions_.find(id);
    if (found == sessions_.end() || found->second.session->owner().id != owner.id ||
        found->second.session->owner().is_anonymous != owner.is_anonymous) {
      return nullptr;
    }
    found->second.used = Now();
    return found->second.session;
  }

  void Remove(const std::shared_ptr<Session>& session) {
    {
      const MutexLock lock(mutex_);
      sessions_.erase(session->id());
    }
    server_.CloseSession(session);
  }

  void RemoveAll() {
    RemoveWhere([](const Entry&) { return true; });
  }

 private:
  struct Entry {
    std::shared_ptr<Session> session;
    Duration used;
  };

  [[nodiscard]] Duration Now() const { return options_.clock->Elapsed(); }

  void RemoveIdle() {
    const Duration limit = Now() - options_.session_idle_time;
    RemoveWhere([&](const Entry& entry) { return entry.used < limit && !entry.session->IsBusy(); });
  }

  void RemoveWhere(const auto& condition) {
    std::vector<std::shared_ptr<Session>> removed;
    {
      const MutexLock lock(mutex_);
      std::erase_if(sessions_, [&](const auto& item) {
        const bool goes = condition(item.second);
        if (goes) {
          removed.push_back(item.second.session);
        }
        return goes;
      });
    }
    for (const std::shared_ptr<Session>& session : removed) {
      server_.CloseSession(session);
    }
  }

  McpServer& server_;
  const HttpOptions& options_;
  Mutex mutex_;
  std::map<std::string, Entry> sessions_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::mcp
