package dev.zarrreactive.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.internal.link.LinkEstimate.Link;
import dev.zarrreactive.store.Coalescing;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which ranges are fetched together, over links of known latency and bandwidth. */
class MergedRangesTest {
  private static final int KIB = 1024;
  private static final int CHUNK = 16 * KIB;
  private static final double MILLI = 1e6;
  private static final double SLOW = 40; // 25 MB/s
  private static final int CONNECTIONS = 64;

  private static Link link(double millis, double nanosPerByte) {
    return new Link(millis * MILLI, nanosPerByte);
  }

  /** Some of so many chunks that follow each other. */
  private static List<ByteRange.Slice> chunks(int count, int size, IntPredicate wanted) {
    return IntStream.range(0, count)
        .filter(wanted)
        .mapToObj(i -> new ByteRange.Slice((long) i * size, size))
        .toList();
  }

  private static MergedRanges fastest(List<ByteRange.Slice> ranges, Link link, int connections) {
    return MergedRanges.of(
        ranges, Coalescing.fastest(), link, Connections.all(connections), Long.MAX_VALUE);
  }

  private static double millis(MergedRanges merged, Link link, int connections) {
    double longest = 0;
    double together = 0;
    for (ByteRange.Slice request : merged.requests()) {
      double nanos = link.latencyNanos() + request.length() * link.nanosPerByte();
      longest = Math.max(longest, nanos);
      together += nanos;
    }
    return Math.max(longest, together / connections) / MILLI;
  }

  @Test
  void few_ranges_are_fetched_side_by_side() {
    List<ByteRange.Slice> block = chunks(256, CHUNK, i -> i / 16 < 4 && i % 16 < 4);
    for (double latency : new double[] {1, 20}) {
      assertThat(fastest(block, link(latency, SLOW), CONNECTIONS).requests()).hasSize(16);
    }
    MergedRanges pairs = fastest(block, link(50, SLOW), CONNECTIONS); // 1.3 % longer
    assertThat(pairs.requests()).hasSize(8);
  }

  @Test
  void small_ranges_that_are_close_are_one_request_on_any_link() {
    List<ByteRange.Slice> block = chunks(256, 68, i -> i / 16 < 4 && i % 16 < 4);
    for (double latency : new double[] {0.01, 1, 20, 100}) {
      for (double nanosPerByte : new double[] {0.05, SLOW, 1000}) {
        assertThat(fastest(block, link(latency, nanosPerByte), CONNECTIONS).requests())
            .containsExactly(new ByteRange.Slice(0, 52 * 68));
      }
    }
  }

  @Test
  void where_bytes_take_no_time_all_is_one_request() {
    List<ByteRange.Slice> block = chunks(256, CHUNK, i -> i / 16 < 4 && i % 16 < 4);
    assertThat(fastest(block, link(20, 0.05), CONNECTIONS).requests()).hasSize(1);
  }

  /** The client's own work for each request is longer than the bytes take. */
  @Test
  void neighbours_in_memory_or_files_are_one_request() {
    List<ByteRange.Slice> rows = chunks(64, 4 * KIB, i -> i % 4 < 3);
    Link memory = link(0.002, 0.05);
    for (Connections near : List.of(Connections.all(64), Connections.sharedBy(8, 64))) {
      assertThat(
              MergedRanges.of(rows, Coalescing.fastest(), memory, near, Long.MAX_VALUE).requests())
          .hasSizeLessThanOrEqualTo(16);
    }
  }

  @Test
  void more_ranges_than_connections_are_a_request_for_each_connection() {
    List<ByteRange.Slice> dense = chunks(4096, CHUNK, i -> true);
    List<ByteRange.Slice> second = chunks(4096, CHUNK, i -> i % 2 == 0);
    for (List<ByteRange.Slice> many : List.of(dense, second)) {
      assertThat(fastest(many, link(100, SLOW), CONNECTIONS).requests().size()).isBetween(43, 64);
      assertThat(fastest(many, link(100, SLOW), 1).requests().size()).isBetween(1, 8);
    }
  }

  /** To be done in two turns and not in three is nothing where others fill the third. */
  @Test
  void a_longer_last_request_is_no_gain_where_connections_are_shared() {
    List<ByteRange.Slice> ranges = chunks(256, CHUNK, i -> i % 9 == 0 || (i % 9 == 1 && i < 90));
    Link near = link(1.123, SLOW);
    Connections shared = Connections.sharedBy(4, CONNECTIONS);
    assertThat(fastest(ranges, near, shared.count()).requests()).as("in two turns").hasSize(29);
    assertThat(
            MergedRanges.of(ranges, Coalescing.fastest(), near, shared, Long.MAX_VALUE).requests())
        .hasSize(39);
  }

  @Test
  void a_gap_that_takes_longer_than_a_request_is_not_read() {
    List<ByteRange.Slice> far = chunks(4096, CHUNK, i -> i % 8 == 0); // gaps of 4.6 ms
    assertThat(fastest(far, link(1, SLOW), 1).requests()).hasSize(512);
    assertThat(fastest(far, link(20, SLOW), 1).requests().size()).isLessThan(10);
  }

  @Test
  void the_bounds_hold() {
    List<ByteRange.Slice> second = chunks(4096, CHUNK, i -> i % 2 == 0);
    Link far = link(1000, SLOW);
    Coalescing small = new Coalescing(1 << 20, 100 * KIB, 0.9, true, null);
    assertThat(MergedRanges.of(second, small, far, Connections.all(1), Long.MAX_VALUE).requests())
        .allMatch(request -> request.length() <= 100 * KIB)
        .hasSizeLessThan(800);
    Coalescing near = new Coalescing(CHUNK - 1, 1 << 24, 0.9, true, null);
    assertThat(MergedRanges.of(second, near, far, Connections.all(1), Long.MAX_VALUE).requests())
        .hasSize(2048);
    Coalescing thrifty = new Coalescing(1 << 20, 1 << 24, 0.3, true, null);
    assertThat(MergedRanges.of(second, thrifty, far, Connections.all(1), Long.MAX_VALUE).requests())
        .hasSize(2048);
    assertThat(
            MergedRanges.of(second, Coalescing.fastest(), far, Connections.all(1), 10 * CHUNK)
                .requests())
        .hasSizeGreaterThanOrEqualTo(2038);
  }

  /** Also where another request costs far more time than the gaps. */
  @Test
  void by_default_no_request_is_longer_than_three_times_what_is_wanted() {
    Link far = link(1000, SLOW);
    Connections one = Connections.all(1);
    for (int each = 2; each <= 8; each++) {
      int step = each;
      List<ByteRange.Slice> ranges = chunks(4096, CHUNK, i -> i % step == 0);
      List<ByteRange.Slice> requests =
          MergedRanges.of(ranges, Coalescing.adaptive(), far, one, Long.MAX_VALUE).requests();
      long fetched = requests.stream().mapToLong(ByteRange.Slice::length).sum();
      assertThat(fetched).isLessThanOrEqualTo(3L * ranges.size() * CHUNK);
      assertThat(requests.size()).isLessThan(each <= 3 ? 10 : ranges.size() + 1);
    }
  }

  @Test
  void a_fixed_rule_is_kept_on_any_link() {
    List<ByteRange.Slice> second = chunks(64, CHUNK, i -> i % 2 == 0);
    Coalescing rule = new Coalescing(CHUNK, 1 << 20, 0.75);
    assertThat(
            MergedRanges.of(second, rule, link(0.1, SLOW), Connections.all(64), Long.MAX_VALUE)
                .requests())
        .hasSize(1);
    assertThat(
            MergedRanges.of(
                    second, Coalescing.none(), link(999, SLOW), Connections.all(1), Long.MAX_VALUE)
                .requests())
        .hasSize(32);
  }

  @Test
  void nothing_and_one_range_are_as_they_are() {
    assertThat(fastest(List.of(), link(1, 1), 1).requests()).isEmpty();
    ByteRange.Slice one = new ByteRange.Slice(7, 9);
    assertThat(fastest(List.of(one), link(1, 1), 1).requests()).containsExactly(one);
  }

  /** Ranges of any size, order and gap: each is in its request, and none waits for nothing. */
  @Test
  void merging_is_right_and_never_slower_than_single_requests_or_a_fixed_gap() {
    Random random = new Random(3);
    for (int trial = 0; trial < 300; trial++) {
      List<ByteRange.Slice> ranges = ranges(random);
      Link link = link(Math.pow(10, random.nextDouble() * 3 - 1), random.nextInt(3) * 20 + 0.05);
      int connections = 1 << random.nextInt(7);
      MergedRanges fastest = fastest(ranges, link, connections);
      for (int i = 0; i < ranges.size(); i++) {
        ByteRange.Slice request = fastest.requests().get(fastest.requestOf().get(i));
        ByteRange.Slice range = ranges.get(i);
        assertThat(request.offset()).isLessThanOrEqualTo(range.offset());
        assertThat(request.offset() + request.length())
            .isGreaterThanOrEqualTo(range.offset() + range.length());
      }
      double firstFlight = CHUNK * link.nanosPerByte() / MILLI; // counted as nothing
      double taken = millis(fastest, link, connections);
      for (long gap : new long[] {-1, 0, 64 * KIB, 256 * KIB, 1 << 20, 4 << 20, 16 << 20}) {
        Coalescing fixed = gap < 0 ? Coalescing.none() : new Coalescing(gap, 16 << 20, 0.9);
        MergedRanges other =
            MergedRanges.of(ranges, fixed, link, Connections.all(connections), Long.MAX_VALUE);
        int turns = (other.requests().size() + connections - 1) / connections;
        assertThat(taken)
            .as("%s, %d connections, gap %d, %s", link, connections, gap, ranges)
            .isLessThanOrEqualTo(
                1.1 * (turns + 1) / turns * millis(other, link, connections)
                    + firstFlight * Math.max(1, other.requests().size() / connections));
      }
    }
  }

  private static List<ByteRange.Slice> ranges(Random random) {
    List<ByteRange.Slice> ranges = new ArrayList<>();
    long end = 0;
    int most = 1 << random.nextInt(20);
    for (int i = random.nextInt(200); i >= 0; i--) {
      long start = end + (random.nextBoolean() ? 0 : random.nextInt(most));
      end = start + 1 + random.nextInt(most);
      ranges.add(random.nextInt(ranges.size() + 1), new ByteRange.Slice(start, end - start));
    }
    return ranges;
  }
}
