// An import as a row, stored as an item: what was asked for, how far it has come, how it ended.
// docs/format.md, "Imports", names the attributes.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "keyspace/table_row.h"
#include "stator/api/imports.h"
#include "stator/base/result.h"

namespace stator::keyspace {

struct ImportRow {
  // Without what the table says: its ARN, its id, the parameters that it was made with.
  ImportTableDescription description;
  std::string request;  // a digest of what was asked for, to tell repetitions from conflicts
  TableRow table;       // as it was made

  // Progress; of no meaning once it has ended.
  std::string object;        // the key of the one that is being read; empty: none yet
  std::int64_t records = 0;  // of it that were taken
  Figures figures;           // of what is in the table
  std::string first_error;   // for people
};

void AppendImportRow(const ImportRow& row, std::string& bytes);
Result<ImportRow> DecodeImportRow(std::string_view bytes);

}  // namespace stator::keyspace
