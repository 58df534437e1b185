package dev.zarrreactive.flink;

import dev.zarrreactive.partition.Weather;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RpcOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** The cluster of the tests, which all of them share: two task managers with one slot each. */
final class TestFlink {
  private static final MiniCluster CLUSTER = start();

  /** The columns of a table of {@link Weather}. */
  static final String COLUMNS = "`time` TIMESTAMP(3), lat DOUBLE, station STRING, t INT";

  private TestFlink() {}

  /** The row of an index of {@link Weather}. */
  static Row row(int time, int lat, int station) {
    return Row.of(
        LocalDateTime.of(2020, 1, 1, 0, 0).plusHours(6L * time),
        Weather.lat(lat),
        Weather.station(station),
        Weather.value(time, lat, station));
  }

  private static MiniCluster start() {
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.BIND_PORT, "0");
    // no test judges by the clock: a machine that is busy has no task manager that is gone
    configuration.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, Duration.ofHours(1));
    configuration.set(HeartbeatManagerOptions.HEARTBEAT_RPC_FAILURE_THRESHOLD, -1);
    configuration.set(RpcOptions.ASK_TIMEOUT_DURATION, Duration.ofHours(1));
    configuration.set(TaskManagerOptions.TASK_CANCELLATION_TIMEOUT, Duration.ZERO);
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(16));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(16));
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(32));
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(2)
                .setNumSlotsPerTaskManager(1)
                .build());
    try {
      cluster.start();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return cluster;
  }

  /** Returns an environment whose jobs run in the cluster. */
  static StreamExecutionEnvironment environment(int parallelism) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createRemoteEnvironment(
            "localhost", CLUSTER.getRestAddress().join().getPort());
    environment.setParallelism(parallelism);
    return environment;
  }

  /** Returns tables whose queries run in the cluster. */
  static StreamTableEnvironment tables() {
    return StreamTableEnvironment.create(environment(2));
  }

  /** Declares a table. */
  static void create(
      StreamTableEnvironment tables,
      String name,
      String columns,
      String location,
      String... options) {
    StringBuilder with = new StringBuilder("'connector' = 'zarr', 'location' = '" + location + "'");
    for (int i = 0; i < options.length; i += 2) {
      with.append(", '").append(options[i]).append("' = '").append(options[i + 1]).append("'");
    }
    tables.executeSql("CREATE TABLE " + name + " (" + columns + ") WITH (" + with + ")");
  }

  /** Runs a query, and returns its rows in any order. */
  @SuppressWarnings("try") // an interrupt of the close is an error of the test
  static List<Row> rows(StreamTableEnvironment tables, String query) {
    TableResult result = tables.executeSql(query);
    List<Row> rows = new ArrayList<>();
    try (CloseableIterator<Row> each = result.collect()) {
      each.forEachRemaining(rows::add);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return rows;
  }
}
