package dev.zarrreactive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Another project takes the testkit, and starts its tests without any option of the JVM. */
class WithoutJvmOptionsTest {
  private static final String PASSED = "0 failed, some succeeded: true";

  @Test
  void a_contract_runs_where_there_is_no_blockhound() throws Exception {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("blockhound"))
            .collect(Collectors.joining(File.pathSeparator));
    assertThat(run(classPath)).contains(PASSED).doesNotContain("BlockHound");
  }

  @Test
  void a_contract_runs_where_blockhound_cannot_be_installed() throws Exception {
    assertThat(run(withoutTheListenerOfBlockHoundItself()))
        .contains(PASSED)
        .contains("tests run without BlockHound")
        .contains("-XX:+AllowRedefinitionToAddDeleteMethods");
  }

  @Test
  void the_testkit_brings_blockhound_into_the_tests_of_this_module_alone() throws Exception {
    assertThat(Files.readString(Path.of("pom.xml")))
        .contains("<artifactId>zarr-reactive-blockhound</artifactId>\n      <scope>test</scope>")
        .doesNotContain("blockhound-junit-platform");
  }

  private static String withoutTheListenerOfBlockHoundItself() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("blockhound-junit-platform"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String run(String classPath) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                ContractRun.class.getName())
            .redirectErrorStream(true)
            .start();
    CompletableFuture.delayedExecutor(9, TimeUnit.MINUTES).execute(process::destroyForcibly);
    try (var output = process.getInputStream()) {
      return new String(output.readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }
}
