#include "wire/operations.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/constraints.h"
#include "api/layers.h"
#include "api/statement_text.h"
#include "base/spare_text.h"
#include "base/try.h"
#include "request/checks.h"
#include "wire/access.h"
#include "wire/error_names.h"
#include "wire/messages.h"
#include "wire/moment.h"

namespace stator::wire {
namespace {

double UnitsOf(const std::optional<ConsumedCapacity>& consumed) {
  return consumed ? consumed->capacity_units : 0;
}

double UnitsOf(const std::vector<ConsumedCapacity>& consumed) {
  double units = 0;
  for (const ConsumedCapacity& of_table : consumed) {
    units += of_table.capacity_units;
  }
  return units;
}

void Clear(std::optional<ConsumedCapacity>& consumed) {
  consumed.reset();
}

void Clear(std::vector<ConsumedCapacity>& consumed) {
  consumed.clear();
}

template <class Input>
concept WithCapacity = requires(const Input& input) { input.return_consumed_capacity; };

// The server counts capacity even if the caller does not want to see it. Whether it does.
template <class Input>
bool AskForCapacity(Input& input) {
  if constexpr (WithCapacity<Input>) {
    if (input.return_consumed_capacity == ReturnConsumedCapacity::kNone) {
      input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
      return false;
    }
  }
  return true;
}

// What the answer needs of its request.
struct Asked {
  const api::Operation& operation;
  bool show_capacity;
  bool reads;  // and thus uses read units
};

// What an operation's output becomes.
template <class Output>
Answer ToAnswer(Result<Output>&& result, const Asked& asked) {
  const api::Operation& operation = asked.operation;
  if (!result) {
    return AnswerFor(result.error(), &operation);
  }
  Answer answer = {.operation = operation.name};
  if constexpr (requires { result->consumed_capacity; }) {
    (asked.reads ? answer.read_units : answer.write_units) = UnitsOf(result->consumed_capacity);
    if (!asked.show_capacity) {
      Clear(result->consumed_capacity);
    }
  }
  if constexpr (requires { result->as_of; }) {
    answer.as_of = result->as_of;
  }
  answer.body = base::TakeSpareText();
  Body<Output>::Append(*result, answer.body);
  return answer;
}

// What the service would say first of a request of which something could not be read.
template <class Input>
Result<void> Weigh(const Input& input, Decoding& decoding) {
  if (decoding.wrong_type()) {
    return std::unexpected(*decoding.wrong_type());
  }
  if (decoding.is_clean()) {
    return {};
  }
  api::Violations& noticed = decoding.violations();
  if constexpr (requires(const request::Context& context) { request::Check(input, context); }) {
    expression::ExpressionCache expressions(1);
    if (const auto good = request::Check(input, request::Context{expressions, noticed}); !good) {
      return std::unexpected(good.error());
    }
  } else {
    api::CheckConstraints(input, noticed);
    TRY_VOID(noticed.ToResult());
  }
  return noticed.FirstFault();
}

template <class Input>
Result<void> Decode(Database& database, const Caller& caller, simdjson::dom::object body,
                    Input& input) {
  Decoding decoding(api::WordsOf(api::kLayerOf<Input>));
  Body<Input>::Read(body, decoding, input);
  TRY_VOID(Weigh(input, decoding));
  if (!caller.as_of.empty()) {
    if constexpr (requires { input.as_of; }) {
      const std::optional<TimePoint> moment = ParseMoment(caller.as_of);
      if (!moment) {
        return Invalid(std::string(kAsOfField) + " must be " + std::string(kMomentForms));
      }
      input.as_of = moment;
    } else {
      return Invalid(std::string(kAsOfField) +
                     " is for reads: GetItem, BatchGetItem, TransactGetItems, Query, Scan and "
                     "ExecuteStatement");
    }
  }
  if (caller.authorizer != nullptr) {
    return AccessCheck(caller, api::OperationOf<Input>::kOperation, database).Check(input);
  }
  return {};
}

template <class Input>
bool Reads(const Input& input) {
  if constexpr (requires { api::IsSelect(input); }) {
    return api::IsSelect(input);
  } else {
    return api::OperationOf<Input>::kOperation.effect == api::Effect::kRead;
  }
}

// A batch of statements goes on without those that the caller may not run.
template <class Input>
struct Refused {
  static Result<Refused> TakeFrom(Database& /*database*/, const Caller& /*caller*/,
                                  const Input& /*input*/) {
    return Refused();
  }
  static void PutInto(const auto& /*output*/) {}
};

template <>
struct Refused<BatchExecuteStatementInput> : RefusedStatements {
  // Instantiated only where the operation is in the list.
  template <class Input>
  static Result<Refused> TakeFrom(Database& database, const Caller& caller, Input& input) {
    if (caller.authorizer == nullptr) {
      return Refused();
    }
    return Refused{
        TRY(AccessCheck(caller, api::OperationOf<Input>::kOperation, database).TakeRefused(input))};
  }
};

// Whether nothing is left to be done.
template <class Input>
bool IsAllRefused(const Input& input, const Refused<Input>& refused) {
  if constexpr (std::same_as<Input, BatchExecuteStatementInput>) {
    return input.statements.empty() && !refused.errors.empty();
  } else {
    return false;
  }
}

// An endpoint is called what the caller calls it.
template <class Output>
void NameAsAsked([[maybe_unused]] const Caller& caller, [[maybe_unused]] Result<Output>& result) {
  if constexpr (std::same_as<Output, DescribeEndpointsOutput>) {
    if (result && !caller.host.empty()) {
      for (Endpoint& endpoint : result->endpoints) {
        endpoint.address = caller.host;
      }
    }
  }
}

// Reads and everything about tables are answered when the call returns, writes of items when the
// log has been synced.
template <class Input>
void Run(Database& database, const Caller& caller, simdjson::dom::object body, Handler::Done done) {
  using Called = api::OperationOf<Input>;
  constexpr const api::Operation& kOperation = Called::kOperation;
  using Output = Called::Output;
  Input input{};
  if (const Result<void> decoded = Decode(database, caller, body, input); !decoded) {
    done(AnswerFor(decoded.error(), &kOperation));
    return;
  }
  Result<Refused<Input>> refused = Refused<Input>::TakeFrom(database, caller, input);
  if (!refused) {
    done(AnswerFor(refused.error(), &kOperation));
    return;
  }
  const Asked asked{
      .operation = kOperation, .show_capacity = AskForCapacity(input), .reads = Reads(input)};
  if (IsAllRefused(input, *refused)) {
    Result<Output> result = Output();
    refused->PutInto(*result);
    done(ToAnswer(std::move(result), asked));
    return;
  }
  if constexpr (kOperation.effect == api::Effect::kItemWrite) {
    (database.*Called::kStart)(input, [asked, refused = *std::move(refused),
                                       done = std::move(done)](Result<Output>&& result) mutable {
      if (result) {
        refused.PutInto(*result);
      }
      done(ToAnswer(std::move(result), asked));
    });
  } else {
    Result<Output> result = (database.*Called::kCall)(input);
    NameAsAsked(caller, result);
    done(ToAnswer(std::move(result), asked));
  }
}

constexpr std::array kOperations = {
#define STATOR_OPERATION(Name, ...) \
  Operation{api::OperationOf<Name##Input>::kOperation, &Run<Name##Input>},
#include "stator/api/operations.inc"
};

// Targets are found by a hash that is perfect for those above: of its length, of eight bytes that
// have the beginning of its name, and of the last eight.
class TargetIndex {
 public:
  consteval TargetIndex() {
    while (!Fill()) {
      multiplier_ += 2;
    }
  }

  [[nodiscard]] const Operation* Find(std::string_view target) const {
    if (target.size() < kSizeMin) {
      return nullptr;
    }
    const std::uint8_t place = places_[SlotOf(target)];
    return kOperations[place].target == target ? &kOperations[place] : nullptr;
  }

 private:
  static constexpr std::size_t kNameOffset = 14;  // "0810.Get", "s_201208"
  static constexpr std::size_t kWordBytes = 8;
  static constexpr std::size_t kSizeMin = kNameOffset + kWordBytes;
  static constexpr int kSlotBits = 9;
  static_assert(kOperations.size() < 1U << (kSlotBits - 2), "the index gets too full: widen it");

  static constexpr std::uint64_t WordAt(const char* text) {
    std::array<char, kWordBytes> bytes{};
    std::copy_n(text, kWordBytes, bytes.begin());
    return std::bit_cast<std::uint64_t>(bytes);
  }

  [[nodiscard]] constexpr std::size_t SlotOf(std::string_view target) const {
    const std::uint64_t begin = WordAt(target.data() + kNameOffset);
    const std::uint64_t end = WordAt(target.data() + target.size() - kWordBytes);
    return ((std::rotl(begin, 29) ^ end) + target.size()) * multiplier_ >> (64 - kSlotBits);
  }

  // Whether every target got a slot of its own.
  constexpr bool Fill() {
    std::array<bool, 1U << kSlotBits> taken{};
    for (std::size_t place = 0; place < kOperations.size(); ++place) {
      const std::size_t slot = SlotOf(kOperations[place].target);
      if (taken[slot]) {
        return false;
      }
      taken[slot] = true;
      places_[slot] = static_cast<std::uint8_t>(place);
    }
    return true;
  }

  std::uint64_t multiplier_ = 0x9e3779b97f4a7c15;
  std::array<std::uint8_t, 1U << kSlotBits> places_{};  // empty slots: 0, which then differs
};

constexpr TargetIndex kTargets;

}  // namespace

std::span<const Operation> AllOperations() {
  return kOperations;
}

const Operation* FindOperation(std::string_view target) {
  return kTargets.Find(target);
}

}  // namespace stator::wire
