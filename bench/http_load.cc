// Keeps a number of HTTP connections busy with prepared requests, one at a time on each, and says
// how many were answered, how long they took and how much processor time the server spent. One
// thread, epoll, no allocation per request: on two cores the generator must cost less than what it
// measures.
//
//   http_load PORT CONNECTIONS SECONDS FILE PID...      for so long, after a tenth of it to warm up
//   http_load PORT CONNECTIONS count FILE PID...        every request of the file once
//
// FILE holds whole requests, each behind its length as 32 bits, little-endian. Connection i of n
// begins at i/n of the file, so that no two send the same request at the same time. PIDs are the
// processes whose time counts. Prints one line of JSON.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace stator::bench {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "http_load: %s\n", what.c_str());
  std::exit(1);
}

std::vector<std::string> ReadRequests(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<std::string> requests;
  std::size_t at = 0;
  while (at + 4 <= bytes.size()) {
    std::uint32_t size = 0;
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&size, bytes.data() + at, sizeof(size));
    requests.push_back(bytes.substr(at + sizeof(size), size));
    at += sizeof(size) + size;
  }
  if (requests.empty() || at != bytes.size()) {
    Die(std::string("no whole requests in ") + path);
  }
  return requests;
}

// User and system time of a process with all of its threads, in seconds.
double ProcessorSeconds(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  // The second field is the name in parentheses and may contain anything.
  std::size_t at = text.rfind(')');
  if (at == std::string::npos) {
    Die("there is no process " + pid);
  }
  constexpr int kUserTime = 14;
  unsigned long long ticks = 0;
  for (int field = 2; field < kUserTime + 1; ++field) {
    at = text.find(' ', at + 1);
    if (field >= kUserTime - 1) {
      ticks += std::strtoull(text.c_str() + at, nullptr, 10);
    }
  }
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double ProcessorSeconds(const std::vector<std::string>& pids) {
  double seconds = 0;
  for (const std::string& pid : pids) {
    seconds += ProcessorSeconds(pid);
  }
  return seconds;
}

// The value of a header line, whose name is given in lower case with its colon.
std::optional<std::string_view> FindField(std::string_view head, std::string_view name) {
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos;
       at = head.find("\r\n", at)) {
    at += 2;
    const std::string_view line = head.substr(at, head.find("\r\n", at) - at);
    const auto same = [](char left, char right) {
      return std::tolower(static_cast<unsigned char>(left)) == right;
    };
    if (line.size() > name.size() &&
        std::equal(name.begin(), name.end(), line.begin(),
                   [&](char wanted, char found) { return same(found, wanted); })) {
      const std::size_t value = line.find_first_not_of(' ', name.size());
      return value == std::string_view::npos ? "" : line.substr(value);
    }
  }
  return std::nullopt;
}

// The end of a chunked body that begins at `at`; nothing when it is not all there.
std::optional<std::size_t> ChunkedEnd(std::string_view text, std::size_t at) {
  while (true) {
    const std::size_t line = text.find("\r\n", at);
    if (line == std::string_view::npos) {
      return std::nullopt;
    }
    std::size_t size = 0;
    std::from_chars(text.data() + at, text.data() + line, size, 16);
    at = line + 2 + size + 2;
    if (at > text.size()) {
      return std::nullopt;
    }
    if (size == 0) {
      return at;
    }
  }
}

struct Answer {
  std::size_t size;
  bool ok;  // status 200
};

// The answer that `text` begins with; nothing when it is not all there.
std::optional<Answer> ParseAnswer(std::string_view text) {
  const std::size_t head_end = text.find("\r\n\r\n");
  if (head_end == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view head = text.substr(0, head_end + 2);
  const bool ok = head.substr(8, 5) == " 200 ";
  const std::size_t body = head_end + 4;
  if (const auto length = FindField(head, "content-length:")) {
    std::size_t size = 0;
    std::from_chars(length->data(), length->data() + length->size(), size);
    return text.size() >= body + size ? std::optional(Answer{body + size, ok}) : std::nullopt;
  }
  if (FindField(head, "transfer-encoding:")) {
    const auto end = ChunkedEnd(text, body);
    return end ? std::optional(Answer{*end, ok}) : std::nullopt;
  }
  Die("an answer without a length: " + std::string(head));
}

struct Connection {
  int descriptor = -1;
  std::size_t next = 0;  // the request to send
  std::string received;  // of the answer to the one before
  SteadyTime begun;      // when that was sent
};

// Times of answers in microseconds, counted in buckets that are 1/16 of their value wide.
class Latencies {
 public:
  void Add(std::chrono::nanoseconds time) {
    const auto micros = static_cast<std::uint64_t>(time.count() / 1000);
    ++counts_.at(BucketOf(micros));
    ++total_;
  }

  void Clear() {
    counts_.fill(0);
    total_ = 0;
  }

  [[nodiscard]] double Quantile(double share) const {
    auto left = static_cast<std::uint64_t>(share * static_cast<double>(total_));
    for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
      if (left < counts_.at(bucket)) {
        return static_cast<double>(LowestOf(bucket));
      }
      left -= counts_.at(bucket);
    }
    return 0;
  }

 private:
  static constexpr std::size_t kFine = 16;

  static std::size_t BucketOf(std::uint64_t micros) {
    if (micros < kFine) {
      return micros;
    }
    const auto shift = static_cast<std::size_t>(std::bit_width(micros) - std::bit_width(kFine));
    return std::min(shift * kFine + (micros >> shift), kBuckets - 1);
  }

  static std::uint64_t LowestOf(std::size_t bucket) {
    if (bucket < 2 * kFine) {
      return bucket;
    }
    const std::size_t shift = bucket / kFine - 1;
    return (bucket - shift * kFine) << shift;
  }

  static constexpr std::size_t kBuckets = 512;
  std::array<std::uint64_t, kBuckets> counts_{};
  std::uint64_t total_ = 0;
};

class Load {
 public:
  Load(std::uint16_t port, std::size_t connections, std::vector<std::string> requests)
      : port_(port),
        requests_(std::move(requests)),
        connections_(connections),
        epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    for (std::size_t index = 0; index < connections; ++index) {
      connections_[index].next = index * requests_.size() / connections;
      Connect(index);
    }
  }

  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  ~Load() {
    for (const Connection& connection : connections_) {
      ::close(connection.descriptor);
    }
    ::close(epoll_);
  }

  // Goes on for so long.
  void RunFor(std::chrono::duration<double> time) {
    const SteadyTime end = std::chrono::steady_clock::now() +
                           std::chrono::duration_cast<std::chrono::steady_clock::duration>(time);
    Start();
    while (std::chrono::steady_clock::now() < end) {
      Step(/*again=*/true);
    }
    while (in_flight_ > 0) {  // An answer that nobody reads would be counted to the next round.
      Step(/*again=*/false);
    }
  }

  // Sends every request once.
  void RunOnce() {
    left_ = requests_.size();
    next_shared_ = 0;
    shares_ = true;
    Start();
    while (in_flight_ > 0) {
      Step(/*again=*/true);
    }
  }

  void Clear() {
    answers_ = 0;
    failures_ = 0;
    latencies_.Clear();
  }

  [[nodiscard]] std::uint64_t answers() const { return answers_; }
  [[nodiscard]] std::uint64_t failures() const { return failures_; }
  [[nodiscard]] const std::string& first_failure() const { return first_failure_; }
  [[nodiscard]] const Latencies& latencies() const { return latencies_; }

 private:
  void Connect(std::size_t index) {
    Connection& connection = connections_[index];
    connection.descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(connection.descriptor, reinterpret_cast<const sockaddr*>(&address),
                  sizeof(address)) != 0) {
      Die(std::string("cannot connect: ") + std::strerror(errno));
    }
    const int on = 1;
    ::setsockopt(connection.descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    epoll_event interest{};
    interest.events = EPOLLIN;
    interest.data.u64 = index;
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.descriptor, &interest);
  }

  void Start() {
    for (Connection& connection : connections_) {
      SendNext(connection);
    }
  }

  // May block, but requests fit into the socket's buffer, which is empty when one is sent.
  void SendNext(Connection& connection) {
    if (shares_) {
      if (left_ == 0) {
        return;
      }
      --left_;
      connection.next = next_shared_++;
    }
    std::string_view rest = requests_[connection.next];
    connection.next = (connection.next + 1) % requests_.size();
    connection.begun = std::chrono::steady_clock::now();
    ++in_flight_;
    while (!rest.empty()) {
      const ssize_t count = ::send(connection.descriptor, rest.data(), rest.size(), MSG_NOSIGNAL);
      if (count <= 0) {
        Die(std::string("cannot send: ") + std::strerror(errno));
      }
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  // Waits for answers, and sends further requests when told to go on.
  void Step(bool again) {
    std::array<epoll_event, 64> events{};
    const int count = ::epoll_wait(epoll_, events.data(), events.size(), kPatienceMs);
    if (count == 0) {
      Die("no answer for half a minute");
    }
    for (int index = 0; index < count; ++index) {
      Connection& connection = connections_[events.at(static_cast<std::size_t>(index)).data.u64];
      Read(connection);
      if (const auto answer = ParseAnswer(connection.received)) {
        Count(connection, *answer);
        connection.received.erase(0, answer->size);
        if (again) {
          SendNext(connection);
        }
      }
    }
  }

  static void Read(Connection& connection) {
    std::array<char, 65536> part;  // Not cleared first: that would cost more than most answers.
    const ssize_t count = ::recv(connection.descriptor, part.data(), part.size(), 0);
    if (count <= 0) {
      Die("the server has closed a connection");
    }
    connection.received.append(part.data(), static_cast<std::size_t>(count));
  }

  void Count(const Connection& connection, const Answer& answer) {
    --in_flight_;
    ++answers_;
    latencies_.Add(std::chrono::steady_clock::now() - connection.begun);
    if (!answer.ok && failures_++ == 0) {
      first_failure_ = connection.received.substr(0, std::min<std::size_t>(answer.size, 1000));
    }
  }

  static constexpr int kPatienceMs = 30'000;

  const std::uint16_t port_;
  const std::vector<std::string> requests_;
  std::vector<Connection> connections_;
  const int epoll_;
  std::size_t in_flight_ = 0;
  bool shares_ = false;  // Each request once, whichever connection is free.
  std::size_t left_ = 0;
  std::size_t next_shared_ = 0;
  std::uint64_t answers_ = 0;
  std::uint64_t failures_ = 0;
  std::string first_failure_;
  Latencies latencies_;
};

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() < 4) {
    Die("usage: http_load PORT CONNECTIONS SECONDS|count FILE PID...");
  }
  const bool once = arguments[2] == "count";
  const std::chrono::duration<double> time(once ? 0 : std::stod(arguments[2]));
  const std::vector<std::string> pids(arguments.begin() + 4, arguments.end());
  Load load(static_cast<std::uint16_t>(std::stoul(arguments[0])), std::stoul(arguments[1]),
            ReadRequests(arguments[3].c_str()));
  if (!once) {
    load.RunFor(time / 10);
    load.Clear();
  }
  const double processor_begun = ProcessorSeconds(pids);
  const SteadyTime begun = std::chrono::steady_clock::now();
  once ? load.RunOnce() : load.RunFor(time);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  const double processor = ProcessorSeconds(pids) - processor_begun;
  std::printf(R"({"answers":%llu,"failures":%llu,"seconds":%.6f,"cpu_seconds":%.3f,"p50_us":%.0f,)"
              R"("p99_us":%.0f})"
              "\n",
              static_cast<unsigned long long>(load.answers()),
              static_cast<unsigned long long>(load.failures()), taken.count(), processor,
              load.latencies().Quantile(0.5), load.latencies().Quantile(0.99));
  if (load.failures() > 0) {
    std::fprintf(stderr, "http_load: an answer that was not 200:\n%s\n",
                 load.first_failure().c_str());
  }
  return 0;
}

}  // namespace
}  // namespace stator::bench

int main(int argc, char** argv) {
  return stator::bench::Main({argv + 1, argv + argc});
}
