package dev.zarrreactive.spark;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.metadata.DimensionNames;
import dev.zarrreactive.spark.partition.IndexBox;
import dev.zarrreactive.spark.partition.IndexRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows and the columns of a table of cells in the metadata: the dimensions of a row, the
 * variables that have no other dimension, their types.
 */
final class CellTableBuilder {
  /** An array with the names of its dimensions. */
  private record Named(
      String name, ZarrArray array, CfDecoding decoding, List<String> dimensions, boolean isLabel) {
    static Named of(Variable variable, boolean isCoordinate) {
      return new Named(
          variable.name(),
          variable.array(),
          variable.decoding(),
          variable.dimensions(),
          isCoordinate);
    }
  }

  private CellTableBuilder() {}

  static CellTable of(
      TableOptions options, ZarrHierarchy hierarchy, ZarrNode node, @Nullable Dataset dataset) {
    List<Named> all = new ArrayList<>();
    if (dataset != null) {
      checkReadable(options, dataset);
      Set<String> coordinates = dataset.coordinates().keySet();
      dataset
          .variables()
          .values()
          .forEach(variable -> all.add(Named.of(variable, coordinates.contains(variable.name()))));
    } else if (node instanceof ZarrArray array) {
      all.add(alone(array, options));
    }
    List<Named> wanted = wanted(options, all);
    List<String> dimensions = dimensions(options, all, wanted);
    List<Named> chosen =
        all.stream()
            .filter(
                one ->
                    dimensions.containsAll(one.dimensions) && (one.isLabel || wanted.contains(one)))
            .toList();
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (Named one : all) {
      for (int d = 0; d < one.dimensions.size(); d++) {
        sizes.putIfAbsent(one.dimensions.get(d), one.array.shape().extent(d));
      }
    }
    long[] extents = dimensions.stream().mapToLong(sizes::get).toArray();
    Map<String, ZarrArray> arrays = new LinkedHashMap<>();
    chosen.forEach(one -> arrays.put(one.name, one.array));
    return new CellTable(
        options,
        hierarchy,
        dimensions,
        extents,
        columns(options, dimensions, chosen),
        arrays,
        selected(options, extents));
  }

  /** Throws the error of a variable that is asked for and cannot be opened. */
  private static void checkReadable(TableOptions options, Dataset dataset) {
    for (UnreadableNode node : dataset.unreadable()) {
      if (options.variables().contains(node.path().name())) {
        throw node.error();
      }
    }
  }

  private static Named alone(ZarrArray array, TableOptions options) {
    CfDecoding decoding =
        CfDecoding.of(array.metadata(), array.attributes(), options.rules().rules(), false);
    List<String> names = new ArrayList<>();
    for (String known : DimensionNames.of(array.metadata()).names()) {
      names.add(known == null ? "dim_" + names.size() : known);
    }
    String name = array.path().name();
    return new Named(name.isEmpty() ? "value" : name, array, decoding, names, false);
  }

  private static List<Named> wanted(TableOptions options, List<Named> all) {
    Set<String> names = new LinkedHashSet<>(options.variables());
    all.forEach(one -> names.remove(one.name));
    if (!names.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no variable "
              + names.iterator().next()
              + ", but "
              + String.join(", ", all.stream().map(Named::name).toList()));
    }
    List<Named> wanted =
        all.stream()
            .filter(
                one ->
                    options.variables().isEmpty()
                        ? !one.isLabel
                        : options.variables().contains(one.name))
            .toList();
    if (!options.variables().isEmpty() || options.dimensions().isEmpty()) {
      return wanted;
    }
    return wanted.stream().filter(one -> options.dimensions().containsAll(one.dimensions)).toList();
  }

  /** Returns the named dimensions of a row, or all of a widest variable. */
  private static List<String> dimensions(
      TableOptions options, List<Named> all, List<Named> wanted) {
    Set<String> known = new LinkedHashSet<>();
    all.forEach(one -> known.addAll(one.dimensions));
    Set<String> needed = new LinkedHashSet<>();
    wanted.forEach(one -> needed.addAll(one.dimensions));
    if (!options.dimensions().isEmpty()) {
      if (!known.containsAll(options.dimensions())) {
        throw new IllegalArgumentException(
            "the dimensions are " + known + ", not " + options.dimensions());
      }
      if (!options.dimensions().containsAll(needed)) {
        throw new IllegalArgumentException(
            "the variables "
                + options.variables()
                + " have the dimensions "
                + needed
                + ", more than "
                + options.dimensions());
      }
      return options.dimensions();
    }
    if (wanted.isEmpty()) {
      return List.copyOf(known);
    }
    return wanted.stream()
        .filter(one -> one.dimensions.containsAll(needed))
        .findFirst()
        .map(Named::dimensions)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no row can have all variables, whose dimensions differ: "
                        + sets(wanted)
                        + "; choose some with the option variables, or name the dimensions of a row"
                        + " with the option dimensions"));
  }

  private static String sets(List<Named> variables) {
    Map<List<String>, Set<String>> sets = new LinkedHashMap<>();
    variables.forEach(
        one -> sets.computeIfAbsent(one.dimensions, key -> new TreeSet<>()).add(one.name));
    List<String> texts = new ArrayList<>();
    sets.forEach((names, of) -> texts.add(String.join(", ", of) + " " + names));
    return String.join("; ", texts);
  }

  private static Map<String, CellColumn> columns(
      TableOptions options, List<String> dimensions, List<Named> chosen) {
    Map<String, CellColumn> columns = new LinkedHashMap<>();
    for (int d = 0; d < dimensions.size(); d++) {
      String dimension = dimensions.get(d);
      CellColumn label = null;
      for (Named one : chosen) {
        if (one.name.equals(dimension) && one.dimensions.equals(List.of(dimension))) {
          label = column(options, dimensions, one);
        }
      }
      columns.put(dimension, label == null ? index(dimension, d, false) : label);
    }
    for (boolean areLabels : new boolean[] {true, false}) {
      for (Named one : chosen) {
        if (one.isLabel == areLabels && !columns.containsKey(one.name)) {
          columns.put(one.name, column(options, dimensions, one));
        } else if (!one.dimensions.equals(List.of(one.name)) && dimensions.contains(one.name)) {
          throw new IllegalArgumentException(
              "the variable " + one.name + " has the name of a dimension, and other dimensions");
        }
      }
    }
    for (int d = 0; d < dimensions.size(); d++) {
      String name = CellTable.INDEX + dimensions.get(d);
      columns.putIfAbsent(name, index(name, d, true));
    }
    return columns;
  }

  private static CellColumn index(String name, int dimension, boolean isHidden) {
    return new CellColumn(
        name, DataTypes.LongType, null, new int[] {dimension}, Long.BYTES, true, isHidden);
  }

  private static CellColumn column(TableOptions options, List<String> dimensions, Named one) {
    DataType type = timed(options, CellType.of(one.decoding));
    if (type == null) {
      throw new IllegalArgumentException(
          "Spark has no type for the variable "
              + one.name
              + " of "
              + one.decoding.dataType()
              + "; choose others with the option variables");
    }
    return new CellColumn(
        one.name,
        type,
        VariableSource.of(one.array, one.decoding, options.rules()),
        one.dimensions.stream().mapToInt(dimensions::indexOf).toArray(),
        type.defaultSize(),
        one.isLabel,
        false);
  }

  /** Returns the type with instants for times without a zone, where the options say so. */
  private static @Nullable DataType timed(TableOptions options, @Nullable DataType type) {
    if (options.times() == TableOptions.Times.TIMESTAMP_NTZ) {
      return type;
    } else if (type instanceof StructType struct) {
      StructType timed = new StructType();
      for (StructField field : struct.fields()) {
        DataType of = timed(options, field.dataType());
        timed = timed.add(field.name(), of == null ? field.dataType() : of, field.nullable());
      }
      return timed;
    }
    return DataTypes.TimestampNTZType.equals(type) ? DataTypes.TimestampType : type;
  }

  private static IndexBox selected(TableOptions options, long[] extents) {
    if (options.select().isEmpty()) {
      return IndexBox.all(extents);
    }
    ResolvedSelection resolved = Selection.parse(options.select()).resolve(Shape.of(extents));
    if (!(resolved instanceof ResolvedSelection.Orthogonal orthogonal)) {
      throw new IllegalArgumentException("the option select has no points");
    }
    return new IndexBox(orthogonal.axes().stream().map(CellTableBuilder::ranges).toList());
  }

  private static IndexRanges ranges(Axis axis) {
    if (axis instanceof Axis.Range range && (range.step() == 1 || range.count() <= 1)) {
      return IndexRanges.of(range.start(), range.start() + range.count());
    }
    long[] indices;
    if (axis instanceof Axis.Range range) {
      indices = new long[Math.toIntExact(range.count())];
      Arrays.setAll(indices, i -> range.start() + i * range.step());
    } else {
      indices = ((Axis.Indices) axis).toArray();
    }
    return IndexRanges.ofIndices(indices);
  }
}
