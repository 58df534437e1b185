package dev.zarrreactive.internal.link;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.store.Coalescing;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Ranges of one value by offset, to be merged under one fixed policy or another. */
final class SortedRanges {
  private final int[] numbers;
  private final long[] starts;
  private final long[] ends;

  private SortedRanges(int[] numbers, long[] starts, long[] ends) {
    this.numbers = numbers;
    this.starts = starts;
    this.ends = ends;
  }

  static SortedRanges of(List<ByteRange.Slice> ranges) {
    int[] numbers = new int[ranges.size()];
    boolean isSorted = true;
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i;
      isSorted &= i == 0 || ranges.get(i - 1).offset() <= ranges.get(i).offset();
    }
    if (!isSorted) { // rare: writers store inner chunks in order
      numbers =
          Arrays.stream(numbers)
              .boxed()
              .sorted(Comparator.comparingLong(i -> ranges.get(i).offset()))
              .mapToInt(Integer::intValue)
              .toArray();
    }
    long[] starts = new long[numbers.length];
    long[] ends = new long[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      ByteRange.Slice range = ranges.get(numbers[i]);
      starts[i] = range.offset();
      ends[i] = range.offset() + range.length();
    }
    return new SortedRanges(numbers, starts, ends);
  }

  int count() {
    return numbers.length;
  }

  /** The bytes from the first range's first to the last range's last. */
  long span() {
    long end = 0;
    for (long e : ends) {
      end = Math.max(end, e);
    }
    return numbers.length == 0 ? 0 : end - starts[0];
  }

  /** The bytes of the shortest request for two that are neighbours. */
  long shortestPair() {
    long shortest = Long.MAX_VALUE;
    for (int i = 1; i < numbers.length; i++) {
      shortest = Math.min(shortest, Math.max(ends[i - 1], ends[i]) - starts[i - 1]);
    }
    return shortest;
  }

  /** The bytes before the range at a place in the order that are in none before it. */
  long[] gaps() {
    long[] gaps = new long[Math.max(0, numbers.length - 1)];
    long end = numbers.length == 0 ? 0 : ends[0];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = Math.max(0, starts[i + 1] - end);
      end = Math.max(end, ends[i + 1]);
    }
    return gaps;
  }

  /** The number that the range at a place in the order had when it was given. */
  int number(int place) {
    return numbers[place];
  }

  /** Receives the requests that merging makes. */
  interface Request {
    /**
     * A request.
     *
     * @param start its first byte
     * @param end the byte after its last
     * @param from the place of its first range
     * @param to the place after its last range
     */
    void of(long start, long end, int from, int to);
  }

  /**
   * Merges each range with those before it where that is allowed.
   *
   * @param policy its three numbers
   * @param mostUnwanted the most bytes that all requests together may have too many
   */
  void merge(Coalescing policy, long mostUnwanted, Request made) {
    long maxGap = policy.maxGap();
    long maxSize = policy.maxSize();
    double maxOverRead = policy.maxOverRead();
    if (numbers.length == 0) {
      return;
    }
    long start = starts[0];
    long end = ends[0];
    int from = 0;
    long unwanted = 0; // of the last request
    long allowed = mostUnwanted;
    for (int i = 1; i < numbers.length; i++) {
      long gap = Math.max(0, starts[i] - end);
      long mergedEnd = Math.max(end, ends[i]);
      if (gap <= maxGap
          && gap <= allowed
          && mergedEnd - start <= maxSize
          && unwanted + gap <= maxOverRead * (mergedEnd - start)) {
        end = mergedEnd;
        unwanted += gap;
        allowed -= gap;
      } else {
        made.of(start, end, from, i);
        start = starts[i];
        end = ends[i];
        from = i;
        unwanted = 0;
      }
    }
    made.of(start, end, from, numbers.length);
  }
}
