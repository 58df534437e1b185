package dev.zarrreactive.internal.parquet;

import dev.zarrreactive.base.Bytes;

/** The header of one page. */
final class PageHeader {
  final int type;
  final int uncompressedSize;
  final int compressedSize;

  /** The number of values, with those that are null, or of entries of a dictionary. */
  final int values;

  final int encoding;
  final int definitionEncoding;
  final int definitionSize;
  final int repetitionSize;
  final boolean isCompressed;
  private final int end;

  /** Reads the header at a place. */
  PageHeader(Bytes pages, int at, ParquetPlace place) {
    ThriftReader in = new ThriftReader(pages, at, place);
    Reading reading = new Reading(in);
    in.struct(reading::read);
    this.type = reading.type;
    this.uncompressedSize = reading.uncompressedSize;
    this.compressedSize = reading.compressedSize;
    this.values = reading.values;
    this.encoding = reading.encoding;
    this.definitionEncoding = reading.definitionEncoding;
    this.definitionSize = reading.definitionSize;
    this.repetitionSize = reading.repetitionSize;
    this.isCompressed = reading.isCompressed;
    this.end = in.position();
    if (uncompressedSize < 0) {
      throw place.damaged("a page of " + uncompressedSize + " bytes, not compressed");
    }
  }

  /** The first byte of the page itself. */
  int end() {
    return end;
  }

  private static final class Reading {
    private final ThriftReader in;
    private int type = -1;
    private int uncompressedSize = -1;
    private int compressedSize = -1;
    private int values = -1;
    private int encoding = -1;
    private int definitionEncoding = -1;
    private int definitionSize;
    private int repetitionSize;
    private boolean isCompressed = true;

    Reading(ThriftReader in) {
      this.in = in;
    }

    boolean read(int id, int fieldType) {
      if (id <= 3 && fieldType == ThriftReader.I32) {
        int value = in.i32();
        switch (id) {
          case 1 -> type = value;
          case 2 -> uncompressedSize = value;
          default -> compressedSize = value;
        }
      } else if ((id == 5 || id == 7) && fieldType == ThriftReader.STRUCT) {
        in.struct(this::readFirst);
      } else if (id == 8 && fieldType == ThriftReader.STRUCT) {
        in.struct(this::readSecond);
      } else {
        return false;
      }
      return true;
    }

    /** Reads the header of a data page of version 1, or of a dictionary. */
    private boolean readFirst(int id, int fieldType) {
      if (fieldType != ThriftReader.I32) {
        return false;
      }
      int value = in.i32();
      switch (id) {
        case 1 -> values = value;
        case 2 -> encoding = value;
        case 3 -> definitionEncoding = value;
        default -> {}
      }
      return true;
    }

    /** Reads the header of a data page of version 2. */
    private boolean readSecond(int id, int fieldType) {
      if (id == 7 && (fieldType == ThriftReader.TRUE || fieldType == ThriftReader.FALSE)) {
        isCompressed = fieldType == ThriftReader.TRUE;
        return true;
      } else if (fieldType != ThriftReader.I32) {
        return false;
      }
      int value = in.i32();
      switch (id) {
        case 1 -> values = value;
        case 4 -> encoding = value;
        case 5 -> definitionSize = value;
        case 6 -> repetitionSize = value;
        default -> {}
      }
      return true;
    }
  }
}
