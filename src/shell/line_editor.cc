#include "shell/line_editor.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cwchar>
#include <histedit.h>
#include <ranges>
#include <string_view>
#include <unistd.h>
#include <utility>

#include "base/check.h"

namespace stator::shell {

struct LineEditor::State {
  HistoryFile file;
  Completer completer;
  EditLine* editor = nullptr;
  History* history = nullptr;
  std::string prompt;
  bool interrupted = false;

  static State& Of(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<State*>(data);
  }
  static char* Prompt(EditLine* editor) { return Of(editor).prompt.data(); }

  static unsigned char OnInterrupt(EditLine* editor, wint_t /*key*/) {
    Of(editor).interrupted = true;
    std::fputs("^C", stdout);
    return CC_NEWLINE;
  }

  static unsigned char OnTab(EditLine* editor, wint_t /*key*/) { return Of(editor).Complete(); }

  [[nodiscard]] unsigned char Complete() const {
    const LineInfo* const line = el_line(editor);
    const Word word = WordAtEnd(
        std::string_view(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer)));
    const std::vector<std::string> found = completer(word);
    if (found.empty()) {
      return CC_REFRESH_BEEP;
    }
    std::string completed = CommonBeginning(found);
    if (found.size() == 1) {
      completed += ' ';
    } else if (completed.size() <= word.text.size()) {
      List(found);
      return CC_REDISPLAY;
    }
    // As the candidate has it: SEL for sel. The editor counts characters, not bytes.
    const auto characters = std::ranges::count_if(
        word.text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80; });
    el_deletestr(editor, static_cast<int>(characters));
    el_insertstr(editor, completed.c_str());
    return CC_REFRESH;
  }

  static void List(const std::vector<std::string>& words) {
    constexpr std::size_t kShownMax = 100;
    std::fputc('\n', stdout);
    for (const std::string& word : words | std::views::take(kShownMax)) {
      std::printf("%s  ", word.c_str());
    }
    std::fputs(words.size() > kShownMax ? "...\n" : "\n", stdout);
  }
};

LineEditor::LineEditor(HistoryFile file, Completer completer)
    : state_(std::make_unique<State>(
          State{.file = std::move(file), .completer = std::move(completer), .prompt = ""})) {
  // Of the characters alone: numbers are written the same everywhere.
  std::setlocale(LC_CTYPE, "");
  state_->editor = el_init("stator", stdin, stdout, stderr);
  state_->history = history_init();
  CHECK(state_->editor != nullptr && state_->history != nullptr);
  HistEvent event;
  history(state_->history, &event, H_SETSIZE, static_cast<int>(HistoryFile::kLinesMax));
  history(state_->history, &event, H_SETUNIQUE, 1);
  for (const std::string& line : state_->file.Load()) {
    history(state_->history, &event, H_ENTER, line.c_str());
  }
  EditLine* const editor = state_->editor;
  el_set(editor, EL_CLIENTDATA, state_.get());
  el_set(editor, EL_PROMPT, &State::Prompt);
  el_set(editor, EL_SIGNAL, 1);  // whatever ends or stops us finds the terminal as it was
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_HIST, history, state_->history);
  // The wide ones, because the others leak what they are given.
  el_wset(editor, EL_ADDFN, L"stator-interrupt", L"Forget what was typed", &State::OnInterrupt);
  el_wset(editor, EL_ADDFN, L"stator-complete", L"Complete the word", &State::OnTab);
  el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(editor, nullptr);  // ~/.editrc
  el_set(editor, EL_BIND, "^I", "stator-complete", nullptr);
  el_set(editor, EL_BIND, "^C", "stator-interrupt", nullptr);
  // While a line is edited Ctrl-C is a key; while a statement runs it is a signal.
  el_set(editor, EL_SETTY, "-d", "-isig", nullptr);
}

LineEditor::~LineEditor() {
  history_end(state_->history);
  el_end(state_->editor);
}

std::optional<LineEditor::Line> LineEditor::Read(const std::string& prompt) {
  state_->prompt = prompt;
  state_->interrupted = false;
  int count = 0;
  errno = 0;
  const char* const text = el_gets(state_->editor, &count);
  if (state_->interrupted || (text == nullptr && errno == EINTR)) {
    return Line{.text = "", .interrupted = true};
  }
  if (text == nullptr || count <= 0) {
    return std::nullopt;
  }
  Line line{.text = std::string(text, static_cast<std::size_t>(count))};
  Remember(line.text);
  return line;
}

void LineEditor::Remember(std::string line) {
  line.erase(line.find_last_not_of(" \t\r\n") + 1);
  if (line.empty()) {
    return;
  }
  HistEvent event;
  history(state_->history, &event, H_ENTER, line.c_str());
  state_->file.Append(line);
}

std::optional<std::size_t> TerminalWidth() {
  constexpr std::size_t kUnknown = 80;
  if (isatty(STDOUT_FILENO) == 0) {
    return std::nullopt;
  }
  winsize size = {};
  const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kUnknown;
}

}  // namespace stator::shell
