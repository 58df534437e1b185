package dev.zarrreactive.spark.bridge;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.JobExecutionStatus;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkJobInfo;
import org.apache.spark.SparkStageInfo;
import org.apache.spark.SparkStatusTracker;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of the jobs that a thread has begun since this was made. Spark reports the failure of a
 * job while other tasks of it run on.
 */
public final class RunningTasks {
  /** How long a task may take to store one more unit; the traces are removed after that anyway. */
  private static final Duration MOST = Duration.ofMinutes(1);

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final SparkStatusTracker tracker;
  private final @Nullable String group;
  private final Set<Integer> before;

  private RunningTasks(SparkStatusTracker tracker, @Nullable String group) {
    this.tracker = tracker;
    this.group = group;
    this.before = jobs().boxed().collect(Collectors.toSet());
  }

  /** Begins, on the thread that then runs the jobs. */
  public static RunningTasks since(Dataset<Row> rows) {
    SparkContext context = rows.sparkSession().sparkContext();
    return new RunningTasks(context.statusTracker(), context.getLocalProperty("spark.jobGroup.id"));
  }

  /** Waits on a thread of Spark until the tasks have ended, for a minute at most. */
  public void awaitEnd() throws InterruptedIOException {
    long begin = System.nanoTime();
    while (areRunning() && System.nanoTime() - begin < MOST.toNanos()) {
      try {
        Thread.sleep(PAUSE.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("the wait for tasks that run was interrupted");
      }
    }
  }

  private boolean areRunning() {
    return jobs().filter(job -> !before.contains(job)).anyMatch(this::isRunning);
  }

  private boolean isRunning(int job) {
    SparkJobInfo info = tracker.getJobInfo(job).getOrElse(() -> null);
    return info != null
        && (info.status() == JobExecutionStatus.RUNNING
            || Arrays.stream(info.stageIds()).anyMatch(this::hasTasks));
  }

  private boolean hasTasks(int stage) {
    SparkStageInfo info = tracker.getStageInfo(stage).getOrElse(() -> null);
    return info != null && info.numActiveTasks() > 0;
  }

  private IntStream jobs() {
    return Arrays.stream(tracker.getJobIdsForGroup(group));
  }
}
