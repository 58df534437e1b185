package dev.zarrreactive.spark.write;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Finds the units of work that own a row: of each group of arrays with one grid, the chunk or the
 * shard that has its index. Spark calls it as a function of the columns of the dimensions.
 */
final class Placement implements UDF1<Row, List<Row>> {
  private static final long serialVersionUID = 1;

  /** The columns of a place; {@code place} is that of the cell among the elements of its unit. */
  static final StructType PLACE =
      new StructType()
          .add("group", DataTypes.IntegerType, false)
          .add("unit", DataTypes.LongType, false)
          .add("place", DataTypes.IntegerType, false);

  private final ArrayList<DimensionLabels> labels;
  private final ArrayList<List<ArrayTarget>> groups;
  private transient volatile @Nullable List<ArrayTarget.Units> units;

  /**
   * Creates the function.
   *
   * @param labels the dimensions of a row, in the order of the columns
   * @param groups the arrays, those together that have the same dimensions and chunks
   */
  Placement(List<DimensionLabels> labels, List<List<ArrayTarget>> groups) {
    this.labels = new ArrayList<>(labels);
    this.groups = new ArrayList<>(groups);
  }

  private List<ArrayTarget.Units> units() {
    List<ArrayTarget.Units> known = units;
    if (known == null) {
      known =
          groups.stream()
              .map(group -> ArrayTarget.Units.of(group.get(0).array().metadata()))
              .toList();
      units = known;
    }
    return known;
  }

  @Override
  public List<Row> call(Row row) {
    long[] index = new long[labels.size()];
    for (int d = 0; d < index.length; d++) {
      index[d] = labels.get(d).index(row.get(d));
    }
    List<ArrayTarget.Units> grids = units();
    List<Row> places = new ArrayList<>(grids.size());
    for (int g = 0; g < grids.size(); g++) {
      ArrayTarget.Units grid = grids.get(g);
      List<Integer> dimensions = groups.get(g).get(0).dimensions();
      long[] its = new long[dimensions.size()];
      for (int d = 0; d < its.length; d++) {
        its[d] = index[dimensions.get(d)];
      }
      long[] chunk = grid.chunkOf(its);
      places.add(RowFactory.create(g, grid.unit(chunk), grid.place(chunk, its)));
    }
    return places;
  }
}
