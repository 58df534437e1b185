package dev.zarrreactive.cli.console;

import java.util.List;

/**
 * Draws a picture with characters, each of them two pixels, one above the other. A pixel is {@code
 * 0xAARRGGBB}; one with alpha 0 is transparent. A terminal without colours gets characters from
 * dark to bright, one for both pixels.
 */
public final class HalfBlocks {
  /** The pixel that is not drawn. */
  public static final int TRANSPARENT = 0;

  private static final String RAMP = " .:-=+*#%@";
  private static final String UPPER_HALF = "\u2580";
  private static final String LOWER_HALF = "\u2584";
  private static final String RESET = "\u001b[0m";

  private final Colours colours;
  private final boolean hasBlocks;

  /** Creates a drawing for a terminal with these colours. */
  public HalfBlocks(Colours colours, Terminal terminal) {
    this.colours = colours;
    this.hasBlocks = terminal.canShow(UPPER_HALF + LOWER_HALF);
  }

  /**
   * A character.
   *
   * @param colours the sequence before it, or an empty text
   */
  public record Cell(String colours, String character) {}

  /** Returns an opaque pixel of the colour {@code 0xRRGGBB}. */
  public static int opaque(int rgb) {
    return 0xff000000 | rgb;
  }

  /** Returns the character of two pixels. */
  public Cell cell(int upper, int lower) {
    boolean hasUpper = upper >>> 24 != 0;
    boolean hasLower = lower >>> 24 != 0;
    boolean hasColours = colours == Colours.TRUE || colours == Colours.INDEXED;
    if (!hasUpper && !hasLower) {
      return new Cell(hasColours ? RESET : "", " ");
    }
    if (!hasColours) {
      int step = (int) (Light.brightness(both(upper, lower)) * RAMP.length());
      int place = Math.min(step, RAMP.length() - 1);
      return new Cell("", RAMP.substring(place, place + 1));
    }
    if (!hasBlocks) {
      return new Cell(background(both(upper, lower)), " ");
    }
    if (hasUpper && hasLower) {
      return new Cell(foreground(upper) + background(lower), UPPER_HALF);
    }
    return hasUpper
        ? new Cell(RESET + foreground(upper), UPPER_HALF)
        : new Cell(RESET + foreground(lower), LOWER_HALF);
  }

  private static int both(int upper, int lower) {
    Light light = new Light();
    for (int pixel : new int[] {upper, lower}) {
      if (pixel >>> 24 != 0) {
        light.add(pixel & 0xffffff);
      }
    }
    return light.mean();
  }

  private String foreground(int pixel) {
    return colours.foreground((pixel >> 16) & 0xff, (pixel >> 8) & 0xff, pixel & 0xff);
  }

  private String background(int pixel) {
    return colours.background((pixel >> 16) & 0xff, (pixel >> 8) & 0xff, pixel & 0xff);
  }

  /** Returns a line of characters, after which the terminal has its own colours again. */
  public static String line(List<Cell> cells) {
    StringBuilder text = new StringBuilder();
    String last = "";
    for (Cell cell : cells) {
      if (!cell.colours.equals(last)) {
        text.append(cell.colours);
        last = cell.colours;
      }
      text.append(cell.character);
    }
    return text + (last.isEmpty() || last.equals(RESET) ? "" : RESET);
  }
}
