package dev.zarrreactive.cli.demo;

import dev.zarrreactive.cli.console.Out;
import java.util.List;

/** Lines at the end of a terminal that are overwritten again and again. Not thread-safe. */
final class Screen {
  private static final String HIDE_CURSOR = "\u001b[?25l";
  private static final String SHOW_CURSOR = "\u001b[?25h";

  private final Out out;
  private List<String> shown = List.of();

  Screen(Out out) {
    this.out = out;
  }

  /** Shows lines in place of the last ones; always the same number. */
  void show(List<String> lines) {
    StringBuilder text = new StringBuilder();
    text.append(shown.isEmpty() ? HIDE_CURSOR : "\u001b[" + shown.size() + "A");
    for (int line = 0; line < lines.size(); line++) {
      if (shown.isEmpty() || !shown.get(line).equals(lines.get(line))) {
        text.append('\r').append(lines.get(line)).append("\u001b[K");
      }
      text.append('\n');
    }
    shown = lines;
    out.print(text.toString());
    out.flush();
  }

  /** Leaves the lines as they are, and the terminal as it was. */
  void leave() {
    if (!shown.isEmpty()) {
      out.print(SHOW_CURSOR);
      out.flush();
    }
  }
}
