package dev.zarrreactive.arrow;

import static dev.zarrreactive.testing.Waiting.eventually;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cf.CfCalendar;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** Batches have the rows of a dataset, and their memory belongs to who has them. */
class ArrowTableTest {
  private static final int TIMES = 24;
  private static final int PLACES = 10;

  /** A store with {@code air}, in chunks of six times, and coordinates, but none of {@code x}. */
  private static Store weather() {
    Store store = MemoryStore.create();
    float[] air = new float[TIMES * PLACES];
    for (int i = 0; i < air.length; i++) {
      air[i] = i % 7 == 3 ? Float.NaN : i;
    }
    Dataset.builder()
        .coordinate("time", IntStream.range(0, TIMES).mapToObj(hour -> at(hour)).toList())
        .variable(
            "air",
            List.of("time", "x"),
            NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(TIMES, PLACES), air),
            variable -> variable.chunkShape(6, PLACES).missing(Float.NaN))
        .variable(
            "name",
            List.of("x"),
            NdArray.ofStrings(
                DataTypes.STRING,
                Shape.of(PLACES),
                IntStream.range(0, PLACES).mapToObj(x -> "pläce " + x).toArray(String[]::new)))
        .write(Zarr.hierarchy(store), "")
        .block();
    return store;
  }

  private static Instant at(int hour) {
    return Instant.parse("2020-01-01T00:00:00Z").plusSeconds(hour * 3600L);
  }

  private static Dataset dataset(Store store) {
    return requireNonNull(Dataset.open(Zarr.hierarchy(store), "").block());
  }

  private static List<Map<String, String>> rows(ArrowTable table) {
    List<Map<String, String>> rows = new ArrayList<>();
    try (RootAllocator allocator = new RootAllocator()) {
      table
          .batches(allocator)
          .toStream(1)
          .forEach(
              batch -> {
                try (batch) {
                  rows.addAll(Cells.of(batch));
                }
              });
    }
    return rows;
  }

  /** A batch that is being made at a cancel is closed by the thread that makes it. */
  private static void freed(RootAllocator allocator) {
    eventually("memory of Arrow", () -> allocator.getAllocatedMemory() == 0);
  }

  @Test
  void a_row_has_the_coordinates_the_index_and_the_values() {
    ArrowTable table = ArrowTable.of(dataset(weather()));
    List<Map<String, String>> rows = rows(table);
    assertThat(table.rowCount()).isEqualTo(TIMES * PLACES);
    assertThat(rows).hasSize(TIMES * PLACES);
    assertThat(rows.get(12))
        .isEqualTo(
            Map.of(
                "time",
                at(1).getEpochSecond() + "000000000",
                "x",
                "2",
                "air",
                "12",
                "name",
                "pläce 2"));
    assertThat(rows.get(3)).containsEntry("air", "null");
    assertThat(table.schema().getFields().stream().map(field -> field.getName()))
        .containsExactly("time", "x", "air", "name");
    assertThat(table.schema().findField("time").getType())
        .isEqualTo(new ArrowType.Timestamp(TimeUnit.SECOND, null));
  }

  @Test
  void a_selection_has_its_rows() {
    Dataset part =
        requireNonNull(
            dataset(weather()).sel("time", "2020-01-01T05").isel("x", "2:4").dataset().block());
    assertThat(rows(ArrowTable.of(part, "air")).stream().map(row -> row.get("air")))
        .containsExactly("null", "53");
  }

  @Test
  void a_batch_has_at_most_the_rows_that_were_asked_for() {
    try (RootAllocator allocator = new RootAllocator()) {
      List<Integer> counts = new ArrayList<>();
      ArrowTable.of(dataset(weather()), "air")
          .withBatchRows(25)
          .batches(allocator)
          .toStream(1)
          .forEach(
              batch -> {
                counts.add(batch.getRowCount());
                batch.close();
              });
      // a block is a chunk of 60 rows
      assertThat(counts).containsExactly(25, 25, 10, 25, 25, 10, 25, 25, 10, 25, 25, 10);
    }
  }

  @Test
  void long_texts_end_a_batch_before_its_rows_are_many() {
    int count = 64;
    String text = "x".repeat(100_000);
    Store store = MemoryStore.create();
    Dataset.builder()
        .variable(
            "text",
            List.of("n"),
            NdArray.ofStrings(
                DataTypes.STRING,
                Shape.of(count),
                IntStream.range(0, count).mapToObj(i -> text).toArray(String[]::new)))
        .write(Zarr.hierarchy(store), "")
        .block();
    ZarrHierarchy hierarchy =
        Zarr.hierarchy(store, ZarrOptions.defaults().withMaxInFlightBytes(8 << 20));
    Dataset dataset = requireNonNull(Dataset.open(hierarchy, "").block());
    try (RootAllocator allocator = new RootAllocator()) {
      List<Integer> counts = new ArrayList<>();
      ArrowTable.of(dataset)
          .batches(allocator)
          .toStream(1)
          .forEach(
              batch -> {
                counts.add(batch.getRowCount());
                batch.close();
              });
      assertThat(counts.stream().mapToInt(rows -> rows).sum()).isEqualTo(count);
      assertThat(counts).allMatch(rows -> rows <= 10);
    }
  }

  @Test
  void batches_are_made_when_they_are_demanded() {
    InstrumentedStore store = InstrumentedStore.of(weather());
    Dataset dataset = dataset(store);
    int before = store.counts().total();
    try (RootAllocator allocator = new RootAllocator()) {
      Flux<VectorSchemaRoot> batches = ArrowTable.of(dataset, "air").batches(allocator);
      assertThat(store.counts().total()).isEqualTo(before);
      StepVerifier.create(batches, 0)
          .expectSubscription()
          .thenRequest(1)
          .consumeNextWith(VectorSchemaRoot::close)
          .thenCancel()
          .verify();
      freed(allocator);
    }
  }

  @Test
  void a_cancel_at_any_batch_leaves_no_memory() {
    ArrowTable table = ArrowTable.of(dataset(weather())).withBatchRows(7);
    for (int taken = 1; taken < 36; taken++) {
      try (RootAllocator allocator = new RootAllocator()) {
        table.batches(allocator).take(taken).doOnNext(VectorSchemaRoot::close).blockLast();
        freed(allocator);
      }
    }
  }

  @Test
  void a_cancel_from_another_thread_leaves_no_memory() {
    ArrowTable table = ArrowTable.of(dataset(weather())).withBatchRows(1);
    for (int round = 0; round < 200; round++) {
      try (RootAllocator allocator = new RootAllocator()) {
        CountDownLatch some = new CountDownLatch(1 + round % 20);
        Disposable reads =
            table
                .batches(allocator)
                .subscribe(
                    batch -> {
                      batch.close();
                      some.countDown();
                    });
        assertThat(some.await(1, MINUTES)).isTrue();
        reads.dispose();
        freed(allocator);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void an_error_of_the_store_leaves_no_memory() {
    Store store = weather();
    store.set(StoreKey.of("air/c/2/0"), Bytes.utf8("no chunk")).block();
    try (RootAllocator allocator = new RootAllocator()) {
      AtomicInteger rows = new AtomicInteger();
      StepVerifier.create(
              ArrowTable.of(dataset(store), "air")
                  .batches(allocator)
                  .doOnNext(batch -> rows.addAndGet(batch.getRowCount()))
                  .doOnNext(VectorSchemaRoot::close))
          .thenConsumeWhile(batch -> true)
          .expectErrorSatisfies(error -> assertThat(error).hasMessageContaining("air"))
          .verify();
      assertThat(rows.get()).isIn(0, 60, 120);
      freed(allocator);
    }
  }

  @Test
  void an_allocator_without_room_is_an_error_that_leaves_no_memory() {
    try (RootAllocator allocator = new RootAllocator(300)) {
      StepVerifier.create(ArrowTable.of(dataset(weather())).batches(allocator))
          .expectError(OutOfMemoryException.class)
          .verify();
      freed(allocator);
    }
  }

  @Test
  void a_stream_of_ipc_has_the_schema_and_the_rows() throws IOException {
    ArrowTable table = ArrowTable.of(dataset(weather())).withBatchRows(50);
    List<Map<String, String>> rows = new ArrayList<>();
    try (RootAllocator allocator = new RootAllocator()) {
      byte[] stream = joined(table.stream(allocator));
      assertThat(allocator.getAllocatedMemory()).isZero();
      try (ArrowStreamReader reader =
          new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
        assertThat(reader.getVectorSchemaRoot().getSchema()).isEqualTo(table.schema());
        while (reader.loadNextBatch()) {
          rows.addAll(Cells.of(reader.getVectorSchemaRoot()));
        }
      }
    }
    assertThat(rows).isEqualTo(rows(table));
  }

  static byte[] joined(Flux<Bytes> stream) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    stream
        .toStream(1)
        .forEach(
            piece -> {
              assertThat(piece.size()).isBetween(1, 16 << 10);
              all.writeBytes(piece.toByteArray());
            });
    return all.toByteArray();
  }

  @Test
  void a_stream_of_ipc_that_is_cancelled_leaves_no_memory() {
    ArrowTable table = ArrowTable.of(dataset(weather())).withBatchRows(7);
    for (int taken = 1; taken < 12; taken++) {
      try (RootAllocator allocator = new RootAllocator()) {
        table.stream(allocator).take(taken).blockLast();
        freed(allocator);
      }
    }
  }

  @Test
  void a_table_without_rows_is_a_stream_with_a_schema() throws IOException {
    Dataset none = dataset(weather()).isel("x", "0:0");
    ArrowTable table = ArrowTable.of(none, "air");
    assertThat(rows(table)).isEmpty();
    try (RootAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(
                new ByteArrayInputStream(joined(table.stream(allocator))), allocator)) {
      assertThat(reader.getVectorSchemaRoot().getSchema()).isEqualTo(table.schema());
      assertThat(reader.loadNextBatch()).isFalse();
    }
  }

  @Test
  void a_reader_has_the_rows_in_one_root() throws IOException {
    ArrowTable table = ArrowTable.of(dataset(weather())).withBatchRows(50);
    List<Map<String, String>> rows = new ArrayList<>();
    try (RootAllocator allocator = new RootAllocator();
        ArrowReader reader = table.reader(allocator)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        rows.addAll(Cells.of(root));
      }
      assertThat(reader.bytesRead()).isPositive();
      assertThat(reader.loadNextBatch()).isFalse();
    }
    assertThat(rows).isEqualTo(rows(table));
  }

  @Test
  void a_reader_that_is_closed_early_leaves_no_memory() throws IOException {
    ArrowTable table = ArrowTable.of(dataset(weather())).withBatchRows(7);
    for (int taken = 0; taken < 6; taken++) {
      try (RootAllocator allocator = new RootAllocator()) {
        try (ArrowReader reader = table.reader(allocator)) {
          for (int i = 0; i < taken; i++) {
            assertThat(reader.loadNextBatch()).isTrue();
          }
        }
        freed(allocator);
      }
    }
  }

  @Test
  void a_reader_whose_thread_is_interrupted_cancels() throws IOException {
    ArrowTable table = ArrowTable.of(dataset(weather()));
    try (RootAllocator allocator = new RootAllocator()) {
      try (ArrowReader reader = table.reader(allocator)) {
        Thread.currentThread().interrupt();
        assertThatThrownBy(reader::loadNextBatch)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(reader.loadNextBatch()).isFalse();
      }
      freed(allocator);
    }
  }

  @Test
  void a_reader_tells_an_error_of_the_store() throws IOException {
    Store store = weather();
    store.set(StoreKey.of("air/c/0/0"), Bytes.utf8("no chunk")).block();
    try (RootAllocator allocator = new RootAllocator();
        ArrowReader reader = ArrowTable.of(dataset(store), "air").reader(allocator)) {
      assertThatThrownBy(reader::loadNextBatch)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("air");
    }
  }

  @Test
  void dates_of_calendars_that_no_timestamp_has_are_texts() {
    Store store = MemoryStore.create();
    Dataset.builder()
        .variable(
            "day",
            List.of("n"),
            NdArray.ofInts(DataTypes.INT32, Shape.of(2), 59, 60),
            variable ->
                variable
                    .attribute("units", "days since 2000-01-01")
                    .attribute("calendar", CfCalendar.DAYS_360.cfName())
                    .raw())
        .write(Zarr.hierarchy(store), "")
        .block();
    ArrowTable table = ArrowTable.of(dataset(store));
    assertThat(table.schema().findField("day").getType()).isEqualTo(ArrowType.Utf8.INSTANCE);
    assertThat(rows(table).stream().map(row -> requireNonNull(row.get("day")).substring(0, 10)))
        .containsExactly("2000-02-30", "2000-03-01");
  }

  private static ArrowTable table(NdArray values) {
    Dataset empty = dataset(weather());
    Variable variable = Variable.of("v", List.of("n"), values);
    return ArrowTable.of(empty.assign(variable), "v");
  }

  @Test
  void times_in_other_units_are_counted_in_one_of_arrow() {
    NdArray days =
        NdArray.ofInstants(
            DataTypes.datetime64(NumpyUnit.DAY, 1),
            Shape.of(1),
            Instant.parse("2020-02-29T00:00:00Z"));
    ArrowTable table = table(days);
    assertThat(table.schema().findField("v").getType())
        .isEqualTo(new ArrowType.Timestamp(TimeUnit.SECOND, null));
    assertThat(rows(table).get(0)).containsEntry("v", "1582934400000000000");
  }

  @Test
  void complex_numbers_are_structs() {
    ArrowTable table = table(NdArray.ofComplex(Shape.of(2), 1f, 2f, 3f, 4f));
    try (RootAllocator allocator = new RootAllocator()) {
      table
          .batches(allocator)
          .toStream(1)
          .forEach(
              batch -> {
                try (batch) {
                  StructVector struct = (StructVector) batch.getVector("v");
                  assertThat(struct.getChild("real", Float4Vector.class).get(1)).isEqualTo(3f);
                  assertThat(struct.getChild("imaginary", Float4Vector.class).get(1)).isEqualTo(4f);
                }
              });
    }
  }

  @Test
  void integers_of_less_than_a_byte_have_one() {
    NdArray small = NdArray.ofInts(DataTypes.INT32, Shape.of(3), -8, 0, 7).cast(DataTypes.INT4);
    assertThat(rows(table(small)).stream().map(row -> row.get("v")))
        .containsExactly("-8", "0", "7");
  }

  @Test
  void a_stored_nan_that_no_attribute_calls_missing_is_a_value() {
    Store store = MemoryStore.create();
    Dataset.builder()
        .variable(
            "v",
            List.of("n"),
            NdArray.ofDoubles(Shape.of(2), Double.NaN, 1),
            variable -> variable.raw())
        .write(Zarr.hierarchy(store), "")
        .block();
    try (RootAllocator allocator = new RootAllocator();
        VectorSchemaRoot batch =
            requireNonNull(ArrowTable.of(dataset(store)).batches(allocator).blockFirst())) {
      assertThat(batch.getVector("v").getNullCount()).isZero();
    }
  }

  @Test
  void a_variable_that_arrow_has_no_type_for_is_refused_by_name() {
    NdArray unknown =
        NdArray.filled(Shape.of(1), FillValue.zero(DataTypes.datetime64(NumpyUnit.MONTH, 1)));
    assertThatThrownBy(() -> table(unknown))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("the variable v")
        .hasMessageContaining("leave it out");
    assertThatThrownBy(() -> ArrowTable.of(dataset(weather()), "nothing"))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> ArrowTable.of(dataset(weather())).withBatchRows(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_coordinate_alone_is_a_table() {
    assertThat(rows(ArrowTable.of(dataset(weather()), "time"))).hasSize(TIMES);
  }
}
