#include "server/http_request.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace stator::server {
namespace {

using wire::EqualIgnoringCase;

// For each byte its lower-case form if it may stand in a token (RFC 9110, 5.6.2), else 0.
constexpr std::array<char, 256> kTokenLowerCase = [] {
  std::array<char, 256> table{};
  for (unsigned char c = 'a'; c <= 'z'; ++c) {
    table[c] = static_cast<char>(c);
    table[c - 'a' + 'A'] = static_cast<char>(c);
  }
  for (const char c : std::string_view("0123456789!#$%&'*+-.^_`|~")) {
    table[static_cast<unsigned char>(c)] = c;
  }
  return table;
}();

char TokenLowerCase(char c) {
  return kTokenLowerCase[static_cast<unsigned char>(c)];
}

bool IsControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// The first control character at or after `at`, or `end`. Most of a head is values, so this walks
// in big steps where it can.
const char* FindControl(const char* at, const char* end) {
#ifdef __SSE2__
  const __m128i last_control = _mm_set1_epi8(0x1F);
  const __m128i delete_character = _mm_set1_epi8(0x7F);
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i below_space = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
    const __m128i found = _mm_or_si128(below_space, _mm_cmpeq_epi8(bytes, delete_character));
    const auto places = static_cast<unsigned>(_mm_movemask_epi8(found));
    if (places != 0) {
      return at + std::countr_zero(places);
    }
  }
#endif
  while (at < end && !IsControl(*at)) {
    ++at;
  }
  return at;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

using KnownName = std::pair<std::string_view, KnownField>;
constexpr std::array<KnownName, kKnownFields> kKnownNames = {
    {{"host", KnownField::kHost},
     {"content-length", KnownField::kContentLength},
     {"transfer-encoding", KnownField::kTransferEncoding},
     {"connection", KnownField::kConnection},
     {"expect", KnownField::kExpect},
     {"content-type", KnownField::kContentType},
     {"content-encoding", KnownField::kContentEncoding},
     {"accept-encoding", KnownField::kAcceptEncoding},
     {"x-amz-target", KnownField::kAmzTarget},
     {"origin", KnownField::kOrigin},
     {"access-control-request-method", KnownField::kRequestedMethod},
     {"access-control-request-headers", KnownField::kRequestedHeaders},
     {"x-stator-console", KnownField::kConsole}}};

// Bit n is set when a known name has n characters: most other names are told by their length.
constexpr std::uint64_t kKnownLengths = [] {
  std::uint64_t lengths = 0;
  for (const KnownName& known : kKnownNames) {
    lengths |= std::uint64_t{1} << known.first.size();
  }
  return lengths;
}();

std::optional<KnownField> Identify(std::string_view name) {
  if (name.size() >= 64 || ((kKnownLengths >> name.size()) & 1U) == 0) {
    return std::nullopt;
  }
  const auto* const found = std::ranges::find(kKnownNames, name, &KnownName::first);
  return found == kKnownNames.end() ? std::nullopt : std::optional(found->second);
}

// Walks over a head that is known to be complete.
class HeadParser {
 public:
  HeadParser(std::span<char> bytes, RequestHead& head)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()), head_(head) {}

  std::optional<HeadProblem> Parse() {
    head_.keep_alive = true;
    head_.expects_continue = false;
    head_.framing = {};
    head_.field_count = 0;
    head_.known.fill({});
    if (auto problem = TakeRequestLine()) {
      return problem;
    }
    while (!TakeLineEnd()) {
      if (auto problem = TakeField()) {
        return problem;
      }
    }
    if (at_ != end_) {
      return HeadProblem{400, "an empty line inside the head"};
    }
    return CheckFraming();
  }

 private:
  bool TakeLineEnd() {
    if (end_ - at_ < 2 || at_[0] != '\r' || at_[1] != '\n') {
      return false;
    }
    at_ += 2;
    return true;
  }

  std::optional<HeadProblem> TakeRequestLine() {
    const char* const method = at_;
    while (at_ < end_ && TokenLowerCase(*at_) != 0) {
      ++at_;
    }
    head_.method = {method, static_cast<std::size_t>(at_ - method)};
    if (head_.method.empty() || at_ == end_ || *at_ != ' ') {
      return HeadProblem{400, "the request line does not begin with a method"};
    }
    const char* const target = ++at_;
    while (at_ < end_ && *at_ != ' ' && !IsControl(*at_)) {
      ++at_;
    }
    const std::string_view text(target, static_cast<std::size_t>(at_ - target));
    if (text.empty() || at_ == end_ || *at_ != ' ') {
      return HeadProblem{400, "the request line has no target"};
    }
    ++at_;
    if (!SplitTarget(text)) {
      return HeadProblem{400, "the target is neither a path nor a URL"};
    }
    return TakeVersion();
  }

  bool SplitTarget(std::string_view target) {
    // Clients that think they talk to a proxy send the whole URL.
    for (const std::string_view scheme : {"http://", "https://"}) {
      if (target.starts_with(scheme)) {
        target.remove_prefix(scheme.size());
        target.remove_prefix(std::min(target.find_first_of("/?"), target.size()));
        if (!target.starts_with('/')) {
          head_.path = "/";
          head_.query = target.substr(target.empty() ? 0 : 1);
          return true;
        }
      }
    }
    if (!target.starts_with('/') && target != "*") {
      return false;
    }
    const std::size_t question = std::min(target.find('?'), target.size());
    head_.path = target.substr(0, question);
    head_.query = target.substr(std::min(question + 1, target.size()));
    return true;
  }

  std::optional<HeadProblem> TakeVersion() {
    constexpr std::string_view kName = "HTTP/";
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    if (rest.size() < 10 || !rest.starts_with(kName) || rest[6] != '.' || rest[5] < '0' ||
        rest[5] > '9' || rest[7] < '0' || rest[7] > '9') {
      return HeadProblem{400, "the request line does not end in an HTTP version"};
    }
    if (rest[5] != '1') {
      return HeadProblem{505, "only HTTP/1.0 and HTTP/1.1 are spoken here"};
    }
    head_.is_http_1_0 = rest[7] == '0';
    head_.keep_alive = !head_.is_http_1_0;
    at_ += 8;
    if (!TakeLineEnd()) {
      return HeadProblem{400, "something follows the HTTP version"};
    }
    return std::nullopt;
  }

  std::optional<HeadProblem> TakeField() {
    char* const name_begin = at_;
    while (at_ < end_) {
      const char lower = TokenLowerCase(*at_);
      if (lower == 0) {
        break;
      }
      *at_++ = lower;
    }
    const std::string_view name(name_begin, static_cast<std::size_t>(at_ - name_begin));
    if (name.empty() || at_ == end_ || *at_ != ':') {
      return HeadProblem{400, "a header line is not a name and a colon"};
    }
    const char* const value_begin = ++at_;
    const char* value_end = FindControl(value_begin, end_);
    while (value_end < end_ && *value_end == '\t') {
      value_end = FindControl(value_end + 1, end_);
    }
    at_ += value_end - value_begin;
    if (!TakeLineEnd()) {
      return HeadProblem{400, "a header line holds a control character"};
    }
    const std::string_view value =
        Trimmed({value_begin, static_cast<std::size_t>(value_end - value_begin)});
    if (head_.field_count == kFieldsMax) {
      return HeadProblem{400, "too many header lines"};
    }
    head_.all_fields[head_.field_count++] = {.name = name, .value = value};
    const std::optional<KnownField> field = Identify(name);
    return field ? Note(*field, value) : std::nullopt;
  }

  // Keeps what the server needs of one field.
  std::optional<HeadProblem> Note(KnownField field, std::string_view value) {
    std::string_view& first = head_.known[static_cast<std::size_t>(field)];
    const bool repeated = first.data() != nullptr;
    switch (field) {
      case KnownField::kHost:
        if (repeated) {
          return HeadProblem{400, "more than one host"};
        }
        break;
      case KnownField::kContentLength:
        if (repeated && first != value) {
          return HeadProblem{400, "two lengths that differ"};
        }
        if (!ReadLength(value)) {
          return HeadProblem{400, "the length is no number"};
        }
        break;
      case KnownField::kTransferEncoding:
        if (repeated || !EqualIgnoringCase(value, "chunked")) {
          return HeadProblem{501, "the only transfer encoding known here is chunked"};
        }
        head_.framing.chunked = true;
        break;
      case KnownField::kConnection:
        if (ListsToken(value, "close")) {
          head_.keep_alive = false;
        } else if (head_.is_http_1_0 && ListsToken(value, "keep-alive")) {
          head_.keep_alive = true;
        }
        break;
      case KnownField::kExpect:
        if (!EqualIgnoringCase(value, "100-continue")) {
          return HeadProblem{417, "the only expectation known here is 100-continue"};
        }
        head_.expects_continue = !head_.is_http_1_0;
        break;
      default:
        break;
    }
    if (!repeated) {
      first = value;
    }
    return std::nullopt;
  }

  bool ReadLength(std::string_view value) {
    const char* const end = value.data() + value.size();
    if (value.empty() || value.front() == '-') {
      return false;
    }
    const auto [stopped, error] = std::from_chars(value.data(), end, head_.framing.content_length);
    return error == std::errc() && stopped == end;
  }

  std::optional<HeadProblem> CheckFraming() {
    if (head_.framing.chunked) {
      if (head_[KnownField::kContentLength].data() != nullptr || head_.is_http_1_0) {
        return HeadProblem{400, "chunked and of a given length at once"};
      }
    }
    if (!head_.is_http_1_0 && head_[KnownField::kHost].data() == nullptr) {
      return HeadProblem{400, "no host"};
    }
    return std::nullopt;
  }

  char* at_;
  char* const end_;
  RequestHead& head_;
};

}  // namespace

std::optional<std::size_t> FindHeadEnd(std::string_view bytes, std::size_t searched) {
  constexpr std::string_view kEmptyLine = "\n\r\n";  // behind the end of the line before
  std::size_t at = searched < kEmptyLine.size() ? 0 : searched - kEmptyLine.size();
  // From line to line, which is faster than looking for the four bytes at every place.
  while ((at = bytes.find('\n', at)) != std::string_view::npos) {
    if (bytes.substr(at).starts_with(kEmptyLine)) {
      return at + kEmptyLine.size();
    }
    ++at;
  }
  return std::nullopt;
}

bool CanBeginRequest(char first) {
  return TokenLowerCase(first) != 0;
}

std::optional<HeadProblem> ParseHead(std::span<char> bytes, RequestHead& head) {
  return HeadParser(bytes, head).Parse();
}

bool ListsToken(std::string_view list, std::string_view lower_case) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view element = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    const std::size_t semicolon = std::min(element.find(';'), element.size());
    if (!EqualIgnoringCase(Trimmed(element.substr(0, semicolon)), lower_case)) {
      continue;
    }
    const std::string_view parameters =
        Trimmed(element.substr(std::min(semicolon + 1, element.size())));
    const bool weight_is_zero = parameters.starts_with("q=0") &&
                                parameters.find_first_of("123456789") == std::string_view::npos;
    return !weight_is_zero;
  }
  return false;
}

}  // namespace stator::server
