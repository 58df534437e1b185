package dev.zarrreactive.cli.view;

import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.HalfBlocks;
import dev.zarrreactive.cli.console.Light;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.ome.OmePicture;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A picture of a plane in sRGB, whose missing data are transparent. */
public final class PlanePicture {
  private final int width;
  private final int height;
  private final int[] pixels;

  private PlanePicture(int width, int height) {
    this.width = width;
    this.height = height;
    this.pixels = new int[Math.multiplyExact(width, height)];
  }

  /** Returns a picture that is drawn already. */
  static PlanePicture of(OmePicture drawn) {
    PlanePicture picture = new PlanePicture(drawn.width(), drawn.height());
    ByteBuffer samples = drawn.rgb().toContiguous().bytes().asByteBuffer();
    for (int i = 0; i < picture.pixels.length; i++) {
      int rgb =
          ((samples.get() & 0xFF) << 16) | ((samples.get() & 0xFF) << 8) | (samples.get() & 0xFF);
      picture.pixels[i] = HalfBlocks.opaque(rgb);
    }
    return picture;
  }

  /** Draws numbers, of which a pixel shows the mean of those in it. */
  static PlanePicture of(PlaneValues values, Size size, Stretch stretch, ColourMap colours) {
    PlanePicture picture = new PlanePicture(size.width(), size.height());
    Stretch[] ofBands = new Stretch[values.bands()];
    for (int band = 0; band < ofBands.length; band++) {
      ofBands[band] = stretch.resolved(values, band);
    }
    for (int y = 0; y < picture.height; y++) {
      for (int x = 0; x < picture.width; x++) {
        Part part = picture.part(values, y, x);
        picture.pixels[y * picture.width + x] =
            ofBands.length < 3
                ? numbered(values, part, ofBands[0], colours)
                : coloured(values, part, ofBands);
      }
    }
    return picture;
  }

  /** The values in a pixel. */
  private record Part(int top, int bottom, int left, int right) {}

  private Part part(PlaneValues values, int y, int x) {
    int top = (int) ((long) y * values.height() / height);
    int left = (int) ((long) x * values.width() / width);
    int bottom = (int) ((y + 1L) * values.height() / height);
    int right = (int) ((x + 1L) * values.width() / width);
    return new Part(top, Math.max(bottom, top + 1), left, Math.max(right, left + 1));
  }

  private static int numbered(PlaneValues values, Part part, Stretch stretch, ColourMap colours) {
    double sum = 0;
    int count = 0;
    for (int y = part.top; y < part.bottom; y++) {
      for (int x = part.left; x < part.right; x++) {
        double value = values.value(0, y, x);
        if (!Double.isNaN(value)) {
          sum += value;
          count++;
        }
      }
    }
    return count == 0
        ? HalfBlocks.TRANSPARENT
        : HalfBlocks.opaque(colours.colour(stretch.place(sum / count)));
  }

  private static int coloured(PlaneValues values, Part part, Stretch[] stretch) {
    Light light = new Light();
    for (int y = part.top; y < part.bottom; y++) {
      for (int x = part.left; x < part.right; x++) {
        int colour = 0;
        boolean isMissing = values.bands() > 3 && values.value(3, y, x) == 0; // alpha
        for (int band = 0; band < 3; band++) {
          double value = values.value(band, y, x);
          isMissing |= Double.isNaN(value);
          double place = Math.max(0, Math.min(1, stretch[band].place(value)));
          colour = colour << 8 | (int) Math.round(255 * place);
        }
        if (!isMissing) {
          light.add(colour);
        }
      }
    }
    return light.isEmpty() ? HalfBlocks.TRANSPARENT : HalfBlocks.opaque(light.mean());
  }

  /** Returns the picture as lines of characters, each of two pixels. */
  public List<String> lines(Colours colours, Terminal terminal) {
    HalfBlocks blocks = new HalfBlocks(colours, terminal);
    List<String> lines = new ArrayList<>();
    for (int y = 0; y < height; y += 2) {
      List<HalfBlocks.Cell> cells = new ArrayList<>(width);
      for (int x = 0; x < width; x++) {
        int lower = y + 1 < height ? pixels[(y + 1) * width + x] : HalfBlocks.TRANSPARENT;
        cells.add(blocks.cell(pixels[y * width + x], lower));
      }
      lines.add(HalfBlocks.line(cells));
    }
    return lines;
  }

  /** Returns the picture as an image with alpha. */
  public BufferedImage image() {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
    image.setRGB(0, 0, width, height, pixels, 0, width);
    return image;
  }
}
