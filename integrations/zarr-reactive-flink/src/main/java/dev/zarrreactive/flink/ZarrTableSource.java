package dev.zarrreactive.flink;

import dev.zarrreactive.partition.IndexBox;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.connector.source.abilities.SupportsFilterPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.types.DataType;

/**
 * The part of a query that the source does by itself: it reads the columns that are asked for, and
 * leaves out chunks by conditions on coordinates. Flink applies each condition again, so that its
 * own rules of comparison decide.
 */
final class ZarrTableSource
    implements ScanTableSource, SupportsProjectionPushDown, SupportsFilterPushDown {
  private final ZarrTable table;
  private List<String> names;
  private IndexBox box;

  ZarrTableSource(ZarrTable table, List<String> names, IndexBox box) {
    this.table = table;
    this.names = List.copyOf(names);
    this.box = box;
  }

  @Override
  public ChangelogMode getChangelogMode() {
    return ChangelogMode.insertOnly();
  }

  @Override
  public boolean supportsNestedProjection() {
    return false;
  }

  @Override
  public void applyProjection(int[][] projected, DataType produced) {
    List<String> some = new ArrayList<>();
    for (int[] path : projected) {
      some.add(names.get(path[0]));
    }
    names = List.copyOf(some);
  }

  @Override
  public Result applyFilters(List<ResolvedExpression> filters) {
    CoordinateConditions conditions = new CoordinateConditions(table);
    List<ResolvedExpression> used = new ArrayList<>();
    for (ResolvedExpression filter : filters) {
      CoordinateConditions.Decided decided = conditions.decide(filter);
      if (decided != null) {
        box = box.and(decided.dimension(), decided.truth().isTrue());
        used.add(filter);
      }
    }
    return Result.of(used, filters);
  }

  @Override
  public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
    return SourceProvider.of(table.source(names, box));
  }

  @Override
  public DynamicTableSource copy() {
    return new ZarrTableSource(table, names, box);
  }

  @Override
  public String asSummaryString() {
    return "zarr " + table.options().store().location();
  }
}
