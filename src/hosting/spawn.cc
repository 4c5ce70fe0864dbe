#include "hosting/spawn.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <signal.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/try.h"

namespace stator::hosting {
namespace {

constexpr int kReport = 3;  // where the child says why it could not begin

struct Pipe {
  Descriptor read;
  Descriptor write;
};

std::unexpected<Error> SystemFailure(const std::string& what, int code) {
  return Fail(ErrorCode::kIo, what + ": " + std::generic_category().message(code));
}

Result<Pipe> OpenPipe() {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return SystemFailure("no pipe", errno);
  }
  return Pipe{.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
}

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) {
    // The system's interface has no const; it does not change them.
    pointers.push_back(const_cast<char*>(text.c_str()));  // NOLINT(*-const-cast)
  }
  pointers.push_back(nullptr);
  return pointers;
}

// All that the child needs, made before it exists: between fork and exec nothing may be allocated.
struct Plan {
  const char* program;
  const char* directory;
  char* const* argv;
  char* const* environment;
  pid_t parent;
  std::array<int, 4> descriptors;  // that become 0 to 3
};

[[noreturn]] void GiveUp() {
  const int code = errno;
  static_cast<void>(!write(kReport, &code, sizeof code));
  _exit(127);
}

// Moves the descriptors out of the way first, so that none overwrites another.
void PlaceDescriptors(const Plan& plan) {
  std::array<int, 4> high = {};
  for (std::size_t at = 0; at < high.size(); ++at) {
    high[at] = fcntl(plan.descriptors[at], F_DUPFD, 16);
  }
  for (std::size_t at = 0; at < high.size(); ++at) {
    dup2(high[at], static_cast<int>(at));
  }
  fcntl(kReport, F_SETFD, FD_CLOEXEC);
  close_range(kReport + 1, ~0U, 0);
}

[[noreturn]] void BecomeProgram(const Plan& plan) {
  setpgid(0, 0);
  PlaceDescriptors(plan);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) {
    _exit(127);  // The server ended before it could be said that we end with it.
  }
  for (int number = 1; number < NSIG; ++number) {
    signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (chdir(plan.directory) != 0) {
    GiveUp();
  }
  execve(plan.program, plan.argv, plan.environment);
  GiveUp();
}

void DoNotBlock(const Descriptor& descriptor) {
  fcntl(descriptor.number(), F_SETFL, O_NONBLOCK);
}

}  // namespace

Result<Spawned> Spawn(const Command& command) {
  Pipe input = TRY(OpenPipe());
  Pipe output = TRY(OpenPipe());
  Pipe errors = TRY(OpenPipe());
  Pipe report = TRY(OpenPipe());
  const std::vector<char*> argv = Pointers(command.argv);
  const std::vector<char*> environment = Pointers(command.environment);
  const Plan plan{.program = command.program.c_str(),
                  .directory = command.directory.empty() ? "." : command.directory.c_str(),
                  .argv = argv.data(),
                  .environment = environment.data(),
                  .parent = getpid(),
                  .descriptors = {input.read.number(), output.write.number(), errors.write.number(),
                                  report.write.number()}};
  const pid_t pid = fork();
  if (pid < 0) {
    return SystemFailure("no process", errno);
  }
  if (pid == 0) {
    BecomeProgram(plan);
  }
  setpgid(pid, pid);  // The child does so, too; whoever comes first.
  report.write.Close();
  int code = 0;
  ssize_t count = 0;
  do {
    count = read(report.read.number(), &code, sizeof code);
  } while (count < 0 && errno == EINTR);
  Descriptor process(count > 0 ? -1 : static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!process.is_open()) {
    code = count > 0 ? code : errno;
    kill(-pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    return SystemFailure(command.program, code);
  }
  for (const Descriptor* const end : {&input.write, &output.read, &errors.read}) {
    DoNotBlock(*end);
  }
  return Spawned{.pid = pid,
                 .process = std::move(process),
                 .input = std::move(input.write),
                 .output = std::move(output.read),
                 .errors = std::move(errors.read)};
}

}  // namespace stator::hosting
