package dev.zarrreactive.cli.console;

/** Text made to stand out, where colours are on; plain text where they are off. */
public enum Style {
  /** Names of what is described. */
  HEADING("1"),
  /** Groups. */
  GROUP("1;34"),
  /** Arrays. */
  ARRAY("1;32"),
  /** What is beside the point. */
  FAINT("2"),
  /** What may be wrong. */
  WARNING("1;33"),
  /** What went wrong. */
  ERROR("1;31");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /** {@code text} in this style. */
  public String of(String text, boolean colour) {
    return colour && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
