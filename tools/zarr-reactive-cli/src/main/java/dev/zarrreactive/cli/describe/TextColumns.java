package dev.zarrreactive.cli.describe;

import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Style;
import java.util.ArrayList;
import java.util.List;

/** Rows of texts, aligned in columns. A column that is empty in all rows is left out. */
public final class TextColumns {
  private static final String GAP = "  ";

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
   * Returns the rows as {@link #lines} does, without the columns at the end that do not fit.
   *
   * @param kept the columns that stay in any case
   * @param width the longest line
   */
  public List<String> fitted(List<List<String>> rows, String indent, int kept, int width) {
    List<List<String>> shorter = rows;
    while (widest(shorter, indent) > width && columns(shorter) > kept) {
      int last = columns(shorter) - 1;
      shorter =
          shorter.stream().map(row -> row.size() > last ? row.subList(0, last) : row).toList();
    }
    return lines(shorter, indent);
  }

  /** Returns a sentence in lines of at most that width, which are broken at spaces. */
  public static List<String> wrapped(String sentence, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : sentence.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static int columns(List<List<String>> rows) {
    return rows.stream().mapToInt(List::size).max().orElse(0);
  }

  private static int widest(List<List<String>> rows, String indent) {
    return new TextColumns(false)
        .lines(rows, indent).stream().mapToInt(String::length).max().orElse(0);
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
