package dev.zarrreactive.spark.write;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSnapshot;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.streaming.DataStreamReader;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams to a branch of a repository, and streams of what is appended to one. */
class StreamsTest extends WritesInDirectory {
  private IcechunkRepository repository;
  private String main;

  @BeforeEach
  void create() {
    repository = await(Icechunk.create(FileSystemStore.open(directory.resolve("repo"))));
    main = at("repo") + "|icechunk:";
  }

  private Dataset<Row> days(int from, int to) {
    return spark.sql(
        "SELECT TIMESTAMP_NTZ '2020-01-01' + make_dt_interval(CAST(d AS INT)) AS time,"
            + " CAST(60 - 2.5 * l AS DOUBLE) AS lat, CAST(d * 100 + l AS FLOAT) AS t"
            + " FROM (SELECT id AS d, explode(sequence(0L, 5L)) AS l FROM range("
            + from
            + ", "
            + to
            + "))");
  }

  /** Adds a file to the directory that a stream reads: one batch. */
  private void arrive(int from, int to) {
    days(from, to).coalesce(1).write().mode(SaveMode.Append).parquet(at("in"));
  }

  private DataStreamWriter<Row> arriving() {
    return spark
        .readStream()
        .schema(days(0, 1).schema())
        .option("maxFilesPerTrigger", "1")
        .parquet(at("in"))
        .writeStream()
        .format("zarr")
        .trigger(Trigger.AvailableNow())
        .option("checkpointLocation", at("checkpoint"))
        .option("dimensions", "time,lat")
        .option("descending", "lat")
        .option("chunk-shape", "4,3")
        .option("append", "time")
        .option("message", "a batch");
  }

  /** Writes all that has arrived. */
  private void write() throws Exception {
    StreamingQuery query = arriving().start(main);
    query.awaitTermination();
  }

  private List<IcechunkSnapshot> history() {
    return requireNonNull(
        await(
            repository
                .refresh()
                .flatMapMany(now -> now.history(IcechunkVersion.branch("main")))
                .collectList()));
  }

  private List<Long> batches() {
    return history().stream()
        .flatMap(one -> one.metadata().integer("spark.batch").stream().boxed())
        .toList();
  }

  private void assertHas(Dataset<Row> cells) {
    assertSame(spark.read().format("zarr").load(main).select("time", "lat", "t"), cells);
  }

  @Test
  void each_batch_of_a_stream_is_one_commit() throws Exception {
    arrive(0, 3);
    arrive(3, 5);
    write();
    assertHas(days(0, 5));
    assertThat(batches()).containsExactly(1L, 0L);
    arrive(5, 9);
    write();
    assertHas(days(0, 9));
    assertThat(batches()).containsExactly(2L, 1L, 0L);
    assertThat(history().stream().map(IcechunkSnapshot::message).limit(3)).containsOnly("a batch");
  }

  @Test
  void a_batch_that_spark_repeats_since_its_driver_was_killed_after_the_commit_is_left_out()
      throws Exception {
    arrive(0, 3);
    write();
    arrive(3, 5);
    write();
    List<IcechunkSnapshot> before = history();
    // as if the driver had ended between the commit and the note of it
    Files.delete(directory.resolve("checkpoint/commits/1"));
    Files.deleteIfExists(directory.resolve("checkpoint/commits/.1.crc"));
    write();
    assertThat(history()).isEqualTo(before);
    arrive(5, 6);
    write();
    assertHas(days(0, 6));
    assertThat(batches()).containsExactly(2L, 1L, 0L);
  }

  @Test
  void batches_without_rows_make_no_commit() throws Exception {
    arrive(0, 3);
    write();
    arrive(3, 3);
    arrive(3, 4);
    write();
    assertHas(days(0, 4));
    assertThat(history()).hasSize(3);
  }

  @Test
  void a_batch_of_foreach_batch_is_written_once() {
    for (int i = 0; i < 2; i++) {
      zarr(days(0, 3))
          .mode(SaveMode.Append)
          .option("dimensions", "time,lat")
          .option("append", "time")
          .option("stream", "days")
          .option("batch", 4)
          .save(main);
    }
    zarr(days(3, 5))
        .mode(SaveMode.Append)
        .option("append", "time")
        .option("stream", "days")
        .option("batch", 5)
        .save(main);
    // an older batch of the stream comes late, from a driver that was cut off
    zarr(days(5, 6))
        .mode(SaveMode.Append)
        .option("append", "time")
        .option("stream", "days")
        .option("batch", 4)
        .save(main);
    assertHas(days(0, 5));
    zarr(days(5, 6))
        .mode(SaveMode.Append)
        .option("append", "time")
        .option("stream", "others")
        .option("batch", 0)
        .save(main);
    assertHas(days(0, 6));
    assertThat(batches()).containsExactly(0L, 5L, 4L);
  }

  @Test
  void what_is_not_written_once_is_refused() {
    arrive(0, 1);
    assertThatThrownBy(() -> arriving().option("batch", 3).start(main))
        .hasMessageContaining("numbers its batches");
    assertThatThrownBy(() -> arriving().outputMode("complete").start(main))
        .hasMessageContaining("complete");
    assertThatThrownBy(() -> arriving().partitionBy("time").start(main))
        .hasMessageContaining("no partitions");
    assertThatThrownBy(() -> arriving().option("chunkshape", 3).start(main))
        .hasMessageContaining("no option chunkshape");
    assertThatThrownBy(
            () ->
                zarr(days(0, 3))
                    .option("dimensions", "time,lat")
                    .option("stream", "days")
                    .save(main))
        .hasMessageContaining("belong together");
    assertThatThrownBy(() -> arriving().start(at("plain.zarr")).awaitTermination())
        .isInstanceOf(StreamingQueryException.class)
        .hasStackTraceContaining("for a branch of an Icechunk repository");
    assertThat(directory.resolve("plain.zarr")).doesNotExist();
  }

  private DataStreamReader followed() {
    return spark.readStream().format("zarr").option("follow", "time");
  }

  /** The rows of each batch, by its number; a batch that is repeated adds to them. */
  private Map<Long, List<Row>> follow(DataStreamReader reader, String location) throws Exception {
    Map<Long, List<Row>> batches = new java.util.concurrent.ConcurrentSkipListMap<>();
    StreamingQuery query =
        reader
            .load(location)
            .select("time", "lat", "t")
            .writeStream()
            .trigger(Trigger.AvailableNow())
            .option("checkpointLocation", at("follows"))
            .foreachBatch(
                (Dataset<Row> rows, Long number) ->
                    batches
                        .computeIfAbsent(number, any -> new ArrayList<>())
                        .addAll(rows.collectAsList()))
            .start();
    query.awaitTermination();
    return batches;
  }

  private void append(int from, int to) {
    zarr(days(from, to)).mode(SaveMode.Append).option("append", "time").save(main);
  }

  private void begin(int to, String location) {
    zarr(days(0, to))
        .option("dimensions", "time,lat")
        .option("descending", "lat")
        .option("chunk-shape", "4,3")
        .save(location);
  }

  private void assertSame(List<Row> rows, Dataset<Row> expected) {
    assertThat(rows).containsExactlyInAnyOrderElementsOf(expected.collectAsList());
  }

  @Test
  void a_stream_follows_a_branch() throws Exception {
    begin(3, main);
    Map<Long, List<Row>> first = follow(followed(), main);
    assertThat(first).containsOnlyKeys(0L);
    assertSame(first.get(0L), days(0, 3));
    assertThat(follow(followed(), main)).isEmpty();
    append(3, 5);
    append(5, 6);
    // cells that are replaced make the branch no longer
    zarr(days(0, 1)).mode(SaveMode.Append).save(main);
    Map<Long, List<Row>> second = follow(followed(), main);
    assertThat(second).containsOnlyKeys(1L);
    assertSame(second.get(1L), days(3, 6));
  }

  @Test
  void a_batch_that_is_repeated_has_the_cells_of_its_snapshot() throws Exception {
    begin(3, main);
    follow(followed(), main);
    append(3, 5);
    follow(followed(), main);
    Files.delete(directory.resolve("follows/commits/1"));
    Files.deleteIfExists(directory.resolve("follows/commits/.1.crc"));
    zarr(days(0, 5).withColumn("t", org.apache.spark.sql.functions.lit(-1f)))
        .mode(SaveMode.Append)
        .save(main);
    append(5, 6);
    Map<Long, List<Row>> again = follow(followed(), main);
    assertSame(again.get(1L), days(3, 5));
    assertSame(again.get(2L), days(5, 6));
  }

  @Test
  void batches_have_no_more_indices_than_the_option_says() throws Exception {
    begin(7, at("plain.zarr"));
    Map<Long, List<Row>> batches = follow(followed().option("follow-most", 3), at("plain.zarr"));
    assertThat(batches).containsOnlyKeys(0L, 1L, 2L);
    assertSame(batches.get(0L), days(0, 3));
    assertSame(batches.get(1L), days(3, 6));
    assertSame(batches.get(2L), days(6, 7));
  }

  @Test
  void what_cannot_be_followed_is_refused() throws Exception {
    begin(3, main);
    assertThatThrownBy(() -> follow(spark.readStream().format("zarr"), main))
        .hasStackTraceContaining("needs the option follow");
    assertThatThrownBy(() -> follow(spark.readStream().format("zarr").option("follow", "x"), main))
        .hasStackTraceContaining("the dimensions are [time, lat]");
    deleteCheckpoint();
    follow(followed(), main);
    zarr(days(0, 2)).mode(SaveMode.Overwrite).option("dimensions", "time,lat").save(main);
    assertThatThrownBy(() -> follow(followed(), main))
        .hasStackTraceContaining("has read 3 indices of time")
        .hasStackTraceContaining("has 2");
  }

  private void deleteCheckpoint() throws java.io.IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("follows"))) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
