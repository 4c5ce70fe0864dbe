// For tests: commands on single items, batches and transactions.

#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "model/arbitrary.h"
#include "model/sut.h"

namespace stator::model {

// PutItem, UpdateItem or DeleteItem, with or without a condition.
class WriteCommand : public Command {
 public:
  explicit WriteCommand(const Model& model);

  void apply(Model& model) const override;
  void run(const Model& model, Sut& sut) const override;
  void show(std::ostream& out) const override;

 private:
  void RunPut(const Model& model, Database& database) const;
  void RunDelete(const Model& model, Database& database) const;
  void RunUpdate(const Model& model, Database& database) const;

  Write write_;
  ReturnValues wanted_;  // of an update
};

// GetItem, BatchGetItem and TransactGetItems of the same keys.
class ReadCommand : public Command {
 public:
  explicit ReadCommand(const Model& model);

  void run(const Model& model, Sut& sut) const override;
  void show(std::ostream& out) const override;

 private:
  std::vector<std::pair<std::size_t, Key>> keys_;
};

class BatchWriteCommand : public Command {
 public:
  explicit BatchWriteCommand(const Model& model);

  void apply(Model& model) const override;
  void run(const Model& model, Sut& sut) const override;
  void show(std::ostream& out) const override;

 private:
  [[nodiscard]] bool IsValid(const Model& model) const;

  std::vector<Write> writes_;  // puts and deletes without conditions
};

class TransactWriteCommand : public Command {
 public:
  explicit TransactWriteCommand(const Model& model);

  void apply(Model& model) const override;
  void run(const Model& model, Sut& sut) const override;
  void show(std::ostream& out) const override;

 private:
  std::vector<Write> writes_;
};

}  // namespace stator::model
