package dev.zarrreactive.internal.parquet;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the pages of a column lie.
 *
 * @param type the physical type, by its number
 * @param codec the compression, by its number
 * @param values the number of values, with those that are null
 * @param start the first byte
 * @param end the end of the pages, exclusive
 */
record ColumnChunk(int type, int codec, long values, int start, int end) {
  static final int INT32 = 1;
  static final int INT64 = 2;
  static final int FLOAT = 4;
  static final int DOUBLE = 5;
  static final int BYTE_ARRAY = 6;

  private static final String[] TYPES = {
    "BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"
  };

  /** The name of the type. */
  String typeName() {
    return type >= 0 && type < TYPES.length ? TYPES[type] : "type " + type;
  }

  /** Reads the entry of a column in the footer. */
  static final class Reading {
    private final ThriftReader in;
    private final ParquetPlace place;
    private final List<String> path = new ArrayList<>();
    private int type = -1;
    private int codec;
    private long values;
    private long compressedSize = -1;
    private long dataOffset = -1;
    private long dictionaryOffset;
    private boolean isElsewhere;

    Reading(ThriftReader in, ParquetPlace place) {
      this.in = in;
      this.place = place;
    }

    void read() {
      in.struct(
          (id, fieldType) -> {
            if (id == 1 && fieldType == ThriftReader.BINARY) {
              isElsewhere = !in.text().isEmpty();
              return true;
            } else if (id == 3 && fieldType == ThriftReader.STRUCT) {
              in.struct(this::readData);
              return true;
            }
            return false;
          });
    }

    private boolean readData(int id, int fieldType) {
      if (id == 1 && fieldType == ThriftReader.I32) {
        type = in.i32();
      } else if (id == 3 && fieldType == ThriftReader.LIST) {
        int count = in.list();
        if (in.elementType() != ThriftReader.BINARY && count > 0) {
          throw place.damaged("a path of a column that is no list of names");
        }
        for (int i = 0; i < count; i++) {
          path.add(in.text());
        }
      } else if (id == 4 && fieldType == ThriftReader.I32) {
        codec = in.i32();
      } else if (id == 5 && fieldType == ThriftReader.I64) {
        values = in.i64();
      } else if (id == 7 && fieldType == ThriftReader.I64) {
        compressedSize = in.i64();
      } else if (id == 9 && fieldType == ThriftReader.I64) {
        dataOffset = in.i64();
      } else if (id == 11 && fieldType == ThriftReader.I64) {
        dictionaryOffset = in.i64();
      } else {
        return false;
      }
      return true;
    }

    /** The name of a column at the top; null for another. */
    @Nullable String name() {
      return path.size() == 1 ? path.get(0) : null;
    }

    /** Checks the entry against the end of the pages of the file. */
    ColumnChunk chunk(int endOfPages) {
      ParquetPlace in = place.in("the entry of the column \"" + path.get(0) + "\"");
      if (isElsewhere) {
        throw in.unsupported("pages in another file");
      }
      boolean hasDictionary = dictionaryOffset > 0 && dictionaryOffset < dataOffset;
      long start = hasDictionary ? dictionaryOffset : dataOffset;
      if (start < 4 || compressedSize < 0 || start + compressedSize > endOfPages || values < 0) {
        throw in.damaged(
            compressedSize
                + " bytes from "
                + start
                + " of the "
                + endOfPages
                + " before the footer");
      }
      return new ColumnChunk(type, codec, values, (int) start, (int) (start + compressedSize));
    }
  }
}
