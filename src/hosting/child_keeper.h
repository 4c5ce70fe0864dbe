// ChildKeeper: one thread that starts programs, feeds and reads them, and ends them when their time
// is over. Whoever waits for a program needs no thread: the child's signal is set when there is
// something to know.
//
// A child is killed with its process group: when its time is over, when it writes too much, when
// nobody wants it any more, when it ends before its own children, and with the keeper. If this
// process is killed, the system kills the child (though not what the child has started).
//
// THREADS: every method may be called from many threads.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hosting/progress_line.h"
#include "hosting/spawn.h"
#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "stator/mcp/waits.h"

namespace stator::hosting {

struct ChildRequest {
  Command command;
  std::string input = {};  // for its standard input, which is closed behind it
  Duration time_limit = std::chrono::minutes(10);
  std::size_t output_bytes_max = 128 << 10;  // of its standard output
};

enum class ChildEnd : std::uint8_t {
  kExited,     // `code` is its exit code
  kSignalled,  // `code` is the number of the signal
  kTimedOut,
  kTooMuchOutput,
  kNotStarted,  // `errors` says why
};

struct ChildOutcome {
  ChildEnd end = ChildEnd::kExited;
  int code = 0;
  std::string output = {};
  std::string errors = {};  // the last of what it wrote to standard error, without progress lines
};

class Child {
 public:
  // Is set when there is progress or the outcome.
  [[nodiscard]] const std::shared_ptr<mcp::Signal>& news() const { return news_; }
  // The last progress that was not taken yet.
  std::optional<ProgressLine> TakeProgress();
  std::optional<ChildOutcome> TakeOutcome();

 private:
  friend class ChildKeeper;

  const std::shared_ptr<mcp::Signal> news_ = std::make_shared<mcp::Signal>();
  Mutex mutex_;
  std::optional<ProgressLine> progress_ STATOR_GUARDED_BY(mutex_);
  std::optional<ChildOutcome> outcome_ STATOR_GUARDED_BY(mutex_);
  bool unwanted_ STATOR_GUARDED_BY(mutex_) = false;
};

class ChildKeeper {
 public:
  explicit ChildKeeper(Clock& clock = SystemClock());
  ChildKeeper(const ChildKeeper&) = delete;
  ChildKeeper& operator=(const ChildKeeper&) = delete;
  ~ChildKeeper();  // kills what runs

  std::shared_ptr<Child> Start(ChildRequest request);
  // Kills it if it runs; nobody asks for its outcome any more.
  void Drop(Child& child);

 private:
  struct Run;

  void Work();
  void Wake() const;
  void TakeOrders(std::vector<std::unique_ptr<Run>>& runs);
  void Begin(std::vector<std::unique_ptr<Run>>& runs, ChildRequest request,
             const std::shared_ptr<Child>& child);
  void Wait(const std::vector<std::unique_ptr<Run>>& runs) const;
  // True when the run is over.
  [[nodiscard]] bool LookAfter(Run& run) const;

  Clock& clock_;
  const Descriptor wake_;
  Mutex mutex_;
  std::vector<std::pair<ChildRequest, std::shared_ptr<Child>>> orders_ STATOR_GUARDED_BY(mutex_);
  bool stopping_ STATOR_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace stator::hosting
