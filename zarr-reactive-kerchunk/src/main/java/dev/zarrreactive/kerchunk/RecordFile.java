package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.parquet.ParquetColumn;
import dev.zarrreactive.internal.parquet.ParquetFile;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The references of one record file of Parquet, in columns: some twenty bytes for each, and each
 * URL once.
 */
final class RecordFile {
  /** A file that is not there: all its chunks are missing. */
  static final RecordFile MISSING = new RecordFile();

  private static final int OVERHEAD = 512;
  private static final int NONE = -1;
  private static final byte[] BASE64 = {'b', 'a', 's', 'e', '6', '4', ':'};

  private final int rows;
  private final TextPool urls;
  private final ByteSpace data;

  /** The number of the URL of a row; absent where no row has one. */
  private int[] paths = {};

  private long[] offsets = {};
  private long[] sizes = {};

  /** Where the data of a row begin, and how many they are; absent where no row has any. */
  private int[] dataStarts = {};

  private int[] dataSizes = {};

  private RecordFile() {
    HeldBytes none = new HeldBytes(0, Location.UNKNOWN);
    this.rows = 0;
    this.urls = new TextPool(none);
    this.data = new ByteSpace(none);
  }

  private RecordFile(ParquetFile file, KerchunkOptions options, Location place) {
    HeldBytes held = new HeldBytes(options.maxBytes(), place);
    this.rows = file.rows();
    this.urls = new TextPool(held);
    this.data = new ByteSpace(held);
    file.read("path", new Urls(place));
    file.read("offset", new Integers("offset", place, () -> offsets = new long[rows]));
    file.read("size", new Integers("size", place, () -> sizes = new long[rows]));
    file.read("raw", new Data(place));
    urls.trim();
    data.trim();
  }

  /**
   * Reads a record file.
   *
   * @param mostRows the most rows that it may have
   * @throws StoreException where it is damaged
   */
  static RecordFile read(Bytes file, int mostRows, KerchunkOptions options, Location place) {
    return new RecordFile(
        ParquetFile.of(file, mostRows, options.maxBytes(), place), options, place);
  }

  /** The number of rows, with those that say that a chunk is missing. */
  int rows() {
    return rows;
  }

  /** The bytes that this holds. */
  long weight() {
    return OVERHEAD
        + urls.weight()
        + data.size()
        + 4L * paths.length
        + 8L * offsets.length
        + 8L * sizes.length
        + 4L * dataStarts.length
        + 4L * dataSizes.length;
  }

  /** Returns true for a row that is a reference. */
  boolean has(int row) {
    return hasData(row) || (paths.length > 0 && paths[row] != NONE);
  }

  private boolean hasData(int row) {
    return dataSizes.length > 0 && dataSizes[row] != NONE;
  }

  private boolean isWhole(int row) {
    return offset(row) == 0 && size(row) == 0;
  }

  private long offset(int row) {
    return offsets.length == 0 ? 0 : offsets[row];
  }

  private long size(int row) {
    return sizes.length == 0 ? 0 : sizes[row];
  }

  /** The size of the value of a row; that of a whole file is not known. */
  long valueSize(int row) {
    if (hasData(row)) {
      return dataSizes[row];
    }
    return isWhole(row) ? KerchunkReference.Elsewhere.WHOLE : size(row);
  }

  /**
   * Returns the reference of a row; null where the chunk is missing.
   *
   * @throws StoreException where it is no part of a file
   */
  @Nullable KerchunkReference reference(int row, Location place) {
    if (hasData(row)) {
      return new KerchunkReference.Inline(
          Bytes.wrap(data.array(), dataStarts[row], dataSizes[row]));
    } else if (!has(row)) {
      return null;
    }
    String url = urls.get(paths[row]);
    if (isWhole(row)) {
      return new KerchunkReference.Elsewhere(url, 0, KerchunkReference.Elsewhere.WHOLE);
    }
    long offset = offset(row);
    long size = size(row);
    if (offset < 0 || size < 0 || offset + size < 0) {
      throw new StoreException(
          "row " + row + " has " + size + " bytes from " + offset + ", which are no part of a file",
          place);
    }
    return new KerchunkReference.Elsewhere(url, offset, size);
  }

  /** Refuses values of other types; a column without a value may have any. */
  private abstract static class Column implements ParquetColumn {
    private final String name;
    private final Location place;

    Column(String name, Location place) {
      this.name = name;
      this.place = place;
    }

    @Override
    public void integer(int row, long value) {
      throw wrong(row, "an integer");
    }

    @Override
    public void bytes(int row, byte[] array, int from, int length) {
      throw wrong(row, "a text");
    }

    /** NaN stands for null in tables of pandas. */
    @Override
    public void number(int row, double value) {
      if (!Double.isNaN(value)) {
        throw wrong(row, "a number");
      }
    }

    final StoreException wrong(int row, String found) {
      return new StoreException(
          "the column \"" + name + "\" of references has " + found + " in row " + row, place);
    }
  }

  private final class Urls extends Column {
    Urls(Location place) {
      super("path", place);
    }

    @Override
    public void bytes(int row, byte[] array, int from, int length) {
      if (paths.length == 0) {
        paths = new int[rows];
        Arrays.fill(paths, NONE);
      }
      paths[row] = urls.add(array, from, length);
    }
  }

  private static final class Integers extends Column {
    private final Supplier<long[]> first;
    private long @Nullable [] values;

    Integers(String name, Location place, Supplier<long[]> first) {
      super(name, place);
      this.first = first;
    }

    @Override
    public void integer(int row, long value) {
      if (values == null) {
        values = first.get();
      }
      values[row] = value;
    }
  }

  private final class Data extends Column {
    Data(Location place) {
      super("raw", place);
    }

    @Override
    public void bytes(int row, byte[] array, int from, int length) {
      if (dataSizes.length == 0) {
        dataStarts = new int[rows];
        dataSizes = new int[rows];
        Arrays.fill(dataSizes, NONE);
      }
      dataStarts[row] = data.size();
      boolean isBase64 =
          length >= BASE64.length
              && Arrays.equals(array, from, from + BASE64.length, BASE64, 0, BASE64.length);
      if (isBase64) {
        try {
          byte[] decoded =
              Base64.getDecoder()
                  .decode(Arrays.copyOfRange(array, from + BASE64.length, from + length));
          data.add(decoded, 0, decoded.length);
        } catch (IllegalArgumentException e) {
          throw wrong(row, "a text that begins with base64: and is none");
        }
      } else {
        data.add(array, from, length);
      }
      dataSizes[row] = data.size() - dataStarts[row];
    }
  }
}
