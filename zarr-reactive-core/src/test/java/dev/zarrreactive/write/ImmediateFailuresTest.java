package dev.zarrreactive.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.FailingAtOnceStore;
import dev.zarrreactive.testkit.FailingAtOnceStore.Failure;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A store that fails at once, and writers whose uploads meet. */
class ImmediateFailuresTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Shape SHAPE = Shape.of(64, 32);

  private static final ArrayMetadata PLAIN =
      ArrayMetadata.v3(SHAPE, DataTypes.UINT8).chunkShape(16, 16).uncompressed().build();

  private static final ArrayMetadata SHARDS =
      ArrayMetadata.v3(SHAPE, DataTypes.UINT8)
          .chunkShape(16, 16)
          .shardShape(64, 16)
          .uncompressed()
          .build();

  /** A decorator that asks its delegate before a subscription, as the contract allows. */
  private static Store asking(Store store) {
    return new DelegatingStore(store) {
      @Override
      public String toString() {
        return "asking";
      }
    };
  }

  private static final UnaryOperator<Store> CACHED =
      store -> Stores.cached(store, CacheOptions.ofBytes(1 << 20));

  private static final List<UnaryOperator<Store>> STACKS =
      List.of(
          store -> store,
          ImmediateFailuresTest::asking,
          store -> asking(Stores.limited(asking(store), 2)),
          CACHED,
          store -> asking(Stores.retrying(store, RetryOptions.defaults())),
          store -> Stores.stack(store).retry(RetryOptions.defaults()).build());

  @ParameterizedTest
  @EnumSource(names = {"SIGNALLED", "THROWN"})
  void what_fails_at_once_is_an_error_of_that_request_alone(Failure failure) {
    failEachRequest(
        failure,
        LONG,
        (stack, name, error) -> {
          if (error == null) {
            assertThat(stack).as(name).isSameAs(CACHED); // answered without a request
          } else {
            assertThat(error).isInstanceOf(StoreException.class).hasMessageContaining("at once");
          }
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"THROWN_BY_PUBLISHER", "NO_PUBLISHER"})
  void a_store_that_breaks_its_contract_fails_that_request_alone(Failure failure) {
    failEachRequest(
        failure,
        Duration.ofSeconds(20),
        (stack, name, error) -> assertThat(error == null && stack != CACHED).as(name).isFalse());
  }

  /** Judges how an operation ended whose requests for chunks failed. */
  private interface Judge {
    void judge(UnaryOperator<Store> stack, String name, @Nullable Throwable error);
  }

  /**
   * Lets each operation fail on each stack, and then succeed.
   *
   * @param patience for the operation that succeeds
   */
  private static void failEachRequest(Failure failure, Duration patience, Judge judge) {
    for (UnaryOperator<Store> stack : STACKS) {
      for (ArrayMetadata metadata : List.of(PLAIN, SHARDS)) {
        FailingAtOnceStore failing =
            FailingAtOnceStore.of(MemoryStore.create(), key -> Failure.NONE);
        ZarrHierarchy hierarchy = Zarr.hierarchy(stack.apply(failing));
        ZarrArray array = hierarchy.createArray("a", metadata).block();
        NdArray elements = elements(64, 3);
        array.write(Selection.all(), elements).block();
        operations(array)
            .forEach(
                (name, operation) -> {
                  failing.fail(key -> key.value().contains("c/") ? failure : Failure.NONE);
                  Throwable error = catchThrowable(() -> Flux.from(operation).blockLast(LONG));
                  judge.judge(stack, name, error);
                  failing.behave();
                  Flux.from(operation).blockLast(patience);
                });
        assertThat(array.read().block(LONG)).isEqualTo(elements);
        assertThat(hierarchy.bytesInFlight()).isZero();
      }
    }
  }

  private static Map<String, Publisher<?>> operations(ZarrArray array) {
    Selection part = Selection.box(new long[] {3, 3}, new long[] {20, 20});
    return Map.of(
        "read", array.read(),
        "read of a part", array.read(part),
        "chunks", array.chunks(Selection.all()),
        "chunks in order", array.chunksInOrder(part),
        "bytes", array.readBytes(Selection.all(), 100),
        "write", array.write(Selection.all(), elements(64, 3)),
        "write of a part", array.write(part, elements(20, 3, 20)));
  }

  /** A publisher that breaks Reactive Streams: it emits the answer, and then zeros. */
  private static Mono<Bytes> twice(Mono<Bytes> answer) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super Bytes> actual) {
        answer
            .flatMapMany(bytes -> Flux.just(bytes, Bytes.wrap(new byte[bytes.size()])))
            .subscribe(actual);
      }
    };
  }

  @Test
  void of_a_store_that_answers_twice_the_first_answer_counts() {
    MemoryStore memory = MemoryStore.create();
    NdArray elements = elements(64, 3);
    Zarr.hierarchy(memory)
        .createArray("a", PLAIN)
        .flatMap(array -> array.write(Selection.all(), elements))
        .block(LONG);
    Store answering =
        new DelegatingStore(memory) {
          @Override
          public Mono<Bytes> get(StoreKey key) {
            return key.value().contains("c/") ? twice(super.get(key)) : super.get(key);
          }

          @Override
          public Mono<Bytes> get(StoreKey key, ByteRange range) {
            return twice(super.get(key, range));
          }
        };
    ZarrArray array = Zarr.hierarchy(answering).openArray("a").block(LONG);
    assertThat(array.read().block(LONG)).isEqualTo(elements);
    Selection corner = Selection.parse("0:3,0:3");
    NdArray expected = Zarr.hierarchy(memory).openArray("a").block(LONG).read(corner).block(LONG);
    List<NdArray> read =
        Flux.range(0, 32).flatMap(i -> array.read(corner), 32).collectList().block(LONG);
    assertThat(read).hasSize(32).allMatch(expected::equals);
  }

  @Test
  void two_streamed_writes_take_the_locks_of_their_shards_in_one_order() throws Exception {
    CountDownLatch firstShard = new CountDownLatch(1);
    CountDownLatch secondShard = new CountDownLatch(1);
    Store store =
        new DelegatingStore(MemoryStore.create()) {
          @Override
          public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition condition) {
            (key.value().endsWith("0/1") ? secondShard : firstShard).countDown();
            return super.set(key, pieces, condition);
          }

          @Override
          public String toString() {
            return "noting";
          }
        };
    ZarrArray array =
        Zarr.hierarchy(store, ZarrOptions.defaults().withMaxInFlightBytes(6 << 10))
            .createArray("a", SHARDS)
            .block();
    Sinks.Many<NdArray> blocks = Sinks.many().unicast().onBackpressureBuffer();
    CompletableFuture<Void> first = array.write(Selection.all(), blocks.asFlux()).toFuture();
    byte[] leftIsEmpty = new byte[16 * 32];
    for (int row = 0; row < 16; row++) {
      Arrays.fill(leftIsEmpty, row * 32 + 16, row * 32 + 32, (byte) 1);
    }
    blocks.tryEmitNext(NdArray.ofBytes(DataTypes.UINT8, Shape.of(16, 32), leftIsEmpty));
    assertThat(secondShard.await(60, TimeUnit.SECONDS)).isTrue();
    NdArray band = elements(16, 2);
    CompletableFuture<Void> second =
        array.write(Selection.all(), Flux.just(band, band, band, band)).toFuture();
    firstShard.await(300, TimeUnit.MILLISECONDS); // the second writer, if it has come in between
    for (int i = 0; i < 3; i++) {
      blocks.tryEmitNext(elements(16, 1));
    }
    blocks.tryEmitComplete();
    first.get(60, TimeUnit.SECONDS);
    second.get(60, TimeUnit.SECONDS);
    assertThat(array.read().block()).isEqualTo(elements(64, 2));
  }

  private static NdArray elements(int rows, int value) {
    return elements(rows, value, 32);
  }

  private static NdArray elements(int rows, int value, int columns) {
    byte[] all = new byte[rows * columns];
    Arrays.fill(all, (byte) value);
    return NdArray.ofBytes(DataTypes.UINT8, Shape.of(rows, columns), all);
  }
}
