package dev.zarrreactive.anndata;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables and matrices that AnnData wrote are read as AnnData reads them. */
class AnnDataTest {
  private static AnnData open(String name) {
    return await(AnnData.open(Zarr.at(AnnTestData.location(name))));
  }

  private static JsonObject object(JsonObject parent, String name) {
    return (JsonObject) requireNonNull(parent.get(name));
  }

  private static JsonArray list(JsonObject parent, String name) {
    return (JsonArray) requireNonNull(parent.get(name));
  }

  private static List<String> texts(AnnColumn column) {
    List<String> texts = new ArrayList<>();
    for (AnnValues block : await(column.blocks(7).collectList())) {
      assertThat(block.first()).isEqualTo(texts.size());
      for (int row = 0; row < block.size(); row++) {
        assertThat(block.isMissing(row)).isEqualTo(block.text(row).isEmpty());
        texts.add(block.text(row).orElse("<NA>"));
      }
    }
    return texts;
  }

  private static List<String> texts(JsonArray expected) {
    return expected.elements().stream()
        .map(
            value ->
                value == JsonNull.NULL
                    ? "<NA>"
                    : value instanceof JsonString text ? text.value() : value.toString())
        .toList();
  }

  private static void assertTable(AnnTable table, JsonObject expected) {
    assertThat(texts(table.labels())).isEqualTo(texts(list(expected, "labels")));
    JsonObject columns = object(expected, "columns");
    assertThat(table.columns()).containsExactlyElementsOf(columns.members().keySet());
    for (String name : table.columns()) {
      assertThat(texts(await(table.column(name)))).as(name).isEqualTo(texts(list(columns, name)));
    }
  }

  private static double[][] dense(JsonArray rows) {
    return rows.elements().stream()
        .map(
            row ->
                ((JsonArray) row)
                    .elements().stream()
                        .mapToDouble(value -> ((JsonNumber) value).toDouble())
                        .toArray())
        .toArray(double[][]::new);
  }

  private static double[][] dense(AnnMatrix matrix, List<AnnSparsePart> parts) {
    double[][] dense = new double[(int) matrix.rows()][(int) matrix.columns()];
    for (AnnSparsePart part : parts) {
      part.forEach(
          (row, column, place) -> dense[(int) row][(int) column] += part.values().getDouble(place));
    }
    return dense;
  }

  @ParameterizedTest
  @ValueSource(strings = {"cells-v3", "cells-v2"})
  void both_tables_have_the_labels_and_values_of_AnnData(String name) {
    AnnData cells = open(name);
    assertThat(cells).hasToString("/ [40, 12]");
    assertTable(cells.observations(), object(AnnTestData.expected(name), "obs"));
    assertTable(cells.variables(), object(AnnTestData.expected(name), "var"));
    assertThat(cells.variables().labels().name()).isEqualTo("symbol");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cells-v3", "cells-v2"})
  void matrices_have_the_values_of_AnnData(String name) {
    AnnData cells = open(name);
    JsonObject expected = AnnTestData.expected(name);
    AnnMatrix byRows = await(cells.matrix());
    assertThat(byRows.isSparse()).isTrue();
    assertThat(byRows.isByRows()).isTrue();
    double[][] values = dense(list(expected, "X"));
    assertThat(dense(byRows, await(byRows.stream(0, 40, 20).collectList()))).isDeepEqualTo(values);
    double[][] some = dense(byRows, List.of(await(byRows.readRows(10, 25))));
    for (int row = 0; row < 40; row++) {
      assertThat(some[row]).containsExactly(row >= 10 && row < 25 ? values[row] : new double[12]);
    }
    AnnMatrix byColumns = await(cells.matrix("layers/counts"));
    assertThat(byColumns.isByRows()).isFalse();
    assertThat(dense(byColumns, List.of(await(byColumns.readColumns(0, 12)))))
        .isDeepEqualTo(dense(list(expected, "layers/counts")));
    AnnMatrix array = await(cells.matrix("layers/dense"));
    assertThat(await(array.array().orElseThrow().read()).toDouble2d())
        .isDeepEqualTo(dense(list(expected, "layers/dense")));
    assertThat(array.storedValues()).isEqualTo(480);
  }

  @Test
  void a_stream_of_rows_has_parts_of_bounded_size_and_every_row_once() {
    AnnMatrix matrix = await(open("cells-v3").matrix());
    List<AnnSparsePart> parts = await(matrix.stream(3, 40, 9).collectList());
    long next = 3;
    for (AnnSparsePart part : parts) {
      assertThat(part.first()).isEqualTo(next);
      next += part.lines();
      int stored = 0;
      for (int line = 0; line < part.lines(); line++) {
        stored += part.storedValues(line);
      }
      assertThat(part.values().shape()).isEqualTo(Shape.of(stored));
      assertThat(stored <= 9 || part.lines() == 1).isTrue();
    }
    assertThat(next).isEqualTo(40);
    assertThat(parts).hasSizeGreaterThan(5);
    assertThat(await(matrix.stream(4, 4, 9).collectList())).isEmpty();
  }

  @Test
  void parts_are_listed_and_columns_say_what_they_are() {
    AnnData cells = open("cells-v3");
    assertThat(await(cells.names("layers").collectList()))
        .containsExactlyInAnyOrder("counts", "dense");
    assertThat(await(cells.names("elsewhere").collectList())).isEmpty();
    AnnColumn stage = await(cells.observations().column("stage"));
    assertThat(stage.isOrdered()).isTrue();
    assertThat(stage.categories().orElseThrow().toStringArray())
        .containsExactly("early", "middle", "late");
    AnnColumn kind = await(cells.observations().column("kind"));
    assertThat(kind.isOrdered()).isFalse();
    AnnValues kinds = await(kind.read(5, 6));
    assertThat(kinds.category(0)).isEqualTo(-1);
    assertThat(kinds.isMissing(0)).isTrue();
    AnnColumn genes = await(cells.observations().column("genes"));
    assertThat(genes.isNullable()).isTrue();
    assertThat(genes.dataType()).isEqualTo(DataTypes.INT64);
    assertThat(await(cells.observations().column("area")).isNullable()).isFalse();
    AnnValues areas = await(await(cells.observations().column("area")).read());
    assertThat(areas.number(0)).isEqualTo(0.529);
  }

  @Test
  void what_is_something_else_is_refused_with_its_name() {
    AnnData cells = open("cells-v3");
    assertThatThrownBy(() -> await(cells.matrix("uns/title")))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("\"string\"")
        .hasMessageContaining("/uns/title");
    assertThatThrownBy(() -> await(cells.matrix("uns/numbers")))
        .hasMessageContaining("an array of shape [3]");
    assertThatThrownBy(() -> await(cells.matrix("layers/none")))
        .isInstanceOf(NodeNotFoundException.class);
    assertThatThrownBy(() -> await(cells.table("X")))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("found encoding-type \"csr_matrix\"");
    assertThatThrownBy(() -> await(cells.observations().column("none")))
        .isInstanceOf(NodeNotFoundException.class);
    AnnMatrix matrix = await(cells.matrix());
    assertThatThrownBy(() -> matrix.readColumns(0, 1))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("compressed by rows");
    assertThatThrownBy(() -> matrix.readRows(0, 41)).isInstanceOf(IndexOutOfBoundsException.class);
    AnnMatrix dense = await(cells.matrix("layers/dense"));
    assertThatThrownBy(() -> dense.stream(0, 1, 1)).hasMessageContaining("array()");
  }

  /** Writes a sparse matrix of 2 rows and 3 columns, as attributes and lists say. */
  private static AnnMatrix sparse(String shape, long[] starts, long[] columns, int values) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    JsonObject attributes = Json.object("{'encoding-type': 'csr_matrix', 'shape': " + shape + "}");
    await(hierarchy.createGroup("m", GroupMetadata.of(attributes)));
    write(hierarchy, "m/indptr", starts);
    write(hierarchy, "m/indices", columns);
    write(hierarchy, "m/data", new long[values]);
    return await(hierarchy.open("m").flatMap(AnnMatrix::of));
  }

  private static void write(ZarrHierarchy hierarchy, String path, long... numbers) {
    ArrayMetadata metadata = ArrayMetadata.v3(Shape.of(numbers.length), DataTypes.INT64).build();
    NdArray values = NdArray.ofLongs(DataTypes.INT64, Shape.of(numbers.length), numbers);
    await(hierarchy.createArray(path, metadata).flatMap(array -> array.write("...", values)));
  }

  @Test
  void stored_places_that_contradict_the_shape_are_refused_with_their_place() {
    assertThat(
            await(sparse("[2, 3]", new long[] {0, 1, 2}, new long[] {2, 0}, 2).readRows(0, 2))
                .lines())
        .isEqualTo(2);
    assertThatThrownBy(() -> sparse("[2, 3]", new long[] {0, 1}, new long[] {2}, 1))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("expected 3 elements");
    assertThatThrownBy(() -> sparse("[2]", new long[] {0, 1}, new long[] {2}, 1))
        .hasMessageContaining("a number of rows and one of columns")
        .hasMessageContaining("/shape");
    assertThatThrownBy(() -> sparse("[2, 3]", new long[] {0, 1, 2}, new long[] {2, 0}, 3))
        .hasMessageContaining("expected 2 elements");
    AnnMatrix outside = sparse("[2, 3]", new long[] {0, 1, 2}, new long[] {3, 0}, 2);
    assertThatThrownBy(() -> await(outside.readRows(0, 2)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("the stored value 0 is in column 3, and there are 3");
    for (long[] starts :
        List.of(new long[] {0, 2, 1}, new long[] {0, 1, 9}, new long[] {-1, 0, 1})) {
      AnnMatrix broken = sparse("[2, 3]", starts, new long[] {2, 0}, 2);
      assertThatThrownBy(() -> await(broken.stream(0, 2, 5).collectList()))
          .as(Arrays.toString(starts))
          .isInstanceOf(MetadataException.class)
          .hasMessageContaining("begins at the value");
    }
  }

  @Test
  void a_category_that_the_list_lacks_is_refused() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    await(
        hierarchy.createGroup(
            "obs",
            GroupMetadata.of(
                JsonObject.EMPTY.with("encoding-type", "dataframe").with("_index", "_index"))));
    write(hierarchy, "obs/_index", 1, 2, 3);
    write(hierarchy, "obs/codes", 0, -1, 2);
    write(hierarchy, "obs/categories", 10, 20);
    await(
        hierarchy
            .openArray("obs/codes")
            .flatMap(
                array ->
                    array.updateAttributes(
                        attributes -> attributes.with("categories", "categories"))));
    AnnTable table = await(hierarchy.openGroup("obs").flatMap(AnnTable::of));
    AnnColumn codes = await(table.column("codes"));
    assertThat(await(codes.read(0, 2)).text(0)).contains("10");
    assertThat(await(codes.read(0, 2)).number(1)).isNaN();
    assertThatThrownBy(() -> await(codes.read()))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("row 2 has the category 2, and there are 2");
  }
}
