package dev.zarrreactive.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import java.net.http.HttpResponse;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Any range of a value is its bytes, however many reads it takes. */
class RangesPropertyTest {
  private static final int SIZE = 500;
  private static Serving serving;
  private static Bytes value;

  @BeforeContainer
  static void serve() {
    serving = new Serving(server -> server.limits(ServerLimits.defaults().withReadBytes(64)));
    value = serving.put(StoreKey.of("v"), SIZE);
  }

  @AfterContainer
  static void stop() {
    serving.close();
  }

  @Property(tries = 150)
  void a_range_is_its_bytes(
      @ForAll @IntRange(max = SIZE + 40) int first, @ForAll @IntRange(max = SIZE + 40) int length) {
    int end = Math.min(SIZE, first + length + 1);
    check("bytes=" + first + "-" + (first + length), first, end);
    check("bytes=" + first + "-", first, SIZE);
    check("bytes=-" + first, Math.max(0, SIZE - first), SIZE);
  }

  private static void check(String range, int offset, int end) {
    HttpResponse<byte[]> answer = serving.get("/v", "Range", range);
    if (offset >= end) {
      assertThat(answer.statusCode()).as(range).isEqualTo(416);
    } else {
      assertThat(answer.statusCode()).as(range).isEqualTo(206);
      assertThat(answer.body())
          .as(range)
          .isEqualTo(value.slice(offset, end - offset).toByteArray());
      assertThat(answer.headers().firstValue("content-range"))
          .hasValue("bytes " + offset + "-" + (end - 1) + "/" + SIZE);
    }
  }
}
