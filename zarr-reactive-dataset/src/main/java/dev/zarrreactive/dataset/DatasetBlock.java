package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The same part of several variables, decoded, with the coordinates of its dimensions. Immutable.
 *
 * <p>Blocks are boxes of one grid, which divides the dimensions of all variables together. Along a
 * dimension a block is as long as the least common multiple of the chunks' lengths, so that no
 * chunk is in two blocks. If that is more than 8 times the longest chunk, or blocks would take more
 * than an eighth of {@link dev.zarrreactive.ZarrOptions#maxInFlightBytes}, it is as long as the
 * longest chunk; and if they then take more than a third, the longest dimensions are halved. Then a
 * chunk may be read for several blocks. A variable that lacks a dimension is read again for each
 * block along it.
 *
 * <p>At most 8 blocks are read ahead of the demand, and as many as fit into a quarter of {@code
 * maxInFlightBytes}, at least one. The blocks count beside the chunks, which count in the bytes in
 * flight.
 *
 * @param origin the index of the first element in the dataset, by dimension
 * @param sizes the extents, by dimension
 * @param values the variables by name, in the order of the call, each with its own dimensions
 * @param coordinates the coordinates with the names of dimensions, by name, where there are any
 */
public record DatasetBlock(
    Map<String, Long> origin,
    Map<String, Long> sizes,
    Map<String, NdArray> values,
    Map<String, NdArray> coordinates) {
  /** Copies the maps. */
  public DatasetBlock {
    origin = Collections.unmodifiableMap(new LinkedHashMap<>(origin));
    sizes = Collections.unmodifiableMap(new LinkedHashMap<>(sizes));
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    coordinates = Collections.unmodifiableMap(new LinkedHashMap<>(coordinates));
  }
}
