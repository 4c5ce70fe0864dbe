#include "server/worker.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <pthread.h>

#include "base/check.h"
#include "base/serving_thread.h"
#include "server/connection.h"
#include "server/descriptors.h"
#include "wire/http_date.h"

namespace stator::server {
namespace {

namespace asio = boost::asio;

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): which worker a thread is.
thread_local const Worker* current_worker = nullptr;

}  // namespace

struct Worker::Loop {
  asio::io_context context{1};  // one thread runs it
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  asio::basic_waitable_timer<std::chrono::steady_clock,
                             asio::wait_traits<std::chrono::steady_clock>,
                             asio::io_context::executor_type>
      timer{context};
};

Worker::Worker(std::shared_ptr<ServerState> server, std::size_t number,
               const std::function<std::string()>& metrics_page)
    : server_(std::move(server)),
      number_(number),
      dispatcher_(server_->options, server_->handler, metrics_page,
                  [this] { return server_->stopping.load(); }),
      request_ids_(server_->options.random),
      loop_(std::make_unique<Loop>()) {}

Worker::~Worker() {
  CHECK_THAT(!thread_.joinable(), "a worker goes while it runs");
}

void Worker::Start() {
  ScheduleCheck();
  thread_ = std::thread([this] { Run(); });
  pthread_setname_np(thread_.native_handle(), ("stator-io-" + std::to_string(number_)).c_str());
}

void Worker::Finish(Duration deadline) {
  asio::post(loop_->context, [this, deadline] {
    drop_all_at_ = deadline;
    // Connections leave the list while it is walked.
    const std::vector<std::shared_ptr<Connection>> open = connections_;
    for (const std::shared_ptr<Connection>& connection : open) {
      connection->Finish();
    }
    CheckTimes();
  });
}

void Worker::Stop() {
  {
    // Answers that come later would keep connections, and these the worker, for ever.
    const MutexLock lock(answers_mutex_);
    takes_answers_ = false;
    answers_.clear();
  }
  // Not context.stop(): handlers that it left would keep connections, too.
  asio::post(loop_->context, [this] {
    checks_times_ = false;
    loop_->timer.cancel();
    loop_->work.reset();
  });
  thread_.join();
}

void Worker::Adopt(std::unique_ptr<Socket> socket, std::string remote) {
  load_.fetch_add(1, std::memory_order_relaxed);
  asio::post(
      loop_->context, [this, socket = std::move(socket), remote = std::move(remote)]() mutable {
        const std::size_t limit = server_->options.limits.connections;
        while (server_->open_connections() > limit && MakeRoom()) {
        }
        auto connection =
            std::make_shared<Connection>(shared_from_this(), std::move(socket), std::move(remote));
        connection->place = connections_.size();
        connections_.push_back(connection);
        if (server_->open_connections() > limit) {
          server_->refused.Add();
          server_->open_connections() > limit + kTurnedAwayMax ? connection->Drop()
                                                               : connection->TurnAway();
        } else if (server_->stopping) {
          connection->Drop();
        } else {
          connection->Start();
        }
      });
}

void Worker::SetCredentials(std::shared_ptr<const Credentials> credentials) {
  asio::post(loop_->context, [this, credentials = std::move(credentials)]() mutable {
    dispatcher_.SetCredentials(std::move(credentials));
  });
}

void Worker::MakeRoomSoon() {
  asio::post(loop_->context, [this] { MakeRoom(); });
}

void Worker::Complete(std::shared_ptr<Connection> connection, wire::Answer answer) {
  bool was_empty = false;
  {
    const MutexLock lock(answers_mutex_);
    if (!takes_answers_) {
      return;
    }
    was_empty = answers_.empty();
    answers_.emplace_back(std::move(connection), std::move(answer));
  }
  if (was_empty) {
    // Wakes the thread once for all answers that pile up until it comes.
    asio::post(loop_->context, [this] { DeliverAnswers(); });
  }
}

asio::io_context& Worker::context() {
  return loop_->context;
}

bool Worker::IsCurrentThread() const {
  return current_worker == this;
}

void Worker::Resume(std::shared_ptr<Connection> connection) {
  asio::post(loop_->context, [connection = std::move(connection)] { connection->Resume(); });
}

void Worker::Post(std::move_only_function<void()> task) {
  asio::post(loop_->context, [task = std::move(task)]() mutable { task(); });
}

void Worker::Remove(Connection& connection) {
  const std::size_t place = connection.place;
  CHECK(place < connections_.size() && connections_[place].get() == &connection);
  // The list may hold the last reference.
  const std::shared_ptr<Connection> removed = std::move(connections_[place]);
  if (place + 1 != connections_.size()) {
    connections_[place] = std::move(connections_.back());
    connections_[place]->place = place;
  }
  connections_.pop_back();
  load_.fetch_sub(1, std::memory_order_relaxed);
  server_->RemoveConnection();
}

std::string_view Worker::HttpDate() {
  if (date_.empty() || now_ >= date_until_) {
    const TimePoint time = server_->options.clock.Now();
    const Duration into_second = time - std::chrono::floor<std::chrono::seconds>(time);
    date_ = wire::FormatHttpDate(time);
    date_until_ = now_ + std::chrono::seconds(1) - into_second;
  }
  return date_;
}

void Worker::Run() {
  const base::ServingThread mark;
  current_worker = this;
  loop_->context.run();
  current_worker = nullptr;
}

void Worker::ScheduleCheck() {
  loop_->timer.expires_after(server_->options.limits.check_interval);
  loop_->timer.async_wait([this](const boost::system::error_code& error) {
    // A timer that fired just before it was cancelled reports no error.
    if (!error && checks_times_) {
      CheckTimes();
      ScheduleCheck();
    }
  });
}

void Worker::CheckTimes() {
  const Duration now = Tick();
  // From the back, because a dropped connection is replaced by the last.
  for (std::size_t at = connections_.size(); at > 0; --at) {
    // The list may hold the last reference.
    const std::shared_ptr<Connection> connection = connections_[at - 1];
    if (now >= drop_all_at_) {
      connection->Drop();
    } else {
      connection->DropIfLate(now);
      connection->DropIfGone(now);
    }
  }
}

void Worker::DeliverAnswers() {
  std::vector<std::pair<std::shared_ptr<Connection>, wire::Answer>> answers;
  {
    const MutexLock lock(answers_mutex_);
    answers.swap(answers_);
  }
  Tick();
  for (auto& [connection, answer] : answers) {
    connection->TakeAnswer(std::move(answer));
  }
}

bool Worker::MakeRoom() {
  Connection* victim = nullptr;
  for (const std::shared_ptr<Connection>& connection : connections_) {
    if (connection->CanBeMissed() &&
        (victim == nullptr || connection->waiting_since() < victim->waiting_since())) {
      victim = connection.get();
    }
  }
  if (victim == nullptr) {
    return false;
  }
  server_->evicted.Add();
  victim->Drop();
  return true;
}

}  // namespace stator::server
