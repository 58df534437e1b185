package dev.zarrreactive.cli.demo;

import dev.zarrreactive.cli.console.Colours;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A picture drawn with characters, each of them two pixels one above the other. Pixels that have
 * not arrived show the state of their chunk.
 */
final class WorldMap {
  /** Characters from dark to bright. */
  private static final String RAMP = " .:-=+*#%@";

  private static final String UPPER_HALF = "\u2580";
  private static final String RESET = "\u001b[0m";

  private final Picture picture;
  private final BiFunction<Integer, Integer, ChunkStates.State> states;
  private final int columns;
  private final int lines;
  private final Colours colours;
  private final boolean halfBlocks;

  /**
   * Creates a map of {@code picture}.
   *
   * @param states the state of the chunk that holds the pixel at x, y
   * @param columns the width in characters
   * @param lines the height in characters
   * @param halfBlocks whether the terminal has that character
   */
  WorldMap(
      Picture picture,
      BiFunction<Integer, Integer, ChunkStates.State> states,
      int columns,
      int lines,
      Colours colours,
      boolean halfBlocks) {
    this.picture = picture;
    this.states = states;
    this.columns = columns;
    this.lines = lines;
    this.colours = colours;
    this.halfBlocks = halfBlocks;
  }

  /** Returns the present map, line by line. */
  List<String> draw() {
    List<String> drawn = new ArrayList<>(lines);
    for (int line = 0; line < lines; line++) {
      StringBuilder text = new StringBuilder();
      String last = "";
      for (int column = 0; column < columns; column++) {
        Cell cell = cell(column, line);
        if (!cell.colours.equals(last)) {
          text.append(cell.colours);
          last = cell.colours;
        }
        text.append(cell.character);
      }
      drawn.add(text + (last.isEmpty() ? "" : RESET));
    }
    return drawn;
  }

  private record Cell(String colours, String character) {}

  private Cell cell(int column, int line) {
    @Nullable Integer upper = colour(column, 2 * line);
    @Nullable Integer lower = colour(column, 2 * line + 1);
    if (upper == null || lower == null) {
      Glyph glyph = Glyph.of(stateAt(column, line));
      return new Cell(glyph.colours(colours), glyph.character(halfBlocks));
    }
    if (colours == Colours.TRUE || colours == Colours.INDEXED) {
      return halfBlocks
          ? new Cell(foreground(upper) + background(lower), UPPER_HALF)
          : new Cell(background(both(upper, lower)), " ");
    }
    int step = (int) (Light.brightness(both(upper, lower)) * RAMP.length());
    return new Cell("", RAMP.substring(Math.min(step, RAMP.length() - 1)).substring(0, 1));
  }

  private static int both(int upper, int lower) {
    Light light = new Light();
    light.add(upper);
    light.add(lower);
    return light.mean();
  }

  private String foreground(int rgb) {
    return colours.foreground((rgb >> 16) & 0xff, (rgb >> 8) & 0xff, rgb & 0xff);
  }

  private String background(int rgb) {
    return colours.background((rgb >> 16) & 0xff, (rgb >> 8) & 0xff, rgb & 0xff);
  }

  /** Returns the mean of the pixels that have arrived, or null before the first. */
  private @Nullable Integer colour(int column, int halfLine) {
    Light light = new Light();
    for (int y = fromY(halfLine); y < Math.max(fromY(halfLine + 1), fromY(halfLine) + 1); y++) {
      for (int x = fromX(column); x < Math.max(fromX(column + 1), fromX(column) + 1); x++) {
        if (picture.isKnown(x, y)) {
          light.add(picture.pixel(x, y));
        }
      }
    }
    return light.isEmpty() ? null : light.mean();
  }

  private ChunkStates.State stateAt(int column, int line) {
    return states.apply(
        (fromX(column) + fromX(column + 1)) / 2,
        Math.min(fromY(2 * line + 1), picture.height() - 1));
  }

  private int fromX(int column) {
    return column * picture.width() / columns;
  }

  private int fromY(int halfLine) {
    return halfLine * picture.height() / (2 * lines);
  }
}
