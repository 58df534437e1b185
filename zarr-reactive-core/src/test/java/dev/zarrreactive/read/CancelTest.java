package dev.zarrreactive.read;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.TestArrays.CHUNK_BYTES;
import static dev.zarrreactive.testing.TestArrays.chunk;
import static dev.zarrreactive.testing.TestArrays.chunks;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.ProbeCodec;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** A cancel stops everything. */
@ExtendWith(NothingIsDropped.class)
class CancelTest {
  private static final int CHUNKS = 400;
  private static final int IN_FLIGHT = 16;
  private static final int THREADS = Runtime.getRuntime().availableProcessors();

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final AtomicInteger coding = new AtomicInteger();
  private final ProbeCodec probe = new ProbeCodec().doing(this::code);

  private final ZarrArray array =
      TestArrays.counting(
          TestArrays.metadata(CHUNKS).compressors(ProbeCodec.configuration()),
          store,
          ZarrOptions.defaults().withMaxConcurrency(IN_FLIGHT).withCodecs(probe.registry()));

  private void code() {
    coding.incrementAndGet();
    long end = System.nanoTime() + 20_000;
    while (System.nanoTime() < end) {
      // as a codec does
    }
    coding.decrementAndGet();
  }

  static Stream<Function<ZarrArray, Publisher<?>>> reads() {
    return Stream.of(
        array -> array.read(Selection.all()),
        array -> array.readInto(Selection.all(), ByteBuffer.allocate(CHUNKS * CHUNK_BYTES)),
        array -> array.readInto(Selection.all(), ByteBuffer.allocateDirect(CHUNKS * CHUNK_BYTES)),
        array -> array.chunks(Selection.all()),
        array -> array.chunksInOrder(Selection.all()));
  }

  static Stream<Function<ZarrArray, Publisher<?>>> writes() {
    return Stream.of(
        array ->
            array.write(
                Selection.parse("1:-1"),
                TestArrays.counting(Shape.of((long) TestArrays.CHUNK * CHUNKS - 2))),
        array -> array.write(array.chunks(Selection.all())));
  }

  static Stream<Function<ZarrArray, Publisher<?>>> operations() {
    return Stream.concat(reads(), writes());
  }

  @ParameterizedTest
  @MethodSource("operations")
  void after_a_cancel_at_any_time_nothing_is_requested_and_nothing_runs_on(
      Function<ZarrArray, Publisher<?>> operation) {
    Random random = new Random(11);
    for (int i = 0; i < 200; i++) {
      store.delay(Duration.ofNanos(random.nextInt(3) * 300_000L));
      Disposable running = Flux.from(operation.apply(array)).subscribe();
      LockSupport.parkNanos(random.nextInt(6_000_000));
      running.dispose();
      int requests = store.counts().total();
      int calls = probe.calls();
      eventually("nothing is in flight", () -> store.counts().inFlight() == 0);
      eventually("nothing is coded", () -> coding.get() == 0);
      settled();
      // A thread that is about to ask or to code when the cancel comes may do that, no other; but
      // where one hands the cancel on and loses its processor meanwhile, what has come is decoded.
      assertThat(store.counts().total() - requests).as("requests").isBetween(0, THREADS);
      int coded = probe.calls() - calls;
      assertThat(coded).as("chunks coded").isBetween(0, IN_FLIGHT + THREADS);
      eventually("the last request is over", () -> store.counts().inFlight() == 0);
      eventually("the last chunk is coded", () -> coding.get() == 0);
    }
  }

  @Test
  void it_does_not_wait_for_the_subscriber_s_own_work() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    AtomicBoolean done = new AtomicBoolean();
    HeldRequests held = store.hold(chunk(0).negate());
    Disposable running =
        array
            .chunks(Selection.all())
            .doOnNext(
                chunk -> {
                  busy.countDown();
                  while (!done.get()) {
                    // a subscriber that takes its time
                  }
                })
            .subscribe();
    assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();
    eventually("the next requests wait", () -> held.waiting() == IN_FLIGHT);
    int requests = store.counts().total();
    running.dispose();
    assertThat(held.waiting()).isZero();
    assertThat(store.counts().inFlight()).isZero();
    done.set(true);
    settled();
    assertThat(store.counts().total()).isEqualTo(requests);
  }

  @ParameterizedTest
  @MethodSource("reads")
  void a_cancel_ends_the_requests_under_way_at_once(Function<ZarrArray, Publisher<?>> operation) {
    HeldRequests held = store.hold(chunks());
    Disposable running = Flux.from(operation.apply(array)).subscribe();
    eventually("requests wait", () -> held.waiting() == IN_FLIGHT);
    int requests = store.counts().total();
    running.dispose();
    assertThat(held.waiting()).isZero();
    assertThat(store.counts().inFlight()).isZero();
    held.release();
    settled();
    assertThat(store.counts().total()).isEqualTo(requests);
  }

  @ParameterizedTest
  @MethodSource("writes")
  void what_is_being_stored_is_stored_and_nothing_else(
      Function<ZarrArray, Publisher<?>> operation) {
    HeldRequests held =
        store.hold(chunks().and(request -> request.operation() == StoreOperation.SET));
    Disposable running = Flux.from(operation.apply(array)).subscribe();
    eventually("chunks are being stored", () -> held.waiting() == IN_FLIGHT);
    running.dispose();
    long sets = store.counts().total(StoreOperation.SET);
    assertThat(store.counts().inFlight()).isEqualTo(IN_FLIGHT);
    held.release();
    eventually("nothing is in flight", () -> store.counts().inFlight() == 0);
    settled();
    assertThat(store.counts().total(StoreOperation.SET)).isEqualTo(sets);
  }
}
