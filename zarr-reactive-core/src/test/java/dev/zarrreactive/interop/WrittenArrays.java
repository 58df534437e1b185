package dev.zarrreactive.interop;

import static dev.zarrreactive.interop.MetadataParts.array;
import static dev.zarrreactive.interop.MetadataParts.blosc;
import static dev.zarrreactive.interop.MetadataParts.bytes;
import static dev.zarrreactive.interop.MetadataParts.codec;
import static dev.zarrreactive.interop.MetadataParts.codecs;
import static dev.zarrreactive.interop.MetadataParts.crc32c;
import static dev.zarrreactive.interop.MetadataParts.gzip;
import static dev.zarrreactive.interop.MetadataParts.numbers;
import static dev.zarrreactive.interop.MetadataParts.shards;
import static dev.zarrreactive.interop.MetadataParts.transpose;
import static dev.zarrreactive.interop.MetadataParts.zstd;

import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.RawBytesType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Arrays of everything that can be written, for others to read; those of fixed-size elements with
 * the codecs of the core here.
 */
final class WrittenArrays {

  private final List<Written> all = new ArrayList<>();

  private WrittenArrays() {}

  static List<Written> all() {
    WrittenArrays arrays = new WrittenArrays();
    arrays.dataTypes();
    arrays.transposes();
    arrays.compressors();
    arrays.bloscVariants();
    arrays.checksumsAndChains();
    arrays.chunkKeyEncodings();
    arrays.ranks();
    arrays.missingChunks();
    arrays.fillValues();
    arrays.rectilinear();
    arrays.sharding();
    arrays.all.addAll(WrittenCodecs.all());
    arrays.all.addAll(WrittenVariableLength.all());
    arrays.all.addAll(WrittenZarr2.all());
    arrays.all.addAll(WrittenZarr2Codecs.all());
    return Collections.unmodifiableList(arrays.all);
  }

  private void add(String name, ArrayMetadataBuilder builder) {
    all.add(Written.whole(name, builder.build()));
  }

  private void dataTypes() {
    List<DataType> types = new ArrayList<>(DataTypes.named());
    types.add(DataTypes.raw(8));
    types.add(DataTypes.raw(16));
    types.add(DataTypes.raw(56));
    types.forEach(type -> dataType(type.name(), type));
    dataType("datetime64", DataTypes.datetime64(NumpyUnit.MICROSECOND, 10));
    dataType("timedelta64", DataTypes.timedelta64(NumpyUnit.GENERIC, 1));
    dataType("fixed_length_utf32", DataTypes.fixedLengthUtf32(3));
    dataType("null_terminated_bytes", new NullTerminatedBytesType(5));
    dataType("raw_bytes", new RawBytesType(5));
    StructType flat =
        DataTypes.struct(
            new StructField("flag", DataTypes.BOOL),
            new StructField("id", DataTypes.UINT64),
            new StructField("z", DataTypes.COMPLEX64),
            new StructField("half", DataTypes.FLOAT16));
    dataType("struct-flat", flat);
    dataType(
        "struct-nested",
        DataTypes.struct(
            new StructField("na\u00efve", flat),
            new StructField("t", DataTypes.datetime64(NumpyUnit.DAY, 1)),
            new StructField("s", DataTypes.fixedLengthUtf32(2)),
            new StructField("r", new RawBytesType(3))));
  }

  private void dataType(String name, DataType type) {
    add("dtype-" + name + "-little", array(type, 7, 5).chunkShape(3, 2));
    if (type.hasByteOrder()) {
      add("dtype-" + name + "-big", array(type, 7, 5).chunkShape(3, 2).codecs(bytes("big")));
    }
  }

  private void transposes() {
    long[][] orders = {
      {0, 1},
      {1, 0},
      {0, 1, 2},
      {0, 2, 1},
      {1, 0, 2},
      {1, 2, 0},
      {2, 0, 1},
      {2, 1, 0},
      {3, 1, 0, 2},
      {1, 3, 2, 0},
      {2, 4, 0, 3, 1}
    };
    DataType[] types = {
      DataTypes.UINT8, DataTypes.INT16, DataTypes.FLOAT32, DataTypes.COMPLEX128, DataTypes.raw(24)
    };
    for (int i = 0; i < orders.length; i++) {
      DataType type = types[i % types.length];
      long[] shape = Arrays.copyOf(new long[] {5, 7, 4, 3, 2}, orders[i].length);
      long[] chunk = Arrays.copyOf(new long[] {2, 3, 4, 2, 2}, orders[i].length);
      String name = "transpose-" + join(orders[i]) + "-" + type;
      NamedConfiguration bytes = Codecs.toBytes(type);
      add(name, array(type, shape).chunkShape(chunk).codecs(transpose(orders[i]), bytes));
    }
    add(
        "transpose-twice",
        array(DataTypes.INT32, 5, 7, 4)
            .chunkShape(2, 3, 4)
            .codecs(transpose(2, 0, 1), transpose(1, 0, 2), bytes("big")));
  }

  private static String join(long[] values) {
    StringBuilder text = new StringBuilder();
    LongStream.of(values).forEach(text::append);
    return text.toString();
  }

  private void compressors() {
    for (int level : new int[] {0, 1, 5, 9}) {
      add("gzip-" + level, array(DataTypes.INT16, 700).chunkShape(300).compressors(gzip(level)));
    }
    for (int level : new int[] {-7, 0, 1, 3, 22}) {
      for (boolean checksum : new boolean[] {false, true}) {
        add(
            "zstd-" + level + (checksum ? "-checksum" : ""),
            array(DataTypes.FLOAT64, 700).chunkShape(300).compressors(zstd(level, checksum)));
      }
    }
    add("gzip-large", array(DataTypes.INT32, 300_000).compressors(gzip(6)));
    add("zstd-large", array(DataTypes.INT32, 300_000).compressors(zstd(3, true)));
  }

  private void bloscVariants() {
    DataType[] types = {
      DataTypes.UINT8, DataTypes.INT16, DataTypes.FLOAT32, DataTypes.UINT64, DataTypes.COMPLEX128
    };
    int level = 0;
    for (String cname : List.of("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd")) {
      for (String shuffle : List.of("noshuffle", "shuffle", "bitshuffle")) {
        for (DataType type : types) {
          level = level % 9 + 1;
          add(
              "blosc-" + cname + "-" + shuffle + "-" + type,
              array(type, 2003)
                  .chunkShape(1001)
                  .compressors(blosc(cname, shuffle, type.itemSize(), level, 0)));
        }
      }
      add(
          "blosc-" + cname + "-large",
          array(DataTypes.FLOAT32, 300_000).compressors(blosc(cname, "shuffle", 4, 5, 0)));
      add(
          "blosc-" + cname + "-blocks",
          array(DataTypes.INT32, 5000).compressors(blosc(cname, "bitshuffle", 4, 5, 4096)));
    }
    add("blosc-level0", array(DataTypes.INT32, 500).compressors(blosc("lz4", "shuffle", 4, 0, 0)));
    add(
        "blosc-typesize-of-another-type",
        array(DataTypes.FLOAT64, 999).compressors(blosc("zstd", "shuffle", 3, 5, 0)));
  }

  private void checksumsAndChains() {
    add("crc32c", array(DataTypes.INT16, 9, 5).chunkShape(4, 4).compressors(crc32c()));
    add("chain-gzip-crc32c", array(DataTypes.INT16, 99).compressors(gzip(3), crc32c()));
    add("chain-crc32c-zstd", array(DataTypes.INT16, 99).compressors(crc32c(), zstd(1, false)));
    add("chain-gzip-zstd", array(DataTypes.UINT8, 9, 9).compressors(gzip(3), zstd(1, true)));
    add(
        "chain-everything",
        array(DataTypes.COMPLEX64, 6, 7, 8)
            .chunkShape(4, 4, 4)
            .codecs(
                transpose(1, 2, 0),
                bytes("big"),
                blosc("lz4", "bitshuffle", 4, 5, 0),
                crc32c(),
                gzip(1),
                zstd(3, true),
                crc32c()));
  }

  private void chunkKeyEncodings() {
    for (String encoding : List.of("default", "v2")) {
      for (String separator : List.of("/", ".")) {
        String name = "keys-" + encoding + (separator.equals("/") ? "-slash" : "-dot");
        add(name + "-0d", array(DataTypes.INT32).chunkKeyEncoding(encoding, separator));
        add(
            name + "-1d",
            array(DataTypes.INT32, 25).chunkShape(2).chunkKeyEncoding(encoding, separator));
        add(
            name + "-3d",
            array(DataTypes.INT32, 3, 25, 2)
                .chunkShape(2, 2, 1)
                .chunkKeyEncoding(encoding, separator));
      }
    }
  }

  private void ranks() {
    long[] shape = {5, 4, 7, 3, 6};
    long[] chunk = {2, 3, 3, 2, 4};
    for (int rank = 0; rank <= shape.length; rank++) {
      add(
          "rank-" + rank,
          array(DataTypes.FLOAT32, Arrays.copyOf(shape, rank))
              .chunkShape(Arrays.copyOf(chunk, rank)));
    }
    add("chunk-larger", array(DataTypes.INT16, 3, 4).chunkShape(10, 10));
    add("chunk-of-one", array(DataTypes.INT16, 3, 4).chunkShape(1, 1));
    add("zero-length", array(DataTypes.INT16, 3, 0, 2).chunkShape(2, 2, 2));
    add("dimension-names", array(DataTypes.INT16, 3, 4).dimensionNames("zeit", null));
  }

  private void missingChunks() {
    all.add(
        Written.rows(
            "missing-chunks",
            array(DataTypes.INT32, 20, 5).chunkShape(3, 2).fillValue(JsonNumber.of(-7)).build(),
            4,
            11));
    all.add(
        Written.rows(
            "missing-chunks-compressed",
            array(DataTypes.FLOAT64, 20, 5)
                .chunkShape(3, 2)
                .fillValue(new JsonString("NaN"))
                .compressors(zstd(3, false))
                .build(),
            7,
            8));
  }

  private void fillValues() {
    fill(DataTypes.BOOL, new JsonBoolean(true));
    fill(DataTypes.INT8, JsonNumber.of(-128));
    fill(DataTypes.INT64, JsonNumber.of(Long.MIN_VALUE));
    fill(DataTypes.INT64, JsonNumber.of(Long.MAX_VALUE));
    fill(DataTypes.UINT32, JsonNumber.of(4294967295L));
    fill(DataTypes.UINT64, new JsonNumber("18446744073709551615"));
    fill(DataTypes.UINT64, new JsonNumber("9007199254740993"));
    for (String hex : List.of("0x7e01", "0xfe00", "0x3c01")) {
      fill(DataTypes.FLOAT16, new JsonString(hex));
    }
    for (String hex : List.of("0x7fc00123", "0xffc00000", "0x3f800001")) {
      fill(DataTypes.FLOAT32, new JsonString(hex));
    }
    for (String hex : List.of("0x7ff8000000000123", "0xfff8000000000000", "0x3ff0000000000001")) {
      fill(DataTypes.FLOAT64, new JsonString(hex));
    }
    for (DataType type : List.of(DataTypes.FLOAT16, DataTypes.FLOAT32, DataTypes.FLOAT64)) {
      fill(type, new JsonNumber("-0.0"));
      fill(type, new JsonNumber("0.1"));
      fill(type, new JsonNumber("6e-8"));
      fill(type, new JsonNumber("65504"));
      for (String special : List.of("NaN", "Infinity", "-Infinity")) {
        fill(type, new JsonString(special));
      }
    }
    for (DataType type : List.of(DataTypes.COMPLEX64, DataTypes.COMPLEX128)) {
      fill(type, JsonArray.of(new JsonNumber("-0.0"), new JsonNumber("1.5")));
      fill(type, JsonArray.of(new JsonString("NaN"), new JsonString("-Infinity")));
    }
    fill(DataTypes.raw(16), numbers(1, 255));
    for (DataType type : List.of(DataTypes.BFLOAT16, DataTypes.FLOAT8_E5M2)) {
      fill(type, new JsonNumber("0.1"));
      fill(type, new JsonString("NaN"));
      fill(type, new JsonString("-Infinity"));
    }
    fill(DataTypes.INT4, JsonNumber.of(-3));
    fill(DataTypes.FLOAT8_E8M0FNU, JsonNumber.of(4));
    fill(DataTypes.FLOAT8_E4M3FNUZ, new JsonString("NaN"));
    fill("datetime64-NaT", DataTypes.datetime64(NumpyUnit.SECOND, 1), new JsonString("NaT"));
    fill("timedelta64-7", DataTypes.timedelta64(NumpyUnit.HOUR, 6), JsonNumber.of(-7));
    fill("utf32-text", DataTypes.fixedLengthUtf32(3), new JsonString("\u00ef\ud83d\ude00"));
    fill("bytes-text", new NullTerminatedBytesType(4), new JsonString("YWI="));
    fill("raw_bytes-text", new RawBytesType(2), new JsonString("YWI="));
    fill(
        "struct",
        DataTypes.struct(
            new StructField("a", DataTypes.INT32), new StructField("b", DataTypes.FLOAT64)),
        JsonObject.EMPTY.with("a", -5).with("b", "NaN"));
  }

  private void fill(DataType type, JsonValue value) {
    String text = value.toString().replaceAll("[\"\\[\\]]", "").replace(',', '_');
    fill(type + "-" + text, type, value);
  }

  private void fill(String name, DataType type, JsonValue value) {
    all.add(
        Written.rows("fill-" + name, array(type, 9).chunkShape(4).fillValue(value).build(), 4, 6));
  }

  private void rectilinear() {
    JsonArray edges = JsonArray.of(numbers(2, 5, 3), JsonArray.of(numbers(2, 3), JsonNumber.of(4)));
    NamedConfiguration grid =
        codec("rectilinear", JsonObject.EMPTY.with("kind", "inline").with("chunk_shapes", edges));
    add("rectilinear", array(DataTypes.INT32, 10, 9).chunkGrid(grid));
    add(
        "rectilinear-compressed",
        array(DataTypes.FLOAT64, 10, 9).chunkGrid(grid).compressors(zstd(3, false)));
  }

  private void sharding() {
    long[] inner = {2, 3};
    JsonArray raw = codecs(bytes("little"));
    JsonArray packed = codecs(bytes("big"), zstd(3, true));
    JsonArray index = codecs(bytes("little"), crc32c());
    for (String location : List.of("start", "end")) {
      for (String name : List.of("crc32c", "bare", "big")) {
        JsonArray indexCodecs =
            name.equals("crc32c") ? index : codecs(bytes(name.equals("big") ? "big" : "little"));
        add(
            "sharding-" + location + "-" + name,
            array(DataTypes.INT32, 13, 8)
                .chunkShape(6, 6)
                .codecs(shards(inner, packed, indexCodecs, location)));
      }
      NamedConfiguration nested =
          shards(
              new long[] {4, 3},
              codecs(shards(new long[] {2, 1}, packed, index, location)),
              index,
              location);
      add(
          "sharding-nested-" + location,
          array(DataTypes.INT16, 13, 8).chunkShape(8, 6).codecs(nested));
    }
    add(
        "sharding-transposed",
        array(DataTypes.FLOAT64, 13, 8)
            .chunkShape(6, 4)
            .codecs(transpose(1, 0), shards(new long[] {2, 3}, raw, index, "end")));
    add(
        "sharding-compressed",
        array(DataTypes.FLOAT64, 13, 8)
            .chunkShape(6, 6)
            .codecs(shards(inner, raw, index, "end"), gzip(3), crc32c()));
    all.add(
        Written.rows(
            "sharding-missing",
            array(DataTypes.FLOAT32, 40, 7)
                .chunkShape(8, 6)
                .fillValue(new JsonString("0x7fc00123"))
                .codecs(shards(inner, packed, index, "end"))
                .build(),
            11,
            15));
  }
}
