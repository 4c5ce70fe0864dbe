#include "transport/no_proxy.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "base/lower_case.h"

namespace stator::transport {
namespace {

struct Address {
  std::array<unsigned char, 16> bytes = {};
  std::size_t size = 0;  // 4 or 16
};

std::optional<Address> AddressIn(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) {
    text = text.substr(1, text.size() - 2);
  }
  Address address;
  const std::string terminated(text);
  if (inet_pton(AF_INET, terminated.c_str(), address.bytes.data()) == 1) {
    address.size = 4;
  } else if (inet_pton(AF_INET6, terminated.c_str(), address.bytes.data()) == 1) {
    address.size = 16;
  } else {
    return std::nullopt;
  }
  return address;
}

bool EqualInFirstBits(const Address& left, const Address& right, std::size_t bits) {
  const std::size_t whole = bits / 8;
  if (!std::ranges::equal(std::span(left.bytes).first(whole),
                          std::span(right.bytes).first(whole))) {
    return false;
  }
  const unsigned mask = 0xFFU << (8 - bits % 8) & 0xFFU;
  return bits % 8 == 0 || ((left.bytes[whole] ^ right.bytes[whole]) & mask) == 0;
}

// `word` is an address or a network.
bool HasAddress(std::string_view word, const Address& address) {
  const std::size_t slash = std::min(word.find('/'), word.size());
  const std::optional<Address> network = AddressIn(word.substr(0, slash));
  if (!network || network->size != address.size) {
    return false;
  }
  std::size_t bits = address.size * 8;
  if (slash < word.size()) {
    std::size_t given = 0;
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data() + slash + 1, end, given);
    if (error != std::errc() || stopped != end || given > bits) {
      return false;
    }
    bits = given;
  }
  return EqualInFirstBits(*network, address, bits);
}

std::string NameIn(std::string_view text) {
  if (text.starts_with('.')) {
    text.remove_prefix(1);
  }
  if (text.ends_with('.')) {
    text.remove_suffix(1);
  }
  return base::LowerCase(text);
}

bool HasName(std::string_view word, std::string_view host) {
  const std::string domain = NameIn(word);
  const std::string name = NameIn(host);
  return !domain.empty() && (name == domain || name.ends_with("." + domain));
}

}  // namespace

bool IsLoopback(std::string_view host) {
  if (const std::optional<Address> address = AddressIn(host)) {
    return HasAddress(address->size == 4 ? "127.0.0.0/8" : "::1", *address);
  }
  return NameIn(host) == "localhost";
}

bool NamesHost(std::string_view list, std::string_view host) {
  if (list == "*") {
    return true;
  }
  constexpr std::string_view kBetween = ", \t";
  const std::optional<Address> address = AddressIn(host);
  while (true) {
    list.remove_prefix(std::min(list.find_first_not_of(kBetween), list.size()));
    if (list.empty()) {
      return false;
    }
    const std::string_view word = list.substr(0, list.find_first_of(kBetween));
    if (address ? HasAddress(word, *address) : HasName(word, host)) {
      return true;
    }
    list.remove_prefix(word.size());
  }
}

}  // namespace stator::transport
