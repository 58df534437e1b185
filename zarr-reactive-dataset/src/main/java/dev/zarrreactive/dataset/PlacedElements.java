package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.guard.MemoryGuard;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An array that is put together of parts. Several threads may put parts at places of their own at
 * the same time.
 */
final class PlacedElements {
  private final DataType type;
  private final Shape shape;
  private final long[] extents;
  private final @Nullable ByteBuffer images;
  private final byte[] memory;
  private final String[] texts;

  private PlacedElements(
      DataType type, Shape shape, @Nullable ByteBuffer images, byte[] memory, String... texts) {
    this.type = type;
    this.shape = shape;
    this.extents = shape.toArray();
    this.images = images;
    this.memory = memory;
    this.texts = texts;
  }

  /**
   * Allocates an array of values; otherwise as {@link #allocate(String, DataType, Shape,
   * Location)}.
   */
  static PlacedElements allocate(DataType type, Shape shape, Location location) {
    return allocate("of values", type, shape, location);
  }

  /**
   * Allocates an array.
   *
   * @param what the elements are, such as {@code of results}, for the error of a full memory
   * @throws UnsupportedFeatureException for more than 2 GiB, and for elements of variable length
   *     that are no texts
   */
  static PlacedElements allocate(String what, DataType type, Shape shape, Location location) {
    if (type instanceof VariableLengthType) {
      if (!type.equals(DataTypes.STRING)) {
        throw new UnsupportedFeatureException(
            "values of " + type + " are not put together; read those of one store", location);
      }
      int count = size(shape, 1, location);
      String[] texts =
          MemoryGuard.allocating("of texts", count * 8L, location, () -> new String[count]);
      Arrays.fill(texts, "");
      return new PlacedElements(type, shape, null, new byte[0], texts);
    }
    int bytes = size(shape, type.itemSize(), location);
    byte[] memory = MemoryGuard.allocating(what, bytes, location, () -> new byte[bytes]);
    return new PlacedElements(type, shape, ByteBuffer.wrap(memory), memory);
  }

  /**
   * Returns the bytes of a buffer, from its position on, that elements take.
   *
   * @throws IllegalArgumentException for a buffer that is read-only or too small
   */
  static ByteBuffer room(ByteBuffer target, DataType type, Shape shape) {
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("the buffer is read-only");
    }
    long needed = ByteBudget.product(shape.elementCountUpTo(Long.MAX_VALUE), type.itemSize());
    if (target.remaining() < needed) {
      throw new IllegalArgumentException(
          "the selection has " + needed + " bytes; the buffer has room for " + target.remaining());
    }
    return target.slice().limit((int) needed);
  }

  /** Takes the room of a buffer from its position on. */
  static PlacedElements into(DataType type, Shape shape, ByteBuffer room) {
    return new PlacedElements(type, shape, room, new byte[0]);
  }

  private static int size(Shape shape, int itemSize, Location location) {
    try {
      return shape.byteSize(itemSize);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedFeatureException(String.valueOf(e.getMessage()), location);
    }
  }

  /**
   * Puts elements at their places.
   *
   * @param places one for each dimension of the whole; a part lacks those of single indices
   */
  void put(NdArray part, List<Axis> places) {
    Target target =
        images == null ? textsOf(part.toStringArray()) : imagesOf(part.bytes().asByteBuffer());
    int rank = places.size();
    if (rank == 0) {
      target.copy(0, 0, 1);
      return;
    }
    Axis last = places.get(rank - 1);
    boolean isRow = last instanceof Axis.Range range && range.step() == 1;
    int length = Math.toIntExact(last.count());
    long[] place = new long[rank - 1];
    int done = 0;
    boolean isOver = places.stream().anyMatch(axis -> axis.count() == 0);
    while (!isOver) {
      long row = 0;
      for (int d = 0; d < rank - 1; d++) {
        row = row * extents[d] + index(places.get(d), place[d]);
      }
      row *= extents[rank - 1];
      if (isRow) {
        target.copy(done, row + index(last, 0), length);
      } else {
        for (int i = 0; i < length; i++) {
          target.copy(done + i, row + index(last, i), 1);
        }
      }
      done += length;
      isOver = true;
      for (int d = rank - 2; d >= 0 && isOver; d--) {
        isOver = ++place[d] == places.get(d).count();
        place[d] = isOver ? 0 : place[d];
      }
    }
  }

  /** Copies elements of a part to the whole. */
  private interface Target {
    void copy(int from, long to, int count);
  }

  private Target textsOf(String... from) {
    return (at, to, count) -> System.arraycopy(from, at, texts, Math.toIntExact(to), count);
  }

  private Target imagesOf(ByteBuffer from) {
    ByteBuffer whole = images == null ? ByteBuffer.allocate(0) : images;
    int item = type.itemSize();
    int start = whole.position();
    int first = from.position();
    return (at, to, count) ->
        whole.put(start + Math.toIntExact(to * item), from, first + at * item, count * item);
  }

  private static long index(Axis axis, long position) {
    return axis instanceof Axis.Range range
        ? range.start() + position * range.step()
        : ((Axis.Indices) axis).index((int) position);
  }

  /** Returns the whole, which has all elements of an array that was allocated here. */
  NdArray array() {
    return images == null
        ? NdArray.ofStrings(type, shape, texts)
        : NdArray.wrap(type, shape, Bytes.wrap(memory));
  }
}
