package dev.zarrreactive.flink;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.datatype.Timedelta64Type;
import dev.zarrreactive.partition.DecodedCells;
import dev.zarrreactive.partition.GridSource;
import dev.zarrreactive.partition.IndexBox;
import dev.zarrreactive.partition.Pull;
import dev.zarrreactive.partition.TableLayout;
import dev.zarrreactive.partition.VariableSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The cells of a dataset or of one array, at one version: a row for each index of the dimensions,
 * with the columns that are declared.
 */
final class ZarrTable {
  private final SourceOptions options;
  private final TableLayout layout;
  private final Map<String, DeclaredColumn> columns = new LinkedHashMap<>();
  private final Map<String, ZarrArray> arrays = new LinkedHashMap<>();

  private ZarrTable(SourceOptions options, TableLayout layout, RowType declared) {
    this.options = options;
    this.layout = layout;
    for (RowType.RowField field : declared.getFields()) {
      columns.put(field.getName(), column(field));
    }
  }

  /**
   * Opens what is at the location now, and compares the declared columns with it. The thread waits
   * for metadata.
   *
   * @throws IllegalArgumentException for a column that the dataset lacks, or has of another type
   * @throws dev.zarrreactive.error.ZarrException if the metadata cannot be read
   */
  static ZarrTable open(SourceOptions options, RowType declared) {
    return wait(
        options
            .store()
            .openPinned(
                options.operations(),
                (store, hierarchy) ->
                    layout(options, hierarchy, declared)
                        .map(layout -> new ZarrTable(options.with(store), layout, declared))
                        .flatMap(table -> hierarchy.store().close().thenReturn(table))));
  }

  private static <T> T wait(Mono<T> work) {
    try {
      return Pull.one(work);
    } catch (IOException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new UncheckedIOException(e);
    }
  }

  private static Mono<TableLayout> layout(
      SourceOptions options, ZarrHierarchy hierarchy, RowType declared) {
    return hierarchy
        .open(options.group())
        .flatMap(
            node ->
                node instanceof ZarrGroup group
                    ? group
                        .tree()
                        .collectList()
                        .map(nodes -> layout(options, group, nodes, declared))
                    : Mono.fromSupplier(
                        () -> TableLayout.of(request(options, options.variables()), node, null)));
  }

  private static TableLayout layout(
      SourceOptions options, ZarrGroup group, List<ZarrNode> nodes, RowType declared) {
    List<String> variables = new ArrayList<>(options.variables());
    if (variables.isEmpty()) {
      for (ZarrNode node : nodes) {
        String name = node.path().name();
        if (node instanceof ZarrArray
            && declared.getFieldNames().contains(name)
            && group.path().equals(node.path().parent())) {
          variables.add(name);
        }
      }
    }
    Dataset dataset = Dataset.of(group, nodes, options.rules().rules(), variables);
    return TableLayout.of(request(options, variables), group, dataset);
  }

  private static TableLayout.Request request(SourceOptions options, List<String> variables) {
    return new TableLayout.Request(
        variables, options.dimensions(), options.select(), options.rules().rules());
  }

  private DeclaredColumn column(RowType.RowField field) {
    String name = field.getName();
    TableLayout.Column found = layout.columns().get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "the column "
              + name
              + " is declared, but the dataset at "
              + options.store().location()
              + " has no variable of this name with the dimensions "
              + layout.dimensions()
              + "; it has "
              + String.join(", ", layout.columns().keySet()));
    }
    int[] dimensions = found.dimensions().stream().mapToInt(d -> d).toArray();
    if (found.array() == null || found.decoding() == null) {
      check(name, field.getType(), new BigIntType(), "the index of a dimension");
      return new DeclaredColumn(name, field.getType(), null, dimensions, Long.BYTES);
    }
    LogicalType values = ColumnType.of(found.decoding());
    if (values == null) {
      throw new IllegalArgumentException(
          "Flink has no type for the column "
              + name
              + ", whose values are "
              + found.decoding().dataType()
              + (found.decoding().dataType() instanceof Timedelta64Type
                  ? ": CREATE TABLE of Flink declares no interval; leave the column out, or read"
                      + " stored numbers with the option 'decode' = 'none'"
                  : "; leave the column out"));
    }
    check(name, field.getType(), values, found.decoding().dataType().toString());
    arrays.put(name, found.array());
    return new DeclaredColumn(
        name,
        field.getType(),
        VariableSource.of(found.array(), found.decoding(), options.rules().rules()),
        dimensions,
        Math.max(
            ColumnType.width(found.decoding().dataType()),
            ColumnType.width(found.decoding().storedType())));
  }

  private static void check(
      String name, LogicalType declared, LogicalType values, String described) {
    if (!ColumnType.takes(declared, values)) {
      throw new IllegalArgumentException(
          "the column "
              + name
              + " is declared as "
              + declared.asSummaryString()
              + ", but its values are "
              + described
              + "; declare it as "
              + values.asSummaryString());
    }
  }

  SourceOptions options() {
    return options;
  }

  IndexBox selected() {
    return layout.selected();
  }

  @Nullable DeclaredColumn column(String name) {
    return columns.get(name);
  }

  /** The number of values of a column of one dimension. */
  long size(DeclaredColumn column) {
    return layout.extents().get(column.dimensions()[0]);
  }

  /** Reads all values of a coordinate; the thread waits for them. */
  DecodedCells read(DeclaredColumn column) {
    VariableSource variable = Objects.requireNonNull(column.source());
    return wait(
        options
            .store()
            .read(
                options.operations(),
                hierarchy ->
                    variable
                        .open(hierarchy)
                        .flatMap(
                            opened ->
                                opened
                                    .array()
                                    .read(Selection.all())
                                    .map(stored -> DecodedCells.of(opened.decoding(), stored)))
                        .flux())
            .single());
  }

  /** Returns the source of some columns of some cells. */
  ZarrSource source(List<String> names, IndexBox box) {
    List<DeclaredColumn> wanted =
        names.stream().map(name -> Objects.requireNonNull(columns.get(name), name)).toList();
    long[] extents = layout.extents().stream().mapToLong(extent -> extent).toArray();
    return new ZarrSource(
        options, wanted, GridSource.of(wanted, columns.values(), arrays, extents), box);
  }
}
