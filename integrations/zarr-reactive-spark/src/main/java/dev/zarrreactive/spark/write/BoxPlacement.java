package dev.zarrreactive.spark.write;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.jspecify.annotations.Nullable;

/**
 * Finds the chunk or the shard that owns a box of elements. Spark calls it as a function of the
 * array's path, the origin and the shape.
 */
final class BoxPlacement implements UDF1<Row, List<Row>> {
  private static final long serialVersionUID = 1;

  private final ArrayList<ArrayTarget> arrays;
  private transient volatile @Nullable List<ArrayTarget.Units> units;

  BoxPlacement(List<ArrayTarget> arrays) {
    this.arrays = new ArrayList<>(arrays);
  }

  private List<ArrayTarget.Units> units() {
    List<ArrayTarget.Units> known = units;
    if (known == null) {
      known = arrays.stream().map(one -> ArrayTarget.Units.of(one.array().metadata())).toList();
      units = known;
    }
    return known;
  }

  @Override
  public List<Row> call(Row row) {
    String path = row.getString(0);
    for (int a = 0; a < arrays.size(); a++) {
      if (arrays.get(a).array().path().equals(path)) {
        return List.of(
            RowFactory.create(a, unit(path, units().get(a), longs(row, 1), longs(row, 2)), 0));
      }
    }
    throw new IllegalArgumentException(
        "a chunk is of the array " + path + ", which is not written");
  }

  private static long[] longs(Row row, int column) {
    List<Number> all = row.getList(column);
    return all.stream().mapToLong(Number::longValue).toArray();
  }

  private static long unit(String path, ArrayTarget.Units grid, long[] origin, long[] shape) {
    int rank = grid.shape().rank();
    boolean fits = origin.length == rank && shape.length == rank;
    long[] last = new long[rank];
    for (int d = 0; fits && d < rank; d++) {
      last[d] = origin[d] + shape[d] - 1;
      fits = origin[d] >= 0 && shape[d] > 0 && last[d] < grid.shape().extent(d);
    }
    if (!fits) {
      throw refused(path, origin, shape, "is not within the array's shape " + grid.shape());
    }
    long[] chunk = grid.chunkOf(origin);
    if (!Arrays.equals(chunk, grid.chunkOf(last))) {
      throw refused(
          path,
          origin,
          shape,
          "is in several chunks or shards of the array; write cells, or rechunk with a copy");
    }
    return grid.unit(chunk);
  }

  private static IllegalArgumentException refused(
      String path, long[] origin, long[] shape, String why) {
    return new IllegalArgumentException(
        "the chunk of "
            + path
            + " at "
            + Arrays.toString(origin)
            + " with the shape "
            + Arrays.toString(shape)
            + " "
            + why);
  }
}
