package dev.zarrreactive.spark.write;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.partition.Pull;
import dev.zarrreactive.spark.write.ExistingTarget.Growth;
import dev.zarrreactive.spark.write.ExistingTarget.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Finds the arrays and the indices of rows that a write to an existing node changes. */
final class ExistingPlan {
  private static final String INDEX = "_index_";

  private final ZarrHierarchy hierarchy;
  private final WriteOptions options;
  private final org.apache.spark.sql.Dataset<Row> rows;
  private final List<String> columns;
  private @Nullable Growth growth;

  ExistingPlan(
      ZarrHierarchy hierarchy, WriteOptions options, org.apache.spark.sql.Dataset<Row> rows) {
    this.hierarchy = hierarchy;
    this.options = options;
    this.rows = rows;
    this.columns = Arrays.asList(rows.columns());
  }

  /** Returns the target; waits for metadata, for coordinates, and for jobs that find labels. */
  WriteTarget target() throws IOException {
    options.refuse(
        "is for a new dataset; the one that exists keeps its metadata",
        "dimensions",
        "dimensions.",
        "extents",
        "descending",
        "template",
        "zarr-format",
        "consolidated",
        "chunk-shape",
        "chunk-shape.",
        "shard-shape",
        "shard-shape.",
        "codecs",
        "codecs.",
        "attributes",
        "attributes.",
        "data-type.",
        "packed.",
        "missing.",
        "fill-value.");
    ZarrNode node = Pull.one(hierarchy.open(options.group()));
    String append = options.text("append");
    boolean resumes = options.flag("resume", false);
    if (resumes && append != null && node instanceof ZarrGroup group) {
      Pull.one(new CutAppend(hierarchy.store(), group, append).shortened().thenReturn(true));
    }
    List<Member> members =
        node instanceof ZarrGroup group
            ? Pull.one(Dataset.of(group, CfRule.xarray()).map(ExistingPlan::members))
            : List.of(alone((ZarrArray) node));
    List<String> written = written(members);
    List<String> dimensions = ExistingTarget.dimensions(members, written);
    List<DimensionLabels> labels = new ArrayList<>();
    for (String dimension : dimensions) {
      labels.add(labels(dimension, members));
    }
    if (append != null && !dimensions.contains(append)) {
      throw new IllegalArgumentException(
          "the option append names " + append + ", but the rows have the dimensions " + dimensions);
    }
    if (resumes && append == null) {
      throw new IllegalArgumentException(
          "the option resume takes over an append; name its dimension with the option append");
    }
    if (growth != null) {
      checkAll(growth, members, written);
    }
    return new ExistingTarget(
        hierarchy,
        growth != null && isConsolidated(node) ? (ZarrGroup) node : null,
        members,
        written,
        labels,
        growth,
        growth == null ? null : Claim.of(options.group()),
        resumes);
  }

  private static List<Member> members(Dataset dataset) {
    List<Member> members = new ArrayList<>();
    dataset
        .variables()
        .values()
        .forEach(
            one ->
                members.add(new Member(one.name(), one.array(), one.decoding(), one.dimensions())));
    return members;
  }

  private static Member alone(ZarrArray array) {
    List<@Nullable String> known = array.metadata().dimensionNames();
    List<String> names = new ArrayList<>();
    for (int d = 0; d < array.shape().rank(); d++) {
      String name = d < known.size() ? known.get(d) : null;
      names.add(name == null ? "dim_" + d : name);
    }
    String name = array.path().name();
    return new Member(
        name.isEmpty() ? "value" : name,
        array,
        CfDecoding.of(array.metadata(), array.attributes(), CfRule.xarray(), false),
        names);
  }

  /** Returns the arrays whose values rows have: all columns that label no dimension. */
  private List<String> written(List<Member> members) {
    List<String> all = members.stream().map(Member::name).toList();
    Set<String> dimensions = new LinkedHashSet<>();
    members.forEach(member -> dimensions.addAll(member.dimensions()));
    List<String> written = new ArrayList<>();
    for (String column : columns) {
      Labels.column(rows, column);
      boolean isIndex =
          column.startsWith(INDEX) && dimensions.contains(column.substring(INDEX.length()));
      if (!isIndex && !dimensions.contains(column)) {
        if (!all.contains(column)) {
          throw new IllegalArgumentException(
              "the column "
                  + column
                  + " is no variable of "
                  + options.target()
                  + ", which has "
                  + all
                  + ", and no dimension of "
                  + dimensions);
        }
        written.add(column);
      }
    }
    if (written.isEmpty()) {
      throw new IllegalArgumentException("no column has the name of a variable of " + all);
    }
    for (Member member : members) {
      if (written.contains(member.name())) {
        checkColumn(member);
      }
    }
    return written;
  }

  private void checkColumn(Member member) {
    CellKind kind = CellKind.of(member.decoding());
    if (kind == null) {
      throw new IllegalArgumentException(
          "the array "
              + member.array().path()
              + " of "
              + member.decoding().dataType()
              + " cannot be written from a column");
    }
    NewVariables.dataType(member.name(), Labels.column(rows, member.name()).dataType());
  }

  private DimensionLabels labels(String dimension, List<Member> members) throws IOException {
    long extent =
        members.stream()
            .filter(one -> one.dimensions().contains(dimension))
            .mapToLong(one -> one.array().shape().extent(one.dimensions().indexOf(dimension)))
            .findFirst()
            .orElseThrow();
    Member coordinate =
        members.stream()
            .filter(one -> one.name().equals(dimension))
            .filter(one -> one.dimensions().equals(List.of(dimension)))
            .findFirst()
            .orElse(null);
    boolean grows = dimension.equals(options.text("append"));
    if (grows && options.flag("resume", false)) {
      // a cut commit may have made the arrays longer already, and left the mark
      growth = new Growth(dimension, List.of(), extent, extent);
    }
    String index = INDEX + dimension;
    if (coordinate == null || columns.contains(index)) {
      String column = columns.contains(index) ? index : dimension;
      Labels.column(rows, column);
      String help =
          coordinate == null
              ? longerBy(dimension)
              : "new rows have labels in the column " + dimension + ", and no " + index;
      DimensionLabels labels = DimensionLabels.ofIndices(dimension, column, extent, help);
      return grows ? longer(labels, coordinate) : labels;
    }
    Labels.column(rows, dimension);
    CellKind kind = CellKind.of(coordinate.decoding());
    if (kind == null) {
      throw new IllegalArgumentException(
          "the labels of "
              + dimension
              + " are no values of a column; give the column "
              + index
              + " with indices instead");
    }
    NdArray values = Pull.one(coordinate.array().read().map(coordinate.decoding()::decode));
    List<Object> known = DimensionLabels.labels(kind, values);
    DimensionLabels labels = DimensionLabels.of(dimension, kind, known, longerBy(dimension));
    return grows ? longer(labels, kind, known) : labels;
  }

  private static String longerBy(String dimension) {
    return "the option append=" + dimension + " makes the dimension longer";
  }

  private DimensionLabels longer(DimensionLabels indices, @Nullable Member coordinate) {
    if (coordinate != null) {
      throw new IllegalArgumentException(
          "an append along "
              + indices.name()
              + " needs the labels of its coordinate, not the column "
              + indices.column());
    }
    long end = Math.max(indices.extent(), Labels.end(rows, indices.column()));
    if (end > indices.extent()) {
      growth = new Growth(indices.name(), List.of(), indices.extent(), end);
    }
    return indices.with(end);
  }

  private DimensionLabels longer(DimensionLabels labels, CellKind kind, List<Object> known) {
    Set<Object> others = labels.unknown(Labels.of(rows, labels.column(), kind));
    if (others.isEmpty()) {
      return labels;
    }
    boolean ascends = isSorted(known, kind, false);
    boolean descends = known.size() > 1 && isSorted(known, kind, true) && !ascends;
    List<Object> sorted = Labels.sorted(others, kind, descends);
    if (!known.isEmpty() && (ascends || descends)) {
      Object last = known.get(known.size() - 1);
      if (!isSorted(List.of(last, sorted.get(0)), kind, descends)) {
        throw new IllegalArgumentException(
            "the dimension "
                + labels.name()
                + (ascends ? " ascends to " : " descends to ")
                + kind.text(last)
                + "; the new label "
                + kind.text(sorted.get(0))
                + " would not be behind it, as an append is");
      }
    }
    growth = new Growth(labels.name(), sorted, labels.extent(), labels.extent() + sorted.size());
    return labels.with(sorted);
  }

  private static boolean isSorted(List<Object> labels, CellKind kind, boolean descends) {
    boolean areOfOneKind = labels.stream().map(Object::getClass).distinct().count() <= 1;
    return areOfOneKind
        && labels.stream().distinct().count() == labels.size()
        && Labels.sorted(Set.copyOf(labels), kind, descends).equals(labels);
  }

  /** Refuses an append that leaves out a variable, whose new rows would be fill value. */
  private static void checkAll(Growth growth, List<Member> members, List<String> written) {
    for (Member member : members) {
      boolean isCoordinate = member.name().equals(growth.dimension());
      if (member.dimensions().contains(growth.dimension())
          && !isCoordinate
          && !written.contains(member.name())) {
        throw new IllegalArgumentException(
            "the variable "
                + member.name()
                + " has the dimension "
                + growth.dimension()
                + ", too; an append has values for all of them");
      }
    }
  }

  private boolean isConsolidated(ZarrNode node) throws IOException {
    if (!(node instanceof ZarrGroup group)) {
      return false;
    }
    if (group.metadata().zarrFormat() == 3) {
      return group.metadata().carriesConsolidated();
    }
    return Pull.one(
        hierarchy
            .store()
            .get(NodePath.of(options.group()).key(NodePath.V2_CONSOLIDATED))
            .hasElement()
            .switchIfEmpty(Mono.just(false)));
  }
}
