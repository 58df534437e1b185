package dev.zarrreactive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.faults.Fault;
import dev.zarrreactive.faults.FaultyServer;
import dev.zarrreactive.store.MemoryStore;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own. */
class CommandProcessTest {
  @TempDir Path directory;

  private final FaultyServer server = FaultyServer.of(MemoryStore.create());

  @AfterEach
  void close() {
    server.close();
  }

  private String printed(int exitCode, String... arguments) throws Exception {
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-cp",
                            classPath(),
                            "dev.zarrreactive.cli.ZarrCommand"),
                        Stream.of(arguments))
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    String text = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(text).isEqualTo(exitCode);
    return text;
  }

  /** Without the logging that tests have. */
  private static String classPath() {
    List<String> parts = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    return String.join(
        File.pathSeparator, parts.stream().filter(part -> !part.contains("slf4j")).toList());
  }

  @Test
  void nothing_is_said_but_what_the_command_says() throws Exception {
    server.misbehave(Fault.silence());
    String url = server.uri() + "/a";
    assertThat(printed(1, "info", url, "--timeout=200ms", "--no-retry"))
        .isEqualTo(
            "zarr: error: %s: the request for %s/zarr.json failed: nothing arrived for longer than"
                    .formatted(url, url)
                + " the stall timeout (node /, key zarr.json)\n");
  }
}
