package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.partition.CountedStores;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Points are joined with the cells of the nearest labels, from the chunks that have them. */
class PointsTest {
  private static final int TIMES = 4;
  private static final int LATS = 8;
  private static final int LONS = 12;

  @TempDir static Path directory;

  private static String location;

  @BeforeAll
  static void write() {
    TestSpark.session();
    Path path = directory.resolve("grid.zarr");
    double[] lats = new double[LATS];
    Arrays.setAll(lats, i -> 60 - 2.5 * i);
    double[] lons = new double[LONS];
    Arrays.setAll(lons, i -> 5 + 1.5 * i);
    int[] values = new int[TIMES * LATS * LONS];
    Arrays.setAll(values, i -> i);
    Shape shape = Shape.of(TIMES, LATS, LONS);
    await(
        dev.zarrreactive.dataset.Dataset.builder()
            .coordinate("lat", NdArray.ofDoubles(Shape.of(LATS), lats))
            .coordinate("lon", NdArray.ofDoubles(Shape.of(LONS), lons))
            .variable(
                "t",
                List.of("time", "lat", "lon"),
                NdArray.ofInts(DataTypes.INT32, shape, values),
                t -> t.chunkShape(2, 2, 3))
            .write(Zarr.at(path.toString())));
    location = "counted://" + path;
  }

  private static Dataset<Row> cells() {
    return TestSpark.zarr().load(location);
  }

  private static Dataset<Row> stations() {
    SparkSession spark = TestSpark.session();
    return spark.sql(
        "SELECT * FROM VALUES ('Wien', 48.2D, 16.4D), ('Berlin', 52.5D, 13.4D),"
            + " ('far', 10.0D, 16.4D), ('none', CAST(NULL AS DOUBLE), 16.4D),"
            + " ('between', 51.25D, 5.75D), ('Wien again', 48.2D, 16.4D)"
            + " AS stations(name, latitude, lon)");
  }

  private static int value(int time, int lat, int lon) {
    return (time * LATS + lat) * LONS + lon;
  }

  @Test
  void stations_get_the_cells_with_the_nearest_labels_from_their_chunks() {
    Dataset<Row> joined =
        ZarrPoints.nearest(cells(), stations(), Map.of("lat", "latitude", "lon", "lon"), 1.5);
    assertThat(joined.columns())
        .containsExactlyInAnyOrder("time", "lat", "lon", "t", "name", "latitude", "point_lon");
    CountedStores.reset();
    List<Row> rows =
        joined.select("name", "time", "t", "lat", "lon").orderBy("name", "time").collectAsList();
    assertThat(new TreeSet<>(CountedStores.chunks("t")))
        .isEqualTo(
            new TreeSet<>(
                Set.of(
                    "t/c/0/2/2", "t/c/1/2/2", "t/c/0/1/2", "t/c/1/1/2", "t/c/0/1/0", "t/c/1/1/0")));
    Map<String, int[]> places =
        // 51.25 is equally near to 52.5 and 50, and 5.75 to 5 and 6.5
        Map.of(
            "Berlin", new int[] {3, 6},
            "Wien", new int[] {5, 8},
            "Wien again", new int[] {5, 8},
            "between", new int[] {3, 1});
    assertThat(rows).hasSize(4 * TIMES);
    int at = 0;
    for (String name : List.of("Berlin", "Wien", "Wien again", "between")) {
      int[] place = places.get(name);
      for (int time = 0; time < TIMES; time++) {
        Row row = rows.get(at++);
        assertThat(row.getString(0)).isEqualTo(name);
        assertThat(row.getInt(2)).isEqualTo(value(time, place[0], place[1]));
        assertThat(row.getDouble(3)).isEqualTo(60 - 2.5 * place[0]);
        assertThat(row.getDouble(4)).isEqualTo(5 + 1.5 * place[1]);
      }
    }
  }

  @Test
  void random_points_get_what_a_search_finds() {
    Random random = new Random(7);
    SparkSession spark = TestSpark.session();
    StringBuilder values = new StringBuilder();
    int points = 40;
    double[][] at = new double[points][];
    for (int i = 0; i < points; i++) {
      at[i] = new double[] {38 + random.nextInt(250) / 10.0, 3 + random.nextInt(220) / 10.0};
      values.append(i == 0 ? "" : ", ").append("(%d, %sD, %sD)".formatted(i, at[i][0], at[i][1]));
    }
    Dataset<Row> table = spark.sql("SELECT * FROM VALUES " + values + " AS p(id, y, x)");
    List<Row> rows =
        ZarrPoints.nearest(cells().where("time = 2"), table, Map.of("lat", "y", "lon", "x"))
            .select("id", "t")
            .collectAsList();
    assertThat(rows).hasSize(points);
    for (Row row : rows) {
      double[] point = at[row.getInt(0)];
      int lat = nearest(point[0], i -> 60 - 2.5 * i, LATS);
      int lon = nearest(point[1], i -> 5 + 1.5 * i, LONS);
      assertThat(row.getInt(1)).as(Arrays.toString(point)).isEqualTo(value(2, lat, lon));
    }
  }

  /** The index of the nearest label, of the greater one where two are equally near. */
  private static int nearest(double value, java.util.function.IntToDoubleFunction label, int size) {
    int best = 0;
    for (int i = 1; i < size; i++) {
      double distance = Math.abs(label.applyAsDouble(i) - value);
      double known = Math.abs(label.applyAsDouble(best) - value);
      if (distance < known
          || (distance == known && label.applyAsDouble(i) > label.applyAsDouble(best))) {
        best = i;
      }
    }
    return best;
  }

  @Test
  void a_mask_of_regions_gives_each_cell_its_region() {
    SparkSession spark = TestSpark.session();
    Dataset<Row> mask =
        spark.sql(
            "SELECT 60 - 2.5D * y AS lat, 5 + 1.5D * x AS lon, IF(x < 3, 'west', 'east') AS region"
                + " FROM (SELECT id AS y FROM range(0, 2)) CROSS JOIN"
                + " (SELECT id AS x FROM range(1, 5))");
    CountedStores.reset();
    List<Row> sums =
        ZarrPoints.nearest(cells().where("time = 0"), mask, Map.of("lat", "lat", "lon", "lon"), 0)
            .groupBy("region")
            .agg(org.apache.spark.sql.functions.expr("sum(t)"))
            .orderBy("region")
            .collectAsList();
    assertThat(CountedStores.chunks("t")).containsExactlyInAnyOrder("t/c/0/0/0", "t/c/0/0/1");
    assertThat(sums.get(0).getLong(1))
        .isEqualTo(value(0, 0, 3) + value(0, 0, 4) + value(0, 1, 3) + value(0, 1, 4));
    assertThat(sums.get(1).getLong(1))
        .isEqualTo(value(0, 0, 1) + value(0, 0, 2) + value(0, 1, 1) + value(0, 1, 2));
  }

  @Test
  void more_places_than_conditions_are_bounded_by_each_dimension() {
    SparkSession spark = TestSpark.session();
    Dataset<Row> mask =
        spark.sql(
            "SELECT CAST(id % 4 AS INT) AS time, 60 - 2.5D * (id DIV 4 % 4) AS lat,"
                + " 5 + 1.5D * (id DIV 16 % 12) AS lon FROM range(0, 192)");
    Dataset<Row> joined =
        ZarrPoints.nearest(cells(), mask, Map.of("lat", "lat", "lon", "lon", "time", "time"));
    assertThat(joined.count()).isEqualTo(192);
  }

  @Test
  void what_are_no_points_is_refused() {
    assertThatThrownBy(() -> ZarrPoints.nearest(stations(), stations(), Map.of("lat", "lon")))
        .hasMessageContaining("one table of cells");
    assertThatThrownBy(() -> ZarrPoints.nearest(cells(), stations(), Map.of("lat", "y")))
        .hasMessageContaining("no column y");
    assertThatThrownBy(() -> ZarrPoints.nearest(cells(), stations(), Map.of("y", "lon")))
        .hasMessageContaining("no dimension y, but [time, lat, lon]");
    assertThatThrownBy(() -> ZarrPoints.nearest(cells(), stations(), Map.of("lat", "name")))
        .hasMessageContaining("not numbers");
    assertThatThrownBy(() -> ZarrPoints.nearest(cells(), stations(), Map.of("lat", "lon"), -1))
        .hasMessageContaining("tolerance");
  }

  @Test
  void the_sample_of_the_page_gives_a_mean_for_each_station() {
    Dataset<Row> cells = cells().withColumnRenamed("t", "t2m");
    Dataset<Row> stations = stations().withColumnRenamed("lon", "longitude");
    double tolerance = 1.5;
    // docs: spark-points
    Dataset<Row> atStations =
        ZarrPoints.nearest(
            cells, stations, Map.of("lat", "latitude", "lon", "longitude"), tolerance);
    Dataset<Row> means = atStations.groupBy("name").avg("t2m");
    // docs: end
    assertThat(means.orderBy("name").collectAsList().get(0).getDouble(1))
        .isEqualTo((value(0, 3, 6) + value(3, 3, 6)) / 2.0);
  }
}
