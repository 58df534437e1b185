package dev.zarrreactive.read;

import static dev.zarrreactive.testing.ShardArrays.checked;
import static dev.zarrreactive.testing.ShardArrays.sharding;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.Sampled;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/**
 * A thousand cancels, 200 in a quick run, at random moments, of all kinds of reads, while others
 * read.
 */
@ExtendWith(NothingIsDropped.class)
@Sampled
class RandomCancelTest {
  private static final int LANES = 8;
  private static final int CANCELS_OF_A_LANE = Cases.some(25, 125);
  private static final int PERMITS = 6;
  private static final int SIDE = 64;

  /**
   * A thread that is about to ask when the cancel comes may do that, once: those that decode, those
   * that answer, and the one that subscribed.
   */
  private static final int ABOUT_TO_ASK = 2 * Runtime.getRuntime().availableProcessors() + 1;

  private static final List<Function<ZarrArray, Publisher<?>>> READS =
      List.of(
          array -> array.read(Selection.all()),
          array -> array.chunks(Selection.all()),
          array -> array.chunksInOrder(Selection.all()),
          array -> array.read(Selection.parse("3:50,::9")),
          array -> array.chunks(Selection.parse("3:50,::9")),
          array -> array.chunksInOrder(Selection.parse("3:50,::9")));

  private final MemoryStore memory = MemoryStore.create();

  private void put(String path, ArrayMetadataBuilder metadata) {
    Zarr.hierarchy(memory)
        .createArray(path, metadata.build())
        .flatMap(array -> array.write(Selection.all(), TestArrays.counting(Shape.of(SIDE, SIDE))))
        .block();
  }

  private static ArrayMetadataBuilder square() {
    return ArrayMetadata.v3(Shape.of(SIDE, SIDE), DataTypes.INT32).uncompressed();
  }

  @Test
  void nothing_is_asked_for_any_more_and_everything_is_given_back() {
    JsonArray nested = JsonArray.of(sharding("end", checked(), 4, 4).toJson());
    put("plain", square().chunkShape(4, 4));
    put("sharded", square().chunkShape(16, 16).codecs(sharding("end", checked(), 4, 4)));
    put("nested", square().chunkShape(32, 32).codecs(sharding("end", nested, 8, 8)));
    ExecutorService threads = Executors.newFixedThreadPool(LANES);
    try {
      List<CompletableFuture<Long>> lanes = new ArrayList<>();
      for (int number = 0; number < LANES; number++) {
        Lane lane = new Lane(memory, number);
        lanes.add(CompletableFuture.supplyAsync(lane::run, threads));
      }
      long underWay = lanes.stream().mapToLong(CompletableFuture::join).sum();
      assertThat(underWay).as("cancels that met requests under way").isPositive();
    } finally {
      threads.shutdown();
    }
  }

  /** One client with a store of its own, so that all its requests are of the one operation. */
  private static final class Lane {
    private final Random random;
    private final boolean cached;
    private final boolean limited;
    private final InstrumentedStore store;
    private final Store used;
    private final ZarrHierarchy client;

    Lane(Store memory, int number) {
      this.random = new Random(number);
      this.cached = number % 2 == 1;
      this.limited = number / 2 % 2 == 1;
      this.store = InstrumentedStore.of(memory);
      Store permits = limited ? Stores.limited(store, PERMITS) : store;
      this.used = cached ? Stores.cached(permits, CacheOptions.ofBytes(5_000)) : permits;
      this.client =
          Zarr.hierarchy(
              used,
              ZarrOptions.defaults()
                  .withMaxConcurrency(1 + random.nextInt(32))
                  .withMaxInFlightBytes(number < 4 ? 1 << 20 : 8_000));
    }

    long run() {
      long underWay = 0;
      List<ZarrArray> arrays =
          List.of("plain", "sharded", "nested").stream()
              .map(path -> client.openArray(path).block())
              .toList();
      for (int i = 0; i < CANCELS_OF_A_LANE; i++) {
        ZarrArray array = arrays.get(random.nextInt(arrays.size()));
        Function<ZarrArray, Publisher<?>> read = READS.get(random.nextInt(READS.size()));
        store.delay(Duration.ofNanos(random.nextInt(4) * 1_000_000L));
        Disposable running = Flux.from(read.apply(array)).subscribe();
        LockSupport.parkNanos(random.nextInt(8_000_000));
        underWay += store.counts().inFlight() > 0 ? 1 : 0;
        running.dispose();
        assertOver();
      }
      store.delay(Duration.ZERO);
      if (limited) {
        assertPermits();
      }
      for (ZarrArray array : arrays) {
        assertThat(array.read(Selection.all()).block())
            .isEqualTo(TestArrays.counting(Shape.of(SIDE, SIDE)));
      }
      assertThat(client.bytesInFlight()).isZero();
      return underWay;
    }

    private void assertOver() {
      int requests = store.counts().total();
      eventually("nothing is in flight", () -> store.counts().inFlight() == 0);
      eventually("no bytes are held", () -> client.bytesInFlight() == 0);
      int late = store.counts().total() - requests;
      assertThat(late).as("requests after the cancel").isLessThanOrEqualTo(ABOUT_TO_ASK);
    }

    /** As many requests are let through at a time as in the beginning, and no more. */
    private void assertPermits() {
      store.counts().reset();
      HeldRequests held = store.hold(any -> true);
      List<CompletableFuture<?>> asked = new ArrayList<>();
      for (int i = 0; i < 2 * PERMITS; i++) {
        asked.add(used.get(StoreKey.of("none/" + i)).toFuture());
      }
      assertThat(held.waiting()).isEqualTo(PERMITS);
      held.release();
      asked.forEach(CompletableFuture::join);
      assertThat(store.counts().maxInFlight()).isLessThanOrEqualTo(PERMITS);
    }
  }
}
