package dev.zarrreactive.http;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testkit.CostHistory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The operators of requests over connections that are there, against those of a file. */
class HttpCostsTest {
  private static final CostHistory HISTORY = CostHistory.of(Path.of("src/test/costs.txt"));
  private static final int TIMES = 20;

  private static void check(String name, Mono<?> request) {
    Mono<?> all = Flux.range(0, TIMES).concatMap(i -> request).then();
    all.block(); // the connection, the client and the classes
    HISTORY.check("operators: " + name, (double) CostHistory.operators(all) / TIMES);
  }

  @Test
  void value_and_range() {
    try (Served served = new Served(1000, false)) {
      check("a value", served.store.get(Served.KEY));
      check("a range", served.store.get(Served.KEY, new ByteRange.Slice(10, 20)));
    }
  }

  /** With a limit and retries, as by default. */
  @Test
  void value_of_a_store_by_url() {
    try (Served served = new Served(1000, false)) {
      Store store = Zarr.at(served.server.uri().toString()).store().block();
      check("a value by URL", store.get(Served.KEY));
      store.close().block();
    }
  }
}
