package dev.zarrreactive.interop;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.testing.Json;
import java.util.Arrays;

/** Short words for the parts of an array's metadata. */
final class MetadataParts {
  private MetadataParts() {}

  static ArrayMetadataBuilder array(DataType type, long... shape) {
    return ArrayMetadata.v3(Shape.of(shape), type).uncompressed();
  }

  static JsonArray numbers(long... values) {
    return new JsonArray(Arrays.stream(values).<JsonValue>mapToObj(JsonNumber::of).toList());
  }

  static NamedConfiguration codec(String name, JsonObject configuration) {
    return NamedConfiguration.of(name, configuration);
  }

  /** A codec with its configuration as JSON, in single quotes. */
  static NamedConfiguration codec(String name, String configuration) {
    return NamedConfiguration.of(name, Json.object(configuration));
  }

  static NamedConfiguration bytes(String endian) {
    return codec("bytes", JsonObject.EMPTY.with("endian", endian));
  }

  static NamedConfiguration transpose(long... order) {
    return codec("transpose", JsonObject.EMPTY.with("order", numbers(order)));
  }

  static NamedConfiguration gzip(long level) {
    return codec("gzip", JsonObject.EMPTY.with("level", level));
  }

  static NamedConfiguration zstd(long level, boolean checksum) {
    return codec("zstd", JsonObject.EMPTY.with("level", level).with("checksum", checksum));
  }

  static NamedConfiguration blosc(
      String cname, String shuffle, int typesize, int clevel, int blocksize) {
    return codec(
        "blosc",
        JsonObject.EMPTY
            .with("cname", cname)
            .with("clevel", clevel)
            .with("shuffle", shuffle)
            .with("typesize", typesize)
            .with("blocksize", blocksize));
  }

  static NamedConfiguration crc32c() {
    return NamedConfiguration.of("crc32c");
  }

  static JsonArray codecs(NamedConfiguration... codecs) {
    return new JsonArray(Arrays.stream(codecs).<JsonValue>map(NamedConfiguration::toJson).toList());
  }

  static NamedConfiguration shards(
      long[] innerShape, JsonArray codecs, JsonArray indexCodecs, String indexLocation) {
    return codec(
        "sharding_indexed",
        JsonObject.EMPTY
            .with("chunk_shape", numbers(innerShape))
            .with("codecs", codecs)
            .with("index_codecs", indexCodecs)
            .with("index_location", indexLocation));
  }

  /** Inner chunks with these codecs; the index as most have it. */
  static NamedConfiguration shards(
      long[] innerShape, String indexLocation, NamedConfiguration... codecs) {
    return shards(
        innerShape, codecs(codecs), MetadataParts.codecs(bytes("little"), crc32c()), indexLocation);
  }
}
