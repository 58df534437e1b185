package dev.zarrreactive.interop;

import static dev.zarrreactive.interop.MetadataParts.array;
import static dev.zarrreactive.interop.MetadataParts.blosc;
import static dev.zarrreactive.interop.MetadataParts.bytes;
import static dev.zarrreactive.interop.MetadataParts.codec;
import static dev.zarrreactive.interop.MetadataParts.crc32c;
import static dev.zarrreactive.interop.MetadataParts.gzip;
import static dev.zarrreactive.interop.MetadataParts.shards;
import static dev.zarrreactive.interop.MetadataParts.transpose;
import static dev.zarrreactive.interop.MetadataParts.zstd;

import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Zarr v3 with the codecs beyond those of the core, and all codecs inside shards. */
final class WrittenCodecs {
  private final List<Written> all = new ArrayList<>();

  private WrittenCodecs() {}

  static List<Written> all() {
    WrittenCodecs arrays = new WrittenCodecs();
    arrays.onBytes();
    arrays.insideShards();
    arrays.onElements();
    arrays.casts();
    return arrays.all;
  }

  /** The codecs from bytes to bytes of numcodecs, which both versions of Zarr name. */
  static Map<String, NamedConfiguration> numcodecs() {
    Map<String, NamedConfiguration> codecs = new LinkedHashMap<>();
    put(codecs, "blosc", "", "{'cname': 'lz4', 'clevel': 5, 'shuffle': 1, 'blocksize': 0}");
    put(codecs, "gzip", "", "{'level': 1}");
    put(codecs, "zstd", "", "{'level': 3, 'checksum': true}");
    put(codecs, "zlib", "", "{'level': 6}");
    put(codecs, "lz4", "", "{'acceleration': 1}");
    put(codecs, "bz2", "", "{'level': 9}");
    put(codecs, "lzma", "", "{'format': 1, 'check': -1, 'preset': null, 'filters': null}");
    put(codecs, "lzma", "-sha256", "{'format': 1, 'check': 10, 'preset': 1, 'filters': null}");
    put(codecs, "lzma", "-alone", "{'format': 2, 'check': -1, 'preset': 2, 'filters': null}");
    put(
        codecs,
        "lzma",
        "-raw",
        """
        {'format': 3, 'check': -1, 'preset': null,
         'filters': [{'id': 3, 'dist': 4}, {'id': 33, 'preset': 1}]}
        """);
    put(codecs, "shuffle", "", "{'elementsize': 4}");
    for (String checksum : List.of("crc32", "crc32c", "adler32")) {
      put(codecs, checksum, "", "{}");
      put(codecs, checksum, "-start", "{'location': 'start'}");
      put(codecs, checksum, "-end", "{'location': 'end'}");
    }
    put(codecs, "fletcher32", "", "{}");
    put(codecs, "jenkins_lookup3", "", "{'initval': 0}");
    put(codecs, "jenkins_lookup3", "-initval", "{'initval': 4000000000}");
    return codecs;
  }

  private static void put(
      Map<String, NamedConfiguration> codecs, String id, String variant, String configuration) {
    codecs.put(id + variant, codec("numcodecs." + id, configuration));
  }

  /** The registered codecs from bytes to bytes. */
  static Map<String, NamedConfiguration> registered() {
    return Map.of(
        "blosc", blosc("zstd", "shuffle", 4, 5, 0),
        "gzip", gzip(5),
        "zstd", zstd(3, true),
        "crc32c", crc32c());
  }

  private void onBytes() {
    numcodecs()
        .forEach(
            (name, codec) -> {
              add("numcodecs-" + name, array(DataTypes.INT32, 70, 9), bytes("little"), codec);
              add("numcodecs-" + name + "-big", array(DataTypes.UINT16, 302), bytes("big"), codec);
            });
    add(
        "numcodecs-chain",
        array(DataTypes.FLOAT32, 20, 9),
        transpose(1, 0),
        bytes("big"),
        codec("numcodecs.shuffle", "{'elementsize': 4}"),
        codec("numcodecs.zlib", "{'level': 1}"),
        codec("numcodecs.fletcher32", "{}"),
        crc32c());
    add("endian", array(DataTypes.INT32, 7, 5), codec("endian", "{'endian': 'big'}"));
  }

  private void add(String name, ArrayMetadataBuilder builder, NamedConfiguration... codecs) {
    all.add(Written.whole(name, metadata(builder, codecs)));
  }

  private static ArrayMetadata metadata(ArrayMetadataBuilder builder, NamedConfiguration... chain) {
    return builder.codecs(chain).build();
  }

  private void insideShards() {
    Map<String, NamedConfiguration> codecs = new LinkedHashMap<>();
    registered().forEach(codecs::put);
    numcodecs().forEach((name, codec) -> codecs.put("numcodecs." + name, codec));
    codecs.forEach(
        (name, codec) -> {
          add(
              "sharded-" + name,
              array(DataTypes.INT32, 13, 8).chunkShape(6, 6),
              shards(new long[] {2, 3}, "end", bytes("little"), codec));
          add(
              "sharded-" + name + "-first",
              array(DataTypes.FLOAT64, 13, 8).chunkShape(6, 6),
              shards(new long[] {2, 3}, "start", transpose(1, 0), bytes("big"), codec));
        });
    add(
        "sharded-numcodecs.packbits",
        array(DataTypes.BOOL, 13, 8).chunkShape(6, 6),
        shards(new long[] {2, 3}, "end", codec("numcodecs.packbits", "{}"), codec("bytes", "{}")));
    add(
        "sharded-numcodecs.delta",
        array(DataTypes.INT32, 13, 8).chunkShape(6, 6),
        shards(
            new long[] {2, 3},
            "end",
            codec("numcodecs.delta", "{'dtype': '<i4'}"),
            bytes("little")));
  }

  private void onElements() {
    for (DataType type : List.of(DataTypes.INT16, DataTypes.UINT8, DataTypes.INT64)) {
      String dtype = "<" + type.name().charAt(0) + type.itemSize();
      add(
          "numcodecs-delta-" + type,
          array(type, 70, 9).chunkShape(20, 9),
          codec("numcodecs.delta", "{'dtype': '" + dtype + "'}"),
          Codecs.toBytes(type));
    }
    counting(
        "numcodecs-delta-astype",
        array(DataTypes.INT64, 70, 9),
        codec("numcodecs.delta", "{'dtype': '<i8', 'astype': '<i2'}"),
        bytes("little"));
    counting(
        "numcodecs-fixedscaleoffset",
        array(DataTypes.FLOAT64, 70, 9),
        codec(
            "numcodecs.fixedscaleoffset",
            "{'offset': 10, 'scale': 4, 'dtype': '<f8', 'astype': '<i2'}"),
        bytes("big"));
    rounded(
        "numcodecs-fixedscaleoffset-rounded",
        array(DataTypes.INT32, 70, 9),
        codec(
            "numcodecs.fixedscaleoffset",
            "{'offset': 0.3, 'scale': 0.7, 'dtype': '<i4', 'astype': '<i4'}"),
        bytes("little"));
    for (DataType type : List.of(DataTypes.FLOAT16, DataTypes.FLOAT32, DataTypes.FLOAT64)) {
      String dtype = "<f" + type.itemSize();
      rounded(
          "numcodecs-quantize-" + type,
          array(type, 70, 9),
          codec("numcodecs.quantize", "{'digits': 2, 'dtype': '" + dtype + "'}"),
          bytes("little"));
      rounded(
          "numcodecs-bitround-" + type,
          array(type, 70, 9),
          codec("numcodecs.bitround", "{'keepbits': 5}"),
          bytes("little"));
    }
    rounded(
        "numcodecs-astype",
        array(DataTypes.INT16, 70, 9),
        codec("numcodecs.astype", "{'encode_dtype': '<i8', 'decode_dtype': '<i2'}"),
        bytes("little"));
    counting(
        "numcodecs-astype-float",
        array(DataTypes.FLOAT64, 70, 9),
        codec("numcodecs.astype", "{'encode_dtype': '<f4', 'decode_dtype': '<f8'}"),
        bytes("little"));
    add(
        "numcodecs-packbits",
        array(DataTypes.BOOL, 70, 9).chunkShape(7, 7),
        codec("numcodecs.packbits", "{}"),
        codec("bytes", "{}"));
  }

  private void casts() {
    for (DataType type : List.of(DataTypes.INT32, DataTypes.UINT64, DataTypes.FLOAT32)) {
      counting(
          "scale_offset-" + type,
          array(type, 70, 9),
          codec("scale_offset", "{'offset': 0, 'scale': 3}"),
          bytes("little"));
      counting(
          "cast_value-" + type,
          array(type, 70, 9),
          codec("cast_value", "{'data_type': 'uint8', 'out_of_range': 'clamp'}"),
          codec("bytes", "{}"));
    }
    counting(
        "cast_value-scalar_map",
        array(DataTypes.FLOAT64, 70, 9).fillValue(new JsonString("NaN")),
        codec("scale_offset", "{'offset': 5, 'scale': 2}"),
        codec(
            "cast_value",
            """
            {'data_type': 'int16', 'rounding': 'towards-zero',
             'scalar_map': {'encode': [['NaN', -1]], 'decode': [[-1, 'NaN']]}}
            """),
        bytes("big"));
  }

  private void counting(String name, ArrayMetadataBuilder builder, NamedConfiguration... codecs) {
    ArrayMetadata metadata = metadata(builder, codecs);
    all.add(Written.of(name, metadata, WrittenElements.counting(metadata, 100)));
  }

  private void rounded(String name, ArrayMetadataBuilder builder, NamedConfiguration... codecs) {
    all.add(Written.rounded(name, metadata(builder, codecs)));
  }
}
