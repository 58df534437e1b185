package dev.zarrreactive.blockhound;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A JVM that looks for tests, as Maven's does, is not changed; one that runs them is. */
class DiscoveryTest {
  private static final String LOOKS = "looks";
  private static final String RUNS = "runs";
  private static final String FAILS = "fails";

  @Test
  void a_jvm_that_looks_for_tests_is_not_changed() throws Exception {
    assertThat(sleepInAJvmThat(LOOKS)).isEqualTo("slept");
  }

  @Test
  void a_jvm_that_runs_tests_is_changed() throws Exception {
    assertThat(sleepInAJvmThat(RUNS)).isEqualTo("refused");
  }

  @Test
  void a_test_that_fails_tells_the_calls_that_were_refused() throws Exception {
    Process jvm = start(FAILS, ProcessBuilder.Redirect.PIPE);
    jvm.getOutputStream().close();
    String printed = new String(jvm.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jvm.waitFor()).isZero();
    assertThat(printed)
        .contains("BlockHound refused during blocks_and_fails():")
        .contains("Blocking call! java.lang.Thread.sleep")
        .contains("BlockingTest")
        .doesNotContain("blocks_and_passes");
  }

  private static Process start(String does, ProcessBuilder.Redirect errors) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+IgnoreUnrecognizedVMOptions",
                "-XX:+AllowRedefinitionToAddDeleteMethods",
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                System.getProperty("java.class.path"),
                Looker.class.getName(),
                does))
        .redirectError(errors)
        .start();
  }

  private static String sleepInAJvmThat(String does) throws Exception {
    Process jvm = start(does, ProcessBuilder.Redirect.DISCARD);
    String printed = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jvm.waitFor()).isZero();
    return printed.strip().lines().reduce((first, last) -> last).orElse("");
  }

  /** The program of the other JVM. Its last line tells whether a sleep was refused. */
  static final class Looker {
    private Looker() {}

    public static void main(String[] args) {
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectClass(args[0].equals(FAILS) ? BlockingTest.class : OneTest.class))
              .build();
      try (LauncherSession session = LauncherFactory.openSession()) {
        Launcher launcher = session.getLauncher();
        if (args[0].equals(LOOKS)) {
          launcher.discover(request);
        } else {
          launcher.execute(request);
        }
      }
      System.out.println(
          Mono.fromCallable(
                  () -> {
                    Thread.sleep(1);
                    return "slept";
                  })
              .subscribeOn(Schedulers.parallel())
              .onErrorResume(e -> Mono.just("refused"))
              .block());
    }
  }

  /** A test to find. */
  static final class OneTest {
    @Test
    void is_found() {}
  }

  /** Tests that block where they must not. */
  static final class BlockingTest {
    private static String sleep() {
      return requireNonNull(
          Mono.fromCallable(
                  () -> {
                    Thread.sleep(1);
                    return "slept";
                  })
              .subscribeOn(Schedulers.parallel())
              .onErrorReturn("refused")
              .block());
    }

    @Test
    void blocks_and_passes() {
      assertThat(sleep()).isEqualTo("refused");
    }

    @Test
    void blocks_and_fails() {
      assertThat(sleep()).isEqualTo("slept");
    }
  }
}
