#include "wire/sigv4_canonical.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "wire/uri_text.h"

namespace stator::wire {
namespace {

bool IsSpace(char character) {
  return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

void AppendPath(std::string_view path, PathRule rule, std::string& out) {
  if (path.empty() || path == "/") {
    out.push_back('/');
  } else if (rule == PathRule::kVerbatim) {
    out.append(path);
  } else {
    AppendPercentEncoded(NormalizedPath(path), "/", out);
  }
}

void AppendQuery(std::string_view query, std::string& out) {
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view parameter = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string_view name = parameter.substr(0, equals);
    if (parameter.empty() || name == kSignatureParameter) {
      continue;
    }
    auto& [encoded_name, encoded_value] = parameters.emplace_back();
    AppendPercentEncoded(PercentDecoded(name), "", encoded_name);
    AppendPercentEncoded(PercentDecoded(parameter.substr(std::min(equals + 1, parameter.size()))),
                         "", encoded_value);
  }
  std::ranges::sort(parameters);
  bool first = true;
  for (const auto& [name, value] : parameters) {
    if (!std::exchange(first, false)) {
      out.push_back('&');
    }
    out.append(name).append("=").append(value);
  }
}

// Without space at either end; a run of space inside is one blank.
void AppendFieldValue(std::string_view value, std::string& out) {
  if (std::ranges::none_of(value, IsSpace)) {
    out.append(value);
    return;
  }
  bool pending_space = false;
  const std::size_t start = out.size();
  for (const char character : value) {
    if (IsSpace(character)) {
      pending_space = out.size() > start;
      continue;
    }
    if (std::exchange(pending_space, false)) {
      out.push_back(' ');
    }
    out.push_back(character);
  }
}

void AppendField(const HttpMessage& message, std::string_view name, std::string& out) {
  out.append(name).push_back(':');
  bool first = true;
  for (const HttpField& field : message.fields) {
    if (!EqualIgnoringCase(field.name, name)) {
      continue;
    }
    if (!std::exchange(first, false)) {
      out.push_back(',');
    }
    AppendFieldValue(field.value, out);
  }
  out.push_back('\n');
}

}  // namespace

std::string CanonicalRequest(const HttpMessage& message, std::string_view signed_headers,
                             std::string_view payload_hash, PathRule rule) {
  std::string text;
  text.reserve(1024);
  text.append(message.method).push_back('\n');
  AppendPath(message.path, rule, text);
  text.push_back('\n');
  AppendQuery(message.query, text);
  text.push_back('\n');
  std::string_view names = signed_headers;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(';'), names.size());
    AppendField(message, names.substr(0, end), text);
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  text.push_back('\n');
  text.append(signed_headers).push_back('\n');
  text.append(payload_hash);
  return text;
}

}  // namespace stator::wire
