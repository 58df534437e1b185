package dev.zarrreactive.spark;

import dev.zarrreactive.partitioning.IndexBox;
import dev.zarrreactive.partitioning.SplitPlan;
import dev.zarrreactive.partitioning.SplitPlanner;
import dev.zarrreactive.spark.Conditions.Decided;
import dev.zarrreactive.spark.bridge.Pull;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.types.StructType;

/** The cells that a query reads, as splits. */
final class CellScan implements Scan, Batch, SupportsReportStatistics, SupportsRuntimeV2Filtering {
  private final CellTable table;
  private final Conditions conditions;
  private final StructType required;
  private final List<CellColumn> columns = new ArrayList<>();
  private final long limit;
  private final List<Predicate> pushed;
  private IndexBox box;

  CellScan(
      CellTable table,
      Conditions conditions,
      StructType required,
      IndexBox box,
      long limit,
      List<Predicate> pushed) {
    this.table = table;
    this.conditions = conditions;
    this.box = box;
    this.limit = limit;
    this.pushed = pushed;
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

  /** The cells of one task. */
  record CellPartition(IndexBox box) implements InputPartition {
    private static final long serialVersionUID = 1;
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
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  private double bytesPerCell() {
    return columns.stream().mapToInt(CellColumn::itemSize).sum();
  }

  @Override
  public InputPartition[] planInputPartitions() {
    GridSource.Edges edges;
    try {
      edges = Pull.one(table.grid(columns).edges(table.hierarchy()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    TableOptions options = table.options();
    SplitPlan plan =
        new SplitPlanner(Math.max(1, bytesPerCell()), options.splitBytes(), options.maxSplits())
            .plan(edges.chunks(), box)
            .first(limit);
    return plan.splits().stream().map(CellPartition::new).toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new CellReaderFactory(
        table.options(),
        List.copyOf(columns),
        table.grid(columns),
        table.dimensions().size(),
        bytesPerCell(),
        limit);
  }

  @Override
  public Statistics estimateStatistics() {
    long cells = Math.min(box.cells(), limit);
    double bytes = cells * Math.max(1, bytesPerCell());
    return new Statistics() {
      @Override
      public OptionalLong sizeInBytes() {
        return OptionalLong.of((long) bytes);
      }

      @Override
      public OptionalLong numRows() {
        return OptionalLong.of(cells);
      }
    };
  }

  @Override
  public NamedReference[] filterAttributes() {
    return columns.stream()
        .filter(column -> column.dimensions().length == 1)
        .map(column -> Expressions.column("`" + column.name().replace("`", "``") + "`"))
        .toArray(NamedReference[]::new);
  }

  /** Leaves out cells by values that another part of the query has found. */
  @Override
  public void filter(Predicate[] predicates) {
    for (Predicate predicate : predicates) {
      Decided decided = conditions.decide(predicate);
      if (decided != null && decided.truth().isTrue().runs() <= CellScanBuilder.MOST_RUNS) {
        box = box.and(decided.dimension(), decided.truth().isTrue());
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
            .toList();
  }

  /** Spark reuses the result of an equal scan. */
  @Override
  public boolean equals(Object other) {
    return other instanceof CellScan that
        && table.options().equals(that.table.options())
        && required.equals(that.required)
        && limit == that.limit
        && box.equals(that.box);
  }

  @Override
  public int hashCode() {
    return Arrays.asList(table.options(), required, box).hashCode();
  }
}
