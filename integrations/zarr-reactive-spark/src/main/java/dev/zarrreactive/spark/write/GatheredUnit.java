package dev.zarrreactive.spark.write;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/**
 * The elements of one chunk or shard that a task has for it. Two rows may give the same element
 * only the same value, so that the result depends on no order.
 */
final class GatheredUnit {
  private final ZarrArray array;
  private final long[] start;
  private final long[] extents;
  private final ElementMemory elements;
  private final int slots;
  private final BitSet given = new BitSet();

  /**
   * Creates a unit without elements.
   *
   * @param extents the extents of the chunk, as far as the array goes
   */
  GatheredUnit(ZarrArray array, long[] start, long[] extents) {
    this.array = array;
    this.start = start;
    this.extents = extents;
    this.elements = ElementMemory.filled(Shape.of(extents), array.fillValue());
    this.slots = elements.slotsPerElement();
  }

  /** Puts the element {@code i} of {@code from} to a place. */
  @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of the same kind
  void put(int place, ElementMemory from, int i) {
    if (given.get(place) && !isEqual(place, from, i)) {
      throw new IllegalArgumentException(
          "two rows have different values for the index " + Arrays.toString(index(place)));
    }
    given.set(place);
    System.arraycopy(from.array(), from.slot(i), elements.array(), elements.slot(place), slots);
  }

  private boolean isEqual(int place, ElementMemory from, int i) {
    int at = elements.slot(place);
    int other = from.slot(i);
    return elements.array() instanceof byte[] bytes
        ? Arrays.equals(bytes, at, at + slots, (byte[]) from.array(), other, other + slots)
        : Arrays.equals(
            (Object[]) elements.array(),
            at,
            at + slots,
            (Object[]) from.array(),
            other,
            other + slots);
  }

  /** Returns the index of a place in the array. */
  long[] index(int place) {
    long[] index = new long[extents.length];
    long left = place;
    for (int d = index.length - 1; d >= 0; d--) {
      index[d] = start[d] + left % extents[d];
      left /= extents[d];
    }
    return index;
  }

  /**
   * Writes the elements: all of the unit without a read, a box of them, or else points. The other
   * elements of the unit stay.
   */
  Mono<Void> write() {
    if (given.isEmpty()) {
      return Mono.empty();
    }
    long[] least = extents.clone();
    long[] most = new long[extents.length];
    given.stream()
        .forEach(
            place -> {
              long[] index = index(place);
              for (int d = 0; d < index.length; d++) {
                least[d] = Math.min(least[d], index[d] - start[d]);
                most[d] = Math.max(most[d], index[d] - start[d] + 1);
              }
            });
    long[] box = new long[extents.length];
    Arrays.setAll(box, d -> most[d] - least[d]);
    NdArray all = elements.toNdArray(Shape.of(extents));
    if (Shape.of(box).elementCountUpTo(Integer.MAX_VALUE) == given.cardinality()) {
      long[] from = new long[extents.length];
      Arrays.setAll(from, d -> start[d] + least[d]);
      return array.write(Selection.box(from, box), all.slice(Selection.box(least, box)));
    }
    return points();
  }

  @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of the same kind
  private Mono<Void> points() {
    int[] places = given.stream().toArray();
    long[][] points = new long[places.length][];
    ElementMemory some = ElementMemory.allocate(array.dataType(), Shape.of(places.length));
    for (int i = 0; i < places.length; i++) {
      points[i] = index(places[i]);
      System.arraycopy(
          elements.array(), elements.slot(places[i]), some.array(), some.slot(i), slots);
    }
    return array.write(Selection.points(points), some.toNdArray(Shape.of(places.length)));
  }

  /** Puts a box of elements in C order. */
  void put(long[] origin, long[] shape, ElementMemory box) {
    int count =
        IntStream.range(0, shape.length).map(d -> (int) shape[d]).reduce(1, (a, b) -> a * b);
    for (int i = 0; i < count; i++) {
      int left = i;
      long place = 0;
      long stride = 1;
      for (int d = shape.length - 1; d >= 0; d--) {
        place += (origin[d] - start[d] + left % shape[d]) * stride;
        left /= (int) shape[d];
        stride *= extents[d];
      }
      put((int) place, box, i);
    }
  }
}
