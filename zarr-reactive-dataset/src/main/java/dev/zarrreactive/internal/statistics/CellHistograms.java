package dev.zarrreactive.internal.statistics;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.datatype.DataTypes;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A histogram of each cell; values outside of all bins and NaN are in none. */
public final class CellHistograms {
  private final int bins;
  private final int[] places;
  private final long[] counts;

  private CellHistograms(int[] places, int bins) {
    this.bins = bins;
    this.places = places;
    this.counts = new long[Math.multiplyExact(places.length, bins)];
  }

  /** Returns the histograms of no chunk. */
  public static CellHistograms none(int cells, int bins) {
    int[] all = new int[cells];
    Arrays.setAll(all, i -> i);
    return new CellHistograms(all, bins);
  }

  /**
   * Returns the histograms of one chunk.
   *
   * @param decoding of its elements; null where they are values already
   * @param edges of the bins, ascending; the last bin has its upper edge
   */
  public static CellHistograms of(
      double[] edges, @Nullable CfDecoding decoding, List<CellAxis> axes, Chunk chunk) {
    CellFold cells = new CellFold(axes, chunk);
    int bins = edges.length - 1;
    CellHistograms histograms = new CellHistograms(cells.places, bins);
    cells.each(
        decoding,
        chunk,
        (value, cell, rank) -> {
          int found = Arrays.binarySearch(edges, value == 0 ? 0.0 : value);
          int bin = found < 0 ? -found - 2 : found == bins ? bins - 1 : found;
          if (bin >= 0 && bin < bins) {
            histograms.counts[cell * bins + bin]++;
          }
        });
    return histograms;
  }

  /** Adds the histograms of a chunk; returns this. */
  public CellHistograms add(CellHistograms chunk) {
    for (int i = 0; i < chunk.places.length; i++) {
      for (int bin = 0; bin < bins; bin++) {
        counts[chunk.places[i] * bins + bin] += chunk.counts[i * bins + bin];
      }
    }
    return this;
  }

  /** Returns the counts; the bins are the last dimension. */
  public NdArray counts(List<CellAxis> axes) {
    long[] extents =
        LongStream.concat(
                axes.stream().filter(axis -> !axis.isReduced()).mapToLong(CellAxis::cells),
                LongStream.of(bins))
            .toArray();
    return NdArray.ofLongs(DataTypes.INT64, Shape.of(extents), counts.clone());
  }
}
