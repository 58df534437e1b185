package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a FlatBuffers buffer from its end to its beginning, so that what a table leads to is
 * written before the table. A position is the number of bytes from there to the end of the buffer,
 * and stays right while the buffer grows. Not thread-safe.
 *
 * <p>Tables of one layout share it: a manifest of a million references has one or two.
 */
final class FlatBufferWriter {
  /** The position of what is not there. */
  static final int ABSENT = 0;

  private static final byte[] IDENTIFIER = "Ichk".getBytes(StandardCharsets.US_ASCII);
  private static final int MOST_LAYOUTS = 64;
  private static final int ALIGNMENT = 8;
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] buffer;
  private int head;
  private int[] fields = new int[0];
  private int tableEnd;
  private int[] layouts = new int[0];

  /** A writer that begins with room for so many bytes. */
  FlatBufferWriter(int room) {
    buffer = new byte[Math.max(64, room)];
    head = buffer.length;
  }

  private int used() {
    return buffer.length - head;
  }

  /** Makes room for {@code size} bytes, the first of which is aligned after {@code more} others. */
  private void prepare(int alignment, long size) {
    long padding = -(used() + size) & (alignment - 1);
    long needed = used() + size + padding;
    if (needed > buffer.length) {
      if (needed > Bytes.MAX_SIZE) {
        throw new IllegalStateException(
            "a file of an Icechunk repository would have more than 2 GiB; smaller split sizes in"
                + " the configuration of the repository make several manifests of it");
      }
      byte[] larger = new byte[(int) Math.min(Bytes.MAX_SIZE, Math.max(needed, 2L * used()))];
      System.arraycopy(buffer, head, larger, larger.length - used(), used());
      head = larger.length - used();
      buffer = larger;
    }
    for (int i = 0; i < padding; i++) {
      buffer[--head] = 0;
    }
  }

  private void putInt(int value) {
    head -= 4;
    INT.set(buffer, head, value);
  }

  private void putOffset(int position) {
    putInt(used() + 4 - position);
  }

  /** Writes a text. */
  int string(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    prepare(4, utf8.length + 5L);
    buffer[--head] = 0;
    put(utf8, 0, utf8.length);
    putInt(utf8.length);
    return used();
  }

  /** Writes a vector of bytes. */
  int bytes(Bytes bytes) {
    prepare(4, bytes.size() + 4L);
    put(bytes.unsafeArray(), bytes.unsafeOffset(), bytes.size());
    putInt(bytes.size());
    return used();
  }

  private void put(byte[] from, int at, int length) {
    head -= length;
    System.arraycopy(from, at, buffer, head, length);
  }

  /** Writes a vector of what was written before, such as tables. */
  int offsets(int[] positions) {
    prepare(4, 4L * positions.length + 4);
    for (int i = positions.length - 1; i >= 0; i--) {
      putOffset(positions[i]);
    }
    putInt(positions.length);
    return used();
  }

  /** Writes a vector of numbers of 32 bits; in pairs they are one of extents. */
  int ints(int[] values, int count) {
    prepare(4, 4L * values.length + 4);
    for (int i = values.length - 1; i >= 0; i--) {
      putInt(values[i]);
    }
    putInt(count);
    return used();
  }

  /** Writes a vector without an element, of elements that would be aligned to 8 bytes. */
  int nothing() {
    prepare(ALIGNMENT, 0);
    prepare(4, 4);
    putInt(0);
    return used();
  }

  /** Writes a vector of numbers of 16 bits. */
  int shorts(int[] values) {
    prepare(4, 2L * values.length + 4);
    for (int i = values.length - 1; i >= 0; i--) {
      head -= 2;
      SHORT.set(buffer, head, (short) values[i]);
    }
    putInt(values.length);
    return used();
  }

  /** Writes a vector of ids of 8 bytes. */
  int ids8(long[] ids) {
    prepare(4, 8L * ids.length + 4);
    for (int i = ids.length - 1; i >= 0; i--) {
      putId8(ids[i]);
    }
    putInt(ids.length);
    return used();
  }

  /** Writes a vector of ids of 12 bytes. */
  int ids12(Iterable<String> ids) {
    int count = 0;
    byte[] all = new byte[0];
    for (String id : ids) {
      all = Arrays.copyOf(all, all.length + ObjectIds.BYTES);
      System.arraycopy(ObjectIds.bytes(id), 0, all, count++ * ObjectIds.BYTES, ObjectIds.BYTES);
    }
    prepare(4, all.length + 4L);
    put(all, 0, all.length);
    putInt(count);
    return used();
  }

  private void putId8(long id) {
    head -= 8;
    LONG.set(buffer, head, Long.reverseBytes(id));
  }

  /** Begins a table; its vectors, texts and tables are written before. */
  void startTable(int slots) {
    fields = new int[slots];
    tableEnd = used();
  }

  /** Adds a number of 8 bits. */
  void u8(int slot, int value) {
    prepare(1, 1);
    buffer[--head] = (byte) value;
    fields[slot] = used();
  }

  /** Adds a number of 16 bits. */
  void u16(int slot, int value) {
    prepare(2, 2);
    head -= 2;
    SHORT.set(buffer, head, (short) value);
    fields[slot] = used();
  }

  /** Adds a number of 32 bits. */
  void u32(int slot, int value) {
    prepare(4, 4);
    putInt(value);
    fields[slot] = used();
  }

  /** Adds a number of 64 bits. */
  void u64(int slot, long value) {
    prepare(8, 8);
    head -= 8;
    LONG.set(buffer, head, value);
    fields[slot] = used();
  }

  /** Adds an id of 8 bytes. */
  void id8(int slot, long id) {
    prepare(1, 8);
    putId8(id);
    fields[slot] = used();
  }

  /** Adds an id of 12 bytes: its first 8 and its last 4. */
  void id12(int slot, long first, int last) {
    prepare(1, ObjectIds.BYTES);
    head -= 4;
    INT.set(buffer, head, Integer.reverseBytes(last));
    putId8(first);
    fields[slot] = used();
  }

  /** Adds an id of 12 bytes by its text. */
  void id12(int slot, String id) {
    id12(slot, ObjectIds.first(id), ObjectIds.last(id));
  }

  /** Adds what was written before; nothing for {@link #ABSENT}. */
  void offset(int slot, int position) {
    if (position != ABSENT) {
      prepare(4, 4);
      putOffset(position);
      fields[slot] = used();
    }
  }

  /** Ends the table. */
  int endTable() {
    prepare(4, 4);
    putInt(0);
    int table = used();
    int slots = fields.length;
    while (slots > 0 && fields[slots - 1] == ABSENT) {
      slots--;
    }
    short[] layout = new short[2 + slots];
    layout[0] = (short) (4 + 2 * slots);
    layout[1] = (short) (table - tableEnd);
    for (int slot = 0; slot < slots; slot++) {
      layout[2 + slot] = (short) (fields[slot] == ABSENT ? 0 : table - fields[slot]);
    }
    int place = layout(layout);
    INT.set(buffer, buffer.length - table, place - table);
    return table;
  }

  /** The position of a layout, written at most once. */
  private int layout(short[] layout) {
    for (int known : layouts) {
      if (isAt(buffer.length - known, layout)) {
        return known;
      }
    }
    prepare(2, 2L * layout.length);
    for (int i = layout.length - 1; i >= 0; i--) {
      head -= 2;
      SHORT.set(buffer, head, layout[i]);
    }
    if (layouts.length < MOST_LAYOUTS) {
      layouts = Arrays.copyOf(layouts, layouts.length + 1);
      layouts[layouts.length - 1] = used();
    }
    return used();
  }

  private boolean isAt(int at, short[] layout) {
    for (int i = 0; i < layout.length; i++) {
      if (at + 2 * i + 2 > buffer.length || (short) SHORT.get(buffer, at + 2 * i) != layout[i]) {
        return false;
      }
    }
    return true;
  }

  /** Writes the beginning of the buffer, and returns all of it. */
  Bytes finish(int root) {
    prepare(ALIGNMENT, 8);
    put(IDENTIFIER, 0, IDENTIFIER.length);
    putOffset(root);
    return Bytes.wrap(buffer, head, used());
  }
}
