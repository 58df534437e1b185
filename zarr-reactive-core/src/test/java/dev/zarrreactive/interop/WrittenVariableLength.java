package dev.zarrreactive.interop;

import static dev.zarrreactive.interop.MetadataParts.array;
import static dev.zarrreactive.interop.MetadataParts.codec;
import static dev.zarrreactive.interop.MetadataParts.crc32c;
import static dev.zarrreactive.interop.MetadataParts.numbers;
import static dev.zarrreactive.interop.MetadataParts.shards;
import static dev.zarrreactive.interop.MetadataParts.transpose;
import static dev.zarrreactive.interop.MetadataParts.zstd;

import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Zarr v3 with texts and byte strings of any length. */
final class WrittenVariableLength {
  private final List<Written> all = new ArrayList<>();
  private final VariableLengthType type;
  private final String name;
  private final NamedConfiguration toBytes;

  private WrittenVariableLength(VariableLengthType type) {
    this.type = type;
    this.name = "vlen-" + type.name();
    this.toBytes = Codecs.toBytes(type);
  }

  static List<Written> all() {
    List<Written> all = new ArrayList<>();
    for (VariableLengthType type : DataTypes.ofVariableLength()) {
      WrittenVariableLength arrays = new WrittenVariableLength(type);
      arrays.shapes();
      if (List.of("string", "bytes").contains(type.name())) {
        arrays.compressed();
        arrays.sharded();
      }
      all.addAll(arrays.all);
    }
    return all;
  }

  private void add(String variant, ArrayMetadataBuilder builder) {
    all.add(Written.whole(name + variant, builder.build()));
  }

  private void shapes() {
    add("", array(type, 40, 5).chunkShape(7, 3));
    add("-scalar", array(type));
    add("-large", array(type, 5000));
    add("-transposed", array(type, 9, 7).chunkShape(4, 3).codecs(transpose(1, 0), toBytes));
    JsonArray edges = JsonArray.of(numbers(2, 5, 3), numbers(4, 5));
    add(
        "-rectilinear",
        array(type, 10, 9)
            .chunkGrid(
                codec(
                    "rectilinear",
                    JsonObject.EMPTY.with("kind", "inline").with("chunk_shapes", edges))));
    ArrayMetadataBuilder missing = array(type, 20, 5).chunkShape(3, 2);
    all.add(Written.rows(name + "-missing", missing.build(), 4, 11));
    missing.fillValue(
        type.equals(DataTypes.STRING)
            ? new JsonString("\u00fc\ud83d\ude00")
            : new JsonString("AP8="));
    all.add(Written.rows(name + "-fill", missing.build(), 4, 11));
  }

  private void compressed() {
    WrittenCodecs.registered()
        .forEach((codec, use) -> add("-" + codec, array(type, 99).compressors(use)));
    Map<String, NamedConfiguration> numcodecs = WrittenCodecs.numcodecs();
    numcodecs.remove("shuffle"); // takes only whole elements of its size
    numcodecs.forEach((codec, use) -> add("-numcodecs." + codec, array(type, 99).compressors(use)));
    add("-chain", array(type, 99).compressors(crc32c(), zstd(3, false), crc32c()));
  }

  private void sharded() {
    long[] inner = {2, 3};
    for (String location : List.of("start", "end")) {
      String variant = "-sharded-" + location;
      add(variant, array(type, 13, 8).chunkShape(6, 6).codecs(shards(inner, location, toBytes)));
      WrittenCodecs.registered()
          .forEach(
              (codec, use) ->
                  add(
                      variant + "-" + codec,
                      array(type, 13, 8)
                          .chunkShape(6, 6)
                          .codecs(shards(inner, location, toBytes, use))));
      add(
          variant + "-nested",
          array(type, 13, 8)
              .chunkShape(8, 6)
              .codecs(
                  shards(
                      new long[] {4, 3},
                      location,
                      shards(new long[] {2, 1}, location, toBytes, zstd(3, false)))));
      add(
          variant + "-transposed",
          array(type, 13, 8)
              .chunkShape(6, 6)
              .codecs(transpose(1, 0), shards(new long[] {3, 2}, location, toBytes)));
      all.add(
          Written.rows(
              name + variant + "-missing",
              array(type, 40, 7)
                  .chunkShape(8, 6)
                  .codecs(shards(inner, location, transpose(1, 0), toBytes))
                  .build(),
              11,
              15));
    }
  }
}
