package dev.zarrreactive.benchmarks.compare;

import com.github.luben.zstd.Zstd;
import dev.zarrreactive.Zarr;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A JVM that reads one array, or one file without this library, and prints its processor time. */
public final class FirstRead {
  static final String OF_AN_ARRAY = "array";
  static final String OF_A_FILE = "file";

  private FirstRead() {}

  /** Reads, and prints the nanoseconds that the process has used. */
  public static void main(String[] arguments) throws IOException {
    if (arguments[0].equals(OF_AN_ARRAY)) {
      Zarr.at(arguments[1]).openArray().flatMap(array -> array.read()).block();
    } else {
      byte[] stored = Files.readAllBytes(Path.of(arguments[1]));
      Zstd.decompress(stored, (int) Zstd.getFrameContentSize(stored));
    }
    System.out.println(
        ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElseThrow());
  }

  /** Returns the nanoseconds of processor time of a new JVM that reads. Blocks. */
  static double processorTime(String what, String place) {
    try {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  FirstRead.class.getName(),
                  what,
                  place)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return Double.parseDouble(
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
