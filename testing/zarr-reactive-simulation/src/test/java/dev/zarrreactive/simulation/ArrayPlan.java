package dev.zarrreactive.simulation;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.codec.Sharding;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
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
  /** Returns the same array in Zarr v3. */
  ArrayPlan asV3() {
    return new ArrayPlan(path, 3, shape, grids, fill, hasChecksums, hasIndexAtStart);
  }

  boolean isSharded() {
    return grids.size() > 1;
  }

  /** The shape of a chunk of the array, which is stored as one value. */
  long[] chunk() {
    return grids.get(0);
  }

  /** Returns the index of the chunk with the first element of a box. */
  long[] chunkOf(Box box) {
    long[] index = box.first().clone();
    Arrays.setAll(index, d -> index[d] / chunk()[d]);
    return index;
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
            .zarrFormat(format)
            .chunkShape(chunk())
            .fillValue(fill);
    List<NamedConfiguration> chain = elements();
    for (int level = grids.size() - 1; level > 0; level--) {
      chain = List.of(sharding(grids.get(level), chain));
    }
    return builder.codecs(chain.toArray(NamedConfiguration[]::new)).build();
  }

  private List<NamedConfiguration> elements() {
    NamedConfiguration bytes = Codecs.toBytes(DataTypes.INT32);
    return hasChecksums ? List.of(bytes, Codecs.crc32c()) : List.of(bytes);
  }

  private NamedConfiguration sharding(long[] inner, List<NamedConfiguration> codecs) {
    Sharding sharding = Codecs.sharding(inner).codecs(codecs.toArray(NamedConfiguration[]::new));
    return hasIndexAtStart ? sharding.indexAtStart() : sharding;
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
