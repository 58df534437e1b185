package dev.zarrreactive.cli.describe;

import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Style;
import java.util.ArrayList;
import java.util.List;

/** Rows of texts, aligned in columns. A column that is empty in all rows is left out. */
public final class TextColumns {
  private static final String GAP = "  ";

  /** The least length of a text that is cut or broken. */
  private static final int SHORTEST = 20;

  private final boolean colour;

  /** Creates columns, in colour or without. */
  public TextColumns(boolean colour) {
    this.colour = colour;
  }

  /**
   * Returns the rows. The last text of a row may be longer than its column. The first column stands
   * out on a terminal.
   */
  public List<String> lines(List<List<String>> rows, String indent) {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        boolean isLong = column == row.size() - 1 && column < columns - 1;
        int width = isLong ? 1 : Printable.of(row.get(column)).length();
        widths[column] = Math.max(widths[column], width);
      }
    }
    return rows.stream().map(row -> indent + line(row, widths)).toList();
  }

  /**
   * Returns the rows as {@link #lines} does, in lines of at most that width: columns at the end
   * that do not fit are left out, then the longest of those that stay is cut. The last text of a
   * row with fewer columns, such as an error, is broken at spaces, and stays whole.
   *
   * @param kept the columns that stay in any case
   */
  public List<String> fitted(List<List<String>> rows, String indent, int kept, int width) {
    int all = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[all];
    for (List<String> row : rows) {
      boolean isWhole = row.size() == all;
      for (int column = 0; column < (isWhole ? all : row.size() - 1); column++) {
        int length = Printable.of(row.get(column)).length();
        widths[column] = Math.max(widths[column], length);
      }
    }
    int columns = all;
    while (columns > kept && length(widths, columns, indent) > width) {
      columns--;
    }
    int excess = length(widths, columns, indent) - width;
    int longest = 0;
    for (int column = 1; column < columns; column++) {
      longest = longest == 0 || widths[column] > widths[longest] ? column : longest;
    }
    int cut = longest == 0 ? -1 : Math.max(SHORTEST, widths[longest] - excess);
    List<List<String>> fitting = new ArrayList<>();
    for (List<String> row : rows) {
      if (row.size() == all) {
        List<String> shorter = new ArrayList<>(row.subList(0, columns));
        if (excess > 0 && longest > 0) {
          shorter.set(longest, Printable.cut(shorter.get(longest), cut));
        }
        fitting.add(shorter);
      } else {
        addBroken(fitting, row, all == 0 ? 0 : widths[0] + indent.length(), width);
      }
    }
    return lines(fitting, indent);
  }

  /** Returns the length of a line with the first columns. */
  private static int length(int[] widths, int columns, String indent) {
    int length = indent.length();
    for (int column = 0; column < columns; column++) {
      length += widths[column] == 0 ? 0 : widths[column] + (column == 0 ? 0 : GAP.length());
    }
    return length;
  }

  /** Adds a row whose last text is broken, where it is the second one. */
  private static void addBroken(List<List<String>> rows, List<String> row, int first, int width) {
    if (row.size() != 2) {
      rows.add(row);
      return;
    }
    int room = Math.max(SHORTEST, width - first - GAP.length());
    String name = row.get(0);
    for (String part : wrapped(Printable.of(row.get(1)), "", room)) {
      rows.add(List.of(name, part));
      name = "";
    }
  }

  /**
   * Returns a sentence in lines of at most that width, which are broken at spaces.
   *
   * @param indent stands before each line but the first
   */
  public static List<String> wrapped(String sentence, String indent, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    boolean isFirst = true;
    boolean hasWord = false;
    for (String word : sentence.split(" ", -1)) {
      if (hasWord && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
        line.append(indent);
        isFirst = true;
        hasWord = false;
      }
      line.append(isFirst ? "" : " ").append(word);
      isFirst = false;
      hasWord |= !word.isEmpty();
    }
    lines.add(line.toString());
    return lines;
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    int length = 0;
    int end = 0;
    for (int column = 0; column < row.size(); column++) {
      String text = Printable.of(row.get(column));
      if (widths[column] > 0) {
        line.append(" ".repeat(end - length)).append(column == 0 ? "" : GAP);
        line.append(column == 0 ? Style.ARRAY.of(text, colour) : text);
        length = text.length();
        end = Math.max(length, widths[column]);
      }
    }
    return line.toString().stripTrailing();
  }
}
