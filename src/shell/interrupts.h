// Ctrl-C while a statement runs: the statement is given up, the shell goes on.
//
// What runs does so on a thread of its own. When somebody does not want to wait any longer the
// thread is left behind; it ends when its call does, and the destructor waits for that.
//
// THREADS: one of these at a time, used by one thread.

#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace stator::shell {

class Interrupts {
 public:
  // Takes SIGINT over.
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  // An interrupt that came before this is about nothing that comes behind it.
  void Forget();

  // False when SIGINT came first since Forget, or it took longer than `most`; `work` may then still
  // be running, so it must own what it uses.
  bool Run(std::function<void()> work,
           std::optional<std::chrono::milliseconds> most = std::nullopt);

 private:
  struct Task {
    std::thread thread;
    std::shared_ptr<std::atomic<bool>> done = std::make_shared<std::atomic<bool>>(false);
  };
  // Waits for the next thing to happen; false when `most` passed. Sets interrupted_.
  bool Wait(std::optional<std::chrono::milliseconds> most);

  std::array<int, 2> pipe_ = {-1, -1};  // a byte for whatever happens
  bool interrupted_ = false;
  std::vector<Task> left_behind_;
};

}  // namespace stator::shell
