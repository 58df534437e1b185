package dev.zarrreactive.cli.demo;

import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.HalfBlocks;
import dev.zarrreactive.cli.console.Light;
import dev.zarrreactive.cli.console.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A picture drawn with characters, each of them two pixels one above the other. Pixels that have
 * not arrived show the state of their chunk.
 */
final class WorldMap {
  private final Picture picture;
  private final BiFunction<Integer, Integer, ChunkStates.State> states;
  private final int columns;
  private final int lines;
  private final Colours colours;
  private final boolean hasGlyphs;
  private final HalfBlocks blocks;

  /**
   * Creates a map of {@code picture}.
   *
   * @param states the state of the chunk that holds the pixel at x, y
   * @param columns the width in characters
   * @param lines the height in characters
   * @param hasGlyphs true if the terminal shows the marks of states as they are
   */
  WorldMap(
      Picture picture,
      BiFunction<Integer, Integer, ChunkStates.State> states,
      int columns,
      int lines,
      Colours colours,
      Terminal terminal,
      boolean hasGlyphs) {
    this.picture = picture;
    this.states = states;
    this.columns = columns;
    this.lines = lines;
    this.colours = colours;
    this.hasGlyphs = hasGlyphs;
    this.blocks = new HalfBlocks(colours, terminal);
  }

  /** Returns the present map, line by line. */
  List<String> draw() {
    List<String> drawn = new ArrayList<>(lines);
    for (int line = 0; line < lines; line++) {
      List<HalfBlocks.Cell> cells = new ArrayList<>(columns);
      for (int column = 0; column < columns; column++) {
        cells.add(cell(column, line));
      }
      drawn.add(HalfBlocks.line(cells));
    }
    return drawn;
  }

  private HalfBlocks.Cell cell(int column, int line) {
    int upper = pixel(column, 2 * line);
    int lower = pixel(column, 2 * line + 1);
    if (upper == HalfBlocks.TRANSPARENT || lower == HalfBlocks.TRANSPARENT) {
      Glyph glyph = Glyph.of(stateAt(column, line));
      return new HalfBlocks.Cell(glyph.colours(colours), glyph.character(hasGlyphs));
    }
    return blocks.cell(upper, lower);
  }

  /** Returns the mean of the pixels that have arrived; transparent before the first. */
  private int pixel(int column, int halfLine) {
    Light light = new Light();
    for (int y = fromY(halfLine); y < Math.max(fromY(halfLine + 1), fromY(halfLine) + 1); y++) {
      for (int x = fromX(column); x < Math.max(fromX(column + 1), fromX(column) + 1); x++) {
        if (picture.isKnown(x, y)) {
          light.add(picture.pixel(x, y));
        }
      }
    }
    return light.isEmpty() ? HalfBlocks.TRANSPARENT : HalfBlocks.opaque(light.mean());
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
