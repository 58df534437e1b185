package dev.zarrreactive.cli.demo;

import dev.zarrreactive.cli.console.Colours;

/** The marks in bar and map of a chunk that is drawn, or in another state. */
enum Glyph {
  NOT_REQUESTED("\u00b7", ".", 74, 82, 96),
  IN_FLIGHT("\u2591", "o", 90, 130, 220),
  WAITING("\u2592", "O", 226, 165, 60),
  DRAWN("\u2588", "#", 120, 190, 120);

  private final String character;
  private final String ascii;
  private final int red;
  private final int green;
  private final int blue;

  Glyph(String character, String ascii, int red, int green, int blue) {
    this.character = character;
    this.ascii = ascii;
    this.red = red;
    this.green = green;
    this.blue = blue;
  }

  static Glyph of(ChunkStates.State state) {
    return valueOf(state.name());
  }

  String character(boolean blocks) {
    return blocks ? character : ascii;
  }

  String colours(Colours colours) {
    String foreground = colours.foreground(red, green, blue);
    return foreground.isEmpty() ? "" : foreground + colours.background(12, 15, 22);
  }

  /** Returns the character {@code count} times, in its colour. */
  String times(long count, Colours colours, boolean blocks) {
    String colour = colours.foreground(red, green, blue);
    String text = character(blocks).repeat((int) Math.max(0, count));
    return colour.isEmpty() || text.isEmpty() ? text : colour + text + "\u001b[0m";
  }
}
