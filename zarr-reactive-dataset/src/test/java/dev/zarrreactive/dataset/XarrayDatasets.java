package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cf.CalendarDate;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** The datasets that make_datasets.py writes with xarray, and the values that xarray reads. */
final class XarrayDatasets {
  private static final Path DIRECTORY = unzip("datasets.zip");

  private XarrayDatasets() {}

  /**
   * Unpacks stores of a file of resources, to a directory of this process: others run beside it.
   */
  static Path unzip(String file) {
    try (InputStream in =
            requireNonNull(XarrayDatasets.class.getResourceAsStream("/datasets/" + file));
        ZipInputStream zip = new ZipInputStream(in)) {
      Path directory = Files.createTempDirectory(Path.of("target"), file).toAbsolutePath();
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path path = directory.resolve(entry.getName());
        Files.createDirectories(path.getParent());
        Files.write(path, zip.readAllBytes());
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> names() {
    try (var files = Files.list(DIRECTORY)) {
      return files
          .filter(Files::isDirectory)
          .map(file -> file.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path path(String name) {
    return DIRECTORY.resolve(name).resolve("data.zarr");
  }

  static Dataset open(String name) {
    return requireNonNull(
        await(
            Zarr.hierarchy(FileSystemStore.open(path(name)))
                .openGroup("")
                .flatMap(group -> Dataset.of(group, CfRule.xarray()))));
  }

  static JsonValue json(String file) {
    try {
      return JsonDocument.parse(
              ByteBuffer.wrap(Files.readAllBytes(DIRECTORY.resolve(file))),
              Location.UNKNOWN,
              1L << 40)
          .value();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns values in the form of expected.json. */
  static List<@Nullable Object> values(Variable variable, NdArray values) {
    List<@Nullable Object> list = new ArrayList<>();
    TimeCoding times = variable.times().orElse(null);
    int count = Math.toIntExact(values.shape().elementCountUpTo(Integer.MAX_VALUE));
    NdArray flat = values.reshape(dev.zarrreactive.array.Shape.of(count));
    for (int i = 0; i < count; i++) {
      list.add(value(times, flat, i));
    }
    return list;
  }

  private static @Nullable Object value(@Nullable TimeCoding times, NdArray flat, int i) {
    if (times != null) {
      long counted = flat.getLong(i);
      if (counted == TimeType.NAT) {
        return null;
      }
      long nanos =
          switch (times.unit()) {
            case SECOND -> 1_000_000_000L;
            case MILLISECOND -> 1_000_000L;
            case MICROSECOND -> 1000L;
            default -> 1L;
          };
      return times.calendar().isPresent() ? times.date(counted) : (Object) (counted * nanos);
    } else if (flat.dataType() instanceof NullTerminatedBytesType) {
      return new String(flat.getByteString(i).toByteArray(), StandardCharsets.UTF_8);
    } else if (flat.toJson(i) instanceof JsonBoolean bool) {
      return bool.value();
    } else if (flat.dataType() instanceof dev.zarrreactive.datatype.IntegerType) {
      return flat.getBigInteger(i);
    } else if (flat.dataType() instanceof dev.zarrreactive.datatype.FloatType) {
      double value = flat.getDouble(i);
      return Double.isNaN(value) ? null : value;
    }
    return flat.getString(i);
  }

  /** Returns the recorded value in the form of one of ours, with which it is compared. */
  static @Nullable Object expected(JsonValue value, @Nullable Object ours) {
    if (value == JsonNull.NULL) {
      return null;
    } else if (value instanceof JsonBoolean bool) {
      return bool.value();
    } else if (value instanceof JsonNumber number) {
      return ours instanceof Double
          ? (Object) number.toDouble()
          : ours instanceof Long
              ? (Object) number.toBigInteger().longValueExact()
              : number.isInteger() ? number.toBigInteger() : (Object) number.toDouble();
    }
    String text = ((JsonString) value).value();
    if (ours instanceof CalendarDate date) {
      return isWithinMicrosecond(text, date) ? date : text;
    }
    return ours instanceof Double ? Double.valueOf(text) : text;
  }

  /** xarray cuts floats at the nanosecond after a product that is rounded. */
  private static boolean isWithinMicrosecond(String text, CalendarDate date) {
    String seconds = text.substring(0, text.indexOf('.'));
    String digits = (text.substring(text.indexOf('.') + 1) + "000000000").substring(0, 9);
    var period = dev.zarrreactive.cf.DatePeriod.parse(date.calendar(), seconds);
    long apart =
        (period.start().epochSecond() - date.epochSecond()) * 1_000_000_000L
            + Long.parseLong(digits)
            - date.nano();
    return Math.abs(apart) <= 1000;
  }

  static List<JsonValue> list(JsonValue value) {
    return ((JsonArray) value).elements();
  }
}
