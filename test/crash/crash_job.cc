// The program that job_kill_test kills: asks for a job (jobs.h) on a disk whose syncs stand, or whose
// writes do, all but the first few, and says with a character each what has happened.
//
//   crash_job PATH JOB sync|write COUNT
//
// 'A': the request was answered. 'S': a sync or a write stands, so that nothing goes on, and nobody who looks
// sees a part of the job. 'D': the job is done; the program ends. Exit code 1 means a wrong answer, 2 a
// wrong call.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "engine/engine.h"
#include "jobs.h"
#include "storage/faulty_disk.h"
#include "workload.h"

namespace stator::crash {
namespace {

constexpr int kArguments = 5;
// More than a test waits for; if nobody kills this program it ends by itself.
constexpr std::chrono::minutes kLongest{2};

void SayAndExit(const std::string& text) {
  std::fprintf(stderr, "crash_job: %s\n", text.c_str());
  std::_Exit(1);
}

void Say(char mark) {
  if (write(STDOUT_FILENO, &mark, 1) != 1) {
    SayAndExit("nobody listens any more");
  }
}

[[noreturn]] void StandUntilKilled() {
  Say('S');
  SystemClock().SleepFor(kLongest);
  std::_Exit(1);
}

int Run(const std::string& path, const Job& job, bool at_write, std::uint64_t count) {
  ManualClock clock(kNow + job.later);
  const auto disk = storage::FaultyDisk::OnFiles();
  const Result<std::unique_ptr<engine::Engine>> engine =
      engine::Engine::Open({.store = {.path = path, .disk = disk},
                            .clock = &clock,
                            .housekeeping_interval = std::chrono::milliseconds(0),
                            .going_back = job.going_back,
                            .walks = kJobWalks,
                            .change_receiver = job.receiver});
  if (!engine) {
    SayAndExit("opening: " + engine.error().message);
  }
  if (at_write) {
    disk->CallAtWrite(count, StandUntilKilled);
  } else {
    disk->HoldSyncs();
    disk->LetSyncs(count);
  }
  const std::jthread asking([&] {
    if (const Result<void> asked = job.request(**engine); !asked) {
      SayAndExit(job.name + ": " + asked.error().message);
    }
    Say('A');
    (*engine)->AwaitBackgroundJobs();
    Say('D');
    std::_Exit(0);
  });
  if (at_write) {
    SystemClock().SleepFor(kLongest);
    std::_Exit(1);
  }
  disk->AwaitHeldSync();
  if (job.is_all_or_nothing && !job.is_all_or_nothing(**engine)) {
    SayAndExit(job.name + ": a part of it is seen");
  }
  StandUntilKilled();
}

}  // namespace
}  // namespace stator::crash

int main(int count, char** values) {
  using stator::crash::Job;
  const std::vector<Job> jobs = stator::crash::Jobs();
  const std::vector<std::string> words(values, values + count);
  const auto job = words.size() != stator::crash::kArguments
                       ? jobs.end()
                       : std::ranges::find(jobs, words[2], &Job::name);
  if (job == jobs.end() || (words[3] != "sync" && words[3] != "write")) {
    std::fprintf(stderr, "usage: crash_job PATH JOB sync|write COUNT\n");
    return 2;
  }
  return stator::crash::Run(words[1], *job, words[3] == "write", std::stoull(words[4]));
}
