package dev.zarrreactive.internal.labels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.error.InvalidInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DimensionLabelTest {
  @ParameterizedTest
  @CsvSource({
    "time=2024-01, time, false, false, 2024-01, ''",
    "time:2024-01-31T06:00, time, false, false, 2024-01-31T06:00, ''",
    "time:2024-01..2024-03, time, false, true, 2024-01, 2024-03",
    "lat=40.., lat, false, true, 40, ''",
    "lat:..50, lat, false, true, '', 50",
    "lat~-47.5, lat, true, false, -47.5, ''",
    "name=a=b:c~d, name, false, false, a=b:c~d, ''"
  })
  void a_label_is_read_from_a_text(
      String text, String dimension, boolean isNearest, boolean isRange, String from, String to) {
    assertThat(DimensionLabel.parse(text))
        .isEqualTo(new DimensionLabel(dimension, isNearest, isRange, from, to));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "time", "time=", ":x", "lat~1..2"})
  void another_text_is_refused(String text) {
    assertThatThrownBy(() -> DimensionLabel.parse(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("expected DIM=LABEL");
  }

  @Test
  void the_message_has_the_text() {
    assertThatThrownBy(() -> DimensionLabel.parse("month")).hasMessageEndingWith("not month");
  }
}
