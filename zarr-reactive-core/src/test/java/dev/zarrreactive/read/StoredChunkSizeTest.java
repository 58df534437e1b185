package dev.zarrreactive.read;

import static dev.zarrreactive.testing.ShardArrays.compressed;
import static dev.zarrreactive.testing.ShardArrays.plain;
import static dev.zarrreactive.testing.ShardArrays.sharding;
import static dev.zarrreactive.testing.TestArrays.counting;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.ShardArrays;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A stored object that no codec chain can need is refused by the store, and shards are read. */
@ExtendWith(NothingIsDropped.class)
class StoredChunkSizeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final StoreKey FIRST = StoreKey.of("a/c/0");
  private static final ZarrOptions DEFAULTS = ZarrOptions.defaults();

  private static final NamedConfiguration ZSTD =
      NamedConfiguration.of("zstd", JsonObject.EMPTY.with("level", 1));

  private final MemoryStore memory = MemoryStore.create();
  private final LargestAnswer largest = new LargestAnswer(memory);

  /** How many bytes of chunks the largest answer of the store had. */
  private static final class LargestAnswer extends DelegatingStore {
    private final AtomicLong bytes = new AtomicLong();

    LargestAnswer(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return delegate().get(key).doOnNext(answer -> note(key, answer));
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return delegate().get(key, range).doOnNext(answer -> note(key, answer));
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
      return delegate()
          .getVersioned(key, range, condition)
          .doOnNext(answer -> note(key, answer.bytes()));
    }

    private void note(StoreKey key, @Nullable Bytes answer) {
      if (answer != null && key.value().startsWith("a/c/")) {
        bytes.accumulateAndGet(answer.size(), Math::max);
      }
    }
  }

  private ZarrArray row(ArrayMetadataBuilder metadata) {
    TestArrays.counting(metadata, memory, DEFAULTS);
    return TestArrays.open(largest, DEFAULTS);
  }

  private void replace(Bytes value) {
    memory.set(FIRST, value).block();
  }

  private void everyReadIsRefused(ZarrArray array, String expected) {
    for (Mono<?> operation :
        List.of(
            array.read(Selection.all()),
            array.read(Selection.parse("1:3")),
            array.chunks(Selection.all()).then(),
            array.chunksInOrder(Selection.all()).then(),
            array.readChunk(0),
            array.readEncodedChunk(0),
            array.write(Selection.parse("1:3"), counting(Shape.of(2))))) {
      StepVerifier.create(operation)
          .consumeErrorWith(
              error -> {
                assertThat(error)
                    .isInstanceOf(CodecException.class)
                    .hasCauseInstanceOf(ValueTooLargeException.class)
                    .hasMessageContaining(expected);
                CodecException refused = (CodecException) error;
                assertThat(refused.location().storeKey()).isEqualTo("a/c/0");
                assertThat(refused.location().nodePath()).isEqualTo("/a");
                assertThat(refused.location().chunkIndex()).containsExactly(0);
              })
          .verify(PATIENCE);
    }
    assertThat(largest.bytes).hasValueLessThan(1 << 20);
  }

  @Test
  void more_bytes_than_a_chunk_of_one_size_has_are_refused_unread() {
    ZarrArray array = row(TestArrays.metadata(2));
    replace(Bytes.wrap(new byte[8 << 20]));
    everyReadIsRefused(array, "the stored chunk has 8388608 bytes, expected 16 bytes");
    replace(Bytes.wrap(new byte[17]));
    everyReadIsRefused(array, "the stored chunk has 17 bytes, expected 16 bytes");
  }

  @Test
  void far_more_bytes_than_a_compressor_makes_are_refused_unread() {
    ZarrArray array = row(TestArrays.metadata(2).compressors(ZSTD));
    replace(Bytes.wrap(new byte[8 << 20]));
    everyReadIsRefused(array, "the stored chunk has 8388608 bytes, expected at most ");
  }

  @Test
  void a_wasteful_writer_s_chunk_is_read() {
    ZarrArray array = row(TestArrays.metadata(2).compressors(ZSTD));
    Bytes chunk = memory.get(FIRST).block();
    ByteBuffer padded = ByteBuffer.allocate(600_000).order(ByteOrder.LITTLE_ENDIAN);
    padded.putInt(0x184D2A50).putInt(padded.capacity() - 8 - chunk.size()); // a skippable frame
    padded.position(padded.capacity() - chunk.size()).put(chunk.toByteArray());
    replace(Bytes.wrap(padded.array()));
    assertThat(array.read(Selection.all()).block(PATIENCE)).isEqualTo(counting(Shape.of(8)));
  }

  /**
   * A shard of a number of inner chunks with bytes before them that its index does not refer to.
   */
  private static Bytes withGarbage(Bytes shard, int inner, int garbage) {
    int index = 16 * inner;
    ByteBuffer entries = ByteBuffer.allocate(index).order(ByteOrder.LITTLE_ENDIAN);
    entries.put(shard.slice(shard.size() - index - 4, index).toByteArray()).flip();
    for (int i = 0; i < inner; i++) {
      entries.putLong(16 * i, entries.getLong(16 * i) + garbage);
    }
    CRC32C sum = new CRC32C();
    sum.update(entries.array());
    byte[] all = new byte[garbage + shard.size()];
    ByteBuffer out = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    out.position(garbage);
    out.put(shard.slice(0, shard.size() - index - 4).toByteArray());
    out.put(entries.array()).putInt((int) sum.getValue());
    return Bytes.wrap(all);
  }

  private void everyWayToReadGives(int[] expected, int innerChunks) {
    for (long cache : new long[] {0, 10 << 20}) {
      for (long budget : new long[] {100, 300, 5_000, 100 << 20}) {
        ZarrHierarchy hierarchy =
            Zarr.hierarchy(
                largest, DEFAULTS.withDecodedChunkCache(cache).withMaxInFlightBytes(budget));
        ZarrArray array = hierarchy.openArray("a").block();
        for (int again = 0; again < 2; again++) {
          assertThat(array.read(Selection.all()).block(PATIENCE).toIntArray()).isEqualTo(expected);
          List<Chunk> chunks = array.chunksInOrder(Selection.all()).collectList().block(PATIENCE);
          assertThat(chunks).hasSize(innerChunks);
          for (int i = 0; i < innerChunks; i++) {
            assertThat(chunks.get(i).data().getInt(0)).isEqualTo(4 * i + 1);
          }
          assertThat(array.chunks(Selection.all()).count().block(PATIENCE)).isEqualTo(innerChunks);
          assertThat(array.readChunk(0).block(PATIENCE).toIntArray())
              .isEqualTo(Arrays.copyOf(expected, 128));
        }
        assertThat(hierarchy.bytesInFlight()).isZero();
      }
    }
  }

  /** All that reads a stored shard as a whole, with 8 MiB of unused bytes in it. */
  private void everyUseOfTheWholeShardIsBounded(NamedConfiguration codecs, int inner) {
    ZarrArray array = row(TestArrays.metadata(64).chunkShape(128).codecs(codecs));
    Bytes padded = withGarbage(memory.get(FIRST).block(), inner, 8 << 20);
    int[] values = counting(Shape.of(256)).toIntArray();
    replace(padded);
    StepVerifier.create(array.readEncodedChunk(0))
        .consumeErrorWith(
            error ->
                assertThat(error)
                    .isInstanceOf(CodecException.class)
                    .hasCauseInstanceOf(ValueTooLargeException.class)
                    .hasMessageContaining("has " + padded.size() + " bytes, expected at most ")
                    .hasMessageContaining("readChunk"))
        .verify(PATIENCE);
    array.write(Selection.parse("1:3"), TestArrays.ints(-1, -2)).block(PATIENCE);
    values[1] = -1;
    values[2] = -2;
    assertThat(array.read(Selection.all()).block(PATIENCE).toIntArray()).isEqualTo(values);
    assertThat(memory.get(FIRST).block().size()).as("what is left of it").isLessThan(1 << 16);
    replace(padded);
    Zarr.hierarchy(largest)
        .openArray("a")
        .flatMap(a -> a.resize(Shape.of(100)))
        .flatMap(a -> a.resize(Shape.of(256)))
        .block(PATIENCE);
    assertThat(TestArrays.open(largest, DEFAULTS).readChunk(0).block(PATIENCE).toIntArray())
        .isEqualTo(Arrays.copyOf(counting(Shape.of(100)).toIntArray(), 128));
    assertThat(largest.bytes).hasValueLessThan(1 << 20);
  }

  @Test
  void a_part_of_a_shard_with_many_unused_bytes_is_changed_without_them() {
    everyUseOfTheWholeShardIsBounded(sharding("end", compressed(), 4), 32);
  }

  @Test
  void a_part_of_a_shard_of_shards_with_many_unused_bytes_is_changed_without_them() {
    JsonArray nested = JsonArray.of(sharding("end", compressed(), 4).toJson());
    everyUseOfTheWholeShardIsBounded(sharding("end", nested, 32), 4);
  }

  /** Another writer replaces the shard between its index and its inner chunks. */
  @Test
  void a_padded_shard_that_is_replaced_while_it_is_read_is_read_again() {
    row(TestArrays.metadata(64).chunkShape(128).codecs(sharding("end", compressed(), 4)));
    Bytes plain = memory.get(FIRST).block();
    replace(withGarbage(plain, 32, 8 << 20));
    InstrumentedStore held = InstrumentedStore.of(memory);
    ZarrArray array = TestArrays.open(held, DEFAULTS);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    HeldRequests data = held.hold(ShardArrays.data().and(any -> isFirst.getAndSet(false)));
    CompletableFuture<Void> written =
        array.write(Selection.parse("1:3"), TestArrays.ints(-1, -2)).toFuture();
    eventually("its inner chunks are asked for", () -> data.waiting() == 1);
    replace(withGarbage(plain, 32, 9 << 20));
    data.release();
    written.join();
    int[] values = counting(Shape.of(256)).toIntArray();
    values[1] = -1;
    values[2] = -2;
    assertThat(array.read(Selection.all()).block(PATIENCE).toIntArray()).isEqualTo(values);
  }

  @Test
  void an_index_that_gives_a_padded_shard_too_many_bytes_is_refused_unread() {
    ZarrArray array =
        row(TestArrays.metadata(64).chunkShape(128).codecs(sharding("end", compressed(), 4)));
    byte[] bytes = withGarbage(memory.get(FIRST).block(), 32, 8 << 20).toByteArray();
    int index = bytes.length - 4 - 16 * 32;
    ByteBuffer lying = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int inner = 0; inner < 32; inner++) { // each of them most of the unused bytes
      lying.putLong(index + 16 * inner, 0).putLong(index + 16 * inner + 8, 1 << 20);
    }
    CRC32C sum = new CRC32C();
    sum.update(bytes, index, 16 * 32);
    lying.putInt(bytes.length - 4, (int) sum.getValue());
    replace(Bytes.wrap(bytes));
    StepVerifier.create(array.write(Selection.parse("1:3"), TestArrays.ints(-1, -2)))
        .consumeErrorWith(
            error ->
                assertThat(error)
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("the shard's index gives the inner chunks 33554432 bytes")
                    .hasMessageContaining("key a/c/0"))
        .verify(PATIENCE);
    assertThat(largest.bytes).hasValueLessThan(1 << 20);
  }

  @Test
  void a_shard_with_many_bytes_that_belong_to_no_chunk_is_read_by_its_index() {
    row(TestArrays.metadata(64).chunkShape(128).codecs(sharding("end", compressed(), 4)));
    replace(withGarbage(memory.get(FIRST).block(), 32, 8 << 20));
    everyWayToReadGives(counting(Shape.of(256)).toIntArray(), 64);
    assertThat(largest.bytes).hasValueLessThan(1 << 20);
    InstrumentedStore counted = InstrumentedStore.of(memory);
    ZarrArray array = TestArrays.open(counted, DEFAULTS);
    counted.counts().reset();
    array.read(Selection.parse("0:128")).block(PATIENCE);
    assertThat(counted.counts().total()).as("refused, index, data").isLessThanOrEqualTo(3);
  }

  @Test
  void a_shard_of_shards_with_many_bytes_that_belong_to_no_chunk_is_read_by_its_index() {
    JsonArray nested = JsonArray.of(sharding("end", compressed(), 4).toJson());
    row(TestArrays.metadata(64).chunkShape(128).codecs(sharding("end", nested, 32)));
    replace(withGarbage(memory.get(FIRST).block(), 4, 8 << 20));
    everyWayToReadGives(counting(Shape.of(256)).toIntArray(), 64);
    assertThat(largest.bytes).hasValueLessThan(1 << 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {":", "1:3"})
  void an_inner_chunk_that_the_index_gives_too_many_bytes_is_refused_unread(String selection) {
    row(TestArrays.metadata(64).chunkShape(128).codecs(sharding("end", plain(), 4)));
    Bytes shard = withGarbage(memory.get(FIRST).block(), 32, 0);
    byte[] bytes = withGarbage(shard, 32, 0).toByteArray();
    int index = bytes.length - 4 - 16 * 32;
    ByteBuffer lying = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    lying.putLong(index, 0).putLong(index + 8, 17);
    CRC32C sum = new CRC32C();
    sum.update(bytes, index, 16 * 32);
    lying.putInt(bytes.length - 4, (int) sum.getValue());
    replace(Bytes.wrap(bytes));
    for (ZarrOptions options : List.of(DEFAULTS, DEFAULTS.withMaxInFlightBytes(100))) {
      ZarrArray array = TestArrays.open(memory, options);
      StepVerifier.create(array.chunksInOrder(Selection.parse(selection)))
          .consumeErrorWith(
              error ->
                  assertThat(error)
                      .isInstanceOf(CodecException.class)
                      .hasMessageContaining("17 bytes, expected 16 bytes")
                      .hasMessageContaining("inner chunk [0]"))
          .verify(PATIENCE);
    }
  }
}
