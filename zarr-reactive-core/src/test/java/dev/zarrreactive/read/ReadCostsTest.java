package dev.zarrreactive.read;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.CostHistory;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The operators and requests of reads and writes, against those of a file. */
class ReadCostsTest {
  private static final CostHistory HISTORY = CostHistory.of(Path.of("src/test/costs.txt"));

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  private ZarrArray array(ArrayMetadataBuilder metadata) {
    ZarrArray array = Zarr.hierarchy(store).createArray("a", metadata.build()).block();
    byte[] values = new byte[array.shape().elementCount().intValueExact()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) (i + 1);
    }
    array.write(Selection.all(), NdArray.ofBytes(DataTypes.UINT8, array.shape(), values)).block();
    return Zarr.hierarchy(store).openArray("a").block();
  }

  private static ArrayMetadataBuilder chunks(long count) {
    return ArrayMetadata.v3(Shape.of(count * 16), DataTypes.UINT8).uncompressed().chunkShape(16);
  }

  private static ArrayMetadataBuilder shards() {
    return ArrayMetadata.v3(Shape.of(256, 128, 128), DataTypes.UINT8)
        .uncompressed()
        .chunkShape(16, 16, 16)
        .shardShape(64, 64, 64);
  }

  /** Checks the operators and requests of {@code work} for each of {@code count} chunks. */
  private void check(String name, Mono<?> work, int count) {
    work.block(); // classes and caches
    store.counts().reset();
    long operators = CostHistory.operators(work);
    HISTORY.check("operators: " + name, (double) operators / count);
    HISTORY.check("requests: " + name, (double) store.counts().total() / count);
  }

  @Test
  void whole_array_each_of_1000_chunks() {
    check("a chunk of a whole array", array(chunks(1000)).read(Selection.all()), 1000);
  }

  @Test
  void slice_each_of_12_chunks() {
    check("a chunk of a slice of 12", array(chunks(1000)).read(Selection.parse("8:196")), 12);
  }

  @Test
  void one_element() {
    check("one element", array(chunks(1000)).read(Selection.parse("5")), 1);
  }

  @Test
  void whole_shards_each_of_1024_inner_chunks() {
    check("an inner chunk of whole shards", array(shards()).read(Selection.all()), 1024);
  }

  @Test
  void slice_of_shards_each_of_125_inner_chunks() {
    Coalescing measured = Coalescing.adaptive();
    Coalescing fixed = // by its bounds alone, and not by the time that requests take
        new Coalescing(measured.maxGap(), measured.maxSize(), measured.maxOverRead());
    ZarrOptions options =
        ZarrOptions.defaults().withShardReading(ShardReading.defaults().withCoalescing(fixed));
    array(shards());
    ZarrArray array = TestArrays.open(store, options);
    Selection slice = Selection.parse("3:67,5:69,7:71");
    check("an inner chunk of a slice of shards", array.read(slice), 125);
  }

  /** Each slice is in one chunk, and no two are in the same. */
  @Test
  void slices_at_once_are_as_many_requests_as_chunks() {
    ZarrArray array = array(chunks(1000));
    Mono<?> slices =
        Flux.fromStream(() -> IntStream.range(0, 64).boxed())
            .flatMap(i -> array.read(Selection.parse(16 * i + ":" + (16 * i + 9))), 64)
            .then();
    check("each of 64 slices at once", slices, 64);
  }

  /** No chunk comes before all slices have asked for theirs. */
  @Test
  void slices_at_once_of_the_same_16_chunks() {
    ZarrArray array = array(chunks(1000));
    Flux<?> slices =
        Flux.fromStream(() -> IntStream.range(0, 64).boxed())
            .flatMap(i -> array.read(Selection.parse(i / 4 * 16 + ":" + (i / 4 * 16 + 9))), 64);
    Mono<?> heldBack =
        Mono.fromFuture(
            () -> {
              HeldRequests held = store.hold(TestArrays.chunks());
              CompletableFuture<Void> read = slices.then().toFuture();
              eventually("each chunk is asked for", () -> held.waiting() == 16);
              settled();
              held.release();
              return read;
            });
    check("each of 64 slices at once of 16 chunks", heldBack, 64);
  }

  @Test
  void write_each_of_1000_chunks() {
    ZarrArray array = array(chunks(1000));
    NdArray values = array.read().block();
    check("a chunk of a whole write", array.write(Selection.all(), values), 1000);
  }

  @Test
  @DisabledIfSystemProperty(named = "zarr.costs.write", matches = "true")
  void a_count_that_is_worse_by_more_than_a_fifth_fails(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("costs.txt");
    Files.writeString(file, "10.00 operators\n");
    CostHistory history = CostHistory.of(file);
    history.check("operators", 12);
    assertThatThrownBy(() -> history.check("operators", 12.1))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("operators: 12.10");
    assertThatThrownBy(() -> history.check("another", 1)).isInstanceOf(AssertionError.class);
  }
}
