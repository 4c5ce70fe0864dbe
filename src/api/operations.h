// What is known of every operation beside its messages: the rows of stator/api/operations.inc as
// constants, for whoever handles all operations alike.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "stator/api/database.h"

namespace stator::api {

enum class Effect : std::uint8_t {
  kRead,        // changes nothing
  kItemWrite,   // changes items; can be started without waiting for the disk
  kTableWrite,  // changes tables and what hangs on them
};

enum class Resource : std::uint8_t {
  kTable,        // table_name, with index_name where the input has one
  kBackups,      // the same, of the operations that call a missing table TableNotFoundException
  kBackupArn,    // backup_arn; a missing table is called the same
  kExports,      // table_arn; a missing table is called the same
  kExportArn,    // export_arn
  kImports,      // the table that is to be made
  kImportArn,    // import_arn
  kResourceArn,  // resource_arn
  kStream,       // stream_arn
  kCheckpoint,   // checkpoint_name; policies are asked for the whole database
  kAccount,      // none
};

// Whether an operation may be sent again after an attempt whose answer was lost, and which may thus
// have been carried out.
enum class Repetition : std::uint8_t {
  kReads,       // yes: it changes nothing
  kTokened,     // yes: the endpoint recognises the repetition by its token
  kIdempotent,  // yes: done twice is done once
  kOnce,        // no
};

struct Operation {
  std::string_view name;    // "PutItem"
  std::string_view target;  // "DynamoDB_20120810.PutItem"
  Effect effect = Effect::kRead;
  Resource resource = Resource::kTable;
  Repetition repetition = Repetition::kReads;

  // What policies call it, before its name.
  [[nodiscard]] constexpr std::string_view action_prefix() const {
    return target.starts_with("Stator_") ? "stator:" : "dynamodb:";
  }
};

// By the type of an input: Output, kOperation, and the methods of Database; kStart is there for
// item writes only.
template <class Input>
struct OperationOf;

#define STATOR_OPERATION_FACTS(Name, Service, effect, resource, repetition)                    \
  using Output = Name##Output;                                                                 \
  static constexpr Operation kOperation = {#Name, #Service "_20120810." #Name, Effect::effect, \
                                           Resource::resource, Repetition::repetition};        \
  static constexpr auto kCall = &Database::Name;
#define STATOR_OPERATION(Name, Service, effect, resource, repetition)   \
  template <>                                                           \
  struct OperationOf<Name##Input> {                                     \
    STATOR_OPERATION_FACTS(Name, Service, effect, resource, repetition) \
  };
#define STATOR_ITEM_WRITE(Name, Service, resource, repetition)              \
  template <>                                                               \
  struct OperationOf<Name##Input> {                                         \
    STATOR_OPERATION_FACTS(Name, Service, kItemWrite, resource, repetition) \
    static constexpr auto kStart = &Database::Start##Name;                  \
  };
#include "stator/api/operations.inc"
#undef STATOR_OPERATION_FACTS

inline constexpr std::array kOperations = {
#define STATOR_OPERATION(Name, ...) &OperationOf<Name##Input>::kOperation,
#include "stator/api/operations.inc"
};

}  // namespace stator::api
