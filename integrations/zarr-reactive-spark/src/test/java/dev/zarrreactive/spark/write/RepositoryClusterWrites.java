package dev.zarrreactive.spark.write;

import dev.zarrreactive.spark.write.FaultyStores.Fault;
import java.nio.file.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * The driver of {@link RepositoryClusterWritesTest}, in a process of its own, with two executors
 * that are processes, too. It makes three commits, each with faults.
 */
final class RepositoryClusterWrites {
  private RepositoryClusterWrites() {}

  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    ClusterWrites.home(directory);
    SparkSession spark = ClusterWrites.cluster(directory);
    Path place = directory.resolve("repository.zarr");
    String branch = ClusterWrites.repository(directory, "repository");

    FaultyStores.plan(place, Fault.HALT, "chunks/*");
    ClusterWrites.commit(ClusterWrites.cells(spark, 0, 13), branch, "13 hours");

    FaultyStores.plan(place, Fault.FAIL, "chunks/*");
    String happened = directory.resolve("udf.happened").toString();
    Column once =
        functions
            .udf(new ClusterWrites.FailsOnce(happened), DataTypes.IntegerType)
            .apply(functions.col("t"));
    ClusterWrites.append(
        ClusterWrites.cells(spark, 13, ClusterWrites.TIMES).withColumn("t", once),
        branch,
        "the others");

    // the answer to the commit is lost; the cells are those that are there
    FaultyStores.plan(place, Fault.SECOND, "repo");
    ClusterWrites.cells(spark, 0, 1)
        .drop("height")
        .write()
        .format("zarr")
        .mode(SaveMode.Append)
        .option("message", "the first again")
        .save(branch);
    spark.stop();
    System.exit(0);
  }
}
