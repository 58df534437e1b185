package dev.zarrreactive.flink;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.partition.CountedStores;
import dev.zarrreactive.partition.Weather;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that fails goes on at its checkpoint, and one that is cancelled asks for nothing more. */
class FlinkRecoveryTest {
  @TempDir static Path directory;

  @BeforeAll
  static void write() {
    Weather.write(directory.resolve("w.zarr"));
  }

  @BeforeEach
  void reset() {
    CountedStores.reset();
  }

  private static StreamTableEnvironment tables(StreamExecutionEnvironment environment) {
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    TestFlink.create(
        tables,
        "w",
        TestFlink.COLUMNS,
        "counted://" + directory.resolve("w.zarr"),
        "split-bytes",
        "1b");
    return tables;
  }

  /** Fails once, after a checkpoint that has the rows before the requests that wait. */
  private static final class FailsOnce
      implements MapFunction<Row, Row>, CheckpointedFunction, CheckpointListener {
    private static final long serialVersionUID = 1;

    /** The rows of the chunks of ten times. */
    private static final long BEFORE = 10L * Weather.LATS * Weather.STATIONS;

    private static final AtomicLong SEEN = new AtomicLong();
    private static final Map<Long, Long> SEEN_AT = new ConcurrentHashMap<>();
    private static volatile boolean isArmed;
    private static volatile boolean hasFailed;

    @Override
    public Row map(Row row) {
      if (isArmed && !hasFailed) {
        hasFailed = true;
        throw new IllegalStateException("the job fails as the test wants it");
      }
      SEEN.incrementAndGet();
      return row;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
      SEEN_AT.put(context.getCheckpointId(), SEEN.get());
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {}

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
      if (!isArmed && SEEN_AT.getOrDefault(checkpoint, 0L) == BEFORE) {
        isArmed = true;
        CountedStores.release();
      }
    }
  }

  @Test
  @SuppressWarnings("try") // an interrupt of the close is an error of the test
  void each_row_comes_once_after_a_failure_and_what_was_read_is_not_asked_for_again()
      throws Exception {
    StreamExecutionEnvironment environment = TestFlink.environment(1);
    environment.enableCheckpointing(20);
    environment.configure(
        new Configuration()
            .set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay")
            .set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY,
                java.time.Duration.ZERO));
    StreamTableEnvironment tables = tables(environment);
    CountedStores.hold(key -> key.matches("t/c/[2-4]/.*"));
    DataStream<Row> rows = tables.toDataStream(tables.sqlQuery("SELECT * FROM w"));
    List<Row> found = new ArrayList<>();
    try (CloseableIterator<Row> each =
        rows.map(new FailsOnce()).returns(rows.getType()).executeAndCollect()) {
      each.forEachRemaining(found::add);
    }
    assertThat(FailsOnce.hasFailed).isTrue();
    List<Row> expected = new ArrayList<>();
    for (int time = 0; time < Weather.TIMES; time++) {
      for (int lat = 0; lat < Weather.LATS; lat++) {
        for (int station = 0; station < Weather.STATIONS; station++) {
          expected.add(TestFlink.row(time, lat, station));
        }
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(CountedStores.chunks("t"))
        .filteredOn(key -> key.matches("t/c/[01]/.*"))
        .hasSize(2 * 3 * 4)
        .doesNotHaveDuplicates();
  }

  @Test
  void a_cancel_ends_the_requests() throws Exception {
    StreamTableEnvironment tables = tables(TestFlink.environment(2));
    CountedStores.hold(key -> key.startsWith("t/c/"));
    JobClient job = tables.executeSql("SELECT * FROM w").getJobClient().orElseThrow();
    eventually("both readers wait", () -> CountedStores.held() == 2);
    job.cancel().get();
    eventually("no request waits", () -> CountedStores.held() == 0);
    eventually("the job has ended", () -> job.getJobStatus().join() == JobStatus.CANCELED);
    CountedStores.release();
    assertThat(CountedStores.chunks("t")).hasSize(2);
  }
}
