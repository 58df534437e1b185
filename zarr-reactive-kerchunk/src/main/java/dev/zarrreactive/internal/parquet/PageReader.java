package dev.zarrreactive.internal.parquet;

import dev.zarrreactive.base.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Reads the pages of one column of one row group. */
final class PageReader {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int DATA = 0;
  private static final int DICTIONARY = 2;
  private static final int DATA_V2 = 3;

  private static final int PLAIN = 0;
  private static final int PLAIN_DICTIONARY = 2;
  private static final int RLE = 3;
  private static final int RLE_DICTIONARY = 8;

  private static final String[] ENCODINGS = {
    "PLAIN",
    "GROUP_VAR_INT",
    "PLAIN_DICTIONARY",
    "RLE",
    "BIT_PACKED",
    "DELTA_BINARY_PACKED",
    "DELTA_LENGTH_BYTE_ARRAY",
    "DELTA_BYTE_ARRAY",
    "RLE_DICTIONARY",
    "BYTE_STREAM_SPLIT"
  };

  private final Bytes file;
  private final ColumnChunk chunk;
  private final boolean isOptional;
  private final long mostBytes;
  private final ParquetPlace place;

  /** The entries of the dictionary, one after the other as in a plain page; null before it. */
  private @Nullable Block dictionary;

  /** Where each entry of a dictionary of bytes begins; the last one is the end. */
  private int[] starts = new int[0];

  /** Bytes of a page. */
  static final class Block {
    private final byte[] array;
    private final int from;
    private final int length;

    Block(byte[] array, int from, int length) {
      this.array = array;
      this.from = from;
      this.length = length;
    }

    byte[] array() {
      return array;
    }

    int from() {
      return from;
    }

    int length() {
      return length;
    }
  }

  PageReader(
      Bytes file, ColumnChunk chunk, boolean isOptional, long mostBytes, ParquetPlace place) {
    this.file = file;
    this.chunk = chunk;
    this.isOptional = isOptional;
    this.mostBytes = mostBytes;
    this.place = place;
  }

  /** Hands the values of {@code rows} rows on; the first has the number {@code firstRow}. */
  void read(ParquetColumn column, int firstRow, int rows) {
    if (chunk.values() != rows) {
      throw place.damaged(chunk.values() + " values for " + rows + " rows");
    }
    int at = chunk.start();
    int row = 0;
    while (row < rows) {
      if (at >= chunk.end()) {
        throw place.damaged("pages for " + row + " of " + rows + " rows");
      }
      PageHeader header = new PageHeader(file.slice(0, chunk.end()), at, place);
      int body = header.end();
      if (header.compressedSize < 0 || header.compressedSize > chunk.end() - body) {
        throw place.damaged(
            "a page of " + header.compressedSize + " bytes in " + (chunk.end() - body));
      }
      if (header.type == DICTIONARY) {
        readDictionary(header, body);
      } else if (header.type == DATA || header.type == DATA_V2) {
        if (header.values < 0 || header.values > rows - row) {
          throw place.damaged(
              "a page of " + header.values + " values where " + (rows - row) + " are missing");
        }
        readData(header, body, column, firstRow + row);
        row += header.values;
      }
      at = body + header.compressedSize;
    }
  }

  private Block body(PageHeader header, int body, int skipped) {
    return Decompressor.decompress(
        file.slice(body + skipped, header.compressedSize - skipped),
        header.isCompressed ? chunk.codec() : Decompressor.NONE,
        header.uncompressedSize - (long) skipped,
        mostBytes,
        place);
  }

  private void readDictionary(PageHeader header, int body) {
    if (dictionary != null) {
      throw place.damaged("two dictionaries");
    } else if (header.encoding != PLAIN && header.encoding != PLAIN_DICTIONARY) {
      throw place.unsupported("a dictionary in the encoding " + encoding(header.encoding));
    }
    Block block = body(header, body, 0);
    int least = Math.max(1, width());
    if (header.values < 0 || header.values > block.length() / least) {
      throw place.damaged(
          "a dictionary of " + header.values + " entries in " + block.length() + " bytes");
    }
    starts = new int[header.values + 1];
    int at = block.from();
    for (int i = 0; i < header.values; i++) {
      starts[i] = at;
      at = end(block, at);
    }
    starts[header.values] = at;
    dictionary = block;
  }

  /** The bytes of a value, or of the length before it. */
  private int width() {
    return switch (chunk.type()) {
      case ColumnChunk.INT32, ColumnChunk.FLOAT, ColumnChunk.BYTE_ARRAY -> Integer.BYTES;
      case ColumnChunk.INT64, ColumnChunk.DOUBLE -> Long.BYTES;
      default -> throw place.unsupported("values of the type " + chunk.typeName());
    };
  }

  /** The end of the plain value at {@code at}. */
  private int end(Block block, int at) {
    long length = width();
    int end = block.from() + block.length();
    if (length > end - at) {
      throw place.damaged("its values end too early");
    }
    if (chunk.type() == ColumnChunk.BYTE_ARRAY) {
      length += (int) INT.get(block.array(), at) & 0xffff_ffffL;
      if (length > end - at) {
        throw place.damaged(
            "a value of " + (length - Integer.BYTES) + " bytes in " + (end - at - Integer.BYTES));
      }
    }
    return at + (int) length;
  }

  private void readData(PageHeader header, int body, ParquetColumn column, int firstRow) {
    boolean isSecond = header.type == DATA_V2;
    int levels = isSecond ? header.definitionSize : 0;
    if (levels < 0 || header.repetitionSize != 0 || levels > header.compressedSize) {
      throw place.damaged("levels of " + header.repetitionSize + " and " + levels + " bytes");
    }
    Block block = body(header, body, levels);
    int at = block.from();
    int end = at + block.length();
    @Nullable HybridReader definitions = null;
    if (isOptional && isSecond) {
      definitions =
          new HybridReader(file.unsafeArray(), file.unsafeOffset() + body, levels, 1, place);
    } else if (isOptional) {
      if (header.definitionEncoding != RLE) {
        throw place.unsupported("levels in the encoding " + encoding(header.definitionEncoding));
      } else if (end - at < Integer.BYTES) {
        throw place.damaged("a page without its levels");
      }
      long length = (int) INT.get(block.array(), at) & 0xffff_ffffL;
      at += Integer.BYTES;
      if (length > end - at) {
        throw place.damaged("levels of " + length + " bytes in " + (end - at));
      }
      definitions = new HybridReader(block.array(), at, (int) length, 1, place);
      at += (int) length;
    }
    Block values = new Block(block.array(), at, end - at);
    switch (header.encoding) {
      case PLAIN -> readPlain(values, definitions, header.values, column, firstRow);
      case PLAIN_DICTIONARY, RLE_DICTIONARY ->
          readIndices(values, definitions, header.values, column, firstRow);
      default -> throw place.unsupported("values in the encoding " + encoding(header.encoding));
    }
  }

  private static String encoding(int number) {
    return number >= 0 && number < ENCODINGS.length ? ENCODINGS[number] : "number " + number;
  }

  private void readPlain(
      Block values,
      @Nullable HybridReader definitions,
      int count,
      ParquetColumn column,
      int firstRow) {
    int at = values.from();
    for (int i = 0; i < count; i++) {
      if (definitions == null || definitions.next() != 0) {
        int end = end(values, at);
        tell(column, firstRow + i, values.array(), at, end);
        at = end;
      }
    }
  }

  private void readIndices(
      Block values,
      @Nullable HybridReader definitions,
      int count,
      ParquetColumn column,
      int firstRow) {
    @Nullable HybridReader indices = null;
    for (int i = 0; i < count; i++) {
      if (definitions != null && definitions.next() == 0) {
        continue;
      }
      Block entries = dictionary;
      if (entries == null) {
        throw place.damaged("numbers of a dictionary that is not there");
      }
      if (indices == null) {
        if (values.length() == 0) {
          throw place.damaged("a page without the width of its numbers");
        }
        int width = values.array()[values.from()] & 0xff;
        indices =
            new HybridReader(values.array(), values.from() + 1, values.length() - 1, width, place);
      }
      int index = indices.next();
      if (index < 0 || index >= starts.length - 1) {
        throw place.damaged(
            "entry " + index + " of a dictionary of " + (starts.length - 1) + " entries");
      }
      tell(column, firstRow + i, entries.array(), starts[index], starts[index + 1]);
    }
  }

  private void tell(ParquetColumn column, int row, byte[] array, int from, int end) {
    switch (chunk.type()) {
      case ColumnChunk.INT32 -> column.integer(row, (int) INT.get(array, from));
      case ColumnChunk.INT64 -> column.integer(row, (long) LONG.get(array, from));
      case ColumnChunk.FLOAT ->
          column.number(row, Float.intBitsToFloat((int) INT.get(array, from)));
      case ColumnChunk.DOUBLE ->
          column.number(row, Double.longBitsToDouble((long) LONG.get(array, from)));
      default -> column.bytes(row, array, from + Integer.BYTES, end - from - Integer.BYTES);
    }
  }
}
