package dev.zarrreactive.spark.write;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.NewDataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.partition.TableStoreOptions;
import dev.zarrreactive.store.StagedStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A dataset that a write makes. Tasks store chunks first. The commit stores the metadata, from
 * which on the place is a node.
 */
final class NewDatasetTarget extends CellTarget {
  private final String path;
  private final boolean consolidates;
  private final Map<String, NdArray> coordinates;
  private final Map<String, NodeMetadata> nodes;
  private final Claim mark;

  private NewDatasetTarget(
      ZarrHierarchy hierarchy,
      WriteOptions options,
      List<DimensionLabels> labels,
      List<ArrayTarget> arrays,
      Map<String, NdArray> coordinates,
      Map<String, NodeMetadata> nodes,
      Claim mark) {
    super(hierarchy, labels, arrays, mark);
    this.path = options.group();
    // a snapshot has all metadata in one file, so that consolidated ones would only get outdated
    this.consolidates = options.flag("consolidated", !StagedStore.isOne(hierarchy.store()));
    this.coordinates = coordinates;
    this.nodes = nodes;
    this.mark = mark;
  }

  /**
   * Describes a dataset by the columns and options; finds the labels of its dimensions.
   *
   * @param template a dataset whose coordinates and variables the new one has; null for none
   */
  static Mono<WriteTarget> of(
      ZarrHierarchy hierarchy,
      WriteOptions options,
      org.apache.spark.sql.Dataset<Row> rows,
      @Nullable Dataset template) {
    if (template == null) {
      return Mono.fromSupplier(() -> of(hierarchy, options, rows, Map.of(), Map.of()));
    }
    Map<String, Variable> known = template.variables();
    return Flux.fromIterable(options.names("dimensions"))
        .filter(known::containsKey)
        .concatMap(name -> template.variable(name).read().map(values -> Map.entry(name, values)), 0)
        .collectMap(Map.Entry::getKey, Map.Entry::getValue)
        .map(values -> of(hierarchy, options, rows, known, values));
  }

  private static NewDatasetTarget of(
      ZarrHierarchy hierarchy,
      WriteOptions options,
      org.apache.spark.sql.Dataset<Row> rows,
      Map<String, Variable> template,
      Map<String, NdArray> known) {
    options.refuse("is for a dataset that exists", "resume");
    List<String> dimensions = options.names("dimensions");
    if (dimensions.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no array or group at "
              + options.target()
              + "; to make one, name the columns that are its dimensions, in their order, such as"
              + " option(\"dimensions\", \"time,lat,lon\")");
    }
    Map<String, Long> extents = extents(options, dimensions);
    NewVariables variables = new NewVariables(options, dimensions);
    NewDataset description = Dataset.builder().zarrFormat(format(options)).consolidated(false);
    String attributes = options.text("attributes");
    if (attributes != null) {
      description.attributes(NewVariables.object("attributes", attributes));
    }
    List<DimensionLabels> labels = new ArrayList<>();
    Map<String, NdArray> coordinates = new LinkedHashMap<>();
    List<String> descending = options.names("descending");
    for (String dimension : dimensions) {
      StructField field = Labels.column(rows, dimension);
      DataType type = NewVariables.dataType(dimension, field.dataType());
      Long extent = extents.get(dimension);
      if (extent != null) {
        description.dimension(dimension, extent);
        labels.add(
            DimensionLabels.ofIndices(
                dimension, dimension, extent, "the option extents has the length"));
        continue;
      }
      Variable like = template.get(dimension);
      CellKind kind = like == null ? kind(dimension, field) : CellKind.of(like.decoding());
      if (like != null && kind != null) {
        NdArray values = Objects.requireNonNull(known.get(dimension));
        description.coordinate(like);
        coordinates.put(dimension, values);
        labels.add(
            DimensionLabels.of(
                dimension,
                kind,
                DimensionLabels.labels(kind, values),
                "the option template has the labels"));
        continue;
      } else if (kind == null) {
        throw new IllegalArgumentException(
            "the coordinate " + dimension + " of the template has labels that no column has");
      }
      List<Object> found =
          Labels.sorted(Labels.of(rows, dimension, kind), kind, descending.contains(dimension));
      NdArray values = NewVariables.coordinate(kind, found, type);
      description.coordinate(
          dimension, values, variables.settings(dimension, type, List.of(dimension)));
      coordinates.put(dimension, values);
      labels.add(
          DimensionLabels.of(
              dimension,
              kind,
              found,
              "the rows must be the same each time that Spark computes them"));
    }
    Map<String, List<String>> columns = new LinkedHashMap<>();
    for (StructField field : rows.schema().fields()) {
      String name = field.name();
      if (dimensions.contains(name)) {
        continue;
      }
      Labels.column(rows, name);
      String own = options.text("dimensions", name);
      Variable like = template.get(name);
      List<String> its =
          like != null
              ? like.dimensions()
              : own == null ? dimensions : TableStoreOptions.names(own);
      if (!dimensions.containsAll(its)) {
        throw new IllegalArgumentException(
            "the option dimensions." + name + " names " + its + ", but rows have " + dimensions);
      }
      DataType type = NewVariables.dataType(name, field.dataType());
      columns.put(name, its);
      if (like != null) {
        description.variable(like);
        continue;
      }
      description.variable(name, its, type, Flux.empty(), variables.settings(name, type, its));
    }
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("all columns are dimensions; none has values");
    }
    Map<String, NodeMetadata> nodes = description.nodes(options.group());
    List<ArrayTarget> arrays = new ArrayList<>();
    columns.forEach(
        (name, its) -> {
          String array = NodePath.of(options.group()).resolve(name).value();
          ArrayMetadata metadata = (ArrayMetadata) Objects.requireNonNull(nodes.get(array));
          arrays.add(
              ArrayTarget.of(
                  array,
                  metadata,
                  metadata.attributes(),
                  its.stream().map(dimensions::indexOf).toList(),
                  name));
        });
    return new NewDatasetTarget(
        hierarchy, options, labels, arrays, coordinates, nodes, Claim.of(options.group()));
  }

  private static int format(WriteOptions options) {
    String text = options.text("zarr-format");
    return text == null ? 3 : (int) WriteOptions.numbers("zarr-format", text)[0];
  }

  private static CellKind kind(String dimension, StructField field) {
    CellKind kind = CellKind.of(field.dataType());
    if (kind == null || kind == CellKind.BINARY || kind == CellKind.BOOLEAN) {
      throw new IllegalArgumentException(
          "the column " + dimension + " of " + field.dataType().sql() + " has no labels");
    }
    return kind;
  }

  /** Returns the extents of the dimensions whose columns have indices. */
  private static Map<String, Long> extents(WriteOptions options, List<String> dimensions) {
    Map<String, Long> extents = new LinkedHashMap<>();
    for (String one : options.names("extents")) {
      int colon = one.lastIndexOf(':');
      String name = colon < 0 ? one : one.substring(0, colon).strip();
      if (colon < 0 || !dimensions.contains(name)) {
        throw new IllegalArgumentException(
            "the option extents has dimensions with extents, such as x:100,y:50, not " + one);
      }
      long[] extent = WriteOptions.numbers("extents", one.substring(colon + 1));
      extents.put(name, extent.length == 1 ? extent[0] : -1);
    }
    return extents;
  }

  @Override
  public boolean isNew() {
    return true;
  }

  @Override
  public Mono<Void> begin() {
    return mark.takeEmpty(store);
  }

  @Override
  public Mono<Void> commit() {
    return Flux.fromIterable(coordinates.entrySet())
        .concatMap(entry -> written(entry.getKey(), entry.getValue()), 0)
        .then(Mono.defer(() -> hierarchy.create(nodes)))
        .then(
            Mono.defer(
                () ->
                    consolidates
                        ? hierarchy.openGroup(path).flatMap(group -> group.consolidate()).then()
                        : Mono.empty()))
        .then(Mono.defer(() -> mark.release(store)));
  }

  private Mono<Void> written(String name, NdArray values) {
    String array = NodePath.of(path).resolve(name).value();
    ArrayMetadata metadata = (ArrayMetadata) Objects.requireNonNull(nodes.get(array));
    ZarrArray opened = hierarchy.array(array, metadata);
    CfDecoding coding = CfDecoding.of(metadata, metadata.attributes(), CfRule.xarray(), false);
    return values.shape().isEmpty()
        ? Mono.empty()
        : opened.write(Selection.all(), coding.encode(values));
  }

  @Override
  public Mono<Void> abort() {
    return mark.release(store).then(Mono.defer(() -> hierarchy.erase(path)));
  }
}
