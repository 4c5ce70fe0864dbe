// For tests: the entities of these suites, each for the traits that it has.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "stator/stores/entities/maintenance.h"
#include "stator/stores/entities/repository.h"

namespace stator::entities {

inline constexpr auto kAllVerbs = static_cast<Verbs>(0xFFFF);

// As little as an entity can say.
struct Account {
  std::string id;
  std::string holder = {};
  std::int64_t balance = 0;
  std::optional<std::string> note = std::nullopt;

  friend bool operator==(const Account&, const Account&) = default;
};
BOOST_DESCRIBE_STRUCT(Account, (), (id, holder, balance, note))

template <>
struct EntityTraits<Account> {
  static constexpr std::string_view kName = "account";
  static constexpr KeyTemplate kPartitionKey = {"ACCOUNT#{id}"};
};
using Accounts = Repository<Account, kAllVerbs>;

// A sort key, indexes of fields and of templates, an expiry beside the fields, creation times.
struct Order {
  std::string customer;
  std::uint32_t number = 0;
  std::string state = "open";
  std::optional<std::string> courier = std::nullopt;
  Number total = Number(0);
  std::string remark = {};

  friend bool operator==(const Order&, const Order&) = default;
};
BOOST_DESCRIBE_STRUCT(Order, (), (customer, number, state, courier, total, remark))

template <>
struct EntityTraits<Order> {
  static constexpr std::string_view kName = "order";
  static constexpr KeyTemplate kPartitionKey = {"CUSTOMER#{customer}"};
  static constexpr KeyTemplate kSortKey = {"ORDER#{number:08}"};
  static constexpr std::array kIndexes = {
      Index{.name = "by_state",
            .partition_key = {"{state}"},
            .sort_key = KeyTemplate{"{customer}#{number:08}", "state_order"}},
      Index{.name = "by_courier", .partition_key = {"COURIER#{courier}", "courier_key"}},
      Index{.name = "by_total",
            .partition_key = {"CUSTOMER#{customer}", "pk"},
            .sort_key = KeyTemplate{"{total}"},
            .local = true},
  };
  static constexpr std::string_view kExpiry = "expires_at";
  static constexpr std::chrono::seconds kLife = kForever;
  static constexpr bool kCreatedAt = true;
};
using Orders = Repository<Order, kAllVerbs, "by_state", "by_courier", "by_total">;

// Unique fields.
struct User {
  std::string id;
  std::string email = {};
  std::optional<std::int64_t> badge = std::nullopt;
  std::string name = {};

  friend bool operator==(const User&, const User&) = default;
};
BOOST_DESCRIBE_STRUCT(User, (), (id, email, badge, name))

template <>
struct EntityTraits<User> {
  static constexpr std::string_view kName = "user";
  static constexpr KeyTemplate kPartitionKey = {"USER#{id}"};
  static constexpr std::array kUnique = {std::string_view("email"), std::string_view("badge")};
};
using Users = Repository<User, kAllVerbs>;

// Nested, prefixed names, an expiry that is a field, a promoted field, no operator==.
struct Session {
  std::string id;
  std::string user = {};
  std::chrono::sys_seconds expires = {};
  std::map<std::string, std::string> values = {};
};
BOOST_DESCRIBE_STRUCT(Session, (), (id, user, expires, values))

template <>
struct EntityTraits<Session> {
  static constexpr std::string_view kName = "session";
  static constexpr KeyTemplate kPartitionKey = {"{id}", "session_id"};
  static constexpr std::array kIndexes = {Index{.name = "by_user", .partition_key = {"{user}"}}};
  static constexpr std::string_view kExpiry = "expires";
  static constexpr Layout kLayout = Layout::kNested;
  static constexpr Naming kNaming = Naming::kPrefixed;
  static constexpr std::array kPromoted = {std::string_view("values")};
};
using Sessions = Repository<Session, kAllVerbs, "by_user">;

// Every field is a reserved word of DynamoDB's expressions.
struct Reserved {
  std::string key;
  std::string name = {};
  std::string status = {};
  std::string type = {};
  std::int64_t total = 0;
  std::set<std::string> items = {};
  std::optional<std::string> language = std::nullopt;
  bool token = false;

  friend bool operator==(const Reserved&, const Reserved&) = default;
};
BOOST_DESCRIBE_STRUCT(Reserved, (), (key, name, status, type, total, items, language, token))

template <>
struct EntityTraits<Reserved> {
  static constexpr std::string_view kName = "reserved";
  static constexpr KeyTemplate kPartitionKey = {"{key}", "key"};
  static constexpr std::array kIndexes = {
      Index{.name = "by_status", .partition_key = {"{status}"}}};
  static constexpr std::string_view kExpiry = "ttl";
  static constexpr std::chrono::seconds kLife = std::chrono::hours(24);
};
using Reserveds = Repository<Reserved, kAllVerbs, "by_status">;

// The layout and the lock of tables that are shared with programs that know only last_write.
struct Ledger {
  std::string pk;
  std::string name = {};
  std::int64_t balance = 0;

  friend bool operator==(const Ledger&, const Ledger&) = default;
};
BOOST_DESCRIBE_STRUCT(Ledger, (), (pk, name, balance))

template <>
struct EntityTraits<Ledger> {
  static constexpr std::string_view kName = "ledger";
  static constexpr KeyTemplate kPartitionKey = {"{pk}"};
  static constexpr Lock kLock = Lock::kLastWrite;
};
using Ledgers = Repository<Ledger, kAllVerbs>;

// Three versions of one document. The program that knows the first two is a type of its own.
//
//   1: title, words (N)
//   2: title, length (was words)
//   3: title, length, language (required)
struct Document {
  std::string id;
  std::string title = {};
  std::int64_t length = 0;
  std::string language = {};

  friend bool operator==(const Document&, const Document&) = default;
};
BOOST_DESCRIBE_STRUCT(Document, (), (id, title, length, language))

template <>
struct EntityTraits<Document> {
  static constexpr std::string_view kName = "document";
  static constexpr KeyTemplate kPartitionKey = {"DOC#{id}"};
  static constexpr int kDataVersion = 3;
  static Migrations MakeMigrations() {
    return Migrations()
        .Up(1, [](Item& document) { Rename(document, "words", "length"); })
        .Up(2, [](Item& document) { document["language"] = "en"; });
  }
};
using Documents = Repository<Document, kAllVerbs>;

struct OldDocument {
  std::string id;
  std::string title = {};
  std::int64_t length = 0;

  friend bool operator==(const OldDocument&, const OldDocument&) = default;
};
BOOST_DESCRIBE_STRUCT(OldDocument, (), (id, title, length))

template <>
struct EntityTraits<OldDocument> {
  static constexpr std::string_view kName = "document";
  static constexpr KeyTemplate kPartitionKey = {"DOC#{id}"};
  static constexpr int kDataVersion = 2;
  static Migrations MakeMigrations() {
    return Migrations().Up(1, [](Item& document) { Rename(document, "words", "length"); });
  }
};
using OldDocuments = Repository<OldDocument, kAllVerbs>;

// The newest program during a rolling deployment: it reads 3 and writes 2.
struct RollingDocument : Document {
  friend bool operator==(const RollingDocument&, const RollingDocument&) = default;
};
BOOST_DESCRIBE_STRUCT(RollingDocument, (Document), ())

template <>
struct EntityTraits<RollingDocument> : EntityTraits<Document> {
  static constexpr int kWriteAs = 2;
  static Migrations MakeMigrations() {
    return EntityTraits<Document>::MakeMigrations().Down(
        3, [](Item& document) { document.Erase("language"); });
  }
};
using RollingDocuments = Repository<RollingDocument, kAllVerbs>;

// Writes what programs that know version 2 may still read.
struct GentleDocument : Document {
  friend bool operator==(const GentleDocument&, const GentleDocument&) = default;
};
BOOST_DESCRIBE_STRUCT(GentleDocument, (Document), ())

template <>
struct EntityTraits<GentleDocument> : EntityTraits<Document> {
  static constexpr int kMinReader = 2;
};
using GentleDocuments = Repository<GentleDocument, kAllVerbs>;

}  // namespace stator::entities
