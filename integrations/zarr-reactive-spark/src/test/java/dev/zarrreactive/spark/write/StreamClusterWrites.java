package dev.zarrreactive.spark.write;

import dev.zarrreactive.spark.write.FaultyStores.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;

/**
 * The driver of {@link StreamClusterWritesTest}, in a process of its own, with two executors that
 * are processes, too. It writes a stream of three batches. An executor ends in the first one, an
 * attempt fails in the second, and the driver ends when it has committed the third, before Spark
 * has noted that. The same program, started again, goes on.
 */
final class StreamClusterWrites {
  private StreamClusterWrites() {}

  /** Adds one file of cells to the directory that the stream reads. */
  static void arrive(SparkSession spark, Path directory, int from, int to) {
    ClusterWrites.cells(spark, from, to)
        .coalesce(1)
        .write()
        .mode(SaveMode.Append)
        .parquet(directory.resolve("arrived").toString());
  }

  /** Writes what has arrived, a batch for each file, as the query that the checkpoint tells of. */
  static void write(SparkSession spark, Path directory, String branch) throws Exception {
    spark
        .readStream()
        .schema(ClusterWrites.cells(spark, 0, 1).schema())
        .option("maxFilesPerTrigger", "1")
        .parquet(directory.resolve("arrived").toString())
        .writeStream()
        .format("zarr")
        .trigger(Trigger.AvailableNow())
        .option("checkpointLocation", directory.resolve("checkpoint").toString())
        .option("dimensions", "time,lat,station")
        .option("chunk-shape", "8,4,10")
        .option("codecs.t", "[{\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}]")
        .option("dimensions.height", "lat,station")
        .option("chunk-shape.height", "5,5")
        .option("append", "time")
        .option("message", "a batch")
        .start(branch)
        .awaitTermination();
  }

  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    ClusterWrites.home(directory);
    SparkSession spark = ClusterWrites.cluster(directory);
    Path place = directory.resolve("repository.zarr");
    String branch = ClusterWrites.at(directory, "repository") + "|icechunk:";
    if (!Files.exists(place)) {
      ClusterWrites.repository(directory, "repository");
      arrive(spark, directory, 0, 8);
      FaultyStores.plan(place, Fault.HALT, "chunks/*");
      write(spark, directory, branch);
      System.out.println("the first batch is written");
      arrive(spark, directory, 8, 16);
      FaultyStores.plan(place, Fault.FAIL, "chunks/*");
      write(spark, directory, branch);
      System.out.println("the second batch is written");
      arrive(spark, directory, 16, ClusterWrites.TIMES);
      Files.delete(FaultyStores.faults(place).resolve("HALT.happened"));
      FaultyStores.plan(place, Fault.HALT, "repo");
    }
    write(spark, directory, branch);
    System.out.println("the last batch is written");
    spark.stop();
    System.exit(0);
  }
}
