package dev.zarrreactive.spark;

import static dev.zarrreactive.spark.TestSpark.only;
import static dev.zarrreactive.spark.TestSpark.zarr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.partition.CountedStores;
import dev.zarrreactive.partition.Weather;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import dev.zarrreactive.testing.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Tables over versions of Icechunk repositories, and over references of kerchunk. */
class VersionedTablesTest {
  private static final double THREE_DAYS = 1849.5;
  private static final double FIVE_DAYS = 3157.5;

  @TempDir Path directory;

  private Path repository;

  @BeforeEach
  void write() {
    TestSpark.session();
    repository = directory.resolve("repo");
    Repositories.write(repository);
  }

  private static double sum(Dataset<Row> table) {
    return only(table.selectExpr("sum(t2m)")).getDouble(0);
  }

  private double sum(String segment, Map<String, String> options) {
    return sum(zarr().options(options).load(repository + segment));
  }

  @Test
  void a_location_or_options_name_the_version_of_a_table() {
    Repositories.commit(repository);
    assertThat(sum("|icechunk:", Map.of())).isEqualTo(FIVE_DAYS);
    assertThat(sum("|icechunk://branch.main/", Map.of())).isEqualTo(FIVE_DAYS);
    assertThat(sum("|icechunk://" + Repositories.THREE_DAYS, Map.of())).isEqualTo(THREE_DAYS);
    assertThat(sum("", Map.of("branch", "main"))).isEqualTo(FIVE_DAYS);
    assertThat(sum("", Map.of("Snapshot", Repositories.THREE_DAYS))).isEqualTo(THREE_DAYS);
    assertThat(sum("", Map.of("store.snapshot", Repositories.THREE_DAYS))).isEqualTo(THREE_DAYS);
    // the commits are 128 milliseconds apart
    assertThat(sum("", Map.of("as-of", "2026-11-26T20:45:25.600Z"))).isEqualTo(THREE_DAYS);
    assertThat(sum("|icechunk://branch.main?as-of=2026-11-26T20:45:25.600Z", Map.of()))
        .isEqualTo(THREE_DAYS);
    Path tagged = directory.resolve("tagged");
    Repositories.unpack("basic-v2", tagged);
    assertThat(
            only(zarr().option("tag", "v 1").option("group", "scalar").load(tagged.toString()))
                .get(0)
                .toString())
        .isEqualTo("42");
    assertThat(
            only(zarr().option("branch", "dev").load(tagged + "|icechunk:scalar"))
                .get(0)
                .toString())
        .isEqualTo("43");
  }

  @Test
  void a_repository_is_recognised_and_its_main_is_read() {
    Dataset<Row> table = zarr().load(repository.toString());
    assertThat(sum(table)).isEqualTo(THREE_DAYS);
    assertThat(plan(table)).contains("|icechunk://" + Repositories.THREE_DAYS);
  }

  private static String plan(Dataset<Row> rows) {
    return rows.queryExecution().toString();
  }

  @ParameterizedTest
  @CsvSource({"cells", "chunks", "arrays"})
  void a_table_keeps_its_version_when_the_branch_moves(String mode) {
    for (String location : List.of("|icechunk://branch.main", "|icechunk:", "")) {
      Path moving = directory.resolve("moving" + location.length());
      Repositories.write(moving);
      Dataset<Row> before = select(mode, moving + location);
      before.queryExecution().executedPlan();
      Repositories.commit(moving);
      assertThat(values(mode, before)).isEqualTo(expected(mode, 3));
      assertThat(values(mode, before.filter("1 = 1"))).isEqualTo(expected(mode, 3));
      assertThat(values(mode, select(mode, moving + location))).isEqualTo(expected(mode, 5));
      assertThat(values(mode, before)).as("again").isEqualTo(expected(mode, 3));
    }
  }

  private static Dataset<Row> select(String mode, String location) {
    return zarr().option("mode", mode).option("split-bytes", "1").load(location);
  }

  private static String values(String mode, Dataset<Row> table) {
    return switch (mode) {
      case "cells" -> only(table.selectExpr("sum(t2m)", "count(1)")).toString();
      case "chunks" ->
          only(table
                  .where("array = '/t2m'")
                  .selectExpr("count(1)", "hex(max(struct(chunk_index[0], data)).data)"))
              .toString();
      default -> only(table.where("path = '/t2m'").select("shape")).getList(0).toString();
    };
  }

  private static String expected(String mode, int days) {
    boolean isOld = days == 3;
    return switch (mode) {
      case "cells" -> isOld ? "[" + THREE_DAYS + ",9]" : "[" + FIVE_DAYS + ",15]";
      case "chunks" ->
          // the second chunk has one day then; the third one has one day now
          isOld ? "[2,140015001600]" : "[3,280029002A00]";
      default -> "[" + days + ", 3]";
    };
  }

  @Test
  void a_branch_of_version_1_is_pinned_too() throws IOException {
    Path old = directory.resolve("old");
    Repositories.unpack("basic-v1", old);
    Dataset<Row> now = zarr().load(old + "|icechunk://branch.dev/g/plane");
    String before = now.selectExpr("count(1)", "sum(value)").collectAsList().toString();
    Files.copy(
        old.resolve("refs/branch.main/ref.json"),
        old.resolve("refs/branch.dev/ref.json"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(now.selectExpr("count(1)", "sum(value)").collectAsList()).hasToString(before);
    assertThat(
            zarr()
                .load(old + "|icechunk://branch.dev/g/plane")
                .selectExpr("count(1)", "sum(value)")
                .collectAsList())
        .asString()
        .isNotEqualTo(before);
  }

  @Test
  void a_view_keeps_its_version() {
    SparkSession spark = TestSpark.session();
    spark.sql(
        "CREATE OR REPLACE TEMPORARY VIEW versioned USING zarr OPTIONS (path '"
            + repository
            + "', branch 'main')");
    Repositories.commit(repository);
    assertThat(only(spark.sql("SELECT sum(t2m) FROM versioned")).getDouble(0))
        .isEqualTo(THREE_DAYS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cells", "chunks"})
  void tasks_of_one_process_ask_once_for_a_snapshot_and_each_manifest(String mode) {
    Dataset<Row> table = select(mode, "counted://" + repository + "|icechunk:");
    assertThat(table.queryExecution().toRdd().getNumPartitions()).isGreaterThan(1);
    CountedStores.reset();
    assertThat(table.collectAsList()).isNotEmpty();
    List<String> files =
        CountedStores.all().stream().filter(key -> !key.startsWith("chunks/")).toList();
    assertThat(files)
        .contains("repo", "snapshots/" + Repositories.THREE_DAYS)
        .doesNotHaveDuplicates();
    CountedStores.reset();
    assertThat(table.collectAsList()).isNotEmpty();
    assertThat(CountedStores.all()).allMatch(key -> key.startsWith("chunks/"));
  }

  @Test
  void a_store_that_finds_the_snapshot_is_closed() {
    int before = CountedStores.open();
    Dataset<Row> table = zarr().load("counted://" + repository + "|icechunk:");
    assertThat(CountedStores.open()).as("that of the table").isEqualTo(before + 1);
    assertThat(table.columns()).contains("t2m");
    assertThatThrownBy(() -> zarr().load("counted://" + repository + "|icechunk://branch.none"))
        .hasMessageContaining("\"none\"");
    assertThat(CountedStores.open()).isEqualTo(before + 1);
  }

  @Test
  void a_version_that_is_named_twice_or_nowhere_is_refused() {
    assertThatThrownBy(() -> sum("|icechunk://branch.main", Map.of("tag", "v1")))
        .hasMessageContaining("named twice");
    assertThatThrownBy(() -> sum("", Map.of("branch", "main", "store.branch", "other")))
        .hasMessageContaining("branch is given twice");
    assertThatThrownBy(() -> sum("", Map.of("brunch", "main")))
        .hasMessageContaining("as-of, branch, snapshot, tag");
    Weather.write(directory.resolve("w.zarr"));
    assertThatThrownBy(
            () -> zarr().option("branch", "main").load(directory.resolve("w.zarr").toString()))
        .hasMessageContaining("Icechunk");
  }

  @Test
  void a_write_to_a_snapshot_or_to_no_branch_is_refused_and_changes_nothing() throws IOException {
    Dataset<Row> rows = TestSpark.session().range(3).selectExpr("id AS x", "id AS n");
    List<String> before = files();
    for (String mode : List.of("errorifexists", "append", "overwrite")) {
      String snapshot = "|icechunk://" + Repositories.THREE_DAYS;
      for (String segment : List.of(snapshot, snapshot + "/new")) {
        assertThatThrownBy(
                () ->
                    rows.write()
                        .format("zarr")
                        .option("dimensions", "x")
                        .mode(mode)
                        .save(repository + segment))
            .as(mode + segment)
            .hasMessageContaining("a commit is made to a branch");
      }
    }
    for (String mode : List.of("errorifexists", "append", "overwrite")) {
      assertThatThrownBy(
              () ->
                  rows.write()
                      .format("zarr")
                      .option("dimensions", "x")
                      .mode(mode)
                      .save(repository.toString()))
          .as(mode)
          .hasMessageContaining("this is an Icechunk repository");
    }
    assertThat(files()).isEqualTo(before);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(repository)) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  @Test
  void references_of_kerchunk_are_a_table() throws IOException {
    Path data = directory.resolve("Archive/a.nc");
    Files.createDirectories(data.getParent());
    Files.writeString(data, "HEAD012345abcdef");
    String zarray =
        "{'zarr_format':2,'shape':[2,2,3],'chunks':[1,2,3],'dtype':'|u1','compressor':null,"
            + "'filters':null,'order':'C','fill_value':0}";
    Path references = directory.resolve("air.json");
    String url = data.toUri().toString();
    Files.writeString(
        references,
        ("{'version':1,'refs':{'.zgroup':{'zarr_format':2},'air/.zarray':"
                + zarray
                + ",'air/.zattrs':{'_ARRAY_DIMENSIONS':['time','lat','lon']},'air/0.0.0':['"
                + url
                + "',4,6],'air/1.0.0':['"
                + url
                + "',10,6]}}")
            .replace('\'', '"'));
    String location = references + "|kerchunk:";
    String prefix = data.getParent().toUri().toString();
    assertThat(prefix).isNotEqualTo(prefix.toLowerCase(java.util.Locale.ROOT));
    for (String option : List.of("virtual:", "store.virtual:", "Virtual:")) {
      Dataset<Row> table =
          zarr().option(option + prefix, "").option("split-bytes", "1").load(location);
      assertThat(table.queryExecution().toRdd().getNumPartitions()).isEqualTo(2);
      Row row = only(table.selectExpr("count(air)", "sum(air)"));
      assertThat(row.getLong(0)).isEqualTo(12);
      double sum = "012345abcdef".chars().sum();
      assertThat(row.getDouble(1)).isEqualTo(sum);
    }
    assertThatThrownBy(() -> zarr().load(location).collectAsList())
        .hasStackTraceContaining("outside of every container that was allowed");
  }

  @Test
  void an_archive_in_a_pipeline_is_opened_once_for_all_tasks() {
    Path plain = directory.resolve("w.zarr");
    Weather.write(plain);
    Path archive = directory.resolve("w.zip");
    Store files = FileSystemStore.open(plain);
    Waiting.await(
        Mono.usingWhen(
            Mono.fromSupplier(() -> ZipStore.create(archive)),
            zip ->
                files
                    .list()
                    .concatMap(key -> files.get(key).flatMap(value -> zip.set(key, value)))
                    .then(),
            NewZipStore::close));
    Dataset<Row> table =
        zarr()
            .option("variables", "t")
            .option("split-bytes", "1000")
            .load("counted://" + archive + "|zip:");
    int open = CountedStores.open();
    assertThat(only(table.selectExpr("count(t)")).getLong(0)).isEqualTo(2880);
    assertThat(only(table.selectExpr("count(t)")).getLong(0)).isEqualTo(2880);
    assertThat(CountedStores.open()).as("stores of tasks").isEqualTo(open + 1);
  }

  @Test
  void secrets_of_containers_are_refused_and_plans_have_no_options() {
    for (Map<String, String> secret :
        List.of(
            Map.of("virtual:s3://a/", "region=x;secret-access-key=hidden"),
            Map.of("virtual:https://me:hidden@a/", ""),
            Map.of("virtual:https://a/", "header.Authorization=hidden"),
            Map.of("store.header.Authorization", "hidden"),
            Map.of("store.header.Cookie", "hidden"),
            Map.of("store.proxy", "http://me:hidden@proxy/"))) {
      assertThatThrownBy(() -> sum("|icechunk:", secret))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageNotContaining("hidden")
          .hasMessageContaining("would be sent with every task");
    }
    for (String signed : List.of("X-Amz-Signature=hidden", "a=b&sig=hidden", "token=hidden")) {
      assertThatThrownBy(() -> zarr().load("https://host/repo?" + signed + "|icechunk:"))
          .hasMessageContaining("a signature or a key in its query")
          .hasMessageNotContaining("hidden");
    }
    Dataset<Row> table =
        zarr().option("virtual:s3://bucket/", "region=eu-west-7").load(repository + "|icechunk:");
    assertThat(plan(table)).doesNotContain("eu-west-7");
  }
}
