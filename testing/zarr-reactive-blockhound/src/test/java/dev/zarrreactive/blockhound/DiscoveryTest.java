package dev.zarrreactive.blockhound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

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

  @Test
  void a_jvm_that_looks_for_tests_is_not_changed() throws Exception {
    assertThat(sleepInAJvmThat(LOOKS)).isEqualTo("slept");
  }

  @Test
  void a_jvm_that_runs_tests_is_changed() throws Exception {
    assertThat(sleepInAJvmThat(RUNS)).isEqualTo("refused");
  }

  private static String sleepInAJvmThat(String does) throws Exception {
    Process jvm =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+IgnoreUnrecognizedVMOptions",
                    "-XX:+AllowRedefinitionToAddDeleteMethods",
                    "-XX:+EnableDynamicAgentLoading",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Looker.class.getName(),
                    does))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String printed = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jvm.waitFor()).isZero();
    return printed.strip().lines().reduce((first, last) -> last).orElse("");
  }

  /** The program of the other JVM. Its last line tells whether a sleep was refused. */
  static final class Looker {
    private Looker() {}

    public static void main(String[] args) {
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request().selectors(selectClass(OneTest.class)).build();
      try (LauncherSession session = LauncherFactory.openSession()) {
        Launcher launcher = session.getLauncher();
        if (args[0].equals(RUNS)) {
          launcher.execute(request);
        } else {
          launcher.discover(request);
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
}
