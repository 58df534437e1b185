package dev.zarrreactive.internal.files;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.InvalidInputException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts bytes that arrive piece by piece into rows: elements of the first dimension, in C order. It
 * keeps a row that is not complete, and nothing else. Used by one thread at a time.
 */
public abstract class RowCutter {
  private final List<NdArray> complete = new ArrayList<>();

  /** Rows of an array. */
  final Rows rows;

  /** The rows that were cut so far. */
  long cut;

  RowCutter(Rows rows) {
    this.rows = rows;
  }

  /**
   * The rows that are wanted.
   *
   * @param dataType of the elements
   * @param row the shape of one row
   * @param count the number of rows; -1 for any
   */
  public record Rows(DataType dataType, Shape row, long count) {
    static final int LARGEST = 1 << 30;

    /** The elements of a row. */
    int elements() {
      return (int) row.elementCountUpTo(Integer.MAX_VALUE);
    }

    /** Returns the shape of rows that follow one another. */
    Shape shape(long number) {
      long[] extents = new long[row.rank() + 1];
      extents[0] = number;
      System.arraycopy(row.toArray(), 0, extents, 1, row.rank());
      return Shape.of(extents);
    }

    /** Returns the bytes that the elements of a row take in memory. */
    public long bytes() {
      return row.elementCountUpTo(Long.MAX_VALUE / 64) * dataType.memorySize();
    }

    String described() {
      String text = shape(Math.max(0, count)).toString();
      return dataType + " and shape " + (count < 0 ? text.replaceFirst("0", "rows") : text);
    }

    private void check() {
      if (bytes() > LARGEST) {
        throw new InvalidInputException(
            "a row of "
                + described()
                + " has "
                + bytes()
                + " bytes, and at most "
                + LARGEST
                + " are read at a time");
      }
    }
  }

  /**
   * Returns a cutter of elements in C order, little-endian.
   *
   * @throws InvalidInputException for types without an image of a fixed size
   */
  public static RowCutter raw(Rows rows) {
    rows.check();
    return new RawRows(rows, layout(rows.dataType()));
  }

  /**
   * Returns the array of all its elements in C order, little-endian.
   *
   * @throws InvalidInputException for another number of bytes
   */
  public static NdArray whole(byte[] elements, DataType type, Shape shape) {
    return whole(elements, layout(type), shape);
  }

  static NdArray whole(byte[] elements, ItemLayout layout, Shape shape) {
    BigInteger expected = shape.elementCount().multiply(BigInteger.valueOf(layout.fileSize()));
    if (!expected.equals(BigInteger.valueOf(elements.length))) {
      throw new InvalidInputException(
          "there are "
              + elements.length
              + " bytes of elements, and "
              + layout.dataType()
              + " "
              + shape
              + " has "
              + expected);
    }
    return NdArray.wrap(layout.dataType(), shape, Bytes.wrap(layout.images(elements)));
  }

  /** Returns the layout of a type in bytes that have no header. */
  static ItemLayout layout(DataType type) {
    if (type instanceof VariableLengthType) {
      throw new InvalidInputException(
          "elements of "
              + type
              + " have no fixed size; send application/json or"
              + " application/x-ndjson");
    }
    return ItemLayout.of(type, ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns a cutter of a NumPy file in C order, whose header must say these rows. */
  public static RowCutter npy(Rows rows) {
    rows.check();
    return new NpyRows(rows);
  }

  /**
   * Returns a cutter of JSON lines: a row on each line, as lists in lists, or an element on each.
   *
   * @param longest the most bytes of the text of a row
   */
  public static RowCutter lines(Rows rows, int longest) {
    rows.check();
    return new JsonRows(rows, longest, false);
  }

  /**
   * Returns a cutter of one JSON document: the list of the rows, which are lists in lists.
   *
   * @param longest the most bytes of the text of a row
   */
  public static RowCutter json(Rows rows, int longest) {
    rows.check();
    return new JsonRows(rows, longest, true);
  }

  /**
   * Takes bytes, and returns the rows that they complete.
   *
   * @throws InvalidInputException for bytes that are no such rows
   */
  public final List<NdArray> take(ByteBuffer bytes) {
    accept(bytes);
    return flush();
  }

  /**
   * Ends the bytes, and returns the last rows.
   *
   * @throws InvalidInputException where they end within a row, or are too few
   */
  public final List<NdArray> end() {
    finish();
    if (rows.count() >= 0 && cut != rows.count()) {
      throw new InvalidInputException(
          "the body has " + cut + " of the " + rows.count() + " rows of " + rows.described());
    }
    return flush();
  }

  private List<NdArray> flush() {
    List<NdArray> all = List.copyOf(complete);
    complete.clear();
    return all;
  }

  abstract void accept(ByteBuffer bytes);

  abstract void finish();

  /** Adds complete rows. */
  final void add(NdArray block) {
    complete.add(block);
    cut += block.shape().extent(0);
    if (rows.count() >= 0 && cut > rows.count()) {
      throw tooMany();
    }
  }

  final InvalidInputException tooMany() {
    return new InvalidInputException(
        "the body has more rows than the " + rows.count() + " of " + rows.described());
  }

  /** Adds rows whose elements are in memory. */
  final void add(ElementMemory memory, long number) {
    add(memory.toNdArray(rows.shape(number)));
  }
}
