package dev.zarrreactive.internal.summary;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.dataset.ExactStatistics;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.internal.statistics.Distribution;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Statistics of all elements of a selection, exact, in bounded memory.
 *
 * @param type of the elements
 * @param calendar the coding of dates of a model's calendar; null for other elements
 * @param values the statistics of the elements
 * @param hasFillValue whether {@code values} count elements with the bits of the fill value
 * @param chunks how many chunks the selection has, inner chunks where there are shards
 * @param distribution the percentiles and the histogram
 */
public record ArraySummary(
    DataType type,
    @Nullable TimeCoding calendar,
    ExactStatistics values,
    boolean hasFillValue,
    long chunks,
    Distribution distribution) {

  /** The statistics of a chunk's elements, and these where their distribution is wanted. */
  private record ChunkSummary(
      long count, @Nullable ExactStatistics values, @Nullable NdArray elements) {}

  /**
   * Reads the elements once, and up to four times more where percentiles or a histogram of many
   * elements are wanted. Chunks are taken in the order in which they arrive; the result does not
   * depend on it.
   *
   * @param percentiles from 0 to 100
   * @param bins of the histogram between the least and the greatest finite element; 0 for none
   */
  public static Mono<ArraySummary> read(
      DecodedSelection elements, List<Double> percentiles, int bins, PassListener listener) {
    return Mono.defer(
        () -> {
          CfDecoding decoding = elements.decoding();
          TimeCoding calendar =
              decoding
                  .times()
                  .filter(times -> times.dataType().equals(DataTypes.INT64))
                  .orElse(null);
          DataType type =
              calendar == null ? decoding.dataType() : DataTypes.datetime64(calendar.unit(), 1);
          ExactStatistics values = none(elements, type);
          Distribution distribution = new Distribution(type, percentiles, bins);
          ArraySummary summary =
              new ArraySummary(type, calendar, values, decoding.isIdentity(), 0, distribution);
          boolean hasDistribution = bins > 0 || !percentiles.isEmpty();
          return summary
              .pass(elements, true, hasDistribution, listener)
              .map(summary::of)
              .delayUntil(done -> hasDistribution ? done.passes(elements, listener) : Mono.empty());
        });
  }

  private ArraySummary of(long allChunks) {
    return new ArraySummary(type, calendar, values, hasFillValue, allChunks, distribution);
  }

  private static ExactStatistics none(DecodedSelection elements, DataType type) {
    return elements.decoding().isIdentity() && ExactStatistics.exist(type)
        ? ExactStatistics.counting(elements.array().fillValue())
        : ExactStatistics.of(type);
  }

  /** Reads the elements again, until their distribution is known. */
  private Mono<Void> passes(DecodedSelection elements, PassListener listener) {
    return Mono.defer(
        () ->
            distribution.endPass()
                ? pass(elements, false, true, listener).then(passes(elements, listener))
                : Mono.empty());
  }

  /** Adds all elements, and emits the number of chunks. */
  private Mono<Long> pass(
      DecodedSelection elements,
      boolean hasValues,
      boolean hasDistribution,
      PassListener listener) {
    return listener.accompany(
        elements
            .chunks(
                hasDistribution,
                chunk ->
                    new ChunkSummary(
                        chunk.shape().elementCountUpTo(Long.MAX_VALUE),
                        hasValues ? none(elements, type).add(chunk) : null,
                        hasDistribution ? chunk : null))
            .doOnNext(
                chunk -> {
                  if (chunk.values() != null) {
                    values.combine(chunk.values());
                  }
                  if (chunk.elements() != null) {
                    distribution.add(chunk.elements(), 1);
                  }
                  listener.read(chunk.count());
                })
            .count()
            .map(chunks -> addMissing(elements, hasValues, hasDistribution, chunks)));
  }

  /** Adds the elements of chunks that are not stored, and returns the number of all chunks. */
  private long addMissing(
      DecodedSelection elements, boolean hasValues, boolean hasDistribution, long chunks) {
    DecodedSelection.Sparse sparse = elements.sparse();
    if (sparse == null) {
      return chunks;
    }
    NdArray fill = elements.fill();
    if (hasValues) {
      values.add(fill, sparse.missingElements());
    }
    if (hasDistribution) {
      distribution.add(fill, sparse.missingElements());
    }
    return sparse.chunks();
  }
}
