package dev.zarrreactive.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a JVM that has BlockHound, and none of this project's rules for tests, a first read works. */
class FirstReadUnderBlockHoundTest {
  private static final int LENGTH = 10_000;

  @TempDir private Path directory;

  @Test
  void a_first_read_and_write_with_each_native_library_passes() throws Exception {
    List<String> arguments = new ArrayList<>(List.of(directory.toString()));
    for (String compressor : List.of("zstd", "numcodecs.lz4", "blosc lz4", "blosc snappy")) {
      write(compressor.replace(' ', '-'), configuration(compressor.split(" ")));
      arguments.add(compressor.replace(' ', '-'));
    }
    String output = run(arguments);
    for (String array : arguments.subList(1, arguments.size())) {
      assertThat(output).contains(array + " " + LENGTH / 100 * 4950);
    }
  }

  private void write(String path, NamedConfiguration compressor) {
    int[] values = IntStream.range(0, LENGTH).map(i -> i % 100).toArray();
    Shape shape = Shape.of(LENGTH);
    Zarr.hierarchy(FileSystemStore.open(directory))
        .createArray(path, ArrayMetadata.v3(shape, DataTypes.INT32).compressors(compressor).build())
        .flatMap(
            array -> array.write(Selection.all(), NdArray.ofInts(DataTypes.INT32, shape, values)))
        .block(Duration.ofSeconds(30));
  }

  private static NamedConfiguration configuration(String... name) {
    if (name.length == 1) {
      return name[0].equals("zstd")
          ? NamedConfiguration.of("zstd", JsonObject.EMPTY.with("level", 1).with("checksum", false))
          : NamedConfiguration.of(name[0], JsonObject.EMPTY.with("acceleration", 1));
    }
    return NamedConfiguration.of(
        name[0],
        JsonObject.EMPTY
            .with("cname", name[1])
            .with("clevel", 5)
            .with("shuffle", "shuffle")
            .with("typesize", 4)
            .with("blocksize", 0));
  }

  private static String run(List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+AllowRedefinitionToAddDeleteMethods");
    if (Runtime.version().feature() >= 21) {
      command.add("-XX:+EnableDynamicAgentLoading");
    }
    command.addAll(
        List.of("-cp", withoutRulesForTests(), FirstReadUnderBlockHound.class.getName()));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    CompletableFuture.delayedExecutor(90, TimeUnit.SECONDS).execute(process::destroyForcibly);
    try (var output = process.getInputStream()) {
      return new String(output.readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String withoutRulesForTests() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("zarr-reactive-blockhound"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
