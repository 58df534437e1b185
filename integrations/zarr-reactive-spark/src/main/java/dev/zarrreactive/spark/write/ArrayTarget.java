package dev.zarrreactive.spark.write;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.partition.DescribedArray;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * An array that tasks write to, with the shape that it has after the write.
 *
 * @param deciding the attributes that decide what values mean
 * @param areRaw true if values are stored elements
 * @param dimensions the places of the array's dimensions among those of a row
 * @param column the column with the values
 */
record ArrayTarget(
    DescribedArray array, String deciding, boolean areRaw, List<Integer> dimensions, String column)
    implements Serializable {
  private static final long serialVersionUID = 1;

  static ArrayTarget of(
      String path,
      ArrayMetadata metadata,
      JsonObject deciding,
      List<Integer> dimensions,
      String column) {
    return new ArrayTarget(
        DescribedArray.of(path, metadata),
        deciding.toString(),
        false,
        List.copyOf(dimensions),
        column);
  }

  /** Returns an array whose rows have boxes of stored elements. */
  static ArrayTarget ofElements(String path, ArrayMetadata metadata) {
    return new ArrayTarget(DescribedArray.of(path, metadata), "{}", true, List.of(), path);
  }

  /** An array that is ready to be written, without a request so far. */
  record Opened(ZarrArray array, CfDecoding coding) {}

  Opened open(ZarrHierarchy hierarchy) {
    ArrayMetadata metadata = array.metadata();
    ZarrArray opened = hierarchy.array(array.path(), metadata);
    boolean storesAll =
        metadata.zarrFormat() == 2
            && metadata.document().get("fill_value") == JsonNull.NULL; // others know no value
    return new Opened(
        storesAll ? opened.withOptions(hierarchy.options().withWriteEmptyChunks(true)) : opened,
        coding(metadata));
  }

  /** Returns the coding by which values are stored; appends of datasets have the same. */
  CfDecoding coding(ArrayMetadata metadata) {
    JsonObject attributes =
        (JsonObject)
            JsonDocument.parseAttributes(
                    ByteBuffer.wrap(deciding.getBytes(StandardCharsets.UTF_8)),
                    Location.ofNode(array.path()))
                .value();
    return CfDecoding.of(metadata, attributes, areRaw ? Set.of() : CfRule.xarray(), false);
  }

  /**
   * The chunks or shards of an array, of which each is one unit of work.
   *
   * @param grid the chunk grid, whose chunks are shards where there are any
   */
  record Units(ChunkGrid grid, Shape shape) {
    static Units of(ArrayMetadata metadata) {
      return new Units(ChunkGrid.of(metadata.chunkGrid(), metadata.shape()), metadata.shape());
    }

    long count() {
      return grid.gridShape().elementCountUpTo(Long.MAX_VALUE);
    }

    /** Returns the number of a unit in C order. */
    long unit(long[] chunk) {
      long unit = 0;
      for (int d = 0; d < chunk.length; d++) {
        unit = Math.addExact(Math.multiplyExact(unit, grid.gridShape().extent(d)), chunk[d]);
      }
      return unit;
    }

    long[] chunk(long unit) {
      long[] chunk = new long[shape.rank()];
      long left = unit;
      for (int d = chunk.length - 1; d >= 0; d--) {
        chunk[d] = left % grid.gridShape().extent(d);
        left /= grid.gridShape().extent(d);
      }
      return chunk;
    }

    /** Returns the chunk that has an index. */
    long[] chunkOf(long[] index) {
      long[] chunk = new long[index.length];
      Arrays.setAll(chunk, d -> grid.dimension(d).chunkOf(index[d]));
      return chunk;
    }

    /** Returns the extents of a chunk as far as the array goes. */
    long[] extents(long[] chunk) {
      long[] start = grid.chunkStart(chunk);
      long[] extents = grid.chunkShape(chunk).toArray();
      Arrays.setAll(extents, d -> Math.min(extents[d], shape.extent(d) - start[d]));
      return extents;
    }

    /** Returns the place of an index among the elements of its chunk, in C order. */
    int place(long[] chunk, long[] index) {
      long[] start = grid.chunkStart(chunk);
      long[] extents = extents(chunk);
      long place = 0;
      for (int d = 0; d < index.length; d++) {
        place = place * extents[d] + index[d] - start[d];
      }
      return Math.toIntExact(place);
    }
  }
}
