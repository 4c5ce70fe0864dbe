#include "console/answers.h"

#include <array>
#include <charconv>
#include <concepts>

#include "value/check_value.h"
#include "value/json_text.h"

namespace stator::console {
namespace {

// Writes one JSON object, member by member.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;
  ~ObjectWriter() { out_ += '}'; }

  // Text from outside may be no UTF-8; what is not ASCII in it is then not shown.
  void Text(std::string_view name, std::string_view text) {
    Name(name);
    if (value::IsUtf8(text)) {
      value::AppendJsonString(text, out_);
      return;
    }
    std::string shown(text);
    for (char& character : shown) {
      character = static_cast<unsigned char>(character) < 0x80 ? character : '?';
    }
    value::AppendJsonString(shown, out_);
  }

  template <typename T>
    requires(std::integral<T> || std::floating_point<T>) && (!std::same_as<T, bool>)
  void Number(std::string_view name, T number) {
    Name(name);
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    out_.append(digits.data(), end);
  }

  void Bool(std::string_view name, bool truth) {
    Name(name);
    out_ += truth ? "true" : "false";
  }

  // What follows is up to the caller.
  std::string& Name(std::string_view name) {
    out_ += is_first_ ? "" : ",";
    is_first_ = false;
    value::AppendJsonString(name, out_);
    return out_ += ':';
  }

 private:
  std::string& out_;
  bool is_first_ = true;
};

void AppendRequest(const server::SeenRequest& request, std::string& out) {
  ObjectWriter object(out);
  object.Text("id", request.id.view());
  object.Number("at", request.time.time_since_epoch().count());
  object.Text("operation", request.operation);
  object.Text("error", request.outcome == "ok" ? std::string_view() : request.outcome);
  object.Number("status", request.status);
  object.Number("us", request.duration.count());
  object.Number("read_units", request.read_units);
  object.Number("write_units", request.write_units);
  object.Number("bytes_in", request.request_bytes);
  object.Number("bytes_out", request.answer_bytes);
  object.Text("remote", request.remote.view());
  object.Text("caller", request.access_key_id.view());
  object.Bool("has_body", request.bodies != nullptr);
  object.Bool("own", request.is_own);
}

}  // namespace

std::string ErrorText(std::string_view code, std::string_view message) {
  std::string text;
  {
    ObjectWriter object(text);
    ObjectWriter error(object.Name("error"));
    error.Text("code", code);
    error.Text("message", message);
  }
  return text;
}

std::string HomeText(const Home& home, bool tells_versions, const wire::Caller& caller) {
  std::string text;
  {
    ObjectWriter object(text);
    object.Text("version", home.version);
    object.Text("location", home.location);
    object.Text("kind", home.kind);
    object.Text("durability", home.durability);
    object.Text("region", home.region);
    object.Bool("demands_signatures", home.demands_signatures);
    object.Bool("read_only", home.is_read_only);
    object.Bool("tells_versions", tells_versions);
    object.Text("caller", caller.access_key_id);
  }
  return text;
}

std::string RequestsText(std::span<const server::SeenRequest> requests) {
  std::string text;
  {
    ObjectWriter object(text);
    object.Name("requests") += '[';
    for (const server::SeenRequest& request : requests) {
      text += text.ends_with('[') ? "" : ",";
      AppendRequest(request, text);
    }
    text += ']';
  }
  return text;
}

std::string BodiesText(const server::SeenBodies& bodies) {
  std::string text;
  {
    ObjectWriter object(text);
    object.Text("head", bodies.head);
    object.Text("request", bodies.request);
    object.Text("answer", bodies.answer);
    object.Bool("cut", bodies.is_cut);
  }
  return text;
}

}  // namespace stator::console
