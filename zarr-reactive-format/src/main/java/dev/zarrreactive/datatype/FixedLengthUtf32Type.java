package dev.zarrreactive.datatype;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code fixed_length_utf32}: texts of up to a number of Unicode code points of four bytes each,
 * padded with U+0000. Four bytes may hold an invalid code point, which is a surrogate or a number
 * above 10FFFF. The bits are kept, but {@link #toText} refuses them.
 *
 * @param length the size of an item in bytes: a multiple of 4, from 4 to 16 MiB
 */
public record FixedLengthUtf32Type(int length) implements DataType {
  static final String NAME = "fixed_length_utf32";

  /** Checks the length. */
  public FixedLengthUtf32Type {
    if (length < 1 || length > LengthBytes.LONGEST_PADDED || length % Integer.BYTES != 0) {
      throw new IllegalArgumentException(
          NAME
              + " has a multiple of 4 bytes, up to "
              + LengthBytes.LONGEST_PADDED
              + ", not "
              + length);
    }
  }

  static FixedLengthUtf32Type parse(NamedConfiguration use) {
    int length = LengthBytes.parse(use, LengthBytes.LONGEST_PADDED);
    if (length % Integer.BYTES != 0) {
      throw use.member(LengthBytes.MEMBER)
          .expected("a multiple of 4, the size of a code point in bytes");
    }
    return new FixedLengthUtf32Type(length);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int itemSize() {
    return length;
  }

  /** The maximum number of code points of a text. */
  public int capacity() {
    return length / Integer.BYTES;
  }

  @Override
  public List<Components> components() {
    return List.of(new Components(Integer.BYTES, capacity()));
  }

  /** Reads a string that fits into an item. */
  @Override
  public FillValue parseFillValue(LocatedJson json) {
    byte[] image = json.value() instanceof JsonString string ? toImage(string.value()) : null;
    if (image == null) {
      throw json.expected(
          "a fill value of " + this + ": a string of at most " + capacity() + " code points");
    }
    return FillValue.of(this, image);
  }

  /**
   * Returns the image of a text, or null if it has too many code points or an unpaired surrogate.
   */
  public byte @Nullable [] toImage(String text) {
    int[] codePoints = text.codePoints().toArray();
    if (codePoints.length > capacity()) {
      return null;
    }
    byte[] image = new byte[length];
    for (int i = 0; i < codePoints.length; i++) {
      if (!isText(codePoints[i])) {
        return null;
      }
      Images.put(image, i * Integer.BYTES, Integer.BYTES, codePoints[i]);
    }
    return image;
  }

  /**
   * Returns the text at {@code offset}, without its padding.
   *
   * @throws UnsupportedOperationException if four bytes are not a valid code point
   */
  public String toText(byte[] image, int offset) {
    int[] codePoints = codePoints(image, offset);
    for (int i = 0; i < codePoints.length; i++) {
      if (!isText(codePoints[i])) {
        throw new UnsupportedOperationException(
            String.format(
                "0x%x is no code point of a text, found at position %d of an element of %s;"
                    + " its bytes can be read with getRaw",
                codePoints[i], i, this));
      }
    }
    return new String(codePoints, 0, codePoints.length);
  }

  /** Returns the numbers at {@code offset} up to the padding, with invalid code points. */
  public int[] codePoints(byte[] image, int offset) {
    int count = capacity();
    while (count > 0 && codeUnit(image, offset, count - 1) == 0) {
      count--;
    }
    int[] codePoints = new int[count];
    for (int i = 0; i < count; i++) {
      codePoints[i] = codeUnit(image, offset, i);
    }
    return codePoints;
  }

  private static int codeUnit(byte[] image, int offset, int position) {
    return (int) Images.get(image, offset + position * Integer.BYTES, Integer.BYTES);
  }

  private static boolean isText(int codePoint) {
    return Character.isValidCodePoint(codePoint)
        && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
  }

  /** Returns the text, as {@link #toText} does. */
  @Override
  public JsonValue toJson(byte[] image, int offset) {
    return new JsonString(toText(image, offset));
  }

  @Override
  public JsonObject toMetadata() {
    return LengthBytes.toMetadata(NAME, length);
  }

  @Override
  public String toString() {
    return LengthBytes.toString(NAME, length);
  }
}
