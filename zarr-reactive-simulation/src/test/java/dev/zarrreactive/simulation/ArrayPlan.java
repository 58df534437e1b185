package dev.zarrreactive.simulation;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import java.util.Arrays;
import java.util.List;

/**
 * An array of {@code int32}.
 *
 * @param grids the shapes of chunks, from the outermost: one of a plain array, two of a sharded
 *     one, three where shards lie in shards
 */
record ArrayPlan(
    String path,
    int format,
    long[] shape,
    List<long[]> grids,
    int fill,
    boolean hasChecksums,
    boolean hasIndexAtStart) {
  boolean isSharded() {
    return grids.size() > 1;
  }

  /** The shape of a chunk of the array, which is stored as one value. */
  long[] chunk() {
    return grids.get(0);
  }

  /** The decoded bytes of a chunk, stored or inner, that a stream hands on. */
  long innerBytes() {
    return 4L * Box.all(grids.get(grids.size() - 1)).size();
  }

  long chunkBytes() {
    return 4L * Box.all(chunk()).size();
  }

  ArrayMetadata metadata() {
    ArrayMetadataBuilder builder =
        ArrayMetadata.v3(Shape.of(shape), DataTypes.INT32)
            .uncompressed()
            .zarrFormat(format)
            .chunkShape(chunk())
            .fillValue(JsonNumber.of(fill));
    List<NamedConfiguration> chain = elements();
    for (int level = grids.size() - 1; level > 0; level--) {
      chain = List.of(sharding(grids.get(level), chain));
    }
    return builder.codecs(chain.toArray(NamedConfiguration[]::new)).build();
  }

  private List<NamedConfiguration> elements() {
    NamedConfiguration bytes = Codecs.toBytes(DataTypes.INT32);
    return hasChecksums ? List.of(bytes, NamedConfiguration.of("crc32c")) : List.of(bytes);
  }

  private NamedConfiguration sharding(long[] inner, List<NamedConfiguration> codecs) {
    List<NamedConfiguration> index =
        List.of(Codecs.toBytes(DataTypes.UINT64), NamedConfiguration.of("crc32c"));
    return NamedConfiguration.of(
        "sharding_indexed",
        JsonObject.EMPTY
            .with(
                "chunk_shape",
                new JsonArray(Arrays.stream(inner).<JsonValue>mapToObj(JsonNumber::of).toList()))
            .with("codecs", chain(codecs))
            .with("index_codecs", chain(index))
            .with("index_location", hasIndexAtStart ? "start" : "end"));
  }

  private static JsonArray chain(List<NamedConfiguration> codecs) {
    return new JsonArray(codecs.stream().<JsonValue>map(NamedConfiguration::toJson).toList());
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(path + ": v" + format + " " + Arrays.toString(shape));
    for (int level = 0; level < grids.size(); level++) {
      text.append(level == 0 ? " in chunks of " : " in inner chunks of ");
      text.append(Arrays.toString(grids.get(level)));
    }
    text.append(", fill ").append(fill);
    text.append(hasChecksums ? ", checksums" : "");
    return text.append(isSharded() && hasIndexAtStart ? ", index first" : "").toString();
  }
}
