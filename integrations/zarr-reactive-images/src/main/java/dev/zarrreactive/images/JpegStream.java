package dev.zarrreactive.images;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A JPEG stream whose header was read and checked, without the segments of applications: the
 * decoder shall not change colors by what they say.
 *
 * @param bytes the stream, from its first marker to the end of the chunk
 * @param colors what the header says about the colors
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record JpegStream(byte[] bytes, int width, int height, int components, JpegColors colors) {
  /** More scans than any program writes. Each scan costs a walk over the whole image. */
  private static final int MOST_SCANS = 500;

  private static final int SOI = 0xd8;
  private static final int EOI = 0xd9;
  private static final int SOS = 0xda;
  private static final int APP0 = 0xe0;
  private static final int APP14 = 0xee;
  private static final int APP15 = 0xef;
  private static final int COM = 0xfe;

  /** An Adobe segment that says: the components are not those of another color space. */
  private static final byte[] NO_TRANSFORM = {
    (byte) 0xff, (byte) APP14, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, 0
  };

  /**
   * Reads the segments before the first scan.
   *
   * @param stream a JPEG stream
   * @param tables a JPEG stream with tables alone, for one without; null for none
   * @throws CodecException for bytes that are no baseline, extended or progressive JPEG of 8 bits
   *     with one or three components
   */
  static JpegStream of(byte[] stream, byte @Nullable [] tables) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(stream.length + 1024);
    out.write(0xff);
    out.write(SOI);
    out.writeBytes(NO_TRANSFORM);
    if (tables != null) {
      new Segments(tables, out).copy();
    }
    Segments segments = new Segments(stream, out);
    int scans = segments.copy();
    byte[] frame = segments.frame;
    if (frame == null || scans < 0) {
      throw error("the JPEG stream ends before its first scan");
    }
    segments.checkScans(scans);
    out.write(stream, scans, stream.length - scans);
    int height = (frame[1] & 0xff) << 8 | (frame[2] & 0xff);
    int width = (frame[3] & 0xff) << 8 | (frame[4] & 0xff);
    return new JpegStream(
        out.toByteArray(), width, height, frame[5] & 0xff, segments.colors(frame));
  }

  /** Returns true if a chunk of this shape is such an image. */
  boolean hasShape(Shape shape) {
    Shape image = Shape.of(height, width, components);
    return Arrays.equals(JpegCodec.extents(shape), JpegCodec.extents(image));
  }

  static CodecException error(String message) {
    return new CodecException(message, Location.UNKNOWN);
  }

  /** Reads the segments of one stream, and copies those that decoding needs. */
  private static final class Segments {
    private final byte[] bytes;
    private final ByteArrayOutputStream out;
    private byte @Nullable [] frame;
    private boolean isJfif;
    private int transform = -1;

    Segments(byte[] bytes, ByteArrayOutputStream out) {
      this.bytes = bytes;
      this.out = out;
    }

    /** Returns the index of the first scan, or -1 at the end of the image. */
    int copy() {
      if (bytes.length < 2 || marker(0) != SOI) {
        throw error("expected a JPEG stream, which begins with FF D8");
      }
      int at = 2;
      while (true) {
        int marker = marker(at);
        if (marker == SOS) {
          return at;
        } else if (marker == EOI) {
          return -1;
        } else if (marker == 0xff) {
          at++; // a fill byte
          continue;
        }
        int size = at + 3 < bytes.length ? (bytes[at + 2] & 0xff) << 8 | (bytes[at + 3] & 0xff) : 0;
        if (size < 2 || size > bytes.length - at - 2) {
          throw error("the JPEG segment FF " + hex(marker) + " goes on after the end of the chunk");
        }
        segment(marker, at + 4, size - 2);
        if (marker != COM && (marker < APP0 || marker > APP15)) {
          out.write(bytes, at, size + 2);
        }
        at += size + 2;
      }
    }

    private int marker(int at) {
      if (at + 1 >= bytes.length || (bytes[at] & 0xff) != 0xff) {
        throw error(
            at + 1 >= bytes.length
                ? "the JPEG stream ends before its first scan"
                : "expected a marker of JPEG at byte " + at);
      }
      return bytes[at + 1] & 0xff;
    }

    private void segment(int marker, int from, int size) {
      boolean isFrame =
          marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
      if (isFrame) {
        frame(marker, from, size);
      } else if (marker == APP0 && startsWith("JFIF\0", from, size)) {
        isJfif = true;
      } else if (marker == APP14 && size >= 12 && startsWith("Adobe", from, size)) {
        transform = bytes[from + 11] & 0xff;
      }
    }

    private boolean startsWith(String text, int from, int size) {
      for (int i = 0; i < text.length(); i++) {
        if (i >= size || bytes[from + i] != text.charAt(i)) {
          return false;
        }
      }
      return true;
    }

    private void frame(int marker, int from, int size) {
      if (frame != null) {
        throw error("the JPEG stream has two frames");
      } else if (marker > 0xc2) {
        throw error(
            "the JPEG stream is "
                + (marker == 0xc3 ? "lossless" : "of the kind FF " + hex(marker))
                + "; baseline, extended and progressive ones are supported");
      }
      int components = size < 6 ? 0 : bytes[from + 5] & 0xff;
      if (size < 6 || size != 6 + 3 * components) {
        throw error("the frame of the JPEG stream has " + size + " bytes");
      } else if (bytes[from] != Byte.SIZE) {
        throw error("the JPEG stream has " + bytes[from] + " bits a sample; 8 are supported");
      } else if (components != 1 && components != 3) {
        throw error(
            "the JPEG stream has "
                + components
                + " components"
                + (components == 4 ? " (CMYK)" : "")
                + "; 1 (grey) and 3 (RGB) are supported");
      }
      frame = Arrays.copyOfRange(bytes, from, from + size);
    }

    /** Counts the scans, of which a hostile stream may have very many. */
    void checkScans(int first) {
      int scans = 0;
      for (int i = first; i + 1 < bytes.length; i++) {
        if (bytes[i] == (byte) 0xff && bytes[i + 1] == (byte) SOS && ++scans > MOST_SCANS) {
          throw error("the JPEG stream has more than " + MOST_SCANS + " scans");
        }
      }
    }

    /** Returns the colors by the rules of libjpeg. */
    JpegColors colors(byte[] header) {
      if ((header[5] & 0xff) == 1) {
        return JpegColors.GRAYSCALE;
      } else if (isJfif) {
        return JpegColors.YCBCR;
      } else if (transform >= 0) {
        return transform == 0 ? JpegColors.RGB : JpegColors.YCBCR;
      }
      return header[6] == 'R' && header[9] == 'G' && header[12] == 'B'
          ? JpegColors.RGB
          : JpegColors.YCBCR;
    }
  }

  private static String hex(int marker) {
    return Integer.toHexString(marker).toUpperCase(Locale.ROOT);
  }
}
