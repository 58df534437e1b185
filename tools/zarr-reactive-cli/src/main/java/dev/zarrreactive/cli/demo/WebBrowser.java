package dev.zarrreactive.cli.demo;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The program by which a desktop opens a page.
 *
 * @param command the program and its arguments, without the page
 */
record WebBrowser(List<String> command) {

  /** Returns the program of a system; empty where there is no screen. */
  static Optional<WebBrowser> of(String system, Map<String, String> environment) {
    String name = system.toLowerCase(Locale.ROOT);
    if (name.startsWith("mac")) {
      return Optional.of(new WebBrowser(List.of("open")));
    }
    if (name.startsWith("windows")) {
      return Optional.of(new WebBrowser(List.of("rundll32", "url.dll,FileProtocolHandler")));
    }
    boolean hasScreen =
        !environment.getOrDefault("DISPLAY", "").isEmpty()
            || !environment.getOrDefault("WAYLAND_DISPLAY", "").isEmpty();
    return hasScreen ? Optional.of(new WebBrowser(List.of("xdg-open"))) : Optional.empty();
  }

  /** Opens a page where the program is there; whoever reads the printed address can do so, too. */
  void open(URI page) {
    List<String> all = new ArrayList<>(command);
    all.add(page.toString());
    try {
      new ProcessBuilder(all)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      // the address is printed
    }
  }
}
