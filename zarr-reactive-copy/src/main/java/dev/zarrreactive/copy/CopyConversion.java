package dev.zarrreactive.copy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requested conversion of a copy. A null or absent member keeps that of the source.
 *
 * @param zarrFormat 2 or 3
 * @param chunkShapes of arrays, by their number of dimensions
 * @param shardShapes of arrays, by their number of dimensions
 * @param unsharded whether other sharded arrays get their inner chunks as chunks
 * @param codecs of every array
 * @param conventions whether xarray reads the same values from the other format
 */
record CopyConversion(
    @Nullable Integer zarrFormat,
    Map<Integer, Shape> chunkShapes,
    Map<Integer, Shape> shardShapes,
    boolean unsharded,
    @Nullable List<NamedConfiguration> codecs,
    boolean conventions) {
  /** Returns the format of the copy of a node. */
  int zarrFormat(NodeMetadata source) {
    return zarrFormat != null ? zarrFormat : source.zarrFormat() == 2 ? 2 : 3;
  }

  /** Returns whether the node's document has the copy's format already, and is not of a draft. */
  boolean keepsFormat(NodeMetadata source) {
    return zarrFormat(source) == source.zarrFormat()
        && (source.zarrFormat() == 2 || isRatified(source));
  }

  /** Parses the document again, without the leniencies for drafts. */
  private static boolean isRatified(NodeMetadata source) {
    try {
      NodeMetadata.parse(Bytes.utf8(source.document().toString()), NodePath.ROOT);
      return true;
    } catch (ZarrException e) {
      return false;
    }
  }

  /** Returns the chunk shape of the copy of an array with {@code rank} dimensions. */
  @Nullable Shape chunkShape(int rank) {
    return chunkShapes.get(rank);
  }

  /** Returns the shard shape of the copy of an array with {@code rank} dimensions. */
  @Nullable Shape shardShape(int rank) {
    return shardShapes.get(rank);
  }
}
