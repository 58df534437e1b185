package dev.zarrreactive.images;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.LocatedJson;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The color spaces of libjpeg that are supported, in the order of its numbers from 1 on. */
enum JpegColors {
  GRAYSCALE,
  RGB,
  YCBCR;

  /** The table of JFIF: how red and blue follow from Cr and Cb, and green from both, times 2^16. */
  private static final int RED = 91881;

  private static final int GREEN_OF_RED = 46802;
  private static final int GREEN_OF_BLUE = 22554;
  private static final int BLUE = 116130;
  private static final int HALF = 1 << 15;

  /** Reads a name or a number of libjpeg; returns null if the member is missing or null. */
  static @Nullable JpegColors parse(NamedConfiguration use, String member) {
    LocatedJson json = use.configuration().nonNull(member);
    if (json == null) {
      return null;
    } else if (json.value() instanceof JsonNumber) {
      return values()[json.integer(1, values().length) - 1];
    }
    String name = json.string().toUpperCase(Locale.ROOT);
    for (JpegColors colors : values()) {
      if (colors.name().equals(name) || (colors == GRAYSCALE && name.equals("MINISBLACK"))) {
        return colors;
      }
    }
    throw json.expected("\"GRAYSCALE\", \"RGB\" or \"YCbCr\"");
  }

  /** Converts pixels of {@link #YCBCR} to {@link #RGB} in place, with the integers of libjpeg. */
  static void toRgb(byte[] pixels) {
    for (int i = 0; i + 2 < pixels.length; i += 3) {
      int y = pixels[i] & 0xff;
      int cb = (pixels[i + 1] & 0xff) - 128;
      int cr = (pixels[i + 2] & 0xff) - 128;
      pixels[i] = limited(y + ((RED * cr + HALF) >> 16));
      pixels[i + 1] = limited(y + ((-GREEN_OF_BLUE * cb - GREEN_OF_RED * cr + HALF) >> 16));
      pixels[i + 2] = limited(y + ((BLUE * cb + HALF) >> 16));
    }
  }

  private static byte limited(int value) {
    return (byte) Math.max(0, Math.min(255, value));
  }
}
