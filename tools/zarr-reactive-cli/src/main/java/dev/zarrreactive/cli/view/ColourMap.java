package dev.zarrreactive.cli.view;

import dev.zarrreactive.cli.options.Choices;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;

/** The colours of numbers, from the least to the greatest. */
public enum ColourMap {
  /** From black to white. */
  GREY("000000 ffffff"),
  /** From dark blue over green to yellow, of even steps to the eye. */
  VIRIDIS("440154 472d7b 3b528b 2c728e 21918c 28ae80 5ec962 addc30 fde725"),
  /** From black over red to pale yellow, of even steps to the eye. */
  MAGMA("000004 1c1044 4f127b 812581 b5367a e55064 fb8761 fec287 fcfdbf"),
  /** From blue over white to red: for numbers on both sides of a middle. */
  COOLWARM("3b4cc0 6788ee 9abbff c9d7f0 e8e3df edd1c2 f7a889 e26952 b40426");

  private static final int WIDTH = 7;

  /** Colours at even places, RRGGBB each. */
  private final String anchors;

  ColourMap(String anchors) {
    this.anchors = anchors;
  }

  /** Returns the colour {@code 0xRRGGBB} of a place from 0 to 1. */
  int colour(double place) {
    int last = anchors.length() / WIDTH;
    double at = Math.max(0, Math.min(1, place)) * last;
    int below = Math.min((int) at, last - 1);
    double part = at - below;
    int colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int from = (anchor(below) >> shift) & 0xff;
      int to = (anchor(below + 1) >> shift) & 0xff;
      colour |= (int) Math.round(from + part * (to - from)) << shift;
    }
    return colour;
  }

  private int anchor(int number) {
    return Integer.parseInt(anchors, number * WIDTH, number * WIDTH + WIDTH - 1, 16);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads the name. */
  public static final class Converter implements ITypeConverter<ColourMap> {
    @Override
    public ColourMap convert(String word) {
      return Choices.choice(word, values());
    }
  }
}
