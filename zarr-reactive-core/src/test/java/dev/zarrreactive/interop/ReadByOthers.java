package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An array of ours in a store, and a script in Python that reads it there. */
final class ReadByOthers {
  private static final int SECONDS = 300;

  /** The status of a script that lacks a package. */
  private static final int LACKS = 3;

  private ReadByOthers() {}

  /** Writes 0 to 23 to the array {@code an/array} of int32 [4, 6], in four chunks. */
  static void write(Store store) {
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(4, 6), DataTypes.INT32).chunkShape(2, 3).build();
    ZarrArray array = Zarr.hierarchy(store).createArray("/an/array", metadata).block();
    int[] values = new int[24];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    array.write("...", NdArray.ofInts(DataTypes.INT32, Shape.of(4, 6), values)).block();
  }

  /**
   * Runs a script, and returns what it prints. The test is skipped where there is no Python, and
   * where the script ends with the status 3: it lacks a package.
   *
   * @param folder for its files
   */
  static String run(Path folder, String script, String... arguments)
      throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("read.py"), script);
    Path out = folder.resolve("out.txt");
    List<String> command = new ArrayList<>(List.of(python(), file.toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(out);
    assumeTrue(process.exitValue() != LACKS, () -> "skipped: " + printed);
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }

  private static String python() throws InterruptedException {
    String chosen =
        System.getProperty(PythonPeers.INTERPRETER, System.getenv(PythonPeers.INTERPRETER));
    String python = chosen == null || chosen.isEmpty() ? "python3" : chosen;
    boolean runs;
    try {
      runs = new ProcessBuilder(python, "--version").start().waitFor() == 0;
    } catch (IOException e) {
      runs = false;
    }
    assumeTrue(runs, "skipped: no Python");
    return python;
  }
}
