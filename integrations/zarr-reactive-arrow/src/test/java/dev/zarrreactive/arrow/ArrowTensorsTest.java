package dev.zarrreactive.arrow;

import static dev.zarrreactive.testing.Waiting.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;

/** Boxes of variables are tensors of one shape, with null behind the end. */
class ArrowTensorsTest {
  /** Five rows and seven columns in chunks of two by three; the element is its number. */
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  private Variable variable() {
    Dataset.builder()
        .variable(
            "v",
            List.of("y", "x"),
            NdArray.ofInts(DataTypes.INT32, Shape.of(5, 7), IntStream.range(0, 35).toArray()),
            variable -> variable.chunkShape(2, 3))
        .write(Zarr.hierarchy(store), "")
        .block();
    return requireNonNull(Dataset.open(Zarr.hierarchy(store), "").block()).variable("v");
  }

  private static void collect(VectorSchemaRoot batch, Map<List<Long>, List<String>> tensors) {
    List<Long> start = new ArrayList<>();
    for (int d = 0; d < batch.getFieldVectors().size() - 1; d++) {
      start.add(((BigIntVector) batch.getVector(d)).get(0));
    }
    FieldVector items = ((FixedSizeListVector) batch.getVector("v")).getDataVector();
    tensors.put(
        start,
        IntStream.range(0, items.getValueCount()).mapToObj(i -> Cells.cell(items, i)).toList());
  }

  private static Map<List<Long>, List<String>> tensors(ArrowTensors of) {
    Map<List<Long>, List<String>> tensors = new LinkedHashMap<>();
    try (RootAllocator allocator = new RootAllocator()) {
      of.batches(allocator)
          .toStream(1)
          .forEach(
              batch -> {
                try (batch) {
                  assertThat(batch.getRowCount()).isEqualTo(1);
                  collect(batch, tensors);
                }
              });
    }
    return tensors;
  }

  @Test
  void chunks_are_tensors_that_are_read_once() {
    Variable variable = variable();
    long before = store.counts().total(StoreOperation.GET);
    Map<List<Long>, List<String>> tensors = tensors(ArrowTensors.of(variable));
    assertThat(store.counts().total(StoreOperation.GET) - before).isEqualTo(9);
    assertThat(tensors).hasSize(9);
    assertThat(tensors.get(List.of(2L, 3L))).containsExactly("17", "18", "19", "24", "25", "26");
    assertThat(tensors.get(List.of(4L, 6L)))
        .containsExactly("34", "null", "null", "null", "null", "null");
    assertThat(tensors.keySet().iterator().next()).isEqualTo(List.of(0L, 0L));
  }

  @Test
  void boxes_of_another_shape_have_every_element_once() {
    Map<List<Long>, List<String>> tensors = tensors(ArrowTensors.of(variable(), 3, 4));
    assertThat(tensors.values().stream().flatMap(List::stream).filter(cell -> !cell.equals("null")))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 35).mapToObj(Integer::toString).toList());
    assertThat(tensors).hasSize(4);
  }

  @Test
  void a_selection_has_tensors_of_a_given_shape() {
    Variable row = variable().isel("y", 1);
    assertThat(tensors(ArrowTensors.of(row, 7)).get(List.of(0L)))
        .containsExactly("7", "8", "9", "10", "11", "12", "13");
    assertThatThrownBy(() -> ArrowTensors.of(row))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("give the shape");
  }

  @Test
  void the_field_is_the_canonical_extension() throws IOException {
    try (RootAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(
                new ByteArrayInputStream(
                    ArrowTableTest.joined(ArrowTensors.of(variable()).stream(allocator))),
                allocator)) {
      Field field = reader.getVectorSchemaRoot().getSchema().findField("v");
      assertThat(field.getMetadata())
          .containsEntry("ARROW:extension:name", "arrow.fixed_shape_tensor")
          .containsEntry(
              "ARROW:extension:metadata", "{\"shape\":[2,3],\"dim_names\":[\"y\",\"x\"]}");
      int count = 0;
      while (reader.loadNextBatch()) {
        count++;
      }
      assertThat(count).isEqualTo(9);
    }
  }

  @Test
  void a_cancel_at_any_tensor_leaves_no_memory() {
    ArrowTensors tensors = ArrowTensors.of(variable(), 1, 2);
    for (int taken = 1; taken < 20; taken++) {
      try (RootAllocator allocator = new RootAllocator()) {
        tensors.batches(allocator).take(taken).doOnNext(VectorSchemaRoot::close).blockLast();
        eventually("memory of Arrow", () -> allocator.getAllocatedMemory() == 0);
      }
    }
  }

  @Test
  void what_cannot_be_a_tensor_is_refused() {
    Variable text =
        Variable.of("t", List.of("n"), NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "a"));
    assertThatThrownBy(() -> ArrowTensors.of(text, 1))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("read it as a table");
    Variable variable = variable();
    assertThatThrownBy(() -> ArrowTensors.of(variable, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[y, x]");
    assertThatThrownBy(() -> ArrowTensors.of(variable, 1L << 40, 1L << 40))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("withMaxInFlightBytes");
  }
}
