package dev.zarrreactive.internal.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.zarrreactive.base.Bytes;

/**
 * Reads structs of Thrift's compact protocol. Every length is checked against the bytes that are
 * left.
 */
final class ThriftReader {
  static final int TRUE = 1;
  static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  static final int I32 = 5;
  static final int I64 = 6;
  private static final int DOUBLE = 7;
  static final int BINARY = 8;
  static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  static final int STRUCT = 12;

  private static final int DEEPEST = 32;

  private final Bytes bytes;
  private final ParquetPlace place;
  private int at;

  ThriftReader(Bytes bytes, int at, ParquetPlace place) {
    this.bytes = bytes;
    this.at = at;
    this.place = place;
  }

  /** The index of the next byte. */
  int position() {
    return at;
  }

  /** Reads one field of a struct. */
  interface Field {
    /** Returns false where the value was not read, and is to be skipped. */
    boolean read(int id, int type);
  }

  /** Reads a struct. */
  void struct(Field field) {
    int id = 0;
    for (int head = next(); head != 0; head = next()) {
      int type = head & 0xf;
      int step = head >>> 4;
      id = step == 0 ? (int) zigzag() : id + step;
      if (!field.read(id, type)) {
        skip(type, 0);
      }
    }
  }

  /** Reads the head of a list, and returns its size; {@link #elementType} is that of the last. */
  int list() {
    int head = next();
    int size = head >>> 4;
    long count = size == 0xf ? varint() : size;
    if (count < 0 || count > bytes.size() - at) {
      throw place.damaged("a list of " + count + " elements in " + (bytes.size() - at) + " bytes");
    }
    elementType = head & 0xf;
    return (int) count;
  }

  private int elementType;

  /** The type of the elements of the list whose head was read last. */
  int elementType() {
    return elementType;
  }

  int i32() {
    long value = zigzag();
    if (value != (int) value) {
      throw place.damaged("a number beyond 32 bits: " + value);
    }
    return (int) value;
  }

  long i64() {
    return zigzag();
  }

  String text() {
    int length = length();
    String text = new String(bytes.unsafeArray(), bytes.unsafeOffset() + at, length, UTF_8);
    at += length;
    return text;
  }

  private int length() {
    long length = varint();
    if (length < 0 || length > bytes.size() - at) {
      throw place.damaged("a text of " + length + " bytes in " + (bytes.size() - at));
    }
    return (int) length;
  }

  private int next() {
    if (at >= bytes.size()) {
      throw place.damaged("a header is cut off");
    }
    return bytes.get(at++) & 0xff;
  }

  private long zigzag() {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = next();
      value |= (b & 0x7fL) << shift;
      if (b < 0x80) {
        return value;
      }
    }
    throw place.damaged("a number of more than ten bytes");
  }

  /** Skips a value of a type. */
  private void skip(int type, int depth) {
    if (depth > DEEPEST) {
      throw place.damaged("a header that is nested deeper than " + DEEPEST);
    }
    switch (type) {
      case TRUE, FALSE -> {}
      case BYTE -> next();
      case I16, I32, I64 -> varint();
      case DOUBLE -> move(8);
      case BINARY -> move(length());
      case LIST, SET -> {
        int count = list();
        int elements = elementType;
        for (int i = 0; i < count; i++) {
          skipElement(elements, depth);
        }
      }
      case MAP -> {
        long count = varint();
        if (count < 0 || count > bytes.size() - at) {
          throw place.damaged("a map of " + count + " entries");
        }
        int types = count == 0 ? 0 : next();
        for (long i = 0; i < count; i++) {
          skipElement(types >>> 4, depth);
          skipElement(types & 0xf, depth);
        }
      }
      case STRUCT -> {
        for (int head = next(); head != 0; head = next()) {
          if (head >>> 4 == 0) {
            zigzag();
          }
          skip(head & 0xf, depth + 1);
        }
      }
      default -> throw place.damaged("a header has a value of the unknown type " + type);
    }
  }

  /** Skips an element of a list: a boolean takes a byte there. */
  private void skipElement(int type, int depth) {
    if (type == TRUE || type == FALSE) {
      next();
    } else {
      skip(type, depth + 1);
    }
  }

  private void move(int length) {
    if (length > bytes.size() - at) {
      throw place.damaged("a header is cut off");
    }
    at += length;
  }
}
