package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.partition.CountedStores;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Conditions on coordinates of two dimensions, as swaths of satellites and regional models have
 * them, leave out the chunks without a cell for which they are true.
 */
class CurvedCoordinatesTest {
  private static final int TIMES = 4;
  private static final int HEIGHT = 24;
  private static final int WIDTH = 30;

  @TempDir static Path directory;

  @BeforeAll
  static void write() {
    TestSpark.session();
    ZarrGroup group =
        requireNonNull(await(Zarr.at(directory.resolve("w").toString()).createGroup()));
    double[] lat = new double[HEIGHT * WIDTH];
    double[] lon = new double[HEIGHT * WIDTH];
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        lat[y * WIDTH + x] = y == 3 && x == 4 ? Double.NaN : lat(y, x);
        lon[x * HEIGHT + y] = lon(y, x);
      }
    }
    Shape shape = Shape.of(HEIGHT, WIDTH);
    create(
        group,
        "lat",
        ArrayMetadata.v3(shape, DataTypes.FLOAT64)
            .chunkShape(24, 30)
            .dimensionNames("y", "x")
            .attributes(JsonObject.EMPTY.with("_FillValue", "NaN")),
        NdArray.ofDoubles(shape, lat));
    Shape turned = Shape.of(WIDTH, HEIGHT);
    create(
        group,
        "lon",
        ArrayMetadata.v3(turned, DataTypes.FLOAT64).chunkShape(30, 24).dimensionNames("x", "y"),
        NdArray.ofDoubles(turned, lon));
    int[] values = new int[TIMES * HEIGHT * WIDTH];
    Arrays.setAll(values, i -> i);
    for (String name : List.of("t", "s")) {
      ArrayMetadataBuilder metadata =
          ArrayMetadata.v3(Shape.of(TIMES, HEIGHT, WIDTH), DataTypes.INT32)
              .dimensionNames("time", "y", "x")
              .attributes(JsonObject.EMPTY.with("coordinates", "lat lon"));
      create(
          group,
          name,
          name.equals("t")
              ? metadata.chunkShape(2, 5, 4)
              : metadata.chunkShape(1, 2, 5).shardShape(2, 8, 10),
          NdArray.ofInts(DataTypes.INT32, Shape.of(TIMES, HEIGHT, WIDTH), values));
    }
  }

  private static double lat(int y, int x) {
    return 40 + y * 0.5 + x * 0.25;
  }

  private static double lon(int y, int x) {
    return x - 0.5 * y;
  }

  private static void create(
      ZarrGroup group, String name, ArrayMetadataBuilder metadata, NdArray values) {
    await(
        group
            .createArray(name, metadata.build())
            .flatMap(array -> array.write(Selection.all(), values)));
  }

  private static Dataset<Row> table(String variable) {
    return TestSpark.zarr()
        .option("variables", variable)
        .option("split-bytes", "2000")
        .load("counted://" + directory.resolve("w"));
  }

  @Sampled
  @Test
  void random_conditions_request_the_chunks_that_have_a_cell_of_theirs() {
    Random random = new Random(63);
    for (int i = 0; i < Cases.some(15, 60); i++) {
      String name = i % 3 == 0 ? "s" : "t";
      double south = 38 + random.nextInt(20);
      double north = south + random.nextInt(6);
      double west = -12 + random.nextInt(40);
      boolean both = random.nextBoolean();
      boolean also = random.nextInt(3) == 0;
      int time = random.nextInt(TIMES);
      List<String> sql = new ArrayList<>();
      sql.add(
          random.nextBoolean()
              ? "lat BETWEEN " + south + "D AND " + north + "D"
              : "NOT (lat < " + south + "D OR lat > " + north + "D)");
      if (both) {
        sql.add("lon >= " + west + "D");
      }
      if (also) {
        sql.add("_index_time = " + time);
      }
      long count = 0;
      long sum = 0;
      Set<String> chunks = new TreeSet<>();
      for (int t = 0; t < TIMES; t++) {
        for (int y = 0; y < HEIGHT; y++) {
          for (int x = 0; x < WIDTH; x++) {
            if (!(y == 3 && x == 4)
                && lat(y, x) >= south
                && lat(y, x) <= north
                && (!both || lon(y, x) >= west)
                && (!also || t == time)) {
              count++;
              sum += (t * HEIGHT + y) * WIDTH + x;
              chunks.add(
                  name.equals("t")
                      ? "t/c/" + t / 2 + "/" + y / 5 + "/" + x / 4
                      : "s/c/" + t / 2 + "/" + y / 8 + "/" + x / 10);
            }
          }
        }
      }
      CountedStores.reset();
      String where = String.join(" AND ", sql);
      Row row =
          TestSpark.only(
              table(name)
                  .where(where)
                  .selectExpr("count(" + name + ")", "coalesce(sum(" + name + "), 0)"));
      assertThat(row.getLong(0)).as(where).isEqualTo(count);
      assertThat(row.getLong(1)).as(where).isEqualTo(sum);
      List<String> requested = CountedStores.chunks(name);
      if (both) { // lon has its dimensions in another order: chunks have a cell of each condition
        assertThat(requested).as(where).containsAll(chunks);
      } else {
        assertThat(new TreeSet<>(requested)).as(where).isEqualTo(chunks);
      }
      if (name.equals("t")) {
        assertThat(requested).as(where).doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void null_and_two_coordinates_of_the_same_dimensions_are_decided() {
    assertThat(table("t").where("lat IS NULL").count()).isEqualTo(TIMES);
    CountedStores.reset();
    assertThat(
            TestSpark.only(table("t").where("lat IS NULL").selectExpr("min(t)", "count(t)"))
                .toString())
        .isEqualTo("[" + (3 * WIDTH + 4) + "," + TIMES + "]");
    assertThat(CountedStores.chunks("t")).containsExactly("t/c/0/0/1", "t/c/1/0/1");
    assertThat(table("t").where("lat > 1000D OR lat < 0D").selectExpr("t").collectAsList())
        .isEmpty();
  }
}
