package dev.zarrreactive.fuzz;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.fuzz.Fuzzing.Case;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The fuzzers find what they are to find. */
class FuzzingTest {
  private static final int CASES = 20;
  private static final Duration LONGEST_CASE = Duration.ofSeconds(60);

  private static void assertFound(String what, Case target) {
    assertFound(what, target, LONGEST_CASE);
  }

  private static void assertFound(String what, Case target, Duration longestCase) {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> Fuzzing.run("Test", target, CASES, longestCase))
        .withMessageContaining(what)
        .withMessageContaining("repeat it with -DZARR_FUZZ_SEED=");
  }

  @Test
  void an_error_of_another_library_is_found() {
    assertFound(
        "not an error of ours",
        (random, notes) -> {
          throw new IndexOutOfBoundsException("anything");
        });
    assertFound(
        "not an error of ours",
        (random, notes) -> {
          throw new StackOverflowError();
        });
  }

  @Test
  void an_error_without_a_place_is_found() {
    assertFound(
        "it does not say where",
        (random, notes) -> {
          throw new CodecException("anything", Location.UNKNOWN);
        });
  }

  @Test
  void unexpected_memory_is_found() {
    Case target = (random, notes) -> notes.say("" + new byte[70 << 20].length);
    assertFound("bytes more than expected", target);
    Case expected =
        (random, notes) -> {
          notes.expect(70 << 20);
          target.attempt(random, notes);
        };
    assertThatCode(() -> Fuzzing.run("Test", expected, CASES, LONGEST_CASE))
        .doesNotThrowAnyException();
  }

  @Test
  void a_case_that_does_not_end_is_found() {
    assertFound(
        "it does not end",
        (random, notes) -> {
          while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
          }
        },
        Duration.ofMillis(200));
  }

  @Test
  void data_and_located_errors_are_all_right() {
    Case target =
        (random, notes) -> {
          if (random.nextBoolean()) {
            throw new CodecException("anything", Location.ofKey("c/0"));
          }
        };
    assertThatCode(() -> Fuzzing.run("Test", target, CASES, LONGEST_CASE))
        .doesNotThrowAnyException();
  }
}
