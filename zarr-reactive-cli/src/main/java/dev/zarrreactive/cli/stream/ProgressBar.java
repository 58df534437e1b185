package dev.zarrreactive.cli.stream;

import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Out;

/** A bar on the last line of a terminal; elsewhere it is not drawn. */
public final class ProgressBar {
  private static final int WIDTH = 30;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final Out out;
  private final boolean shown;

  /** Creates a bar on standard error; it is not drawn after {@code --quiet}. */
  public ProgressBar(CommandConsole console) {
    this.out = console.err();
    this.shown = console.terminal().err() && !console.isQuiet();
  }

  /** Removes the bar, so that a line can be written in its place. */
  public void clear() {
    if (shown) {
      out.print(CLEAR_LINE);
      out.flush();
    }
  }

  /** Draws a text alone, of work without a known end. */
  public void draw(String text) {
    if (shown) {
      out.print(CLEAR_LINE + text);
      out.flush();
    }
  }

  /**
   * Draws the bar.
   *
   * @param share the finished share of the work, from 0 to 1
   * @param text the text behind the bar
   */
  public void draw(double share, String text) {
    if (shown) {
      int done = (int) Math.round(share * WIDTH);
      out.print(
          CLEAR_LINE
              + "["
              + "#".repeat(done)
              + "-".repeat(WIDTH - done)
              + "] "
              + Math.round(share * 100)
              + " %  "
              + text);
      out.flush();
    }
  }
}
