package dev.zarrreactive.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.testing.Slow;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A driver and two executors, each a JVM of its own, read and write files and objects in clouds.
 */
@Slow
class TwoExecutorsTest {
  @TempDir Path directory;

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a cluster of Spark needs a Unix")
  void two_executors_read_and_write_what_one_process_does() throws Exception {
    assumeTrue(Runtime.version().feature() <= 21, "Spark 3.5 runs on Java 17 and 21");
    List<String> classPath =
        List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    assertThat(SparkProcess.check("local-cluster[2,1,1024]", directory, classPath))
        .startsWith("3.5");
  }
}
