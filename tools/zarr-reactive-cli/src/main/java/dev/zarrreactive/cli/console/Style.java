package dev.zarrreactive.cli.console;

/**
 * Styles of text: escape sequences with colours on, plain text with colours off. Every colour can
 * be read on black and on white.
 */
public enum Style {
  /** Names of described things. */
  HEADING("1"),
  /** Groups. */
  GROUP("1;35"),
  /** Arrays. */
  ARRAY("1"),
  /** Secondary text. */
  FAINT("2"),
  /** Warnings. */
  WARNING("1;35"),
  /** Errors. */
  ERROR("1;31");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /** Returns {@code text} in this style. */
  public String of(String text, boolean colour) {
    return colour && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
