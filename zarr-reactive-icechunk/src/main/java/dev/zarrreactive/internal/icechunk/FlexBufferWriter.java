package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Writes a JSON value as FlexBuffers; every number and offset in it takes 8 bytes. */
final class FlexBufferWriter {
  private static final int WIDTH = 8;
  private static final int WIDTH_BITS = 3;
  private static final int MOST_DEPTH = 64;
  private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

  private static final int NULL = 0;
  private static final int INT = 1;
  private static final int UINT = 2;
  private static final int FLOAT = 3;
  private static final int STRING = 5;
  private static final int MAP = 9;
  private static final int VECTOR = 10;
  private static final int BOOL = 26;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private FlexBufferWriter() {}

  /** A written value: the number itself, or the position that it is at. */
  private record Written(int type, long value, boolean isPosition) {
    int packed() {
      return (type << 2) | WIDTH_BITS;
    }
  }

  /**
   * Writes a value.
   *
   * @throws IllegalArgumentException if it is nested more than 64 deep, or has a name with the
   *     character NUL, at which a FlexBuffers name would end
   */
  static Bytes write(JsonValue value) {
    FlexBufferWriter writer = new FlexBufferWriter();
    Written root = writer.value(value, 0);
    writer.align();
    writer.put(root);
    writer.out.write(root.packed());
    writer.out.write(WIDTH);
    return Bytes.wrap(writer.out.toByteArray());
  }

  private Written value(JsonValue value, int depth) {
    if (depth > MOST_DEPTH) {
      throw new IllegalArgumentException(
          "metadata of a commit are nested more than " + MOST_DEPTH + " deep");
    }
    if (value instanceof JsonObject object) {
      return map(object, depth);
    }
    if (value instanceof JsonArray array) {
      List<Written> elements = new ArrayList<>();
      for (JsonValue element : array.elements()) {
        elements.add(value(element, depth + 1));
      }
      align();
      number(elements.size());
      return new Written(VECTOR, elements(elements), true);
    }
    if (value instanceof JsonString text) {
      byte[] utf8 = text.value().getBytes(StandardCharsets.UTF_8);
      align();
      number(utf8.length);
      int at = out.size();
      out.writeBytes(utf8);
      out.write(0);
      return new Written(STRING, at, true);
    }
    if (value instanceof JsonBoolean bool) {
      return new Written(BOOL, bool.value() ? 1 : 0, false);
    }
    return value instanceof JsonNumber number ? number(number) : nothing(value);
  }

  private static Written nothing(JsonValue value) {
    if (value != JsonNull.NULL) {
      throw new IllegalArgumentException("metadata of a commit with a " + value.kind());
    }
    return new Written(NULL, 0, false);
  }

  private static Written number(JsonNumber number) {
    if (number.isInteger()) {
      BigInteger integer = number.toBigInteger();
      if (integer.bitLength() < 64) {
        return new Written(INT, integer.longValue(), false);
      }
      if (integer.signum() > 0 && integer.compareTo(TWO_TO_64) < 0) {
        return new Written(UINT, integer.longValue(), false);
      }
    }
    return new Written(FLOAT, Double.doubleToRawLongBits(number.toDouble()), false);
  }

  /** A map: the offset of its names, their width, its size, the values, and their types. */
  private Written map(JsonObject object, int depth) {
    List<Map.Entry<String, JsonValue>> members = new ArrayList<>(object.members().entrySet());
    members.sort(Comparator.comparing(Map.Entry::getKey, Orders.BY_BYTES));
    List<Integer> names = new ArrayList<>();
    List<Written> values = new ArrayList<>();
    for (Map.Entry<String, JsonValue> member : members) {
      if (member.getKey().indexOf(0) >= 0) {
        throw new IllegalArgumentException("a name in metadata of a commit has the character NUL");
      }
      names.add(out.size());
      out.writeBytes(member.getKey().getBytes(StandardCharsets.UTF_8));
      out.write(0);
    }
    for (Map.Entry<String, JsonValue> member : members) {
      values.add(value(member.getValue(), depth + 1));
    }
    align();
    number(names.size());
    int keys = out.size();
    for (int name : names) {
      number(out.size() - name);
    }
    number(out.size() - keys);
    number(WIDTH);
    number(values.size());
    return new Written(MAP, elements(values), true);
  }

  private long elements(List<Written> elements) {
    int at = out.size();
    for (Written element : elements) {
      put(element);
    }
    for (Written element : elements) {
      out.write(element.packed());
    }
    return at;
  }

  private void put(Written written) {
    number(written.isPosition() ? out.size() - written.value() : written.value());
  }

  private void align() {
    out.writeBytes(new byte[-out.size() & (WIDTH - 1)]);
  }

  private void number(long value) {
    for (int i = 0; i < WIDTH; i++) {
      out.write((int) (value >>> (8 * i)));
    }
  }
}
