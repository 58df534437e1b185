package dev.zarrreactive.interop;

import static dev.zarrreactive.interop.MetadataParts.array;
import static dev.zarrreactive.interop.MetadataParts.bytes;
import static dev.zarrreactive.interop.MetadataParts.codec;
import static dev.zarrreactive.interop.MetadataParts.gzip;
import static dev.zarrreactive.interop.MetadataParts.transpose;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Zarr v2: data types, layouts and fill values. */
final class WrittenZarr2 {
  private final List<Written> all = new ArrayList<>();

  private WrittenZarr2() {}

  static List<Written> all() {
    WrittenZarr2 arrays = new WrittenZarr2();
    arrays.dataTypes();
    arrays.structsOfManyForms();
    arrays.layouts();
    arrays.fillValues();
    return arrays.all;
  }

  /** What only a document of Zarr v2 can say: the members of {@code changes} in place of others. */
  static ArrayMetadata opened(String changes) {
    JsonObject document =
        Json.object(
            """
            {'zarr_format': 2, 'shape': [9, 7], 'chunks': [4, 3], 'dtype': '|O', 'order': 'C',
             'compressor': {'id': 'zlib', 'level': 1}, 'fill_value': null, 'filters': null,
             'dimension_separator': '.'}
            """);
    for (Map.Entry<String, JsonValue> member : Json.object(changes).members().entrySet()) {
      document = document.with(member.getKey(), member.getValue());
    }
    MemoryStore store = MemoryStore.create();
    store.set(StoreKey.of(".zarray"), Bytes.utf8(document.toString())).block();
    return Objects.requireNonNull(Zarr.hierarchy(store).openArray("").block()).metadata();
  }

  private void dataTypes() {
    Map<String, DataType> types = new LinkedHashMap<>();
    List<DataType> named =
        List.of(
            DataTypes.BOOL,
            DataTypes.INT8,
            DataTypes.INT16,
            DataTypes.INT32,
            DataTypes.INT64,
            DataTypes.UINT8,
            DataTypes.UINT16,
            DataTypes.UINT32,
            DataTypes.UINT64,
            DataTypes.FLOAT16,
            DataTypes.FLOAT32,
            DataTypes.FLOAT64,
            DataTypes.COMPLEX64,
            DataTypes.COMPLEX128,
            DataTypes.raw(8),
            DataTypes.raw(56));
    named.forEach(type -> types.put(type.name(), type));
    types.put("S5", new NullTerminatedBytesType(5));
    types.put("U3", DataTypes.fixedLengthUtf32(3));
    types.put("datetime64", DataTypes.datetime64(NumpyUnit.SECOND, 1));
    types.put("timedelta64", DataTypes.timedelta64(NumpyUnit.DAY, 25));
    StructType flat =
        DataTypes.struct(
            new StructField("flag", DataTypes.BOOL),
            new StructField("id", DataTypes.UINT64),
            new StructField("z", DataTypes.COMPLEX64),
            new StructField("half", DataTypes.FLOAT16));
    types.put("struct", flat);
    types.put(
        "struct-nested",
        DataTypes.struct(
            new StructField("naïve", flat),
            new StructField("t", DataTypes.datetime64(NumpyUnit.DAY, 1)),
            new StructField("s", DataTypes.fixedLengthUtf32(2)),
            new StructField("n", new NullTerminatedBytesType(3)),
            new StructField("r", DataTypes.raw(24))));
    types.forEach(this::dataType);
    for (NumpyUnit unit : NumpyUnit.values()) {
      if (unit != NumpyUnit.GENERIC) {
        add("v2dtype-datetime64-" + unit, array(DataTypes.datetime64(unit, 10), 9));
        add("v2dtype-timedelta64-" + unit, array(DataTypes.timedelta64(unit, 1), 9));
      }
    }
  }

  private void dataType(String name, DataType type) {
    NamedConfiguration little = Codecs.toBytes(type);
    add("v2dtype-" + name, array(type, 7, 5).chunkShape(3, 2).codecs(little, gzip(1)));
    add(
        "v2dtype-" + name + "-F",
        array(type, 7, 5).chunkShape(3, 2).codecs(transpose(1, 0), little, zlib()));
    if (type.hasByteOrder()) {
      add(
          "v2dtype-" + name + "-big",
          array(type, 7, 5).chunkShape(3, 2).codecs(bytes("big"), zlib()));
    }
  }

  private static NamedConfiguration zlib() {
    return codec("numcodecs.zlib", "{'level': 1}");
  }

  private void add(String name, ArrayMetadataBuilder builder) {
    all.add(Written.whole(name, builder.zarrFormat(2).build()));
  }

  private void structsOfManyForms() {
    String mixed = "[['a', '<i4'], ['b', '>f8'], ['c', '|u1'], ['d', '>i2']";
    add("v2struct-mixed", "{'dtype': " + mixed + "]}");
    add("v2struct-nested-mixed", "{'dtype': [['n', " + mixed + "]], ['z', '>c8']]}");
    add("v2struct-subarray", "{'dtype': [['a', '<i4', [2, 3]], ['b', '>f8', [2]]], 'order': 'F'}");
  }

  private void add(String name, String changes) {
    all.add(Written.whole(name, opened(changes)));
  }

  private void layouts() {
    long[] shape = {5, 4, 7, 3};
    long[] chunk = {2, 3, 3, 2};
    for (int rank = 0; rank <= shape.length; rank++) {
      for (String separator : List.of(".", "/")) {
        String name = "v2layout-" + rank + "d-" + (separator.equals("/") ? "slash" : "dot");
        add(name + "-C", layout(shape, chunk, rank, separator).compressors(zlib()));
        if (rank > 1) {
          long[] reversed = new long[rank];
          Arrays.setAll(reversed, i -> reversed.length - 1 - i);
          add(
              name + "-F",
              layout(shape, chunk, rank, separator)
                  .codecs(transpose(reversed), bytes("little"), zlib()));
        }
      }
    }
    add("v2layout-uncompressed", array(DataTypes.INT16, 9, 7).chunkShape(4, 3));
    add("v2layout-chunk-larger", array(DataTypes.INT16, 3, 4).chunkShape(10, 10));
    add("v2layout-zero-length", array(DataTypes.INT16, 3, 0, 2).chunkShape(2, 2, 2));
    add(
        "v2layout-attributes",
        array(DataTypes.INT16, 3).attributes(JsonObject.EMPTY.with("name", "\u00fc")));
  }

  private static ArrayMetadataBuilder layout(
      long[] shape, long[] chunk, int rank, String separator) {
    return array(DataTypes.FLOAT32, Arrays.copyOf(shape, rank))
        .chunkShape(Arrays.copyOf(chunk, rank))
        .chunkKeyEncoding("v2", separator);
  }

  private void fillValues() {
    fill(DataTypes.BOOL, "true", new JsonBoolean(true));
    fill(DataTypes.INT8, "lowest", JsonNumber.of(-128));
    fill(DataTypes.INT64, "lowest", JsonNumber.of(Long.MIN_VALUE));
    fill(DataTypes.UINT64, "highest", new JsonNumber("18446744073709551615"));
    for (DataType type : List.of(DataTypes.FLOAT16, DataTypes.FLOAT32, DataTypes.FLOAT64)) {
      fill(type, "negative-zero", new JsonNumber("-0.0"));
      fill(type, "tenth", new JsonNumber("0.1"));
      for (String special : List.of("NaN", "Infinity", "-Infinity")) {
        fill(type, special, new JsonString(special));
      }
    }
    for (DataType type : List.of(DataTypes.COMPLEX64, DataTypes.COMPLEX128)) {
      fill(type, "number", JsonArray.of(new JsonNumber("0.1"), new JsonNumber("-1.5")));
      fill(type, "special", JsonArray.of(new JsonString("NaN"), new JsonString("-Infinity")));
    }
    fill(DataTypes.raw(24), "bytes", JsonArray.of(numbers(1, 0, 255)));
    fill(new NullTerminatedBytesType(4), "ab", new JsonString("YWI="));
    fill(DataTypes.fixedLengthUtf32(3), "text", new JsonString("\u00ef\ud83d\ude00"));
    fill(DataTypes.datetime64(NumpyUnit.SECOND, 1), "NaT", new JsonString("NaT"));
    fill(DataTypes.datetime64(NumpyUnit.DAY, 1), "number", JsonNumber.of(-7));
    fill(DataTypes.timedelta64(NumpyUnit.NANOSECOND, 1), "number", JsonNumber.of(77));
    fill(
        DataTypes.struct(
            new StructField("a", DataTypes.INT32), new StructField("b", DataTypes.FLOAT64)),
        "item",
        JsonObject.EMPTY.with("a", -5).with("b", "NaN"));
    fill(DataTypes.STRING, "text", new JsonString("\u00fc\ud83d\ude00"));
  }

  private static JsonValue[] numbers(long... values) {
    return Arrays.stream(values).mapToObj(JsonNumber::of).toArray(JsonValue[]::new);
  }

  private void fill(DataType type, String name, JsonValue value) {
    NamedConfiguration little = Codecs.toBytes(type);
    fill("v2fill-" + type.name() + "-" + name, type, value, little);
    if (type.hasByteOrder()) {
      fill("v2fill-" + type.name() + "-" + name + "-big", type, value, bytes("big"));
    }
  }

  private void fill(String name, DataType type, JsonValue value, NamedConfiguration toBytes) {
    ArrayMetadataBuilder builder =
        array(type, 9).chunkShape(4).fillValue(value).codecs(toBytes, zlib()).zarrFormat(2);
    all.add(Written.rows(name, builder.build(), 4, 6));
  }
}
