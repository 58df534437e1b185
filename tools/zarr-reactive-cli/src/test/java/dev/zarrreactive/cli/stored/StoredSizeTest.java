package dev.zarrreactive.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

class StoredSizeTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
  private final MemoryStore store = MemoryStore.create();

  private ZarrArray array(String keys, String separator) {
    ZarrArray array =
        Zarr.hierarchy(store)
            .createArray(
                "a",
                ArrayMetadata.v3(Shape.of(4, 4), DataTypes.INT16)
                    .uncompressed()
                    .chunkShape(2, 2)
                    .chunkKeyEncoding(keys, separator)
                    .build())
            .block();
    NdArray ones = NdArray.filled(Shape.of(4, 4), FillValue.of(DataTypes.INT16, 1));
    array.write(Selection.all(), ones).block();
    return array;
  }

  @Test
  void the_chunks_of_every_key_encoding_are_counted() {
    for (String[] keys :
        new String[][] {{"default", "/"}, {"default", "."}, {"v2", "."}, {"v2", "/"}}) {
      ZarrArray array = array(keys[0], keys[1]);
      StoredSize size =
          StoredSize.of(array, store, new StoredSize.Limit(100, SECOND, clock)).block();
      assertThat(size).isEqualTo(new StoredSize(4, 32, true, true));
      Zarr.hierarchy(store).erase("a").block();
    }
  }

  @Test
  void the_count_ends_after_a_number_of_keys() {
    StepVerifier.create(
            StoredSize.of(array("default", "/"), store, new StoredSize.Limit(3, SECOND, clock)))
        .assertNext(
            size -> {
              assertThat(size.isComplete()).isFalse();
              assertThat(size.chunks()).isBetween(2L, 3L);
            })
        .verifyComplete();
  }

  /** A store whose listing has one key and never ends. */
  private static final class EndlessStore extends DelegatingStore {
    EndlessStore(Store delegate) {
      super(delegate);
    }

    @Override
    public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
      return Flux.just(new ListEntry.Key(StoreKey.of("a/c/0/0"))).concatWith(Flux.never());
    }
  }

  @Test
  void the_count_ends_after_a_time() {
    StepVerifier.create(
            StoredSize.of(
                array("default", "/"),
                new EndlessStore(store),
                new StoredSize.Limit(100, SECOND, clock)))
        .then(() -> clock.advanceTimeBy(SECOND))
        .expectNext(new StoredSize(1, 0, false, false))
        .verifyComplete();
  }
}
