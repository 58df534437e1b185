package dev.zarrreactive.copy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requested conversion of a copy. A null or absent member keeps that of the source.
 *
 * @param zarrFormat 2 or 3
 * @param chunkShapes of arrays, by their number of dimensions
 * @param shardShapes of arrays, by their number of dimensions
 * @param chunkChoice the chunk shape of an array, before those by rank; null for none
 * @param shardChoice the shard shape of an array with a chunk shape; null for none
 * @param unsharded whether other sharded arrays get their inner chunks as chunks
 * @param codecs of every array
 * @param conventions whether xarray reads the same values from the other format
 */
record CopyConversion(
    @Nullable Integer zarrFormat,
    Map<Integer, Shape> chunkShapes,
    Map<Integer, Shape> shardShapes,
    @Nullable Function<ArrayMetadata, Optional<Shape>> chunkChoice,
    @Nullable BiFunction<ArrayMetadata, Shape, Optional<Shape>> shardChoice,
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

  /** Returns the chunk shape of the copy of an array; null for that of the source. */
  @Nullable Shape chunkShape(ArrayMetadata source) {
    Shape fixed = chunkShapes.get(source.shape().rank());
    return chunkChoice == null ? fixed : chunkChoice.apply(source).orElse(fixed);
  }

  /**
   * Returns the shard shape of the copy of an array; null for none of its own.
   *
   * @param chunk the shape of the inner chunks
   */
  @Nullable Shape shardShape(ArrayMetadata source, Supplier<Shape> chunk) {
    Shape fixed = shardShapes.get(source.shape().rank());
    return shardChoice == null ? fixed : shardChoice.apply(source, chunk.get()).orElse(fixed);
  }
}
