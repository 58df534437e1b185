package dev.zarrreactive.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class TerminalTest {
  private static Terminal detect(String properties, Map<String, String> environment) {
    Properties system = new Properties();
    for (String property : properties.split(";")) {
      int equals = property.indexOf('=');
      if (equals > 0) {
        system.setProperty(property.substring(0, equals), property.substring(equals + 1));
      }
    }
    return Terminal.detect(system, environment);
  }

  @Test
  void the_launcher_says_which_streams_are_a_terminal_and_how_large_it_is() {
    Terminal both = detect("zarr.terminal=out,err;zarr.terminal.size=50 132", Map.of());
    assertThat(both.out()).isTrue();
    assertThat(both.err()).isTrue();
    assertThat(both.lines()).isEqualTo(50);
    assertThat(both.columns()).isEqualTo(132);
    Terminal errors = detect("zarr.terminal=,err;zarr.terminal.size=", Map.of());
    assertThat(errors.out()).isFalse();
    assertThat(errors.err()).isTrue();
    assertThat(errors.lines()).isEqualTo(24);
    assertThat(errors.columns()).isEqualTo(80);
  }

  @Test
  void the_environment_has_the_last_word_on_the_size() {
    Map<String, String> environment = Map.of("COLUMNS", "100", "LINES", "many");
    Terminal terminal = detect("zarr.terminal=out;zarr.terminal.size=50 132", environment);
    assertThat(terminal.columns()).isEqualTo(100);
    assertThat(terminal.lines()).isEqualTo(50);
  }

  @Test
  void colours_are_what_the_terminal_has() {
    assertThat(Colours.of(Map.of("TERM", "xterm", "COLORTERM", "truecolor")))
        .isEqualTo(Colours.TRUE);
    assertThat(Colours.of(Map.of("TERM", "xterm-direct"))).isEqualTo(Colours.TRUE);
    assertThat(Colours.of(Map.of("WT_SESSION", "x"))).isEqualTo(Colours.TRUE);
    assertThat(Colours.of(Map.of("TERM", "screen-256color"))).isEqualTo(Colours.INDEXED);
    assertThat(Colours.of(Map.of("TERM", "xterm"))).isEqualTo(Colours.ANSI);
    assertThat(Colours.of(Map.of("TERM", "dumb", "COLORTERM", "truecolor")))
        .isEqualTo(Colours.NONE);
  }

  @Test
  void no_color_counts_where_it_is_not_empty() {
    assertThat(detect("", Map.of("NO_COLOR", "1")).noColour()).isTrue();
    assertThat(detect("", Map.of("NO_COLOR", "")).noColour()).isFalse();
  }

  @Test
  void text_is_utf_8_under_the_c_locale_and_otherwise_what_the_terminal_reads() {
    assertThat(detect("native.encoding=ANSI_X3.4-1968", Map.of()).charset())
        .isEqualTo(StandardCharsets.UTF_8);
    Terminal latin = detect("native.encoding=UTF-8;stdout.encoding=ISO-8859-1", Map.of());
    assertThat(latin.charset()).isEqualTo(StandardCharsets.ISO_8859_1);
    assertThat(latin.canShow("é")).isTrue();
    assertThat(latin.canShow("▀")).isFalse();
    assertThat(detect("native.encoding=no such thing", Map.of()).charset())
        .isEqualTo(StandardCharsets.UTF_8);
  }

  @Test
  void of_256_colours_one_near_is_taken_and_dark_blue_stays_blue() {
    assertThat(Colours.INDEXED.foreground(6, 18, 46)).isEqualTo("\u001b[38;5;17m");

    assertThat(Colours.INDEXED.foreground(255, 0, 0)).isEqualTo("\u001b[38;5;196m");
    assertThat(Colours.INDEXED.background(128, 128, 128)).isEqualTo("\u001b[48;5;246m");
    assertThat(Colours.INDEXED.foreground(0, 0, 0)).isEqualTo("\u001b[38;5;16m");
    assertThat(Colours.TRUE.background(1, 2, 3)).isEqualTo("\u001b[48;2;1;2;3m");
    assertThat(Colours.NONE.foreground(1, 2, 3)).isEmpty();
  }
}
