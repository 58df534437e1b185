package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A FlatBuffers buffer, read in place. Tables, vectors and fields are positions in it, so that a
 * look-up among a million tables makes no object. Each offset is checked where it is followed; a
 * wrong one is an error with the key of the file.
 *
 * <p>A field is named by its slot, the number of the field in the schema.
 */
public final class FlatBuffer {
  /** The position of a field, table or vector that is not there. */
  static final int ABSENT = 0;

  private static final int IDENTIFIER = 'I' | ('c' << 8) | ('h' << 16) | ('k' << 24);
  private static final int MOST_TEXT = 1 << 20;

  /** What the quick decoder puts in the place of bytes that are not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private final Bytes bytes;
  private final String key;

  /**
   * Reads the beginning of a buffer.
   *
   * @param key the key of the file, for errors
   */
  FlatBuffer(Bytes bytes, String key) {
    this.bytes = bytes;
    this.key = key;
    if (bytes.size() < 8 || bytes.getInt(4) != IDENTIFIER) {
      throw damaged("its payload does not begin as a FlatBuffers file \"Ichk\"");
    }
  }

  /** The number of bytes. */
  int size() {
    return bytes.size();
  }

  /** Returns the error of a file that is not what it should be. */
  StoreException damaged(String problem) {
    return new StoreException(
        "a damaged file of an Icechunk repository: " + problem, Location.ofKey(key));
  }

  /** The table that the buffer is. */
  int root() {
    return target(0, 4);
  }

  /** The position of a field of at least {@code size} bytes; {@link #ABSENT} if it is not set. */
  int field(int table, int slot, int size) {
    long vtable = (long) table - bytes.getInt(table);
    if (vtable < 0 || vtable > bytes.size() - 4) {
      throw damaged("the table at " + table + " has its layout outside of the file");
    }
    int layout = (int) vtable;
    int length = u16(layout);
    if (length < 4 || length > bytes.size() - layout) {
      throw damaged("the layout at " + layout + " has " + length + " bytes");
    }
    int entry = 4 + 2 * slot;
    int offset = entry + 2 > length ? 0 : u16(layout + entry);
    if (offset == 0) {
      return ABSENT;
    }
    if (offset < 4 || size > bytes.size() - table - offset) {
      throw damaged("field " + slot + " of the table at " + table + " is outside of the file");
    }
    return table + offset;
  }

  /** The table that a field leads to; {@link #ABSENT} if it is not set. */
  int table(int table, int slot) {
    int field = field(table, slot, 4);
    return field == ABSENT ? ABSENT : target(field, 4);
  }

  /** The table that a required field leads to. */
  int table(int table, int slot, String name) {
    return required(table(table, slot), name);
  }

  /**
   * The vector that a field leads to, whose elements of {@code elementSize} bytes are all in the
   * buffer; {@link #ABSENT} if it is not set.
   */
  int vector(int table, int slot, int elementSize) {
    int field = field(table, slot, 4);
    if (field == ABSENT) {
      return ABSENT;
    }
    int vector = target(field, 4);
    long length = bytes.getInt(vector) & 0xffff_ffffL;
    if (length * elementSize > bytes.size() - vector - 4) {
      throw damaged(
          "the vector at "
              + vector
              + " claims "
              + length
              + " elements of "
              + elementSize
              + " bytes, more than the file has");
    }
    return vector;
  }

  /** The vector that a required field leads to. */
  int vector(int table, int slot, int elementSize, String name) {
    return required(vector(table, slot, elementSize), name);
  }

  /** The number of elements of a vector; 0 if it is not there. */
  int length(int vector) {
    return vector == ABSENT ? 0 : bytes.getInt(vector);
  }

  /** The table that is element {@code index} of a vector. */
  int tableIn(int vector, int index) {
    return target(vector + 4 + 4 * index, 4);
  }

  /** The position of element {@code index} of a vector of structs or numbers. */
  int element(int vector, int index, int elementSize) {
    return vector + 4 + elementSize * index;
  }

  /** The position of a struct that must be there. */
  int struct(int table, int slot, int size, String name) {
    return required(field(table, slot, size), name);
  }

  private int required(int position, String name) {
    if (position == ABSENT) {
      throw damaged("it has no " + name);
    }
    return position;
  }

  /** Follows an unsigned offset to at least {@code size} bytes. */
  private int target(int at, int size) {
    long target = at + (bytes.getInt(at) & 0xffff_ffffL);
    if (target < 4 || target > bytes.size() - size) {
      throw damaged("the offset at " + at + " leads outside of the file");
    }
    return (int) target;
  }

  int u8(int table, int slot, int absent) {
    int field = field(table, slot, 1);
    return field == ABSENT ? absent : bytes.get(field) & 0xff;
  }

  int i32(int table, int slot, int absent) {
    int field = field(table, slot, 4);
    return field == ABSENT ? absent : bytes.getInt(field);
  }

  long u32(int table, int slot) {
    return i32(table, slot, 0) & 0xffff_ffffL;
  }

  /** An unsigned number of 64 bits, which may be negative here. */
  long u64(int table, int slot) {
    int field = field(table, slot, 8);
    return field == ABSENT ? 0 : bytes.getLong(field);
  }

  /** The unsigned number of 16 bits at a position. */
  int u16(int position) {
    return (bytes.get(position) & 0xff) | ((bytes.get(position + 1) & 0xff) << 8);
  }

  /** The number of 32 bits at a position. */
  int i32(int position) {
    return bytes.getInt(position);
  }

  /** The unsigned number of 32 bits at a position. */
  long u32(int position) {
    return bytes.getInt(position) & 0xffff_ffffL;
  }

  /** The number of 64 bits at a position. */
  long u64(int position) {
    return bytes.getLong(position);
  }

  /** The 8 bytes of an id as a number whose unsigned order is that of the bytes. */
  long id8(int position) {
    return Long.reverseBytes(bytes.getLong(position));
  }

  /** The text of the 8 bytes of an id. */
  String id8Text(int position) {
    return Base32.encode(bytes, position, 8);
  }

  /** The text of the 12 bytes of an id. */
  String id12(int position) {
    return Base32.encode(bytes, position, 12);
  }

  /** The bytes of a vector, not copied; null if the field is not set. */
  @Nullable Bytes bytes(int table, int slot) {
    int vector = vector(table, slot, 1);
    return vector == ABSENT ? null : bytes.slice(vector + 4, length(vector));
  }

  /** The bytes of a required vector, not copied. */
  Bytes bytes(int table, int slot, String name) {
    int vector = vector(table, slot, 1, name);
    return bytes.slice(vector + 4, length(vector));
  }

  /** A text; null if the field is not set. */
  @Nullable String string(int table, int slot) {
    Bytes text = bytes(table, slot);
    return text == null ? null : text(text);
  }

  /** A text that must be there. */
  String string(int table, int slot, String name) {
    return text(bytes(table, slot, name));
  }

  /** The text that is element {@code index} of a vector. */
  String stringIn(int vector, int index) {
    int at = tableIn(vector, index);
    int length = bytes.getInt(at);
    if (length < 0 || length > bytes.size() - at - 4) {
      throw damaged("the text at " + at + " reaches beyond the file");
    }
    return text(bytes.slice(at + 4, length));
  }

  /** Decodes UTF-8. */
  String text(Bytes utf8) {
    if (utf8.size() > MOST_TEXT) {
      throw damaged("a text of " + utf8.size() + " bytes; at most " + MOST_TEXT + " are read");
    }
    String quick =
        new String(utf8.unsafeArray(), utf8.unsafeOffset(), utf8.size(), StandardCharsets.UTF_8);
    if (quick.indexOf(REPLACEMENT) < 0) {
      return quick;
    }
    try {
      ByteBuffer window = utf8.asByteBuffer();
      return StandardCharsets.UTF_8.newDecoder().decode(window).toString();
    } catch (CharacterCodingException e) {
      throw damaged("a text is not UTF-8");
    }
  }
}
