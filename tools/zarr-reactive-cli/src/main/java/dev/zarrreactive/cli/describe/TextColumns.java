package dev.zarrreactive.cli.describe;

import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Style;
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
