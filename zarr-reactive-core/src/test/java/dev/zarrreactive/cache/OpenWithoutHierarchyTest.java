package dev.zarrreactive.cache;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.ShardArrays.indexes;
import static dev.zarrreactive.testing.ShardArrays.squares;
import static dev.zarrreactive.testing.ShardArrays.written;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.ShardArrays;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/** Nodes that are opened without a hierarchy share its bound and its caches all the same. */
@ExtendWith(NothingIsDropped.class)
class OpenWithoutHierarchyTest {
  private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
  private static final int ARRAYS = 8;

  /** Never answers where chunks are asked for, and counts those requests. */
  private static final class Silent extends DelegatingStore {
    private final AtomicInteger asked = new AtomicInteger();

    Silent(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return key.value().contains("/c/")
          ? Mono.<Bytes>never().doOnSubscribe(subscription -> asked.incrementAndGet())
          : super.get(key, range);
    }
  }

  @Test
  void indexes_of_shards_are_fetched_once_for_all() {
    InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
    written(squares(1, 1), store, OPTIONS);
    List<ZarrArray> opened = new ArrayList<>(); // each keeps what they share
    for (int i = 0; i < 3; i++) {
      ZarrArray array = Zarr.hierarchy(store).openArray("a").block();
      array.read(Selection.parse(i + "," + i)).block();
      opened.add(array);
    }
    opened.get(0).withOptions(OPTIONS).read(Selection.parse("9,9")).block();
    assertThat(ShardArrays.count(store, indexes())).isEqualTo(1);
  }

  @Test
  void bytes_in_flight_of_all_arrays_have_one_bound() {
    int chunk = (int) (OPTIONS.maxInFlightBytes() / 8);
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(8L * chunk), DataTypes.UINT8)
            .uncompressed()
            .chunkShape(chunk)
            .build();
    Silent store = new Silent(MemoryStore.create());
    List<ZarrArray> arrays = new ArrayList<>();
    for (int i = 0; i < ARRAYS; i++) {
      Zarr.hierarchy(store).createArray("a" + i, metadata).block();
      arrays.add(Zarr.hierarchy(store).openArray("a" + i).block());
    }
    Disposable.Composite reads = Disposables.composite();
    arrays.forEach(array -> reads.add(array.chunks(Selection.all()).subscribe()));
    eventually("a chunk is asked for", () -> store.asked.get() > 0);
    settled();
    assertThat(store.asked).hasValueLessThanOrEqualTo(8);
    reads.dispose();
  }
}
