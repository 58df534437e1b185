package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The process that appends is killed after any number of its changes. A reader then finds the
 * dataset as it was, or with all rows, or is told; so is the next append.
 */
class KilledAppendTest {
  private static final int BEFORE = 5;
  private static final int APPENDED = 4;

  private final Store store = MemoryStore.create();

  /** The store of a process that makes a number of changes, and then nothing more. */
  private static final class Mortal extends DelegatingStore {
    private final AtomicInteger left;

    Mortal(Store delegate, int changes) {
      super(delegate);
      this.left = new AtomicInteger(changes);
    }

    boolean isKilled() {
      return left.get() < 0;
    }

    private <T> Mono<T> change(Mono<T> change) {
      return Mono.defer(() -> left.decrementAndGet() < 0 ? killed() : change);
    }

    private <T> Mono<T> read(Mono<T> read) {
      return Mono.defer(() -> isKilled() ? killed() : read);
    }

    private static <T> Mono<T> killed() {
      return Mono.error(new IllegalStateException("killed"));
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return read(super.get(key));
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return read(super.get(key, range));
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, ByteRange range, ReadCondition condition) {
      return read(super.getVersioned(key, range, condition));
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value) {
      return change(super.set(key, value));
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return change(super.set(key, value, precondition));
    }

    @Override
    public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
      return change(super.set(key, pieces, precondition));
    }

    @Override
    public Mono<Void> erase(StoreKey key) {
      return change(super.erase(key));
    }

    @Override
    public Mono<Void> erase(StoreKey key, Version version) {
      return change(super.erase(key, version));
    }

    @Override
    public Mono<Void> erasePrefix(StorePrefix prefix) {
      return change(super.erasePrefix(prefix));
    }
  }

  private static NdArray rows(int from, int count) {
    double[] values = new double[3 * count];
    for (int i = 0; i < values.length; i++) {
      values[i] = from + i / 3 + i % 3 / 4.0;
    }
    return NdArray.ofDoubles(Shape.of(count, 3), values);
  }

  /**
   * Describes rows of three arrays, of which one is a stream, in chunks that end elsewhere, or in
   * shards.
   */
  private static NewDataset dataset(int format, int from, int count, boolean isStream) {
    UnaryOperator<NewVariable> chunks =
        variable ->
            variable.array(
                array ->
                    format == 3 ? array.chunkShape(2, 3).shardShape(4, 3) : array.chunkShape(2, 3));
    NewDataset dataset =
        Dataset.builder()
            .zarrFormat(format)
            .coordinate(
                "time",
                NdArray.ofLongs(
                    DataTypes.INT64,
                    Shape.of(count),
                    IntStream.range(from, from + count).asLongStream().toArray()))
            .dimension("x", 3)
            .variable("a", List.of("time", "x"), rows(from, count), chunks);
    return isStream
        ? dataset.variable(
            "b",
            List.of("time", "x"),
            DataTypes.FLOAT64,
            Flux.range(0, count).map(i -> rows(from + i, 1)),
            b -> b.chunkShape(3, 2))
        : dataset.variable("b", List.of("time", "x"), rows(from, count), b -> b.chunkShape(3, 2));
  }

  /**
   * Returns how many rows a dataset has that a reader opens, each of which is right; -1 for none.
   */
  private int look() {
    Dataset dataset;
    try {
      dataset = requireNonNull(await(Dataset.open(Zarr.hierarchy(store), "")));
    } catch (MetadataException told) {
      assertThat(told).hasMessageContaining("the dimension time has the extent");
      return -1;
    }
    int count = Math.toIntExact(dataset.sizes().getOrDefault("time", 0L));
    for (String name : List.of("a", "b")) {
      assertThat(await(dataset.variable(name).read())).isEqualTo(rows(0, count));
    }
    assertThat(requireNonNull(await(dataset.variable("time").read())).toLongArray())
        .isEqualTo(IntStream.range(0, count).asLongStream().toArray());
    return count;
  }

  @ParameterizedTest
  @CsvSource({"2, false, true", "2, true, false", "3, false, false", "3, true, true"})
  void readers_and_the_next_append_find_a_whole_dataset_or_are_told(
      int format, boolean isStream, boolean isConsolidated) {
    boolean isOver = false;
    int told = 0;
    for (int changes = 0; !isOver; changes++) {
      await(store.erasePrefix(StorePrefix.ROOT));
      await(
          dataset(format, 0, BEFORE, false)
              .consolidated(isConsolidated)
              .write(Zarr.hierarchy(store), ""));
      Mortal mortal = new Mortal(store, changes);
      NewDataset rows = dataset(format, BEFORE, APPENDED, isStream).consolidated(isConsolidated);
      Mono<Void> append = rows.appendTo(Zarr.hierarchy(mortal), "", "time");
      await(append.onErrorComplete());
      isOver = !mortal.isKilled();
      int found = look();
      assertThat(found).as("after %s changes", changes).isIn(-1, BEFORE, BEFORE + APPENDED);
      int from = found < 0 ? BEFORE : found;
      NewDataset next = dataset(format, from, APPENDED, isStream).consolidated(isConsolidated);
      if (found < 0) {
        told++;
        assertThatThrownBy(() -> await(next.appendTo(Zarr.hierarchy(store), "", "time")))
            .isInstanceOf(MetadataException.class)
            .hasMessageContaining("an append has begun here");
        assertThat(look()).isEqualTo(-1);
        takeBack();
        assertThat(look()).isEqualTo(BEFORE);
      }
      await(next.appendTo(Zarr.hierarchy(store), "", "time"));
      assertThat(look()).isEqualTo(from + APPENDED);
      assertThat(changes).isLessThan(200);
    }
    assertThat(told).as("moments in between").isPositive();
  }

  /** Resizes the arrays as the error says. */
  private void takeBack() {
    await(
        Flux.just("time", "a", "b")
            .concatMap(name -> Zarr.hierarchy(store).openArray(name))
            .concatMap(KilledAppendTest::shortened)
            .then());
  }

  private static Mono<ZarrArray> shortened(ZarrArray array) {
    long[] extents = array.shape().toArray();
    extents[0] = BEFORE;
    return array.resize(Shape.of(extents));
  }
}
