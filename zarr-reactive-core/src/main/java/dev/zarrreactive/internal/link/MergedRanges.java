package dev.zarrreactive.internal.link;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.internal.link.LinkEstimate.Link;
import dev.zarrreactive.observation.RangeRequest;
import dev.zarrreactive.store.Coalescing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
   * @param policy a rule, or bounds to choose in
   * @param link what a request costs; asked where the policy is adaptive
   * @param connections how many requests for these ranges can be under way together
   * @param mostUnwanted the most bytes that all requests together may have too many
   */
  public static MergedRanges of(
      List<ByteRange.Slice> ranges,
      Coalescing policy,
      Link link,
      Connections connections,
      long mostUnwanted) {
    if (ranges.size() == 1) {
      return new MergedRanges(ranges, List.of(0));
    }
    SortedRanges sorted = SortedRanges.of(ranges);
    Coalescing rule =
        policy.isAdaptive()
            ? new MergeChoice(sorted, policy, link, connections, mostUnwanted).best()
            : policy;
    List<ByteRange.Slice> requests = new ArrayList<>();
    Integer[] requestOf = new Integer[ranges.size()];
    sorted.merge(
        rule,
        mostUnwanted,
        (start, end, from, to) -> {
          for (int place = from; place < to; place++) {
            requestOf[sorted.number(place)] = requests.size();
          }
          requests.add(new ByteRange.Slice(start, end - start));
        });
    return new MergedRanges(requests, Arrays.asList(requestOf));
  }

  /** How many bytes all requests have, {@link Long#MAX_VALUE} where they are more. */
  public long bytes() {
    long bytes = 0;
    for (ByteRange.Slice request : requests) {
      bytes = bytes > Long.MAX_VALUE - request.length() ? Long.MAX_VALUE : bytes + request.length();
    }
    return bytes;
  }

  /**
   * Returns what each request serves.
   *
   * @param served what each range is for, in the order in which the ranges were given
   */
  public <T> List<List<T>> byRequest(List<T> served) {
    List<List<T>> each = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      each.add(new ArrayList<>());
    }
    for (int i = 0; i < served.size(); i++) {
      each.get(requestOf.get(i)).add(served.get(i));
    }
    return each;
  }

  /**
   * Describes one of the requests for observers.
   *
   * @param ranges the ranges that were merged
   * @param number the index of the request
   */
  public RangeRequest request(List<ByteRange.Slice> ranges, int number) {
    int together = 0;
    long wanted = 0;
    for (int i = 0; i < ranges.size(); i++) {
      if (requestOf.get(i) == number) {
        together++;
        wanted += ranges.get(i).length();
      }
    }
    long bytes = requests.get(number).length();
    return new RangeRequest(together, bytes, Math.max(0, bytes - wanted)); // ranges may overlap
  }
}
