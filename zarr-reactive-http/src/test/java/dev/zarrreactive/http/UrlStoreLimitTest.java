package dev.zarrreactive.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.faults.server.Behaviour;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.StoreOrigin;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The limit that a store has which is opened by a URL. */
class UrlStoreLimitTest {
  private static final Duration PATIENCE = Duration.ofSeconds(100);
  private static final int CHUNKS = 1000;
  private static final int CAPACITY = 16;

  private final MemoryStore values = MemoryStore.create();

  /** A server that takes sixteen requests at a time, of 30 ms each. */
  private static final class Crowded implements Fault {
    private final Fault refusal;
    private final AtomicInteger underWay = new AtomicInteger();

    Crowded(Fault refusal) {
      this.refusal = refusal;
    }

    @Override
    public Behaviour apply(ReceivedRequest asked, Behaviour behaviour) {
      if (underWay.incrementAndGet() > CAPACITY) {
        underWay.decrementAndGet();
        return refusal.apply(asked, behaviour);
      }
      return behaviour
          .withDelay(Duration.ofMillis(30))
          .withChange(answer -> answer.doFinally(end -> underWay.decrementAndGet()));
    }
  }

  private NdArray written() {
    int[] elements = IntStream.range(0, 4 * CHUNKS).toArray();
    NdArray all = NdArray.ofInts(DataTypes.INT32, Shape.of(4 * CHUNKS), elements);
    Zarr.hierarchy(values)
        .createArray(
            "a",
            ArrayMetadata.v3(all.shape(), DataTypes.INT32).uncompressed().chunkShape(4).build())
        .flatMap(array -> array.write(Selection.all(), all))
        .block(PATIENCE);
    return all;
  }

  private static NdArray read(Store store) {
    return Zarr.hierarchy(store)
        .openArray("a")
        .flatMap(array -> array.read(Selection.all()))
        .subscribeOn(Schedulers.parallel())
        .block(PATIENCE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_server_that_takes_sixteen_requests_at_a_time_is_read_by_the_default_store(boolean closes) {
    NdArray all = written();
    Crowded crowded = new Crowded(closes ? Fault.closed() : Fault.status(503, null));
    try (FaultyServer server = FaultyServer.of(values)) {
      server.misbehave(crowded);
      Mono<NdArray> read =
          Mono.usingWhen(
              Zarr.at(server.uri().toString()).store(),
              store ->
                  Mono.fromSupplier(() -> read(store)).subscribeOn(Schedulers.boundedElastic()),
              Store::close);
      assertThat(read.block(PATIENCE)).isEqualTo(all);
      // The error would be that the budget of retries is spent. AdaptiveLimitTest counts refusals,
      // in virtual time: here they depend on how busy the machine is.
    }
  }

  @Test
  void stores_of_one_server_share_the_limit_and_it_stands_at_the_origin() {
    try (FaultyServer server = FaultyServer.of(values)) {
      String url = server.uri().toString();
      StoreOptions options = StoreOptions.none().with("connections", "20");
      Store one = Stores.open(url, options).block(PATIENCE);
      Store other = Stores.open(url, options.with("retry", "true")).block(PATIENCE);
      assertThat(StoreOrigin.of(one).isLimited()).isTrue();
      assertThat(one.toString()).startsWith("RetryingStore[LimitedStore[20 requests now, ");
      one.close().block(PATIENCE);
      other.close().block(PATIENCE);
    }
  }
}
