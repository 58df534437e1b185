package dev.zarrreactive.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StyleTest {
  private static final Pattern COLOUR = Pattern.compile("\\b3([0-7])\\b");

  /** The least contrast of large text in the guidelines of the W3C. */
  private static final double LEAST = 3;

  @ParameterizedTest
  @EnumSource
  void a_colour_can_be_read_on_black_and_on_white(Style style) {
    Matcher colour = COLOUR.matcher(style.of("x", true));
    while (colour.find()) {
      int code = Integer.parseInt(colour.group(1));
      for (int strength : new int[] {205, 255}) { // of xterm, which may brighten bold text
        double light = light(code, strength);
        assertThat(1.05 / (light + 0.05)).as("%s on white", style).isGreaterThan(LEAST);
        assertThat((light + 0.05) / 0.05).as("%s on black", style).isGreaterThan(LEAST);
      }
    }
  }

  /** The relative luminance of a colour: its bits are red, green and blue. */
  private static double light(int code, int strength) {
    double part = Math.pow((strength / 255.0 + 0.055) / 1.055, 2.4);
    return part * (0.2126 * (code & 1) + 0.7152 * (code >> 1 & 1) + 0.0722 * (code >> 2 & 1));
  }
}
