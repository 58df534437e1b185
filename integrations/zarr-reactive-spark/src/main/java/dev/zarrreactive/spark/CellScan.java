package dev.zarrreactive.spark;

import dev.zarrreactive.partition.CellMask;
import dev.zarrreactive.partition.GridSource;
import dev.zarrreactive.partition.IndexBox;
import dev.zarrreactive.partition.Pull;
import dev.zarrreactive.partition.SplitPlan;
import dev.zarrreactive.partition.SplitPlanner;
import dev.zarrreactive.spark.Conditions.Decided;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The cells that a query reads, as splits. */
final class CellScan implements Scan, Batch, SupportsReportStatistics, SupportsRuntimeV2Filtering {
  /** Spark takes any of the hosts. */
  static final int MOST_HOSTS = 2;

  private final CellTable table;
  private final Conditions conditions;
  private final StructType required;
  private final List<CellColumn> columns = new ArrayList<>();
  private final long limit;
  private final List<Predicate> pushed;
  private final List<CellMask> masks;
  private final @Nullable BlockSums reduction;
  private IndexBox box;

  CellScan(
      CellTable table,
      Conditions conditions,
      StructType required,
      IndexBox box,
      List<CellMask> masks,
      long limit,
      List<Predicate> pushed,
      @Nullable BlockSums reduction) {
    this.table = table;
    this.conditions = conditions;
    this.box = box;
    this.masks = List.copyOf(masks);
    this.limit = limit;
    this.pushed = pushed;
    this.reduction = reduction;
    if (reduction != null) {
      columns.addAll(reduction.columns());
      this.required = reduction.schema();
      return;
    }
    for (String name : required.fieldNames()) {
      columns.add(Objects.requireNonNull(table.column(name), name));
    }
    // structs are read whole, also where a query wants one of their fields
    StructType whole = new StructType();
    for (CellColumn column : columns) {
      whole = whole.add(column.name(), column.type(), CellTable.isNullable(column));
    }
    this.required = whole;
  }

  /**
   * The cells of one task.
   *
   * @param box all of them, and maybe others
   * @param parts the cells that are read
   * @param hosts the hosts that Spark prefers for the task
   */
  record CellPartition(IndexBox box, List<IndexBox> parts, List<String> hosts)
      implements InputPartition {
    private static final long serialVersionUID = 1;

    @Override
    public String[] preferredLocations() {
      return hosts.toArray(String[]::new);
    }
  }

  CellTable table() {
    return table;
  }

  /** Returns true for a scan of all cells of its box, of which nothing is computed yet. */
  boolean isOfCells() {
    return reduction == null && masks.isEmpty() && limit == Long.MAX_VALUE;
  }

  /** Returns a scan of what tasks compute of the same cells. */
  CellScan reduced(BlockSums sums) {
    return new CellScan(table, conditions, required, box, masks, limit, pushed, sums);
  }

  @Override
  public StructType readSchema() {
    return required;
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
    FollowedTable followed = new FollowedTable(table.options(), required);
    table.extent(table.options().follow()); // refuses a name that is no dimension
    return followed;
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  /** The bytes of a cell in rows of Spark. */
  private double bytesPerRow() {
    return columns.stream().mapToInt(CellColumn::itemSize).sum();
  }

  /** The bytes of a cell in batches, in which coordinates are not repeated; at least one. */
  private double bytesPerCell() {
    int rank = table.dimensions().size();
    return Math.max(
        1,
        columns.stream()
            .mapToInt(column -> column.dimensions().length == rank ? column.itemSize() : 1)
            .sum());
  }

  @Override
  public InputPartition[] planInputPartitions() {
    GridSource.Edges edges = edges();
    TableOptions options = table.options();
    SplitPlan plan =
        new SplitPlanner(bytesPerCell(), options.splitBytes(), options.maxSplits())
            .plan(edges.chunks(), box)
            .first(limit);
    List<CellMask.Survivors> survivors =
        masks.stream().map(mask -> mask.survivors(edges.chunks(), box)).toList();
    List<InputPartition> partitions = new ArrayList<>();
    for (IndexBox split : plan.splits()) {
      List<IndexBox> parts = List.of(split);
      for (CellMask.Survivors some : survivors) {
        parts = parts.stream().flatMap(part -> some.parts(part).stream()).toList();
      }
      if (!parts.isEmpty()) {
        partitions.add(
            new CellPartition(split, parts, options.hosts().of(edges.chunks(), split, MOST_HOSTS)));
      }
    }
    return partitions.toArray(new InputPartition[0]);
  }

  private GridSource.Edges edges() {
    try {
      return Pull.one(table.grid(columns).edges(table.hierarchy()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public CellReaderFactory createReaderFactory() {
    return new CellReaderFactory(
        table.options(),
        List.copyOf(columns),
        table.grid(columns),
        table.dimensions().size(),
        bytesPerCell(),
        limit,
        reduction);
  }

  /** Reads labels for the estimates of columns only where Spark is set to use them. */
  @Override
  public Statistics estimateStatistics() {
    double share = 1;
    for (CellMask mask : masks) {
      share *= (double) mask.count(box) / Math.max(1, box.cells());
    }
    long cells = Math.min((long) Math.ceil(box.cells() * share), limit);
    boolean isAsked = SQLConf.get().cboEnabled() && reduction == null;
    return new CellStatistics(
        cells,
        (long) (cells * Math.max(1, bytesPerRow())),
        isAsked ? CellStatistics.of(columns, conditions, box) : Map.of());
  }

  /** The name of a column, as Spark writes it. */
  static NamedReference reference(CellColumn column) {
    return Expressions.column("`" + column.name().replace("`", "``") + "`");
  }

  @Override
  public NamedReference[] filterAttributes() {
    if (reduction != null) {
      return new NamedReference[0];
    }
    return columns.stream()
        .filter(column -> column.dimensions().length == 1)
        .map(CellScan::reference)
        .toArray(NamedReference[]::new);
  }

  /** Leaves out cells by values that another part of the query has found. */
  @Override
  public void filter(Predicate[] predicates) {
    for (Predicate predicate : predicates) {
      Decided decided = conditions.decide(predicate);
      if (decided != null
          && decided.isOfOne()
          && decided.truth().isTrue().runs() <= CellScanBuilder.MOST_RUNS) {
        box = box.and(decided.dimensions().get(0), decided.truth().isTrue());
      }
    }
  }

  @Override
  public String description() {
    return table.name()
        + " cells "
        + table.dimensions()
        + ", PushedFilters: "
        + pushed
        + ", indices: "
        + box.dimensions().stream()
            .map(indices -> indices.runs() > 4 ? indices.count() + " indices" : indices.toString())
            .toList()
        + (reduction == null
            ? ""
            : ", PushedAggregates: " + reduction.folds() + ", PushedGroups: " + reduction.groups());
  }

  /** Spark reuses the result of an equal scan. */
  @Override
  public boolean equals(Object other) {
    return other instanceof CellScan that
        && table.options().equals(that.table.options())
        && required.equals(that.required)
        && limit == that.limit
        && Objects.equals(reduction, that.reduction)
        && masks.equals(that.masks)
        && box.equals(that.box);
  }

  @Override
  public int hashCode() {
    return Arrays.asList(table.options(), required, masks, box).hashCode();
  }
}
