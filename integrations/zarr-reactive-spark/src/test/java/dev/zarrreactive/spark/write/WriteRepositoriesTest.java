package dev.zarrreactive.spark.write;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSession;
import dev.zarrreactive.icechunk.IcechunkSnapshot;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.file.FileSystemStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A write to a branch of an Icechunk repository is one commit, or nothing. */
class WriteRepositoriesTest extends WritesInDirectory {
  private static final AtomicInteger CALLS = new AtomicInteger();

  private IcechunkRepository repository;
  private String main;

  @BeforeEach
  void create() {
    repository = await(Icechunk.create(FileSystemStore.open(directory.resolve("repo"))));
    main = at("repo") + "|icechunk:";
  }

  private org.apache.spark.sql.Dataset<Row> cells(int fromDay, int toDay) {
    return spark.sql(
        "SELECT TIMESTAMP_NTZ '2020-01-01' + make_dt_interval(CAST(d AS INT)) AS time,"
            + " CAST(60 - 2.5 * l AS DOUBLE) AS lat,"
            + " CAST(d * 100 + l AS FLOAT) AS t, CAST(d AS INT) AS n"
            + " FROM (SELECT id AS d, explode(sequence(0L, 5L)) AS l FROM range("
            + fromDay
            + ", "
            + toDay
            + "))");
  }

  private void write(org.apache.spark.sql.Dataset<Row> cells, String location) {
    zarr(cells)
        .option("dimensions", "time,lat")
        .option("descending", "lat")
        .option("chunk-shape", "4,3")
        .option("message", "ten days")
        .save(location);
  }

  private org.apache.spark.sql.Dataset<Row> table(String location) {
    return spark.read().format("zarr").load(location).select("time", "lat", "t", "n");
  }

  private void assertHas(String location, org.apache.spark.sql.Dataset<Row> cells) {
    assertSame(table(location), cells);
  }

  private List<IcechunkSnapshot> history(String branch) {
    return requireNonNull(
        await(
            repository
                .refresh()
                .flatMapMany(now -> now.history(IcechunkVersion.branch(branch)))
                .collectList()));
  }

  private List<String> messages() {
    return history("main").stream().map(IcechunkSnapshot::message).toList();
  }

  @Test
  void a_new_dataset_is_one_commit_and_an_append_is_the_next() {
    write(cells(0, 10), main);
    assertHas(main, cells(0, 10));
    assertThat(messages()).containsExactly("ten days", "Repository initialized");
    String before = history("main").get(0).id();
    zarr(cells(10, 17))
        .mode(SaveMode.Append)
        .option("append", "time")
        .option("message", "a week")
        .save(main);
    assertHas(main, cells(0, 17));
    assertThat(messages()).containsExactly("a week", "ten days", "Repository initialized");
    assertHas(at("repo") + "|icechunk://" + before, cells(0, 10));
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.at(main))));
    assertThat(dataset.sizes()).containsEntry("time", 17L).containsEntry("lat", 6L);
    assertThat(dataset.group().metadata().carriesConsolidated()).isFalse();
    JsonObject metadata = history("main").get(0).metadata();
    assertThat(metadata.get("spark.app.id"))
        .hasToString("\"" + spark.sparkContext().applicationId() + "\"");
    assertThat(requireNonNull(await(repository.checkHistory().collectList())))
        .noneMatch(finding -> finding.isFault());
  }

  @Test
  void a_part_of_the_cells_is_replaced_by_one_commit() {
    write(cells(0, 10), main);
    zarr(cells(3, 5).where("lat > 54").selectExpr("time", "lat", "t + 1 AS t"))
        .mode(SaveMode.Append)
        .option("message", "corrected")
        .save(main);
    Row sum = table(main).selectExpr("sum(t)", "sum(IF(lat > 54, t, 0))", "sum(n)").first();
    Row before = cells(0, 10).selectExpr("sum(t)", "sum(IF(lat > 54, t, 0))", "sum(n)").first();
    assertThat(sum.getDouble(0)).isEqualTo(before.getDouble(0) + 6);
    assertThat(sum.getDouble(1)).isEqualTo(before.getDouble(1) + 6);
    assertThat(sum.getLong(2)).isEqualTo(before.getLong(2));
    assertThat(messages()).containsExactly("corrected", "ten days", "Repository initialized");
  }

  @Test
  void an_overwrite_is_one_commit_and_the_version_before_stays() {
    write(cells(0, 10), main);
    String before = history("main").get(0).id();
    zarr(cells(20, 23))
        .mode(SaveMode.Overwrite)
        .option("dimensions", "time,lat")
        .option("descending", "lat")
        .option("message", "others")
        .save(main);
    assertHas(main, cells(20, 23));
    assertHas(at("repo") + "|icechunk://" + before, cells(0, 10));
    assertThat(messages()).containsExactly("others", "ten days", "Repository initialized");
  }

  @Test
  void modes_hold_and_a_group_and_a_path_lie_in_the_repository() {
    String below = at("repo") + "|icechunk://branch.main/years/a";
    write(cells(0, 10), below);
    assertHas(below, cells(0, 10));
    assertThatThrownBy(() -> write(cells(0, 10), below))
        .hasMessageContaining("an array or a group is at");
    zarr(cells(0, 3)).mode(SaveMode.Ignore).option("dimensions", "time,lat").save(below);
    zarr(cells(10, 12)).mode(SaveMode.Append).option("append", "time").save(below);
    zarr(cells(0, 2))
        .option("dimensions", "time,lat")
        .option("group", "years/b")
        .option("branch", "main")
        .save(at("repo"));
    assertHas(below, cells(0, 12));
    assertThat(
            spark
                .read()
                .format("zarr")
                .option("group", "years/b")
                .load(main)
                .selectExpr("count(*)")
                .first()
                .getLong(0))
        .isEqualTo(12);
    assertThat(messages()).hasSize(4);
    assertThat(messages().get(0)).startsWith("written by the Spark application ");
  }

  @Test
  void chunks_are_copied_into_a_repository_and_beside_the_table_that_they_come_from() {
    write(cells(0, 10), at("repo") + "|icechunk:/a");
    org.apache.spark.sql.Dataset<Row> chunks =
        spark.read().format("zarr").option("mode", "chunks").load(at("repo") + "|icechunk:/a");
    zarr(chunks.where("array RLIKE '(^|/)t$'").withColumn("array", functions.lit("/b/t")))
        .option("mode", "chunks")
        .option("group", "b")
        .option("message", "a copy")
        .save(main);
    assertThat(
            spark
                .read()
                .format("zarr")
                .load(at("repo") + "|icechunk:/b/t")
                .selectExpr("sum(value)")
                .first()
                .getDouble(0))
        .isEqualTo(cells(0, 10).selectExpr("sum(t)").first().getDouble(0));
    assertThat(messages()).startsWith("a copy", "ten days");
  }

  @Test
  void rows_may_come_from_the_branch_that_they_are_written_to() {
    write(cells(0, 10), main);
    zarr(table(main)
            .selectExpr("time + INTERVAL '10' DAY AS time", "lat", "t + 1000 AS t", "n + 10 AS n"))
        .mode(SaveMode.Append)
        .option("append", "time")
        .save(main);
    assertHas(main, cells(0, 20));
  }

  @Test
  void a_write_that_fails_commits_nothing_and_the_next_one_goes_on() {
    write(cells(0, 10), main);
    org.apache.spark.sql.Column broken =
        functions
            .udf(
                (UDF1<Integer, Integer>)
                    value -> {
                      if (value == 15) {
                        throw new IllegalStateException("a fault in a row");
                      }
                      return value;
                    },
                DataTypes.IntegerType)
            .apply(functions.col("n"));
    assertThatThrownBy(
            () ->
                zarr(cells(10, 20).withColumn("n", broken))
                    .mode(SaveMode.Append)
                    .option("append", "time")
                    .save(main))
        .hasStackTraceContaining("a fault in a row");
    assertThat(messages()).containsExactly("ten days", "Repository initialized");
    assertHas(main, cells(0, 10));
    zarr(cells(10, 20)).mode(SaveMode.Append).option("append", "time").save(main);
    assertHas(main, cells(0, 20));
  }

  @Test
  void an_append_that_comes_in_between_is_a_conflict_and_another_array_is_none() {
    write(cells(0, 10), main);
    assertThatThrownBy(() -> appendWhile(() -> commitBeside("time")))
        .hasStackTraceContaining("/time");
    assertThat(messages()).containsExactly("beside", "ten days", "Repository initialized");
    appendWhile(() -> commitBeside("other"));
    assertHas(main, cells(0, 20));
    assertThat(messages()).hasSize(5);
    assertThat(messages().get(0)).startsWith("written by");
  }

  /** Appends ten days; something else happens once while the tasks run. */
  private void appendWhile(Runnable beside) {
    CALLS.set(0);
    BESIDE = beside;
    org.apache.spark.sql.Column told =
        functions
            .udf(
                (UDF1<Integer, Integer>)
                    value -> {
                      if (value == 13 && CALLS.getAndIncrement() == 0) {
                        BESIDE.run();
                      }
                      return value;
                    },
                DataTypes.IntegerType)
            .apply(functions.col("n"));
    zarr(cells(10, 20).withColumn("n", told))
        .mode(SaveMode.Append)
        .option("append", "time")
        .save(main);
  }

  private static volatile Runnable BESIDE = () -> {};

  /** Changes the attributes of an array, or makes one. */
  private void commitBeside(String array) {
    IcechunkSession session =
        requireNonNull(await(repository.refresh().flatMap(now -> now.session("main"))));
    if (array.equals("other")) {
      await(Zarr.hierarchy(session).createGroup("other"));
    } else {
      await(
          Zarr.hierarchy(session)
              .openArray(array)
              .flatMap(found -> found.updateAttributes(all -> all.with("note", "x"))));
    }
    await(session.commit("beside"));
  }

  @Test
  void a_branch_is_written_to_and_nothing_else_is() {
    write(cells(0, 3), main);
    await(repository.refresh().flatMap(now -> now.createTag("v1", IcechunkVersion.MAIN)));
    await(repository.refresh().flatMap(now -> now.createBranch("dev", IcechunkVersion.MAIN)));
    zarr(cells(3, 5))
        .mode(SaveMode.Append)
        .option("append", "time")
        .option("branch", "dev")
        .save(at("repo"));
    assertHas(at("repo") + "|icechunk://branch.dev", cells(0, 5));
    assertHas(main, cells(0, 3));
    assertThatThrownBy(
            () ->
                zarr(cells(3, 5))
                    .mode(SaveMode.Append)
                    .option("append", "time")
                    .option("tag", "v1")
                    .save(at("repo")))
        .hasMessageContaining("names the tag v1");
    assertThatThrownBy(() -> write(cells(0, 3), at("plain.zarr")))
        .hasMessageContaining("message is for a branch of an Icechunk repository");
    assertThatThrownBy(
            () ->
                zarr(cells(3, 5))
                    .mode(SaveMode.Append)
                    .option("append", "time")
                    .option("resume", "true")
                    .save(main))
        .hasMessageContaining("leaves nothing");
  }
}
