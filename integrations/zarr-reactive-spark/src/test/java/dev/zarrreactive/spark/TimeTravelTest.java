package dev.zarrreactive.spark;

import static dev.zarrreactive.spark.TestSpark.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSnapshot;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.partition.Weather;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Waiting;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQL that names a version of a repository, by a catalog. */
class TimeTravelTest {
  private static final double THREE_DAYS = 1849.5;
  private static final double FIVE_DAYS = 3157.5;

  @TempDir Path directory;

  private SparkSession spark;
  private Path repository;

  @BeforeEach
  void write() {
    spark = TestSpark.session();
    spark.conf().set("spark.sql.catalog.lake", ZarrCatalog.class.getName());
    repository = directory.resolve("repo");
    Repositories.write(repository);
  }

  private double sum(String version) {
    return only(spark.sql("SELECT sum(t2m) FROM lake.`" + repository + "`" + version)).getDouble(0);
  }

  @Test
  void a_query_reads_the_branch_as_it_is_then_or_the_version_that_it_names() {
    assertThat(sum("")).isEqualTo(THREE_DAYS);
    Repositories.commit(repository);
    assertThat(sum("")).as("each query looks again").isEqualTo(FIVE_DAYS);
    assertThat(sum(" VERSION AS OF '" + Repositories.THREE_DAYS + "'")).isEqualTo(THREE_DAYS);
    assertThat(sum(" VERSION AS OF 'branch.main'")).isEqualTo(FIVE_DAYS);
    IcechunkRepository opened = Waiting.await(Icechunk.open(FileSystemStore.open(repository)));
    Waiting.await(opened.createTag("v1", IcechunkVersion.snapshot(Repositories.THREE_DAYS)));
    assertThat(sum(" VERSION AS OF 'v1'")).isEqualTo(THREE_DAYS);
    assertThat(sum(" VERSION AS OF 'tag.v1'")).isEqualTo(THREE_DAYS);
    List<IcechunkSnapshot> history = Waiting.await(opened.history(IcechunkVersion.MAIN));
    long then = ChronoUnit.MICROS.between(Instant.EPOCH, history.get(1).time());
    assertThat(sum(" TIMESTAMP AS OF timestamp_micros(" + then + ")")).isEqualTo(THREE_DAYS);
    long now = ChronoUnit.MICROS.between(Instant.EPOCH, history.get(0).time());
    assertThat(sum(" TIMESTAMP AS OF timestamp_micros(" + now + ")")).isEqualTo(FIVE_DAYS);
    assertThat(sum(" TIMESTAMP AS OF '2100-01-01'")).isEqualTo(FIVE_DAYS);
  }

  @Test
  void a_table_that_has_no_versions_and_one_that_is_not_there_say_so() {
    Weather.write(directory.resolve("w.zarr"));
    String plain = "SELECT count(*) FROM lake.`" + directory.resolve("w.zarr") + "`";
    assertThat(only(spark.sql(plain)).getLong(0)).isPositive();
    assertThatThrownBy(() -> spark.sql(plain + " VERSION AS OF 'v1'"))
        .hasStackTraceContaining("Icechunk");
    assertThatThrownBy(() -> sum(" VERSION AS OF 'none'"))
        .hasStackTraceContaining("no tag \"none\"");
    assertThatThrownBy(() -> spark.sql("SELECT * FROM lake.a.b"))
        .hasStackTraceContaining("backquotes");
    assertThatThrownBy(
            () -> spark.sql("CREATE TABLE lake.`" + directory.resolve("new") + "` (x INT)"))
        .hasStackTraceContaining("CREATE TABLE … AS SELECT");
    assertThatThrownBy(() -> spark.sql("DROP TABLE lake.`" + repository + "`"))
        .hasStackTraceContaining("df.write()");
  }
}
