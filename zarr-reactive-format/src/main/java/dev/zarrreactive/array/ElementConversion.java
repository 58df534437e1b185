package dev.zarrreactive.array;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.spi.Spi;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Makes elements of one type from the images of another while an array is read: one for one, or one
 * of each row of the last dimension. Codec threads call it, several at a time.
 */
@Spi
public interface ElementConversion {
  /** The type of the results. */
  DataType target();

  /**
   * The extent of the last dimension of the stored array where its elements make one result
   * together, as characters make a text; the results lack the dimension. Empty for results one for
   * one.
   */
  default OptionalInt joined() {
    return OptionalInt.empty();
  }

  /**
   * Converts elements, which are images as {@link NdArray#bytes} has them, little-endian.
   *
   * @param source has the stored elements, which are only read
   * @param at the first byte of the source
   * @param count the number of results; a long row, or a single one
   * @param result takes the results
   * @param first the place of the first one
   */
  void convert(byte[] source, int at, int count, ElementMemory result, int first);

  /**
   * Returns the shape of the results.
   *
   * @throws IllegalArgumentException if elements are joined, and the last dimension is another
   */
  default Shape shape(Shape stored) {
    if (joined().isEmpty()) {
      return stored;
    }
    int last = stored.rank() - 1;
    if (last < 0 || stored.extent(last) != joined().getAsInt()) {
      throw new IllegalArgumentException(
          "the last dimension is joined, and has all of its "
              + joined().getAsInt()
              + " elements; a selection of shape "
              + stored
              + " has others");
    }
    return Shape.of(Arrays.copyOf(stored.toArray(), last));
  }

  /**
   * Converts all elements of an array into a new one.
   *
   * @throws IllegalArgumentException as {@link #shape}
   */
  default NdArray convert(NdArray stored) {
    Shape shape = shape(stored.shape());
    ElementMemory source = ElementMemory.of(stored);
    ElementMemory result =
        MemoryGuard.allocating(
            "of converted elements",
            shape.byteSize(target().memorySize()),
            Location.UNKNOWN,
            () -> ElementMemory.allocate(target(), shape));
    convert((byte[]) source.array(), source.slot(0), result.count(), result, 0);
    return result.toNdArray(shape);
  }
}
