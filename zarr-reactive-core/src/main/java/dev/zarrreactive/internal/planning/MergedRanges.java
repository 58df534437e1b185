package dev.zarrreactive.internal.planning;

import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Coalescing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Ranges of one value, some of them merged across the gaps between them.
 *
 * @param requests what is to be fetched, by offset
 * @param requestOf for each range, in the order given, which request holds it
 */
public record MergedRanges(List<ByteRange.Slice> requests, List<Integer> requestOf) {

  /**
   * Merges ranges from the first byte to the last, each with those before it where the policy
   * allows.
   *
   * @param ranges in any order; they may overlap
   * @param mostUnwanted the most bytes that all requests together may have too many
   */
  public static MergedRanges of(
      List<ByteRange.Slice> ranges, Coalescing policy, long mostUnwanted) {
    List<ByteRange.Slice> requests = new ArrayList<>();
    Integer[] requestOf = new Integer[ranges.size()];
    int[] byOffset =
        IntStream.range(0, ranges.size())
            .boxed()
            .sorted(Comparator.comparingLong(i -> ranges.get(i).offset()))
            .mapToInt(Integer::intValue)
            .toArray();
    long start = 0;
    long end = 0;
    long unwanted = 0; // of the last request
    long allowed = mostUnwanted;
    for (int i : byOffset) {
      ByteRange.Slice range = ranges.get(i);
      long rangeEnd = range.offset() + range.length();
      long gap = Math.max(0, range.offset() - end);
      long mergedEnd = Math.max(end, rangeEnd);
      boolean merges =
          !requests.isEmpty()
              && gap <= policy.maxGap()
              && gap <= allowed
              && mergedEnd - start <= policy.maxSize()
              && unwanted + gap <= policy.maxOverRead() * (mergedEnd - start);
      if (merges) {
        end = mergedEnd;
        unwanted += gap;
        allowed -= gap;
        requests.set(requests.size() - 1, new ByteRange.Slice(start, end - start));
      } else {
        start = range.offset();
        end = rangeEnd;
        unwanted = 0;
        requests.add(range);
      }
      requestOf[i] = requests.size() - 1;
    }
    return new MergedRanges(requests, List.of(requestOf));
  }
}
