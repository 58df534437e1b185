package dev.zarrreactive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stores are told when they are opened by their URL. */
class StoreOptionsTest {
  @Test
  void values_are_texts_that_mean_something() {
    StoreOptions options =
        StoreOptions.none()
            .with("word", "x")
            .with("yes", "true")
            .with("no", "false")
            .with("many", "64")
            .with("long", "PT1.5S");
    assertThat(options.text("word")).isEqualTo("x");
    assertThat(options.isTrue("yes")).isTrue();
    assertThat(options.isTrue("no")).isFalse();
    assertThat(options.number("many")).isEqualTo(64);
    assertThat(options.duration("long")).isEqualTo(Duration.ofMillis(1500));
    assertThat(options.names()).containsExactly("long", "many", "no", "word", "yes");
    assertThat(options).hasToString("StoreOptions[long, many, no, word, yes]");
  }

  @ParameterizedTest
  @CsvSource({"500ms, PT0.5S", "30s, PT30S", "5m, PT5M", "1h, PT1H", "0s, PT0S", "PT30S, PT30S"})
  void a_duration_may_be_a_number_with_a_unit(String text, Duration expected) {
    assertThat(StoreOptions.none().with("it", text).duration("it")).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yes", "TRUE", "-1", "1e3", "9999999999", "30 s", "5d", " true"})
  void what_means_nothing_is_refused_by_name(String value) {
    StoreOptions options = StoreOptions.none().with("it", value);
    assertThatThrownBy(() -> options.isTrue("it"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("it is true or false, not \"" + value + "\"");
    assertThatThrownBy(() -> options.number("it"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("it is a number");
    assertThatThrownBy(() -> options.duration("it"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("it is a duration such as PT30S");
    assertThatThrownBy(() -> options.text("other"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("other");
  }

  /** A part that a test gives. */
  private record Given(String text) implements StoreOptions.Part {}

  private record Other() implements StoreOptions.Part {}

  @Test
  void a_part_is_found_by_its_kind_and_the_last_one_counts() {
    StoreOptions options =
        StoreOptions.none().with(new Given("a")).with("x", "y").with(new Given("b")).without("x");
    assertThat(options.part(Given.class)).isEqualTo(new Given("b"));
    assertThat(options.part(Other.class)).isNull();
    assertThat(options.names()).isEmpty();
    assertThat(options).isNotEqualTo(StoreOptions.none());
    assertThat(StoreOptions.none().with(new Given("a")))
        .isEqualTo(StoreOptions.none().with(new Given("a")))
        .hasToString("StoreOptions[][Given[text=a]]");
  }
}
