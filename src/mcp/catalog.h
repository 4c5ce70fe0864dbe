// What the server offers: tools, prompts, resources. They may come and go; whoever has found one
// keeps it.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/mutex.h"
#include "stator/mcp/resource.h"

namespace stator::mcp {

// Things by their names, in the order of the names.
template <class T>
class Shelf {
 public:
  using Pointer = std::shared_ptr<const T>;

  void Add(std::string name, T thing) {
    const MutexLock lock(mutex_);
    things_.insert_or_assign(std::move(name), std::make_shared<const T>(std::move(thing)));
  }
  bool Remove(std::string_view name) {
    const MutexLock lock(mutex_);
    const auto found = things_.find(name);
    if (found == things_.end()) {
      return false;
    }
    things_.erase(found);
    return true;
  }
  // Null when there is none.
  [[nodiscard]] Pointer Find(std::string_view name) const {
    const MutexLock lock(mutex_);
    const auto found = things_.find(name);
    return found == things_.end() ? nullptr : found->second;
  }
  // At most `count`, behind the one that has this name.
  [[nodiscard]] std::vector<Pointer> After(const std::optional<std::string>& name,
                                           std::size_t count) const {
    const MutexLock lock(mutex_);
    std::vector<Pointer> page;
    for (auto at = name ? things_.upper_bound(*name) : things_.begin();
         at != things_.end() && page.size() < count; ++at) {
      page.push_back(at->second);
    }
    return page;
  }
  [[nodiscard]] bool IsEmpty() const {
    const MutexLock lock(mutex_);
    return things_.empty();
  }

 private:
  mutable Mutex mutex_;
  std::map<std::string, Pointer, std::less<>> things_ STATOR_GUARDED_BY(mutex_);
};

struct Catalog {
  Shelf<Tool> tools;
  Shelf<Prompt> prompts;
  Shelf<Resource> resources;  // by uri
  Shelf<Resource> templates;  // by uri template
};

// The values of the names in a template that `uri` fits; nothing when it does not.
std::optional<JsonObject> MatchTemplate(std::string_view uri_template, std::string_view uri);

}  // namespace stator::mcp
