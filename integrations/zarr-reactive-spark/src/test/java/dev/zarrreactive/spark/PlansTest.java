package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.partition.CountedStores;
import dev.zarrreactive.partition.Weather;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.ColumnStat;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spark plans with sizes, rows, hosts and splits that follow from metadata and coordinates. */
class PlansTest {
  @TempDir static Path directory;

  @BeforeAll
  static void write() {
    TestSpark.session();
    Weather.write(directory.resolve("w.zarr"));
  }

  private static DataFrameReader reader() {
    return TestSpark.zarr().option("variables", "t");
  }

  private static Dataset<Row> table() {
    return reader().load("counted://" + directory.resolve("w.zarr"));
  }

  private static Statistics statistics(Dataset<Row> rows) {
    LogicalPlan leaf = rows.queryExecution().optimizedPlan().collectLeaves().apply(0);
    return leaf.stats();
  }

  @Test
  void statistics_are_of_the_cells_and_columns_that_are_left() {
    Statistics all = statistics(table().select("t"));
    assertThat(all.rowCount().get().toLong()).isEqualTo(2880);
    assertThat(all.sizeInBytes().toLong()).isEqualTo(2880 * 4);
    Statistics some = statistics(table().where("lat > 50").select("t", "lat"));
    assertThat(some.rowCount().get().toLong()).isEqualTo(4 * 24 * 10);
    assertThat(some.sizeInBytes().toLong()).isEqualTo(4 * 24 * 10 * 12);
    assertThat(statistics(table().where("lat > 99")).rowCount().get().toLong()).isZero();
  }

  private static void withEstimates(Runnable test) {
    TestSpark.session().conf().set("spark.sql.cbo.enabled", "true");
    try {
      test.run();
    } finally {
      TestSpark.session().conf().unset("spark.sql.cbo.enabled");
    }
  }

  private static String estimate(Dataset<Row> rows, String column) {
    LogicalPlan leaf = rows.queryExecution().optimizedPlan().collectLeaves().apply(0);
    var stats = leaf.stats().attributeStats();
    for (int i = 0; i < leaf.output().size(); i++) {
      Attribute attribute = leaf.output().apply(i);
      if (attribute.name().equals(column) && stats.contains(attribute)) {
        ColumnStat of = (ColumnStat) stats.apply(attribute);
        return of.distinctCount().get()
            + " "
            + (of.min().isEmpty() ? "-" : of.min().get())
            + " "
            + (of.max().isEmpty() ? "-" : of.max().get())
            + " "
            + of.nullCount().get();
      }
    }
    return "nothing";
  }

  @Test
  void estimates_of_coordinates_are_exact_where_spark_is_set_to_use_them() {
    withEstimates(
        () -> {
          Dataset<Row> all = table().selectExpr("*", "_index_lat");
          assertThat(estimate(all, "lat")).isEqualTo("12 32.5 60.0 0");
          assertThat(estimate(all, "_index_lat")).isEqualTo("12 0 11 0");
          assertThat(estimate(all, "station")).isEqualTo("10 - - 0");
          assertThat(estimate(all, "time")).isEqualTo("nothing");
          assertThat(estimate(all, "t")).isEqualTo("nothing");
          assertThat(estimate(all.where("lat > 50 AND time < '2020-01-03'"), "lat"))
              .isEqualTo("4 52.5 60.0 0");
          assertThat(
                  estimate(
                      reader()
                          .option("times", "timestamp")
                          .load(directory.resolve("w.zarr").toString()),
                      "time"))
              .isEqualTo("24 1577836800000000 1578333600000000 0");
        });
    CountedStores.reset();
    assertThat(estimate(table(), "lat")).isEqualTo("nothing");
    assertThat(CountedStores.chunks("lat")).isEmpty();
  }

  private static long joined(String on) {
    Dataset<Row> one = table().where("lat > 50").as("one");
    Dataset<Row> other = table().where("_index_time < 3").as("other");
    return one.join(other, functions.expr(on))
        .where("one.time > '2020-01-01' AND other.lat + one.lat > 100")
        .count();
  }

  @Test
  void joins_with_estimates_have_the_rows_of_those_without() {
    for (String column : List.of("time", "lat", "station")) {
      String on = "one." + column + " = other." + column;
      long expected = joined(on);
      assertThat(expected).isPositive();
      withEstimates(() -> assertThat(joined(on)).isEqualTo(expected));
    }
  }

  @Test
  void a_table_of_few_cells_is_sent_to_all_tasks_of_a_join() {
    Dataset<Row> few = table().where("lat = 60 AND time < TIMESTAMP_NTZ '2020-01-02'");
    String plan = table().join(few, "station").queryExecution().executedPlan().toString();
    assertThat(plan).contains("BroadcastHashJoin");
  }

  @Test
  void splits_prefer_hosts() {
    for (String mode : List.of("cells", "chunks")) {
      RDD<?> rows =
          reader()
              .option("mode", mode)
              .option("split-bytes", "300")
              .option("hosts", "near-1, near-2,near-3")
              .load(directory.resolve("w.zarr").toString())
              .queryExecution()
              .toRdd();
      while (!rows.dependencies().isEmpty()) { // the scheduler asks those that a stage begins with
        rows = rows.dependencies().apply(0).rdd();
      }
      Set<String> found = new TreeSet<>();
      for (int i = 0; i < rows.partitions().length; i++) {
        List<String> hosts =
            scala.jdk.javaapi.CollectionConverters.asJava(
                rows.preferredLocations(rows.partitions()[i]));
        assertThat(hosts).hasSize(2).doesNotHaveDuplicates();
        found.addAll(hosts);
      }
      assertThat(found).containsExactly("near-1", "near-2", "near-3");
    }
  }

  @Test
  void a_million_chunks_are_at_most_4096_tasks_without_a_request_for_data() {
    Path file = directory.resolve("million.zarr");
    await(
        Zarr.at(file.toString())
            .createArray(
                ArrayMetadata.v3(Shape.of(10_000, 10_000), DataTypes.FLOAT32)
                    .chunkShape(10, 10)
                    .build()));
    CountedStores.reset();
    Dataset<Row> table = TestSpark.zarr().option("split-bytes", "1000").load("counted://" + file);
    assertThat(table.queryExecution().toRdd().getNumPartitions()).isBetween(2000, 4096);
    assertThat(table.count()).isEqualTo(100_000_000);
    assertThat(table.where("_index_dim_0 < 20").count()).isEqualTo(200_000);
    assertThat(CountedStores.all()).noneMatch(key -> key.startsWith("c/")).contains("zarr.json");
  }

  @Test
  void tasks_ask_for_no_metadata() {
    Dataset<Row> table = table();
    table.schema();
    CountedStores.reset();
    assertThat(new ArrayList<>(table.select("t", "station").collectAsList())).hasSize(2880);
    assertThat(CountedStores.all()).isNotEmpty().allMatch(key -> key.contains("/c/"));
  }
}
