package dev.zarrreactive.cli.console;

import java.util.Locale;
import java.util.Map;

/** The colours of a terminal. */
public enum Colours {
  /** No colours. */
  NONE,
  /** The eight colours and their bright ones. */
  ANSI,
  /** 256 colours. */
  INDEXED,
  /** 24 bits. */
  TRUE;

  private static final int NEARLY_GREY = 16;

  /** Returns the colours that the environment names. */
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

  /** Returns false for {@link #NONE}. */
  public boolean isOn() {
    return this != NONE;
  }

  /** Returns the sequence that sets the foreground, with parts from 0 to 255. */
  public String foreground(int red, int green, int blue) {
    return sequence(38, red, green, blue);
  }

  /** Returns the sequence that sets the background, with parts from 0 to 255. */
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

  /**
   * Returns the index of a colour in the 6x6x6 cube or the 24 greys. The cube has no level between
   * 0 and 95: dark colours are lifted, and become grey only if they are nearly grey, or seas would
   * turn black.
   */
  private static int index(int red, int green, int blue) {
    int r = lifted(red);
    int g = lifted(green);
    int b = lifted(blue);
    int most = Math.max(r, Math.max(g, b));
    int least = Math.min(r, Math.min(g, b));
    if (least > 246) {
      return 231; // white, brighter than all greys
    }
    if (most - least < NEARLY_GREY && most > 0) {
      return 232 + Math.max(0, Math.min(23, Math.round(((r + g + b) / 3f - 8) / 10)));
    }
    return 16 + 36 * level(r) + 6 * level(g) + level(b);
  }

  private static int lifted(int part) {
    return (int) Math.round(255 * Math.pow(part / 255.0, 0.8));
  }

  private static int level(int part) {
    return part < 48 ? 0 : part < 115 ? 1 : (part - 35) / 40;
  }
}
