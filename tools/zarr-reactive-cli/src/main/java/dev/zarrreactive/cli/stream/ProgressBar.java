package dev.zarrreactive.cli.stream;

import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Out;

/** A bar on the last line of a terminal; elsewhere it is not drawn. */
public final class ProgressBar {
  private static final int WIDEST = 30;
  private static final int NARROWEST = 8;

  /** The columns that the bytes, the rate and the time left take. */
  private static final int TEXT_COLUMNS = 56;

  /** The columns of the brackets and the percents. */
  private static final int FRAME_COLUMNS = 12;

  private static final String SEPARATOR = ", ";
  private static final String DOTS = "..";

  /** The characters of a place of which a shorter part tells nothing. */
  private static final int LEAST_PLACE = 4;

  private static final String CLEAR_LINE = "\r\u001b[K";

  private final Out out;
  private final boolean shown;
  private final int columns;
  private final int width;

  /** Creates a bar on standard error; it is not drawn after {@code --quiet}. */
  public ProgressBar(CommandConsole console) {
    this.out = console.err();
    this.shown = console.terminal().err() && !console.isQuiet();
    this.columns = console.terminal().columns();
    int left = columns - TEXT_COLUMNS - FRAME_COLUMNS;
    this.width = Math.max(NARROWEST, Math.min(WIDEST, left));
  }

  /** Removes the bar, so that a line can be written in its place. */
  public void clear() {
    if (shown) {
      out.print(CLEAR_LINE);
      out.flush();
    }
  }

  /** Draws a text alone, of work without a known end. A text wider than the terminal is cut. */
  public void draw(String text) {
    if (shown) {
      out.print(CLEAR_LINE + cut(text, columns - 1));
      out.flush();
    }
  }

  /**
   * Draws the bar. It is short where the text has no room beside a long one.
   *
   * @param share the finished share of the work, from 0 to 1
   * @param text the text behind the bar, which is cut at the edge of the terminal
   */
  public void draw(double share, String text) {
    if (shown) {
      int done = (int) Math.round(share * width);
      out.print(
          CLEAR_LINE
              + "["
              + "#".repeat(done)
              + "-".repeat(width - done)
              + "] "
              + Math.round(share * 100)
              + " %  "
              + cut(text, columns - width - FRAME_COLUMNS));
      out.flush();
    }
  }

  /** Returns a text that fits: of the place at its end the last part stays, or nothing of it. */
  private static String cut(String text, int room) {
    int place = text.lastIndexOf(SEPARATOR) + SEPARATOR.length();
    int left = room - place - DOTS.length();
    if (text.length() <= room || place < SEPARATOR.length()) {
      return text.substring(0, Math.max(0, Math.min(room, text.length())));
    }
    return left < LEAST_PLACE
        ? cut(text.substring(0, place - SEPARATOR.length()), room)
        : text.substring(0, place) + DOTS + text.substring(text.length() - left);
  }
}
