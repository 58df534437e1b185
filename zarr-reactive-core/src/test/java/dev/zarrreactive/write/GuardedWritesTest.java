package dev.zarrreactive.write;

import static dev.zarrreactive.testing.TestArrays.counting;
import static dev.zarrreactive.testing.TestArrays.ints;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.CachedStore;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Writers of parts of one chunk that know nothing of each other. Each has a store object of its
 * own, so that they do not wait for each other as writers through one store do: as if they were in
 * different processes.
 */
@ExtendWith(NothingIsDropped.class)
class GuardedWritesTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final ZarrOptions DEFAULTS = ZarrOptions.defaults();
  private static final StoreKey CHUNK = StoreKey.of("a/c/0");

  private final Store values = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(values);

  @Test
  void two_writers_of_parts_of_one_chunk_lose_nothing() {
    nothingIsLost(values, values, 200);
  }

  @Test
  void two_writers_in_one_directory_lose_nothing(@TempDir Path directory) {
    nothingIsLost(FileSystemStore.open(directory), FileSystemStore.open(directory), 100);
  }

  @Test
  void two_writers_through_caches_of_their_own_lose_nothing() {
    CacheOptions options = CacheOptions.ofBytes(1 << 20);
    nothingIsLost(Stores.cached(values, options), Stores.cached(values, options), 100);
  }

  private static void nothingIsLost(Store one, Store other, int elements) {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(elements), DataTypes.INT32).uncompressed().chunkShape(elements);
    TestArrays.empty(metadata, one, DEFAULTS);
    List<ZarrArray> arrays =
        List.of(
            TestArrays.open(Stores.limited(one, 8), DEFAULTS),
            TestArrays.open(Stores.limited(other, 8), DEFAULTS));
    Flux.range(0, 2)
        .flatMap(
            writer ->
                Flux.range(0, elements / 2)
                    .concatMap(
                        turn -> {
                          int i = 2 * turn + writer;
                          return arrays
                              .get(writer)
                              .write(Selection.parse(i + ":" + (i + 1)), ints(i + 1));
                        })
                    .subscribeOn(Schedulers.parallel()))
        .blockLast(TIMEOUT);
    assertThat(readAnew(other)).isEqualTo(counting(Shape.of(elements)));
  }

  private static Object readAnew(Store store) {
    if (store instanceof CachedStore cached) {
      cached.forget(StorePrefix.ROOT);
    }
    return TestArrays.open(store, DEFAULTS).read(Selection.all()).block(TIMEOUT);
  }

  @Test
  void what_another_program_writes_between_the_read_and_the_write_stays() {
    ZarrArray array = row(1, store, DEFAULTS);
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.SET);
    CompletableFuture<Void> write = array.write(Selection.parse("0:1"), ints(-1)).toFuture();
    eventually("it wants to store", () -> held.waiting() == 1);
    TestArrays.open(values, DEFAULTS).write(Selection.parse("3:4"), ints(-4)).block(TIMEOUT);
    held.release();
    write.join();
    assertThat(array.read(Selection.all()).block(TIMEOUT).toIntArray())
        .containsExactly(-1, 2, 3, -4);
  }

  @Test
  void a_chunk_that_another_program_creates_concurrently_is_not_replaced() {
    ZarrArray array = TestArrays.empty(TestArrays.metadata(1), store, DEFAULTS);
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.SET);
    CompletableFuture<Void> write = array.write(Selection.parse("0:1"), ints(-1)).toFuture();
    eventually("it wants to store", () -> held.waiting() == 1);
    TestArrays.open(values, DEFAULTS).write(Selection.parse("3:4"), ints(-4)).block(TIMEOUT);
    held.release();
    write.join();
    assertThat(array.read(Selection.all()).block(TIMEOUT).toIntArray())
        .containsExactly(-1, 0, 0, -4);
  }

  @Test
  void a_chunk_of_fill_value_is_erased_only_where_no_other_program_has_changed_it() {
    ZarrArray array = row(1, store, DEFAULTS);
    array.write(Selection.parse("1:"), ints(0, 0, 0)).block(TIMEOUT);
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.ERASE);
    CompletableFuture<Void> write = array.write(Selection.parse("0:1"), ints(0)).toFuture();
    eventually("it wants to erase", () -> held.waiting() == 1);
    TestArrays.open(values, DEFAULTS).write(Selection.parse("3:4"), ints(-4)).block(TIMEOUT);
    held.release();
    write.join();
    assertThat(array.read(Selection.all()).block(TIMEOUT).toIntArray())
        .containsExactly(0, 0, 0, -4);
  }

  @Test
  void where_one_version_cannot_be_erased_a_chunk_of_fill_value_is_stored() {
    Store noErasure = new Without(store, StoreCapability.CONDITIONAL_ERASE);
    ZarrArray array = row(1, noErasure, DEFAULTS);
    array.write(Selection.parse("1:"), ints(0, 0, 0)).block(TIMEOUT);
    store.counts().reset();
    array.write(Selection.parse("0:1"), ints(0)).block(TIMEOUT);
    assertThat(store.counts().total(StoreOperation.ERASE)).isZero();
    assertThat(values.get(CHUNK).block(TIMEOUT)).isEqualTo(Bytes.wrap(new byte[16]));
  }

  @Test
  void nothing_is_asked_for_to_leave_a_missing_chunk_missing() {
    ZarrArray array = TestArrays.empty(TestArrays.metadata(1), store, DEFAULTS);
    array.write(Selection.parse("0:1"), ints(0)).block(TIMEOUT);
    assertThat(store.counts().total()).as("one read").isEqualTo(1);
  }

  @Test
  void after_many_attempts_the_error_says_where() {
    Store restless =
        new DelegatingStore(store) {
          @Override
          public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
            return super.set(key, value).then(super.set(key, value, precondition));
          }
        };
    ZarrArray array = row(1, store, DEFAULTS);
    ZarrArray other = TestArrays.open(restless, DEFAULTS);
    store.counts().reset();
    assertThatThrownBy(() -> other.write(Selection.parse("0:1"), ints(-1)).block(TIMEOUT))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("each of 32 attempts")
        .hasMessageContaining("/a")
        .hasMessageContaining("a/c/0");
    assertThat(store.counts().total(StoreOperation.GET)).isEqualTo(32);
    assertThat(array.read(Selection.parse("1:")).block(TIMEOUT).toIntArray())
        .containsExactly(2, 3, 4);
  }

  @Test
  void a_whole_chunk_is_stored_whatever_is_there() {
    ZarrArray array = row(1, store, DEFAULTS);
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.SET);
    CompletableFuture<Void> write = array.write(Selection.all(), ints(-1, -2, -3, -4)).toFuture();
    eventually("it wants to store", () -> held.waiting() == 1);
    values.set(CHUNK, Bytes.wrap(new byte[16])).block(TIMEOUT);
    held.release();
    write.join();
    assertThat(array.read(Selection.all()).block(TIMEOUT).toIntArray())
        .containsExactly(-1, -2, -3, -4);
  }

  @Test
  void without_versions_or_conditions_a_part_is_written_as_before() {
    for (StoreCapability lacking :
        List.of(StoreCapability.VERSIONS, StoreCapability.CONDITIONAL_WRITE)) {
      Store less = new Without(MemoryStore.create(), lacking);
      ZarrArray array = row(1, less, DEFAULTS);
      array.write(Selection.parse("0:1"), ints(-1)).block(TIMEOUT);
      assertThat(array.read(Selection.all()).block(TIMEOUT).toIntArray())
          .containsExactly(-1, 2, 3, 4);
    }
  }

  /** Lacks a capability, and notices when it is used. */
  private static final class Without extends DelegatingStore {
    private final StoreCapability lacking;

    Without(Store delegate, StoreCapability lacking) {
      super(delegate);
      this.lacking = lacking;
    }

    @Override
    public Set<StoreCapability> capabilities() {
      Set<StoreCapability> all = EnumSet.copyOf(super.capabilities());
      all.remove(lacking);
      return all;
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, ByteRange range, ReadCondition condition) {
      return lacking == StoreCapability.VERSIONS
          ? Mono.error(new AssertionError("versions"))
          : super.getVersioned(key, range, condition);
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return lacking == StoreCapability.CONDITIONAL_WRITE && !precondition.equals(Precondition.NONE)
          ? Mono.error(new AssertionError("on condition"))
          : super.set(key, value, precondition);
    }

    @Override
    public Mono<Void> erase(StoreKey key, Version version) {
      return Mono.error(new AssertionError("one version"));
    }
  }
}
