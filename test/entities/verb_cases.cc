#include "entities/verb_cases.h"

#include <utility>

#include "base/check.h"
#include "entities/entities.h"
#include "stator/patterns/transaction.h"

namespace stator::entities {

// Partitioned by owner, with an index that has the owner in its key and a local one.
struct Letter {
  std::string owner;
  std::uint32_t number = 0;
  std::string box = "inbox";

  friend bool operator==(const Letter&, const Letter&) = default;
};
BOOST_DESCRIBE_STRUCT(Letter, (), (owner, number, box))
template <>
struct EntityTraits<Letter> {
  static constexpr std::string_view kName = "letter";
  static constexpr KeyTemplate kPartitionKey = {"OWNER#{owner}"};
  static constexpr KeyTemplate kSortKey = {"LETTER#{number:08}"};
  static constexpr std::array kIndexes = {
      Index{.name = "by_box", .partition_key = {"BOX#{owner}#{box}", "box_key"}},
      Index{.name = "by_number",
            .partition_key = {"OWNER#{owner}", "pk"},
            .sort_key = KeyTemplate{"{number}"},
            .local = true},
  };
  static constexpr std::string_view kExpiry = "until";
  static constexpr std::chrono::seconds kLife = std::chrono::days(1);
  static constexpr bool kOwnerPartitioned = true;
};

namespace {

using Letters = Repository<Letter, kAllVerbs, "by_box", "by_number">;

// What the cases need to know of an entity.
template <class T>
struct Sample;
template <>
struct Sample<Order> {
  using Repo = Orders;
  static Order Of(const std::string& owner) { return {.customer = owner, .number = 1}; }
  static EntityKey<Order> Key(const std::string& owner) { return {owner, 1U}; }
  static Partition<Order> In(const std::string& owner) { return {owner}; }
  static void Change(Order& order) { order.remark += "!"; }
  static auto Patch() { return Set<&Order::remark>("patched"); }
};
template <>
struct Sample<Letter> {
  using Repo = Letters;
  static Letter Of(const std::string& owner) { return {.owner = owner, .number = 1}; }
  static EntityKey<Letter> Key(const std::string& owner) { return {owner, 1U}; }
  static Partition<Letter> In(const std::string& owner) { return {owner}; }
  static void Change(Letter& letter) { letter.box += "!"; }
};
template <>
struct Sample<User> {
  using Repo = Users;
  static User Of(const std::string& owner) {
    return {.id = owner, .email = owner + "@example.org"};
  }
  static EntityKey<User> Key(const std::string& owner) { return {owner}; }
  static Partition<User> In(const std::string& owner) { return {owner}; }
  // One that has to be unique.
  static void Change(User& user) { user.email += ".uk"; }
  static auto Patch() { return Set<&User::name>("patched"); }
};

template <class Value>
Result<void> Plain(const Result<Value>& result) {
  return result ? Result<void>() : std::unexpected(result.error());
}

template <class T>
class CasesOf {
  using S = Sample<T>;
  using Repo = typename S::Repo;

 public:
  explicit CasesOf(std::vector<VerbCase>& cases) : cases_(cases) {}

  void AddReads() {
    Add("Read", Verbs::kRead, [](const Repo& repo, const auto& owner, const auto&) {
      return Plain(repo.ReadStrong(S::Key(owner)));
    });
    Add("ReadMany", Verbs::kReadMany, [](const Repo& repo, const auto& owner, const auto&) {
      return Plain(repo.ReadMany({S::Key(owner)}));
    });
    Add("ReadTogether", Verbs::kReadTogether, [](const Repo& repo, const auto& owner, const auto&) {
      return Plain(repo.ReadTogether({S::Key(owner)}));
    });
    Add("Query", Verbs::kQuery, [](const Repo& repo, const auto& owner, const auto&) {
      return Plain(repo.QueryPage(S::In(owner)));
    });
    Add("Count", Verbs::kQuery, [](const Repo& repo, const auto& owner, const auto&) {
      return Plain(repo.Count(S::In(owner)));
    });
  }

  void AddWrites() {
    Add("Insert", Verbs::kInsert, [](const Repo& repo, const auto& owner, const auto& seen) {
      T another = seen.data;
      if constexpr (requires { another.number; }) {
        ++another.number;
      } else {
        another = S::Of(owner);
        another.id += "'s twin";
        another.email += ".twin";
      }
      return Plain(repo.Insert(another));
    });
    Add("Update", Verbs::kUpdate, [](const Repo& repo, const auto&, auto seen) {
      S::Change(seen.data);
      return Plain(repo.Update(seen));
    });
    Add("Modify", Verbs::kModify, [](const Repo& repo, const auto& owner, const auto&) {
      return Plain(repo.Modify(S::Key(owner), [](T& value) { S::Change(value); }));
    });
    Add("Upsert", Verbs::kUpsert, [](const Repo& repo, const auto&, auto seen) {
      S::Change(seen.data);
      return Plain(repo.Upsert(seen.data));
    });
    if constexpr (requires { S::Patch(); }) {
      Add("Patch", Verbs::kPatch, [](const Repo& repo, const auto& owner, const auto&) {
        return Plain(repo.Patch(S::Key(owner), S::Patch()));
      });
    }
    Add("RemoveUnchecked", Verbs::kRemoveUnchecked,
        [](const Repo& repo, const auto& owner, const auto&) {
          return Plain(repo.RemoveUnchecked(S::Key(owner)));
        });
    Add("Remove", Verbs::kRemove,
        [](const Repo& repo, const auto&, const auto& seen) { return repo.Remove(seen); });
  }

  void AddLives() {
    Add("Touch", Verbs::kTouch, [](const Repo& repo, const auto& owner, const auto&) {
      return repo.Touch(S::Key(owner),
                        patterns::Expiry::After(SystemClock(), std::chrono::hours(2)));
    });
    Add("Expire", Verbs::kExpire, [](const Repo& repo, const auto& owner, const auto&) {
      return repo.Expire(S::Key(owner));
    });
  }

  // Verbs inside of a transaction of their own.
  void AddTransactions() {
    AddIn("UpdateIn", Verbs::kUpdate, [](const Repo& repo, auto& transaction, auto seen) {
      S::Change(seen.data);
      return Plain(repo.UpdateIn(transaction, seen, "part"));
    });
    AddIn("RemoveIn", Verbs::kRemove, [](const Repo& repo, auto& transaction, const auto& seen) {
      repo.RemoveIn(transaction, seen, "part");
      return Result<void>();
    });
    AddIn("RequireIn", Verbs::kRequire, [](const Repo& repo, auto& transaction, const auto& seen) {
      repo.RequireIn(transaction, seen, "part");
      return Result<void>();
    });
  }

  // A repository that queries an index may query the table, too, and so it does.
  template <IndexName kIndex>
  void AddIndex(std::function<Partition<T, kIndex>(const std::string&)> in) {
    Add("Query." + std::string(kIndex.view()), Verbs::kQuery,
        [in = std::move(in)](const Repo& repo, const auto& owner, const auto&) {
          const Result<void> table = Plain(repo.QueryPage(S::In(owner)));
          return table ? Plain(repo.template QueryIndexPage<kIndex>(in(owner))) : table;
        });
    cases_.back().repository.indexes = {std::string(kIndex.view())};
  }

 private:
  // What the verb is used on, with an expiry where there are some.
  static Versioned<T> Store(Database& admin, const std::string& owner) {
    WriteOptions options;
    if constexpr (requires { EntityTraits<T>::kExpiry; }) {
      options.expiry = patterns::Expiry::After(SystemClock(), std::chrono::hours(1));
    }
    const Repo all = *Repo::Open(admin);
    const auto seen = all.Upsert(S::Of(owner), options);
    CHECK_THAT(seen.has_value(), seen.error().message);
    return *seen;
  }

  template <class Use>
  void Add(const std::string& name, Verbs verb, Use use) {
    RepositoryDescription repository = Repo::Describe();
    repository.verbs = verb;
    repository.indexes.clear();
    cases_.push_back({.name = repository.entity.name + "." + name,
                      .repository = repository,
                      .use = [use = std::move(use)](Database& limited, Database& admin,
                                                    const std::string& owner) -> Result<void> {
                        return use(*Repo::Open(limited, {.retry = {.budget = {}}}), owner,
                                   Store(admin, owner));
                      }});
  }

  template <class Use>
  void AddIn(const std::string& name, Verbs verb, Use use) {
    RepositoryDescription repository = Repo::Describe();
    repository.verbs = verb | Verbs::kTransact;
    repository.indexes.clear();
    cases_.push_back({.name = repository.entity.name + "." + name,
                      .repository = repository,
                      .use = [use = std::move(use)](Database& limited, Database& admin,
                                                    const std::string& owner) -> Result<void> {
                        const Versioned<T> seen = Store(admin, owner);
                        patterns::Transaction transaction(
                            limited, patterns::Idempotency::None(),
                            {.retry = {.budget = {}}, .force_transaction = true});
                        const Repo repo = *Repo::Open(limited, {.retry = {.budget = {}}});
                        if (const Result<void> added = use(repo, transaction, seen); !added) {
                          return added;
                        }
                        return Plain(transaction.Commit());
                      }});
  }

  std::vector<VerbCase>& cases_;
};

std::vector<VerbCase> MakeCases() {
  std::vector<VerbCase> cases;
  CasesOf<Order> orders(cases);
  orders.AddReads();
  orders.AddWrites();
  orders.AddLives();
  orders.AddTransactions();
  orders.AddIndex<"by_state">(
      [](const std::string&) -> Partition<Order, "by_state"> { return {"open"}; });
  orders.AddIndex<"by_total">(
      [](const std::string& owner) -> Partition<Order, "by_total"> { return {owner}; });
  CasesOf<User> users(cases);
  users.AddReads();
  users.AddWrites();
  users.AddTransactions();
  CasesOf<Letter> letters(cases);
  letters.AddReads();
  letters.AddWrites();
  letters.AddLives();
  letters.AddTransactions();
  letters.AddIndex<"by_box">(
      [](const std::string& owner) -> Partition<Letter, "by_box"> { return {owner, "inbox"}; });
  letters.AddIndex<"by_number">(
      [](const std::string& owner) -> Partition<Letter, "by_number"> { return {owner}; });
  return cases;
}

}  // namespace

const std::vector<VerbCase>& VerbCases() {
  static const std::vector<VerbCase> cases = MakeCases();
  return cases;
}

std::vector<EntityDescription> VerbCaseEntities() {
  return {Describe<Order>(), Describe<User>(), Describe<Letter>()};
}

}  // namespace stator::entities
