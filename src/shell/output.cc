#include "shell/output.h"

#include <algorithm>
#include <set>

#include "shell/printable.h"
#include "value/plain_json.h"

namespace stator::shell {
namespace {

constexpr std::string_view kCut = "…";

// The text on one line, in at most `width` columns.
std::string Fit(std::string_view text, std::size_t width, std::size_t& used) {
  constexpr std::size_t kAccentsMax = 4;  // more of them on one character draw over other lines
  std::string fitted;
  std::string before_cut;  // what stays when the next character does not fit
  std::size_t used_before_cut = 0;
  std::size_t accents = 0;
  used = 0;
  while (!text.empty()) {
    const Glyph glyph = TakeGlyph(text);
    accents = glyph.columns == 0 ? accents + 1 : 0;
    if (accents > kAccentsMax) {
      continue;
    }
    if (used + glyph.columns > width) {
      used = used_before_cut + 1;
      return before_cut.append(kCut);
    }
    fitted += glyph.text;
    used += glyph.columns;
    if (used < width) {
      before_cut.append(fitted, before_cut.size());
      used_before_cut = used;
    }
  }
  return fitted;
}

// No more than `most`, however long the text is.
std::size_t WidthOf(std::string_view text, std::size_t most) {
  std::size_t used = 0;
  Fit(text, most, used);
  return used;
}

// Takes from the widest columns until the line fits; none gets narrower than four.
std::vector<std::size_t> Widths(const std::vector<std::string>& names,
                                const std::vector<std::vector<std::string>>& rows,
                                std::size_t width) {
  constexpr std::size_t kNarrowest = 4;
  constexpr std::size_t kBetween = 3;
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < names.size(); ++column) {
    std::size_t widest = WidthOf(names[column], width);
    for (const std::vector<std::string>& row : rows) {
      widest = std::max(widest, WidthOf(row[column], width));
    }
    widths.push_back(std::max<std::size_t>(1, widest));
  }
  const auto total = [&] {
    std::size_t sum = kBetween * (widths.size() - 1);
    for (const std::size_t each : widths) {
      sum += each;
    }
    return sum;
  };
  for (std::size_t sum = total(); sum > width; sum = total()) {
    const auto widest = std::ranges::max_element(widths);
    if (*widest <= kNarrowest) {
      break;
    }
    *widest = std::max(kNarrowest, *widest - std::min(*widest - kNarrowest, sum - width));
  }
  return widths;
}

void AppendRow(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
               std::size_t width, std::string& out) {
  std::string line;
  std::size_t line_width = 0;
  for (std::size_t column = 0; column < cells.size(); ++column) {
    if (column > 0) {
      line += " | ";
      line_width += 3;
    }
    std::size_t used = 0;
    line += Fit(cells[column], widths[column], used);
    line_width += widths[column];
    if (column + 1 < cells.size()) {
      line.append(widths[column] - used, ' ');
    }
  }
  std::size_t used = 0;
  out += line_width > width ? Fit(line, width, used) : line;
  out += '\n';
}

void AppendCsvCell(std::string_view text, std::string& out) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char character : text) {
    out.append(character == '"' ? 2 : 1, character);
  }
  out += '"';
}

void AppendCsvRow(const std::vector<std::string>& cells, std::string& out) {
  for (std::size_t column = 0; column < cells.size(); ++column) {
    out += column > 0 ? "," : "";
    AppendCsvCell(cells[column], out);
  }
  out += "\r\n";
}

}  // namespace

std::vector<std::string> ColumnsOf(const std::vector<Item>& items,
                                   const std::vector<std::string>& first) {
  std::set<std::string> names;
  for (const Item& item : items) {
    for (const auto& [name, value] : item) {
      names.insert(name);
    }
  }
  std::vector<std::string> columns;
  for (const std::string& name : first) {
    if (names.erase(name) > 0) {
      columns.push_back(name);
    }
  }
  columns.insert(columns.end(), names.begin(), names.end());
  return columns;
}

std::string CellOf(const AttributeValue* value) {
  if (value == nullptr) {
    return "";
  }
  const auto* text = value->If<std::string>();
  return text != nullptr ? *text : value::ToPlainJson(*value);
}

std::string DrawTable(const std::vector<std::string>& names,
                      const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  std::string out;
  if (names.empty()) {
    return out;
  }
  const std::vector<std::size_t> widths = Widths(names, rows, width);
  AppendRow(names, widths, width, out);
  std::string rule;
  for (std::size_t column = 0; column < widths.size(); ++column) {
    rule += (column > 0 ? "-+-" : "") + std::string(widths[column], '-');
  }
  out += rule.substr(0, width) + '\n';
  for (const std::vector<std::string>& row : rows) {
    AppendRow(row, widths, width, out);
  }
  return out;
}

std::string ShowItems(const std::vector<Item>& items, const std::vector<std::string>& first,
                      Format format, std::size_t width) {
  std::string out;
  if (format == Format::kJson) {
    for (const Item& item : items) {
      out += PrintableJson(value::ToPlainJson(item)) + '\n';
    }
    return out;
  }
  const std::vector<std::string> columns = ColumnsOf(items, first);
  std::vector<std::vector<std::string>> rows;
  for (const Item& item : items) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const std::string& column : columns) {
      row.push_back(CellOf(item.Find(column)));
    }
  }
  if (format == Format::kTable) {
    return DrawTable(columns, rows, width);
  }
  if (!columns.empty()) {
    AppendCsvRow(columns, out);
  }
  for (const std::vector<std::string>& row : rows) {
    AppendCsvRow(row, out);
  }
  return out;
}

}  // namespace stator::shell
