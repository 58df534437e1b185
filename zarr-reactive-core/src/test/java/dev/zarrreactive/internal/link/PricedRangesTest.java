package dev.zarrreactive.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.internal.link.LinkEstimate.Link;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.Price;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which ranges are fetched together where requests and bytes are paid. */
class PricedRangesTest {
  private static final int CHUNK = 16 * 1024;
  private static final double MILLI = 1e6;
  private static final Connections ALL = Connections.all(64);

  /**
   * The places of a reader, with the prices of the page, in dollars, and links as they often are.
   */
  private enum Reader {
    SAME_REGION("same region", Price.of(0.4, 0, 0.1), new Link(15 * MILLI, 11)),
    OTHER_REGION("other region", Price.of(0.4, 0.02, 0.1), new Link(70 * MILLI, 40)),
    INTERNET("internet", Price.of(0.4, 0.09, 0.1), new Link(100 * MILLI, 100));

    private final String title;
    private final Price price;
    private final Link link;

    Reader(String title, Price price, Link link) {
      this.title = title;
      this.price = price;
      this.link = link;
    }

    MergedRanges merged(List<ByteRange.Slice> ranges, Coalescing policy) {
      return MergedRanges.of(ranges, policy, link, ALL, Long.MAX_VALUE);
    }

    /** Requests and bytes alone, which no model of time can prettify. */
    double bill(MergedRanges merged) {
      return new Price(price.perRequest(), price.perByte(), 0)
          .total(merged.requests().size(), merged.bytes(), Duration.ZERO);
    }
  }

  private static List<ByteRange.Slice> chunks(IntPredicate wanted) {
    return IntStream.range(0, 4096)
        .filter(wanted)
        .mapToObj(i -> new ByteRange.Slice((long) i * CHUNK, CHUNK))
        .toList();
  }

  private static Map<String, List<ByteRange.Slice>> reads() {
    Random random = new Random(17);
    Map<String, List<ByteRange.Slice>> reads = new LinkedHashMap<>();
    reads.put("512 neighbours", chunks(i -> i < 512));
    reads.put("every 2nd of 4,096", chunks(i -> i % 2 == 0));
    reads.put("every 8th", chunks(i -> i % 8 == 0));
    reads.put("one in six, scattered", chunks(i -> random.nextInt(6) == 0));
    return reads;
  }

  @Test
  void no_policy_has_a_lower_price() {
    for (Reader reader : Reader.values()) {
      for (List<ByteRange.Slice> ranges : reads().values()) {
        double least = reader.bill(reader.merged(ranges, Coalescing.cheapest(reader.price)));
        List<Coalescing> others = new ArrayList<>();
        others.add(Coalescing.none());
        for (int gap : new int[] {0, CHUNK, 2 * CHUNK, 8 * CHUNK, 1 << 24}) {
          others.add(new Coalescing(gap, 1 << 24, 1));
        }
        Price bytesAndRequests = new Price(reader.price.perRequest(), reader.price.perByte(), 0);
        double bill = reader.bill(reader.merged(ranges, Coalescing.cheapest(bytesAndRequests)));
        assertThat(bill).as(reader.title).isLessThanOrEqualTo(least * (1 + 1e-9));
        for (Coalescing other : others) {
          assertThat(bill)
              .as("%s, %s", reader.title, other)
              .isLessThanOrEqualTo(reader.bill(reader.merged(ranges, other)) * (1 + 1e-9));
        }
      }
    }
  }

  @Test
  void where_bytes_cost_nothing_and_time_does_not_count_all_is_one_request_for_each_16_mib() {
    List<ByteRange.Slice> eighth = chunks(i -> i % 8 == 0);
    Price requests = new Price(1, 0, 0);
    for (Reader reader : Reader.values()) {
      assertThat(reader.merged(eighth, Coalescing.cheapest(requests)).requests()).hasSize(4);
    }
  }

  @Test
  void where_requests_cost_nothing_no_gap_is_read() {
    List<ByteRange.Slice> eighth = chunks(i -> i % 8 == 0);
    for (Reader reader : Reader.values()) {
      MergedRanges merged = reader.merged(eighth, Coalescing.cheapest(new Price(0, 1, 0)));
      assertThat(merged.bytes()).isEqualTo(512L * CHUNK);
    }
  }

  @Test
  void with_time_alone_the_price_is_the_time() {
    Coalescing time = Coalescing.cheapest(new Price(0, 0, 1));
    for (Reader reader : Reader.values()) {
      for (List<ByteRange.Slice> ranges : reads().values()) {
        assertThat(nanos(reader, reader.merged(ranges, time)))
            .isLessThanOrEqualTo(
                1.001 * nanos(reader, reader.merged(ranges, Coalescing.fastest())));
      }
    }
  }

  private static double nanos(Reader reader, MergedRanges merged) {
    double together = 0;
    double longest = 0;
    for (ByteRange.Slice request : merged.requests()) {
      together += reader.link.nanos(request.length());
      longest = Math.max(longest, reader.link.nanos(request.length()));
    }
    int count = merged.requests().size();
    return Math.max(0, ALL.turns(count) - 1) * together / count + longest + count * 10_000.0;
  }

  @Test
  void a_small_shard_is_fetched_whole_and_a_large_one_by_ranges() {
    Price internet = Reader.INTERNET.price;
    Link link = Reader.INTERNET.link;
    // a request costs as much as 4.4 kB, its time included as 34 kB less their own time
    assertThat(link.shareOfAll(internet, 2_000)).isNegative();
    assertThat(link.shareOfAll(internet, 1 << 26)).isBetween(0.99, 1.0);
    assertThat(new Link(15 * MILLI, 11).shareOfAll(Reader.SAME_REGION.price, 1 << 20)).isNegative();
    assertThat(link.shareOfAll(new Price(0, 0, 0), 9)).as("no price at all").isNaN();
  }

  /** The table of the page; each row is computed here. */
  @Test
  void the_page_shows_these_figures() throws IOException {
    StringBuilder rows = new StringBuilder();
    String page = Files.readString(Path.of("..", "docs", "streaming.md"));
    reads()
        .forEach(
            (name, ranges) -> {
              StringBuilder row = new StringBuilder("| " + name + " |");
              for (Reader reader : Reader.values()) {
                for (Coalescing policy :
                    List.of(Coalescing.adaptive(), Coalescing.cheapest(reader.price))) {
                  MergedRanges merged = reader.merged(ranges, policy);
                  row.append(
                      String.format(
                          Locale.ROOT,
                          " %,d, %.0f MB, %,.0f µ$ |",
                          merged.requests().size(),
                          merged.bytes() / 1e6,
                          1e6 * reader.bill(merged)));
                }
              }
              rows.append(row).append('\n');
            });
    assertThat(page.contains(rows)).as("the page has\n%s", rows).isTrue();
  }
}
