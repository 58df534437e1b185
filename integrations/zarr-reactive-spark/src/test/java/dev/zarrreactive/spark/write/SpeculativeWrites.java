package dev.zarrreactive.spark.write;

import dev.zarrreactive.spark.write.FaultyStores.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.SparkSession;
import scala.Option;

/**
 * The driver of {@link SpeculativeWritesTest}, in a process of its own, with the master and the
 * workers of a standalone cluster. Spark starts a second attempt of a task on another host only, so
 * the two workers have addresses of their own.
 */
final class SpeculativeWrites {
  static final List<String> HOSTS = List.of("127.0.0.1", "127.0.0.2");

  /** The faults of the write of a new dataset, each at a shard of its own. */
  static final Map<Fault, String> FAULTS =
      Map.of(Fault.LAST, "t/c/1/2/0", Fault.FIRST, "t/c/0/0/0", Fault.TOGETHER, "t/c/2/1/0");

  /** The writes to branches, in each of which a first attempt goes on when a second one begins. */
  static final Set<String> COMMITS = Set.of("repository", "stream");

  /** More than attempts wait at a time. */
  private static final int CORES = 4;

  private SpeculativeWrites() {}

  /** Keeps the attempts of each write; jobs have the write's name as their description. */
  private static final class Attempts extends SparkListener {
    private final Map<Integer, String> writes = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private final Path directory;

    Attempts(Path directory) {
      this.directory = directory;
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted stage) {
      String write = stage.properties().getProperty("spark.job.description");
      // Spark describes the jobs of a stream
      String name = write == null ? "none" : write.contains("batch = ") ? "stream" : write;
      writes.put(stage.stageInfo().stageId(), name);
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart task) {
      String write = writes.getOrDefault(task.stageId(), "none");
      if (task.taskInfo().speculative() && COMMITS.contains(write)) {
        try {
          FaultyStores.release(directory.resolve(write + ".zarr"));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      lines.add(
          "attempt of "
              + writes.get(task.stageId())
              + " task "
              + task.stageId()
              + "."
              + task.taskInfo().index()
              + (task.taskInfo().speculative() ? " speculative on " : " first on ")
              + task.taskInfo().host());
    }
  }

  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    ClusterWrites.home(directory);
    SparkConf conf =
        new SparkConf()
            .set("spark.master.rest.enabled", "false")
            .set("spark.shuffle.service.enabled", "false")
            .set("spark.ui.enabled", "false");
    RpcEnv master = Master.startRpcEnvAndEndpoint(HOSTS.get(0), 0, 0, conf)._1();
    String url = "spark://" + HOSTS.get(0) + ":" + master.address().port();
    List<RpcEnv> workers = new ArrayList<>();
    for (int i = 0; i < HOSTS.size(); i++) {
      String work = directory.resolve("worker" + i).toString();
      workers.add(
          Worker.startRpcEnvAndEndpoint(
              HOSTS.get(i),
              0,
              0,
              CORES,
              1024,
              new String[] {url},
              work,
              Option.apply(i),
              conf,
              Option.empty()));
    }
    write(directory, url);
    workers.forEach(RpcEnv::shutdown);
    master.shutdown();
    System.exit(0);
  }

  private static void write(Path directory, String master) throws Exception {
    SparkSession spark =
        SparkSession.builder()
            .master(master)
            .appName("zarr-reactive-speculation")
            .config("spark.ui.enabled", "false")
            .config("spark.executor.memory", "1g")
            .config("spark.testing.memory", Long.toString(1L << 30))
            .config("spark.sql.shuffle.partitions", "5")
            .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
            .config("spark.driver.host", HOSTS.get(0))
            .config("spark.driver.bindAddress", HOSTS.get(0))
            .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .config("spark.speculation", "true")
            .config("spark.speculation.interval", "100ms")
            .config("spark.speculation.quantile", "0.1")
            .config("spark.speculation.multiplier", "1")
            .config("spark.speculation.efficiency.enabled", "false")
            // tasks are on both hosts from the start
            .config("spark.scheduler.minRegisteredResourcesRatio", "1")
            .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "5min")
            .config("spark.cores.max", Integer.toString(HOSTS.size() * CORES))
            .getOrCreate();
    Attempts attempts = new Attempts(directory);
    spark.sparkContext().addSparkListener(attempts);
    spark.sparkContext().setJobDescription("new");
    for (var fault : FAULTS.entrySet()) {
      FaultyStores.plan(directory.resolve("new.zarr"), fault.getKey(), fault.getValue());
    }
    ClusterWrites.write(
        ClusterWrites.cells(spark, 0, ClusterWrites.TIMES), ClusterWrites.at(directory, "new"));
    spark.sparkContext().setJobDescription("append");
    ClusterWrites.write(ClusterWrites.cells(spark, 0, 13), ClusterWrites.at(directory, "append"));
    FaultyStores.plan(directory.resolve("append.zarr"), Fault.TOGETHER, "t/c/1/1/0");
    ClusterWrites.append(
        ClusterWrites.cells(spark, 13, ClusterWrites.TIMES),
        ClusterWrites.at(directory, "append"),
        false);
    spark.sparkContext().setJobDescription("repository");
    String repository = ClusterWrites.repository(directory, "repository");
    FaultyStores.plan(directory.resolve("repository.zarr"), Fault.SLOW, "chunks/*");
    ClusterWrites.commit(ClusterWrites.cells(spark, 0, ClusterWrites.TIMES), repository, "all");
    String stream = ClusterWrites.repository(directory, "stream");
    StreamClusterWrites.arrive(spark, directory, 0, ClusterWrites.TIMES);
    FaultyStores.plan(directory.resolve("stream.zarr"), Fault.SLOW, "chunks/*");
    StreamClusterWrites.write(spark, directory, stream);
    spark.stop();
    attempts.lines.forEach(System.out::println);
  }
}
