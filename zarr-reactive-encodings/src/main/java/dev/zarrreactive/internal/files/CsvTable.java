package dev.zarrreactive.internal.files;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A table of numbers as text: one row a line, with commas, semicolons, tabs or spaces between. A
 * first line without a number is a header. A table of one column is an array of one dimension.
 */
public final class CsvTable implements RowFile.Rows {
  private static final Pattern SPACES = Pattern.compile("\\s+");

  private final DataType type;
  private final Format format;
  private final BufferedReader file;
  private long line;

  /**
   * The form of a table.
   *
   * @param separator between two numbers
   * @param columns the numbers of a row
   * @param hasHeader whether the first line is a header
   * @param rows the lines with numbers
   */
  private record Format(Pattern separator, int columns, boolean hasHeader, long rows) {}

  private CsvTable(DataType type, Format format, BufferedReader file) {
    this.type = type;
    this.format = format;
    this.file = file;
  }

  /**
   * Returns the table of a file, which is read once for its shape.
   *
   * @param type of numbers or bool
   * @throws UnreadableFileException for a file without numbers
   */
  public static RowFile of(Path path, DataType type) throws IOException {
    if (!(type instanceof IntegerType || type instanceof FloatType || type instanceof BoolType)) {
      throw new UnreadableFileException(
          "a table of numbers cannot become " + type + "; integers, floats and bool can be read");
    }
    Format format = format(path);
    Shape shape =
        format.columns() == 1 ? Shape.of(format.rows()) : Shape.of(format.rows(), format.columns());
    return new RowFile(
        type,
        shape,
        () -> {
          CsvTable table =
              new CsvTable(type, format, Files.newBufferedReader(path, StandardCharsets.UTF_8));
          if (format.hasHeader()) {
            table.nextLine();
          }
          return table;
        });
  }

  private static Format format(Path path) throws IOException {
    try (BufferedReader file = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
      String first = file.readLine();
      while (first != null && first.isBlank()) {
        first = file.readLine();
      }
      if (first == null) {
        throw new UnreadableFileException("the table is empty");
      }
      Pattern separator = separator(first);
      String[] cells = cells(first, separator);
      boolean hasHeader = true;
      for (String cell : cells) {
        hasHeader &= !isNumber(cell);
      }
      long rows = hasHeader ? 0 : 1;
      for (String next = file.readLine(); next != null; next = file.readLine()) {
        rows += next.isBlank() ? 0 : 1;
      }
      return new Format(separator, cells.length, hasHeader, rows);
    } catch (MalformedInputException e) {
      throw new UnreadableFileException("the table is no text in UTF-8", e);
    }
  }

  private static Pattern separator(String line) {
    for (String separator : new String[] {",", ";", "\t"}) {
      if (line.contains(separator)) {
        return Pattern.compile(separator);
      }
    }
    return SPACES;
  }

  private static String[] cells(String line, Pattern separator) {
    String text = line.startsWith("\ufeff") ? line.substring(1) : line;
    String[] cells = separator.split(separator.equals(SPACES) ? text.strip() : text, -1);
    for (int i = 0; i < cells.length; i++) {
      String cell = cells[i].strip();
      boolean isQuoted = cell.length() > 1 && cell.startsWith("\"") && cell.endsWith("\"");
      cells[i] = isQuoted ? cell.substring(1, cell.length() - 1).strip() : cell;
    }
    return cells;
  }

  private static boolean isNumber(String cell) {
    try {
      ofDouble(cell);
      return true;
    } catch (NumberFormatException e) {
      return cell.equalsIgnoreCase("true") || cell.equalsIgnoreCase("false");
    }
  }

  @Override
  public NdArray next(int rows) throws IOException {
    int columns = format.columns();
    double[] doubles = type instanceof FloatType ? new double[rows * columns] : new double[0];
    long[] longs = type instanceof FloatType ? new long[0] : new long[rows * columns];
    for (int row = 0; row < rows; row++) {
      String text = nextLine();
      if (text == null) {
        throw new UnreadableFileException("the table became shorter while it was read");
      }
      String[] cells = cells(text, format.separator());
      if (cells.length != columns) {
        throw new UnreadableFileException(
            "line " + line + " has " + cells.length + " cells, and the first line has " + columns);
      }
      for (int column = 0; column < columns; column++) {
        int at = row * columns + column;
        try {
          if (type instanceof FloatType) {
            doubles[at] = ofDouble(cells[column]);
          } else {
            longs[at] = ofLong(cells[column]);
          }
        } catch (NumberFormatException e) {
          throw new UnreadableFileException(
              "line " + line + ", cell " + (column + 1) + ": " + wrong(cells[column]));
        }
      }
    }
    Shape shape = columns == 1 ? Shape.of(rows) : Shape.of(rows, columns);
    return array(shape, doubles, longs);
  }

  private NdArray array(Shape shape, double[] doubles, long[] longs) {
    try {
      if (type instanceof FloatType) {
        return NdArray.ofDoubles(shape, doubles).cast(type);
      } else if (type instanceof BoolType) {
        boolean[] bools = new boolean[longs.length];
        for (int i = 0; i < bools.length; i++) {
          bools[i] = longs[i] != 0;
        }
        return NdArray.ofBooleans(shape, bools);
      }
      DataType wide = type.equals(DataTypes.UINT64) ? type : DataTypes.INT64;
      return NdArray.ofLongs(wide, shape, longs).cast(type);
    } catch (IllegalArgumentException e) {
      throw new UnreadableFileException("up to line " + line + ": " + e.getMessage(), e);
    }
  }

  private long ofLong(String cell) {
    if (type instanceof BoolType) {
      return switch (cell.toLowerCase(Locale.ROOT)) {
        case "true", "1" -> 1;
        case "false", "0" -> 0;
        default -> throw new NumberFormatException();
      };
    }
    return type.equals(DataTypes.UINT64) ? Long.parseUnsignedLong(cell) : Long.parseLong(cell);
  }

  private static double ofDouble(String cell) {
    return switch (cell.toLowerCase(Locale.ROOT)) {
      case "", "nan", "na" -> Double.NaN;
      case "inf", "+inf", "infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(cell);
    };
  }

  private String wrong(String cell) {
    return "expected a number of " + type + ", found " + (cell.isEmpty() ? "nothing" : cell);
  }

  private @Nullable String nextLine() throws IOException {
    String text;
    do {
      text = file.readLine();
      line++;
    } while (text != null && text.isBlank());
    return text;
  }

  @Override
  public void close() {
    RowFile.close(file);
  }
}
