package dev.zarrreactive.interop;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.BytesType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** What is written into the arrays, and digests of it that others can compute too. */
final class WrittenElements {
  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "\u00fc\u65e5\ud83d\ude00",
          "\u0000\u0001\t\n\"\\/\u007f",
          "trailing zero\u0000",
          "\u0627\u0644\u0639\u0631\u0628\u064a\u0629",
          "long".repeat(60));

  private static final List<JsonValue> JSON =
      List.of(
          JsonNull.NULL,
          JsonNumber.of(-1),
          new JsonString("\u00fc\ud83d\ude00"),
          new JsonBoolean(true),
          new JsonNumber("0.5"),
          JsonNumber.of(Long.MAX_VALUE),
          JsonObject.EMPTY.with("a", 1).with("b", JsonArray.of(JsonNumber.of(2), JsonNull.NULL)));

  private WrittenElements() {}

  /** Elements of all sorts. */
  static NdArray random(ArrayMetadata metadata, long seed) {
    DataType type = metadata.dataType();
    int count = metadata.shape().elementCount().intValueExact();
    if (type instanceof VariableLengthType variable) {
      Random random = new Random(seed);
      Object[] values = new Object[count];
      Arrays.setAll(values, i -> value(variable, i, random));
      return NdArray.ofValues(variable, metadata.shape(), values);
    }
    return NdArray.wrap(type, metadata.shape(), Bytes.wrap(images(type, count, seed)));
  }

  /** The integers 0, 1, 2 and so on, and again from 0 in place of {@code end}. */
  static NdArray counting(ArrayMetadata metadata, int end) {
    DataType type = metadata.dataType();
    byte[] images = new byte[metadata.shape().byteSize(type.itemSize())];
    for (int i = 0; i < images.length / type.itemSize(); i++) {
      FillValue.of(type, (long) i % end).fill(images, i * type.itemSize(), type.itemSize());
    }
    return NdArray.wrap(type, metadata.shape(), Bytes.wrap(images));
  }

  private static Object value(VariableLengthType type, int number, Random random) {
    if (type instanceof JsonType) {
      return JSON.get(number % JSON.size());
    } else if (type instanceof StringType) {
      return number < TEXTS.size() ? TEXTS.get(number) : TEXTS.get(random.nextInt(TEXTS.size()));
    }
    int itemSize = type instanceof ListType lists ? lists.items().itemSize() : 1;
    byte[] bytes = new byte[number % 5 * 13 * itemSize];
    random.nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  /**
   * Images of any bits: all ones, the sign alone, all but the sign; then runs, which compress, and
   * noise, which does not and has NaNs of many payloads.
   */
  private static byte[] images(DataType type, int count, long seed) {
    int size = type.itemSize();
    byte[] bytes = new byte[count * size];
    new Random(seed).nextBytes(bytes);
    for (int element = 0; element < count; element++) {
      int start = element * size;
      int end = start + size;
      switch (element) {
        case 0 -> Arrays.fill(bytes, start, end, (byte) 0xff);
        case 1 -> {
          Arrays.fill(bytes, start, end, (byte) 0);
          bytes[end - 1] = (byte) 0x80;
        }
        case 2 -> {
          Arrays.fill(bytes, start, end, (byte) 0xff);
          bytes[end - 1] = 0x7f;
        }
        default -> {
          if (element / 64 % 2 == 0) {
            Arrays.fill(bytes, start, end, (byte) (element / 16));
          }
        }
      }
      onlyTrueOrFalse(type, bytes, start);
    }
    return bytes;
  }

  /** Other bytes mean nothing where a bool stands. */
  private static void onlyTrueOrFalse(DataType type, byte[] bytes, int start) {
    if (type instanceof BoolType) {
      bytes[start] &= 1;
    } else if (type instanceof StructType struct) {
      int offset = start;
      for (StructField field : struct.fields()) {
        onlyTrueOrFalse(field.dataType(), bytes, offset);
        offset += field.dataType().itemSize();
      }
    }
  }

  /** Some rows of an array. */
  static NdArray rows(NdArray array, long from, long to) {
    long[] extents = array.shape().toArray();
    int row = count(array) / (int) extents[0];
    extents[0] = to - from;
    int first = (int) from * row;
    int end = (int) to * row;
    if (array.dataType() instanceof VariableLengthType type) {
      Object[] values = Arrays.copyOfRange(values(array), first, end);
      return NdArray.ofValues(type, Shape.of(extents), values);
    }
    int size = array.dataType().itemSize();
    return NdArray.wrap(
        array.dataType(),
        Shape.of(extents),
        array.bytes().slice(first * size, (end - first) * size));
  }

  /** The array with other rows from {@code from} on. */
  static NdArray withRows(NdArray array, long from, NdArray rows) {
    int first = (int) from * (count(array) / (int) array.shape().extent(0));
    if (array.dataType() instanceof VariableLengthType type) {
      Object[] values = values(array);
      Object[] part = values(rows);
      System.arraycopy(part, 0, values, first, part.length);
      return NdArray.ofValues(type, array.shape(), values);
    }
    byte[] images = array.bytes().toByteArray();
    rows.bytes().copyTo(0, images, first * array.dataType().itemSize(), rows.bytes().size());
    return NdArray.wrap(array.dataType(), array.shape(), Bytes.wrap(images));
  }

  private static int count(NdArray array) {
    return array.shape().elementCount().intValueExact();
  }

  private static Object[] values(NdArray array) {
    Object[] values = new Object[count(array)];
    NdArray flat = array.reshape(Shape.of(values.length));
    Arrays.setAll(
        values,
        i -> array.dataType() instanceof StringType ? flat.getString(i) : flat.getByteString(i));
    return values;
  }

  /**
   * What others take the digest of: the images in C order, little-endian; of elements of any length
   * JSON, with bytes and the images of lists in base64.
   */
  static byte[] digested(NdArray array) {
    if (!(array.dataType() instanceof VariableLengthType type)) {
      return array.bytes().toByteArray();
    }
    JsonValue[] json = new JsonValue[count(array)];
    Arrays.setAll(json, i -> json(type, array, i));
    return JsonArray.of(json).toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The digest that others compute. */
  static String sha256(NdArray elements) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(digested(elements)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonValue json(VariableLengthType type, NdArray array, int element) {
    NdArray flat = array.reshape(Shape.of(count(array)));
    if (type instanceof BytesType) {
      return base64(flat.getByteString(element));
    } else if (type instanceof ListType) {
      return base64(flat.getList(element).bytes());
    }
    return array.toJson(element);
  }

  private static JsonString base64(Bytes bytes) {
    return new JsonString(Base64.getEncoder().encodeToString(bytes.toByteArray()));
  }
}
