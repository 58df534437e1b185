package dev.zarrreactive.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Counts what became of the cases of each class. */
final class ResultTable {
  private static final Path DIRECTORY = Path.of("target", "interop");

  private final String[] columns;
  private final Map<String, int[]> rows = new TreeMap<>();

  ResultTable(String... columns) {
    this.columns = columns;
  }

  synchronized void count(String row, int column) {
    rows.computeIfAbsent(row, name -> new int[columns.length])[column]++;
  }

  /** This table with rows put together. */
  ResultTable by(Function<String, String> row) {
    ResultTable result = new ResultTable(columns);
    rows.forEach(
        (name, counts) -> {
          int[] sum = result.rows.computeIfAbsent(row.apply(name), n -> new int[columns.length]);
          for (int c = 0; c < counts.length; c++) {
            sum[c] += counts[c];
          }
        });
    return result;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(line("class", columns));
    rows.forEach((name, counts) -> text.append(line(name, texts(counts))));
    int[] total = by(name -> "total").rows.getOrDefault("total", new int[columns.length]);
    return text.append(line("total", texts(total))).toString();
  }

  private static String[] texts(int[] counts) {
    String[] texts = new String[counts.length];
    for (int c = 0; c < counts.length; c++) {
      texts[c] = counts[c] == 0 ? "." : Integer.toString(counts[c]);
    }
    return texts;
  }

  private String line(String name, String... cells) {
    StringBuilder line = new StringBuilder(String.format("%-44s", name));
    for (int c = 0; c < cells.length; c++) {
      line.append(String.format(" %" + Math.max(6, columns[c].length()) + "s", cells[c]));
    }
    return line.append('\n').toString();
  }

  /** Leaves a text for people to read. */
  static Path write(String file, String text) {
    try {
      Files.createDirectories(DIRECTORY);
      return Files.writeString(DIRECTORY.resolve(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
