// Lines that somebody types at a terminal, with editing, history and completion (libedit).

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shell/completion.h"
#include "shell/history_file.h"

namespace stator::shell {

// What a word could become.
using Completer = std::function<std::vector<std::string>(const Word& word)>;

class LineEditor {
 public:
  // The history is read now, and written as lines are added.
  LineEditor(HistoryFile history, Completer completer);
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;
  ~LineEditor();

  struct Line {
    std::string text;          // with its line end
    bool interrupted = false;  // by Ctrl-C; there is no text then
  };
  // Nothing at the end, Ctrl-D.
  std::optional<Line> Read(const std::string& prompt);

 private:
  void Remember(std::string line);

  struct State;
  std::unique_ptr<State> state_;
};

// Of the terminal that the standard output is; nothing when it is none.
std::optional<std::size_t> TerminalWidth();

}  // namespace stator::shell
