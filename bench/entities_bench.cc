// What a repository costs beside the plain calls of Database that it makes: the same requests,
// written by hand and with nothing around them. They take turns; what counts is the ratio, which
// should stay below 1.2: mapping, locking and bookkeeping for less than a fifth.
//
//   entities_bench                        in memory and durable on disk
//   entities_bench SECONDS                so long for each comparison
//   entities_bench count NAME TIMES       one case in memory, for callgrind
//                                         (--toggle-collect='*RunCounted*'); "small_" before the
//                                         name takes the small entity

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "contest.h"
#include "stator/api/database.h"
#include "stator/base/random.h"
#include "stator/home/open.h"
#include "stator/patterns/versioning.h"
#include "stator/stores/entities/repository.h"

namespace stator::entities {
namespace {

using bench::Contestant;

// About 1 KB as an item, in 16 attributes.
struct Customer {
  std::string id;
  std::string name;
  std::string email;
  std::string street;
  std::string city;
  std::string country;
  std::int64_t balance = 0;
  std::int64_t visits = 0;
  bool active = true;
  std::optional<std::string> note;
  std::string history;

  friend bool operator==(const Customer&, const Customer&) = default;
};
BOOST_DESCRIBE_STRUCT(Customer, (),
                      (id, name, email, street, city, country, balance, visits, active, note,
                       history))

// About 150 bytes in 8 attributes, of which the entity says two: the bookkeeping weighs most.
struct Account {
  std::string id;
  std::int64_t balance = 0;

  friend bool operator==(const Account&, const Account&) = default;
};
BOOST_DESCRIBE_STRUCT(Account, (), (id, balance))

}  // namespace

template <>
struct EntityTraits<Customer> {
  static constexpr std::string_view kName = "customer";
  static constexpr KeyTemplate kPartitionKey = {"CUSTOMER#{id}"};
};
template <>
struct EntityTraits<Account> {
  static constexpr std::string_view kName = "account";
  static constexpr KeyTemplate kPartitionKey = {"ACCOUNT#{id}"};
};

namespace {

constexpr std::uint64_t kEntities = 1000;

template <class T>
T Make(const std::string& id);

template <>
Account Make<Account>(const std::string& id) {
  return {.id = id};
}

template <>
Customer Make<Customer>(const std::string& id) {
  return {.id = id,
          .name = "Ann Example",
          .email = "ann@example.org",
          .street = "1, Long Street",
          .city = "Cologne",
          .country = "DE",
          .note = std::nullopt,
          .history = std::string(700, 'h')};
}

std::string IdOf(std::uint64_t number) {
  return "c" + std::to_string(number % kEntities);
}

// The requests of a repository, by hand.
class PlainCalls {
 public:
  // `item` has the fields of an entity.
  PlainCalls(Database& database, std::string table, std::string prefix, Item item)
      : database_(&database),
        table_(std::move(table)),
        prefix_(std::move(prefix)),
        item_(std::move(item)) {
    item_.Set("data_version", 1);
    item_.Set("rev", 1);
    item_.Set("last_write", 1'794'700'800'000);
  }

  void Read(const std::string& id) {
    const auto read = database_->GetItem({.table_name = table_, .key = {{"pk", prefix_ + id}}});
    CHECK(read && read->item);
  }

  void Insert(const std::string& id) {
    PutItemInput input{.table_name = table_, .item = item_};
    const std::string write_id = patterns::MakeWriteId(SystemRandom());
    input.item.Set("pk", prefix_ + id);
    input.item.Set("id", id);
    input.item.Set("write_id", write_id);
    input.item.Set("write_ids", List{write_id});
    input.condition_expression = "attribute_not_exists(#n0)";
    input.expression_attribute_names = AttributeNames{{"#n0", "pk"}};
    input.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
    CHECK(database_->PutItem(input).has_value());
  }

  void Modify(const std::string& id) {
    const Item key = {{"pk", prefix_ + id}};
    const auto read = database_->GetItem({.table_name = table_, .key = key});
    CHECK(read && read->item);
    const auto number = [&](const char* name) {
      return *read->item->at(name).If<Number>()->ToInt64();
    };
    const std::string write_id = patterns::MakeWriteId(SystemRandom());
    UpdateItemInput input{.table_name = table_, .key = key};
    input.update_expression = "SET #n0 = :v0, #n1 = :v1, #n2 = :v2, #n3 = :v3, #n4 = :v4";
    input.condition_expression = "#n2 = :v5 AND #n3 = :v6";
    input.expression_attribute_names = AttributeNames{{"#n0", "balance"},
                                                      {"#n1", "last_write"},
                                                      {"#n2", "rev"},
                                                      {"#n3", "write_id"},
                                                      {"#n4", "write_ids"}};
    List ids = *read->item->at("write_ids").If<List>();
    ids.insert(ids.begin(), write_id);
    ids.resize(std::min<std::size_t>(ids.size(), 4));
    input.expression_attribute_values = Map{{":v0", number("balance") + 1},
                                            {":v1", number("last_write") + 1},
                                            {":v2", number("rev") + 1},
                                            {":v3", write_id},
                                            {":v4", AttributeValue(std::move(ids))},
                                            {":v5", number("rev")},
                                            {":v6", read->item->at("write_id")}};
    input.return_values = ReturnValues::kAllNew;
    input.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
    CHECK(database_->UpdateItem(input).has_value());
  }

 private:
  Database* database_;
  std::string table_;
  std::string prefix_;
  Item item_;
};

template <class T>
class Bench {
 public:
  explicit Bench(const std::string& location)
      : database_(*Open(location)),
        repository_(MakeRepository()),
        plain_(*database_, std::string(EntityTraits<T>::kName), Prefix(), *ToItem(Make<T>("x"))) {
    for (std::uint64_t n = 0; n < kEntities; ++n) {
      CHECK(repository_.Insert(Make<T>(IdOf(n))).has_value());
    }
  }

  void Read(std::uint64_t n) { CHECK(repository_.Read({IdOf(n)}).has_value()); }
  void PlainRead(std::uint64_t n) { plain_.Read(IdOf(n)); }
  void Insert() { CHECK(repository_.Insert(Make<T>(NewId())).has_value()); }
  void PlainInsert() { plain_.Insert(NewId()); }
  void Modify(std::uint64_t n) {
    CHECK(repository_.Modify({IdOf(n)}, [](T& entity) { ++entity.balance; }).has_value());
  }
  void PlainModify(std::uint64_t n) { plain_.Modify(IdOf(n)); }

 private:
  using Entities = Repository<T, Verbs::kRead | Verbs::kInsert | Verbs::kUpdate | Verbs::kModify |
                                     Verbs::kPatch>;

  static std::string Prefix() {
    const std::string_view text = EntityTraits<T>::kPartitionKey.text;
    return std::string(text.substr(0, text.find('{')));
  }
  std::string NewId() { return "new" + std::to_string(next_++); }
  Entities MakeRepository() {
    CHECK(database_
              ->CreateTable({.table_name = std::string(EntityTraits<T>::kName),
                             .attribute_definitions = {{"pk", ScalarAttributeType::kString}},
                             .key_schema = {{"pk", KeyType::kHash}},
                             .billing_mode = BillingMode::kPayPerRequest})
              .has_value());
    return *Entities::Open(*database_, {.run_changes_twice = false});
  }

  std::unique_ptr<Database> database_;
  Entities repository_;
  PlainCalls plain_;
  std::uint64_t next_ = 0;
};

void Compare(const std::string& name, const bench::Effort& effort,
             const std::function<void(std::uint64_t)>& ours,
             const std::function<void(std::uint64_t)>& plain) {
  const auto repeat = [](const std::function<void(std::uint64_t)>& work) {
    return Contestant([work](int /*thread*/, std::uint64_t operations) {
      for (std::uint64_t n = 0; n < operations; ++n) {
        work(n);
      }
    });
  };
  Contestant repository = repeat(ours);
  Contestant database = repeat(plain);
  bench::Compete({&repository, &database}, effort);
  const bench::Spread wall = bench::SpreadOf(bench::Quotients(repository.wall(), database.wall()));
  const bench::Spread cpu = bench::SpreadOf(bench::Quotients(repository.cpu(), database.cpu()));
  const auto per_second = [](const Contestant& contestant) {
    return 1e9 / bench::SpreadOf(contestant.wall()).median;
  };
  std::printf("%-22s %12.0f %12.0f   %5.2f (%4.2f - %4.2f)   %5.2f (%4.2f - %4.2f)\n", name.c_str(),
              per_second(repository), per_second(database), wall.median, wall.low, wall.high,
              cpu.median, cpu.low, cpu.high);
  std::fflush(stdout);
}

template <class T>
void CompareAll(const std::string& home, const std::string& location, const bench::Effort& effort) {
  Bench<T> bench(location);
  Compare(
      home + ": read", effort, [&](std::uint64_t n) { bench.Read(n); },
      [&](std::uint64_t n) { bench.PlainRead(n); });
  Compare(
      home + ": insert", effort, [&](std::uint64_t) { bench.Insert(); },
      [&](std::uint64_t) { bench.PlainInsert(); });
  Compare(
      home + ": modify", effort, [&](std::uint64_t n) { bench.Modify(n); },
      [&](std::uint64_t n) { bench.PlainModify(n); });
}

template <class T>
[[gnu::noinline]] void RunCounted(Bench<T>& bench, std::string_view name, std::uint64_t times) {
  for (std::uint64_t n = 0; n < times; ++n) {
    if (name == "read") {
      bench.Read(n);
    } else if (name == "plain_read") {
      bench.PlainRead(n);
    } else if (name == "insert") {
      bench.Insert();
    } else if (name == "plain_insert") {
      bench.PlainInsert();
    } else if (name == "modify") {
      bench.Modify(n);
    } else {
      bench.PlainModify(n);
    }
  }
}

int Main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "count") {
    const auto times = static_cast<std::uint64_t>(std::atoi(argv[3]));
    if (std::string_view name = argv[2]; name.starts_with("small_")) {
      Bench<Account> bench("memory:");
      RunCounted(bench, name.substr(6), times);
    } else {
      Bench<Customer> bench("memory:");
      RunCounted(bench, name, times);
    }
    return EXIT_SUCCESS;
  }
  const double seconds = argc > 1 ? std::atof(argv[1]) : 2;
  const bench::Effort effort{.turns = std::max(3, static_cast<int>(seconds / 0.2))};
  std::printf("%-22s %12s %12s   %-19s   %s\n", "", "repository/s", "plain/s", "time: repo / plain",
              "CPU: repo / plain");
  CompareAll<Customer>("memory", "memory:", effort);
  CompareAll<Account>("memory, small", "memory:", effort);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("stator-entities-" + SystemRandom().Uuid());
  CompareAll<Customer>("disk", (folder / "customers").string(), effort);
  CompareAll<Account>("disk, small", (folder / "accounts").string(), effort);
  std::filesystem::remove_all(folder);
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace stator::entities

int main(int argc, char** argv) {
  return stator::entities::Main(argc, argv);
}
