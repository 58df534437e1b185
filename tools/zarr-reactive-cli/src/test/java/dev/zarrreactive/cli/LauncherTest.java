package dev.zarrreactive.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.testing.Slow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code zarr}, with the jar that an earlier build has left. {@link BareEnvironmentTest}
 * runs its commands.
 */
class LauncherTest {
  private static final Path SCRIPT = Path.of("../../zarr").toAbsolutePath().normalize();
  private static final Path JAR = Path.of("target/zarr.jar").toAbsolutePath();
  private static final Path JDK = Path.of(System.getProperty("java.home"));

  @TempDir static Path shared;

  @TempDir Path directory;

  private String options = "";

  @BeforeAll
  static void is_there() throws IOException {
    assumeThat(Path.of("/bin/sh")).as("a shell").exists();
    assumeThat(JAR).as("the jar of an earlier build").exists();
    Files.copy(JAR, shared.resolve("zarr.jar"));
  }

  private String printed(int exitCode, Path home, String script, String... arguments)
      throws Exception {
    List<String> words = new ArrayList<>(List.of("/bin/sh", script));
    words.addAll(List.of(arguments));
    Path out = directory.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().put("JAVA_HOME", home.toString());
    builder.environment().put("ZARR_JAR", shared.resolve("zarr.jar").toString());
    builder.environment().put("ZARR_JAVA_OPTS", options);
    Process process = builder.start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    String text = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(text).isEqualTo(exitCode);
    return text;
  }

  @Test
  @Slow
  void an_image_runs_without_the_jdk_that_made_it() throws Exception {
    assumeThat(JDK.resolve("bin/jlink")).as("jlink").exists();
    assumeThat(JDK.resolve("jmods")).as("the modules that jlink takes").exists();
    Path array = directory.resolve("a");
    TestArrays.create(array, Shape.of(2, 3), DataTypes.UINT8, settings -> settings);
    Path image = directory.resolve("image");
    printed(0, JDK, SCRIPT.toString(), "--image", image.toString());
    assertThat(image.resolve("lib/zarr/zarr.jsa")).isNotEmptyFile();
    Path noJdk = directory.resolve("none");
    assertThat(printed(0, noJdk, image.resolve("bin/zarr").toString(), "tree", array.toString()))
        .isEqualTo(array + "  uint8 [2, 3]\n");
    options =
        "-Xmx48m -XX:+UseParallelGC"; // a JVM refuses two collectors, and more than it may have
    for (String command : List.of("tree", "stats")) {
      assertThat(printed(0, noJdk, image.resolve("bin/zarr").toString(), command, array.toString()))
          .isNotEmpty();
    }
    // https needs a provider of elliptic curves, which no static search finds
    assertThat(Files.readString(image.resolve("release"))).contains("jdk.crypto.ec", "jdk.zipfs");
  }

  @Test
  void an_image_is_made_in_a_new_directory_alone() throws Exception {
    assertThat(printed(2, JDK, SCRIPT.toString(), "--image", directory.toString()))
        .isEqualTo("zarr: error: --image needs a new directory, and " + directory + " is there\n");
    assertThat(printed(2, JDK, SCRIPT.toString(), "--image"))
        .isEqualTo("zarr: error: --image needs a new directory\n");
  }

  @Test
  void an_image_needs_the_tools_of_a_jdk() throws Exception {
    Path image = directory.resolve("image");
    assertThat(printed(1, directory, SCRIPT.toString(), "--image", image.toString()))
        .isEqualTo(
            "zarr: error: --image needs jlink and jdeps of a JDK, on the PATH or in JAVA_HOME\n");
    assertThat(image).doesNotExist();
  }
}
