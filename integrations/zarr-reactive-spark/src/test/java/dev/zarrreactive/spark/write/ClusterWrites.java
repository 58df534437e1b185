package dev.zarrreactive.spark.write;

import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.spark.write.FaultyStores.Fault;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Waiting;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * The driver of {@link ClusterWritesTest}, in a process of its own, with two executors that are
 * processes, too. Each write has the fault that its name says.
 */
final class ClusterWrites {
  static final int TIMES = 24;
  static final int LATS = 12;
  static final int STATIONS = 10;

  private ClusterWrites() {}

  /** Returns the cells of the times {@code from} to {@code to}. */
  static Dataset<Row> cells(SparkSession spark, int from, int to) {
    return spark.sql(
        "SELECT TIMESTAMP_NTZ '2020-01-01' + make_dt_interval(0, CAST(h AS INT)) AS time,"
            + " CAST(l AS DOUBLE) AS lat, concat('s', s) AS station,"
            + " CAST((h * 12 + l) * 10 + s AS INT) AS t,"
            + " CAST(l + s / 16 AS FLOAT) AS height"
            + " FROM (SELECT id AS h FROM range("
            + from
            + ", "
            + to
            + ")) CROSS JOIN (SELECT id AS l FROM range(0, 12))"
            + " CROSS JOIN (SELECT id AS s FROM range(0, 10)) DISTRIBUTE BY s");
  }

  /** Writes cells to a new dataset. */
  static void write(Dataset<Row> cells, String location) {
    cells
        .write()
        .format("zarr")
        .option("dimensions", "time,lat,station")
        .option("chunk-shape", "2,2,5")
        .option("shard-shape", "8,4,10")
        .option("dimensions.height", "lat,station")
        .option("chunk-shape.height", "5,5")
        .option("attributes", "{\"title\": \"heights\"}")
        .save(location);
  }

  /**
   * Fails for some rows in the first attempt of a task.
   *
   * @param happened the file that tells of it
   */
  record FailsOnce(String happened) implements UDF1<Integer, Integer> {
    private static final long serialVersionUID = 1;

    @Override
    public Integer call(Integer value) throws IOException {
      if (TaskContext.get().attemptNumber() == 0 && value % 977 == 0) {
        Files.writeString(Path.of(happened), "a fault of the first attempt");
        throw new IllegalStateException("a fault of the first attempt");
      }
      return value;
    }
  }

  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    home(directory);
    SparkSession spark = cluster(directory);
    String happened = directory.resolve("udf.happened").toString();
    Column once =
        functions.udf(new FailsOnce(happened), DataTypes.IntegerType).apply(functions.col("t"));
    write(cells(spark, 0, TIMES).withColumn("t", once), at(directory, "udf"));
    for (Fault fault : List.of(Fault.FAIL, Fault.HALT)) {
      FaultyStores.plan(directory.resolve(fault + ".zarr"), fault, "t/c/1/2/0");
      write(cells(spark, 0, TIMES), at(directory, fault.toString()));
    }
    write(cells(spark, 0, 13), at(directory, "append"));
    FaultyStores.plan(directory.resolve("append.zarr"), Fault.HALT, "t/c/1/1/0");
    append(cells(spark, 13, TIMES), at(directory, "append"), false);
    spark.stop();
    endBetweenTwoArrays(directory);
  }

  /** Makes a repository, and returns the location of its branch. */
  static String repository(Path directory, String name) {
    Path path = directory.resolve(name + ".zarr");
    Waiting.await(Icechunk.create(FileSystemStore.open(path)));
    return at(directory, name) + "|icechunk:";
  }

  /** Writes cells to a new dataset by one commit. Its chunks are larger than inline ones. */
  static void commit(Dataset<Row> cells, String branch, String message) {
    cells
        .write()
        .format("zarr")
        .option("dimensions", "time,lat,station")
        .option("chunk-shape", "8,4,10")
        .option("codecs.t", "[{\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}]")
        .option("dimensions.height", "lat,station")
        .option("chunk-shape.height", "5,5")
        .option("message", message)
        .save(branch);
  }

  /** Appends cells along the time by one commit. */
  static void append(Dataset<Row> cells, String branch, String message) {
    cells
        .drop("height")
        .write()
        .format("zarr")
        .mode(SaveMode.Append)
        .option("append", "time")
        .option("message", message)
        .save(branch);
  }

  /** Starts two executors, which are processes. */
  static SparkSession cluster(Path directory) {
    return SparkSession.builder()
        .master("local-cluster[2,1,1024]")
        .appName("zarr-reactive-cluster")
        .config("spark.ui.enabled", "false")
        .config("spark.executor.memory", "1g")
        .config("spark.testing.memory", Long.toString(1L << 30))
        .config("spark.sql.shuffle.partitions", "5")
        .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
        .getOrCreate();
  }

  /** Makes the directories of a home of Spark, which a cluster that starts executors asks for. */
  static void home(Path directory) throws IOException {
    Path home = directory.resolve("home");
    Files.createDirectories(home.resolve("jars"));
    Files.createDirectories(home.resolve("launcher/target/scala-2.13"));
    System.setProperty("spark.testing", "true");
    System.setProperty("spark.test.home", home.toString());
  }

  /** Ends this process when the commit of an append has made one of two arrays longer. */
  private static void endBetweenTwoArrays(Path directory) throws IOException {
    SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
    write(cells(spark, 0, 13), at(directory, "halved"));
    FaultyStores.plan(directory.resolve("halved.zarr"), Fault.HALT, "t/zarr.json");
    append(cells(spark, 13, TIMES), at(directory, "halved"), false);
  }

  /** Appends cells along the time. */
  static void append(Dataset<Row> cells, String location, boolean resumes) {
    cells
        .drop("height")
        .write()
        .format("zarr")
        .mode(SaveMode.Append)
        .option("append", "time")
        .option("resume", resumes)
        .save(location);
  }

  static String at(Path directory, String name) {
    return "faulty://"
        + directory.resolve(name + ".zarr").toString().replace(File.separatorChar, '/');
  }
}
