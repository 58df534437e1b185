package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/**
 * Floats of any format: {@code float16}, {@code float32} and {@code float64} (IEEE 754), {@code
 * bfloat16}, and floats of eight, six and four bits. Each of the small floats has its own byte,
 * whose upper bits are ignored. A conversion between JSON and image never passes through a Java
 * float, so that every NaN keeps its payload.
 *
 * @param format the layout of the bits
 */
public record FloatType(FloatFormat format) implements DataType {
  @Override
  public String name() {
    return format.typeName();
  }

  /** The number of bits of a float. */
  public int bits() {
    return format.bits();
  }

  @Override
  public int itemSize() {
    return Math.max(1, bits() / Byte.SIZE);
  }

  @Override
  public boolean hasByteOrder() {
    return itemSize() > 1;
  }

  @Override
  public List<Components> components() {
    return List.of(new Components(itemSize(), 1));
  }

  @Override
  public FillValue parseFillValue(LocatedJson json) {
    byte[] image = new byte[itemSize()];
    putFillValue(json, image, 0);
    return FillValue.of(this, image);
  }

  /** Reads one number in a fill value's form into an image. */
  void putFillValue(LocatedJson json, byte[] image, int offset) {
    Images.put(image, offset, itemSize(), bits(json));
  }

  private long bits(LocatedJson json) {
    if (json.value() instanceof JsonString string) {
      return special(string.value(), json);
    }
    if (!(json.value() instanceof JsonNumber number) || !number.isFinite()) {
      throw expected(json);
    }
    if (!format.hasZero() && number.toDouble() == 0) {
      return 0; // TensorStore writes 0.0 for the image of zero bits, the smallest number
    }
    long value = FloatRounding.parse(number.text(), format);
    if (value == FloatRounding.NOTHING) {
      throw json.error(
          number.text()
              + " is beyond the range of "
              + name()
              + (format.hasInfinity() ? "; infinity is \"Infinity\"" : ""));
    }
    return value;
  }

  private long special(String text, LocatedJson json) {
    if (format.hasNaN() && text.equals("NaN")) {
      return format.canonicalNaN();
    } else if (format.hasInfinity() && text.equals("Infinity")) {
      return format.infinity();
    } else if (format.hasInfinity() && text.equals("-Infinity")) {
      return format.signBit() | format.infinity();
    }
    return hexadecimal(text, json);
  }

  private long hexadecimal(String text, LocatedJson json) {
    int digits = text.length() - 2;
    if (!text.startsWith("0x") || digits < 1 || digits > 2 * itemSize()) {
      throw expected(json);
    }
    long value = 0;
    for (int i = 2; i < text.length(); i++) {
      int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
      if (digit < 0) {
        throw expected(json);
      }
      value = value << 4 | digit;
    }
    if (value != format.significant(value)) {
      throw json.error(text + " has more than the " + bits() + " bits of " + name());
    }
    return value;
  }

  private RuntimeException expected(LocatedJson json) {
    return json.expected(
        "a fill value of "
            + name()
            + ": a number"
            + (format.hasNaN() ? ", \"NaN\"" : "")
            + (format.hasInfinity() ? ", \"Infinity\", \"-Infinity\"" : "")
            + ", or \"0x\" and 1 to "
            + 2 * itemSize()
            + " hexadecimal digits");
  }

  /** Returns the exact value at {@code offset}. */
  public double toDouble(byte[] image, int offset) {
    return format.toDouble(Images.get(image, offset, itemSize()));
  }

  @Override
  public JsonValue toJson(byte[] image, int offset) {
    long raw = format.significant(Images.get(image, offset, itemSize()));
    if (format.isInfinite(raw)) {
      return new JsonString(raw == format.infinity() ? "Infinity" : "-Infinity");
    }
    if (!format.isNaN(raw)) {
      return new JsonNumber(FloatRounding.toText(raw, format));
    }
    if (raw == format.canonicalNaN()) {
      return new JsonString("NaN");
    }
    String digits = Long.toHexString(raw);
    return new JsonString("0x" + "0".repeat(2 * itemSize() - digits.length()) + digits);
  }

  @Override
  public String toString() {
    return name();
  }
}
