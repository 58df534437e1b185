package dev.zarrreactive.internal.drawing;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encodings.Encodings;

/** A white picture, on which areas, lines and texts are drawn. Used by one thread. */
public final class Canvas {
  /** The size of a dot of a character in pixels. */
  private static final int DOT = 2;

  private static final int COLOURS = 3;

  private final int width;
  private final int height;
  private final byte[] samples;

  /** Creates a picture of pixels. */
  public Canvas(int width, int height) {
    this.width = width;
    this.height = height;
    this.samples = new byte[Math.multiplyExact(Math.multiplyExact(width, height), COLOURS)];
    java.util.Arrays.fill(samples, (byte) 0xff);
  }

  /** Returns the width of a text in pixels. */
  public static int widthOf(String text) {
    return text.codePointCount(0, text.length()) * Letters.WIDTH * DOT;
  }

  /** Returns the height of a text in pixels. */
  public static int heightOfText() {
    return Letters.HEIGHT * DOT;
  }

  /** Sets a pixel to a colour {@code 0xRRGGBB}; one outside is left out. */
  public void set(int x, int y, int colour) {
    if (x >= 0 && x < width && y >= 0 && y < height) {
      int at = (y * width + x) * COLOURS;
      samples[at] = (byte) (colour >> 16);
      samples[at + 1] = (byte) (colour >> 8);
      samples[at + 2] = (byte) colour;
    }
  }

  /** Fills an area. */
  public void fill(int x, int y, int itsWidth, int itsHeight, int colour) {
    for (int row = y; row < y + itsHeight; row++) {
      for (int column = x; column < x + itsWidth; column++) {
        set(column, row, colour);
      }
    }
  }

  /** Draws the edge of an area. */
  public void frame(int x, int y, int itsWidth, int itsHeight, int colour) {
    fill(x, y, itsWidth, 1, colour);
    fill(x, y + itsHeight - 1, itsWidth, 1, colour);
    fill(x, y, 1, itsHeight, colour);
    fill(x + itsWidth - 1, y, 1, itsHeight, colour);
  }

  /** Draws a straight line of two pixels' width. */
  public void line(double x0, double y0, double x1, double y1, int colour) {
    int steps = (int) Math.ceil(Math.max(1, Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))));
    for (int i = 0; i <= steps; i++) {
      int x = (int) Math.round(x0 + (x1 - x0) * i / steps);
      int y = (int) Math.round(y0 + (y1 - y0) * i / steps);
      fill(x, y, 2, 2, colour);
    }
  }

  /** Draws a text, whose upper left corner is at a pixel. */
  public void text(String text, int x, int y, int colour) {
    int[] characters = text.codePoints().toArray();
    for (int i = 0; i < characters.length; i++) {
      for (int row = 0; row < Letters.HEIGHT; row++) {
        for (int column = 0; column < Letters.WIDTH; column++) {
          if (Letters.isDot(characters[i], row, column)) {
            fill(x + (i * Letters.WIDTH + column) * DOT, y + row * DOT, DOT, DOT, colour);
          }
        }
      }
    }
  }

  /** Returns the picture as the bytes of a PNG file. */
  public Bytes png() {
    return Encodings.encode(
        Encodings.png(),
        NdArray.wrap(
            DataTypes.UINT8, Shape.of(height, width, COLOURS), Bytes.wrap(samples.clone())));
  }
}
