package dev.zarrreactive.cli.demo;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cli.demo.StreamRecording.Journey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A recording of a stream as a moving SVG picture: chunks leave the store as blue boxes, become
 * pieces of the map when they are decoded, wait, and go to their places on demand. It moves by CSS
 * alone, and stands still for people who prefer that.
 */
final class StreamPicture {
  /** The colours of a picture. */
  enum Theme {
    LIGHT("#ffffff", "#1f2328", "#59636e", "#d1d9e0", "#f6f8fa", "#0969da", "#bc4c00"),
    DARK("#0d1117", "#e6edf3", "#9198a1", "#3d444d", "#151b23", "#4493f8", "#f0883e");

    private final String paper;
    private final String ink;
    private final String pale;
    private final String line;
    private final String empty;
    private final String encoded;
    private final String waiting;

    Theme(
        String paper,
        String ink,
        String pale,
        String line,
        String empty,
        String encoded,
        String waiting) {
      this.paper = paper;
      this.ink = ink;
      this.pale = pale;
      this.line = line;
      this.empty = empty;
      this.encoded = encoded;
      this.waiting = waiting;
    }
  }

  private static final int WIDTH = 860;
  private static final int HEIGHT = 330;

  /** Elements of the array along a pixel of the picture. */
  private static final int STEP = 6;

  private static final int ROWS = 6;
  private static final int COLUMNS = 8;
  private static final int PIXELS_DOWN = 60 / STEP;
  private static final int PIXELS_ACROSS = 90 / STEP;

  private static final double LARGE = 3.6;
  private static final double SMALL = 1.7;
  private static final int MAP_X = 416;
  private static final int MAP_Y = 56;
  private static final int STORE_X = 92;
  private static final int DECODED_X = 282;
  private static final int WAITING_X = 350;
  private static final int LANES_Y = 58;
  private static final int LANE = 27;

  /** How long a chunk flies to its place, and how long the whole map is shown at the end. */
  private static final int FLIGHT_MILLIS = 140;

  private static final int SHOWN_MILLIS = 2500;

  /** Between frames that differ at once. */
  private static final double MOMENT = 0.01;

  private final StreamRecording recording;
  private final Theme theme;
  private final long length;
  private final StringBuilder style = new StringBuilder();
  private final StringBuilder body = new StringBuilder();

  private StreamPicture(StreamRecording recording, Theme theme) {
    this.recording = recording;
    this.theme = theme;
    List<Journey> journeys = recording.journeys;
    this.length = journeys.get(journeys.size() - 1).emitted() + FLIGHT_MILLIS + SHOWN_MILLIS;
  }

  static String of(StreamRecording recording, Theme theme) {
    return new StreamPicture(recording, theme).svg();
  }

  private String svg() {
    scene();
    List<Integer> lanes = lanes();
    for (int i = 0; i < lanes.size(); i++) {
      chunk(i, lanes.get(i));
    }
    captions();
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="t">
    <title id="t">A stream of chunks: eight requests at a time, decoded as they arrive, emitted as the subscriber asks. While it pauses, eight chunks wait and no request is sent.</title>
    <style>
    text{font:13px -apple-system,"Segoe UI","Noto Sans",Helvetica,Arial,sans-serif;fill:%s}
    .p{fill:%s}
    .c,.e,.s{animation:%s infinite linear}
    .c,.s{opacity:0}
    .c path+path{stroke-width:1.15}
    .e{fill:%s}
    @media (prefers-reduced-motion:reduce){.c,.e,.s{animation-play-state:paused;animation-delay:-%s}}
    %s</style>
    <rect width="%d" height="%d" rx="6" fill="%s"/>
    %s</svg>
    """
        .formatted(
            WIDTH,
            HEIGHT,
            WIDTH,
            HEIGHT,
            theme.ink,
            theme.pale,
            seconds(length),
            theme.encoded,
            seconds(stillAt()),
            style,
            WIDTH,
            HEIGHT,
            theme.paper,
            body);
  }

  /**
   * Returns a moment at which some chunks are in flight, some wait and some are in their places.
   */
  private long stillAt() {
    return recording.journeys.get(StreamRecording.PAUSED_AFTER - 6).emitted() + FLIGHT_MILLIS + 10;
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.2fs", millis / 1000.0);
  }

  private void scene() {
    double width = COLUMNS * PIXELS_ACROSS * LARGE;
    double height = ROWS * PIXELS_DOWN * LARGE;
    int lanes = StreamRecording.CONCURRENCY * LANE;
    head(14, "store");
    head(STORE_X + 10, "in flight");
    head(DECODED_X + 8, "decoded, waiting");
    head(MAP_X, "taken by the subscriber");
    // the store, a cylinder
    add(
        "<path d=\"M14 %dv%da30 9 0 0 0 60 0v-%da30 9 0 0 0-60 0a30 9 0 0 0 60 0\""
            + " fill=\"%s\" stroke=\"%s\"/>%n",
        LANES_Y + 60, 84, 84, theme.empty, theme.pale);
    add(
        "<text x=\"44\" y=\"%d\" text-anchor=\"middle\" class=\"p\">%d ms</text>%n",
        LANES_Y + 172, StreamRecording.LATENCY_MILLIS);
    add("<text x=\"44\" y=\"%d\" text-anchor=\"middle\" class=\"p\">away</text>%n", LANES_Y + 188);
    for (int lane = 0; lane < StreamRecording.CONCURRENCY; lane++) {
      int y = LANES_Y + lane * LANE + 9;
      add("<path d=\"M%d %dH%d\" stroke=\"%s\"/>%n", STORE_X, y, DECODED_X, theme.line);
    }
    add(
        "<path d=\"M%d %dv%dM%d %dv%d\" stroke=\"%s\" stroke-dasharray=\"3 3\"/>%n",
        DECODED_X + 4, LANES_Y - 8, lanes, 400, LANES_Y - 8, lanes, theme.pale);
    add(
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
        MAP_X, MAP_Y, width, height, theme.empty);
    StringBuilder grid = new StringBuilder();
    for (int column = 0; column <= COLUMNS; column++) {
      double x = MAP_X + column * PIXELS_ACROSS * LARGE;
      grid.append(String.format(Locale.ROOT, "M%.0f %dv%.0f", x, MAP_Y, height));
    }
    for (int row = 0; row <= ROWS; row++) {
      double y = MAP_Y + row * PIXELS_DOWN * LARGE;
      grid.append(String.format(Locale.ROOT, "M%d %.0fh%.0f", MAP_X, y, width));
    }
    add("<path d=\"%s\" stroke=\"%s\" fill=\"none\"/>%n", grid, theme.line);
  }

  private void head(int x, String text) {
    add("<text x=\"%d\" y=\"36\" class=\"p\">%s</text>%n", x, text);
  }

  /** Returns the lane of each chunk: from its request to its emission it has one alone. */
  private List<Integer> lanes() {
    List<Journey> journeys = recording.journeys;
    List<Integer> byRequest = new ArrayList<>();
    for (int i = 0; i < journeys.size(); i++) {
      byRequest.add(i);
    }
    byRequest.sort(
        (a, b) -> Long.compare(journeys.get(a).requested(), journeys.get(b).requested()));
    List<Long> freeAt = new ArrayList<>(Collections.nCopies(StreamRecording.CONCURRENCY, 0L));
    List<Integer> lanes = new ArrayList<>(Collections.nCopies(journeys.size(), 0));
    for (int i : byRequest) {
      int lane = 0;
      while (freeAt.get(lane) > journeys.get(i).requested()) {
        lane++;
      }
      freeAt.set(lane, journeys.get(i).emitted());
      lanes.set(i, lane);
    }
    return lanes;
  }

  private void chunk(int number, int lane) {
    Journey way = recording.journeys.get(number);
    double y = LANES_Y + lane * LANE;
    String small = ")scale(" + SMALL + ")";
    String start = "translate(" + (STORE_X - 4) + "px," + y + "px" + small;
    String arrived = "translate(" + (DECODED_X - 24) + "px," + y + "px" + small;
    String waiting = "translate(" + WAITING_X + "px," + y + "px" + small;
    String place =
        String.format(
            Locale.ROOT,
            "translate(%.0fpx,%.0fpx)scale(%.1f)",
            MAP_X + way.column() * PIXELS_ACROSS * LARGE,
            MAP_Y + way.row() * PIXELS_DOWN * LARGE,
            LARGE);
    double gone = 100 - 100.0 * 400 / length;
    double rested = Math.min(way.arrived() + 120, way.emitted());
    style.append(
        String.format(
            Locale.ROOT,
            "@keyframes c%d{0%%,%s{opacity:0;transform:%s}%s{opacity:1;transform:%s}%s{transform:%s}"
                + "%s{transform:%s}%s{transform:%s}%s,%s{opacity:1;transform:%s}100%%{opacity:0;transform:%s}}%n",
            number,
            percent(way.requested()),
            start,
            percent(way.requested() + 1),
            start,
            percent(way.arrived()),
            arrived,
            percent(rested + 1),
            waiting,
            percent(way.emitted() + 2),
            waiting,
            percent(way.emitted() + FLIGHT_MILLIS),
            share(gone),
            place,
            place));
    style.append(
        String.format(
            Locale.ROOT,
            "@keyframes e%d{0%%,%s{opacity:1}%s,100%%{opacity:0}}%n",
            number,
            percent(way.arrived()),
            share(100.0 * way.arrived() / length + MOMENT)));
    add("<g class=\"c\" style=\"animation-name:c%d\">", number);
    piece(way);
    add(
        "<rect class=\"e\" style=\"animation-name:e%d\" width=\"%d\" height=\"%d\"/></g>%n",
        number, PIXELS_ACROSS, PIXELS_DOWN);
  }

  /** Draws a chunk's part of the map: runs of one colour, on the colour that it has most of. */
  private void piece(Journey way) {
    Map<String, StringBuilder> runs = new TreeMap<>();
    Map<String, Integer> counts = new HashMap<>();
    for (int row = 0; row < PIXELS_DOWN; row++) {
      int column = 0;
      while (column < PIXELS_ACROSS) {
        String colour = colour(way, row, column);
        int end = column + 1;
        while (end < PIXELS_ACROSS && colour(way, row, end).equals(colour)) {
          end++;
        }
        runs.computeIfAbsent(colour, c -> new StringBuilder())
            .append(String.format(Locale.ROOT, "M%d %d.5h%d.1", column, row, end - column));
        counts.merge(colour, end - column, Integer::sum);
        column = end;
      }
    }
    String most =
        Collections.max(
            counts.keySet(),
            (a, b) -> {
              int byCount = Integer.compare(counts.get(a), counts.get(b));
              return byCount != 0 ? byCount : a.compareTo(b);
            });
    add(
        "<path fill=\"%s\" stroke=\"%s\" stroke-width=\".25\" d=\"M0 0h%dv%dH0z\"/>",
        most, theme.waiting, PIXELS_ACROSS, PIXELS_DOWN);
    runs.forEach(
        (colour, path) -> {
          if (!colour.equals(most)) {
            add("<path stroke=\"%s\" d=\"%s\"/>", colour, path);
          }
        });
  }

  /** Returns the mean of a square of elements, with sixteen degrees of each colour. */
  private String colour(Journey way, int row, int column) {
    NdArray map = recording.map;
    StringBuilder colour = new StringBuilder("#");
    for (int band = 0; band < 3; band++) {
      int sum = 0;
      for (int y = 0; y < STEP; y++) {
        for (int x = 0; x < STEP; x++) {
          sum +=
              map.getInt(
                  (way.row() * PIXELS_DOWN + row) * STEP + y,
                  (way.column() * PIXELS_ACROSS + column) * STEP + x,
                  band);
        }
      }
      colour.append(Integer.toHexString(Math.round(sum / (STEP * STEP * 17f))));
    }
    return colour.toString();
  }

  private void captions() {
    long from = recording.journeys.get(StreamRecording.PAUSED_AFTER - 1).emitted();
    long to = from + StreamRecording.PAUSE_MILLIS;
    caption(
        "p", "The subscriber pauses. Eight chunks wait for it, and no request is sent.", from, to);
    caption("a", "The subscriber asks for one chunk after the other.", 0, from);
    caption(
        "b", "It asks again, and requests go on: at most eight chunks ahead of it.", to, length);
  }

  private void caption(String name, String text, long from, long to) {
    style.append(
        String.format(
            Locale.ROOT,
            "@keyframes %s{0%%,%s{opacity:%d}%s,%s{opacity:1}%s,100%%{opacity:0}}%n",
            name,
            percent(from),
            from == 0 ? 1 : 0,
            percent(from + 1),
            percent(to - 1),
            percent(to)));
    add(
        "<text class=\"s\" style=\"animation-name:%s\" x=\"%d\" y=\"306\">%s</text>%n",
        name, 14, text);
  }

  private String percent(double millis) {
    return share(Math.min(100.0 * millis / length, 100));
  }

  private static String share(double percent) {
    return String.format(Locale.ROOT, "%.3f", percent).replaceFirst("[.]?0+$", "") + "%";
  }

  private void add(String format, Object... values) {
    body.append(String.format(Locale.ROOT, format, values));
  }
}
