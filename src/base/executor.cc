#include "base/executor.h"

#include <sys/resource.h>

#include <algorithm>
#include <pthread.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace stator::base {
namespace {

constexpr int kPoolNice = 10;
constexpr std::size_t kThreadsPerCore = 4;

std::size_t PoolThreads(std::size_t wanted) {
  if (wanted > 0) {
    return wanted;
  }
  const std::size_t cores = std::thread::hardware_concurrency();
  return kThreadsPerCore * std::max<std::size_t>(1, cores > 0 ? cores - 1 : 0);
}

void NameThisThread(const std::string& name) {
  pthread_setname_np(pthread_self(), name.c_str());
}

}  // namespace

Executor::Executor(std::size_t pool_threads) {
  for (std::size_t number = 0; number < PoolThreads(pool_threads); ++number) {
    threads_.emplace_back([this, number] {
      NameThisThread("stator-pool-" + std::to_string(number));
      // The priority is a thread's own here. A system that refuses it serves as before.
      setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kPoolNice);
      Run(Threads::kPool);
    });
  }
  threads_.emplace_back([this] {
    NameThisThread("stator-control");
    Run(Threads::kControl);
  });
}

void Executor::Post(Threads threads, Task task) {
  {
    const MutexLock lock(mutex_);
    if (!stopped_) {
      Queue& queue = QueueOf(threads);
      queue.tasks.push_back(std::move(task));
      queue.changed.NotifyOne();
      return;
    }
  }
  task();
}

void Executor::Stop() {
  {
    const MutexLock lock(mutex_);
    if (std::exchange(stopping_, true)) {
      return;
    }
    for (Queue& queue : queues_) {
      queue.changed.NotifyAll();
    }
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
  // What tasks of the pool posted to the control thread, or it to the pool, after its threads had gone.
  MutexLock lock(mutex_);
  for (Queue& queue : queues_) {
    while (!queue.tasks.empty()) {
      Task task = std::move(queue.tasks.front());
      queue.tasks.pop_front();
      lock.Unlock();
      task();
      lock.Lock();
    }
  }
  stopped_ = true;
}

Executor::Load Executor::LoadOf(Threads threads) const {
  const MutexLock lock(mutex_);
  const Queue& queue = queues_[static_cast<std::size_t>(threads)];
  return {.waiting = queue.tasks.size(), .running = queue.running, .begun = queue.begun};
}

void Executor::Run(Threads threads) {
  MutexLock lock(mutex_);
  Queue& queue = QueueOf(threads);
  while (true) {
    queue.changed.Wait(lock,
                       [&]() STATOR_REQUIRES(mutex_) { return stopping_ || !queue.tasks.empty(); });
    if (queue.tasks.empty()) {
      return;
    }
    Task task = std::move(queue.tasks.front());
    queue.tasks.pop_front();
    ++queue.running;
    ++queue.begun;
    lock.Unlock();
    task();
    task = nullptr;  // What it held goes before it counts as ended.
    lock.Lock();
    --queue.running;
  }
}

}  // namespace stator::base
