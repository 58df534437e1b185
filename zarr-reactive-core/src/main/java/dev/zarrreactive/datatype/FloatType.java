package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;

/**
 * {@code float16}, {@code float32} and {@code float64} (IEEE 754). Bits are never passed through a
 * Java float on the way between JSON and image, so that every NaN keeps its payload.
 *
 * @param bits 16, 32 or 64
 */
public record FloatType(int bits) implements DataType {
  /** The type of so many bits. */
  public FloatType {
    if (bits != 16 && bits != 32 && bits != 64) {
      throw new IllegalArgumentException("a float has 16, 32 or 64 bits, not " + bits);
    }
  }

  @Override
  public String name() {
    return "float" + bits;
  }

  @Override
  public int itemSize() {
    return bits / Byte.SIZE;
  }

  @Override
  public int componentSize() {
    return itemSize();
  }

  @Override
  public FillValue parseFillValue(LocatedJson json) {
    byte[] image = new byte[itemSize()];
    putFillValue(json, image, 0);
    return FillValue.of(this, image);
  }

  /** Reads one number in a fill value's form into an image. */
  void putFillValue(LocatedJson json, byte[] image, int offset) {
    long value;
    if (json.value() instanceof JsonString string) {
      value = special(string.value(), json);
    } else if (json.value() instanceof JsonNumber number && number.isFinite()) {
      value = FloatText.parse(number.text(), bits);
      if (value == infinity() || value == (infinity() | signBit())) {
        throw json.error(
            number.text() + " is beyond the range of " + name() + "; infinity is \"Infinity\"");
      }
    } else {
      throw expected(json);
    }
    Images.put(image, offset, itemSize(), value);
  }

  private long special(String text, LocatedJson json) {
    return switch (text) {
      case "NaN" -> canonicalNaN();
      case "Infinity" -> infinity();
      case "-Infinity" -> infinity() | signBit();
      default -> hexadecimal(text, json);
    };
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
    return value;
  }

  private RuntimeException expected(LocatedJson json) {
    return json.expected(
        "a fill value of "
            + name()
            + ": a number, \"NaN\", \"Infinity\", \"-Infinity\", or \"0x\" and 1 to "
            + 2 * itemSize()
            + " hexadecimal digits");
  }

  private int mantissaBits() {
    return bits == 16 ? 10 : bits == 32 ? 23 : 52;
  }

  private long signBit() {
    return 1L << (bits - 1);
  }

  private long infinity() {
    return signBit() - (1L << mantissaBits());
  }

  private long canonicalNaN() {
    return infinity() | 1L << (mantissaBits() - 1);
  }

  /** The value at {@code offset}, exactly. */
  public double toDouble(byte[] image, int offset) {
    long raw = Images.get(image, offset, itemSize());
    return switch (bits) {
      case 16 -> Float16.toFloat((short) raw);
      case 32 -> Float.intBitsToFloat((int) raw);
      default -> Double.longBitsToDouble(raw);
    };
  }

  @Override
  public JsonValue toJson(byte[] image, int offset) {
    long raw = Images.get(image, offset, itemSize());
    if ((raw & infinity()) != infinity()) {
      return new JsonNumber(FloatText.format(raw, bits));
    }
    if (raw == canonicalNaN()) {
      return new JsonString("NaN");
    }
    if ((raw & ~signBit()) == infinity()) {
      return new JsonString(raw == infinity() ? "Infinity" : "-Infinity");
    }
    String digits = Long.toHexString(raw);
    return new JsonString("0x" + "0".repeat(2 * itemSize() - digits.length()) + digits);
  }

  @Override
  public JsonValue toMetadata() {
    return new JsonString(name());
  }

  @Override
  public String toString() {
    return name();
  }
}
