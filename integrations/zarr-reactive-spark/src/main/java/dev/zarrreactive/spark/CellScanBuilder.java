package dev.zarrreactive.spark;

import dev.zarrreactive.partition.CellMask;
import dev.zarrreactive.partition.IndexBox;
import dev.zarrreactive.partition.IndexRanges;
import dev.zarrreactive.spark.Conditions.Decided;
import dev.zarrreactive.spark.Conditions.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.UserDefinedScalarFunc;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.connector.expressions.aggregate.Sum;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The part of a query that this source does by itself. Conditions on one dimension become indices,
 * exactly, so that Spark need not repeat them; where that would be very many runs of indices, and
 * for coordinates of several dimensions, chunks are left out and Spark decides the rest.
 */
final class CellScanBuilder
    implements ScanBuilder,
        SupportsPushDownV2Filters,
        SupportsPushDownRequiredColumns,
        SupportsPushDownLimit,
        SupportsPushDownAggregates {
  /** More runs of one dimension are not sent with every task. */
  static final int MOST_RUNS = 10_000;

  private final CellTable table;
  private final Conditions conditions;
  private final List<CellMask> masks = new ArrayList<>();
  private IndexBox box;
  private Predicate[] pushed = new Predicate[0];
  private StructType required;
  private long limit = Long.MAX_VALUE;
  private @Nullable LocalScan answer;
  private @Nullable BlockSums reduction;

  CellScanBuilder(CellTable table) {
    this.table = table;
    this.conditions = new Conditions(table);
    this.box = table.selected();
    this.required = table.schema();
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    List<Predicate> left = new ArrayList<>();
    List<Predicate> done = new ArrayList<>();
    for (Predicate predicate : predicates) {
      Decided decided = conditions.decide(predicate);
      IndexRanges found = decided == null ? null : decided.truth().isTrue();
      if (decided == null || found == null) {
        left.add(predicate);
        maskOrWarn(predicate);
      } else if (!decided.isOfOne()) {
        left.add(predicate);
        mask(table.mask(decided));
      } else if (found.runs() > MOST_RUNS) {
        left.add(predicate);
        IndexRanges ends = IndexRanges.of(found.start(0), found.stop(found.runs() - 1));
        box = box.and(decided.dimensions().get(0), ends);
      } else {
        done.add(predicate);
        box = box.and(decided.dimensions().get(0), found);
      }
    }
    pushed = done.toArray(new Predicate[0]);
    return left.toArray(new Predicate[0]);
  }

  /** Leaves out chunks by a condition on several dimensions, or warns of it. */
  private void maskOrWarn(Predicate predicate) {
    List<IndexBox> boxes = conditions.boxes(predicate);
    if (boxes != null && boxes.isEmpty()) {
      box = box.and(0, IndexRanges.none());
      return;
    }
    CellMask mask = boxes == null ? null : table.mask(boxes);
    if (mask == null) {
      warn(predicate, boxes != null);
    } else {
      mask(mask);
    }
  }

  /**
   * Warns of a condition on coordinates alone, unless a rule has done so.
   *
   * @param isNew true where no rule has
   */
  private void warn(Predicate predicate, boolean isNew) {
    List<String> names = new ArrayList<>();
    for (NamedReference reference : predicate.references()) {
      CellColumn column = column(reference);
      if (column == null || column.dimensions().length == 0 || !Conditions.isCoordinate(column)) {
        return;
      }
      names.add(column.name());
    }
    if ((isNew || !table.isWatched()) && !names.isEmpty()) {
      CoordinateRule.warn(table, predicate.toString(), names);
    }
  }

  /** Adds a mask; masks of the same dimensions become one. */
  private void mask(CellMask mask) {
    CellMask all = mask;
    for (CellMask other : masks) {
      all = other.isLike(all) ? all.and(other) : all;
    }
    masks.removeIf(mask::isLike);
    masks.add(all);
    box = all.narrow(box, MOST_RUNS);
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.clone();
  }

  @Override
  public void pruneColumns(StructType requiredSchema) {
    required = requiredSchema;
  }

  @Override
  public boolean pushLimit(int rows) {
    limit = rows;
    return true;
  }

  /** Tasks do not know of each other's rows, so that Spark limits their sum. */
  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  @Override
  public boolean supportCompletePushDown(Aggregation aggregation) {
    return answer(aggregation) != null;
  }

  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    answer = answer(aggregation);
    reduction = answer == null ? reduction(aggregation) : null;
    return answer != null || reduction != null;
  }

  /**
   * Returns what tasks compute of each block, which Spark puts together; null if it must do all.
   */
  private @Nullable BlockSums reduction(Aggregation aggregation) {
    List<BlockSums.Group> groups = new ArrayList<>();
    for (Expression expression : aggregation.groupByExpressions()) {
      BlockSums.Group group = group(expression);
      if (group == null) {
        return null;
      }
      groups.add(group);
    }
    List<BlockSums.Fold> folds = new ArrayList<>();
    for (AggregateFunc function : aggregation.aggregateExpressions()) {
      BlockSums.Fold fold = fold(function);
      if (fold == null || fold.type() == null) {
        return null;
      }
      folds.add(fold);
    }
    return BlockSums.of(groups, folds, table.dimensions().size());
  }

  private BlockSums.@Nullable Group group(Expression expression) {
    LabelFunction function = null;
    Expression of = expression;
    if (expression instanceof UserDefinedScalarFunc call) {
      function = table.functions().find(call.canonicalName());
      of = call.children()[0];
      if (function == null) {
        return null;
      }
    }
    CellColumn column = column(of);
    return column == null ? null : BlockSums.Group.of(column, function);
  }

  private BlockSums.@Nullable Fold fold(AggregateFunc function) {
    if (function instanceof CountStar) {
      return new BlockSums.Fold(BlockSums.Kind.CELLS, null);
    } else if (function instanceof Count count && !count.isDistinct()) {
      return fold(BlockSums.Kind.COUNT, count.column());
    } else if (function instanceof Sum sum && !sum.isDistinct()) {
      return fold(BlockSums.Kind.SUM, sum.column());
    } else if (function instanceof Min min) {
      return fold(BlockSums.Kind.MIN, min.column());
    }
    return function instanceof Max max ? fold(BlockSums.Kind.MAX, max.column()) : null;
  }

  private BlockSums.@Nullable Fold fold(BlockSums.Kind kind, Expression expression) {
    CellColumn column = column(expression);
    return column == null ? null : new BlockSums.Fold(kind, column);
  }

  /** Returns the only row, from the coordinates; null if cells must be read for it. */
  private @Nullable LocalScan answer(Aggregation aggregation) {
    if (aggregation.groupByExpressions().length > 0) {
      return null;
    }
    AggregateFunc[] functions = aggregation.aggregateExpressions();
    @Nullable Object[] values = new Object[functions.length];
    StructType schema = new StructType();
    for (int i = 0; i < functions.length; i++) {
      DataType type;
      if (functions[i] instanceof CountStar) {
        type = DataTypes.LongType;
        values[i] = box.cells();
      } else {
        boolean isMin = functions[i] instanceof Min;
        CellColumn column =
            functions[i] instanceof Min min
                ? column(min.column())
                : functions[i] instanceof Max max ? column(max.column()) : null;
        if (column == null || column.dimensions().length != 1) {
          return null;
        }
        type = column.type();
        IndexRanges left = box.dimensions().get(column.dimensions()[0]);
        if (column.source() == null) {
          values[i] =
              box.cells() == 0 ? null : isMin ? left.start(0) : left.stop(left.runs() - 1) - 1;
        } else {
          Labels labels = conditions.labels(column);
          if (labels == null) {
            return null;
          }
          OptionalInt found =
              box.cells() == 0
                  ? OptionalInt.empty()
                  : isMin ? labels.order().least(left) : labels.order().greatest(left);
          values[i] = found.isEmpty() ? null : labels.values().value(found.getAsInt());
        }
      }
      schema = schema.add((functions[i] instanceof CountStar ? "count" : "extreme") + i, type);
    }
    return new Answer(schema, new GenericInternalRow(values));
  }

  private @Nullable CellColumn column(Expression expression) {
    return expression instanceof NamedReference reference && reference.fieldNames().length == 1
        ? table.column(reference.fieldNames()[0])
        : null;
  }

  @Override
  public Scan build() {
    return answer != null
        ? answer
        : new CellScan(table, conditions, required, box, masks, limit, List.of(pushed), reduction);
  }

  /** One row that is known without a task. */
  private record Answer(StructType schema, InternalRow row) implements LocalScan {
    @Override
    public StructType readSchema() {
      return schema;
    }

    @Override
    public InternalRow[] rows() {
      return new InternalRow[] {row};
    }

    @Override
    public String description() {
      return "zarr, answered from the coordinates";
    }
  }
}
