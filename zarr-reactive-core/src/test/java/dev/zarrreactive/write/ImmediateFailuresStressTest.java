package dev.zarrreactive.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import dev.zarrreactive.testkit.FailingAtOnceStore;
import dev.zarrreactive.testkit.FailingAtOnceStore.Failure;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Several threads at a time, over a store whose requests fail while they are subscribed to, or
 * throw. One thread cannot show that two of them wait for each other's monitors.
 */
@Sampled
class ImmediateFailuresStressTest {
  private static final int SUBSCRIBERS = 8;
  private static final int OPERATIONS = Cases.some(50, 250);
  private static final int ROWS = 64;
  private static final int COLUMNS = 256;

  /** Codec threads of its own: those of the process would stay blocked for all later tests. */
  private final Scheduler codecs = Schedulers.newParallel("stress-codec", 4, true);

  private final FailingAtOnceStore store =
      FailingAtOnceStore.of(MemoryStore.create(), key -> Failure.NONE);

  /** Has room for less than a row of shards, which is stored while it arrives. */
  private final ZarrHierarchy small = hierarchy(60 << 10);

  private final ZarrHierarchy large = hierarchy(16 << 20);
  private final Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger completed = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final CountDownLatch over = new CountDownLatch(SUBSCRIBERS);
  private List<ZarrArray> arrays = List.of();
  private List<ZarrArray> streamed = List.of();

  private ZarrHierarchy hierarchy(long bytes) {
    return Zarr.hierarchy(
        store, ZarrOptions.defaults().withCodecScheduler(codecs).withMaxInFlightBytes(bytes));
  }

  @AfterEach
  void end() {
    codecs.dispose();
  }

  @Test
  void failures_during_subscription_never_deadlock_threads_and_leave_nothing_held()
      throws Exception {
    arrays = arrays();
    streamed = arrays.stream().map(each -> small.openArray(each.path().value()).block()).toList();
    NdArray start = elements(ROWS, 1);
    for (ZarrArray array : arrays) {
      array.write(Selection.all(), start).block();
    }
    store.fail(ImmediateFailuresStressTest::chance);
    for (int i = 0; i < SUBSCRIBERS; i++) {
      go(new Random(i), OPERATIONS);
    }
    int endedBefore = -1;
    for (int still = 0; !over.await(100, TimeUnit.MILLISECONDS); still++) {
      assertNothingIsDeadlocked();
      still = ended.get() == endedBefore ? still : 0;
      endedBefore = ended.get();
      assertThat(still).as("an operation ends within two minutes").isLessThan(1_200);
    }
    assertThat(unexpected).isEmpty();
    assertThat(refused.get()).as("operations that failed").isGreaterThan(SUBSCRIBERS);
    assertThat(completed.get()).as("operations that completed").isGreaterThan(SUBSCRIBERS);
    store.behave();
    assertThat(small.bytesInFlight()).isZero();
    assertThat(large.bytesInFlight()).isZero();
    NdArray last = elements(ROWS, 99);
    for (ZarrArray array : arrays) {
      array.write(Selection.all(), last).block();
      assertThat(array.read().block()).isEqualTo(last);
    }
  }

  private List<ZarrArray> arrays() {
    Shape shape = Shape.of(ROWS, COLUMNS);
    ArrayMetadata plain =
        ArrayMetadata.v3(shape, DataTypes.UINT8).chunkShape(16, 16).uncompressed().build();
    ArrayMetadata shards =
        ArrayMetadata.v3(shape, DataTypes.UINT8)
            .chunkShape(16, 16)
            .shardShape(ROWS, 16)
            .uncompressed()
            .build();
    return List.of(
        large.createArray("plain", plain).block(), large.createArray("shards", shards).block());
  }

  /** One in twelve requests for chunks fails. */
  private static Failure chance(StoreKey key) {
    if (!key.value().contains("c/")) {
      return Failure.NONE;
    }
    int chance = ThreadLocalRandom.current().nextInt(24);
    return chance > 1 ? Failure.NONE : chance == 0 ? Failure.THROWN : Failure.SIGNALLED;
  }

  private void go(Random random, int left) {
    if (left == 0) {
      over.countDown();
      return;
    }
    Publisher<?> operation = operation(random);
    long demand = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : Long.MAX_VALUE;
    operation.subscribe(
        new BaseSubscriber<Object>() {
          private long received;

          @Override
          protected void hookOnSubscribe(Subscription subscription) {
            request(demand);
          }

          @Override
          protected void hookOnNext(Object value) {
            if (++received == demand) {
              cancel();
            }
          }

          @Override
          protected void hookOnError(Throwable error) {
            refused.incrementAndGet();
            if (!hasMessage(error)) {
              unexpected.add(error);
            }
          }

          @Override
          protected void hookOnComplete() {
            completed.incrementAndGet();
          }

          @Override
          protected void hookFinally(SignalType type) {
            ended.incrementAndGet();
            codecs.schedule(() -> go(random, left - 1)); // each operation ends on any thread
          }
        });
  }

  private static boolean hasMessage(Throwable error) {
    for (Throwable each = error; each != null; each = each.getCause()) {
      if (String.valueOf(each.getMessage()).contains(" at once")) {
        return true;
      }
    }
    return false;
  }

  private Publisher<?> operation(Random random) {
    int number = random.nextInt(4) == 0 ? 0 : 1;
    ZarrArray array = arrays.get(number);
    int row = random.nextInt(ROWS - 8);
    Selection part = Selection.box(new long[] {row, 3}, new long[] {8, COLUMNS - 10});
    return switch (random.nextInt(10)) {
      case 0 -> array.read();
      case 1 -> array.read(part);
      case 2 -> array.chunks(Selection.all());
      case 3 -> array.chunksInOrder(part);
      case 4 -> array.readBytes(Selection.all(), 512);
      case 5 -> array.write(part, elements(8, random.nextInt(), COLUMNS - 10));
      case 6 -> array.write(Selection.all(), elements(ROWS, random.nextInt()));
      default -> streamed.get(number).write(Selection.all(), bands(random));
    };
  }

  /** Bands of inner chunks, so that shards are stored while they arrive. */
  private static Flux<NdArray> bands(Random random) {
    int number = random.nextInt();
    return Flux.range(0, ROWS / 16).map(band -> elements(16, number + band));
  }

  private static NdArray elements(int rows, int number) {
    return elements(rows, number, COLUMNS);
  }

  private static NdArray elements(int rows, int number, int columns) {
    byte[] all = new byte[rows * columns];
    Arrays.fill(all, (byte) (1 + Math.floorMod(number, 100)));
    return NdArray.ofBytes(DataTypes.UINT8, Shape.of(rows, columns), all);
  }

  private static void assertNothingIsDeadlocked() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long[] deadlocked = threads.findDeadlockedThreads();
    if (deadlocked == null) {
      return;
    }
    StringBuilder text = new StringBuilder("threads wait for each other:");
    for (ThreadInfo each : threads.getThreadInfo(deadlocked, true, true)) {
      text.append("\n").append(each);
    }
    fail(text.toString());
  }
}
