package dev.zarrreactive.cli.demo;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Out;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.cli.stream.Traffic;
import dev.zarrreactive.cli.stream.Traffic.Numbers;
import dev.zarrreactive.internal.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shows the stream. On a terminal it is a map that fills, and below it the numbers and a bar with
 * one character for each chunk; elsewhere a line now and then, and the map at the end. Not
 * thread-safe.
 */
final class StreamView {
  private static final int WIDEST = 160;

  /** The number of chunks between two lines without a terminal. */
  private static final int CHUNKS_PER_LINE = 8;

  private final ZarrArray array;
  private final Picture picture;
  private final Traffic traffic;
  private final ChunkStates states;
  private final Demo.Settings settings;
  private final Out out;
  private final Screen screen;
  private final WorldMap map;
  private final Colours colours;
  private final boolean blocks;
  private final boolean animated;
  private final long chunks;

  private boolean isPictureNew = true;
  private Numbers shown;
  private long startNanos;
  private long nanos;

  StreamView(
      ZarrArray array,
      Picture picture,
      Traffic traffic,
      ChunkStates states,
      Demo.Settings settings,
      CommandConsole console) {
    Terminal terminal = console.terminal();
    this.shown = traffic.now();
    this.array = array;
    this.picture = picture;
    this.traffic = traffic;
    this.states = states;
    this.settings = settings;
    this.out = console.out();
    this.screen = new Screen(out);
    this.colours = settings.colours();
    this.blocks = terminal.canShow("\u2580\u2588\u2591\u2592\u00b7");
    this.animated = terminal.out() && terminal.colours() != Colours.NONE;
    this.chunks = array.chunkGrid().gridShape().elementCount().longValueExact();
    int columns = Math.max(8, Math.min(WIDEST, terminal.columns() - 2)) / 8 * 8;
    if (animated) { // only a scene that fits can be drawn in place
      columns = Math.min(columns, Math.max(8, (terminal.lines() - 5) * 4));
    }
    this.map =
        new WorldMap(
            picture,
            this::stateOfPixel,
            columns,
            Math.max(1, columns / 4),
            colours,
            terminal,
            blocks);
  }

  private ChunkStates.State stateOfPixel(int x, int y) {
    return states.of(
        array,
        array.chunkGrid().dimension(0).chunkOf(y),
        array.chunkGrid().dimension(1).chunkOf(x),
        0);
  }

  void begin() {
    out.println(
        "Streaming it. The store answers after about "
            + settings.latency().toMillis()
            + " ms, as if it were far away;");
    out.println(
        "the consumer takes "
            + settings.delay().toMillis()
            + " ms for a chunk and then asks for the next one.");
    out.println("");
    out.flush();
    startNanos = System.nanoTime();
    refresh();
  }

  void take(Chunk chunk) {
    picture.put(chunk);
    states.drawn(array, chunk.index());
    isPictureNew = true;
    nanos = System.nanoTime() - startNanos;
    Numbers now = traffic.now();
    if (!animated && now.delivered() % CHUNKS_PER_LINE == 0) {
      out.println(numbers(now));
      out.flush();
    }
  }

  /** Draws the changes. */
  void refresh() {
    Numbers now = traffic.now();
    if (animated && (isPictureNew || !now.equals(shown))) {
      isPictureNew = false;
      shown = now;
      List<String> lines = new ArrayList<>(map.draw());
      lines.add("");
      lines.add(numbers(now));
      lines.add(bar(now));
      screen.show(lines);
    }
  }

  void end() {
    refresh();
    if (!animated) {
      out.println("");
      map.draw().forEach(out::println);
      out.flush();
    }
  }

  void leave() {
    screen.leave();
  }

  /**
   * Returns the numbers. The demand is cut at the number of chunks: the consumer asks once more.
   */
  private String numbers(Numbers now) {
    return String.format(
        Locale.ROOT,
        "demanded %2d   requested %2d:  %s %2d in flight   %s %2d waiting   %s %2d delivered",
        Math.min(now.demanded(), chunks),
        now.requested(),
        Glyph.IN_FLIGHT.times(1, colours, blocks),
        now.inFlight(),
        Glyph.WAITING.times(1, colours, blocks),
        now.waiting(),
        Glyph.DRAWN.times(1, colours, blocks),
        now.delivered());
  }

  private String bar(Numbers now) {
    return Glyph.DRAWN.times(now.delivered(), colours, blocks)
        + Glyph.WAITING.times(now.waiting(), colours, blocks)
        + Glyph.IN_FLIGHT.times(now.inFlight(), colours, blocks)
        + Glyph.NOT_REQUESTED.times(chunks - now.requested(), colours, blocks);
  }

  void summary() {
    Numbers end = traffic.now();
    out.println("");
    out.println(
        String.format(
            "%s in %s: %s read, %s decoded.",
            Quantities.plural(end.delivered(), "chunk"),
            Durations.rounded(Duration.ofNanos(nanos)),
            Quantities.bytes(end.bytes()),
            Quantities.bytes(array.shape().byteSize(array.dataType().itemSize()))));
    out.println(
        String.format(
            "The store was asked no faster than the consumer went: at most %d requests",
            end.mostInFlight()));
    out.println(String.format("in flight, and never more than %d chunks ahead.", end.mostAhead()));
    out.println(
        "The picture is by NASA Earth Observatory"
            + (settings.png() == null
                ? "; --png FILE keeps it."
                : String.format(
                    ", and in %s (%d x %d).", settings.png(), picture.width(), picture.height())));
    out.println("");
    String zarr =
        System.getProperty("zarr.command", "zarr"); // the command by which the launcher was called
    out.println("Try next:");
    out.println("  " + zarr + " demo --delay 0           a consumer that keeps up");
    out.println("  " + zarr + " demo --save earth.zarr   to try the other commands");
    out.println("  " + zarr + " demo --page              the same in a browser");
    out.println("  " + zarr + " --help                   look, read, view, serve, copy, and more");
    out.flush();
  }
}
