package dev.zarrreactive.array.selection;

import dev.zarrreactive.array.Axis;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A list of indices of one dimension, in any order. */
final class IndexList implements DimensionSelection {
  private final long[] indices;

  IndexList(long... indices) {
    this.indices = indices.clone();
  }

  @Override
  public Axis resolve(int dimension, long extent) {
    return new Axis.Indices(
        Arrays.stream(indices).map(index -> Bounds.index(index, dimension, extent)).toArray());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IndexList that && Arrays.equals(indices, that.indices);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(indices);
  }

  @Override
  public String toString() {
    return Arrays.stream(indices)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(",", "[", "]"));
  }
}
