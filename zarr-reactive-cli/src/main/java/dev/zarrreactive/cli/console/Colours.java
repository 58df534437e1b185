package dev.zarrreactive.cli.console;

import java.util.Locale;
import java.util.Map;

/** The colours that a terminal has. */
public enum Colours {
  /** None. */
  NONE,
  /** The eight colours and their bright ones. */
  ANSI,
  /** 256 colours. */
  INDEXED,
  /** 24 bits. */
  TRUE;

  /** What the environment says of the terminal. */
  static Colours of(Map<String, String> environment) {
    String terminal = environment.getOrDefault("TERM", "").toLowerCase(Locale.ROOT);
    String colour = environment.getOrDefault("COLORTERM", "").toLowerCase(Locale.ROOT);
    if (terminal.equals("dumb")) {
      return NONE;
    }
    if (colour.equals("truecolor")
        || colour.equals("24bit")
        || terminal.endsWith("-direct")
        || environment.containsKey("WT_SESSION")) { // Windows Terminal
      return TRUE;
    }
    return terminal.contains("256color") ? INDEXED : ANSI;
  }

  /** False for {@link #NONE}. */
  public boolean isOn() {
    return this != NONE;
  }

  /** The sequence that sets the colour of what follows, with these parts from 0 to 255. */
  public String foreground(int red, int green, int blue) {
    return sequence(38, red, green, blue);
  }

  /** The sequence that sets the background of what follows, with these parts from 0 to 255. */
  public String background(int red, int green, int blue) {
    return sequence(48, red, green, blue);
  }

  private String sequence(int kind, int red, int green, int blue) {
    return switch (this) {
      case TRUE -> "\u001b[" + kind + ";2;" + red + ";" + green + ";" + blue + "m";
      case INDEXED -> "\u001b[" + kind + ";5;" + index(red, green, blue) + "m";
      default -> "";
    };
  }

  /** The nearest of the 6x6x6 cube and the 24 greys of the 256 colours. */
  private static int index(int red, int green, int blue) {
    int cube = 36 * level(red) + 6 * level(green) + level(blue);
    int grey = Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3f - 8) / 10)));
    int value = 8 + 10 * grey;
    int toCube =
        square(red - shade(level(red)))
            + square(green - shade(level(green)))
            + square(blue - shade(level(blue)));
    int toGrey = square(red - value) + square(green - value) + square(blue - value);
    return toGrey < toCube ? 232 + grey : 16 + cube;
  }

  private static int level(int part) {
    return part < 48 ? 0 : part < 115 ? 1 : (part - 35) / 40;
  }

  private static int shade(int level) {
    return level == 0 ? 0 : 55 + 40 * level;
  }

  private static int square(int n) {
    return n * n;
  }
}
