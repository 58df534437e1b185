package dev.zarrreactive.cache;

import static dev.zarrreactive.testing.ShardArrays.squares;
import static dev.zarrreactive.testing.TestArrays.counting;
import static dev.zarrreactive.testing.TestArrays.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Decoded chunks that are asked about again, since another program may have replaced them. */
@ExtendWith(NothingIsDropped.class)
class RevalidatedChunksTest {
  private static final ZarrOptions EACH_TIME =
      ZarrOptions.defaults()
          .withDecodedChunkCache(10 << 20)
          .withDecodedChunkRevalidation(Duration.ZERO);

  private final MemoryStore memory = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(memory);

  /** Another program: what it writes is not noticed by clients of {@link #store}. */
  private final Store elsewhere = Stores.prefixed(memory, StorePrefix.ROOT);

  private void writeElsewhere(String selection, int... values) {
    NdArray data = NdArray.ofInts(DataTypes.INT32, Shape.of(values.length), values);
    Zarr.hierarchy(elsewhere)
        .openArray("a")
        .block()
        .write(Selection.parse(selection), data)
        .block();
  }

  @Test
  void an_unchanged_chunk_costs_one_request_and_no_bytes() {
    row(10, store, ZarrOptions.defaults());
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, EACH_TIME);
    ZarrArray array = hierarchy.openArray("a").block();
    for (int i = 0; i < 2; i++) { // the versions are known from the second time on
      assertThat(array.read(Selection.all()).block()).isEqualTo(counting(Shape.of(40)));
    }
    store.counts().reset();
    assertThat(array.read(Selection.all()).block()).isEqualTo(counting(Shape.of(40)));
    assertThat(array.chunks(Selection.all()).count().block()).isEqualTo(10);
    assertThat(array.chunksInOrder(Selection.all()).count().block()).isEqualTo(10);
    assertThat(store.counts().total()).isEqualTo(30);
    assertThat(store.counts().bytesRead()).isZero();
    assertThat(hierarchy.decodedChunkCounts().revalidations()).isEqualTo(30);
    assertThat(hierarchy.decodedChunkCounts().misses()).isEqualTo(20);
    assertThat(hierarchy.decodedChunkCounts().hits()).isZero();
    assertThat(hierarchy.bytesInFlight()).isZero();
  }

  @Test
  void what_another_program_has_replaced_or_erased_is_read_again() {
    row(3, store, ZarrOptions.defaults());
    ZarrArray array = Zarr.hierarchy(store, EACH_TIME).openArray("a").block();
    for (int i = 0; i < 3; i++) {
      array.read(Selection.all()).block();
      writeElsewhere("4:8", i, 9, 9, 9);
      assertThat(array.read(Selection.parse("3:6")).block().toIntArray()).containsExactly(4, i, 9);
      assertThat(array.chunksInOrder(Selection.parse("3:6")).blockLast().data().getInt(0))
          .isEqualTo(i);
    }
    memory.erase(StoreKey.of("a/c/1")).block();
    assertThat(array.read(Selection.parse("3:6")).block().toIntArray()).containsExactly(4, 0, 0);
  }

  @Test
  void a_shard_is_asked_about_once_for_all_of_its_inner_chunks() {
    TestArrays.counting(squares(1, 1), store, ZarrOptions.defaults());
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, EACH_TIME);
    ZarrArray array = hierarchy.openArray("a").block();
    Selection corner = Selection.parse("0:16,0:16");
    for (int i = 0; i < 2; i++) {
      array.read(corner).block();
    }
    store.counts().reset();
    NdArray before = array.read(corner).block();
    assertThat(store.counts().requests()).hasSize(1);
    assertThat(store.counts().bytesRead()).isZero();

    NdArray changed = NdArray.ofInts(DataTypes.INT32, Shape.of(1, 1), new int[] {-5});
    Zarr.hierarchy(elsewhere)
        .openArray("a")
        .block()
        .write(Selection.parse("0:1,0:1"), changed)
        .block();
    assertThat(array.read(corner).block().getInt(0, 0)).isEqualTo(-5);
    assertThat(array.read(corner).block().getInt(9, 9)).isEqualTo(before.getInt(9, 9));
    assertThat(array.chunksInOrder(corner).blockFirst().data().getInt(0, 0)).isEqualTo(-5);
    assertThat(hierarchy.bytesInFlight()).isZero();
  }

  @Test
  void a_young_chunk_is_not_revalidated() {
    row(2, store, ZarrOptions.defaults());
    ZarrOptions hourly = EACH_TIME.withDecodedChunkRevalidation(Duration.ofHours(1));
    ZarrArray array = Zarr.hierarchy(store, hourly).openArray("a").block();
    array.read(Selection.all()).block();
    writeElsewhere("0:1", 77);
    store.counts().reset();
    assertThat(array.read(Selection.all()).block()).isEqualTo(counting(Shape.of(8)));
    assertThat(store.counts().total()).isZero();
  }

  @Test
  void without_versions_it_is_read_again() {
    row(2, store, ZarrOptions.defaults());
    Store plain = new WithoutVersions(store);
    ZarrArray array = Zarr.hierarchy(plain, EACH_TIME).openArray("a").block();
    array.read(Selection.all()).block();
    writeElsewhere("0:1", 77);
    store.counts().reset();
    assertThat(array.read(Selection.all()).block().getInt(0)).isEqualTo(77);
    assertThat(store.counts().total()).isEqualTo(2);
  }

  @Test
  void a_chunk_that_cannot_be_revalidated_is_not_returned() {
    row(1, store, ZarrOptions.defaults());
    ZarrArray array = Zarr.hierarchy(store, EACH_TIME).openArray("a").block();
    array.read(Selection.all()).block();
    store.fail(request -> true, () -> new AccessDeniedException("not now", Location.UNKNOWN));
    assertThatThrownBy(() -> array.read(Selection.all()).block())
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("chunk [0]");
  }

  @Test
  void an_age_is_not_negative() {
    assertThatThrownBy(() -> EACH_TIME.withDecodedChunkRevalidation(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static final class WithoutVersions extends DelegatingStore {
    WithoutVersions(Store delegate) {
      super(delegate);
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return EnumSet.of(StoreCapability.READ, StoreCapability.PARTIAL_READ);
    }
  }
}
