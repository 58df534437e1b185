package dev.zarrreactive.server;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * Prints the time from the first byte of the page to the picture of the demonstration, in an
 * installed Chromium with an empty cache, of a server that has just started. A program for {@code
 * benchmarks/README.md}, not a test; its argument is the number of loads.
 */
final class PageFigures {
  private static final Path DEMO =
      Path.of("../zarr-reactive-cli/src/main/resources/demo/earth.zarr");

  /** Notes when the page says that all of the picture is drawn. */
  private static final String WATCH =
      "new MutationObserver(() => {"
          + " if (document.querySelector('main')?.dataset.state === 'drawn') drawnAt ??= performance.now();"
          + " }).observe(document, { subtree: true, attributes: true, childList: true });"
          + " var drawnAt;";

  private static final String TIME =
      "drawnAt - performance.getEntriesByType('navigation')[0].responseStart";

  private PageFigures() {}

  /** Prints the median, the least and the most of some loads. */
  public static void main(String... arguments) throws IOException {
    int loads = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 9;
    double[] times = new double[loads];
    Browser browser = Browser.start(Files.createTempDirectory("page-figures"));
    try {
      for (int i = 0; i < loads; i++) {
        times[i] = load(browser);
        System.out.printf(Locale.ROOT, "load %d: %.0f ms%n", i + 1, times[i]);
      }
    } finally {
      browser.close();
    }
    Arrays.sort(times);
    System.out.printf(
        Locale.ROOT,
        "median %.0f ms, from %.0f to %.0f%n",
        times[loads / 2],
        times[0],
        times[loads - 1]);
  }

  private static double load(Browser browser) {
    try (Serving serving = new Serving(FileSystemStore.open(DEMO), server -> server);
        Browser.Tab tab = browser.open("about:blank")) {
      tab.call("Page.enable", JsonObject.EMPTY);
      tab.call("Network.enable", JsonObject.EMPTY);
      tab.call("Network.setCacheDisabled", JsonObject.EMPTY.with("cacheDisabled", true));
      tab.call("Page.addScriptToEvaluateOnNewDocument", JsonObject.EMPTY.with("source", WATCH));
      tab.call(
          "Page.navigate", JsonObject.EMPTY.with("url", serving.server.uri() + "/api/#/earth/rgb"));
      tab.until("globalThis.drawnAt");
      return Double.parseDouble(tab.text(TIME));
    }
  }
}
