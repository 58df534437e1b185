package dev.zarrreactive.stream;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.ShardArrays.data;
import static dev.zarrreactive.testing.ShardArrays.indexes;
import static dev.zarrreactive.testing.ShardArrays.sharding;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.ProbeCodec;
import dev.zarrreactive.testing.Replacements;
import dev.zarrreactive.testing.ShardArrays;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/**
 * A stream of inner chunks asks the store for what is demanded, and a little more. Each of 64
 * shards has 4 × 4 inner chunks, of which every second column is wanted.
 */
@ExtendWith(NothingIsDropped.class)
class ShardDemandTest {
  private static final int AHEAD = 4;
  private static final int CHUNKS_OF_A_SHARD = 8;
  private static final int CHUNKS = 64 * CHUNKS_OF_A_SHARD;
  private static final Selection WANTED = Selection.parse(":,::8");
  private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withMaxConcurrency(AHEAD);
  private static final ZarrOptions ONE_BY_ONE = OPTIONS.withShardReading(Replacements.oneByOne());

  private static ArrayMetadataBuilder shards(JsonArray codecs) {
    return ArrayMetadata.v3(Shape.of(128, 128), DataTypes.INT32)
        .chunkShape(16, 16)
        .codecs(sharding("end", codecs, 4, 4));
  }

  /** How many shards the first chunks are in. */
  private static long shardsOf(long chunks) {
    return (chunks + CHUNKS_OF_A_SHARD - 1) / CHUNKS_OF_A_SHARD;
  }

  /** How far requests are ahead of what they may be. */
  private static final class Watch implements StoreObserver {
    private final AtomicLong demanded = new AtomicLong();
    private final AtomicLong data = new AtomicLong();
    private final AtomicLong indexes = new AtomicLong();
    private final AtomicLong mostAhead = new AtomicLong();
    private final AtomicLong shardsTooMany = new AtomicLong(Long.MIN_VALUE);

    @Override
    public void onStart(StoreRequest request) {
      if (request.range() instanceof ByteRange.Slice) {
        mostAhead.accumulateAndGet(data.incrementAndGet() - demanded.get(), Math::max);
      } else if (request.range() instanceof ByteRange.Suffix) {
        long most = shardsOf(demanded.get() + AHEAD);
        shardsTooMany.accumulateAndGet(indexes.incrementAndGet() - most, Math::max);
      }
    }
  }

  /** Demands a few at a time, and at times many. */
  private static final class Consumer extends BaseSubscriber<Chunk> {
    private final Random random;
    private final AtomicLong demanded;
    private final AtomicLong received = new AtomicLong();

    Consumer(long seed, AtomicLong demanded) {
      this.random = new Random(seed);
      this.demanded = demanded;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      demand(1);
    }

    @Override
    protected void hookOnNext(Chunk chunk) {
      if (received.incrementAndGet() == demanded.get()) {
        demand(random.nextInt(20) == 0 ? 20 : 1 + random.nextInt(3));
      }
    }

    private void demand(int more) {
      demanded.addAndGet(more);
      request(more);
    }
  }

  @ParameterizedTest
  @EnumSource
  void at_every_moment_no_more_is_asked_for_than_is_demanded_and_the_concurrency(
      StreamDemandTest.Order order) {
    Store memory = MemoryStore.create();
    TestArrays.counting(shards(ShardArrays.checked()), memory, OPTIONS);
    for (int seed = 0; seed < 10; seed++) {
      Watch watch = new Watch();
      InstrumentedStore late = InstrumentedStore.of(memory).delay(Duration.ofNanos(200_000));
      ZarrArray array = TestArrays.open(Stores.observed(late, watch), ONE_BY_ONE);
      Consumer consumer = new Consumer(seed, watch.demanded);
      order.stream(array, WANTED).subscribe(consumer);
      eventually("the stream is over", consumer::isDisposed);
      assertThat(consumer.received).hasValue(CHUNKS);
      assertThat(watch.data).hasValue(CHUNKS);
      assertThat(watch.indexes).hasValue(64);
      assertThat(watch.mostAhead.get()).isBetween(1L, (long) AHEAD);
      assertThat(watch.shardsTooMany.get()).as("shards opened too early").isBetween(-100L, 0L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void without_demand_only_the_first_shards_are_opened(StreamDemandTest.Order order) {
    InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
    ZarrArray array = ShardArrays.written(shards(ShardArrays.checked()), store, ONE_BY_ONE);
    BaseSubscriber<Chunk> consumer =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(Subscription subscription) {}
        };
    order.stream(array, WANTED).subscribe(consumer);
    eventually("the first are fetched", () -> ShardArrays.count(store, data()) == AHEAD);
    settled();
    assertThat(ShardArrays.count(store, data())).isEqualTo(AHEAD);
    assertThat(ShardArrays.count(store, indexes())).isEqualTo(1);
    consumer.cancel();
    assertThat(store.counts().inFlight()).isZero();
  }

  /** Also where one request brings the bytes of many chunks. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void in_order_no_more_chunks_are_held_than_the_concurrency(boolean merged) {
    ProbeCodec probe = new ProbeCodec();
    ZarrOptions options = (merged ? OPTIONS : ONE_BY_ONE).withCodecs(probe.registry());
    JsonArray codecs =
        JsonArray.of(Codecs.toBytes(DataTypes.INT32).toJson(), ProbeCodec.configuration().toJson());
    Store memory = MemoryStore.create();
    TestArrays.counting(shards(codecs), memory, options);
    int before = probe.calls();
    AtomicLong received = new AtomicLong();
    AtomicLong mostHeld = new AtomicLong();
    probe.doing(
        () -> mostHeld.accumulateAndGet(probe.calls() - before - received.get(), Math::max));
    InstrumentedStore store = InstrumentedStore.of(memory);
    ZarrArray array = TestArrays.open(store, options);
    array
        .chunksInOrder(WANTED)
        .doOnNext(
            chunk -> {
              received.incrementAndGet();
              long end = System.nanoTime() + 20_000;
              while (System.nanoTime() < end) {
                // a subscriber that takes its time
              }
            })
        .blockLast();
    assertThat(received).hasValue(CHUNKS);
    assertThat(mostHeld.get()).isBetween(1L, (long) AHEAD);
  }

  @Test
  void in_order_a_late_chunk_keeps_the_others_waiting_and_the_store_at_rest() {
    InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
    ZarrArray array = ShardArrays.written(shards(ShardArrays.checked()), store, ONE_BY_ONE);
    HeldRequests first =
        store.hold(request -> data().test(request) && isAtStart((ByteRange.Slice) request.range()));
    AtomicLong received = new AtomicLong();
    array.chunksInOrder(WANTED).doOnNext(chunk -> received.incrementAndGet()).subscribe();
    eventually("the first is asked for", () -> ShardArrays.count(store, data()) == AHEAD);
    settled();
    assertThat(ShardArrays.count(store, data())).isEqualTo(AHEAD);
    assertThat(received).hasValue(0);
    first.release();
    eventually("all are received", () -> received.get() == CHUNKS);
  }

  private static boolean isAtStart(ByteRange.Slice range) {
    return range.offset() == 0;
  }
}
