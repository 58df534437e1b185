package dev.zarrreactive.array.selection;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.error.InvalidInputException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A mask of one dimension, with a truth value for every index. */
final class DimensionMask implements DimensionSelection {
  private final boolean[] mask;

  DimensionMask(boolean... mask) {
    this.mask = mask.clone();
  }

  @Override
  public Axis resolve(int dimension, long extent) {
    if (mask.length != extent) {
      throw new InvalidInputException(
          "a mask of "
              + mask.length
              + " entries does not fit dimension "
              + dimension
              + " of extent "
              + extent);
    }
    return new Axis.Indices(selected().asLongStream().toArray());
  }

  private IntStream selected() {
    return IntStream.range(0, mask.length).filter(i -> mask[i]);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DimensionMask that && Arrays.equals(mask, that.mask);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(mask);
  }

  @Override
  public String toString() {
    return "mask(" + selected().count() + " of " + mask.length + ")";
  }
}
