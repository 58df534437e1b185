package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Values that scripts have recorded of xarray, by their hash. */
final class RecordedValues {
  private RecordedValues() {}

  static List<JsonObject> records(String file) throws IOException {
    try (InputStream in =
        new GZIPInputStream(
            requireNonNull(RecordedValues.class.getResourceAsStream("/datasets/" + file)))) {
      JsonObject all =
          (JsonObject)
              JsonDocument.parse(ByteBuffer.wrap(in.readAllBytes()), Location.UNKNOWN, 1L << 40)
                  .value();
      return XarrayDatasets.list(requireNonNull(all.get("records"))).stream()
          .map(JsonObject.class::cast)
          .toList();
    }
  }

  /** Opens a store by the rules of xarray. */
  static Dataset open(Path store) {
    return requireNonNull(
        await(
            Zarr.hierarchy(FileSystemStore.open(store))
                .openGroup("")
                .flatMap(group -> Dataset.of(group, CfRule.xarray()))));
  }

  static List<Long> longs(JsonObject expected, String name) {
    return XarrayDatasets.list(requireNonNull(expected.get(name))).stream()
        .map(RecordedValues::number)
        .toList();
  }

  static long number(JsonValue value) {
    return (long) ((JsonNumber) value).toDouble();
  }

  /** Compares a variable with a record. */
  static void compare(String what, Variable variable, JsonObject expected) {
    NdArray values = requireNonNull(await(variable.read()));
    assertThat(variable.dimensions()).as(what).isEqualTo(expected.list("dims").orElseThrow());
    assertThat(Arrays.stream(values.shape().toArray()).boxed().toList())
        .as(what)
        .isEqualTo(longs(expected, "shape"));
    boolean areTimes = variable.times().isPresent() || values.dataType() instanceof TimeType;
    String type = expected.string("type").orElseThrow();
    if (!areTimes) {
      assertThat(isText(values) ? "string" : values.dataType().toString()).as(what).isEqualTo(type);
    }
    assertThat(hash(bytes(variable, values, areTimes)))
        .as(() -> what + "; found " + values)
        .isEqualTo(expected.string("sha256").orElseThrow());
  }

  private static boolean isText(NdArray values) {
    String type = values.dataType().toString();
    return type.startsWith("string") || type.startsWith("fixed_length_utf32");
  }

  private static byte[] bytes(Variable variable, NdArray values, boolean areTimes) {
    if (areTimes) {
      long factor = nanos(variable, values);
      long[] counts = values.toLongArray();
      ByteBuffer all = ByteBuffer.allocate(counts.length * 8).order(ByteOrder.LITTLE_ENDIAN);
      for (long count : counts) {
        all.putLong(count == TimeType.NAT ? count : Math.multiplyExact(count, factor));
      }
      return all.array();
    } else if (isText(values)) {
      return Stream.of(values.toStringArray())
          .map(text -> text + "\0")
          .collect(Collectors.joining())
          .getBytes(StandardCharsets.UTF_8);
    }
    return withOneNan(values);
  }

  private static long nanos(Variable variable, NdArray values) {
    var unit =
        variable
            .times()
            .map(TimeCoding::unit)
            .orElseGet(() -> ((TimeType) values.dataType()).unit());
    return switch (unit) {
      case SECOND -> 1_000_000_000L;
      case MILLISECOND -> 1_000_000L;
      case MICROSECOND -> 1000L;
      default -> 1L;
    };
  }

  /** Returns the hash of the elements, in which each NaN has the bits of Python's. */
  static String hash(NdArray values) {
    return hash(withOneNan(values));
  }

  private static byte[] withOneNan(NdArray values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.bytes().size()).order(ByteOrder.LITTLE_ENDIAN);
    values.copyTo(bytes);
    DataType type = values.dataType();
    for (int at = 0; at < bytes.capacity(); at += type.itemSize()) {
      if (type.equals(DataTypes.FLOAT64) && Double.isNaN(bytes.getDouble(at))) {
        bytes.putDouble(at, Double.NaN);
      } else if (type.equals(DataTypes.FLOAT32) && Float.isNaN(bytes.getFloat(at))) {
        bytes.putFloat(at, Float.NaN);
      } else if (type.equals(DataTypes.FLOAT16) && (bytes.getShort(at) & 0x7fff) > 0x7c00) {
        bytes.putShort(at, (short) 0x7e00);
      }
    }
    return bytes.array();
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
