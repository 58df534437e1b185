package dev.zarrreactive.read;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.Replacements.block;
import static dev.zarrreactive.testing.ShardArrays.compressed;
import static dev.zarrreactive.testing.ShardArrays.count;
import static dev.zarrreactive.testing.ShardArrays.data;
import static dev.zarrreactive.testing.ShardArrays.indexes;
import static dev.zarrreactive.testing.ShardArrays.nested;
import static dev.zarrreactive.testing.ShardArrays.plain;
import static dev.zarrreactive.testing.ShardArrays.reopened;
import static dev.zarrreactive.testing.ShardArrays.sharding;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.Replacements;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/**
 * A shard that another program replaces while it is read. Its chunks are uncompressed and have no
 * checksum: only the version of the value tells that index and data are not of the same shard.
 */
@ExtendWith(NothingIsDropped.class)
class ReplacedShardTest {
  private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
  private static final ZarrOptions ONE_BY_ONE = OPTIONS.withShardReading(Replacements.oneByOne());
  private static final int INNER_BYTES = 16 * Integer.BYTES;

  private final MemoryStore memory = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(memory);

  private static ArrayMetadataBuilder squares(JsonArray codecs) {
    return ArrayMetadata.v3(Shape.of(64, 64), DataTypes.INT32)
        .chunkShape(64, 64)
        .codecs(sharding("end", codecs, 4, 4));
  }

  private Replacements of(ArrayMetadataBuilder metadata) {
    return new Replacements(memory, metadata);
  }

  /** The array with the version 1 of its shard; nothing is known of it. */
  private static ZarrArray written(Replacements shard, Store store, ZarrOptions options) {
    TestArrays.empty(shard.metadata(), store, options);
    shard.set(1, 0);
    return reopened(store, options);
  }

  /** 4 × 4 inner chunks, of which the outer ones are wanted in part. */
  private static CompletableFuture<NdArray> read(ZarrArray array) {
    return array.read(Selection.parse("45:59,21:35")).toFuture();
  }

  private static int[] expected(int version, int missingRows) {
    return block(version, missingRows, 45, 21, 14, 14);
  }

  private static void await(HeldRequests held, int waiting) {
    eventually("requests wait", () -> held.waiting() == waiting);
    settled();
  }

  /** In the same places, moved, behind the new end, gone in part, and all gone. */
  @ParameterizedTest
  @CsvSource({
    "0, false", "4, false", "40, false", "48, false", "60, false", "64, false",
    "0, true", "4, true", "40, true", "48, true", "60, true", "64, true"
  })
  void between_its_index_and_its_data(int missingRows, boolean merged) {
    Replacements shard = of(squares(plain()));
    ZarrArray array = written(shard, store, merged ? OPTIONS : ONE_BY_ONE);
    HeldRequests held = store.hold(data());
    CompletableFuture<NdArray> read = read(array);
    await(held, merged ? 1 : 16);
    shard.set(2, missingRows);
    held.release();
    assertThat(read.join().toIntArray()).isEqualTo(expected(2, missingRows));
    assertThat(count(store, indexes())).isBetween(1L, 2L);
    assertThat(count(store, data())).isLessThanOrEqualTo(2 * 16);
  }

  @Test
  void and_its_index_was_known_before() {
    Replacements shard = of(squares(plain()));
    ZarrArray array = written(shard, store, OPTIONS);
    read(array).join();
    shard.set(2, 4);
    store.counts().reset();
    assertThat(array.read(Selection.parse("45,21")).block().getInt())
        .isEqualTo(Replacements.number(2, 4, 45, 21));
    assertThat(count(store, indexes())).isEqualTo(1);
    assertThat(count(store, data())).as("one is refused").isEqualTo(2);
    store.counts().reset();
    assertThat(read(array).join().toIntArray()).isEqualTo(expected(2, 4));
    assertThat(store.counts().total()).as("the new index is kept").isEqualTo(1);
  }

  /** A store whose shard is replaced when data are asked for, so many times. */
  private static final class ReplacedWhenRead extends DelegatingStore {
    private final Queue<Mono<Void>> replacements = new ConcurrentLinkedQueue<>();

    ReplacedWhenRead(Store delegate, Replacements shard, int times) {
      super(delegate);
      for (int version = 2; version <= times + 1; version++) {
        replacements.add(shard.replacing(version, version % 2 * 4));
      }
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, ByteRange range, ReadCondition condition) {
      Mono<VersionedBytes> answer = delegate().getVersioned(key, range, condition);
      return Mono.defer(
          () -> {
            Mono<Void> next = range instanceof ByteRange.Slice ? replacements.poll() : null;
            return next == null ? answer : next.then(answer);
          });
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void again_and_again_ends_in_an_error_that_says_where(boolean nests) {
    Replacements shard = of(nests ? nested(1, 1, plain()) : squares(plain()));
    written(shard, memory, OPTIONS);
    InstrumentedStore counted = InstrumentedStore.of(new ReplacedWhenRead(memory, shard, 100));
    ZarrArray array = reopened(counted, OPTIONS);
    assertThatThrownBy(() -> array.read(Selection.parse("45,21")).block())
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining(
            nests
                ? "node /a, chunk [0, 0], inner chunk [2, 1]"
                : "node /a, chunk [0, 0], inner chunk [11, 5], key a/c/0/0")
        .hasMessageContaining("key a/c/0/0");
    assertThat(counted.counts().total()).isBetween(6, 40);
    assertThat(counted.counts().inFlight()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void a_few_times_ends_in_the_last_of_them(int times) {
    Replacements shard = of(squares(plain()));
    written(shard, memory, OPTIONS);
    InstrumentedStore counted = InstrumentedStore.of(new ReplacedWhenRead(memory, shard, times));
    ZarrArray array = reopened(counted, OPTIONS);
    int last = times + 1;
    assertThat(array.read(Selection.parse("45,21")).block().getInt())
        .isEqualTo(Replacements.number(last, last % 2 * 4, 45, 21));
    assertThat(count(counted, indexes())).isEqualTo(last);
    assertThat(count(counted, data())).isEqualTo(last);
  }

  /** A store of which some answers are of another version that is there only for a moment. */
  private static final class Flickering extends DelegatingStore {
    private final AtomicInteger left;

    Flickering(Store delegate, int times) {
      super(delegate);
      left = new AtomicInteger(times);
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, ByteRange range, ReadCondition condition) {
      return condition.required() != null && left.getAndDecrement() > 0
          ? Mono.error(new PreconditionFailedException("another", Location.ofKey(key.value())))
          : delegate().getVersioned(key, range, condition);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void and_put_back_it_is_read_again(int times) {
    Replacements shard = of(squares(plain()));
    written(shard, memory, OPTIONS);
    InstrumentedStore counted = InstrumentedStore.of(new Flickering(memory, times));
    ZarrArray array = reopened(counted, OPTIONS);
    assertThat(array.read(Selection.parse("45,21")).block().getInt())
        .isEqualTo(Replacements.number(1, 0, 45, 21));
    assertThat(counted.counts().total()).isEqualTo(2 + 2 * times);
  }

  /** Between the outer index and the nested ones, or between those and the data. */
  @ParameterizedTest
  @CsvSource({
    "0, false", "4, false", "16, false", "40, false", "48, false", "60, false", "64, false",
    "0, true", "4, true", "16, true", "40, true", "48, true", "60, true", "64, true"
  })
  void around_nested_shards(int missingRows, boolean nestedIndexesAreThere) {
    Replacements shard = of(nested(1, 1, plain()));
    ZarrArray array = written(shard, store, nestedIndexesAreThere ? ONE_BY_ONE : OPTIONS);
    HeldRequests held = store.hold(nestedIndexesAreThere ? innerChunks() : data());
    CompletableFuture<NdArray> read = read(array);
    eventually("requests wait", () -> held.waiting() > 0);
    settled();
    shard.set(2, missingRows);
    held.release();
    assertThat(read.join().toIntArray()).isEqualTo(expected(2, missingRows));
    assertThat(store.counts().total()).isLessThan(60);
  }

  /** Whole inner chunks; the indexes of nested shards have a checksum. */
  private static Predicate<StoreRequest> innerChunks() {
    return request ->
        request.range() instanceof ByteRange.Slice slice && slice.length() % INNER_BYTES == 0;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 16, 32, 64})
  void around_nested_shards_that_are_wanted_whole(int missingRows) {
    Replacements shard = of(nested(1, 1, plain()));
    ZarrArray array = written(shard, store, OPTIONS);
    HeldRequests held = store.hold(data());
    CompletableFuture<NdArray> read = array.read(Selection.parse("16:48,16:48")).toFuture();
    eventually("requests wait", () -> held.waiting() > 0);
    settled();
    shard.set(2, missingRows);
    held.release();
    assertThat(read.join().toIntArray()).isEqualTo(block(2, missingRows, 16, 16, 32, 32));
  }

  @Test
  void all_the_time_no_inner_chunk_is_a_mix() {
    for (ArrayMetadataBuilder metadata : Arrays.asList(squares(plain()), nested(1, 1, plain()))) {
      memory.erase(StoreKey.of("a/zarr.json")).block();
      Replacements shard = of(metadata);
      ZarrArray array = written(shard, store, OPTIONS);
      Random random = new Random(17);
      AtomicBoolean over = new AtomicBoolean();
      Thread writer =
          new Thread(
              () -> {
                for (int version = 2; !over.get(); version++) {
                  shard.set(version % 1_000 + 1, 4 * random.nextInt(17));
                }
              });
      writer.start();
      int read = 0;
      try {
        for (int i = 0; i < 300; i++) {
          read +=
              array
                  .chunks(Selection.parse("4:60,21:35"))
                  .doOnNext(ReplacedShardTest::assertOneVersion)
                  .onErrorComplete(PreconditionFailedException.class)
                  .count()
                  .block()
                  .intValue();
        }
      } finally {
        over.set(true);
        eventually("the writer is done", () -> !writer.isAlive());
      }
      assertThat(read).isGreaterThan(1_000);
    }
  }

  /** The right numbers of one version, or nothing but fill value. */
  private static void assertOneVersion(Chunk chunk) {
    int[] values = chunk.data().toIntArray();
    List<Axis> axes = ((ResolvedSelection.Orthogonal) chunk.selection()).axes();
    int row = (int) ((Axis.Range) axes.get(0)).start();
    int column = (int) ((Axis.Range) axes.get(1)).start();
    int width = (int) chunk.data().shape().extent(1);
    int version = Replacements.version(values[0]);
    int missing = values[0] == Replacements.FILL ? 64 : 0;
    assertThat(values)
        .isEqualTo(block(version, missing, row, column, values.length / width, width));
  }

  /** A store that knows no versions. */
  private static final class Unversioned extends DelegatingStore {
    Unversioned(Store delegate) {
      super(delegate);
    }

    @Override
    public Set<StoreCapability> capabilities() {
      Set<StoreCapability> capabilities = EnumSet.copyOf(delegate().capabilities());
      capabilities.removeAll(
          Set.of(
              StoreCapability.VERSIONS,
              StoreCapability.CONDITIONAL_WRITE,
              StoreCapability.CONDITIONAL_ERASE));
      return capabilities;
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, ByteRange range, ReadCondition condition) {
      return Mono.error(new AssertionError("nobody may ask for versions of " + key));
    }
  }

  /** Where bytes are not there any more, or do not decode. */
  @ParameterizedTest
  @CsvSource({"40, false", "64, false", "40, true", "48, true", "64, true"})
  void in_a_store_without_versions_it_is_noticed_where_bytes_do_not_fit(
      int missingRows, boolean checked) {
    Replacements shard = of(squares(checked ? compressed() : plain()));
    InstrumentedStore plain = InstrumentedStore.of(new Unversioned(memory));
    ZarrArray array = written(shard, plain, ONE_BY_ONE);
    HeldRequests held = plain.hold(data());
    CompletableFuture<NdArray> read = read(array);
    await(held, 16);
    shard.set(2, missingRows);
    held.release();
    assertThat(read.join().toIntArray()).isEqualTo(expected(2, missingRows));
    assertThat(count(plain, indexes())).isBetween(1L, 2L);
  }
}
