package dev.zarrreactive.spark.write;

import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Waiting;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/**
 * The driver of {@link KilledDriverTest}: it writes a new dataset by one commit, or appends to it
 * where it is there, unless a fault ends it.
 */
final class KilledDriver {
  private KilledDriver() {}

  public static void main(String[] args) {
    Path directory = Path.of(args[0]);
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
    String branch = ClusterWrites.at(directory, "repository") + "|icechunk:";
    boolean isNew =
        Waiting.await(
                Icechunk.open(FileSystemStore.open(directory.resolve("repository.zarr")))
                    .flatMap(repository -> repository.history(IcechunkVersion.MAIN).count()))
            == 1;
    if (isNew) {
      ClusterWrites.commit(ClusterWrites.cells(spark, 0, 13), branch, "13 hours");
    } else {
      ClusterWrites.append(
          ClusterWrites.cells(spark, 13, ClusterWrites.TIMES), branch, "the others");
    }
    spark.stop();
    System.exit(0);
  }
}
