package dev.zarrreactive.cli.demo;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import java.awt.image.BufferedImage;
import java.util.BitSet;

/** A picture in sRGB that arrives chunk by chunk. Not thread-safe. */
final class Picture {
  private static final int BANDS = 3;

  private final int width;
  private final int height;
  private final int[] pixels;
  private final BitSet known;

  /** Creates a picture of an array of the shape [height, width, 3]. */
  Picture(Shape shape) {
    this.height = Math.toIntExact(shape.extent(0));
    this.width = Math.toIntExact(shape.extent(1));
    this.pixels = new int[Math.multiplyExact(height, width)];
    this.known = new BitSet(pixels.length);
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  /** Puts a chunk of {@code uint8} in its place. */
  void put(Chunk chunk) {
    ResolvedSelection.Orthogonal place = (ResolvedSelection.Orthogonal) chunk.selection();
    int top = start(place.axes().get(0));
    int left = start(place.axes().get(1));
    int rows = (int) chunk.data().shape().extent(0);
    int columns = (int) chunk.data().shape().extent(1);
    Bytes bytes = chunk.data().bytes();
    int next = 0;
    for (int row = top; row < top + rows; row++) {
      for (int column = left; column < left + columns; column++) {
        pixels[row * width + column] =
            ((bytes.get(next) & 0xff) << 16)
                | ((bytes.get(next + 1) & 0xff) << 8)
                | (bytes.get(next + 2) & 0xff);
        next += BANDS;
      }
      known.set(row * width + left, row * width + left + columns);
    }
  }

  private static int start(Axis axis) {
    return (int) ((Axis.Range) axis).start();
  }

  /** Returns whether the pixel has arrived. */
  boolean isKnown(int x, int y) {
    return known.get(y * width + x);
  }

  /** Returns the pixel as {@code 0xRRGGBB}. */
  int pixel(int x, int y) {
    return pixels[y * width + x];
  }

  BufferedImage image() {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    image.setRGB(0, 0, width, height, pixels, 0, width);
    return image;
  }
}
