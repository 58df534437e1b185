package dev.zarrreactive.fuzz;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Arrays with codecs that few others write, and with many codecs at once. */
final class OwnArrays {
  private static final Shape SHAPE = Shape.of(10, 12);
  private static final String BYTES = "{'name': 'bytes', 'configuration': {'endian': 'big'}}";
  private static final String GZIP = "{'name': 'gzip', 'configuration': {'level': 5}}";
  private static final String ZSTD = "{'name': 'zstd', 'configuration': {'level': 3}}";
  private static final String REVERSED =
      "{'name': 'transpose', 'configuration': {'order': [1, 0]}}";

  private static final Map<String, String> CHAINS =
      new TreeMap<>(
          Map.of(
              "n5",
                  "{'name': 'n5_default', 'configuration': {'codecs': ["
                      + REVERSED
                      + ","
                      + BYTES
                      + "]}}",
              "n5-gzip",
                  "{'name': 'n5_default', 'configuration': {'codecs': ["
                      + REVERSED
                      + ","
                      + BYTES
                      + ","
                      + GZIP
                      + "]}}",
              "conditional",
                  BYTES
                      + ",{'name': 'conditional', 'configuration': {'codecs': ["
                      + ZSTD
                      + ",'crc32c',"
                      + GZIP
                      + "], 'header_bits': 16}}",
              "base64", BYTES + "," + GZIP + ",'numcodecs.base64'",
              "packbits",
                  "{'name': 'packbits', 'configuration': {'last_bit': 8, 'padding_encoding':"
                      + " 'first_byte'}},"
                      + GZIP,
              "computed",
                  "{'name': 'scale_offset', 'configuration': {'offset': 7}}, {'name': 'cast_value',"
                      + " 'configuration': {'data_type': 'int32'}}, {'name': 'reshape',"
                      + " 'configuration': {'shape': [[0, 1]]}},"
                      + BYTES,
              "shard-start", shard(BYTES + "," + ZSTD, "start"),
              "shard-n5",
                  shard(
                      "{'name': 'n5_default', 'configuration': {'codecs': ["
                          + REVERSED
                          + ","
                          + BYTES
                          + "]}}",
                      "end"),
              "shard-in-shard",
                  shard(
                      "{'name': 'sharding_indexed', 'configuration': {'chunk_shape': [1, 2],"
                          + " 'codecs': ["
                          + BYTES
                          + "], 'index_codecs': ["
                          + BYTES
                          + "]}}",
                      "end"),
              "shard-compressed", shard(BYTES, "end") + "," + GZIP));

  private OwnArrays() {}

  private static String shard(String codecs, String location) {
    return "{'name': 'sharding_indexed', 'configuration': {'chunk_shape': [2, 2], 'codecs': ["
        + codecs
        + "], 'index_codecs': ["
        + BYTES
        + "], 'index_location': '"
        + location
        + "'}}";
  }

  static Stream<FuzzStore> all() {
    return CHAINS.entrySet().stream().map(chain -> array(chain.getKey(), chain.getValue()));
  }

  private static FuzzStore array(String name, String codecs) {
    NamedConfiguration[] chain =
        Json.value("[" + codecs + "]").elements().stream()
            .map(NamedConfiguration::parse)
            .toArray(NamedConfiguration[]::new);
    byte[] image = new byte[SHAPE.byteSize(DataTypes.INT16.itemSize())];
    for (int i = 0; i < image.length; i += 2) {
      image[i] = (byte) (i / 7);
    }
    MemoryStore store = MemoryStore.create();
    Zarr.hierarchy(store)
        .createArray(
            "", ArrayMetadata.v3(SHAPE, DataTypes.INT16).chunkShape(4, 6).codecs(chain).build())
        .flatMap(
            array ->
                array.write(
                    Selection.all(), NdArray.wrap(DataTypes.INT16, SHAPE, Bytes.wrap(image))))
        .block();
    return FuzzStore.of("own-" + name, store);
  }
}
